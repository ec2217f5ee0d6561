//===- Task.cpp - one tuning task as plain data ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Program/Task.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <tuple>

using namespace pruner;

int64_t pruner::byteWidth(ElementType type) {
  switch (type) {
  case ElementType::F64:
  case ElementType::I64:
    return 8;
  case ElementType::F32:
  case ElementType::I32:
    return 4;
  case ElementType::F16:
  case ElementType::BF16:
  case ElementType::I16:
    return 2;
  case ElementType::I8:
  case ElementType::I1:
    return 1;
  }
  return 1;
}

std::optional<unsigned> LinearExpr::singleDim() const {
  if (constant != 0)
    return std::nullopt;
  std::optional<unsigned> found;
  for (unsigned d = 0; d < coeffs.size(); ++d) {
    if (coeffs[d] == 0)
      continue;
    if (found || coeffs[d] != 1)
      return std::nullopt;
    found = d;
  }
  return found;
}

AccessMap pruner::identityMap(unsigned rank) {
  AccessMap map(rank);
  for (unsigned r = 0; r < rank; ++r) {
    map[r].coeffs.assign(rank, 0);
    map[r].coeffs[r] = 1;
  }
  return map;
}

AccessMap pruner::compose(const AccessMap &map, const AccessMap &by) {
  unsigned newDims = by.empty() ? 0 : by.front().coeffs.size();
  AccessMap result;
  for (const LinearExpr &expr : map) {
    LinearExpr out;
    out.constant = expr.constant;
    out.coeffs.assign(newDims, 0);
    for (unsigned d = 0; d < expr.coeffs.size(); ++d) {
      if (expr.coeffs[d] == 0)
        continue;
      out.constant += expr.coeffs[d] * by[d].constant;
      for (unsigned n = 0; n < newDims; ++n)
        out.coeffs[n] += expr.coeffs[d] * by[d].coeffs[n];
    }
    result.push_back(std::move(out));
  }
  return result;
}

static auto tied(const OpCounts &c) {
  return std::tie(c.floatAddSub, c.floatMul, c.floatDivMod, c.floatCmp,
                  c.floatMath, c.floatOther, c.intAddSub, c.intMul, c.intDivMod,
                  c.intCmp, c.intMath, c.intOther, c.boolOps, c.select);
}

bool OpCounts::operator==(const OpCounts &other) const {
  return tied(*this) == tied(other);
}

int64_t TensorDesc::elements() const {
  return llvm::product_of(shape, int64_t(1));
}

bool TaskDesc::hasPrologue() const {
  return llvm::any_of(prologues, [](int statement) { return statement >= 0; });
}

bool StatementDesc::hasReduction() const {
  return llvm::any_of(dims, [](const IterDim &dim) { return dim.reduction; });
}

double StatementDesc::points() const {
  double product = 1;
  for (const IterDim &dim : dims)
    product *= double(dim.extent);
  return product;
}

bool TaskDesc::hasReduction() const { return anchorStatement().hasReduction(); }

int TaskDesc::secondProduct() const {
  if (!joinsProducts())
    return -1;
  int last = int(statements.size()) - 1;
  while (last > anchor && !statements[last].hasReduction())
    --last;
  return last;
}

llvm::SmallVector<unsigned, 6> TaskDesc::outputDims() const {
  llvm::SmallVector<unsigned, 6> dims;
  for (const LinearExpr &expr : anchorStatement().output.map)
    if (std::optional<unsigned> dim = expr.singleDim())
      dims.push_back(*dim);
  return dims;
}

bool TaskDesc::canPackAhead(unsigned input) const {
  const OperandDesc &operand = anchorStatement().inputs[input];
  if (!tensors[operand.tensor].constant || operand.padded ||
      (rows && !joinsProducts()) || initTensor == operand.tensor)
    return false;
  for (const LinearExpr &expr : operand.map)
    if (!expr.singleDim())
      return false;
  unsigned readers = 0;
  for (const StatementDesc &statement : statements)
    for (const OperandDesc &read : statement.inputs)
      readers += read.tensor == operand.tensor;
  return readers == 1;
}

double TaskDesc::flops() const {
  double total = 0;
  for (const StatementDesc &statement : statements)
    total += statement.points() * double(statement.ops.arithmetic());
  return total;
}

/// Elements of the smallest box around what `operand` reads or writes.
static double boxOf(const OperandDesc &operand, llvm::ArrayRef<IterDim> dims) {
  double elements = 1;
  for (const LinearExpr &coordinate : operand.map) {
    double distance = 0;
    for (auto [coeff, dim] : llvm::zip_equal(coordinate.coeffs, dims))
      distance += std::abs(double(coeff)) * double(dim.extent - 1);
    elements *= distance + 1;
  }
  return elements;
}

double TaskDesc::bytes() const {
  // Per tensor the elements in use, and the maps that were counted.
  std::vector<double> elements(tensors.size(), 0);
  std::vector<llvm::SmallVector<const AccessMap *, 4>> counted(tensors.size());
  auto use = [&](const OperandDesc &operand, llvm::ArrayRef<IterDim> dims) {
    auto &maps = counted[operand.tensor];
    if (operand.padded)
      elements[operand.tensor] = double(tensors[operand.tensor].elements());
    if (llvm::any_of(maps, [&](auto map) { return *map == operand.map; }))
      return;
    maps.push_back(&operand.map);
    elements[operand.tensor] += boxOf(operand, dims);
  };
  for (const StatementDesc &statement : statements) {
    for (const OperandDesc &input : statement.inputs)
      use(input, statement.dims);
    use(statement.output, statement.dims);
  }
  const StatementDesc &first = anchorStatement();
  OperandDesc init = {initTensor, first.output.map};
  if (initTensor >= 0)
    use(init, first.dims);
  double total = 0;
  for (auto [tensor, used] : llvm::zip_equal(tensors, elements))
    if (tensor.argument >= 0)
      total += std::min(used, double(tensor.elements())) *
               double(byteWidth(tensor.type));
  return total;
}
