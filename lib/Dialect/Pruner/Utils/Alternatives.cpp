//===- Alternatives.cpp - forms of parts of a program ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Utils/Alternatives.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace pruner;

SmallVector<SmallVector<Operation *>>
pruner::createForms(RewriterBase &rewriter, ArrayRef<Operation *> ops,
                    ArrayRef<StringRef> names) {
  OpBuilder::InsertionGuard guard(rewriter);
  Operation *last = ops.back();
  rewriter.setInsertionPoint(last);
  auto forms =
      AlternativesOp::create(rewriter, last->getLoc(), last->getResultTypes(),
                             rewriter.getStrArrayAttr(names),
                             /*chosen=*/StringAttr(), names.size());
  rewriter.replaceAllUsesWith(last->getResults(), forms.getResults());
  SmallVector<SmallVector<Operation *>> opsOfForms = {
      SmallVector<Operation *>(ops)};
  for (Region &form : forms.getForms().drop_front()) {
    rewriter.createBlock(&form);
    IRMapping copies;
    SmallVector<Operation *> &copied = opsOfForms.emplace_back();
    for (Operation *op : ops)
      copied.push_back(rewriter.clone(*op, copies));
    ResultsOp::create(rewriter, last->getLoc(), copied.back()->getResults());
  }
  rewriter.createBlock(&forms.getForms().front());
  auto results =
      ResultsOp::create(rewriter, last->getLoc(), last->getResults());
  for (Operation *op : ops)
    rewriter.moveOpBefore(op, results);
  return opsOfForms;
}

/// Moves the ops of form `n` before `op` and erases `op`.
static void inlineForm(AlternativesOp op, unsigned n) {
  Block &form = op.getForms()[n].front();
  auto results = cast<ResultsOp>(form.back());
  op->replaceAllUsesWith(results.getValues());
  results.erase();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         form.getOperations());
  op.erase();
}

/// Erases those of the functions that are private and not used, and then those
/// that only they used.
static void eraseUnused(ModuleOp module,
                        llvm::SetVector<StringAttr> functions) {
  while (!functions.empty()) {
    StringAttr name = functions.pop_back_val();
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function || !function.isPrivate() ||
        !SymbolTable::symbolKnownUseEmpty(name, module))
      continue;
    function.walk([&](func::CallOp call) {
      functions.insert(call.getCalleeAttr().getAttr());
    });
    function.erase();
  }
}

unsigned pruner::chooseAlternatives(ModuleOp module, FormChooser choose) {
  // Outer ops first: the forms that they lose need no choice.
  SmallVector<AlternativesOp> worklist;
  auto collect = [&](Operation *op) {
    op->walk<WalkOrder::PreOrder>([&](AlternativesOp found) {
      worklist.push_back(found);
      return WalkResult::skip();
    });
  };
  collect(module);
  llvm::SetVector<StringAttr> called;
  unsigned replaced = 0;
  while (!worklist.empty()) {
    AlternativesOp op = worklist.pop_back_val();
    unsigned chosen = choose(op);
    op.walk([&](func::CallOp call) {
      called.insert(call.getCalleeAttr().getAttr());
    });
    for (Operation &inner : op.getForms()[chosen].front())
      collect(&inner);
    inlineForm(op, chosen);
    ++replaced;
  }
  if (replaced == 0)
    return 0;
  eraseUnused(module, std::move(called));
  updateTaskWeights(module);
  return replaced;
}

/// Adds the calls of the ops in `region`.
static void countCalls(Region &region, llvm::StringMap<int64_t> &calls) {
  region.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op))
      ++calls[call.getCallee()];
    auto alternatives = dyn_cast<AlternativesOp>(op);
    if (!alternatives)
      return WalkResult::advance();
    llvm::StringMap<int64_t> most;
    for (Region &form : alternatives.getForms()) {
      llvm::StringMap<int64_t> inForm;
      countCalls(form, inForm);
      for (const auto &[name, count] : inForm)
        most[name] = std::max(most[name], count);
    }
    for (const auto &[name, count] : most)
      calls[name] += count;
    return WalkResult::skip();
  });
}

void pruner::updateTaskWeights(ModuleOp module) {
  llvm::StringMap<int64_t> calls;
  countCalls(module.getBodyRegion(), calls);
  Builder builder(module.getContext());
  for (auto func : module.getOps<func::FuncOp>()) {
    auto task =
        func->getAttrOfType<DictionaryAttr>(PrunerDialect::getTaskAttrName());
    if (!task)
      continue;
    NamedAttrList entries(task);
    entries.set("weight",
                builder.getI64IntegerAttr(calls.lookup(func.getName())));
    func->setAttr(PrunerDialect::getTaskAttrName(),
                  entries.getDictionary(module.getContext()));
  }
}
