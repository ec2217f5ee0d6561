//===- Emulator.cpp - compile a kernel for the host and run it ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Emulator/Emulator.h"

#include "Launch.h"
#include "Lowering.h"
#include "Runtime.h"

#include "pruner/Support/OptionOverride.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace pruner;
using namespace pruner::emulator;

EmulatedKernel::~EmulatedKernel() = default;

namespace {
class JITKernel : public EmulatedKernel {
public:
  JITKernel(LoweredKernel lowered, std::unique_ptr<ExecutionEngine> engine,
            Launch::Entry entry, EmulatorOptions options)
      : lowered(std::move(lowered)), engine(std::move(engine)), entry(entry),
        options(std::move(options)) {
    // Messages still use types and locations; the IR is not needed.
    this->lowered.module = nullptr;
    for (const Buffer &argument : this->lowered.arguments)
      bytes.push_back(argument.bytes);
  }

  llvm::Expected<EmulatorReport> run(LaunchExtent grid, LaunchExtent block,
                                     ArrayRef<void *> arguments) override;
  ArrayRef<uint64_t> argumentBytes() const override { return bytes; }

private:
  LoweredKernel lowered;
  std::unique_ptr<ExecutionEngine> engine;
  Launch::Entry entry;
  EmulatorOptions options;
  std::vector<uint64_t> bytes;
};

/// Collects the errors of a compilation step as one llvm::Error.
class ErrorCollector : public ScopedDiagnosticHandler {
public:
  explicit ErrorCollector(MLIRContext *context)
      : ScopedDiagnosticHandler(context) {
    setHandler([this](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
        return;
      llvm::raw_string_ostream stream(text);
      stream << (text.empty() ? "" : "\n") << diagnostic.getLocation() << ": "
             << diagnostic;
    });
  }
  llvm::Error error() const {
    return llvm::createStringError(std::errc::invalid_argument, "%s",
                                   text.empty() ? "the kernel cannot be lowered"
                                                : text.c_str());
  }

private:
  std::string text;
};
} // namespace

static gpu::GPUFuncOp findKernel(ModuleOp module, StringRef name) {
  gpu::GPUFuncOp found;
  module.walk([&](gpu::GPUFuncOp function) {
    if (!function.isKernel() || function.getName() != name)
      return WalkResult::advance();
    found = function;
    return WalkResult::interrupt();
  });
  return found;
}

static llvm::Expected<std::unique_ptr<ExecutionEngine>> jit(ModuleOp module,
                                                            unsigned optLevel) {
  static bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  auto machineBuilder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!machineBuilder)
    return machineBuilder.takeError();
  // The hardware conversion to bf16 treats denormal numbers as zero.
  machineBuilder->getFeatures().AddFeature("avx512bf16", false);
  machineBuilder->getFeatures().AddFeature("avxneconvert", false);
  auto machine = machineBuilder->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto generator = machineBuilder->createTargetMachine();
  if (!generator)
    return generator.takeError();

  ExecutionEngineOptions options;
  auto optimize =
      makeOptimizingTransformer(optLevel, /*sizeLevel=*/0, machine->get());
  options.transformer = optimize;
  options.jitCodeGenOptLevel = static_cast<llvm::CodeGenOptLevel>(optLevel);
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(module, options, std::move(*generator));
  if (!engine)
    return engine.takeError();
  (*engine)->registerSymbols([](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols;
    for (auto [name, address] : runtimeFunctions())
      symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                 llvm::JITSymbolFlags::Exported};
    return symbols;
  });
  return engine;
}

llvm::Expected<std::unique_ptr<EmulatedKernel>>
EmulatedKernel::compile(ModuleOp module, StringRef name,
                        const EmulatorOptions &options) {
  gpu::GPUFuncOp original = findKernel(module, name);
  if (!original)
    return llvm::createStringError(std::errc::invalid_argument,
                                   "no kernel named '%s' in the module",
                                   name.str().c_str());
  if (options.warpSize == 0 || (options.warpSize & (options.warpSize - 1)) ||
      options.warpSize > maxBlockThreads)
    return llvm::createStringError(
        std::errc::invalid_argument,
        "warp size %u is not a power of two up to %lld", options.warpSize,
        static_cast<long long>(maxBlockThreads));
  if (options.dynamicSharedBytes < 0)
    return llvm::createStringError(
        std::errc::invalid_argument, "%lld bytes of dynamic shared memory",
        static_cast<long long>(options.dynamicSharedBytes));
  if (options.optLevel > 2)
    return llvm::createStringError(std::errc::invalid_argument,
                                   "optimization level %u is not in 0..2",
                                   options.optLevel);
  MLIRContext *context = module.getContext();
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context->appendDialectRegistry(registry);
  context->loadDialect<affine::AffineDialect, arith::ArithDialect,
                       cf::ControlFlowDialect, func::FuncDialect,
                       math::MathDialect, memref::MemRefDialect,
                       scf::SCFDialect, vector::VectorDialect>();

  ErrorCollector errors(context);
  OpBuilder builder(context);
  OwningOpRef<ModuleOp> copy = ModuleOp::create(builder, module.getLoc());
  builder.setInsertionPointToEnd(copy->getBody());
  builder.clone(*original->getParentOfType<gpu::GPUModuleOp>());
  SmallVector<gpu::GPUFuncOp> others;
  copy->walk([&](gpu::GPUFuncOp function) {
    if (function.getName() != name)
      others.push_back(function);
  });
  for (gpu::GPUFuncOp function : others)
    function.erase();

  LoweringOptions lowering{options.checkRaces, options.checkGlobalRaces,
                           options.checkBounds, options.warpSize,
                           options.dynamicSharedBytes};
  auto runPasses = [&](OpPassManager &passes) {
    PassManager manager(context, ModuleOp::getOperationName());
    static_cast<OpPassManager &>(manager) = passes;
    return manager.run(*copy);
  };
  if (failed(prepareKernels(*copy, lowering, runPasses)))
    return errors.error();
  FailureOr<LoweredKernel> lowered =
      lowerKernel(findKernel(*copy, name), lowering);
  if (failed(lowered))
    return errors.error();
  PassManager host(context, ModuleOp::getOperationName());
  buildHostPipeline(host);
  if (failed(host.run(*lowered->module)))
    return errors.error();

  // The time of LLVM's default scheduler is quadratic in the length of a block,
  // and an unrolled kernel is one block with thousands of checks. Code that
  // other threads compile meanwhile is slower, but correct.
  std::optional<OptionOverride> fastScheduling;
  if (options.optLevel == 0)
    fastScheduling.emplace("pre-RA-sched", "fast");
  auto engine = jit(*lowered->module, options.optLevel);
  if (!engine)
    return llvm::joinErrors(engine.takeError(), errors.error());
  auto entry = (*engine)->lookupPacked(entryName);
  if (!entry)
    return entry.takeError();
  return std::make_unique<JITKernel>(std::move(*lowered), std::move(*engine),
                                     *entry, options);
}

llvm::Expected<EmulatorReport> JITKernel::run(LaunchExtent grid,
                                              LaunchExtent block,
                                              ArrayRef<void *> arguments) {
  auto invalid = [](const char *format, auto... values) {
    return llvm::createStringError(std::errc::invalid_argument, format,
                                   static_cast<long long>(values)...);
  };
  if (arguments.size() != lowered.arguments.size())
    return invalid("the kernel expects %lld arguments, but got %lld",
                   lowered.arguments.size(), arguments.size());
  for (int64_t extent : {grid.x, grid.y, grid.z, block.x, block.y, block.z})
    if (extent < 1 || extent > INT32_MAX)
      return invalid("launch extent %lld is not between 1 and %lld", extent,
                     INT32_MAX);
  for (int64_t extent : {block.x, block.y, block.z})
    if (extent > maxBlockThreads)
      return invalid("block extent %lld is larger than %lld", extent,
                     maxBlockThreads);
  if (block.count() > maxBlockThreads)
    return invalid("a block of %lld threads is larger than %lld", block.count(),
                   maxBlockThreads);
  for (unsigned argument : options.poisonedArguments)
    if (argument >= arguments.size())
      return invalid("cannot poison argument %lld of %lld", argument,
                     arguments.size());
  return Launch(lowered, entry, options, grid, block, arguments).run();
}

llvm::Expected<EmulatorReport>
pruner::emulateKernel(ModuleOp module, StringRef kernel, LaunchExtent grid,
                      LaunchExtent block, ArrayRef<void *> arguments,
                      const EmulatorOptions &options) {
  auto compiled = EmulatedKernel::compile(module, kernel, options);
  if (!compiled)
    return compiled.takeError();
  return (*compiled)->run(grid, block, arguments);
}
