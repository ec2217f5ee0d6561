//===- pruner-translate.cpp - translate lowered MLIR to machine code ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Library/DeviceCode.h"
#include "pruner/Library/EmitLibrary.h"
#include "pruner/Support/CommandLine.h"
#include "pruner/Support/FatalErrors.h"
#include "pruner/Support/InputFile.h"
#include "pruner/Support/NamedFiles.h"
#include "pruner/Support/OutputFile.h"
#include "pruner/Support/StandardStreams.h"
#include "pruner/Target/ObjectCode.h"
#include "pruner/Target/ObjectFacts.h"
#include "pruner/Target/Ptxas.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace {
enum class Output { LLVMIR, Object, Assembly, Facts, Library, Ptx, Cubin };
} // namespace

static cl::OptionCategory category("pruner-translate options");

static cl::opt<std::string> inputFile(cl::Positional,
                                      cl::desc("<lowered MLIR file>"),
                                      cl::init("-"), cl::cat(category));
static cl::opt<std::string> outputFile("o", cl::desc("Output file"),
                                       cl::value_desc("file"), cl::init("-"),
                                       cl::cat(category));
static cl::opt<Output> output(
    "to", cl::desc("What to write"), cl::Required, cl::cat(category),
    cl::values(clEnumValN(Output::LLVMIR, "llvm-ir",
                          "LLVM IR after the IR passes"),
               clEnumValN(Output::Object, "object", "a relocatable object"),
               clEnumValN(Output::Assembly, "asm", "host assembly"),
               clEnumValN(Output::Facts, "facts",
                          "static facts of the object code, as JSON"),
               clEnumValN(Output::Library, "library",
                          "a shared library of a network of tensors"),
               clEnumValN(Output::Ptx, "ptx", "PTX of all kernels"),
               clEnumValN(Output::Cubin, "cubin",
                          "cubin of all kernels; resources on stderr")));
static cl::opt<std::string> cpu("mcpu",
                                cl::desc("CPU to compile for (default: host)"),
                                cl::init("host"), cl::cat(category));
static cl::opt<std::string> features("mattr", cl::desc("CPU features, +a,-b"),
                                     cl::cat(category));
static cl::opt<std::string>
    chip("chip",
         cl::desc("GPU chip (default: that of tuned kernels, else sm_80); a "
                  "library for it runs on a GPU"),
         cl::cat(category));
static cl::opt<unsigned> ptxVersion(
    "ptx-version",
    cl::desc("PTX version as major * 10 + minor (default: the chip's lowest)"),
    cl::init(0), cl::cat(category));
static cl::opt<std::string>
    gpuModule("gpu-module",
              cl::desc("The only gpu.module or gpu.binary to write"),
              cl::cat(category));
static cl::opt<std::string> launches(
    "launches",
    cl::desc("With --to=ptx and --to=cubin: write a JSON file that describes "
             "how host functions launch the kernels"),
    cl::value_desc("file"), cl::cat(category));
static cl::opt<unsigned> maxRegisters("max-registers",
                                      cl::desc("Register limit per GPU thread"),
                                      cl::init(0), cl::cat(category));
static cl::opt<int> optLevel("opt-level",
                             cl::desc("0..3 (default: 2 on CPUs, 3 on GPUs)"),
                             cl::init(-1), cl::cat(category));
static cl::opt<bool> slp("slp", cl::desc("Run LLVM's SLP vectorizer"),
                         cl::cat(category));
static cl::opt<bool> loopVectorize("loop-vectorize",
                                   cl::desc("Run LLVM's loop vectorizer"),
                                   cl::cat(category));
static cl::opt<unsigned> vectorWidth("prefer-vector-width",
                                     cl::desc("In bits, 0 for LLVM's choice"),
                                     cl::init(512), cl::cat(category));
static cl::opt<std::string>
    header("header", cl::desc("With --to=library: write a C header"),
           cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string> names(
    "names",
    cl::desc("With --to=library: JSON file with the names of arguments and "
             "results, such as pruner_tools.export writes"),
    cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string> entry(
    "entry",
    cl::desc("With --to=library: the network's function (default: the only "
             "public one)"),
    cl::value_desc("name"), cl::cat(category));
static cl::opt<bool>
    cubin("cubin",
          cl::desc("With --to=library, for a GPU: assemble the kernels with "
                   "ptxas (default: the driver assembles them)"),
          cl::cat(category));
namespace {
cl::opt<std::string> linker(
    "linker",
    cl::desc("With --to=library: compiler driver or linker to link with "
             "(default: the wheel's ld.lld, or cc, gcc, clang, ld.lld or ld)"),
    cl::value_desc("program"), cl::cat(category));
} // namespace

static cl::opt<bool> timing("stage-times", cl::desc("Stage times on stderr"),
                            cl::cat(category));

static void reportTimes(const pruner::StageTimings &times) {
  if (timing)
    errs() << format("translate %.2f ms, optimize %.2f ms, codegen %.2f ms\n",
                     times.translate.wallMs, times.optimize.wallMs,
                     times.codegen.wallMs);
}

static Error writeFile(const std::string &path, StringRef bytes) {
  Error error = pruner::writeOutputFile(path, [&](raw_ostream &os) {
    os << bytes;
    return Error::success();
  });
  return error ? createStringError("'" + path +
                                   "': " + toString(std::move(error)))
               : Error::success();
}

static pruner::CpuOptions cpuOptions() {
  pruner::CpuOptions options;
  options.cpu = cpu;
  options.features = features;
  if (optLevel >= 0)
    options.optLevel = optLevel;
  options.slpVectorize = slp;
  options.loopVectorize = loopVectorize;
  options.preferVectorWidth = vectorWidth;
  return options;
}

static Error makeLibrary(mlir::ModuleOp module) {
  pruner::LibraryOptions options;
  options.output = outputFile;
  options.header = header;
  options.entry = entry;
  options.names = names;
  options.linker = linker;
  options.chip = chip;
  options.cubin = cubin;
  options.cpu = cpuOptions();
  if (optLevel >= 0)
    options.plainLevel = optLevel;
  auto report = pruner::emitLibrary(module, options);
  if (!report)
    return report.takeError();
  if (timing)
    errs() << format("lower %.0f ms, %u kernels %.0f ms, %u other functions "
                     "%.0f ms, link %.0f ms\n",
                     report->lowerMs, report->kernels, report->kernelsMs,
                     report->plainFunctions, report->plainMs, report->linkMs);
  return Error::success();
}

static Expected<std::string> translateForCpu(mlir::ModuleOp module) {
  pruner::CpuOptions options = cpuOptions();
  if (output == Output::LLVMIR)
    return pruner::compileToLLVMIR(module, options);
  if (output == Output::Assembly)
    return pruner::compileToAssembly(module, options);
  auto object = pruner::compileToObject(module, options);
  if (!object)
    return object.takeError();
  reportTimes(object->timings);
  if (output == Output::Object)
    return std::string(object->bytes.begin(), object->bytes.end());
  auto facts = pruner::readObjectFacts(object->bytes);
  if (!facts)
    return facts.takeError();
  std::string text;
  raw_string_ostream(text) << formatv("{0:2}\n", pruner::toJSON(*facts));
  return text;
}

static Expected<std::string> translateForGpu(mlir::ModuleOp module) {
  pruner::PtxOptions options;
  std::string tuned = pruner::deviceChip(module);
  if (!chip.empty())
    options.chip = chip;
  else if (!tuned.empty())
    options.chip = tuned;
  options.ptxVersion = ptxVersion;
  if (optLevel >= 0)
    options.optLevel = optLevel;
  auto ptx = pruner::emitDeviceCode(module, gpuModule, options);
  if (!ptx)
    return ptx.takeError();
  if (!launches.empty()) {
    auto table = pruner::launchTable(module, options.chip);
    if (!table)
      return table.takeError();
    if (Error error = writeFile(launches, formatv("{0:2}\n", *table).str()))
      return error;
  }
  reportTimes(ptx->timings);
  if (output == Output::Ptx)
    return ptx->text;
  pruner::PtxasOptions assembler;
  assembler.chip = options.chip;
  assembler.maxRegisters = maxRegisters;
  auto cubin = pruner::assemblePtx(ptx->text, assembler);
  if (!cubin)
    return cubin.takeError();
  for (const pruner::KernelResources &kernel : cubin->kernels)
    errs() << formatv("{0}: {1} registers, {2} bytes shared, {3} bytes spill "
                      "stores, {4} bytes spill loads, {5} bytes stack\n",
                      kernel.name, kernel.registers, kernel.sharedBytes,
                      kernel.spillStoreBytes, kernel.spillLoadBytes,
                      kernel.stackFrameBytes);
  for (const std::string &warning : cubin->warnings)
    errs() << warning << "\n";
  if (timing)
    errs() << format("ptxas %.2f ms\n", cubin->assemble.wallMs);
  return std::string(cubin->bytes.begin(), cubin->bytes.end());
}

static bool isForGpu() {
  return output == Output::Ptx || output == Output::Cubin;
}

static Error run(mlir::MLIRContext &context) {
  auto input = pruner::openInputFile(inputFile);
  if (!input)
    return input.takeError();
  if (Error excess = pruner::checkModuleText(**input))
    return excess;
  SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*input), SMLoc());
  mlir::SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  if (!module)
    return createStringError(
        output == Output::Library
            ? "the input does not parse as a network"
            : "the input does not parse as a lowered module");
  if (output == Output::Library)
    return makeLibrary(*module);
  auto bytes = isForGpu() ? translateForGpu(*module) : translateForCpu(*module);
  if (!bytes)
    return bytes.takeError();
  return writeFile(outputFile, *bytes);
}

int main(int argc, char **argv) {
  pruner::prepareProgram();
  InitLLVM init(argc, argv);
  pruner::exitAtFatalErrors("pruner-translate");
  cl::HideUnrelatedOptions(category);
  pruner::parseCommandLine(
      argc, argv,
      "Pruner: lowered MLIR to LLVM IR, objects, assembly, PTX and cubins; "
      "networks to libraries\n");
  if (output == Output::Library && outputFile == "-")
    return pruner::failUsage("pruner-translate",
                             "--to=library needs a file for the library (-o)");
  // The library itself checks its header.
  for (const std::string &file : {std::string(outputFile), std::string(header)})
    if (std::string wrong =
            pruner::findOverwrite({{"input", inputFile},
                                   {"output", file},
                                   {"table of launches", launches}});
        !wrong.empty())
      return pruner::failUsage("pruner-translate", wrong);
  mlir::DialectRegistry registry;
  if (!launches.empty() && !isForGpu()) {
    WithColor::error(errs(), "pruner-translate")
        << "--launches expects --to=ptx or --to=cubin\n";
    return 1;
  }
  if (output == Output::Library || isForGpu()) {
    // Register all dialects. Ops that cannot be lowered in a library are then
    // reported, and kernels may be among any host functions.
    mlir::registerAllDialects(registry);
    pruner::registerLibraryDialects(registry);
  } else {
    pruner::registerTargetDialects(registry);
  }
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // The op may be a whole network.
  if (Error error = run(context)) {
    logAllUnhandledErrors(std::move(error), errs(),
                          "pruner-translate: error: ");
    return 1;
  }
  return 0;
}
