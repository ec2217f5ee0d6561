//===- Candidate.cpp - from a task and a schedule to code -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Builder/Candidate.h"

#include "GpuCandidate.h"
#include "OrderReference.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "pruner/Builder/PackedArguments.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Transforms/Passes.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Program/ScheduleText.h"
#include "pruner/Target/ObjectCode.h"
#include "pruner/Target/ObjectFacts.h"

using namespace llvm;
using namespace pruner;

/// The size of the workspace, an attribute of the last argument of an untuned
/// task.
static constexpr StringLiteral kWorkspace = "pruner.workspace";

void pruner::registerBuilderDialects(mlir::DialectRegistry &registry) {
  registerPipelineDialects(registry);
  registerTargetDialects(registry);
  registry.insert<PrunerDialect>();
}

std::vector<std::pair<const char *, StageTime>> BuildTimes::stages() const {
  return {{"clone", clone},
          {"tile", tile},
          {"lower", lower},
          {"translate", code.translate},
          {"optimize", code.optimize},
          {"codegen", code.codegen},
          {"facts", facts},
          {"ptxas", assemble}};
}

json::Object pruner::toJSON(const BuildTimes &times) {
  json::Object object;
  for (const auto &[name, time] : times.stages())
    if (time.wallMs > 0)
      object[name] = time.wallMs;
  return object;
}

namespace {
/// Adds the time of each pass to the times of passes. Does not support
/// pipelines that run on several threads.
class PassTimer : public mlir::PassInstrumentation {
public:
  explicit PassTimer(BuildTimes &times) : times(times) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *) override {
    // The passes that run nested pipelines have no name.
    if (!pass->getArgument().empty())
      timer.emplace(times.pass(pass->getArgument()));
  }
  void runAfterPass(mlir::Pass *, mlir::Operation *) override { timer.reset(); }
  void runAfterPassFailed(mlir::Pass *, mlir::Operation *) override {
    timer.reset();
  }

private:
  BuildTimes &times;
  std::optional<StageTimer> timer;
};
} // namespace

StageTime &BuildTimes::pass(StringRef name) {
  auto found = llvm::find_if(
      passes, [&](const auto &pass) { return pass.first == name; });
  if (found == passes.end())
    found = passes.insert(found, {name.str(), StageTime()});
  return found->second;
}

/// Runs the pipeline that `build` adds, with its diagnostics as the error. The
/// verifier runs once at the end. Between passes it would take a third of their
/// time, and tests and fuzzers run every pipeline here with it.
static Error lower(mlir::ModuleOp module, StringRef what, BuildTimes &times,
                   function_ref<void(mlir::OpPassManager &)> build) {
  mlir::PassManager passes(module.getContext());
  passes.enableVerifier(false);
  passes.addInstrumentation(std::make_unique<PassTimer>(times));
  build(passes);
  return withDiagnostics(*module.getContext(), what, [&] {
    if (mlir::failed(passes.run(module)))
      return mlir::failure();
    StageTimer timer(times.pass("verify"));
    return mlir::verify(module);
  });
}

static CpuOptions cpuOptions(const CodeTarget &target) {
  CpuOptions options;
  if (!target.chip().empty())
    options.cpu = target.chip();
  return options;
}

static Expected<BuiltCandidate> buildForCpu(mlir::ModuleOp module,
                                            StringRef entry,
                                            const CpuOptions &options,
                                            const BuildTimes &times) {
  auto object = compileToObject(module, options);
  if (!object)
    return object.takeError();
  BuiltCandidate built;
  built.format = "object";
  built.artifact.assign(object->bytes.begin(), object->bytes.end());
  built.entry = entry.str();
  built.times = times;
  built.times.code = object->timings;
  built.facts["cpu"] = object->cpu;
  built.facts["object_bytes"] = int64_t(object->bytes.size());
  {
    StageTimer timer(built.times.facts);
    // Facts are optional; other architectures have none.
    if (auto facts = readObjectFacts(object->bytes)) {
      if (const FunctionFacts *function = facts->find(entry))
        built.facts["code"] = toJSON(*function);
    } else {
      consumeError(facts.takeError());
    }
  }
  return built;
}

/// A copy of the task to transform.
static mlir::OwningOpRef<mlir::ModuleOp> clone(const TaskProgram &task,
                                               BuildTimes &times) {
  StageTimer timer(times.clone);
  return task.clone();
}

/// Adds a function that calls the task with its own memory for the workspace,
/// and returns its name. Functions are not inlined into each other, as in a
/// library.
static std::string addWorkspace(mlir::ModuleOp module, StringRef entry) {
  namespace LLVM = mlir::LLVM;
  LLVM::LLVMFuncOp task;
  mlir::IntegerAttr bytes;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    function.setLinkage(LLVM::Linkage::Internal);
    function.setNoInline(true);
    unsigned count = function.getNumArguments();
    if (auto attribute = count == 0
                             ? mlir::IntegerAttr()
                             : function.getArgAttrOfType<mlir::IntegerAttr>(
                                   count - 1, kWorkspace)) {
      task = function;
      bytes = attribute;
      function.removeArgAttr(count - 1, kWorkspace);
    }
  }
  mlir::Location loc = task.getLoc();
  auto builder = mlir::OpBuilder::atBlockEnd(module.getBody());
  // Zero-initialized memory, which takes no space in the file.
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.getInt());
  auto memory = LLVM::GlobalOp::create(
      builder, loc, type, /*isConstant=*/false, LLVM::Linkage::Internal,
      "pruner_workspace", mlir::Attribute(), /*alignment=*/64);
  auto parameters = llvm::to_vector(task.getFunctionType().getParams());
  auto outer = LLVM::LLVMFuncOp::create(
      builder, loc, (entry + "_untuned").str(),
      LLVM::LLVMFunctionType::get(
          LLVM::LLVMVoidType::get(module.getContext()),
          ArrayRef<mlir::Type>(parameters).drop_back()));
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&memory.getInitializerRegion());
    mlir::Value zero = LLVM::ZeroOp::create(builder, loc, type);
    LLVM::ReturnOp::create(builder, loc, zero);
  }
  builder.setInsertionPointToStart(outer.addEntryBlock(builder));
  SmallVector<mlir::Value> arguments(outer.getArguments());
  arguments.push_back(LLVM::AddressOfOp::create(builder, loc, memory));
  LLVM::CallOp::create(builder, loc, task, arguments);
  LLVM::ReturnOp::create(builder, loc, mlir::ValueRange());
  return outer.getName().str();
}

/// Builds plain loops, either with few optimizations or as in a library without
/// schedules.
static Expected<BuiltCandidate> buildPlain(const TaskProgram &task,
                                           StringRef schedule,
                                           const CodeTarget &target) {
  if (target.isGpu())
    return createStringError("schedule '%s' is for a CPU, expected one for "
                             "'%s'",
                             schedule.str().c_str(), target.str().c_str());
  CpuOptions options = cpuOptions(target);
  BuildTimes times;
  auto module = clone(task, times);
  bool isDefault = schedule == kDefaultSchedule;
  {
    StageTimer timer(times.lower);
    if (Error error = lower(*module, "lowering to plain loops", times,
                            isDefault ? buildUntunedPipeline
                                      : buildLinalgToLoopsPipeline))
      return error;
  }
  if (!isDefault)
    return buildForCpu(*module, task.entry(), options, times);
  options.optLevel = 3;
  options.loopVectorize = true;
  return buildForCpu(*module, addWorkspace(*module, task.entry()), options,
                     times);
}

/// Erases everything except the kernels: the task's function and the packing
/// functions, which call kernels. Returns the arguments to pack.
static std::vector<ArgumentPack> takeKernels(mlir::ModuleOp module,
                                             mlir::func::FuncOp function) {
  std::vector<ArgumentPack> packs;
  std::vector<mlir::func::FuncOp> callers{function};
  function.walk([&](mlir::func::CallOp call) {
    auto callee = module.lookupSymbol<mlir::func::FuncOp>(call.getCallee());
    if (!callee || !callee->hasAttr(PrunerDialect::getPackAttrName()))
      return;
    auto argument = cast<mlir::BlockArgument>(call.getOperand(0));
    auto packed = cast<mlir::RankedTensorType>(call.getResult(0).getType());
    packs.push_back({argument.getArgNumber(),
                     (call.getCallee() + "_kernel").str(),
                     packed.getNumElements() *
                         byteWidth(*elementTypeOf(packed.getElementType()))});
    callers.push_back(callee);
  });
  for (mlir::func::FuncOp caller : callers)
    caller.erase();
  return packs;
}

/// Replaces the task in `module` by its kernels under `schedule`, and returns
/// the arguments that are packed for them.
static Expected<std::vector<ArgumentPack>>
tile(const TaskProgram &task, mlir::ModuleOp module, StringRef schedule,
     const CodeTarget &target, BuildTimes &times) {
  StageTimer timer(times.tile);
  mlir::MLIRContext &context = *module.getContext();
  ScheduleAttr attribute;
  if (Error error = withDiagnostics(context, "parsing the schedule", [&] {
        attribute = parseScheduleText(schedule, &context);
        return mlir::success(bool(attribute));
      }))
    return error;
  auto function = module.lookupSymbol<mlir::func::FuncOp>(task.entry());
  function->setAttr("pruner.schedule", attribute);
  TilePassOptions options;
  // The code is for the host, so the rules are those of the host.
  options.target = target.isCpu() ? "cpu" : target.str();
  if (Error error =
          lower(module, "tiling", times, [&](mlir::OpPassManager &passes) {
            passes.addPass(createTilePass(options));
          }))
    return error;
  std::string kernel = task.entry().str() + "_kernel";
  if (!module.lookupSymbol(kernel))
    return createStringError("the schedule produced no kernel");
  // The task only calls the kernel. The kernel alone is measured.
  return takeKernels(module, function);
}

static Expected<BuiltCandidate> buildForGpu(const TaskProgram &task,
                                            StringRef schedule,
                                            const CodeTarget &target,
                                            bool assemble) {
  BuildTimes times;
  auto module = clone(task, times);
  auto packs = tile(task, *module, schedule, target, times);
  if (!packs)
    return packs.takeError();
  auto lowerKernel = [&]() -> Expected<GpuKernel> {
    StageTimer timer(times.lower);
    if (Error error = lower(
            *module, "lowering to the gpu dialect", times,
            [](mlir::OpPassManager &passes) { buildMappingPipeline(passes); }))
      return error;
    auto kernel =
        findGpuKernels(*module, task.inputs().size() + task.outputs().size());
    if (!kernel)
      return kernel.takeError();
    if (Error error = lower(*module, "lowering to NVVM", times,
                            [&](mlir::OpPassManager &passes) {
                              buildCodePipeline(passes, target);
                            }))
      return error;
    return kernel;
  };
  auto kernel = lowerKernel();
  if (!kernel)
    return kernel.takeError();
  auto built = compileGpuKernel(*module, *kernel, target.chip(), assemble);
  if (built) {
    built->times.clone = times.clone;
    built->times.tile = times.tile;
    built->times.lower = times.lower;
    built->times.passes = std::move(times.passes);
  }
  return built;
}

static Expected<BuiltCandidate> buildScheduled(const TaskProgram &task,
                                               StringRef schedule,
                                               const CodeTarget &target,
                                               const BuildOptions &build) {
  if (target.isGpu())
    return buildForGpu(task, schedule, target, build.assemble);
  BuildTimes times;
  auto module = clone(task, times);
  auto packs = tile(task, *module, schedule, target, times);
  if (!packs)
    return packs.takeError();
  {
    StageTimer timer(times.lower);
    if (Error error = lower(*module, "lowering to loops and vectors", times,
                            [&](mlir::OpPassManager &passes) {
                              KernelOptions options;
                              options.threads = build.threads;
                              buildMappingPipeline(passes, options);
                              buildCodePipeline(passes, target, options);
                            }))
      return error;
  }
  auto built = buildForCpu(*module, task.entry().str() + "_kernel",
                           cpuOptions(target), times);
  if (built && !packs->empty())
    built->facts["packs"] = toJSON(*packs);
  return built;
}

Expected<BuiltCandidate> pruner::buildCandidate(const TaskProgram &task,
                                                StringRef schedule,
                                                const CodeTarget &target,
                                                const BuildOptions &options) {
  if (schedule == kPlainSchedule || schedule == kDefaultSchedule)
    return buildPlain(task, schedule, target);
  if (isScheduleText(schedule))
    return buildScheduled(task, schedule, target, options);
  return createStringError("unknown schedule '%s'",
                           schedule.take_front(200).str().c_str());
}

Expected<std::string> pruner::compileReference(mlir::ModuleOp module,
                                               bool brief) {
  orderReference(module);
  BuildTimes times;
  if (Error error = lower(module, "lowering the reference to plain loops",
                          times, buildLinalgToLoopsPipeline))
    return error;
  CpuOptions options;
  options.optLevel = brief ? 1 : 2;
  options.loopVectorize = !brief;
  options.loopUnroll = false;
  auto object = compileToObject(module, options);
  if (!object)
    return object.takeError();
  return std::string(object->bytes.begin(), object->bytes.end());
}
