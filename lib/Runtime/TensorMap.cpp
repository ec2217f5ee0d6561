//===- TensorMap.cpp - descriptors of bulk tensor copies ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorMap.h"

#include "llvm/ADT/Twine.h"

#include <algorithm>

using namespace pruner;

unsigned TensorMapShape::elementBytes() const {
  switch (type) {
  case Type::U8:
    return 1;
  case Type::F16:
  case Type::BF16:
    return 2;
  case Type::F64:
    return 8;
  case Type::I32:
  case Type::F32:
  case Type::TF32:
    return 4;
  }
  return 0;
}

/// The rules of cuTensorMapEncodeTiled in the CUDA driver API reference.
static llvm::Error check(const TensorMapShape &shape, cuda::DevicePtr address) {
  auto broken = [](const llvm::Twine &rule) {
    return llvm::createStringError("tensor map: " + rule);
  };
  size_t rank = shape.extents.size();
  if (rank < 1 || rank > 5)
    return broken("the rank is " + llvm::Twine(rank) + ", not 1 to 5");
  if (shape.strides.size() != rank || shape.box.size() != rank)
    return broken(llvm::Twine(rank) + " extents, but " +
                  llvm::Twine(shape.strides.size()) + " strides and " +
                  llvm::Twine(shape.box.size()) + " box extents");
  if (shape.strides.back() != 1)
    return broken("the last stride is " + llvm::Twine(shape.strides.back()) +
                  ", not 1");
  if (address % 16)
    return broken("the address is " + llvm::Twine(address % 16) +
                  " bytes past a multiple of 16");
  unsigned bytes = shape.elementBytes();
  for (size_t d = 0; d < rank; ++d) {
    if (shape.extents[d] < 1 || shape.extents[d] > (uint64_t(1) << 32))
      return broken("extent " + llvm::Twine(d) + " is " +
                    llvm::Twine(shape.extents[d]) + ", not 1 to 2^32");
    if (shape.box[d] < 1 || shape.box[d] > 256)
      return broken("box extent " + llvm::Twine(d) + " is " +
                    llvm::Twine(shape.box[d]) + ", not 1 to 256");
    if (d + 1 < rank && shape.strides[d] * bytes % 16)
      return broken("stride " + llvm::Twine(d) + " is " +
                    llvm::Twine(shape.strides[d] * bytes) +
                    " bytes, not a multiple of 16");
  }
  uint64_t row = uint64_t(shape.box.back()) * bytes;
  if (row % 16)
    return broken("a row of the box has " + llvm::Twine(row) +
                  " bytes, not a multiple of 16");
  uint64_t span = shape.swizzle == TensorMapShape::Swizzle::None
                      ? row
                      : uint64_t(16) << int(shape.swizzle);
  if (row > span)
    return broken("a row of the box has " + llvm::Twine(row) +
                  " bytes, more than the swizzle's " + llvm::Twine(span));
  return llvm::Error::success();
}

llvm::Expected<cuda::TensorMap>
pruner::encodeTensorMap(const CudaDriver &driver, const TensorMapShape &shape,
                        cuda::DevicePtr address) {
  if (llvm::Error error = check(shape, address))
    return error;
  if (!driver.functions().tensorMapEncodeTiled)
    return llvm::createStringError(
        "tensor map: this CUDA driver cannot encode one; it needs CUDA 12.0");
  // The driver numbers dimensions from the innermost.
  auto reversed = [](auto values) {
    std::reverse(values.begin(), values.end());
    return values;
  };
  std::vector<uint64_t> extents = reversed(shape.extents);
  std::vector<uint64_t> strides = reversed(shape.strides);
  strides.erase(strides.begin());
  for (uint64_t &stride : strides)
    stride *= shape.elementBytes();
  std::vector<uint32_t> box = reversed(shape.box), steps(box.size(), 1);
  cuda::TensorMap map = {};
  // No interleaving, L2 promotion of 128 bytes, zeros outside of the tensor.
  if (llvm::Error error = driver.check(
          driver.functions().tensorMapEncodeTiled(
              &map, int(shape.type), uint32_t(extents.size()),
              reinterpret_cast<void *>(address), extents.data(), strides.data(),
              box.data(), steps.data(), /*interleave=*/0, int(shape.swizzle),
              /*l2Promotion=*/2, /*outOfBoundsFill=*/0),
          "cannot encode a tensor map"))
    return error;
  return map;
}
