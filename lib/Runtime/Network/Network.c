//===- Network.c - the exported functions of a network --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The interface of every library that `pruner-translate --to=library` links.
// docs/guides/Deploying.md describes it.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local char text[256];
static _Thread_local jmp_buf *leave;

/// The workspace of the last call, kept for the next one, because fresh pages
/// cost more than a small network. Concurrent calls allocate their own.
static _Atomic(void *) spare;

static void *take_workspace(void) {
  void *kept = atomic_exchange(&spare, NULL);
  if (kept)
    return kept;
  size_t bytes = (size_t)pruner_network_facts[2];
  bytes = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
  return aligned_alloc(ALIGNMENT, bytes);
}

static void give_back(void *workspace) {
  free(atomic_exchange(&spare, workspace));
}

__attribute__((destructor)) static void free_spare(void) {
  free(atomic_exchange(&spare, NULL));
}

int pruner_network_set_error(int status, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof(text), format, values);
  va_end(values);
  return status;
}

static int check(const char *what, const void *const *pointers, int64_t count) {
  if (count && !pointers)
    return pruner_network_set_error(
        BAD_ARGUMENT, "%ss: a null pointer instead of %lld pointers", what,
        (long long)count);
  for (int64_t n = 0; n < count; ++n) {
    if (pointers[n] && (uintptr_t)pointers[n] % ALIGNMENT == 0)
      continue;
    return pruner_network_set_error(BAD_ARGUMENT,
                                    pointers[n]
                                        ? "%s %lld is not aligned to 64 bytes"
                                        : "%s %lld is a null pointer",
                                    what, (long long)n);
  }
  return OK;
}

int pruner_network_check(const void *const *inputs, void *const *outputs) {
  text[0] = 0;
  int status = check("input", inputs, pruner_network_facts[0]);
  if (status != OK)
    return status;
  return check("output", (const void *const *)outputs, pruner_network_facts[1]);
}

int pruner_network_call(void (*body)(void *call, void *workspace), void *call) {
  volatile int status = OK;
  void *const workspace = take_workspace();
  if (!workspace)
    return pruner_network_set_error(NO_MEMORY,
                                    "no memory for a workspace of %lld bytes",
                                    (long long)pruner_network_facts[2]);
  jmp_buf here;
  jmp_buf *const outer = leave;
  leave = &here;
  pruner_network_begin();
  if (_setjmp(here) == 0)
    body(call, workspace);
  else
    status = CHECK_FAILED;
  pruner_network_end(status == OK);
  leave = outer;
  give_back(workspace);
  return status;
}

typedef struct {
  const void *const *inputs;
  void *const *outputs;
} Call;

static void run(void *call, void *workspace) {
  const Call *given = call;
  pruner_network_entry(given->inputs, given->outputs, workspace);
}

PRUNER_EXPORT int pruner_run(const void *const *inputs, void *const *outputs) {
  int status = pruner_network_check(inputs, outputs);
  Call call = {inputs, outputs};
  return status == OK ? pruner_network_call(run, &call) : status;
}

void pruner_network_fail(const char *message) {
  snprintf(text, sizeof(text), "%s", message);
  if (!leave) {
    fprintf(stderr, "pruner: a check failed outside of pruner_run: %s\n", text);
    abort();
  }
  _longjmp(*leave, 1);
}

PRUNER_EXPORT const char *pruner_error(void) { return text; }
