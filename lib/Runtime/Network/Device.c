//===- Device.c - runs of a network on a GPU ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The generated entry gets pointers to device memory. It runs on the CPU and
// passes them to the functions below, which submit kernels and copies to the
// stream of the run.
#include "Device.h"

#include <string.h>

/// The run of this thread.
static _Thread_local struct {
  const Driver *cu;
  Context *context;
  void *stream;
  DevicePointer status;
} now;

static DevicePointer address_of(const void *pointer) {
  return (DevicePointer)(uintptr_t)pointer;
}

static void *pointer_to(DevicePointer address) {
  return (void *)(uintptr_t)address;
}

//===----------------------------------------------------------------------===//
// What generated code calls
//===----------------------------------------------------------------------===//

/// A profile adds the time between two marks to a call, so its kernels must
/// have ended at the second one.
static void wait_if_profiled(const char *what) {
  if (!__atomic_load_n(&pruner_network_profiled, __ATOMIC_RELAXED))
    return;
  int result = now.cu->synchronize(now.stream);
  if (result != 0)
    pruner_network_leave(
        pruner_network_driver_error(result, "%s failed while running", what));
}

static const char *name_of(int32_t kernel) {
  const char *name = pruner_network_kernels;
  for (int32_t n = 0; n < kernel; ++n)
    name += strlen(name) + 1;
  return name;
}

/// Launches a kernel. `values` has 8 bytes for each of `count` parameters.
void pruner_network_launch(int32_t kernel, int32_t grid_x, int32_t grid_y,
                           int32_t grid_z, int32_t block_x, int32_t block_y,
                           int32_t block_z, int32_t dynamic_shared,
                           int64_t values, int32_t count) {
  int64_t *value = (int64_t *)(intptr_t)values;
  void *arguments[count + 1];
  for (int32_t n = 0; n < count; ++n)
    arguments[n] = &value[n];
  int result = now.cu->launch(
      now.context->functions[kernel], (unsigned)grid_x, (unsigned)grid_y,
      (unsigned)grid_z, (unsigned)block_x, (unsigned)block_y, (unsigned)block_z,
      (unsigned)dynamic_shared, now.stream, arguments, NULL);
  if (result != 0)
    pruner_network_leave(pruner_network_driver_error(
        result, "cannot launch the kernel '%s'", name_of(kernel)));
  wait_if_profiled(name_of(kernel));
}

/// Copies from device memory to device memory.
void pruner_network_copy(int64_t to, int64_t from, int64_t bytes) {
  int result = now.cu->copy_async((DevicePointer)to, (DevicePointer)from,
                                  (size_t)bytes, now.stream);
  if (result != 0)
    pruner_network_leave(pruner_network_driver_error(
        result, "cannot copy %lld bytes", (long long)bytes));
  wait_if_profiled("a copy");
}

/// The constants in device memory.
void *pruner_network_constant_memory(void) {
  return pointer_to(now.context->constants);
}

/// Where kernels write the number of a failed check.
void *pruner_network_status_memory(void) { return pointer_to(now.status); }

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// One call of the interface.
typedef struct {
  const void *const *inputs;
  void *const *outputs;
  Session *session; ///< Null if the caller's pointers are device memory.
} Call;

static void submit(const void *const *inputs, void *const *outputs,
                   void *workspace) {
  int result = now.cu->set_async(now.status, 0, 1, now.stream);
  if (result != 0)
    pruner_network_leave(
        pruner_network_driver_error(result, "cannot write to the workspace"));
  pruner_network_entry(inputs, outputs, workspace);
}

static void submit_call(void *call, void *workspace) {
  const Call *given = call;
  submit(given->inputs, given->outputs, workspace);
}

static const char *message_of(int32_t check) {
  const char *message = pruner_network_messages;
  for (int32_t n = 1; n < check; ++n)
    message += strlen(message) + 1;
  return message;
}

/// Waits for the stream and reports what its kernels report.
static int wait_for_status(const Driver *cu, DevicePointer status,
                           void *stream) {
  int32_t check = 0;
  int result = cu->download_async(&check, status, sizeof(check), stream);
  if (result == 0)
    result = cu->synchronize(stream);
  if (result != 0)
    return pruner_network_driver_error(result,
                                       "the network failed while running");
  return check ? pruner_network_set_error(CHECK_FAILED, "%s", message_of(check))
               : OK;
}

/// Whether a pointer is to device memory. The driver has no record of memory
/// that the C library allocated.
static int is_on_device(const void *pointer) {
  unsigned type = 0;
  return now.cu->pointer_attribute(&type, MEMORY_TYPE, address_of(pointer)) ==
             0 &&
         type == MEMORY_OF_DEVICE;
}

static void run_session(void *call, void *workspace) {
  const Call *given = call;
  int64_t num_inputs = pruner_network_facts[0];
  int64_t tensors = num_inputs + pruner_network_facts[1];
  void *places[tensors];
  DevicePointer place =
      given->session->memory + (DevicePointer)pruner_network_workspace_bytes();
  for (int64_t n = 0; n < tensors; ++n) {
    int is_input = n < num_inputs;
    const void *own =
        is_input ? given->inputs[n] : given->outputs[n - num_inputs];
    places[n] = is_on_device(own) ? (void *)(uintptr_t)own : pointer_to(place);
    size_t bytes = (size_t)pruner_network_bytes[n];
    int result = is_input && bytes && places[n] != own
                     ? now.cu->upload_async(place, own, bytes, now.stream)
                     : 0;
    if (result != 0)
      pruner_network_leave(pruner_network_driver_error(
          result, "cannot copy input %lld to the device", (long long)n));
    place += (DevicePointer)pruner_network_tensor_bytes(n);
  }
  submit((const void *const *)places, places + num_inputs, workspace);
  for (int64_t n = 0; n < pruner_network_facts[1]; ++n) {
    void *own = given->outputs[n];
    void *there = places[num_inputs + n];
    size_t bytes = (size_t)pruner_network_bytes[num_inputs + n];
    int result =
        bytes && there != own
            ? now.cu->download_async(own, address_of(there), bytes, now.stream)
            : 0;
    if (result != 0)
      pruner_network_leave(pruner_network_driver_error(
          result, "cannot copy output %lld from the device", (long long)n));
  }
  int status = wait_for_status(now.cu, now.status, now.stream);
  if (status != OK)
    pruner_network_leave(status);
}

/// Sets the run of this thread; the workspace with its status is at `memory`.
static void begin(Context *context, void *stream, DevicePointer memory) {
  now.cu = pruner_network_driver();
  now.context = context;
  now.stream = stream;
  now.status = memory + (DevicePointer)pruner_network_status_offset();
}

PRUNER_EXPORT int pruner_run(const void *const *inputs, void *const *outputs) {
  int status = pruner_network_check(inputs, outputs);
  if (status == OK)
    status = pruner_network_enter_context();
  if (status != OK)
    return status;
  Context *context = pruner_network_load_context(&status);
  Session *session =
      context ? pruner_network_take_session(context, &status) : NULL;
  if (session) {
    begin(context, session->stream, session->memory);
    Call call = {inputs, outputs, session};
    status =
        pruner_network_guard(run_session, &call, pointer_to(session->memory));
    // What was submitted before a failure must not use the session any more.
    if (status != OK)
      (void)now.cu->synchronize(session->stream);
    pruner_network_give_session(context, session);
  }
  pruner_network_leave_context();
  return status;
}

PRUNER_EXPORT int pruner_device_load(void) {
  int status = pruner_network_enter_context();
  if (status != OK)
    return status;
  (void)pruner_network_load_context(&status);
  pruner_network_leave_context();
  return status;
}

PRUNER_EXPORT int pruner_device_unload(void) {
  int status = pruner_network_enter_context();
  if (status != OK)
    return status;
  pruner_network_unload_context();
  pruner_network_leave_context();
  return OK;
}

PRUNER_EXPORT int pruner_device_run(const void *const *inputs,
                                    void *const *outputs, void *workspace,
                                    void *stream) {
  int status = pruner_network_check(inputs, outputs);
  if (status == OK && (!workspace || (uintptr_t)workspace % ALIGNMENT))
    status = pruner_network_set_error(
        BAD_ARGUMENT, workspace ? "the workspace is not aligned to 64 bytes"
                                : "the workspace is a null pointer");
  if (status == OK)
    status = pruner_network_enter_context();
  if (status != OK)
    return status;
  Context *context = pruner_network_find_context();
  if (context) {
    begin(context, stream, address_of(workspace));
    Call call = {inputs, outputs, NULL};
    status = pruner_network_guard(submit_call, &call, workspace);
  } else {
    status = pruner_network_set_error(
        BAD_ARGUMENT, "the network is not loaded in the current context: call "
                      "pruner_device_load first");
  }
  pruner_network_leave_context();
  return status;
}

PRUNER_EXPORT int pruner_device_wait(const void *workspace, void *stream) {
  int status = pruner_network_enter_context();
  if (status != OK)
    return status;
  status = wait_for_status(pruner_network_driver(),
                           address_of(workspace) +
                               (DevicePointer)pruner_network_status_offset(),
                           stream);
  pruner_network_leave_context();
  return status;
}

PRUNER_EXPORT int pruner_device_upload(const void *data, int64_t bytes,
                                       void **pointer) {
  int status = pruner_network_enter_context();
  if (status != OK)
    return status;
  const Driver *cu = pruner_network_driver();
  DevicePointer memory = 0;
  // The driver rejects an allocation of no bytes.
  int result = cu->allocate(&memory, bytes > 0 ? (size_t)bytes : 1);
  if (result == 0 && bytes > 0) {
    result = cu->upload(memory, data, (size_t)bytes);
    if (result == 0)
      result = cu->synchronize(NULL);
    if (result != 0)
      (void)cu->deallocate(memory);
  }
  if (result != 0)
    status = pruner_network_driver_error(
        result, "cannot copy %lld bytes to the device", (long long)bytes);
  else
    *pointer = pointer_to(memory);
  pruner_network_leave_context();
  return status;
}

PRUNER_EXPORT int pruner_device_free(void *pointer) {
  int status = pruner_network_enter_context();
  if (status != OK)
    return status;
  int result = pruner_network_driver()->deallocate(address_of(pointer));
  if (result != 0)
    status = pruner_network_driver_error(result, "cannot free device memory");
  pruner_network_leave_context();
  return status;
}

/// No kernel runs on the CPU.
PRUNER_EXPORT void pruner_set_threads(int threads) { (void)threads; }
PRUNER_EXPORT int pruner_threads(void) { return 1; }
PRUNER_EXPORT void pruner_use_openmp(void (*parallel)(void (*)(void *), void *,
                                                      unsigned, unsigned),
                                     int (*thread)(void),
                                     int (*threads)(void)) {
  (void)parallel, (void)thread, (void)threads;
}
