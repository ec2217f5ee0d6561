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

#include <memory>
#include <string>
#include <vector>

namespace pruner::capi {

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

struct Module {
  Context &context;
  mlir::OwningOpRef<mlir::ModuleOp> op;
};

struct Task {
  Context &context;
  TuneTask task; ///< Without its function.
  std::string schedule;
  double seconds = -1;
};

struct Tasks {
  std::vector<Task> tasks;
};

struct Model {
  Context &context;
  std::unique_ptr<CostModel> model;
  std::string name;
};

inline Context *unwrap(PrunerContext handle) {
  return static_cast<Context *>(handle.ptr);
}
inline Module *unwrap(PrunerModule handle) {
  return static_cast<Module *>(handle.ptr);
}
inline Tasks *unwrap(PrunerTasks handle) {
  return static_cast<Tasks *>(handle.ptr);
}
inline Task *unwrap(PrunerTask handle) {
  return static_cast<Task *>(handle.ptr);
}
inline Model *unwrap(PrunerCostModel handle) {
  return static_cast<Model *>(handle.ptr);
}

inline llvm::StringRef textOf(const char *text) { return text ? text : ""; }

/// Runs `call`, which says whether it succeeded, with the errors of former
/// calls forgotten. No exception leaves it, and a failure has an error.
PrunerStatus guarded(Context *context, llvm::function_ref<bool()> call);

/// The same where there is no context to tell: null handles and exceptions give
/// `otherwise`.
template <typename Result, typename Call>
Result quietly(const void *handle, Result otherwise, Call call) {
  if (!handle)
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
