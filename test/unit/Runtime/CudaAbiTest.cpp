//===- CudaAbiTest.cpp - compare declarations with the CUDA header --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Built only if a CUDA toolkit is found; the library itself needs none.

#include "pruner/Runtime/CudaDriver.h"

#include "gtest/gtest.h"
#include <cuda.h>
#include <type_traits>

using namespace pruner;

namespace {
/// Whether a value of one type may replace one of the other in a call: the same
/// class of register and the same size.
template <typename A, typename B>
constexpr bool sameAbi =
    sizeof(A) == sizeof(B) &&
    (std::is_pointer_v<A> || std::is_enum_v<A> || std::is_integral_v<A>) &&
    (std::is_pointer_v<B> || std::is_enum_v<B> || std::is_integral_v<B>);

template <typename Ours, typename Theirs> struct SamePrototype {
  static constexpr bool value = false;
};
template <typename R, typename... A, typename S, typename... B>
struct SamePrototype<R (*)(A...), S (*)(B...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(A) == sizeof...(B))
      return sameAbi<R, S> && (sameAbi<A, B> && ...);
    else
      return false;
  }();
};

#define SAME(MEMBER, FUNCTION)                                                 \
  static_assert(SamePrototype<decltype(CudaFunctions::MEMBER),                 \
                              decltype(&FUNCTION)>::value,                     \
                #FUNCTION)
SAME(init, cuInit);
SAME(driverGetVersion, cuDriverGetVersion);
SAME(getErrorName, cuGetErrorName);
SAME(getErrorString, cuGetErrorString);
SAME(deviceGetCount, cuDeviceGetCount);
SAME(deviceGet, cuDeviceGet);
SAME(deviceGetName, cuDeviceGetName);
SAME(deviceTotalMem, cuDeviceTotalMem);
SAME(deviceGetAttribute, cuDeviceGetAttribute);
SAME(primaryCtxRetain, cuDevicePrimaryCtxRetain);
SAME(primaryCtxRelease, cuDevicePrimaryCtxRelease);
SAME(ctxSetCurrent, cuCtxSetCurrent);
SAME(ctxSynchronize, cuCtxSynchronize);
SAME(moduleLoadDataEx, cuModuleLoadDataEx);
SAME(moduleUnload, cuModuleUnload);
SAME(moduleGetFunction, cuModuleGetFunction);
SAME(funcSetAttribute, cuFuncSetAttribute);
SAME(funcGetAttribute, cuFuncGetAttribute);
SAME(launchKernel, cuLaunchKernel);
SAME(memAlloc, cuMemAlloc);
SAME(memFree, cuMemFree);
SAME(memcpyHtoD, cuMemcpyHtoD);
SAME(memcpyDtoH, cuMemcpyDtoH);
SAME(memcpyDtoD, cuMemcpyDtoD);
SAME(memsetD8, cuMemsetD8);
SAME(memsetD32, cuMemsetD32);
SAME(streamCreate, cuStreamCreate);
SAME(streamSynchronize, cuStreamSynchronize);
SAME(streamDestroy, cuStreamDestroy);
SAME(eventCreate, cuEventCreate);
SAME(eventRecord, cuEventRecord);
SAME(eventSynchronize, cuEventSynchronize);
SAME(eventElapsedTime, cuEventElapsedTime);
SAME(eventDestroy, cuEventDestroy);
#if CUDA_VERSION >= 12040
SAME(funcGetParamInfo, cuFuncGetParamInfo);
#endif
#if CUDA_VERSION >= 12000
SAME(launchKernelEx, cuLaunchKernelEx);
SAME(tensorMapEncodeTiled, cuTensorMapEncodeTiled);
SAME(streamBeginCapture, cuStreamBeginCapture);
SAME(streamEndCapture, cuStreamEndCapture);
SAME(graphInstantiate, cuGraphInstantiate);
SAME(graphLaunch, cuGraphLaunch);
SAME(graphExecDestroy, cuGraphExecDestroy);
SAME(graphDestroy, cuGraphDestroy);
#endif
} // namespace

TEST(CudaAbi, StructuresMatchTheHeader) {
  EXPECT_EQ(sizeof(cuda::TensorMap), sizeof(CUtensorMap));
  EXPECT_GE(alignof(cuda::TensorMap), alignof(CUtensorMap));
  EXPECT_EQ(sizeof(cuda::LaunchAttribute), sizeof(CUlaunchAttribute));
  EXPECT_EQ(offsetof(cuda::LaunchAttribute, value),
            offsetof(CUlaunchAttribute, value));
  EXPECT_EQ(sizeof(cuda::LaunchConfig), sizeof(CUlaunchConfig));
  EXPECT_EQ(offsetof(cuda::LaunchConfig, dynamicSharedBytes),
            offsetof(CUlaunchConfig, sharedMemBytes));
  EXPECT_EQ(offsetof(cuda::LaunchConfig, stream),
            offsetof(CUlaunchConfig, hStream));
  EXPECT_EQ(offsetof(cuda::LaunchConfig, attributes),
            offsetof(CUlaunchConfig, attrs));
  EXPECT_EQ(offsetof(cuda::LaunchConfig, numAttributes),
            offsetof(CUlaunchConfig, numAttrs));
}

TEST(CudaAbi, ConstantsMatchTheHeader) {
  EXPECT_EQ(cuda::clusterDimension, int(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION));
  EXPECT_EQ(cuda::errorStubLibrary, int(CUDA_ERROR_STUB_LIBRARY));
  EXPECT_EQ(cuda::errorNoDevice, int(CUDA_ERROR_NO_DEVICE));
  EXPECT_EQ(cuda::sharedBytesAttribute,
            int(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES));
  EXPECT_EQ(cuda::localBytesAttribute, int(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
  EXPECT_EQ(cuda::registersAttribute, int(CU_FUNC_ATTRIBUTE_NUM_REGS));
  EXPECT_EQ(cuda::maxDynamicSharedAttribute,
            int(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
}
