//===- Driver.h - the CUDA driver of a network's library --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RUNTIME_NETWORK_DRIVER_H
#define PRUNER_RUNTIME_NETWORK_DRIVER_H

#include <stddef.h>
#include <stdint.h>

/// An address in device memory.
typedef unsigned long long DevicePointer;

/// The results of the driver that this code distinguishes; 0 is success.
enum { OUT_OF_MEMORY = 2, NO_DEVICE = 100 };

/// Numbers of the driver's interface.
enum {
  COMPUTE_CAPABILITY_MAJOR = 75,
  COMPUTE_CAPABILITY_MINOR = 76,
  MAX_DYNAMIC_SHARED = 8, ///< Attribute of a function.
  MEMORY_TYPE = 2,        ///< Attribute of a pointer.
  MEMORY_OF_DEVICE = 2,   ///< A value of it.
  STREAM_NON_BLOCKING = 1,
  ERROR_LOG = 5, ///< Options of loading a module.
  ERROR_LOG_BYTES = 6
};

/// The functions of the driver that are used. Contexts, modules, functions and
/// streams are opaque pointers.
typedef struct {
  int (*init)(unsigned flags);
  int (*error_name)(int result, const char **);
  int (*error_string)(int result, const char **);
  int (*device_count)(int *);
  int (*device)(int *, int ordinal);
  int (*device_name)(char *, int length, int device);
  int (*device_attribute)(int *, int attribute, int device);
  int (*retain_primary)(void **context, int device);
  int (*release_primary)(int device);
  int (*current)(void **context);
  int (*push)(void *context);
  int (*pop)(void **context);
  int (*current_device)(int *device);
  int (*load_module)(void **module, const void *image, unsigned count,
                     int *options, void **values);
  int (*unload_module)(void *module);
  int (*find_function)(void **function, void *module, const char *name);
  int (*set_function_attribute)(void *function, int attribute, int value);
  int (*launch)(void *function, unsigned grid_x, unsigned grid_y,
                unsigned grid_z, unsigned block_x, unsigned block_y,
                unsigned block_z, unsigned dynamic_shared, void *stream,
                void **arguments, void **extra);
  int (*allocate)(DevicePointer *, size_t);
  int (*deallocate)(DevicePointer);
  int (*upload)(DevicePointer, const void *, size_t);
  int (*upload_async)(DevicePointer, const void *, size_t, void *stream);
  int (*download_async)(void *, DevicePointer, size_t, void *stream);
  int (*copy_async)(DevicePointer to, DevicePointer from, size_t, void *stream);
  int (*set_async)(DevicePointer, unsigned value, size_t count, void *stream);
  int (*create_stream)(void **stream, unsigned flags);
  int (*synchronize)(void *stream);
  int (*destroy_stream)(void *stream);
  int (*pointer_attribute)(void *value, int attribute, DevicePointer);
  /// A number that no other context of the process ever has (CUDA 12); null in
  /// older drivers.
  int (*context_number)(void *context, unsigned long long *number);
} Driver;

/// The driver of this process, loaded and initialized by the first call; null
/// if that failed, with the message stored for pruner_error. A failure is tried
/// again by the next call.
const Driver *pruner_network_driver(void);

/// Stores a message for a failed call: what failed, and the driver's name and
/// description of the result. Returns the status of the run.
int pruner_network_driver_error(int result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif // PRUNER_RUNTIME_NETWORK_DRIVER_H
