//===- ListTasks.cpp - a table of the tasks -----------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Classify.h"

#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/Support/Format.h"

#include <map>

using namespace mlir;
using namespace pruner;

namespace pruner {
#define GEN_PASS_DEF_LISTTASKS
#include "pruner/Conversion/ExtractTasks/Passes.h.inc"
} // namespace pruner

static std::string shapeText(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!tensor)
    os << type;
  else if (tensor.getRank() == 0)
    os << "scalar";
  else
    llvm::interleave(tensor.getShape(), os, "x");
  return text;
}

/// "128x512 512x512 512 -> 128x512 f32"
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

namespace {
struct Row {
  func::FuncOp func;
  int64_t weight, flops, bytes;
  int64_t total() const { return weight * flops; }
};

struct ListTasks : pruner::impl::ListTasksBase<ListTasks> {
  void runOnOperation() override {
    std::vector<Row> rows;
    // Ordered, so that the same module prints the same table.
    std::map<std::string, unsigned> outside;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      auto task =
          func->getAttrOfType<DictionaryAttr>(PrunerDialect::getTaskAttrName());
      if (!task) {
        func.walk([&](Operation *op) { count(op, outside); });
        continue;
      }
      auto number = [&](StringRef name) {
        auto attr = task.getAs<IntegerAttr>(name);
        return attr ? attr.getInt() : 0;
      };
      rows.push_back(
          {func, number("weight"), number("flops"), number("bytes")});
    }
    print(rows, outside);
    markAllAnalysesPreserved();
  }

private:
  static void count(Operation *op, std::map<std::string, unsigned> &outside) {
    OpClass what = classify(op);
    if (what.kind == OpClass::NotComputation)
      return;
    if (what.kind != OpClass::Outside)
      what.category =
          what.kind == OpClass::Elementwise ? "elementwise" : "contraction";
    ++outside[op->getName().getStringRef().str() + " (" + what.category + ")"];
  }

  static void print(std::vector<Row> &rows,
                    const std::map<std::string, unsigned> &outside) {
    std::stable_sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) {
      return a.total() > b.total();
    });
    int64_t all = 0, calls = 0;
    size_t width = 4;
    for (Row &row : rows) {
      all += row.total();
      calls += row.weight;
      width = std::max(width, row.func.getName().size());
    }
    // One write, so that nothing gets between the lines.
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "task" << std::string(width - 4, ' ')
       << "  weight      GFLOP         MB   share  shapes\n";
    for (Row &row : rows)
      os << row.func.getName()
         << std::string(width - row.func.getName().size(), ' ')
         << llvm::format("  %6lld %10.6f %10.4f %6.2f%%  ",
                         (long long)row.weight, row.flops * 1e-9,
                         row.bytes * 1e-6,
                         all ? 100.0 * row.total() / all : 0.0)
         << shapesText(row.func) << "\n";
    os << rows.size() << " distinct tasks, " << calls << " calls, "
       << llvm::format("%.6f", all * 1e-9) << " GFLOP\n";
    for (const auto &[kind, number] : outside)
      os << "outside tasks: " << number << " x " << kind << "\n";
    llvm::errs() << text;
  }
};
} // namespace
