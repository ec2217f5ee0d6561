//===- Network.h - declarations shared by the parts of a network ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RUNTIME_NETWORK_H
#define PRUNER_RUNTIME_NETWORK_H

#include <stdint.h>
#include <time.h>

enum {
  OK = 0,
  BAD_ARGUMENT = 1,
  NO_MEMORY = 2,
  CHECK_FAILED = 3,
  DEVICE_FAILED = 4
};
enum { ALIGNMENT = 64 };

#define PRUNER_EXPORT __attribute__((visibility("default")))

/// Constants that `pruner-add-entry-point` and `pruner-translate` put into the
/// library. facts: inputs, outputs, bytes of workspace, maximum useful threads,
/// call sites.
extern const int64_t pruner_network_facts[5];
void pruner_network_entry(const void *const *inputs, void *const *outputs,
                          void *workspace);

/// Asks the operating system for tile registers (AMX). Returns 0 if they may be
/// used.
int pruner_network_request_tiles(void);

/// Stores a message for pruner_error and returns `status`.
int pruner_network_set_error(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Checks that the pointers of a call are not null and are aligned.
int pruner_network_check(const void *const *inputs, void *const *outputs);

/// Calls `body` with `call` and `workspace`, as one run of the network. Returns
/// OK, or the status with which the run was left.
int pruner_network_guard(void (*body)(void *call, void *workspace), void *call,
                         void *workspace);

/// The same with a workspace in host memory.
int pruner_network_call(void (*body)(void *call, void *workspace), void *call);

/// Leaves the run with a status, whose message is stored already. Must be
/// called on the thread that entered the run.
_Noreturn void pruner_network_leave(int status);

/// Generated code calls this when a check of its inputs fails. Leaves the run.
_Noreturn void pruner_network_fail(const char *message);

/// Not 0 while a profile is recorded. Generated code then calls the mark after
/// each call, with the number of the call site. Before a call it calls the mark
/// with -1 if there was other work since the last mark. Marks count from
/// `begin` to `end`, on the thread that called these. `begin` precedes every
/// run; `end` follows it, with 0 if a failed check left the run.
extern int32_t pruner_network_profiled;
void pruner_network_mark(int32_t site);
void pruner_network_begin(void);
void pruner_network_end(int complete);

/// The time in nanoseconds, from any start.
static inline int64_t pruner_network_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/// The number of threads of a parallel region: the last value set, or else the
/// maximum that is useful and that this process may use.
int pruner_network_threads(void);

#endif // PRUNER_RUNTIME_NETWORK_H
