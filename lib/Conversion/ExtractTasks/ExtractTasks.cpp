//===- ExtractTasks.cpp - the pass that cuts a program into tasks -------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Classify.h"
#include "OutlineTask.h"
#include "RowChains.h"
#include "TaskGroups.h"

#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace pruner;

namespace pruner {
#define GEN_PASS_DEF_EXTRACTTASKS
#include "pruner/Conversion/ExtractTasks/Passes.h.inc"
} // namespace pruner

namespace {
struct ExtractTasks : pruner::impl::ExtractTasksBase<ExtractTasks> {
  using ExtractTasksBase::ExtractTasksBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    obstacles.clear();
    SymbolTable symbols(module);
    TaskOutliner outliner(module, symbols);
    IRRewriter rewriter(&getContext());
    // Outlining adds functions; they are not looked at.
    SmallVector<func::FuncOp> funcs;
    for (auto func : module.getOps<func::FuncOp>())
      if (!func.isExternal() &&
          !func->hasAttr(PrunerDialect::getTaskAttrName()))
        funcs.push_back(func);
    for (func::FuncOp func : funcs) {
      SmallVector<Block *> blocks;
      func.walk([&](Block *block) {
        if (!isa<linalg::LinalgOp>(block->getParentOp()))
          blocks.push_back(block);
      });
      for (Block *block : blocks)
        runOnBlock(rewriter, outliner, *block);
      // Fills, empties and constants that only the tasks read.
      (void)runRegionDCE(rewriter, func->getRegions());
      func.walk([&](Operation *op) { explain(op); });
    }
    outliner.updateWeights();
  }

private:
  void runOnBlock(RewriterBase &rewriter, TaskOutliner &outliner,
                  Block &block) {
    FusedCounts counts;
    fuseElementwiseChains(rewriter, block, counts);
    auto countOf = [&](Operation *op) {
      auto it = counts.find(op);
      return it == counts.end() ? 1 : it->second;
    };
    if (rows)
      for (auto &chain : findRowChains(block, minElements)) {
        TaskGroup group;
        group.chain = std::move(chain);
        if (outliner.obstacle(group))
          continue;
        fuseIntoReductions(rewriter, group.chain);
        ++numTasks;
        ++numRowChains;
        if (outliner.outline(rewriter, group))
          ++numDistinct;
      }
    for (const TaskGroup &group :
         formGroups(rewriter, block, elementwise, minElements)) {
      // Extraction looks at one op after another; only the reader knows whether
      // they make a task.
      if (std::optional<std::string> obstacle = outliner.obstacle(group)) {
        for (Operation *op : group.ops())
          obstacles[op] = *obstacle;
        continue;
      }
      ++numTasks;
      if (group.anchor && group.epilogue)
        numEpilogueOps += countOf(group.epilogue);
      for (const TaskInput &input : group.inputs) {
        if (input.prologue)
          numPrologueOps += countOf(input.prologue);
        numPads += bool(input.pad);
      }
      if (outliner.outline(rewriter, group))
        ++numDistinct;
    }
  }

  /// One remark for each op that works but is not part of a task.
  void explain(Operation *op) {
    OpClass what = classify(op);
    if (what.kind == OpClass::NotComputation)
      return;
    ++numPassedThrough;
    if (auto known = obstacles.find(op); known != obstacles.end()) {
      what.reason = known->second;
    } else if (what.kind != OpClass::Outside) {
      bool tooSmall = what.kind == OpClass::Anchor || elementwise;
      what.reason = tooSmall ? (Twine(numPoints(cast<linalg::LinalgOp>(op))) +
                                " points are fewer than min-elements (" +
                                Twine(minElements) + ")")
                                   .str()
                             : "elementwise tasks are switched off";
    }
    // At the location only: networks have hundreds of these, each a page long
    // if the op itself were printed.
    emitRemark(op->getLoc())
        << "'" << op->getName() << "' stays outside the tasks: " << what.reason;
  }

  /// Why groups were given up, by op.
  llvm::DenseMap<Operation *, std::string> obstacles;
};
} // namespace
