//===- CApiLifetimeTest.c - handles destroyed in any order ----------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled as C99. Each failed check prints its line; the exit status is the
// number of failures.
//
//===----------------------------------------------------------------------===//

#include "pruner-c/Task.h"
#include "pruner-c/Tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);          \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

static const char network[] =
    "func.func @main(%a: tensor<32x48xf32>, %b: tensor<48x32xf32>,\n"
    "    %i: tensor<32x32xf32>) -> tensor<32x32xf32> {\n"
    "  %c = linalg.matmul\n"
    "      ins(%a, %b : tensor<32x48xf32>, tensor<48x32xf32>)\n"
    "      outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>\n"
    "  return %c : tensor<32x32xf32>\n"
    "}\n";

static PrunerModule parse(PrunerContext context) {
  return prunerModuleParse(context, network, strlen(network), "network");
}

static void count(const char *text, size_t length, void *userData) {
  (void)text;
  *(size_t *)userData += length;
}

enum { CONTEXT, MODULE, CLONE, TASKS, MODEL, KINDS };

typedef struct All {
  PrunerContext context;
  PrunerModule module, clone;
  PrunerTasks tasks;
  PrunerTask task;
  PrunerCostModel model;
  bool live[KINDS];
} All;

static void destroy(All *all, int kind) {
  if (kind == CONTEXT)
    prunerContextDestroy(all->context);
  else if (kind == MODULE)
    prunerModuleDestroy(all->module);
  else if (kind == CLONE)
    prunerModuleDestroy(all->clone);
  else if (kind == TASKS)
    prunerTasksDestroy(all->tasks);
  else
    prunerCostModelDestroy(all->model);
  all->live[kind] = false;
}

/// Live handles work, and destroyed ones behave like null handles.
static void use(const All *all, bool hasModel) {
  size_t length = 0;
  CHECK((prunerModulePrint(all->module, count, &length) ==
         PrunerStatusSuccess) == all->live[MODULE]);
  CHECK((length > 0) == all->live[MODULE]);
  CHECK((prunerModuleRunPasses(all->clone, "canonicalize") ==
         PrunerStatusSuccess) == all->live[CLONE]);
  PrunerModule again = prunerModuleClone(all->clone);
  CHECK((again.ptr != NULL) == all->live[CLONE]);
  prunerModuleDestroy(again);

  CHECK(prunerTasksGetSize(all->tasks) == (all->live[TASKS] ? 1 : 0));
  CHECK((prunerTasksGet(all->tasks, 0).ptr != NULL) == all->live[TASKS]);
  CHECK((strlen(prunerTaskGetName(all->task)) > 0) == all->live[TASKS]);
  CHECK((prunerTaskGetFlops(all->task) > 0) == all->live[TASKS]);
  float score;
  CHECK((prunerCostModelPredict(all->model, all->task, "cpu", 1, NULL, 0,
                                &score) == PrunerStatusSuccess) ==
        (all->live[TASKS] && all->live[MODEL]));
  CHECK((strlen(prunerCostModelGetName(all->model)) > 0) ==
        (hasModel && all->live[MODEL]));
  CHECK((parse(all->context).ptr != NULL) == all->live[CONTEXT]);
  if (!all->live[CONTEXT])
    CHECK(!strcmp(prunerContextGetError(all->context),
                  "the context is null or was destroyed"));
}

/// Destroys the objects in permutation number `order`.
static void testOrder(int order, const char *weights) {
  All all;
  memset(&all, 0, sizeof all);
  all.context = prunerContextCreate();
  all.module = parse(all.context);
  all.clone = prunerModuleClone(all.module);
  all.tasks = prunerModuleExtractTasks(all.module);
  all.task = prunerTasksGet(all.tasks, 0);
  if (weights)
    all.model = prunerCostModelLoad(all.context, weights);
  CHECK(all.context.ptr && all.module.ptr && all.clone.ptr && all.task.ptr);
  CHECK(!weights || all.model.ptr);
  int rest[KINDS] = {CONTEXT, MODULE, CLONE, TASKS, MODEL};
  for (int kind = 0; kind < KINDS; ++kind)
    all.live[kind] = kind != MODEL || weights;
  for (int left = weights ? KINDS : KINDS - 1; left > 0; --left) {
    int choice = order % left;
    order /= left;
    destroy(&all, rest[choice]);
    // Destroy it again, after everything else was destroyed.
    for (int kind = 0; kind < KINDS; ++kind)
      if (!all.live[kind])
        destroy(&all, kind);
    rest[choice] = rest[left - 1];
    use(&all, weights != NULL);
  }
}

/// Handles are typed.
static void testTypes(void) {
  PrunerContext context = prunerContextCreate();
  PrunerModule module = parse(context);
  PrunerModule none = {context.ptr};
  PrunerTask task = {module.ptr};
  prunerModuleDestroy(none);
  CHECK(!prunerModuleClone(none).ptr);
  CHECK(!strcmp(prunerTaskGetName(task), ""));
  size_t length = 0;
  CHECK(prunerModulePrint(module, count, &length) == PrunerStatusSuccess);
  prunerModuleDestroy(module);
  prunerContextDestroy(context);
  // Later objects have other handles.
  PrunerContext next = prunerContextCreate();
  CHECK(next.ptr != context.ptr);
  CHECK(!parse(context).ptr);
  prunerContextDestroy(next);
}

typedef struct Held {
  PrunerContext context;
  PrunerModule module;
  int diagnostics, calls;
} Held;

static void heard(PrunerSeverity severity, const char *location,
                  const char *message, void *userData) {
  (void)severity, (void)location, (void)message;
  ++((Held *)userData)->diagnostics;
}

static bool destroyAll(const PrunerTuneStatus *status, void *userData) {
  Held *held = userData;
  (void)status;
  ++held->calls;
  prunerModuleDestroy(held->module);
  prunerContextDestroy(held->context);
  return false;
}

/// A callback may destroy the object that calls it, and is not called after its
/// context was destroyed.
static void testCallbacks(void) {
  Held held = {prunerContextCreate(), {NULL}, 0, 0};
  prunerContextSetDiagnosticCallback(held.context, heard, &held);
  held.module = parse(held.context);
  PrunerModule other = prunerModuleClone(held.module);
  CHECK(prunerModuleRunPasses(other, "nonsense") == PrunerStatusFailure);
  CHECK(held.diagnostics == 1);
  CHECK(prunerModuleTune(held.module, "trials=1 threads=1 model=none",
                         destroyAll, NULL, &held) == PrunerStatusCancelled);
  CHECK(held.calls == 1 && held.diagnostics == 1);
  CHECK(prunerModuleRunPasses(other, "nonsense") == PrunerStatusFailure);
  CHECK(held.diagnostics == 1);
  CHECK(!prunerModuleClone(held.module).ptr);
  prunerModuleDestroy(other);
}

/// The hash changes with the memory, and does not depend on the number of
/// threads.
static void testHash(void) {
  size_t sizes[] = {3 << 20, 5, 0, (1 << 20) + 3}, total = 0;
  const void *blocks[4];
  uint64_t first[2], other[2];
  for (int n = 0; n < 4; ++n)
    total += sizes[n];
  char *memory = calloc(total, 1);
  for (size_t n = 0; n < total; ++n)
    memory[n] = (char)(n * 7 + n / 1000);
  for (size_t n = 0, at = 0; n < 4; at += sizes[n++])
    blocks[n] = memory + at;
  prunerHashMemory(blocks, sizes, 4, 1, first);
  prunerHashMemory(blocks, sizes, 4, 3, other);
  CHECK(first[0] && first[1] && !memcmp(first, other, sizeof first));
  for (size_t at = 0; at < total; at += total / 9 + 1) {
    memory[at] ^= 1;
    prunerHashMemory(blocks, sizes, 4, 2, other);
    CHECK(memcmp(first, other, sizeof first) != 0);
    memory[at] ^= 1;
  }
  // The same bytes in different blocks.
  sizes[0] -= 1, sizes[1] += 1;
  blocks[1] = (const char *)blocks[1] - 1;
  prunerHashMemory(blocks, sizes, 4, 2, other);
  CHECK(memcmp(first, other, sizeof first) != 0);
  prunerHashMemory(NULL, NULL, 0, 0, other);
  CHECK(memcmp(first, other, sizeof first) != 0);
  free(memory);
}

int main(int argc, char **argv) {
  const char *weights = argc > 2 ? argv[2] : NULL;
  int orders = weights ? 120 : 24;
  for (int order = 0; order < orders; ++order)
    testOrder(order, weights);
  testTypes();
  testCallbacks();
  testHash();
  if (!failures)
    puts("handles may be destroyed in any order");
  return failures;
}
