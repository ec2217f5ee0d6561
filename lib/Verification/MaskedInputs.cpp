//===- MaskedInputs.cpp - rows whose last columns are masked --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MaskedInputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <cmath>

using namespace llvm;
using namespace pruner;

std::vector<bool> pruner::maskArguments(const TaskProgram &task) {
  std::vector<bool> masks(task.inputs().size(), false);
  // Results that depend on a reduction.
  SmallPtrSet<mlir::Value, 16> reduced;
  unsigned reductions = 0;
  task.module().walk([&](mlir::linalg::LinalgOp op) {
    bool depends = op.getNumReductionLoops() > 0;
    reductions += depends;
    for (mlir::Value operand : op->getOperands())
      depends |= reduced.contains(operand);
    if (depends)
      reduced.insert(op->result_begin(), op->result_end());
    if (!depends || op.getNumReductionLoops() > 0)
      return;
    for (mlir::Value operand : op.getDpsInputs())
      if (auto argument = dyn_cast<mlir::BlockArgument>(operand);
          argument &&
          isa<mlir::func::FuncOp>(argument.getOwner()->getParentOp()))
        masks[argument.getArgNumber()] = true;
  });
  // A product, an extremum and another sum.
  if (reductions < 3)
    masks.assign(masks.size(), false);
  return masks;
}

bool pruner::isMaskOfRows(const TensorSpec &spec, const ArgumentBoxes &boxes) {
  return boxes.reduced() &&
         (isFloat(spec.type) || spec.type == ElementType::I1);
}

void pruner::fillMasked(void *data, const TensorSpec &spec,
                        const ArgumentBoxes &boxes, int64_t first,
                        ElementStream &random) {
  SmallVector<int64_t> places;
  const int64_t count = boxes.count();
  for (int64_t box = first; box < count; ++box) {
    boxes.elements(box, places);
    int64_t length = int64_t(places.size());
    // Now and then more or fewer than the boxes around it.
    int64_t end = random.uniform(8) == 0 ? random.between(0, length)
                                         : (box + 1) * length / count;
    for (int64_t n = 0; n < length; ++n)
      if (!isFloat(spec.type))
        writeInteger(data, spec.type, places[n], n < end);
      else if (n >= end)
        writeElement(data, spec.type, places[n], -INFINITY);
  }
}

bool pruner::maskRows(const TaskProgram &task, ArrayRef<ArgumentDomain> domains,
                      ArrayRef<ArgumentBoxes> boxes, const Random &random,
                      std::vector<std::vector<uint8_t>> &inputs) {
  bool any = false;
  std::vector<bool> masks = maskArguments(task);
  for (auto [n, spec] : enumerate(task.inputs())) {
    if (!masks[n] || !isMaskOfRows(spec, boxes[n]) || domains[n].restricted())
      continue;
    ElementStream stream(random.fork(inputs.size() + 1 + n).next());
    fillMasked(inputs[n].data(), spec, boxes[n], boxes[n].count() / 2, stream);
    any = true;
  }
  return any;
}

void pruner::placePositions(const TaskProgram &task,
                            ArrayRef<ArgumentDomain> domains,
                            std::vector<std::vector<uint8_t>> &inputs) {
  std::vector<bool> masks = maskArguments(task);
  for (auto [n, spec] : enumerate(task.inputs())) {
    if (!masks[n] || !isWideInteger(spec) || spec.shape.empty() ||
        domains[n].restricted())
      continue;
    for (int64_t i = 0, e = spec.elements(); i < e; ++i)
      writeInteger(inputs[n].data(), spec.type, i, i % spec.shape.back());
  }
}

void pruner::placeOutliers(void *data, const TensorSpec &spec,
                           ElementStream &random) {
  int64_t count = spec.elements(), first = count / 2;
  if (count == 0)
    return;
  for (double outlier :
       {1e30, double(-INFINITY), double(INFINITY), double(NAN)})
    writeElement(data, spec.type,
                 first + int64_t(random.next() % uint64_t(count - first)),
                 outlier);
}
