//===- Context.cpp - contexts and errors of the C interface ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"

#include "pruner-c/Mlir.h"
#include "pruner/CostModel/PluginLoader.h"
#include "pruner/Library/EmitLibrary.h"
#include "pruner/Support/CodeDirectory.h"
#include "pruner/Support/HostProcess.h"
#include "pruner/Support/Version.h"
#include "pruner/Tools/PrunerOpt/Registration.h"

#include "mlir/CAPI/IR.h"
#include "llvm/Support/JSON.h"

#include <atomic>
#include <cxxabi.h>
#include <mutex>
#include <utility>

using namespace pruner;
using namespace pruner::capi;

static PrunerSeverity severityOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return PrunerSeverityError;
  case mlir::DiagnosticSeverity::Warning:
    return PrunerSeverityWarning;
  case mlir::DiagnosticSeverity::Remark:
    return PrunerSeverityRemark;
  case mlir::DiagnosticSeverity::Note:
    break;
  }
  return PrunerSeverityNote;
}

static std::string locationText(mlir::Location location) {
  if (auto file = location->findInstanceOf<mlir::FileLineColLoc>()) {
    std::string name = file.getFilename().str();
    // The location of a whole file has no line.
    return file.getLine() == 0 ? name
                               : (name + ":" + llvm::Twine(file.getLine()) +
                                  ":" + llvm::Twine(file.getColumn()))
                                     .str();
  }
  std::string text;
  if (!llvm::isa<mlir::UnknownLoc>(location))
    llvm::raw_string_ostream(text) << location;
  return text;
}

Context::Context(mlir::MLIRContext *context) : mlir(context) {
  static std::once_flag once;
  std::call_once(once, registerPasses);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir->appendDialectRegistry(registry);
  // Load all dialects, because calls other than passes do not load theirs.
  mlir::DialectRegistry made;
  registerLibraryDialects(made);
  mlir->appendDialectRegistry(made);
  for (llvm::StringRef name : made.getDialectNames())
    mlir->getOrLoadDialect(name);
  handler = mlir->getDiagEngine().registerHandler(
      [this](mlir::Diagnostic &diagnostic) {
        if (!errors)
          return mlir::failure();
        auto tell = [this](const mlir::Diagnostic &said) {
          // Names of files and functions may have any bytes.
          std::string place =
              llvm::json::fixUTF8(locationText(said.getLocation()));
          std::string message = llvm::json::fixUTF8(said.str());
          if (said.getSeverity() == mlir::DiagnosticSeverity::Error)
            *errors += (errors->empty() ? "" : "\n") +
                       (place.empty() ? "" : place + ": ") + message;
          if (callback)
            callback(severityOf(said.getSeverity()), place.c_str(),
                     message.c_str(), userData);
        };
        tell(diagnostic);
        for (const mlir::Diagnostic &note : diagnostic.getNotes())
          tell(note);
        return mlir::success();
      });
}

Context::~Context() { mlir->getDiagEngine().eraseHandler(handler); }

void Context::fail(llvm::StringRef reason) {
  std::string message = llvm::json::fixUTF8(reason);
  std::string &text = errors ? *errors : error;
  text += (text.empty() ? "" : "\n") + message;
  if (callback)
    callback(PrunerSeverityError, "", message.c_str(), userData);
}

uintptr_t pruner::capi::nextNumber() {
  static std::atomic<uintptr_t> last = 0;
  return ++last;
}

PrunerStatus pruner::capi::guarded(Context *context,
                                   llvm::function_ref<bool()> call) {
  if (!context)
    return PrunerStatusFailure;
  std::string errors;
  std::string *outer = std::exchange(context->errors, &errors);
  bool succeeded = false;
  try {
    succeeded = call();
    if (!succeeded && errors.empty())
      context->fail("the call failed");
  } catch (abi::__forced_unwind &) {
    // A callback ends this thread (pthread_exit). Without the rethrow, the
    // process would end.
    context->errors = outer;
    throw;
  } catch (const std::bad_alloc &) {
    errors = "out of memory"; // Short enough to need none.
  } catch (...) {
    errors = "internal error";
  }
  context->errors = outer;
  if (succeeded)
    errors.clear();
  context->error = std::move(errors);
  return succeeded ? PrunerStatusSuccess : PrunerStatusFailure;
}

extern "C" {

int prunerAbiVersion(void) { return PRUNER_C_ABI_VERSION; }

// The texts are literals, which end with a zero.
const char *prunerVersion(void) { return version().data(); }
const char *prunerCommit(void) { return versionCommit().data(); }
const char *prunerLLVMVersion(void) { return llvmVersion().data(); }

const char *prunerLibraryDirectory(void) {
  static const std::string directory = codeDirectory().value_or("");
  return directory.c_str();
}

void prunerSetTorchPackage(const char *directory) {
  try {
    setTorchPackage(directory ? directory : "");
  } catch (...) {
  }
}

const char *prunerTorchConflict(const char *directory) {
  thread_local std::string conflict;
  try {
    conflict = torchConflict(directory ? directory : "");
    return conflict.c_str();
  } catch (...) {
    return "out of memory";
  }
}

static PrunerContext create(std::unique_ptr<mlir::MLIRContext> owned,
                            mlir::MLIRContext *mlir) {
  leaveSignalHandlersAlone();
  auto context = std::make_shared<Context>(mlir);
  context->owned = std::move(owned);
  return {table<Context>().add(std::move(context))};
}

PrunerContext prunerContextCreate(void) {
  try {
    auto owned = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);
    owned->printOpOnDiagnostic(false); // The op may be a whole network.
    mlir::MLIRContext *mlir = owned.get();
    return create(std::move(owned), mlir);
  } catch (...) {
    return {nullptr};
  }
}

PrunerContext prunerContextFromMlir(MlirContext context) {
  return quietly(context.ptr != nullptr, PrunerContext{nullptr},
                 [&] { return create(nullptr, ::unwrap(context)); });
}

MlirContext prunerContextGetMlir(PrunerContext context) {
  std::shared_ptr<Context> held = capi::unwrap(context);
  return held ? ::wrap(held->mlir) : MlirContext{nullptr};
}

void prunerContextDestroy(PrunerContext context) {
  // Modules may keep it alive, but the callback must not be called.
  if (std::shared_ptr<Context> held = table<Context>().remove(context.ptr))
    held->callback = nullptr;
}

void prunerContextSetDiagnosticCallback(PrunerContext context,
                                        PrunerDiagnosticCallback callback,
                                        void *userData) {
  if (std::shared_ptr<Context> held = capi::unwrap(context)) {
    held->callback = callback;
    held->userData = userData;
  }
}

const char *prunerContextGetError(PrunerContext context) {
  // The table keeps it alive.
  std::shared_ptr<Context> held = capi::unwrap(context);
  return held ? held->error.c_str() : "the context is null or was destroyed";
}

} // extern "C"
