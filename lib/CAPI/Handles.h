//===- Handles.h - the objects behind handles -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CAPI_HANDLES_H
#define PRUNER_LIB_CAPI_HANDLES_H

#include "pruner-c/Task.h"
#include "pruner/CostModel/CostModel.h"
#include "pruner/Library/NetworkConstants.h"
#include "pruner/ModuleTasks/ModuleTask.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <atomic>
#include <cxxabi.h>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace pruner::capi {

/// Returns a new handle number, unique among all types.
uintptr_t nextNumber();

/// Maps handle numbers to objects of one type. Null handles, handles of
/// destroyed objects and handles of other types find nothing.
template <typename Object> class Table {
public:
  void *add(std::shared_ptr<Object> object) {
    std::lock_guard<std::mutex> lock(mutex);
    uintptr_t number = nextNumber();
    objects.emplace(number, std::move(object));
    return reinterpret_cast<void *>(number);
  }
  std::shared_ptr<Object> find(const void *handle) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = objects.find(reinterpret_cast<uintptr_t>(handle));
    return found == objects.end() ? nullptr : found->second;
  }
  /// Removes the handle. The object ends with the result unless something else
  /// keeps it alive.
  std::shared_ptr<Object> remove(const void *handle) {
    std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<Object> held;
    auto found = objects.find(reinterpret_cast<uintptr_t>(handle));
    if (found != objects.end()) {
      held = std::move(found->second);
      objects.erase(found);
    }
    return held;
  }

private:
  std::mutex mutex;
  std::unordered_map<uintptr_t, std::shared_ptr<Object>> objects;
};

/// Returns the table of a type. It is never destroyed, because handles may be
/// used until the process ends.
template <typename Object> Table<Object> &table() {
  static auto *const all = new Table<Object>;
  return *all;
}

struct Context {
  std::unique_ptr<mlir::MLIRContext> owned;
  mlir::MLIRContext *mlir = nullptr;
  mlir::DiagnosticEngine::HandlerID handler = 0;
  PrunerDiagnosticCallback callback = nullptr;
  void *userData = nullptr;
  /// Why the last call that has returned failed.
  std::string error;
  /// The errors of the call that is under way; null outside of calls. A
  /// callback may make another call, which has errors of its own. Of a context
  /// of the caller's own, diagnostics outside of calls are not ours.
  std::string *errors = nullptr;

  /// Prepares `context`: diagnostics go to the callback, and errors also to
  /// `error`.
  explicit Context(mlir::MLIRContext *context);
  ~Context();

  /// Reports an error without a location.
  void fail(llvm::StringRef message);
  void fail(llvm::Error failure) { fail(llvm::toString(std::move(failure))); }
};

// Objects of a context keep it alive.

struct Module {
  std::shared_ptr<Context> context;
  mlir::OwningOpRef<mlir::ModuleOp> op;
  /// The values of arguments marked `pruner.constant`.
  NetworkConstants constants;
  /// Calls under way that read it, and whether one changes it.
  unsigned readers = 0;
  bool changes = false;
};

/// What a call does to a module. Tuning reads: it changes the module before and
/// after the callbacks, which may print or clone the module.
enum class Access { Read, Change };

/// A call on a module. While one changes it, callbacks may not use it; while
/// one reads it, they may not change it.
class Use {
public:
  Use(Module &module, Access access)
      : module(module), access(access),
        granted(!module.changes &&
                (access == Access::Read || module.readers == 0)) {
    if (!granted)
      module.context->fail("the module is used by a call that has not "
                           "returned");
    else if (access == Access::Read)
      ++module.readers;
    else
      module.changes = true;
  }
  ~Use() {
    if (!granted)
      return;
    if (access == Access::Read)
      --module.readers;
    else
      module.changes = false;
  }
  Use(const Use &) = delete;
  Use &operator=(const Use &) = delete;

  bool allowed() const { return granted; }

private:
  Module &module;
  Access access;
  bool granted;
};

struct Task {
  Context &context; ///< Kept alive by the list.
  ModuleTask task;  ///< Without its function.
  std::string schedule;
  double seconds = -1;
};

struct Tasks {
  std::shared_ptr<Context> context;
  std::vector<Task> tasks;
  /// One entry for each task.
  std::vector<PrunerTask> handles;
};

struct Model {
  std::shared_ptr<Context> context;
  std::unique_ptr<CostModel> model;
  std::string name;
};

// Returns the object of a handle, kept alive by the result; null for a null
// handle and for a destroyed object.
inline std::shared_ptr<Context> unwrap(PrunerContext handle) {
  return table<Context>().find(handle.ptr);
}
inline std::shared_ptr<Module> unwrap(PrunerModule handle) {
  return table<Module>().find(handle.ptr);
}
inline std::shared_ptr<Tasks> unwrap(PrunerTasks handle) {
  return table<Tasks>().find(handle.ptr);
}
inline std::shared_ptr<Task> unwrap(PrunerTask handle) {
  return table<Task>().find(handle.ptr);
}
inline std::shared_ptr<Model> unwrap(PrunerCostModel handle) {
  return table<Model>().find(handle.ptr);
}

inline llvm::StringRef textOf(const char *text) { return text ? text : ""; }

/// Clears the errors, runs `call` and returns its success. Catches all
/// exceptions, and ensures that a failure has an error.
PrunerStatus guarded(Context *context, llvm::function_ref<bool()> call);

/// Like `guarded` without a context: returns `otherwise` if `there` is false
/// and after exceptions.
template <typename Result, typename Call>
Result quietly(bool there, Result otherwise, Call call) {
  if (!there)
    return otherwise;
  try {
    return call();
  } catch (abi::__forced_unwind &) {
    throw; // The thread ends.
  } catch (...) {
    return otherwise;
  }
}

/// A stream that writes to a callback.
class CallbackStream : public llvm::raw_ostream {
public:
  CallbackStream(PrunerStringCallback callback, void *userData)
      : callback(callback), userData(userData) {}
  ~CallbackStream() override { flush(); }

private:
  void write_impl(const char *data, size_t size) override {
    position += size;
    if (callback)
      callback(data, size, userData);
  }
  uint64_t current_pos() const override { return position; }

  PrunerStringCallback callback;
  void *userData;
  uint64_t position = 0;
};

} // namespace pruner::capi

#endif // PRUNER_LIB_CAPI_HANDLES_H
