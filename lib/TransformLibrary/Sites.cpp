//===- Sites.cpp - the ops of a module that become tasks ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sites.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Recognition/TaskFromIR.h"
#include "pruner/Recognition/TaskInfo.h"
#include "pruner/Support/InputFile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace pruner;

linalg::LinalgOp Site::root() const {
  return chain.empty() ? anchor : cast<linalg::LinalgOp>(*chain.back().op);
}

static bool isTask(func::FuncOp function) {
  return function->hasAttr(PrunerDialect::getTaskAttrName()) &&
         !function.isExternal();
}

static double points(linalg::LinalgOp op) {
  double product = 1;
  for (int64_t extent : op.getStaticLoopRanges())
    product *= double(extent);
  return product;
}

//===----------------------------------------------------------------------===//
// From tasks to their original ops
//===----------------------------------------------------------------------===//

/// Extracts the tasks of a copy of the module. Locations, which every pass
/// preserves, map its ops to the ops of the module.
static OwningOpRef<ModuleOp> extractFromCopy(ModuleOp module) {
  IRMapping mapping;
  OwningOpRef<ModuleOp> copy(
      cast<ModuleOp>(module->clone(mapping, Operation::CloneOptions::all())));
  module.walk([&](linalg::LinalgOp op) {
    mapping.lookup(op.getOperation())
        ->setLoc(OpaqueLoc::get<Operation *>(op, op.getLoc()));
  });
  // Ops outside of tasks were reported when the tasks were tuned.
  ScopedDiagnosticHandler quiet(
      module.getContext(), [](Diagnostic &diagnostic) {
        return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
      });
  PassManager passes(module.getContext());
  buildNormalizePipeline(passes);
  passes.addPass(createExtractTasksPass());
  if (failed(passes.run(*copy)))
    return nullptr;
  return copy;
}

static SmallVector<linalg::LinalgOp> originsOf(Location location) {
  SmallVector<linalg::LinalgOp> origins;
  location->walk([&](Location part) {
    if (auto opaque = dyn_cast<OpaqueLoc>(part))
      if (auto *op = OpaqueLoc::getUnderlyingLocationOrNull<Operation *>(part))
        origins.push_back(cast<linalg::LinalgOp>(op));
    return WalkResult::advance();
  });
  return origins;
}

/// The op, among the original ops of a call, that does the anchor's work: it
/// has as many points, and a reduction if the anchor has one.
static linalg::LinalgOp findAnchor(ArrayRef<linalg::LinalgOp> origins,
                                   const TaskDesc &task) {
  linalg::LinalgOp found;
  for (linalg::LinalgOp op : origins)
    if (op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
        (op.getNumReductionLoops() > 0) == task.hasReduction() &&
        points(op) == task.anchorStatement().points() &&
        (!found || found->isBeforeInBlock(op)))
      found = op;
  return found;
}

//===----------------------------------------------------------------------===//
// Ops that can be fused
//===----------------------------------------------------------------------===//

static bool isIdentity(linalg::LinalgOp op, OpOperand &operand) {
  return op.getMatchingIndexingMap(&operand).isIdentity();
}

bool pruner::hasWholeBytes(linalg::LinalgOp op) {
  return llvm::all_of(op->getOperands(), [](Value operand) {
    Type type = getElementTypeOrSelf(operand.getType());
    return type.isIntOrFloat() && type.getIntOrFloatBitWidth() % 8 == 0;
  });
}

/// True if the linalg vectorizer supports the op: no gather, no index, no call.
static bool isPointwise(linalg::LinalgOp op) {
  return hasWholeBytes(op) && op.getNumParallelLoops() == op.getNumLoops() &&
         op->getNumResults() == 1 && op.hasPureTensorSemantics() &&
         linalg::isElementwise(op) &&
         isIdentity(op, *op.getDpsInitOperand(0)) && !op.hasIndexSemantics();
}

/// True for an op that only broadcasts its input along more dimensions.
static bool isSpread(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  return op && value.hasOneUse() && op.getNumDpsInputs() == 1 &&
         isPointwise(op) && llvm::hasSingleElement(*op.getBlock());
}

static std::optional<Link> nextLink(linalg::LinalgOp op) {
  Value result = op->getResult(0);
  if (!result.hasOneUse())
    return std::nullopt;
  OpOperand &use = *result.use_begin();
  auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!reader || reader->getBlock() != op->getBlock())
    return std::nullopt;
  auto linalgOp = cast<linalg::LinalgOp>(*reader);
  if (!isPointwise(linalgOp) || !linalgOp.isDpsInput(&use) ||
      !isIdentity(linalgOp, use))
    return std::nullopt;
  Link link = {reader, use.getOperandNumber(), {}};
  for (OpOperand *input : linalgOp.getDpsInputOperands())
    if (isSpread(input->get()))
      link.spread.push_back(input->getOperandNumber());
  return link;
}

/// If two anchors could take an op, the later one does.
static void addChain(Site &site, DenseSet<Operation *> &taken) {
  linalg::LinalgOp op = site.anchor;
  taken.insert(op);
  while (std::optional<Link> link = nextLink(op)) {
    if (!taken.insert(link->op).second)
      break;
    op = cast<linalg::LinalgOp>(*link->op);
    site.chain.push_back(std::move(*link));
  }
}

static void findTransposed(Site &site) {
  for (OpOperand *input : site.anchor.getDpsInputOperands())
    if (input->get().getDefiningOp<linalg::TransposeOp>() &&
        input->get().hasOneUse())
      site.transposed.push_back(input->getOperandNumber());
}

//===----------------------------------------------------------------------===//
// All sites
//===----------------------------------------------------------------------===//

/// The schedules of `scheduled` by the keys of their tasks.
static llvm::StringMap<ScheduleAttr> schedulesOf(ModuleOp scheduled) {
  llvm::StringMap<ScheduleAttr> schedules;
  for (auto function : scheduled.getOps<func::FuncOp>())
    if (isTask(function))
      if (auto schedule = function->getAttrOfType<ScheduleAttr>(
              PrunerDialect::getScheduleAttrName()))
        schedules[taskKey(function)] = schedule;
  return schedules;
}

/// Why no program can be made of a schedule, on whatever machine; empty if one
/// can. A person may have written it.
static std::string misfit(const TaskDesc &task, const Schedule &schedule) {
  if (MaybeViolation broken = checkScheduleShape(task, schedule))
    return broken->message;
  // The rules of machines are narrower; these numbers are multiplied.
  constexpr int64_t most = 1024;
  if (schedule.vector < 1 || schedule.vector > most ||
      !llvm::isPowerOf2_64(uint64_t(schedule.vector)))
    return "R8: vectors of " + std::to_string(schedule.vector) +
           " elements; expected a power of two up to " + std::to_string(most);
  if (schedule.unroll < 0 || schedule.unroll > most)
    return "R9: unroll " + std::to_string(schedule.unroll) +
           "; expected 0 to " + std::to_string(most);
  return {};
}

static FailureOr<Sites> findSites(ModuleOp module, ModuleOp scheduled) {
  llvm::StringMap<ScheduleAttr> schedules = schedulesOf(scheduled);
  OwningOpRef<ModuleOp> copy = extractFromCopy(module);
  if (!copy)
    return failure();
  Sites found;
  DenseMap<Operation *, const ScheduledTask *> tasks;
  for (auto function : copy->getOps<func::FuncOp>()) {
    if (!isTask(function))
      continue;
    auto schedule = schedules.find(taskKey(function));
    if (schedule == schedules.end()) {
      emitRemark(module.getLoc())
          << "the task '" << function.getName() << "' has no schedule";
      continue;
    }
    FailureOr<TaskIR> ir = readTask(function);
    if (failed(ir))
      return failure();
    StringRef name = function.getName();
    if (std::string why = misfit(ir->desc, schedule->second.getValue());
        !why.empty())
      return emitError(module.getLoc())
             << "the schedule of '" << name << "' does not fit: " << why;
    name.consume_front("task_");
    found.tasks.push_back(std::make_unique<ScheduledTask>(ScheduledTask{
        name.str(), std::move(ir->desc), schedule->second.getValue()}));
    tasks[function] = found.tasks.back().get();
  }
  SymbolTable symbols(*copy);
  copy->walk([&](func::CallOp call) {
    auto function = symbols.lookup<func::FuncOp>(call.getCallee());
    const ScheduledTask *task = tasks.lookup(function);
    if (!task)
      return;
    linalg::LinalgOp anchor = findAnchor(originsOf(call.getLoc()), task->desc);
    if (!anchor) {
      emitRemark(call.getLoc())
          << "the task '" << function.getName()
          << "' is not exported: no single op of the module does its work";
      return;
    }
    Site site;
    site.anchor = anchor;
    site.task = task;
    findTransposed(site);
    found.sites.push_back(std::move(site));
  });
  DenseSet<Operation *> taken;
  for (Site &site : llvm::reverse(found.sites))
    addChain(site, taken);
  return found;
}

FailureOr<Sites>
pruner::findSites(ModuleOp module, const std::string &schedules,
                  llvm::function_ref<LogicalResult(const Twine &)> fail) {
  if (schedules.empty())
    return fail("option 'schedules': expected a file");
  auto buffer = readInputFile(schedules, kMaxSchedulesBytes);
  if (!buffer)
    return fail("option 'schedules': '" + schedules +
                "': " + llvm::toString(buffer.takeError()));
  OwningOpRef<ModuleOp> scheduled =
      parseModuleText((*buffer)->getBuffer(), module.getContext(), schedules);
  if (!scheduled)
    return failure();
  return ::findSites(module, *scheduled);
}

void SiteRemarks::emit(const Site &site, const Twine &text) {
  if (emitted.insert(text.str()).second)
    emitRemark(linalg::LinalgOp(site.anchor).getLoc()) << text;
}
