//===- Ptx.cpp - lowered GPU modules to PTX -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/Ptx.h"

#include "CodeGeneration.h"
#include "LLVMSession.h"

#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace pruner;
using namespace llvm;

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

/// The oldest architecture that kernels support.
static constexpr unsigned kOldestChip = 70;

static const Triple &gpuTriple() {
  static const Triple triple("nvptx64-nvidia-cuda");
  return triple;
}

static const Target *gpuTarget() {
  static const Target *target = [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    std::string error;
    return TargetRegistry::lookupTarget(gpuTriple(), error);
  }();
  return target;
}

/// Such as 90 for `sm_90a`; 0 for anything else.
static unsigned chipNumber(StringRef chip) {
  unsigned number = 0;
  if (!chip.consume_front("sm_") || chip.consumeInteger(10, number))
    return 0;
  return number;
}

std::vector<std::string> pruner::knownGpuChips() {
  std::vector<std::string> chips;
  if (!gpuTarget())
    return chips;
  std::unique_ptr<MCSubtargetInfo> subtarget(
      gpuTarget()->createMCSubtargetInfo(gpuTriple(), "", ""));
  for (const SubtargetSubTypeKV &entry :
       subtarget->getAllProcessorDescriptions())
    if (chipNumber(entry.Key) >= kOldestChip)
      chips.emplace_back(entry.Key);
  llvm::stable_sort(chips, [](StringRef left, StringRef right) {
    return chipNumber(left) < chipNumber(right);
  });
  return chips;
}

/// Level 3 of code generation is level 2 with two rounds of GVN instead of CSE
/// (see OptimizeOptions::cseForGvn). The output of ptxas is the same for both.
static CodeGenOptLevel codegenLevel(unsigned optLevel) {
  return static_cast<CodeGenOptLevel>(std::min(optLevel, 2u));
}

static std::unique_ptr<TargetMachine>
createGpuTarget(StringRef chip, unsigned ptxVersion, unsigned optLevel) {
  std::string features =
      ptxVersion ? "+ptx" + std::to_string(ptxVersion) : std::string();
  return std::unique_ptr<TargetMachine>(gpuTarget()->createTargetMachine(
      gpuTriple(), chip, features, TargetOptions(), Reloc::PIC_, std::nullopt,
      codegenLevel(optLevel)));
}

static Error generate(Module &module, TargetMachine &machine,
                      std::string &text) {
  SmallString<0> buffer;
  raw_svector_ostream stream(buffer);
  if (Error error =
          generateCode(module, machine, stream, CodeGenFileType::AssemblyFile,
                       StrengthReduction::Yes))
    return error;
  text = buffer.str().str();
  return Error::success();
}

/// LLVM's default PTX version for a chip, taken from the PTX of an empty
/// module. A lower version would make LLVM end the process.
static Expected<unsigned> minimumPtxVersion(StringRef chip) {
  LLVMContext context;
  Module module("empty", context);
  auto machine = createGpuTarget(chip, 0, 0);
  module.setTargetTriple(gpuTriple());
  module.setDataLayout(machine->createDataLayout());
  std::string text;
  if (Error error = generate(module, *machine, text))
    return error;
  auto [before, after] = StringRef(text).split(".version ");
  unsigned major = 0, minor = 0;
  if (after.consumeInteger(10, major) || !after.consume_front(".") ||
      after.consumeInteger(10, minor))
    return createStringError("LLVM's PTX for " + chip + " has no version");
  return major * 10 + minor;
}

static Error checkTarget(const PtxOptions &options) {
  if (!gpuTarget())
    return createStringError("this LLVM has no NVPTX target");
  if (options.optLevel > 3)
    return createStringError("optimization level " + Twine(options.optLevel) +
                             " is not in 0..3");
  std::vector<std::string> chips = knownGpuChips();
  if (!llvm::is_contained(chips, options.chip))
    return createStringError("unknown GPU chip '" + options.chip +
                             "'; known: " + joinNames(chips));
  if (!options.ptxVersion)
    return Error::success();
  std::unique_ptr<MCSubtargetInfo> subtarget(
      gpuTarget()->createMCSubtargetInfo(gpuTriple(), "", ""));
  std::string feature = "ptx" + std::to_string(options.ptxVersion);
  if (llvm::none_of(subtarget->getAllProcessorFeatures(),
                    [&](const SubtargetFeatureKV &entry) {
                      return feature == entry.Key;
                    }))
    return createStringError("PTX version " + Twine(options.ptxVersion / 10) +
                             "." + Twine(options.ptxVersion % 10) +
                             " is not supported by this LLVM");
  auto minimum = minimumPtxVersion(options.chip);
  if (!minimum)
    return minimum.takeError();
  if (options.ptxVersion < *minimum)
    return createStringError(options.chip + " needs PTX version " +
                             Twine(*minimum / 10) + "." + Twine(*minimum % 10) +
                             " or newer, but " +
                             Twine(options.ptxVersion / 10) + "." +
                             Twine(options.ptxVersion % 10) + " was requested");
  return Error::success();
}

/// Names of the functions that the PTX declares but does not define. The
/// declaration may have its return value, `(.param .b32 r)`, before the name.
static std::vector<std::string> unresolvedFunctions(StringRef text) {
  std::vector<std::string> names;
  StringRef line;
  while (!text.empty()) {
    std::tie(line, text) = text.split('\n');
    line = line.trim();
    if (!line.consume_front(".extern .func"))
      continue;
    line = line.trim();
    if (line.starts_with("("))
      line = line.split(')').second.trim();
    // The driver provides vprintf and the assertion handler.
    StringRef name =
        line.take_until([](char c) { return c == '(' || c == ' '; });
    if (name != "vprintf" && name != "__assertfail")
      names.push_back(name.str());
  }
  return names;
}

/// The first version with `ldmatrix` and the products of sm_75.
static constexpr unsigned kMatrixPtxVersion = 65;

/// Whether a module multiplies matrices by tensor cores.
static bool multipliesMatrices(const Module &module) {
  return llvm::any_of(module, [](const Function &function) {
    return function.getName().starts_with("llvm.nvvm.mma.") ||
           function.getName().starts_with("llvm.nvvm.ldmatrix.");
  });
}

Expected<PtxCode> pruner::emitPtx(mlir::Operation *module,
                                  const PtxOptions &options) {
  if (Error error = checkTarget(options))
    return error;
  auto machine =
      createGpuTarget(options.chip, options.ptxVersion, options.optLevel);
  PtxCode result;
  LLVMSession session;
  std::unique_ptr<Module> llvmModule;
  {
    StageTimer timer(result.timings.translate);
    auto translated = translateToLLVM(module, session.context());
    if (!translated)
      return translated.takeError();
    llvmModule = std::move(*translated);
    if (!options.ptxVersion && multipliesMatrices(*llvmModule)) {
      auto minimum = minimumPtxVersion(options.chip);
      if (!minimum)
        return minimum.takeError();
      if (*minimum < kMatrixPtxVersion)
        machine =
            createGpuTarget(options.chip, kMatrixPtxVersion, options.optLevel);
    }
    llvmModule->setTargetTriple(gpuTriple());
    llvmModule->setDataLayout(machine->createDataLayout());
  }
  {
    StageTimer timer(result.timings.optimize);
    OptimizeOptions optimize;
    optimize.optLevel = options.optLevel;
    optimize.cseForGvn = true;
    optimizeModule(*llvmModule, *machine, optimize);
  }
  if (Error error = session.takeErrors("LLVM's IR pipeline"))
    return error;
  for (const Function &function : *llvmModule)
    if (function.getCallingConv() == CallingConv::PTX_Kernel)
      result.kernels.push_back(function.getName().str());
  {
    StageTimer timer(result.timings.codegen);
    if (Error error = generate(*llvmModule, *machine, result.text))
      return error;
  }
  if (Error error = session.takeErrors("LLVM's PTX generation"))
    return error;
  std::vector<std::string> missing = unresolvedFunctions(result.text);
  if (!missing.empty())
    return createStringError("the PTX calls undefined functions: " +
                             joinNames(missing));
  return result;
}
