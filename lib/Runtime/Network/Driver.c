//===- Driver.c - the CUDA driver of a network's library ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Neither headers nor libraries of CUDA are needed to build this code.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Driver.h"
#include "Network.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const kDriver = "libcuda.so.1";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Driver driver;
static int is_loaded; // Guarded by `lock`.

/// Where the interface has changed, the name has the suffix of the version
/// whose prototype is declared.
static const struct {
  const char *name;
  size_t member;
} functions[] = {
    {"cuInit", offsetof(Driver, init)},
    {"cuGetErrorName", offsetof(Driver, error_name)},
    {"cuGetErrorString", offsetof(Driver, error_string)},
    {"cuDeviceGetCount", offsetof(Driver, device_count)},
    {"cuDeviceGet", offsetof(Driver, device)},
    {"cuDeviceGetName", offsetof(Driver, device_name)},
    {"cuDeviceGetAttribute", offsetof(Driver, device_attribute)},
    {"cuDevicePrimaryCtxRetain", offsetof(Driver, retain_primary)},
    {"cuDevicePrimaryCtxRelease_v2", offsetof(Driver, release_primary)},
    {"cuCtxGetCurrent", offsetof(Driver, current)},
    {"cuCtxPushCurrent_v2", offsetof(Driver, push)},
    {"cuCtxPopCurrent_v2", offsetof(Driver, pop)},
    {"cuCtxGetDevice", offsetof(Driver, current_device)},
    {"cuModuleLoadDataEx", offsetof(Driver, load_module)},
    {"cuModuleUnload", offsetof(Driver, unload_module)},
    {"cuModuleGetFunction", offsetof(Driver, find_function)},
    {"cuFuncSetAttribute", offsetof(Driver, set_function_attribute)},
    {"cuLaunchKernel", offsetof(Driver, launch)},
    {"cuMemAlloc_v2", offsetof(Driver, allocate)},
    {"cuMemFree_v2", offsetof(Driver, deallocate)},
    {"cuMemcpyHtoD_v2", offsetof(Driver, upload)},
    {"cuMemcpyHtoDAsync_v2", offsetof(Driver, upload_async)},
    {"cuMemcpyDtoHAsync_v2", offsetof(Driver, download_async)},
    {"cuMemcpyDtoDAsync_v2", offsetof(Driver, copy_async)},
    {"cuMemsetD32Async", offsetof(Driver, set_async)},
    {"cuStreamCreate", offsetof(Driver, create_stream)},
    {"cuStreamSynchronize", offsetof(Driver, synchronize)},
    {"cuStreamDestroy_v2", offsetof(Driver, destroy_stream)},
    {"cuPointerGetAttribute", offsetof(Driver, pointer_attribute)},
};

int pruner_network_driver_error(int result, const char *format, ...) {
  char what[512];
  va_list values;
  va_start(values, format);
  vsnprintf(what, sizeof(what), format, values);
  va_end(values);
  const char *name = NULL, *description = NULL;
  if (driver.error_name(result, &name) != 0 || !name)
    name = "unknown error";
  if (driver.error_string(result, &description) != 0 || !description)
    description = "no description";
  return pruner_network_set_error(
      result == OUT_OF_MEMORY ? NO_MEMORY : DEVICE_FAILED,
      "%s: CUDA error %d, %s (%s)", what, result, name, description);
}

/// Returns OK, or a status with its message.
static int load(void) {
  // The handle stays open: the driver cannot be unloaded and loaded again.
  void *library = dlopen(kDriver, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return pruner_network_set_error(
        DEVICE_FAILED,
        "this network runs on a GPU, but there is no CUDA "
        "driver: %s",
        dlerror());
  for (size_t n = 0; n < sizeof(functions) / sizeof(functions[0]); ++n) {
    void *address = dlsym(library, functions[n].name);
    if (!address)
      return pruner_network_set_error(
          DEVICE_FAILED,
          "'%s' has no function '%s'; it is not a CUDA driver, "
          "or one older than CUDA 11",
          kDriver, functions[n].name);
    memcpy((char *)&driver + functions[n].member, &address, sizeof(address));
  }
  void *address = dlsym(library, "cuCtxGetId");
  memcpy(&driver.context_number, &address, sizeof(address));
  int result = driver.init(0), count = 0;
  if (result == 0)
    result = driver.device_count(&count);
  if (result == NO_DEVICE || (result == 0 && count == 0))
    return pruner_network_set_error(
        DEVICE_FAILED,
        "this network runs on a GPU, but the CUDA driver finds no device");
  if (result != 0)
    return pruner_network_driver_error(result, "cannot initialize CUDA");
  return OK;
}

const Driver *pruner_network_driver(void) {
  pthread_mutex_lock(&lock);
  if (!is_loaded)
    is_loaded = load() == OK;
  int loaded = is_loaded;
  pthread_mutex_unlock(&lock);
  return loaded ? &driver : NULL;
}
