//===- Module.cpp - modules of the C interface ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"

#include "pruner-c/Mlir.h"
#include "pruner-c/Tune.h"
#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Draft/Passes.h"
#include "pruner/Library/EmitLibrary.h"
#include "pruner/Support/InputFile.h"
#include "pruner/Tools/PrunerOpt/CheckOptions.h"
#include "pruner/Tune/Passes.h"
#include "pruner/Tune/TuneHooks.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/SourceMgr.h"

#include <atomic>

using namespace pruner;
using namespace pruner::capi;

static PrunerModule wrapModule(std::shared_ptr<Context> context,
                               mlir::OwningOpRef<mlir::ModuleOp> op,
                               NetworkConstants constants = {}) {
  return {table<Module>().add(std::shared_ptr<Module>(
      new Module{std::move(context), std::move(op), std::move(constants)}))};
}

/// Parses a module; returns null with errors if that fails.
static mlir::OwningOpRef<mlir::ModuleOp>
parse(Context &context, std::unique_ptr<llvm::MemoryBuffer> buffer) {
  if (llvm::Error excess = checkModuleText(*buffer)) {
    context.fail(llvm::toString(std::move(excess)));
    return nullptr;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  return mlir::parseSourceFile<mlir::ModuleOp>(
      sources, mlir::ParserConfig(context.mlir));
}

/// Runs one pass with options as text.
static bool runPass(Module &module, std::unique_ptr<mlir::Pass> pass,
                    llvm::StringRef options) {
  std::string problem = setOptions(*pass, ("lower=false " + options).str());
  if (!problem.empty()) {
    module.context->fail(pass->getArgument().str() + ": " + problem);
    return false;
  }
  mlir::PassManager passes(module.context->mlir);
  passes.addPass(std::move(pass));
  return succeeded(passes.run(*module.op));
}

/// The only public function with a body that prepares for no other; null, with
/// an error, if there is another number of them.
static mlir::func::FuncOp networkOf(Module &module) {
  mlir::func::FuncOp found;
  for (auto function : module.op->getOps<mlir::func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal() ||
        function->hasAttr(PrunerDialect::getPreparesAttrName()))
      continue;
    if (found) {
      module.context->fail("the module has a second public function @" +
                           function.getName().str());
      return nullptr;
    }
    found = function;
  }
  if (!found)
    module.context->fail("the module has no public function");
  return found;
}

extern "C" {

PrunerModule prunerModuleParseFile(PrunerContext handle, const char *path) {
  PrunerModule made{nullptr};
  std::shared_ptr<Context> context = capi::unwrap(handle);
  guarded(context.get(), [&] {
    auto buffer = openInputFile(textOf(path));
    if (!buffer) {
      context->fail(llvm::toString(buffer.takeError()));
      return false;
    }
    if (auto op = parse(*context, std::move(*buffer)))
      made = wrapModule(context, std::move(op));
    return made.ptr != nullptr;
  });
  return made;
}

PrunerModule prunerModuleParse(PrunerContext handle, const char *data,
                               size_t length, const char *name) {
  PrunerModule made{nullptr};
  std::shared_ptr<Context> context = capi::unwrap(handle);
  guarded(context.get(), [&] {
    llvm::StringRef text(data ? data : "", data ? length : 0);
    auto buffer =
        llvm::MemoryBuffer::getMemBufferCopy(text, name ? name : "module");
    if (auto op = parse(*context, std::move(buffer)))
      made = wrapModule(context, std::move(op));
    return made.ptr != nullptr;
  });
  return made;
}

PrunerModule prunerModuleClone(PrunerModule handle) {
  std::shared_ptr<Module> module = capi::unwrap(handle);
  return quietly(module && !module->changes, PrunerModule{nullptr}, [&] {
    return wrapModule(module->context, module->op->clone(), module->constants);
  });
}

void prunerModuleDestroy(PrunerModule module) {
  table<Module>().remove(module.ptr);
}

PrunerModule prunerModuleFromMlir(PrunerContext handle, MlirModule module) {
  PrunerModule made{nullptr};
  std::shared_ptr<Context> context = capi::unwrap(handle);
  guarded(context.get(), [&] {
    if (!module.ptr || ::unwrap(module)->getContext() != context->mlir) {
      context->fail("the module belongs to another context");
      return false;
    }
    made = wrapModule(context, ::unwrap(module));
    return true;
  });
  return made;
}

MlirModule prunerModuleGetMlir(PrunerModule module) {
  std::shared_ptr<Module> held = capi::unwrap(module);
  return held ? ::wrap(*held->op) : MlirModule{nullptr};
}

/// `guarded` for a call on a module, which a callback may destroy; a null
/// module fails, and so does a module that a callback would change while an
/// outer call works on it.
static PrunerStatus with(PrunerModule handle, Access access,
                         llvm::function_ref<bool(Module &)> call) {
  std::shared_ptr<Module> module = capi::unwrap(handle);
  return guarded(module ? module->context.get() : nullptr, [&] {
    Use use(*module, access);
    return use.allowed() && call(*module);
  });
}

PrunerStatus prunerModulePrint(PrunerModule handle,
                               PrunerStringCallback callback, void *userData) {
  return with(handle, Access::Read, [&](Module &module) {
    CallbackStream(callback, userData) << *module.op;
    return true;
  });
}

PrunerStatus prunerModuleWriteBytecode(PrunerModule handle,
                                       PrunerStringCallback callback,
                                       void *userData) {
  return with(handle, Access::Read, [&](Module &module) {
    CallbackStream stream(callback, userData);
    return succeeded(mlir::writeBytecodeToFile(*module.op, stream));
  });
}

PrunerStatus prunerModuleRunPasses(PrunerModule handle, const char *passes) {
  return with(handle, Access::Change, [&](Module &module) {
    std::string wrong = findWrongOptionInPipeline(textOf(passes));
    if (!wrong.empty()) {
      module.context->fail(wrong);
      return false;
    }
    mlir::PassManager manager(module.context->mlir);
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (failed(mlir::parsePassPipeline(textOf(passes), manager, stream))) {
      module.context->fail(llvm::StringRef(problem).rtrim());
      return false;
    }
    return succeeded(manager.run(*module.op));
  });
}

PrunerStatus prunerModuleApplyBest(PrunerModule handle, const char *options) {
  return with(handle, Access::Change, [&](Module &module) {
    return runPass(module, createApplyBestPass(), textOf(options));
  });
}

PrunerStatus prunerModuleDraft(PrunerModule handle, const char *options) {
  return with(handle, Access::Change, [&](Module &module) {
    return runPass(module, createDraftPass(), textOf(options));
  });
}

PrunerStatus prunerModuleLower(PrunerModule handle, const char *target,
                               unsigned threads) {
  return with(handle, Access::Change, [&](Module &module) {
    auto environment = Environment::create(textOf(target), threads);
    if (!environment) {
      module.context->fail(environment.takeError());
      return false;
    }
    return succeeded(lowerScheduled(*module.op, *environment));
  });
}

PrunerStatus prunerModuleLiftConstants(PrunerModule handle) {
  return with(handle, Access::Change, [&](Module &module) {
    mlir::func::FuncOp network = networkOf(module);
    if (network && !hasRanges(network) && network.getBody().hasOneBlock())
      module.constants.lift(network);
    return bool(network);
  });
}

PrunerStatus prunerModuleGetConstantType(PrunerModule handle, const char *name,
                                         PrunerStringCallback callback,
                                         void *userData) {
  return with(handle, Access::Read, [&](Module &module) {
    mlir::func::FuncOp network = networkOf(module);
    if (!network)
      return false;
    auto type = NetworkConstants::typeOf(network, textOf(name));
    if (!type) {
      module.context->fail(type.takeError());
      return false;
    }
    CallbackStream(callback, userData) << *type;
    return true;
  });
}

PrunerStatus prunerModuleSetConstant(PrunerModule handle, const char *name,
                                     const void *data, size_t size) {
  return with(handle, Access::Change, [&](Module &module) {
    mlir::func::FuncOp network = networkOf(module);
    if (!network)
      return false;
    llvm::Error error = module.constants.set(
        network, textOf(name),
        llvm::ArrayRef(static_cast<const char *>(data), data ? size : 0));
    if (!error)
      return true;
    module.context->fail(std::move(error));
    return false;
  });
}

PrunerStatus prunerModuleEmbedConstants(PrunerModule handle,
                                        const char *linker) {
  return with(handle, Access::Change, [&](Module &module) {
    if (module.constants.count() == 0)
      return true;
    mlir::PassManager passes(module.context->mlir);
    passes.addPass(createHoistConstantsPass());
    mlir::func::FuncOp network;
    if (failed(passes.run(*module.op)) || !(network = networkOf(module)))
      return false;
    llvm::Error error = module.constants.embed(network, textOf(linker).str());
    if (!error)
      return true;
    module.context->fail(std::move(error));
    return false;
  });
}

PrunerStatus prunerModuleCompile(PrunerModule handle, const char *output,
                                 const PrunerCompileOptions *asked) {
  return with(handle, Access::Read, [&](Module &module) {
    LibraryOptions options;
    options.output = textOf(output).str();
    if (options.output.empty()) {
      module.context->fail("expected the name of an output file");
      return false;
    }
    if (asked) {
      options.header = textOf(asked->header).str();
      options.entry = textOf(asked->entry).str();
      options.names = textOf(asked->names).str();
      options.linker = textOf(asked->linker).str();
      if (asked->cpu && *asked->cpu)
        options.cpu.cpu = asked->cpu;
      options.cpu.features = textOf(asked->features).str();
    }
    mlir::OwningOpRef<mlir::ModuleOp> copy(module.op->clone());
    auto report = emitLibrary(*copy, options);
    if (!report)
      module.context->fail(report.takeError());
    return bool(report);
  });
}

/// Whether a run is active, and whether it was asked to stop. The latter also
/// works before the tuner starts to check for interrupts.
static std::atomic<bool> tuning = false, stopped = false;

PrunerStatus prunerModuleTune(PrunerModule handle, const char *options,
                              PrunerTuneCallback progress,
                              PrunerStringCallback log, void *userData) {
  bool cancelled = false; // By the callback.
  PrunerStatus status = with(handle, Access::Read, [&](Module &module) {
    if (tuning.exchange(true)) {
      module.context->fail("another tuning run is active in this process");
      return false;
    }
    stopped = false;
    CallbackStream stream(log, userData);
    TuneHooks hooks;
    hooks.log = &stream;
    hooks.signals = false;
    hooks.onProgress = [&](const TuneStatus &now) {
      if (stopped || !progress)
        return !stopped;
      std::string phase = now.phase.str(), task = now.task.str();
      PrunerTuneStatus told;
      told.phase = phase.c_str();
      told.done = now.done;
      told.total = now.total;
      told.failed = now.failed;
      told.task = task.c_str();
      told.seconds = now.seconds.value_or(-1);
      cancelled = !progress(&told, userData);
      return !cancelled;
    };
    bool succeeded = false;
    try {
      succeeded = runPass(module, createPrunerTuneWith(std::move(hooks)),
                          textOf(options));
    } catch (...) {
      tuning = false;
      throw;
    }
    cancelled = !succeeded && (cancelled || stopped);
    tuning = false;
    return succeeded;
  });
  return cancelled ? PrunerStatusCancelled : status;
}

void prunerStopTuning(void) {
  if (!tuning)
    return;
  stopped = true;
  stopTuning();
}

} // extern "C"
