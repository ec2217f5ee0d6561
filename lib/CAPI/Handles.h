//===- Handles.h - what the handles of the C interface hold -----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_CAPI_HANDLES_H
#define PRUNER_LIB_CAPI_HANDLES_H

#include "pruner-c/Task.h"
#include "pruner/CostModel/CostModel.h"
#include "pruner/Tune/TuneTask.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace pruner::capi {

/// The next number of a handle, of whatever type. None is given twice.
uintptr_t nextNumber();

/// Objects of one type by the numbers that their handles hold: a handle whose
/// object was destroyed, or that is of another type, finds nothing, as a null
/// handle does.
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
  /// Forgets the handle. The object ends with the result unless something else
  /// holds it.
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

/// The table of a type. It is never destroyed: handles may be used until the
/// process ends.
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
  std::string error;
  /// Whether a call is under way: of a context of the caller's own,
  /// diagnostics at other times are not ours.
  bool busy = false;

  /// Makes `context` ready for what the interface does; diagnostics go to the
  /// callback and the errors to `error`.
  explicit Context(mlir::MLIRContext *context);
  ~Context();

  /// An error without a place in a module.
  void fail(llvm::StringRef message);
  void fail(llvm::Error failure) { fail(llvm::toString(std::move(failure))); }
};

// What belongs to a context holds it: the context ends after the last of them.

struct Module {
  std::shared_ptr<Context> context;
  mlir::OwningOpRef<mlir::ModuleOp> op;
};

struct Task {
  Context &context; ///< The list holds it.
  TuneTask task;    ///< Without its function.
  std::string schedule;
  double seconds = -1;
};

struct Tasks {
  std::shared_ptr<Context> context;
  std::vector<Task> tasks;
  /// Of each task.
  std::vector<PrunerTask> handles;
};

struct Model {
  std::shared_ptr<Context> context;
  std::unique_ptr<CostModel> model;
  std::string name;
};

// What a handle holds, which lives at least as long as the result; null for a
// null handle and for one whose object was destroyed.
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

/// Runs `call`, which says whether it succeeded, with the errors of former
/// calls forgotten. No exception leaves it, and a failure has an error.
PrunerStatus guarded(Context *context, llvm::function_ref<bool()> call);

/// The same where there is no context to tell: where `there` is false, and for
/// exceptions, the result is `otherwise`.
template <typename Result, typename Call>
Result quietly(bool there, Result otherwise, Call call) {
  if (!there)
    return otherwise;
  try {
    return call();
  } catch (...) {
    return otherwise;
  }
}

/// A stream into a callback.
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
