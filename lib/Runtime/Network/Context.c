//===- Context.c - a network in CUDA contexts -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The code and the constants are loaded once for each context. Memory for runs
// is kept, because allocating it costs more than a small network.
#include "Device.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ALLOCATION_ALIGNMENT = 256, SHARED_WITHOUT_OPT_IN = 48 * 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// Guarded by `lock`.
static Context *contexts;
static void *primary; // The retained context of device 0.

/// Whether `enter` made the primary context current.
static _Thread_local int is_pushed;

int pruner_network_enter_context(void) {
  const Driver *cu = pruner_network_driver();
  if (!cu)
    return DEVICE_FAILED;
  void *current = NULL;
  int result = cu->current(&current);
  if (result != 0)
    return pruner_network_driver_error(result, "cannot read the context");
  is_pushed = 0;
  if (current)
    return OK;
  pthread_mutex_lock(&lock);
  int device = 0;
  if (!primary)
    result = cu->device(&device, 0);
  if (!primary && result == 0)
    result = cu->retain_primary(&primary, device);
  current = primary;
  pthread_mutex_unlock(&lock);
  if (result == 0)
    result = cu->push(current);
  if (result != 0)
    return pruner_network_driver_error(result, "cannot use device 0");
  is_pushed = 1;
  return OK;
}

void pruner_network_leave_context(void) {
  void *context;
  if (is_pushed)
    (void)pruner_network_driver()->pop(&context);
  is_pushed = 0;
}

static int64_t align(int64_t bytes) {
  return (bytes + ALLOCATION_ALIGNMENT - 1) / ALLOCATION_ALIGNMENT *
         ALLOCATION_ALIGNMENT;
}

int64_t pruner_network_status_offset(void) {
  return (pruner_network_facts[2] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

int64_t pruner_network_workspace_bytes(void) {
  return align(pruner_network_status_offset() + STATUS_BYTES);
}

int64_t pruner_network_tensor_bytes(int64_t tensor) {
  return align(pruner_network_bytes[tensor]);
}

/// Rejects a device that cannot run the code. The driver's own error would not
/// name the missing property.
static int check_device(const Driver *cu) {
  int device = 0, major = 0, minor = 0;
  int result = cu->current_device(&device);
  if (result == 0)
    result = cu->device_attribute(&major, COMPUTE_CAPABILITY_MAJOR, device);
  if (result == 0)
    result = cu->device_attribute(&minor, COMPUTE_CAPABILITY_MINOR, device);
  if (result != 0)
    return pruner_network_driver_error(result, "cannot read the device");
  int64_t wanted = pruner_network_device[0], present = 10 * major + minor;
  int64_t rule = pruner_network_device[1];
  if (rule == SAME_CAPABILITY ? present == wanted
      : rule == SAME_MAJOR    ? present / 10 == wanted / 10 && present >= wanted
                              : present >= wanted)
    return OK;
  char name[128] = "";
  if (cu->device_name(name, sizeof(name) - 1, device) != 0)
    name[0] = 0;
  return pruner_network_set_error(
      DEVICE_FAILED,
      "this network was compiled for %s%s, but device %d, %s, "
      "is sm_%lld",
      pruner_network_chip,
      rule == SAME_CAPABILITY ? " only"
      : rule == SAME_MAJOR    ? " and newer chips of its generation"
                              : " and newer chips",
      device, name, (long long)present);
}

static int load_code(const Driver *cu, Context *context) {
  char log[512] = "";
  int options[] = {ERROR_LOG, ERROR_LOG_BYTES};
  // An integer is passed as a pointer.
  void *values[] = {log, (void *)(uintptr_t)(sizeof(log) - 1)};
  int result = cu->load_module(&context->module, pruner_network_code, 2,
                               options, values);
  if (result != 0) {
    context->module = NULL;
    return pruner_network_driver_error(
        result, "cannot load the code for %s%s%s", pruner_network_chip,
        log[0] ? ": " : "", log);
  }
  int64_t count = pruner_network_device[2];
  context->functions = calloc((size_t)count + 1, sizeof(void *));
  if (!context->functions)
    return pruner_network_set_error(NO_MEMORY, "no memory for %lld kernels",
                                    (long long)count);
  const char *name = pruner_network_kernels;
  for (int64_t n = 0; n < count; ++n, name += strlen(name) + 1) {
    result = cu->find_function(&context->functions[n], context->module, name);
    int64_t shared = pruner_network_shared[n];
    if (result == 0 && shared > SHARED_WITHOUT_OPT_IN)
      result = cu->set_function_attribute(context->functions[n],
                                          MAX_DYNAMIC_SHARED, (int)shared);
    if (result != 0)
      return pruner_network_driver_error(result, "cannot use the kernel '%s'",
                                         name);
  }
  return OK;
}

static int load_constants(const Driver *cu, Context *context) {
  int64_t count = pruner_network_device[3], bytes = pruner_network_device[4];
  if (!count)
    return OK;
  int result = cu->allocate(&context->constants, (size_t)bytes);
  if (result != 0) {
    context->constants = 0;
    return pruner_network_driver_error(
        result, "no device memory for %lld bytes of constants",
        (long long)bytes);
  }
  for (int64_t n = 0; n < count && result == 0; ++n) {
    const Constant *constant = &pruner_network_constants[n];
    result = cu->upload(context->constants + (DevicePointer)constant->offset,
                        constant->data, (size_t)constant->bytes);
  }
  // Runs are in streams that do not wait for copies of the default stream,
  // which may still run when `upload` returns.
  if (result == 0)
    result = cu->synchronize(NULL);
  return result ? pruner_network_driver_error(result, "cannot copy constants")
                : OK;
}

/// Frees what is in the current context.
static void unload(const Driver *cu, Context *context) {
  while (context->spare) {
    Session *session = context->spare;
    context->spare = session->next;
    if (session->stream)
      (void)cu->destroy_stream(session->stream);
    if (session->memory)
      (void)cu->deallocate(session->memory);
    free(session);
  }
  if (context->constants)
    (void)cu->deallocate(context->constants);
  if (context->module)
    (void)cu->unload_module(context->module);
  free(context->functions);
  free(context);
}

/// The current context of the driver.
static int identify(const Driver *cu, Context *context) {
  int result = cu->current(&context->handle);
  if (result == 0 && cu->context_number)
    result = cu->context_number(context->handle, &context->number);
  return result;
}

static Context *find(const Driver *cu) {
  Context wanted = {0};
  if (identify(cu, &wanted) != 0)
    return NULL;
  for (Context *context = contexts; context; context = context->next)
    if (context->handle == wanted.handle && context->number == wanted.number)
      return context;
  return NULL;
}

Context *pruner_network_find_context(void) {
  pthread_mutex_lock(&lock);
  Context *context = find(pruner_network_driver());
  pthread_mutex_unlock(&lock);
  return context;
}

/// Loads the network into the current context.
static Context *load(const Driver *cu, int *status) {
  *status = check_device(cu);
  if (*status != OK)
    return NULL;
  Context *context = calloc(1, sizeof(Context));
  if (!context) {
    *status = pruner_network_set_error(NO_MEMORY, "no memory for a context");
    return NULL;
  }
  int result = identify(cu, context);
  *status = result
                ? pruner_network_driver_error(result, "cannot read the context")
                : load_code(cu, context);
  if (*status == OK)
    *status = load_constants(cu, context);
  if (*status != OK) {
    unload(cu, context);
    return NULL;
  }
  context->next = contexts;
  contexts = context;
  return context;
}

Context *pruner_network_load_context(int *status) {
  const Driver *cu = pruner_network_driver();
  *status = OK;
  pthread_mutex_lock(&lock);
  Context *context = find(cu);
  if (!context)
    context = load(cu, status);
  pthread_mutex_unlock(&lock);
  return context;
}

Session *pruner_network_take_session(Context *context, int *status) {
  pthread_mutex_lock(&lock);
  Session *session = context->spare;
  if (session)
    context->spare = session->next;
  pthread_mutex_unlock(&lock);
  if (session)
    return session;
  const Driver *cu = pruner_network_driver();
  session = calloc(1, sizeof(Session));
  if (!session) {
    *status = pruner_network_set_error(NO_MEMORY, "no memory for a run");
    return NULL;
  }
  int64_t bytes = pruner_network_workspace_bytes();
  for (int64_t n = 0; n < pruner_network_facts[0] + pruner_network_facts[1];
       ++n)
    bytes += pruner_network_tensor_bytes(n);
  int result = cu->allocate(&session->memory, (size_t)bytes);
  if (result != 0) {
    *status = pruner_network_driver_error(
        result, "no device memory for the %lld bytes of a run",
        (long long)bytes);
    free(session);
    return NULL;
  }
  result = cu->create_stream(&session->stream, STREAM_NON_BLOCKING);
  if (result != 0) {
    *status = pruner_network_driver_error(result, "cannot make a stream");
    (void)cu->deallocate(session->memory);
    free(session);
    return NULL;
  }
  return session;
}

void pruner_network_give_session(Context *context, Session *session) {
  pthread_mutex_lock(&lock);
  session->next = context->spare;
  context->spare = session;
  pthread_mutex_unlock(&lock);
}

void pruner_network_unload_context(void) {
  const Driver *cu = pruner_network_driver();
  pthread_mutex_lock(&lock);
  Context *context = find(cu);
  for (Context **place = &contexts; *place; place = &(*place)->next)
    if (*place == context) {
      *place = context->next;
      unload(cu, context);
      break;
    }
  pthread_mutex_unlock(&lock);
}
