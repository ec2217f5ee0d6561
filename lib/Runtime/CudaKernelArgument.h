//===- CudaKernelArgument.h - one argument of a kernel ------ -*- C++ -*--===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_RUNTIME_CUDAKERNELARGUMENT_H
#define PRUNER_LIB_RUNTIME_CUDAKERNELARGUMENT_H

#include "pruner/Runtime/CudaKernelRunner.h"

#include <cstring>

namespace pruner {

/// A buffer with one or more copies on the device, or a value.
struct CudaKernelRunner::Argument {
  size_t size = 0;                       ///< Bytes.
  std::vector<cuda::DevicePtr> pointers; ///< Copies of a buffer.
  /// A value. In units of 128 bytes, the alignment of tensor maps.
  struct alignas(128) Piece {
    uint8_t bytes[128];
  };
  std::vector<Piece> value;

  bool isBuffer() const { return !pointers.empty(); }
  void setValue(llvm::ArrayRef<uint8_t> bytes) {
    value.resize(bytes.size() / sizeof(Piece) + 1);
    if (!bytes.empty())
      std::memcpy(value.data(), bytes.data(), bytes.size());
  }
  /// The address from which the driver copies the argument at a launch.
  void *address(size_t copy) {
    if (isBuffer())
      return &pointers[copy % pointers.size()];
    return value.data();
  }
};

/// An error unless argument `n` is a buffer of `size` bytes.
template <typename Arguments>
llvm::Error checkBuffer(llvm::StringRef kernel, const Arguments &arguments,
                        size_t n, size_t size) {
  if (n >= arguments.size() || !arguments[n].isBuffer())
    return llvm::createStringError("kernel '" + kernel + "': argument " +
                                   llvm::Twine(n) + " is not a buffer");
  if (arguments[n].size != size)
    return llvm::createStringError(
        "kernel '" + kernel + "': argument " + llvm::Twine(n) + " has " +
        llvm::Twine(arguments[n].size) + " bytes, not " + llvm::Twine(size));
  return llvm::Error::success();
}

} // namespace pruner

#endif // PRUNER_LIB_RUNTIME_CUDAKERNELARGUMENT_H
