//===- CudaDriver.h - the CUDA driver, loaded at run time -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This code needs neither headers nor libraries of CUDA to build. It declares
// the few types and prototypes of the driver interface that it uses, and opens
// libcuda.so.1 at run time, if it exists.

#ifndef PRUNER_RUNTIME_CUDADRIVER_H
#define PRUNER_RUNTIME_CUDADRIVER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace pruner {

/// The binary interface of the driver, with our own names.
namespace cuda {
using Result = int; ///< 0 is success.
using Device = int;
using DevicePtr = unsigned long long;
using Context = struct ContextTag *;
using Module = struct ModuleTag *;
using Function = struct FunctionTag *;
using Stream = struct StreamTag *;
using Event = struct EventTag *;
using Graph = struct GraphTag *;
using GraphExec = struct GraphExecTag *;

/// 128 bytes; CUDA 12 requires an alignment of 64, CUDA 13 of 128.
struct alignas(128) TensorMap {
  uint64_t opaque[16];
};

/// A launch attribute is a number, padding to 8 bytes, and 64 bytes of value.
struct LaunchAttribute {
  int id;
  int padding;
  unsigned value[16];
};
inline constexpr int clusterDimension = 4; ///< value = x, y, z

struct LaunchConfig {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned dynamicSharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};

inline constexpr Result errorStubLibrary = 34;
inline constexpr Result errorNoDevice = 100;

/// Function attributes.
inline constexpr int sharedBytesAttribute = 1;
inline constexpr int localBytesAttribute = 3;
inline constexpr int registersAttribute = 4;
inline constexpr int maxDynamicSharedAttribute = 8;
} // namespace cuda

/// The entry points of the driver that are used. All but those under "optional"
/// are set after `CudaDriver::load` succeeds.
struct CudaFunctions {
  cuda::Result (*init)(unsigned flags);
  cuda::Result (*driverGetVersion)(int *version);
  cuda::Result (*getErrorName)(cuda::Result, const char **);
  cuda::Result (*getErrorString)(cuda::Result, const char **);
  cuda::Result (*deviceGetCount)(int *);
  cuda::Result (*deviceGet)(cuda::Device *, int ordinal);
  cuda::Result (*deviceGetName)(char *, int length, cuda::Device);
  cuda::Result (*deviceTotalMem)(size_t *, cuda::Device);
  cuda::Result (*deviceGetAttribute)(int *, int attribute, cuda::Device);
  cuda::Result (*primaryCtxRetain)(cuda::Context *, cuda::Device);
  cuda::Result (*primaryCtxRelease)(cuda::Device);
  cuda::Result (*ctxSetCurrent)(cuda::Context);
  cuda::Result (*ctxSynchronize)();
  cuda::Result (*moduleLoadDataEx)(cuda::Module *, const void *image,
                                   unsigned numOptions, int *options,
                                   void **values);
  cuda::Result (*moduleUnload)(cuda::Module);
  cuda::Result (*moduleGetFunction)(cuda::Function *, cuda::Module,
                                    const char *name);
  cuda::Result (*funcSetAttribute)(cuda::Function, int attribute, int value);
  cuda::Result (*funcGetAttribute)(int *, int attribute, cuda::Function);
  cuda::Result (*launchKernel)(cuda::Function, unsigned gridX, unsigned gridY,
                               unsigned gridZ, unsigned blockX, unsigned blockY,
                               unsigned blockZ, unsigned dynamicSharedBytes,
                               cuda::Stream, void **arguments, void **extra);
  cuda::Result (*memAlloc)(cuda::DevicePtr *, size_t);
  cuda::Result (*memFree)(cuda::DevicePtr);
  cuda::Result (*memcpyHtoD)(cuda::DevicePtr, const void *, size_t);
  cuda::Result (*memcpyDtoH)(void *, cuda::DevicePtr, size_t);
  cuda::Result (*memcpyDtoD)(cuda::DevicePtr to, cuda::DevicePtr from, size_t);
  cuda::Result (*memsetD8)(cuda::DevicePtr, unsigned char, size_t);
  cuda::Result (*memsetD32)(cuda::DevicePtr, unsigned, size_t);
  cuda::Result (*streamCreate)(cuda::Stream *, unsigned flags);
  cuda::Result (*streamSynchronize)(cuda::Stream);
  cuda::Result (*streamDestroy)(cuda::Stream);
  cuda::Result (*eventCreate)(cuda::Event *, unsigned flags);
  cuda::Result (*eventRecord)(cuda::Event, cuda::Stream);
  cuda::Result (*eventSynchronize)(cuda::Event);
  cuda::Result (*eventElapsedTime)(float *milliseconds, cuda::Event start,
                                   cuda::Event end);
  cuda::Result (*eventDestroy)(cuda::Event);

  // Optional: null in drivers that do not have them.
  /// Offset and size in bytes of parameter `index` of a kernel (CUDA 12.4).
  cuda::Result (*funcGetParamInfo)(cuda::Function, size_t index, size_t *offset,
                                   size_t *size);
  /// Launch with clusters (CUDA 11.8).
  cuda::Result (*launchKernelEx)(const cuda::LaunchConfig *, cuda::Function,
                                 void **arguments, void **extra);
  /// Descriptor of a bulk tensor copy, sm_90 (CUDA 12.0). Dimensions and box
  /// start with the innermost; `strides` are in bytes, without the innermost.
  cuda::Result (*tensorMapEncodeTiled)(
      cuda::TensorMap *, int dataType, uint32_t rank, void *address,
      const uint64_t *dimensions, const uint64_t *strides, const uint32_t *box,
      const uint32_t *elementStrides, int interleave, int swizzle,
      int l2Promotion, int outOfBoundsFill);
  /// Graphs: a chain of launches that is submitted at once (CUDA 11.4).
  cuda::Result (*streamBeginCapture)(cuda::Stream, int mode);
  cuda::Result (*streamEndCapture)(cuda::Stream, cuda::Graph *);
  cuda::Result (*graphInstantiate)(cuda::GraphExec *, cuda::Graph,
                                   unsigned long long flags);
  cuda::Result (*graphLaunch)(cuda::GraphExec, cuda::Stream);
  cuda::Result (*graphExecDestroy)(cuda::GraphExec);
  cuda::Result (*graphDestroy)(cuda::Graph);

  bool hasGraphs() const {
    return streamBeginCapture && streamEndCapture && graphInstantiate &&
           graphLaunch && graphExecDestroy && graphDestroy;
  }
};

/// Properties of one device, in bytes, kHz and bits.
struct CudaDeviceInfo {
  std::string name;
  int major = 0, minor = 0; ///< Compute capability.
  int units = 0;            ///< SMs.
  int warpSize = 0;
  int clockKHz = 0;
  int memoryClockKHz = 0;
  int memoryBusBits = 0;
  int64_t memoryBytes = 0;
  int64_t l2Bytes = 0;
  int registersPerUnit = 0;
  int sharedBytesPerBlock = 0;
  int sharedBytesPerBlockOptIn = 0;
  int sharedBytesPerUnit = 0;
  int maxThreadsPerBlock = 0;
  int maxThreadsPerUnit = 0;
  int maxBlocksPerUnit = 0;
  int driverVersion = 0; ///< 1000 * major + 10 * minor of the driver's CUDA.

  /// Two transfers per memory clock, bytes/s.
  double memoryBandwidth() const {
    return 2e3 * memoryClockKHz * (memoryBusBits / 8.0);
  }
};

/// The loaded and initialized driver. Immutable and shared; the library stays
/// loaded until the process ends.
class CudaDriver {
public:
  /// Opens `library`, finds the functions, initializes the driver and counts
  /// the devices. The error states what failed and what to do: the library does
  /// not exist, it lacks a function, it is the stub of the toolkit instead of a
  /// driver, there is no device, or the driver reported an error.
  static llvm::Expected<std::shared_ptr<const CudaDriver>>
  load(llvm::StringRef library = "libcuda.so.1");

  const CudaFunctions &functions() const { return table; }
  int deviceCount() const { return devices; }
  int version() const { return driverVersion; }

  /// Success, or an error "<what>: <name of the result> (<its text>)".
  llvm::Error check(cuda::Result result, const llvm::Twine &what) const;

private:
  CudaDriver() = default;
  CudaFunctions table = {};
  int devices = 0;
  int driverVersion = 0;
};

/// The properties of device `ordinal`. The error for a device that does not
/// exist names the ordinal.
llvm::Expected<CudaDeviceInfo> queryCudaDevice(const CudaDriver &driver,
                                               int ordinal);

} // namespace pruner

#endif // PRUNER_RUNTIME_CUDADRIVER_H
