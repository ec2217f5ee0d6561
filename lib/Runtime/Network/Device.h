//===- Device.h - networks in device memory ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RUNTIME_NETWORK_DEVICE_H
#define PRUNER_RUNTIME_NETWORK_DEVICE_H

#include "Driver.h"
#include "Network.h"

/// Which devices can run the code, compared with its chip.
enum {
  NEWER_DEVICES = 0,   ///< PTX: the same compute capability or a higher one.
  SAME_MAJOR = 1,      ///< A cubin: the same major number, no lower minor one.
  SAME_CAPABILITY = 2, ///< Code of chips such as sm_90a.
};

/// What `emitLibrary` puts into a library for GPUs.
///
/// facts: the compute capability as 10 * major + minor, one of the rules above,
/// kernels, constants, bytes of all constants in device memory.
extern const int64_t pruner_network_device[5];
extern const char pruner_network_chip[];
/// PTX, which ends with a zero, or a cubin.
extern const char pruner_network_code[];
/// The names of the kernels, each with a zero after it.
extern const char pruner_network_kernels[];
/// Of each kernel, the largest number of bytes of dynamic shared memory.
extern const int64_t pruner_network_shared[];
/// Of each constant, its place in device memory, and its elements.
typedef struct {
  const void *data;
  int64_t offset, bytes;
} Constant;
extern const Constant pruner_network_constants[];
/// Bytes of each input, then of each output.
extern const int64_t pruner_network_bytes[];
/// Messages of the checks in kernels, each with a zero after it. A kernel
/// writes the number of a failed check, from 1, to the status.
extern const char pruner_network_messages[];

/// Bytes after the workspace that hold the status of a run.
enum { STATUS_BYTES = 64 };

/// Own memory of a run whose caller passes host memory: the workspace with its
/// status, then the inputs and the outputs.
typedef struct Session {
  struct Session *next;
  void *stream;
  DevicePointer memory;
} Session;

/// The state of a network in one context.
typedef struct Context {
  struct Context *next;
  void *handle;
  unsigned long long number; ///< See Driver::context_number.
  void *module;
  void **functions;
  DevicePointer constants;
  Session *spare; ///< Sessions that no run uses.
} Context;

/// Makes a context current: the one of the calling thread if it has one, else
/// the primary one of device 0. Returns OK, or a status with its message. Each
/// success needs one `pruner_network_leave_context`.
int pruner_network_enter_context(void);
void pruner_network_leave_context(void);

/// The state of the network in the current context, or null if it is not loaded
/// there.
Context *pruner_network_find_context(void);
/// The same, loaded if necessary. If that fails, null, with the status in
/// `status` and its message stored.
Context *pruner_network_load_context(int *status);

/// Frees all that the network has in the current context. No run may be in
/// progress there. Nothing is freed when the process ends: the driver may have
/// ended before, and frees all memory itself.
void pruner_network_unload_context(void);

/// A session of its own for a run in the current context; null as above.
Session *pruner_network_take_session(Context *context, int *status);
void pruner_network_give_session(Context *context, Session *session);

/// The place of the status of a run in its workspace.
int64_t pruner_network_status_offset(void);
/// Bytes of the workspace in the memory of a session, and of each input and
/// output after it.
int64_t pruner_network_workspace_bytes(void);
int64_t pruner_network_tensor_bytes(int64_t tensor);

#endif // PRUNER_RUNTIME_NETWORK_DEVICE_H
