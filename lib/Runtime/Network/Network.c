//===- Network.c - the common part of all networks ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The interface of every library that `pruner-translate --to=library` links.
// docs/guides/Deploying.md describes it.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "Network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local char text[1024];
static _Thread_local jmp_buf *leave;
/// The status with which the run of this thread was left.
static _Thread_local int left;

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

int pruner_network_guard(void (*body)(void *call, void *workspace), void *call,
                         void *workspace) {
  jmp_buf here;
  jmp_buf *const outer = leave;
  leave = &here;
  left = OK;
  pruner_network_begin();
  if (_setjmp(here) == 0)
    body(call, workspace);
  leave = outer;
  pruner_network_end(left == OK);
  return left;
}

void pruner_network_leave(int status) {
  if (!leave) {
    fprintf(stderr, "pruner: a run failed outside of pruner_run: %s\n", text);
    abort();
  }
  left = status;
  _longjmp(*leave, 1);
}

void pruner_network_fail(const char *message) {
  pruner_network_leave(pruner_network_set_error(CHECK_FAILED, "%s", message));
}

PRUNER_EXPORT const char *pruner_error(void) { return text; }
