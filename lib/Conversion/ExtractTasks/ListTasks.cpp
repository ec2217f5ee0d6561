//===- ListTasks.cpp - print a table of the tasks -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Copies.h"

#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Dialect/Pruner/Utils/Alternatives.h"
#include "pruner/Recognition/AnchorKind.h"
#include "pruner/Recognition/Operands.h"
#include "pruner/Recognition/ScalarOps.h"
#include "pruner/Recognition/TaskInfo.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/Support/Format.h"

#include <map>
#include <set>

using namespace mlir;
using namespace pruner;

namespace pruner {
#define GEN_PASS_DEF_LISTTASKSPASS
#include "pruner/Conversion/ExtractTasks/Passes.h.inc"
} // namespace pruner

static std::string shapeText(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return tensor.getRank() ? pruner::shapeText(tensor.getShape()) : "scalar";
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Formats shapes as "128x512 512x512 512 -> 128x512 f32".
static std::string shapesText(func::FuncOp func) {
  std::string text;
  for (Type type : func.getArgumentTypes())
    text += shapeText(type) + " ";
  text += "->";
  for (Type type : func.getResultTypes()) {
    llvm::raw_string_ostream(text)
        << " " << shapeText(type) << " " << getElementTypeOrSelf(type);
  }
  return text;
}

/// A text that is equal for equal products or convolutions, independent of
/// fused ops: types, maps and body.
static std::string kindText(linalg::LinalgOp op) {
  std::string text = describeAnchor(op).name;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(op->getOperandTypes(), os << ' ');
  llvm::interleaveComma(op.getIndexingMapsArray(), os << ' ');
  for (Operation &inner : *op.getBlock())
    os << ' ' << inner.getName();
  return text;
}

/// Bytes read and written by `op`, which is not a task. Slices only access
/// their part. A gather reads one element per point, but at most the whole
/// tensor.
static int64_t bytesMoved(Operation *op) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return copyOf(slice).bytes;
  if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
    return copyOf(slice).bytes;
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return copyOf(concat).bytes;
  int64_t bytes = 0;
  for (Type type : op->getOperandTypes())
    bytes = addSizes(bytes, bytesOf(type));
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp) { // Otherwise its results are among its operands.
    for (Type type : op->getResultTypes())
      bytes = addSizes(bytes, bytesOf(type));
  } else if (!linalgOp.hasDynamicShape()) {
    for (auto extract : linalgOp.getBlock()->getOps<tensor::ExtractOp>())
      bytes = addSizes(bytes, std::min(mulSizes(numPoints(linalgOp),
                                                bytesOf(RankedTensorType::get(
                                                    {}, extract.getType()))),
                                       bytesOf(extract.getTensor().getType())));
  }
  return bytes;
}

namespace {
struct Row {
  func::FuncOp func;
  TaskInfo task;
  bool isExecuted = true; ///< Not only in forms of parts that are not chosen.
  int64_t total() const { return mulSizes(task.weight, task.flops); }
};

/// Totals of the work in the module and outside of its tasks.
struct Totals {
  /// By op and reason. Ordered, so that the output is deterministic.
  std::map<std::string, unsigned> outside;
  int64_t outsideFlops = 0, outsideBytes = 0;
  int64_t flops = 0, bytes = 0, calls = 0;
  /// Products and convolutions in tasks, without fused ops.
  int64_t heavyTasks = 0, heavyCalls = 0, heavyFlops = 0;
  std::set<std::string> heavyKinds;
};

struct ListTasks : pruner::impl::ListTasksPassBase<ListTasks> {
  void runOnOperation() override {
    std::vector<Row> rows;
    Totals totals;
    OwningOpRef<ModuleOp> executed = getOperation().clone();
    chooseAlternatives(*executed);
    for (auto func : executed->getOps<func::FuncOp>())
      if (!func->hasAttr(PrunerDialect::getPlanAttrName()) &&
          !func->hasAttr(PrunerDialect::getTaskAttrName()))
        func.walk([&](Operation *op) { countOutside(op, totals); });
    SymbolTable symbols(*executed);
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (!func->hasAttr(PrunerDialect::getTaskAttrName()))
        continue;
      TaskInfo task = TaskInfo::of(func);
      auto called = symbols.lookup<func::FuncOp>(func.getName());
      task.weight = called ? TaskInfo::of(called).weight : 0;
      rows.push_back({func, task, bool(called)});
      totals.calls += task.weight;
      totals.flops = addSizes(totals.flops, rows.back().total());
      totals.bytes = addSizes(totals.bytes, mulSizes(task.weight, task.bytes));
      func.walk([&](linalg::LinalgOp op) {
        if (!isAnchor(op) || !describeAnchor(op).isHeavy())
          return;
        ++totals.heavyTasks;
        totals.heavyKinds.insert(kindText(op));
        totals.heavyCalls += task.weight;
        totals.heavyFlops =
            addSizes(totals.heavyFlops, mulSizes(task.weight, numFlops(op)));
      });
    }
    print(rows, totals);
    markAllAnalysesPreserved();
  }

private:
  static void countOutside(Operation *op, Totals &totals) {
    OpClass what = classifyInNetwork(op);
    if (what.kind == OpClass::NotComputation)
      return;
    std::string category = what.why.category;
    if (what.kind == OpClass::Elementwise)
      category = "elementwise";
    if (what.kind == OpClass::Anchor)
      category = describeAnchor(cast<linalg::LinalgOp>(op)).name;
    ++totals
          .outside[op->getName().getStringRef().str() + " (" + category + ")"];
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (linalgOp && !linalgOp.hasDynamicShape())
      totals.outsideFlops = addSizes(totals.outsideFlops, numFlops(linalgOp));
    totals.outsideBytes = addSizes(totals.outsideBytes, bytesMoved(op));
  }

  /// Prints a share such as "99.31% of 8.2 GFLOP".
  static void printShare(raw_ostream &os, int64_t part, int64_t rest,
                         const char *unit, double scale) {
    int64_t all = addSizes(part, rest);
    os << llvm::format("%.2f%% of %.6f ", all ? 100.0 * part / all : 100.0,
                       all * scale)
       << unit;
  }

  static void print(std::vector<Row> &rows, const Totals &totals) {
    llvm::stable_sort(
        rows, [](const Row &a, const Row &b) { return a.total() > b.total(); });
    size_t width = 4;
    for (Row &row : rows)
      width = std::max(width, row.func.getName().size());
    // A single write, so that other output cannot interleave.
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "task" << std::string(width - 4, ' ')
       << "  weight      GFLOP         MB   share  shapes\n";
    for (Row &row : rows)
      os << row.func.getName()
         << std::string(width - row.func.getName().size(), ' ')
         << llvm::format(
                "  %6s %10.6f %10.4f %6.2f%%  ",
                row.isExecuted ? std::to_string(row.task.weight).c_str() : "-",
                row.task.flops * 1e-9, row.task.bytes * 1e-6,
                totals.flops ? 100.0 * row.total() / totals.flops : 0.0)
         << shapesText(row.func) << "\n";
    os << rows.size() << " distinct tasks, " << totals.calls << " calls, "
       << llvm::format("%.6f", totals.flops * 1e-9) << " GFLOP\n";
    os << "products and convolutions: " << totals.heavyKinds.size()
       << " distinct in " << totals.heavyTasks << " tasks, "
       << totals.heavyCalls << " calls, "
       << llvm::format("%.6f", totals.heavyFlops * 1e-9) << " GFLOP\n";
    os << "in tasks: ";
    printShare(os, totals.flops, totals.outsideFlops, "GFLOP", 1e-9);
    os << ", ";
    printShare(os, totals.bytes, totals.outsideBytes, "MB", 1e-6);
    os << "\n";
    for (const auto &[kind, number] : totals.outside)
      os << "outside tasks: " << number << " x " << kind << "\n";
    llvm::errs() << text;
  }
};
} // namespace
