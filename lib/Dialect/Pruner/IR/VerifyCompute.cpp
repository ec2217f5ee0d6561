//===- VerifyCompute.cpp - the verifier of pruner.compute -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The labels (C1, C2, ...) are defined by the description in PrunerOps.td. The
// functions in test/Dialect/Pruner/*-errors.mlir use them as names.

#include "VerifyInstruction.h"
#include "VerifyParts.h"
#include "pruner/Dialect/Pruner/IR/Combiner.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace pruner;

/// C9: every block writes its own part of an argument.
static LogicalResult verifyParts(ComputeOp compute, KernelOp kernel) {
  if (compute.getOutput().getDefiningOp<AllocOp>())
    return success();
  for (Operation *up = compute->getParentOp(); up != kernel;
       up = up->getParentOp()) {
    auto band = dyn_cast<BandOp>(up);
    if (!band || band.getLevel() != LoopKind::Block)
      continue;
    for (auto [dim, offset] :
         llvm::zip_equal(band.getDims(), band.getBody().getArguments()))
      if (kernel.getReductions()[dim] &&
          !(compute.getOutputMap().isFunctionOfDim(dim) &&
            llvm::is_contained(compute.getAt(), offset)))
        return compute.emitOpError("C9: all blocks along the reduction "
                                   "dimension d")
               << dim << " write the same elements";
  }
  return success();
}

static LogicalResult verifyPrefetch(ComputeOp compute, KernelOp kernel) {
  std::optional<ArrayRef<int64_t>> prefetch = compute.getPrefetch();
  if (!prefetch)
    return success();
  if (kernel.isGpu() || compute.getRole() == Role::Init)
    return compute.emitOpError("C10: only a 'map', an 'update' or a 'finish' "
                               "in a kernel for cpu supports prefetch");
  if (prefetch->size() != 2)
    return compute.emitOpError("C10: prefetch has ")
           << prefetch->size()
           << " numbers, expected a dimension and a distance";
  int64_t dim = (*prefetch)[0], distance = (*prefetch)[1];
  if (dim < 0 || dim >= int64_t(kernel.getNumDims()) ||
      kernel.getReductions()[dim])
    return compute.emitOpError("C10: prefetch along d")
           << dim << ", which is not a parallel dimension of the "
           << kernel.getNumDims();
  if (distance < 1)
    return compute.emitOpError("C10: prefetch at a distance of ")
           << distance << ", which is less than 1";
  return success();
}

static LogicalResult verifyNontemporal(ComputeOp compute, KernelOp kernel) {
  bool stores =
      compute.getRole() == Role::Map || compute.getRole() == Role::Finish;
  if (compute.getNontemporal() &&
      (kernel.isGpu() || !stores || !isa<BlockArgument>(compute.getOutput())))
    return compute.emitOpError(
        "C11: only a 'map' or a 'finish' in a kernel for cpu that writes to an "
        "argument may be nontemporal");
  return success();
}

bool ComputeOp::reducesAlong(unsigned dim) {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  return getRole() == Role::Update && kernel.getReductions()[dim] &&
         !getOutputMap().isFunctionOfDim(dim);
}

static LogicalResult verifyPaddings(ComputeOp compute, KernelOp kernel) {
  std::optional<ArrayAttr> paddings = compute.getPaddings();
  if (!paddings)
    return success();
  if (kernel.isGpu() || compute.getRole() != Role::Update ||
      compute.getInstruction())
    return compute.emitOpError("C13: only an 'update' of a kernel for cpu "
                               "without an instruction reads padded inputs");
  if (paddings->size() != compute.getInputs().size())
    return compute.emitOpError("C13: ")
           << paddings->size() << " paddings for " << compute.getInputs().size()
           << " inputs";
  for (auto [n, padding] : llvm::enumerate(*paddings)) {
    if (isa<UnitAttr>(padding))
      continue;
    Value input = compute.getInputs()[n];
    Type element = cast<MemRefType>(input.getType()).getElementType();
    auto value = dyn_cast<TypedAttr>(padding);
    if (!value || value.getType() != element)
      return compute.emitOpError("C13: padding #")
             << n << " is " << padding
             << ", expected 'unit' or a value of type " << element;
    if (!isa<BlockArgument>(input))
      return compute.emitOpError("C13: input #")
             << n << " is padded, expected an argument that is not packed";
  }
  return success();
}

static LogicalResult verifyInside(ComputeOp compute, KernelOp kernel) {
  std::optional<ArrayRef<int64_t>> inside = compute.getInside();
  if (bool(inside) != bool(compute.getPlaceAttr()))
    return compute.emitOpError(
        "C14: expected both 'inside' and 'place', or neither");
  if (!inside)
    return success();
  if (kernel.isGpu() || compute.getRole() != Role::Update)
    return compute.emitOpError(
        "C14: only an 'update' of a kernel for cpu may have 'inside'");
  AffineMap place = compute.getPlaceAttr().getValue();
  if (place.getNumDims() != kernel.getNumDims() || place.getNumSymbols() > 0 ||
      place.getNumResults() != inside->size())
    return compute.emitOpError("C14: the map of 'inside' is ")
           << compute.getPlaceAttr() << ", expected one of "
           << kernel.getNumDims()
           << " dimensions with as many results as extents (" << inside->size()
           << ")";
  return verifyLinear(compute, "C14: the map of 'inside'", place);
}

/// C1 and C4.
static LogicalResult verifyOperands(ComputeOp compute, KernelOp kernel) {
  if (compute.getMaps().size() != compute.getInputs().size() + 1)
    return compute.emitOpError("C1: ")
           << compute.getMaps().size() << " maps for "
           << compute.getInputs().size() + 1 << " operands";
  for (unsigned n = 0; n <= compute.getInputs().size(); ++n) {
    Value buffer = n < compute.getInputs().size() ? compute.getInputs()[n]
                                                  : compute.getOutput();
    auto origin = getBufferOrigin(buffer);
    int64_t rank = origin ? origin->shape.size()
                          : cast<MemRefType>(buffer.getType()).getRank();
    AffineMap map = compute.getMap(n);
    if (map.getNumDims() != kernel.getNumDims() || map.getNumSymbols() != 0 ||
        map.getNumResults() != rank)
      return compute.emitOpError("C1: map #")
             << n << " takes " << map.getNumDims() << " dimensions to "
             << map.getNumResults() << " coordinates, expected "
             << kernel.getNumDims() << " to " << rank;
    if (failed(verifyLinear(compute, "C1: map #" + Twine(n), map)))
      return failure();
    if (!origin)
      continue;
    for (auto [place, offset] : llvm::enumerate(origin->at))
      if (!llvm::is_contained(compute.getAt(), offset))
        return compute.emitOpError("C4: operand #")
               << n << " begins at its offset #" << place
               << ", which is not one of the statement's "
               << compute.getAt().size() << " offsets";
  }
  return success();
}

/// C2, C3, C6 and K3.
static LogicalResult verifyLoops(ComputeOp compute, KernelOp kernel) {
  size_t loops = compute.getNumLoops();
  if (compute.getLoopExtents().size() != loops ||
      compute.getLoopSteps().size() != loops ||
      compute.getLoopLevels().size() != loops)
    return compute.emitOpError("C2: ")
           << loops << " dims, " << compute.getLoopExtents().size()
           << " extents, " << compute.getLoopSteps().size() << " steps and "
           << compute.getLoopLevels().size() << " levels";
  for (size_t l = 0; l < loops; ++l) {
    int64_t dim = compute.getLoopDims()[l];
    if (dim >= int64_t(kernel.getNumDims()))
      return compute.emitOpError("C2: loop ")
             << l << " is over d" << dim << " but the domain has "
             << kernel.getNumDims() << " dimensions";
    LoopKind level = compute.getLoopLevel(l);
    if (level < LoopKind::Serial)
      return compute.emitOpError("C2: loop ")
             << l << " is on level '" << stringifyLoopKind(level)
             << "', expected 'serial', 'unroll' or 'vector'";
    if (level == LoopKind::Vector && kernel.isGpu())
      return compute.emitOpError("K3: loop ")
             << l << " is a 'vector' loop in a kernel for gpu";
    if (level == LoopKind::Vector &&
        (l + 1 != loops || compute.getLoopSteps()[l] != 1))
      return compute.emitOpError("C3: loop ")
             << l << " of " << loops << " is a 'vector' loop with step "
             << compute.getLoopSteps()[l]
             << "; only the innermost loop may be one, with step 1";
    if (kernel.getReductions()[dim] && compute.getRole() != Role::Update &&
        !compute.getOutputMap().isFunctionOfDim(dim))
      return compute.emitOpError("C6: loop ")
             << l << " of '" << stringifyRole(compute.getRole())
             << "' is over the reduction dimension d" << dim;
  }
  return success();
}

/// C8.
static LogicalResult verifyCombination(ComputeOp compute) {
  if (compute.getRole() != Role::Update ||
      getCombiner(compute.getBody().front()))
    return success();
  for (Value offset : compute.getAt()) {
    BandIv iv = getBandIv(offset);
    int64_t dim = iv.band.getDims()[iv.loop];
    if (iv.band.getLevel() == LoopKind::Thread && compute.reducesAlong(dim))
      return compute.emitOpError("C8: threads along the reduction dimension d")
             << dim
             << " cannot be combined: the body does not accumulate by one "
                "associative operation";
  }
  unsigned loops = compute.getNumLoops();
  if (loops > 0 && compute.getLoopLevel(loops - 1) == LoopKind::Vector &&
      compute.reducesAlong(compute.getLoopDims().back()))
    return compute.emitOpError("C8: lanes along the reduction dimension d")
           << compute.getLoopDims().back()
           << " cannot be combined: the body does not accumulate by one "
              "associative operation";
  return success();
}

LogicalResult ComputeOp::verify() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (failed(verifyAt(*this, getAt())) ||
      failed(verifyOperands(*this, kernel)) ||
      failed(verifyLoops(*this, kernel)) ||
      failed(verifyBody(*this, "C5", getBody().front(), getInputs(),
                        getOutput(), getRole() == Role::Update)) ||
      failed(verifyCombination(*this)))
    return failure();
  if (failed(verifyPrefetch(*this, kernel)) ||
      failed(verifyNontemporal(*this, kernel)) ||
      failed(verifyPaddings(*this, kernel)) ||
      failed(verifyInside(*this, kernel)) ||
      failed(verifyInstruction(*this, kernel)))
    return failure();
  return verifyParts(*this, kernel);
}
