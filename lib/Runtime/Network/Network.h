//===- Network.h - what the parts of a network share ----------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RUNTIME_NETWORK_H
#define PRUNER_RUNTIME_NETWORK_H

#include <stdint.h>

enum { OK = 0, BAD_ARGUMENT = 1, NO_MEMORY = 2, CHECK_FAILED = 3 };
enum { ALIGNMENT = 64 };

#define PRUNER_EXPORT __attribute__((visibility("default")))

/// What `pruner-add-entry-point` and `pruner-translate` put into the library.
/// facts: inputs, outputs, bytes of workspace, most useful threads, call sites.
extern const int64_t pruner_network_facts[5];
void pruner_network_entry(const void *const *inputs, void *const *outputs,
                          void *workspace);

/// Leaves a message for pruner_error and returns `status`.
int pruner_network_refuse(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/// Whether the pointers of a call are there and aligned.
int pruner_network_check(const void *const *inputs, void *const *outputs);

/// Runs `body` with `call` and a workspace as one run of the network. Returns
/// what pruner_run does.
int pruner_network_call(void (*body)(void *call, void *workspace), void *call);

/// Called by generated code when a check of its inputs fails. Leaves the
/// network; only ever called on the thread that entered it.
_Noreturn void pruner_network_fail(const char *message);

/// Not 0 while a profile is taken; generated code then calls the mark behind
/// each call, with its site, and in front of it where other work has been done
/// since the last mark, with -1. Marks count from `begin` to `end`, on the
/// thread of these; `begin` comes before every run and `end` after it, with 0
/// where a check left the run.
extern int32_t pruner_network_profiled;
void pruner_network_mark(int32_t site);
void pruner_network_begin(void);
void pruner_network_end(int complete);

/// How many threads a parallel region gets: the last value set, else the most
/// that are useful and that this process may use.
int pruner_network_threads(void);

#endif // PRUNER_RUNTIME_NETWORK_H
