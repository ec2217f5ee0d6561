//===- ExtractTasks.cpp - outline the tasks of a program ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Copies.h"
#include "OutlineTask.h"
#include "RowChains.h"
#include "TaskGroups.h"

#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Dialect/Pruner/Utils/Alternatives.h"
#include "pruner/Recognition/ScalarOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pruner;

namespace pruner {
#define GEN_PASS_DEF_EXTRACTTASKSPASS
#include "pruner/Conversion/ExtractTasks/Passes.h.inc"
} // namespace pruner

namespace {
struct ExtractTasks : pruner::impl::ExtractTasksPassBase<ExtractTasks> {
  using ExtractTasksPassBase::ExtractTasksPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    obstacles.clear();
    SymbolTable symbols(module);
    TaskOutliner outliner(module, symbols);
    IRRewriter rewriter(&getContext());
    // Outlining adds functions, which are not visited. Neither are dynamic
    // functions that have been replaced by static ones.
    SmallVector<func::FuncOp> funcs;
    for (auto func : module.getOps<func::FuncOp>())
      if (!func.isExternal() &&
          !func->hasAttr(PrunerDialect::getTaskAttrName()) &&
          !func->hasAttr(PrunerDialect::getPlanAttrName()))
        funcs.push_back(func);
    for (func::FuncOp func : funcs) {
      SmallVector<Block *> blocks;
      func.walk([&](Block *block) {
        if (!isa<linalg::LinalgOp>(block->getParentOp()))
          blocks.push_back(block);
      });
      for (Block *block : blocks)
        runOnBlock(rewriter, outliner, *block);
      // Fills, empty tensors and constants that only the tasks read.
      (void)runRegionDCE(rewriter, func->getRegions());
      func.walk([&](Operation *op) { explain(op); });
    }
    updateTaskWeights(module);
  }

private:
  void runOnBlock(RewriterBase &rewriter, TaskOutliner &outliner,
                  Block &block) {
    FusedCounts counts;
    fuseElementwiseChains(rewriter, block, counts);
    SmallVector<GroupOps> chains;
    if (rows)
      chains = formChains(rewriter, block);
    llvm::SmallPtrSet<Operation *, 16> chained;
    for (const GroupOps &chain : chains)
      chained.insert(chain.begin(), chain.end());
    SmallVector<GroupOps> groups =
        formGroups(rewriter, block, chained, elementwise, minElements);
    std::vector<JoinedGroups> joined;
    if (joinProducts != JoinProducts::Never)
      joined = findJoinedProducts(
          chains, groups, [&](const JoinedGroups &all) { return joins(all); });
    for (const GroupOps &ops : chains)
      outline(rewriter, outliner, ops, counts);
    for (const JoinedGroups &group : joined)
      if (joinProducts != JoinProducts::Always)
        outlineForms(rewriter, outliner, group, counts);
      else
        outline(rewriter, outliner, group.ops, counts);
    for (const GroupOps &ops : groups)
      outline(rewriter, outliner, ops, counts);
  }

  /// Makes `pruner.alternatives` with the tasks of the parts and the joined
  /// task.
  void outlineForms(RewriterBase &rewriter, TaskOutliner &outliner,
                    const JoinedGroups &joined, FusedCounts &counts) {
    SmallVector<SmallVector<Operation *>> ops =
        createForms(rewriter, joined.ops.getArrayRef(), {"separate", "joined"});
    GroupOps copied;
    for (auto [op, copy] : llvm::zip_equal(ops[0], ops[1])) {
      copied.insert(copy);
      counts[copy] = counts.lookup(op);
    }
    for (const GroupOps &part : joined.parts)
      outline(rewriter, outliner, part, counts);
    outline(rewriter, outliner, copied, counts);
  }

  /// Chains over rows that are tasks.
  SmallVector<GroupOps> formChains(RewriterBase &rewriter, Block &block) {
    SmallVector<GroupOps> chains;
    Obstacle why;
    for (auto &chain : findRowChains(block, minElements)) {
      auto groupOf = [&] {
        GroupOps ops;
        ops.insert(chain.begin(), chain.end());
        return ops;
      };
      // Ops that are not a chain may still be part of other tasks.
      if (failed(recognizeTask(TaskGroup(groupOf().getArrayRef()), why)))
        continue;
      fuseIntoReductions(rewriter, chain);
      if (succeeded(recognizeTask(TaskGroup(groupOf().getArrayRef()), why)))
        chains.push_back(groupOf());
    }
    return chains;
  }

  /// Whether the groups can be one task. Measurements of small results between
  /// the products, which stay in the fastest cache, are not worth their time.
  /// With `large`, only scores of attention count that leave the second-level
  /// cache.
  bool joins(const JoinedGroups &all) const {
    Obstacle why;
    FailureOr<TaskIR> task =
        recognizeTask(TaskGroup(all.ops.getArrayRef()), why);
    if (failed(task) || !task->desc.joinsProducts())
      return false;
    auto between =
        cast<ShapedType>(all.parts.front().back()->getResult(0).getType());
    if (joinProducts == JoinProducts::Always)
      return true;
    if (joinProducts == JoinProducts::Measure)
      return between.getNumElements() >= minElements;
    bool hasRows = all.parts.size() == 3;
    return hasRows &&
           llvm::SaturatingMultiply<uint64_t>(
               between.getNumElements(), between.getElementTypeBitWidth()) /
                   8 >
               uint64_t(std::max<int64_t>(cacheBytes, 0));
  }

  void outline(RewriterBase &rewriter, TaskOutliner &outliner,
               const GroupOps &ops, const FusedCounts &counts) {
    TaskGroup group(ops.getArrayRef());
    Obstacle why;
    FailureOr<TaskIR> task = recognizeTask(group, why);
    if (succeeded(task))
      outline(rewriter, outliner, group, *task, counts);
    else
      for (Operation *op : ops)
        obstacles[op] = why;
  }

  void outline(RewriterBase &rewriter, TaskOutliner &outliner,
               const TaskGroup &group, const TaskIR &task,
               const FusedCounts &counts) {
    auto countOf = [&](int n) {
      return n < 0 ? 0 : 1 + counts.lookup(linalg::LinalgOp(task.ops[n]));
    };
    ++numTasks;
    numJoined += task.desc.joinsProducts();
    numRowChains += task.desc.rows && !task.desc.joinsProducts();
    numEpilogueOps += countOf(task.desc.epilogue);
    for (int prologue : task.desc.prologues)
      numPrologueOps += countOf(prologue);
    numPads += llvm::count_if(task.padValues, [](auto pad) { return !!pad; });
    numDistinct += outliner.outline(rewriter, group, task);
  }

  /// Emits one remark for each op with work that is not part of a task.
  void explain(Operation *op) {
    OpClass what = classifyInNetwork(op);
    if (what.kind == OpClass::NotComputation)
      return;
    ++numPassedThrough;
    std::string reason = what.why.reason;
    if (auto known = obstacles.find(op); known != obstacles.end())
      reason = known->second.reason;
    else if (what.kind == OpClass::Elementwise && !elementwise)
      reason = "elementwise tasks are disabled";
    else if (what.kind == OpClass::Elementwise &&
             isComputedAhead(cast<linalg::LinalgOp>(op)))
      reason = "the op converts a constant, which is done ahead of time";
    else if (what.kind != OpClass::Outside &&
             isConstantTensor(op->getResult(0)))
      reason = "the op depends on constants alone and is computed once";
    else if (what.kind != OpClass::Outside)
      reason = ("the op has " + Twine(numPoints(cast<linalg::LinalgOp>(op))) +
                " points, fewer than min-elements (" + Twine(minElements) + ")")
                   .str();
    auto function = op->getParentOfType<FunctionOpInterface>();
    remark::missed(op->getLoc(),
                   remark::RemarkOpts::name("OutsideTasks")
                       .category("pruner-extract-tasks")
                       .function(function ? function.getName() : ""))
        << remark::detail::Remark::Arg("Operation",
                                       op->getName().getStringRef())
        << " stays outside the tasks: "
        << remark::detail::Remark::Arg("Reason", reason);
    // Emits at the location only. Networks have hundreds of these ops, and
    // printing an op may take a page.
    emitRemark(op->getLoc())
        << "'" << op->getName() << "' stays outside the tasks: " << reason;
  }

  /// The reason why a group was rejected, by op.
  llvm::DenseMap<Operation *, Obstacle> obstacles;
};
} // namespace
