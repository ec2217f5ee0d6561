//===- pruner-emulate.cpp - run a GPU kernel on the CPU -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arguments.h"
#include "CheckTask.h"
#include "RunPtx.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Emulator/Emulator.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Support/CommandLine.h"
#include "pruner/Support/FatalErrors.h"
#include "pruner/Support/InputFile.h"
#include "pruner/Support/NamedFiles.h"
#include "pruner/Support/StandardStreams.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>
#include <random>

using namespace mlir;
using namespace pruner;
namespace cl = llvm::cl;

static cl::OptionCategory category("pruner-emulate options");

static cl::opt<std::string> inputFile(cl::Positional, cl::init("-"),
                                      cl::desc("<file.mlir>"),
                                      cl::cat(category));
static cl::opt<std::string>
    kernelName("kernel", cl::desc("The kernel to run; required without --task"),
               cl::cat(category));
static cl::list<int64_t>
    gridExtent("grid", cl::CommaSeparated,
               cl::desc("Blocks: x,y,z (default: as stated "
                        "by the kernel, or 1)"),
               cl::cat(category));
static cl::list<int64_t>
    blockExtent("block", cl::CommaSeparated,
                cl::desc("Threads of a block: x,y,z (default: as stated by the "
                         "kernel, or 1)"),
                cl::cat(category));
static cl::opt<Fill>
    fillWith("fill", cl::init(Fill::Iota),
             cl::desc("Initial values of memref arguments"),
             cl::values(clEnumValN(Fill::Iota, "iota", "0, 1, 2, ..."),
                        clEnumValN(Fill::RandomInt, "random-int",
                                   "integers from -4 to 4"),
                        clEnumValN(Fill::Ones, "ones", "1"),
                        clEnumValN(Fill::Zeros, "zeros", "0")),
             cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::init(0),
                              cl::desc("Seed of random-int"),
                              cl::cat(category));
static cl::list<double> scalars("scalars", cl::CommaSeparated,
                                cl::desc("Values of the scalar arguments"),
                                cl::cat(category));
static cl::list<unsigned> poisonArguments(
    "poison", cl::CommaSeparated,
    cl::desc("Arguments that are filled with NaN: pure outputs"),
    cl::cat(category));
static cl::list<unsigned> printArguments("print", cl::CommaSeparated,
                                         cl::desc("Arguments to print"),
                                         cl::cat(category));
static cl::opt<bool> checkRaces("check-races", cl::init(true),
                                cl::desc("Check workgroup memory for races"),
                                cl::cat(category));
static cl::opt<bool> checkGlobal("check-global", cl::init(false),
                                 cl::desc("Check global memory for races, too"),
                                 cl::cat(category));
static cl::opt<bool> checkBounds("check-bounds", cl::init(true),
                                 cl::desc("Check indices against shapes"),
                                 cl::cat(category));
static cl::opt<int64_t>
    dynamicShared("dynamic-shared-bytes", cl::init(0),
                  cl::desc("Bytes of gpu.dynamic_shared_memory"),
                  cl::cat(category));
static cl::opt<std::string>
    ptxFile("ptx", cl::value_desc("file"),
            cl::desc("Run the kernel of this PTX file instead of IR"),
            cl::cat(category));
static cl::list<std::string> ptxArguments(
    "arguments", cl::CommaSeparated,
    cl::desc("With --ptx: types of the arguments: f32x64 for an array in "
             "memory, i32 for a value"),
    cl::cat(category));
static cl::opt<std::string>
    countsFile("counts", cl::value_desc("file"),
               cl::desc("With --ptx: write counts of instructions and memory "
                        "requests as JSON; - for stdout"),
               cl::cat(category));
static cl::opt<std::string>
    taskFile("task", cl::value_desc("file.mlir"),
             cl::desc("Compare the kernels of a scheduled task, or those of "
                      "--ptx, with the task on the tuner's inputs"),
             cl::cat(category));
static cl::opt<std::string>
    taskTarget("target", cl::init("nvidia:sm_80"),
               cl::value_desc("nvidia:<name> | file:<path>"),
               cl::desc("With --task: the machine of the code"),
               cl::cat(category));
static cl::opt<int64_t>
    taskLimit("limit", cl::init(100000000),
              cl::desc("With --task: about the most instructions of warps that "
                       "run; a share of the blocks if that is too few"),
              cl::cat(category));
static cl::opt<bool> timeRun("time", cl::desc("Print the time of the run"),
                             cl::cat(category));

static int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return 1;
}

static bool printAll(const std::vector<EmulatedArgument> &arguments) {
  for (unsigned n : printArguments) {
    if (n >= arguments.size()) {
      fail("option '--print': argument " + llvm::Twine(n) +
           " does not exist; the number of arguments is " +
           llvm::Twine(arguments.size()));
      return false;
    }
    arguments[n].print(llvm::outs() << "argument " << n << ":");
    llvm::outs() << "\n";
  }
  return true;
}

static bool makeArguments(gpu::GPUFuncOp kernel,
                          std::vector<EmulatedArgument> &arguments) {
  std::mt19937_64 random(seed);
  unsigned nextScalar = 0;
  for (Type type : kernel.getArgumentTypes()) {
    EmulatedArgument argument;
    auto memref = dyn_cast<MemRefType>(type);
    argument.scalar = !memref;
    argument.element = memref ? memref.getElementType() : type;
    if (!argument.element.isIntOrIndexOrFloat() ||
        argument.elementBytes() > 8 || (memref && !memref.hasStaticShape()))
      return false;
    SmallVector<int64_t> strides;
    int64_t offset = 0;
    if (memref && succeeded(memref.getStridesAndOffset(strides, offset))) {
      argument.count = offset + 1;
      for (auto [size, stride] : llvm::zip_equal(memref.getShape(), strides))
        argument.count += (size - 1) * stride;
    }
    argument.fill(fillWith, random);
    if (argument.scalar)
      argument.set(0, nextScalar < scalars.size() ? scalars[nextScalar++] : 0);
    arguments.push_back(std::move(argument));
  }
  return true;
}

/// Returns the extent of the option, else the one that the kernel states.
static LaunchExtent extentOf(const cl::list<int64_t> &list,
                             std::optional<ArrayRef<int32_t>> known) {
  SmallVector<int64_t> extents(list.begin(), list.end());
  if (extents.empty() && known)
    extents.assign(known->begin(), known->end());
  LaunchExtent extent;
  int64_t *fields[] = {&extent.x, &extent.y, &extent.z};
  for (unsigned n = 0; n != extents.size() && n != 3; ++n)
    *fields[n] = extents[n];
  return extent;
}

static int compareWithTask() {
  if (taskLimit < 1)
    return failUsage("pruner-emulate", "option '--limit' must be at least 1");
  auto line = checkTask(
      {taskFile, taskTarget, ptxFile, taskLimit, int64_t(seed.getValue())});
  if (!line)
    return fail(llvm::toString(line.takeError()));
  llvm::errs() << *line << "\n";
  return 0;
}

static int runPtxFile() {
  PtxRun run;
  run.file = ptxFile;
  run.kernel = kernelName;
  run.counts = countsFile;
  run.options.dynamicSharedBytes = dynamicShared;
  run.options.checkGlobalRaces = checkGlobal;
  std::optional<LaunchExtent> block;
  if (!blockExtent.empty())
    block = extentOf(blockExtent, std::nullopt);
  LaunchExtent grid = extentOf(gridExtent, std::nullopt);
  run.options.grid = {unsigned(grid.x), unsigned(grid.y), unsigned(grid.z)};
  if (block)
    run.block = {unsigned(block->x), unsigned(block->y), unsigned(block->z)};
  MLIRContext context;
  std::mt19937_64 random(seed);
  unsigned nextScalar = 0;
  std::vector<EmulatedArgument> arguments;
  for (StringRef text : ptxArguments) {
    EmulatedArgument argument;
    if (!parseArgument(text, context, argument))
      return fail("option '--arguments': expected a type such as f32x64 or "
                  "i32 but got '" +
                  text + "'");
    argument.fill(fillWith, random);
    if (argument.scalar)
      argument.set(0, nextScalar < scalars.size() ? scalars[nextScalar++] : 0);
    arguments.push_back(std::move(argument));
  }
  run.poisoned.assign(poisonArguments.begin(), poisonArguments.end());
  auto begin = std::chrono::steady_clock::now();
  if (llvm::Error error = runPtx(run, arguments))
    return fail(llvm::toString(std::move(error)));
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  if (!printAll(arguments))
    return 1;
  if (timeRun)
    llvm::errs() << llvm::format("run: %.6f s\n", seconds.count());
  return 0;
}

int main(int argc, char **argv) {
  pruner::prepareProgram();
  exitAtFatalErrors("pruner-emulate");
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  parseCommandLine(
      argc, argv,
      "Run a GPU kernel on the CPU and check it for races. The kernel is a\n"
      "gpu.func, or with --ptx an entry of a PTX file. With --task all "
      "kernels\n"
      "of a scheduled task run, and their results are compared with the "
      "task.\n");
  std::string wrong = findOverwrite({{"input", inputFile},
                                     {"PTX", ptxFile},
                                     {"task", taskFile},
                                     {"file of counts", countsFile}});
  if (!wrong.empty())
    return failUsage("pruner-emulate", wrong);
  if (!taskFile.empty())
    return compareWithTask();
  if (kernelName.empty())
    return failUsage("pruner-emulate",
                     "expected the option --kernel or --task");
  if (!ptxFile.empty())
    return runPtxFile();

  DialectRegistry registry;
  // The output of `convert-pruner-to-gpu` also has the functions that launch
  // kernels, and schedule attributes.
  registerPipelineDialects(registry);
  registry.insert<PrunerDialect>();
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto input = openInputFile(inputFile);
  if (!input)
    return fail(llvm::toString(input.takeError()));
  sources.AddNewSourceBuffer(std::move(*input), llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return 1;
  gpu::GPUFuncOp kernel;
  module->walk([&](gpu::GPUFuncOp function) {
    if (!kernel && function.getName() == kernelName)
      kernel = function;
  });
  if (!kernel)
    return fail("no kernel named '" + kernelName + "' in " + inputFile);
  std::vector<EmulatedArgument> arguments;
  if (!makeArguments(kernel, arguments))
    return fail("arguments must be scalars and memrefs of static shape of at "
                "most 64 bits per element");

  LaunchExtent grid = extentOf(gridExtent, kernel.getKnownGridSize());
  LaunchExtent block = extentOf(blockExtent, kernel.getKnownBlockSize());

  EmulatorOptions options;
  options.checkRaces = checkRaces;
  options.checkGlobalRaces = checkGlobal;
  options.checkBounds = checkBounds;
  options.dynamicSharedBytes = dynamicShared;
  options.poisonedArguments.append(poisonArguments.begin(),
                                   poisonArguments.end());
  auto compiled = EmulatedKernel::compile(*module, kernelName, options);
  if (!compiled)
    return fail(llvm::toString(compiled.takeError()));
  SmallVector<void *> pointers;
  for (EmulatedArgument &argument : arguments)
    pointers.push_back(argument.bytes.get());
  auto begin = std::chrono::steady_clock::now();
  auto report = (*compiled)->run(grid, block, pointers);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  if (!report)
    return fail(llvm::toString(report.takeError()));

  if (!printAll(arguments))
    return 1;
  llvm::errs() << "blocks " << report->blocks << ", threads " << report->threads
               << ", barriers " << report->barriers << ", shuffles "
               << report->shuffles << ", async copies " << report->asyncCopies
               << ", checked accesses: shared " << report->sharedAccesses
               << ", global " << report->globalAccesses << "\n";
  if (timeRun)
    llvm::errs() << llvm::format("run: %.6f s\n", seconds.count());
  return 0;
}
