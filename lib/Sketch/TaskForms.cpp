//===- TaskForms.cpp - data of a task for all schedules -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Sketch/TaskForms.h"

#include "WindowView.h"

using namespace pruner;

static BufferDesc globalBuffer(const TensorDesc &tensor) {
  BufferDesc buffer;
  buffer.name = tensor.name;
  buffer.type = tensor.type;
  buffer.tensorShape = tensor.shape;
  buffer.shape = tensor.shape;
  buffer.argument = tensor.argument;
  for (unsigned r = 0; r < tensor.shape.size(); ++r)
    buffer.layout.push_back({r, 1, 0});
  return buffer;
}

TaskForms::TaskForms(TaskDesc desc)
    : task(std::move(desc)), outputDims(task.outputDims()),
      lastDim(defaultVectorDimension(task)) {
  const StatementDesc &anchor = task.anchorStatement();
  for (unsigned d = 0; d < task.dims().size(); ++d) {
    DimKind kind = task.kindOf(d);
    (kind == DimKind::Parallel    ? parallels
     : kind == DimKind::Reduction ? reductions
     : kind == DimKind::Terms     ? terms
                                  : columns)
        .push_back(d);
  }
  if (task.rows)
    inPlace = statementInPlace(task);
  for (const TensorDesc &tensor : task.tensors)
    buffers.push_back(globalBuffer(tensor));
  for (auto [i, operand] : llvm::enumerate(anchor.inputs)) {
    Input &input = inputs.emplace_back();
    input.mayPackAhead = task.tensors[operand.tensor].constant;
    int prologue = task.prologues[i];
    input.copied = readsOfPrologue(operand, prologue);
    if (prologue >= 0)
      for (const TileAccess &read : input.copied)
        input.computed.push_back(
            {read.buffer, keep(compose(*read.map, operand.map))});
    if (anchor.product)
      addWindows(i);
    if (operand.zeroOutside)
      addInside(operand);
  }
  if (task.joinsProducts())
    for (const OperandDesc &operand :
         task.statements[task.secondProduct()].inputs)
      if (task.tensors[operand.tensor].argument >= 0)
        packedBySecond = readsOfPrologue(operand, -1);
  if (task.epilogue < 0) {
    finishReads = {{-1, &anchor.output.map}};
    finishWrite = {anchor.output.tensor, &anchor.output.map};
    return;
  }
  // Epilogue dimensions are coordinates of the anchor's output.
  auto composed = [&](const OperandDesc &operand) {
    return keep(compose(operand.map, anchor.output.map));
  };
  const StatementDesc &epilogue = task.statements[task.epilogue];
  for (const OperandDesc &input : epilogue.inputs) {
    if (input.tensor == anchor.output.tensor)
      finishReads.push_back({-1, &anchor.output.map});
    else
      finishReads.push_back({input.tensor, composed(input)});
  }
  finishWrite = {epilogue.output.tensor, composed(epilogue.output)};
}

void TaskForms::addWindows(unsigned input) {
  for (unsigned dim : reductions) {
    std::optional<WindowView> view = windowView(task, input, dim);
    if (!view)
      continue;
    Input::Windows windows = {
        dim, keep(std::move(view->map)), std::move(view->shape), {}};
    for (const TileAccess &read : inputs[input].copied)
      windows.copied.push_back(
          {read.buffer, keep(compose(*read.map, view->source))});
    inputs[input].windows.push_back(std::move(windows));
  }
}

/// Adds the coordinates of `factor` that may be outside of its tensor.
void TaskForms::addInside(const OperandDesc &factor) {
  llvm::ArrayRef<int64_t> shape = task.tensors[factor.tensor].shape;
  for (auto [coord, extent] : llvm::zip_equal(factor.map, shape)) {
    int64_t first = coord.constant, last = coord.constant;
    for (auto [coeff, dim] : llvm::zip_equal(coord.coeffs, task.dims()))
      (coeff < 0 ? first : last) += coeff * (dim.extent - 1);
    if (first >= 0 && last < extent)
      continue;
    if (!inside)
      inside.emplace();
    inside->map.push_back(coord);
    inside->shape.push_back(extent);
  }
}

const AccessMap *TaskForms::keep(AccessMap map) {
  return &maps.emplace_back(std::move(map));
}

TileAccesses TaskForms::readsOfPrologue(const OperandDesc &operand,
                                        int statement) {
  unsigned rank = task.tensors[operand.tensor].shape.size();
  if (statement < 0)
    return {{operand.tensor, keep(identityMap(rank))}};
  // The prologue writes through a permutation: invert it.
  const StatementDesc &prologue = task.statements[statement];
  AccessMap inverse(prologue.dims.size());
  for (unsigned r = 0; r < rank; ++r) {
    unsigned dim = prologue.output.map[r].singleDim().value_or(r);
    inverse[dim] = identityMap(rank)[r];
  }
  TileAccesses reads;
  for (const OperandDesc &read : prologue.inputs)
    reads.push_back({read.tensor, keep(compose(read.map, inverse))});
  return reads;
}
