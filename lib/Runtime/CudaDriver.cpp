//===- CudaDriver.cpp - the CUDA driver, loaded at run time ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/CudaDriver.h"

#include "llvm/ADT/Twine.h"

#include <dlfcn.h>

using namespace pruner;

/// The symbol of each member, and the CUDA version that introduced the optional
/// ones. Where the interface has changed, the name has the suffix of the
/// version whose prototype is declared.
template <typename F> static bool forEachFunction(CudaFunctions &t, F &&find) {
  return find("cuInit", t.init, 0) &&
         find("cuDriverGetVersion", t.driverGetVersion, 0) &&
         find("cuGetErrorName", t.getErrorName, 0) &&
         find("cuGetErrorString", t.getErrorString, 0) &&
         find("cuDeviceGetCount", t.deviceGetCount, 0) &&
         find("cuDeviceGet", t.deviceGet, 0) &&
         find("cuDeviceGetName", t.deviceGetName, 0) &&
         find("cuDeviceTotalMem_v2", t.deviceTotalMem, 0) &&
         find("cuDeviceGetAttribute", t.deviceGetAttribute, 0) &&
         find("cuDevicePrimaryCtxRetain", t.primaryCtxRetain, 0) &&
         find("cuDevicePrimaryCtxRelease_v2", t.primaryCtxRelease, 0) &&
         find("cuCtxSetCurrent", t.ctxSetCurrent, 0) &&
         find("cuCtxSynchronize", t.ctxSynchronize, 0) &&
         find("cuModuleLoadDataEx", t.moduleLoadDataEx, 0) &&
         find("cuModuleUnload", t.moduleUnload, 0) &&
         find("cuModuleGetFunction", t.moduleGetFunction, 0) &&
         find("cuFuncSetAttribute", t.funcSetAttribute, 0) &&
         find("cuFuncGetAttribute", t.funcGetAttribute, 0) &&
         find("cuLaunchKernel", t.launchKernel, 0) &&
         find("cuMemAlloc_v2", t.memAlloc, 0) &&
         find("cuMemFree_v2", t.memFree, 0) &&
         find("cuMemcpyHtoD_v2", t.memcpyHtoD, 0) &&
         find("cuMemcpyDtoH_v2", t.memcpyDtoH, 0) &&
         find("cuMemcpyDtoD_v2", t.memcpyDtoD, 0) &&
         find("cuMemsetD8_v2", t.memsetD8, 0) &&
         find("cuMemsetD32_v2", t.memsetD32, 0) &&
         find("cuStreamCreate", t.streamCreate, 0) &&
         find("cuStreamSynchronize", t.streamSynchronize, 0) &&
         find("cuStreamDestroy_v2", t.streamDestroy, 0) &&
         find("cuEventCreate", t.eventCreate, 0) &&
         find("cuEventRecord", t.eventRecord, 0) &&
         find("cuEventSynchronize", t.eventSynchronize, 0) &&
         find("cuEventElapsedTime", t.eventElapsedTime, 0) &&
         find("cuEventDestroy_v2", t.eventDestroy, 0) &&
         find("cuFuncGetParamInfo", t.funcGetParamInfo, 12040) &&
         find("cuLaunchKernelEx", t.launchKernelEx, 11080) &&
         find("cuTensorMapEncodeTiled", t.tensorMapEncodeTiled, 12000) &&
         find("cuStreamBeginCapture_v2", t.streamBeginCapture, 11040) &&
         find("cuStreamEndCapture", t.streamEndCapture, 11040) &&
         find("cuGraphInstantiateWithFlags", t.graphInstantiate, 11040) &&
         find("cuGraphLaunch", t.graphLaunch, 11040) &&
         find("cuGraphExecDestroy", t.graphExecDestroy, 11040) &&
         find("cuGraphDestroy", t.graphDestroy, 11040);
}

llvm::Error CudaDriver::check(cuda::Result result,
                              const llvm::Twine &what) const {
  if (result == 0)
    return llvm::Error::success();
  const char *name = nullptr, *text = nullptr;
  if (table.getErrorName(result, &name) != 0 || !name)
    name = "unknown error";
  if (table.getErrorString(result, &text) != 0 || !text)
    text = "no description";
  return llvm::createStringError(what + ": CUDA error " + llvm::Twine(result) +
                                 ", " + name + " (" + text + ")");
}

llvm::Expected<std::shared_ptr<const CudaDriver>>
CudaDriver::load(llvm::StringRef library) {
  std::string path = library.str();
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    return llvm::createStringError(
        "cannot load the CUDA driver '" + library +
        "': " + (why ? why : "unknown reason") +
        "; measuring on a GPU needs NVIDIA's driver installed");
  }
  std::shared_ptr<CudaDriver> driver(new CudaDriver);
  CudaFunctions &t = driver->table;

  // cuGetProcAddress_v2(symbol, &pointer, version, flags, &status)
  using GetProcAddress =
      cuda::Result (*)(const char *, void **, int, uint64_t, int *);
  auto getProcAddress =
      reinterpret_cast<GetProcAddress>(dlsym(handle, "cuGetProcAddress_v2"));
  const char *missing = nullptr;
  bool complete =
      forEachFunction(t, [&](const char *name, auto &member, int since) {
        void *address = dlsym(handle, name);
        // Drivers guarantee new functions only through this function.
        if (!address && since && getProcAddress &&
            getProcAddress(name, &address, since, 0, nullptr) != 0)
          address = nullptr;
        member = reinterpret_cast<std::decay_t<decltype(member)>>(address);
        if (!address && !since)
          missing = name;
        return address || since;
      });
  if (!complete)
    return llvm::createStringError("'" + library + "' has no function '" +
                                   missing +
                                   "'; it is not a CUDA driver, or one older "
                                   "than CUDA 11");

  cuda::Result result = t.init(0);
  if (result == cuda::errorStubLibrary)
    return llvm::createStringError(
        "'" + library +
        "' is the CUDA toolkit's stub library, not a driver (error 34); "
        "install NVIDIA's driver, or remove the stub from the library path");
  if (result == cuda::errorNoDevice)
    return llvm::createStringError("the CUDA driver '" + library +
                                   "' finds no device (error 100)");
  if (llvm::Error error = driver->check(result, "cannot initialize CUDA"))
    return error;
  if (llvm::Error error =
          driver->check(t.driverGetVersion(&driver->driverVersion),
                        "cannot read the CUDA driver's version"))
    return error;
  if (llvm::Error error = driver->check(t.deviceGetCount(&driver->devices),
                                        "cannot count CUDA devices"))
    return error;
  if (driver->devices == 0)
    return llvm::createStringError("the CUDA driver '" + library +
                                   "' finds no device");
  return driver;
}

llvm::Expected<CudaDeviceInfo> pruner::queryCudaDevice(const CudaDriver &driver,
                                                       int ordinal) {
  if (ordinal < 0 || ordinal >= driver.deviceCount())
    return llvm::createStringError("there is no CUDA device " +
                                   llvm::Twine(ordinal) + "; the driver has " +
                                   llvm::Twine(driver.deviceCount()) +
                                   ", counted from 0");
  const CudaFunctions &t = driver.functions();
  cuda::Device device = 0;
  if (llvm::Error error =
          driver.check(t.deviceGet(&device, ordinal),
                       "cannot open CUDA device " + llvm::Twine(ordinal)))
    return error;
  CudaDeviceInfo info;
  info.driverVersion = driver.version();
  char name[256] = {};
  size_t memory = 0;
  if (llvm::Error error =
          driver.check(t.deviceGetName(name, sizeof(name) - 1, device),
                       "cannot read the device's name"))
    return error;
  if (llvm::Error error = driver.check(t.deviceTotalMem(&memory, device),
                                       "cannot read the device's memory"))
    return error;
  info.name = name;
  info.memoryBytes = static_cast<int64_t>(memory);
  int l2 = 0;
  // Numbers of the driver interface's device attributes.
  const struct {
    int attribute;
    int *member;
  } attributes[] = {
      {1, &info.maxThreadsPerBlock},
      {8, &info.sharedBytesPerBlock},
      {10, &info.warpSize},
      {13, &info.clockKHz},
      {16, &info.units},
      {36, &info.memoryClockKHz},
      {37, &info.memoryBusBits},
      {38, &l2},
      {39, &info.maxThreadsPerUnit},
      {75, &info.major},
      {76, &info.minor},
      {81, &info.sharedBytesPerUnit},
      {82, &info.registersPerUnit},
      {97, &info.sharedBytesPerBlockOptIn},
      {106, &info.maxBlocksPerUnit},
  };
  for (const auto &[attribute, member] : attributes)
    if (llvm::Error error = driver.check(
            t.deviceGetAttribute(member, attribute, device),
            "cannot read device attribute " + llvm::Twine(attribute)))
      return error;
  info.l2Bytes = l2;
  return info;
}
