//===- ObjectCode.cpp - lowered modules to host object code ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/ObjectCode.h"

#include "CodeGeneration.h"
#include "LLVMSession.h"
#include "pruner/Program/MatrixInstruction.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace pruner;
using namespace llvm;

namespace {
struct CpuTarget {
  std::unique_ptr<TargetMachine> machine;
  std::string cpu, features;
};
} // namespace

static Error checkFeatures(const MCSubtargetInfo &subtarget,
                           ArrayRef<std::string> features) {
  for (const std::string &feature : features) {
    StringRef name = SubtargetFeatures::StripFlag(feature);
    bool known = llvm::any_of(
        subtarget.getAllProcessorFeatures(),
        [&](const SubtargetFeatureKV &entry) { return name == entry.Key; });
    if (!SubtargetFeatures::hasFlag(feature) || !known)
      return createStringError("unknown CPU feature '" + feature +
                               "' (expected +name or -name)");
  }
  return Error::success();
}

static Expected<CpuTarget> createCpuTarget(const CpuOptions &options) {
  static const bool initialized = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  if (options.optLevel > 3)
    return createStringError("optimization level " + Twine(options.optLevel) +
                             " is not in 0..3");

  Triple triple(options.triple.empty() ? sys::getProcessTriple()
                                       : Triple::normalize(options.triple));
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return createStringError("cannot compile for '" + triple.str() +
                             "': " + error);

  CpuTarget result;
  SubtargetFeatures features;
  bool isHost = options.cpu == "host" || options.cpu == "native";
  result.cpu = isHost ? sys::getHostCPUName().str() : options.cpu;
  std::unique_ptr<MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!subtarget->isCPUStringValid(result.cpu)) {
    std::vector<std::string> known;
    for (const SubtargetSubTypeKV &entry :
         subtarget->getAllProcessorDescriptions())
      known.emplace_back(entry.Key);
    return createStringError("unknown CPU '" + result.cpu + "' for " +
                             triple.str() + "; known: " + joinNames(known));
  }
  if (isHost) {
    // Sorted, because the string is part of the identity of a measurement.
    std::vector<std::string> host;
    for (const auto &entry : sys::getHostCPUFeatures())
      host.push_back((entry.getValue() ? "+" : "-") + entry.getKey().str());
    llvm::sort(host);
    for (const std::string &feature : host)
      features.AddFeature(feature);
  }
  SubtargetFeatures extra(options.features);
  if (Error error = checkFeatures(*subtarget, extra.getFeatures()))
    return error;
  features.addFeaturesVector(extra.getFeatures());
  result.features = features.getString();

  TargetOptions targetOptions; // FPOpFusion::Standard: as the IR states.
  result.machine.reset(target->createTargetMachine(
      triple, result.cpu, result.features, targetOptions, Reloc::PIC_,
      std::nullopt, static_cast<CodeGenOptLevel>(options.optLevel)));
  if (!result.machine)
    return createStringError("LLVM cannot generate code for '" + triple.str() +
                             "'");
  return result;
}

/// Sets the attributes on every function with a body, after translation, so
/// that outlined parallel regions have them as well.
static void setFunctionAttributes(Module &module, const CpuTarget &target,
                                  const CpuOptions &options) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.cpu);
    // Attributes of the input may not apply to this CPU.
    function.removeFnAttr("target-features");
    function.removeFnAttr("tune-cpu");
    if (!target.features.empty())
      function.addFnAttr("target-features", target.features);
    if (options.preferVectorWidth) {
      // The second attribute also splits wider vectors of the IR.
      std::string width = std::to_string(options.preferVectorWidth);
      function.addFnAttr("prefer-vector-width", width);
      function.addFnAttr("min-legal-vector-width", width);
    }
  }
}

/// Whether kernels may call the intrinsic of this name on this CPU: those of
/// matrix instructions that it has, and the fences after non-temporal stores
/// on x86.
static bool isKernelIntrinsic(StringRef name, const TargetMachine &machine) {
  if (!machine.getTargetTriple().isX86())
    return false;
  if (name == "llvm.x86.sse.sfence")
    return true;
  return isMatrixIntrinsic(name, [&](StringRef feature) {
    return machine.getMCSubtargetInfo()->checkFeatures(("+" + feature).str());
  });
}

/// Rejects assembly and instructions of specific CPUs other than those that
/// kernels contain. LLVM's code generators end the process on instructions that
/// the CPU lacks.
static Error checkBodies(const Module &module, const TargetMachine &machine) {
  auto reject = [](const Twine &what, const Twine &where) {
    return createStringError("cannot compile " + what + where);
  };
  if (!module.getModuleInlineAsm().empty())
    return reject("inline assembly", " outside of functions");
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call)
        continue;
      std::string where = (" in @" + function.getName()).str();
      if (call->isInlineAsm())
        return reject("inline assembly", where);
      const Function *callee = call->getCalledFunction();
      if (!callee || !callee->getName().starts_with("llvm."))
        continue;
      Intrinsic::ID id = callee->getIntrinsicID();
      if (isKernelIntrinsic(callee->getName(), machine))
        continue;
      if (id == Intrinsic::not_intrinsic || callee->isTargetIntrinsic())
        return reject("the intrinsic '" + callee->getName() + "'", where);
    }
  return Error::success();
}

static Expected<std::unique_ptr<Module>> buildModule(mlir::Operation *module,
                                                     const CpuOptions &options,
                                                     const CpuTarget &target,
                                                     LLVMSession &session,
                                                     StageTimings &timings) {
  std::unique_ptr<Module> llvmModule;
  {
    StageTimer timer(timings.translate);
    auto translated = translateToLLVM(module, session.context());
    if (!translated)
      return translated.takeError();
    llvmModule = std::move(*translated);
    if (Error error = checkBodies(*llvmModule, *target.machine))
      return error;
    llvmModule->setTargetTriple(target.machine->getTargetTriple());
    llvmModule->setDataLayout(target.machine->createDataLayout());
    setFunctionAttributes(*llvmModule, target, options);
  }
  {
    StageTimer timer(timings.optimize);
    optimizeModule(*llvmModule, *target.machine,
                   {options.optLevel, options.slpVectorize,
                    options.loopVectorize, options.loopUnroll});
    storeSingleLanes(*llvmModule);
    narrowShiftedProducts(*llvmModule);
    lookUpNibbles(*llvmModule, *target.machine);
    moveBrainFloatsAsIntegers(*llvmModule);
    if (options.optLevel > 0)
      reduceStrength(*llvmModule, *target.machine);
  }
  if (Error error = session.takeErrors("LLVM's IR pipeline"))
    return error;
  return llvmModule;
}

static Expected<ObjectCode> compile(mlir::Operation *module,
                                    const CpuOptions &options,
                                    CodeGenFileType fileType) {
  auto target = createCpuTarget(options);
  if (!target)
    return target.takeError();
  ObjectCode result;
  result.cpu = target->cpu;
  result.features = target->features;

  LLVMSession session;
  auto llvmModule =
      buildModule(module, options, *target, session, result.timings);
  if (!llvmModule)
    return llvmModule.takeError();
  {
    StageTimer timer(result.timings.codegen);
    raw_svector_ostream stream(result.bytes);
    if (Error error = generateCode(**llvmModule, *target->machine, stream,
                                   fileType, StrengthReduction::No))
      return error;
  }
  if (Error error = session.takeErrors("LLVM's code generation"))
    return error;
  return result;
}

Expected<ObjectCode> pruner::compileToObject(mlir::Operation *module,
                                             const CpuOptions &options) {
  return compile(module, options, CodeGenFileType::ObjectFile);
}

Expected<std::string> pruner::compileToAssembly(mlir::Operation *module,
                                                const CpuOptions &options) {
  auto code = compile(module, options, CodeGenFileType::AssemblyFile);
  if (!code)
    return code.takeError();
  return std::string(code->bytes.begin(), code->bytes.end());
}

Expected<std::string> pruner::compileToLLVMIR(mlir::Operation *module,
                                              const CpuOptions &options) {
  auto target = createCpuTarget(options);
  if (!target)
    return target.takeError();
  LLVMSession session;
  StageTimings timings;
  auto llvmModule = buildModule(module, options, *target, session, timings);
  if (!llvmModule)
    return llvmModule.takeError();
  std::string text;
  raw_string_ostream stream(text);
  (*llvmModule)->print(stream, nullptr);
  return text;
}

Expected<std::pair<std::string, std::string>>
pruner::describeCpu(const CpuOptions &options) {
  auto target = createCpuTarget(options);
  if (!target)
    return target.takeError();
  return std::pair(target->cpu, target->features);
}
