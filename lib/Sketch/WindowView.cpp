//===- WindowView.cpp - windows of an input side by side ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WindowView.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

/// Whether a position outside of a padded input is one outside of a tensor that
/// its copy reads: the input itself, or one that its prologue reads element by
/// element.
static bool readsWhole(const TaskDesc &task, unsigned input) {
  int prologue = task.prologues[input];
  if (prologue < 0)
    return true;
  const StatementDesc &statement = task.statements[prologue];
  return llvm::any_of(statement.inputs, [&](const OperandDesc &read) {
    return read.map.size() == statement.dims.size() &&
           llvm::all_of(read.map, [](const LinearExpr &expr) {
             return bool(expr.singleDim());
           });
  });
}

std::optional<WindowView> pruner::windowView(const TaskDesc &task,
                                             unsigned input, unsigned dim) {
  const StatementDesc &anchor = task.anchorStatement();
  const OperandDesc &operand = anchor.inputs[input];
  if (operand.map.empty() || (operand.padded && !readsWhole(task, input)))
    return std::nullopt;
  const LinearExpr &last = operand.map.back();
  std::optional<unsigned> position;
  for (unsigned d = 0; d < anchor.dims.size(); ++d) {
    if (!last.uses(d) || d == dim)
      continue;
    if (position || anchor.dims[d].reduction || last.coeffs[d] < 0)
      return std::nullopt;
    position = d;
  }
  if (!position || last.coeffs[dim] != 1)
    return std::nullopt;
  unsigned rank = operand.map.size();
  WindowView view;
  view.map.assign(operand.map.begin(), operand.map.end() - 1);
  llvm::ArrayRef<int64_t> shape = task.tensors[operand.tensor].shape;
  view.shape.assign(shape.begin(), shape.end() - 1);
  for (unsigned d : {*position, dim}) {
    LinearExpr &expr = view.map.emplace_back();
    expr.coeffs.assign(anchor.dims.size(), 0);
    expr.coeffs[d] = 1;
    view.shape.push_back(anchor.dims[d].extent);
  }
  view.source = identityMap(rank + 1);
  view.source.pop_back();
  view.source.back().coeffs[rank - 1] = last.coeffs[*position];
  view.source.back().coeffs[rank] = 1;
  view.source.back().constant = last.constant;
  return view;
}

bool pruner::addsFloats(const MatrixInstruction &instruction) {
  return instruction.accumulators != ElementType::I32;
}

bool pruner::copiesWindows(const TaskDesc &task, const InstructionUse &use,
                           unsigned input) {
  const OperandDesc &operand = task.anchorStatement().inputs[input];
  return input == use.aInput && use.reachesBehind &&
         addsFloats(*use.instruction) &&
         llvm::none_of(operand.map, [&](const LinearExpr &expr) {
           return expr.singleDim() == use.sumDim;
         });
}
