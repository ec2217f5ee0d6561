//===- HostBuilder.cpp - sites, addresses and bounds checks ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace pruner;
using namespace pruner::emulator;

static std::string describeLocation(Location loc) {
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
            Twine(file.getColumn()))
        .str();
  if (auto name = dyn_cast<NameLoc>(loc))
    return isa<UnknownLoc>(name.getChildLoc())
               ? ("\"" + name.getName().getValue() + "\"").str()
               : describeLocation(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return describeLocation(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (!isa<UnknownLoc>(part))
        return describeLocation(part);
  return "an unknown location";
}

unsigned emulator::addSite(std::vector<Site> &sites, Operation *op,
                           Site facts) {
  facts.description = op->getName().getStringRef().str() + " at " +
                      describeLocation(op->getLoc());
  sites.push_back(std::move(facts));
  return sites.size() - 1;
}

uint64_t emulator::elementBytesOf(MemRefType type) {
  Type element = type.getElementType();
  uint64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(element)) {
    count = vector.getNumElements();
    element = vector.getElementType();
  }
  // An index has 64 bits on every host that the runtime supports.
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return (bits + 7) / 8 * count;
}

MemorySpace emulator::memorySpaceOf(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  if (memref.getDefiningOp<memref::AllocaOp>())
    return MemorySpace::Private;
  Attribute space = cast<MemRefType>(memref.getType()).getMemorySpace();
  if (auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space)) {
    if (gpuSpace.getValue() == gpu::AddressSpace::Workgroup)
      return MemorySpace::Workgroup;
    if (gpuSpace.getValue() == gpu::AddressSpace::Private)
      return MemorySpace::Private;
  }
  if (auto number = dyn_cast_or_null<IntegerAttr>(space)) {
    if (number.getInt() == 3) // The number in NVPTX.
      return MemorySpace::Workgroup;
    if (number.getInt() == 5)
      return MemorySpace::Private;
  }
  return MemorySpace::Global;
}

Value HostBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(*this, value);
}

Value HostBuilder::integer(int64_t value, unsigned width) {
  return arith::ConstantIntOp::create(*this, value, width);
}

Value HostBuilder::address(Value memref, ValueRange indices) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  // A layout without strides has no address form, and its accesses have no
  // lowering to the host.
  bool strided = succeeded(type.getStridesAndOffset(strides, offset));
  bool isStatic = strided && !ShapedType::isDynamic(offset) &&
                  llvm::none_of(strides, ShapedType::isDynamic);
  memref::ExtractStridedMetadataOp metadata;
  if (!isStatic)
    metadata = memref::ExtractStridedMetadataOp::create(*this, memref);
  Value linear = isStatic ? index(offset) : metadata.getOffset();
  for (auto [n, position] : llvm::enumerate(indices)) {
    Value stride = isStatic ? index(strides[n]) : metadata.getStrides()[n];
    linear = arith::AddIOp::create(
        *this, linear, arith::MulIOp::create(*this, position, stride));
  }
  Value base = memref::ExtractAlignedPointerAsIndexOp::create(*this, memref);
  Value bytes =
      arith::MulIOp::create(*this, linear, index(elementBytesOf(type)));
  return arith::AddIOp::create(*this, base, bytes);
}

Value HostBuilder::call(StringRef function, ValueRange operands, Type result) {
  SmallVector<Type> results;
  if (result)
    results.push_back(result);
  auto call = func::CallOp::create(*this, function, results, operands);
  return result ? call.getResult(0) : Value();
}

void emulator::checkBounds(HostBuilder &builder, unsigned site, Value memref,
                           ValueRange indices, ArrayRef<int64_t> counts,
                           Value first, Value end) {
  auto type = cast<MemRefType>(memref.getType());
  for (unsigned dim = 0; dim != indices.size(); ++dim) {
    bool ranged = end && dim + 1 == indices.size();
    int64_t size = type.getDimSize(dim);
    APInt constant;
    if (!ranged && !type.isDynamicDim(dim) &&
        matchPattern(indices[dim], m_ConstantInt(&constant)) &&
        !constant.isNegative() && constant.getSExtValue() + counts[dim] <= size)
      continue;
    Value index = indices[dim], count = builder.index(counts[dim]);
    Value extent = type.isDynamicDim(dim)
                       ? memref::DimOp::create(builder, memref, dim).getResult()
                       : builder.index(size);
    if (ranged) {
      index = arith::AddIOp::create(builder, index, first);
      count = arith::SubIOp::create(builder, end, first);
    }
    // Without branches: kernels have thousands of accesses, and blocks that are
    // split at each of them take long to compile.
    builder.call(
        "pruner_emulator_check_bounds",
        {builder.integer(site, 32), builder.index(dim), index, count, extent});
  }
}
