//===- TensorMap.h - descriptors of bulk tensor copies ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_RUNTIME_TENSORMAP_H
#define PRUNER_LIB_RUNTIME_TENSORMAP_H

#include "pruner/Runtime/CudaDriver.h"

#include <vector>

namespace pruner {

/// A box of a row-major tensor that the tensor memory accelerator (sm_90)
/// copies. All lists start with the outermost dimension, as in MLIR.
struct TensorMapShape {
  /// Element types, with the numbers of the driver's interface.
  enum class Type {
    U8 = 0,
    I32 = 4,
    F16 = 6,
    F32 = 7,
    F64 = 8,
    BF16 = 9,
    TF32 = 11
  };
  /// Bytes over which 16-byte pieces of shared memory are permuted.
  enum class Swizzle { None = 0, B32 = 1, B64 = 2, B128 = 3 };
  Type type = Type::F32;
  std::vector<uint64_t> extents; ///< Elements; one to five dimensions.
  std::vector<uint64_t> strides; ///< Elements; the last must be 1.
  std::vector<uint32_t> box;     ///< Elements, each from 1 to 256.
  Swizzle swizzle = Swizzle::None;

  unsigned elementBytes() const;
};

/// Encodes `shape` for the tensor at device address `address`. Pass the result
/// to a kernel by value (`CudaKernelRunner::addValue`). Elements outside of the
/// tensor are read as zero. The error names the violated rule of the hardware
/// and both numbers: address and strides are multiples of 16 bytes, and a row
/// of the box is a multiple of 16 bytes and not longer than the swizzle. A
/// driver older than CUDA 12 is an error as well.
llvm::Expected<cuda::TensorMap> encodeTensorMap(const CudaDriver &driver,
                                                const TensorMapShape &shape,
                                                cuda::DevicePtr address);

} // namespace pruner

#endif // PRUNER_LIB_RUNTIME_TENSORMAP_H
