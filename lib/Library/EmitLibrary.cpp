//===- EmitLibrary.cpp - networks as shared libraries ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Library/EmitLibrary.h"

#include "LibraryCompiler.h"
#include "NetworkInterface.h"
#include "pruner/Dialect/Pruner/Utils/Alternatives.h"
#include "pruner/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace pruner;

void pruner::registerLibraryDialects(mlir::DialectRegistry &registry) {
  registerPipelineDialects(registry);
  registerTargetDialects(registry);
  registry.insert<PrunerDialect>();
}

/// The function of dynamic shape that the options select, or null.
static mlir::Operation *findDynamic(mlir::ModuleOp module,
                                    const LibraryOptions &options) {
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (function->hasAttr(PrunerDialect::getPlanAttrName()) &&
        (options.entry.empty() ? function.isPublic()
                               : function.getName() == options.entry))
      return function;
  return nullptr;
}

Error pruner::checkLibraryOptions(const LibraryOptions &options) {
  if (options.output.empty())
    return createStringError("expected a name for the library");
  return LibraryCompiler(options).open({"libPrunerNetworkRuntime.a"});
}

Error pruner::checkNetwork(mlir::ModuleOp module, StringRef entry) {
  LibraryOptions options;
  options.entry = entry.str();
  chooseAlternatives(module);
  if (launchesKernels(module, entry) || findDynamic(module, options))
    return Error::success();
  if (Error error = lowerNetwork(module, options.entry))
    return error;
  auto network = NetworkInterface::read(module);
  return network ? network->nameFrom("") : network.takeError();
}

Expected<LibraryReport> pruner::emitLibrary(mlir::ModuleOp module,
                                            const LibraryOptions &options) {
  chooseAlternatives(module);
  const bool isForDevice =
      !options.chip.empty() || launchesKernels(module, options.entry);
  if (mlir::Operation *dynamic = findDynamic(module, options)) {
    if (!isForDevice)
      return emitSizedLibrary(module, dynamic, options);
    dynamic->emitError("a library for a GPU needs static shapes");
    return createStringError("the network cannot be lowered for a GPU");
  }
  if (isForDevice)
    return emitDeviceLibrary(module, options);
  LibraryCompiler compiler(options);
  // The metadata names the CPU, so it must be known before code is generated.
  if (Error error = compiler.open({"libPrunerNetworkRuntime.a"}))
    return error;
  auto start = std::chrono::steady_clock::now();
  if (Error error = lowerNetwork(module, options.entry))
    return error;
  auto network = NetworkInterface::read(module);
  if (!network)
    return network.takeError();
  if (Error error = network->nameFrom(options.names))
    return error;
  compiler.report.lowerMs = millisecondsSince(start);
  addMetadata(module, network->metadata(compiler.target().first,
                                        compiler.target().second));
  compiler.compile(module);
  return compiler.finish({}, network->header(options.output));
}
