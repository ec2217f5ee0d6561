//===- CApiLifetimeTest.c - handles destroyed in any order ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled as C99. Each failed check prints its line; the exit status is the
// number of failures.

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

typedef struct Outer {
  PrunerContext context;
  PrunerModule module;
  int refused, allowed, errors;
} Outer;

static void noteError(PrunerSeverity severity, const char *location,
                      const char *message, void *userData) {
  (void)location, (void)message;
  ((Outer *)userData)->errors += severity == PrunerSeverityError;
}

/// What a callback may do with the module that it is called for.
static bool nest(const PrunerTuneStatus *status, void *userData) {
  Outer *outer = userData;
  size_t length = 0;
  (void)status;
  if (prunerModuleRunPasses(outer->module, "symbol-dce") == PrunerStatusFailure)
    outer->refused +=
        !strcmp(prunerContextGetError(outer->context),
                "the module is used by a call that has not returned");
  outer->refused += prunerModuleLower(outer->module, "cpu", 1) != 0;
  PrunerTasks tasks = prunerModuleExtractTasks(outer->module);
  PrunerModule clone = prunerModuleClone(outer->module);
  outer->allowed +=
      prunerTasksGetSize(tasks) == 1 && clone.ptr &&
      prunerModulePrint(outer->module, count, &length) == PrunerStatusSuccess;
  prunerTasksDestroy(tasks);
  prunerModuleDestroy(clone);
  return true;
}

static void nestInText(const char *text, size_t length, void *userData) {
  Outer *outer = userData;
  (void)text, (void)length;
  outer->refused += prunerModuleRunPasses(outer->module, "symbol-dce") != 0;
}

/// A callback may make other calls, which have errors of their own, but none
/// that changes the module.
static void testNestedCalls(void) {
  Outer outer = {prunerContextCreate(), {NULL}, 0, 0, 0};
  prunerContextSetDiagnosticCallback(outer.context, noteError, &outer);
  outer.module = parse(outer.context);
  CHECK(prunerModuleTune(outer.module,
                         "trials=1 threads=1 model=none finals=false "
                         "network=false",
                         nest, NULL, &outer) == PrunerStatusSuccess);
  CHECK(outer.allowed > 0 && outer.refused == 2 * outer.allowed);
  CHECK(!strcmp(prunerContextGetError(outer.context), ""));
  outer.refused = 0;
  CHECK(prunerModulePrint(outer.module, nestInText, &outer) ==
        PrunerStatusSuccess);
  CHECK(outer.refused > 0);
  CHECK(prunerModuleRunPasses(outer.module, "symbol-dce") ==
        PrunerStatusSuccess);

  // The error of the outer call comes after those of the nested ones.
  outer.allowed = 0;
  CHECK(prunerModuleTune(outer.module,
                         "trials=1 threads=1 model=none builder=exec:false",
                         nest, NULL, &outer) == PrunerStatusFailure);
  CHECK(strstr(prunerContextGetError(outer.context), "builder") != NULL);
  prunerModuleDestroy(outer.module);
  prunerContextDestroy(outer.context);
}

/// Options that cannot be read are errors with a text.
static void testOptions(void) {
  PrunerContext context = prunerContextCreate();
  PrunerModule module = parse(context);
  CHECK(prunerModuleTune(module, "trials=abc", NULL, NULL, NULL) ==
        PrunerStatusFailure);
  CHECK(!strcmp(prunerContextGetError(context),
                "pruner-tune: option 'trials': expected a whole number of at "
                "least 0, but got 'abc'"));
  CHECK(prunerModuleDraft(module, "thread=1") == PrunerStatusFailure);
  CHECK(!strcmp(prunerContextGetError(context),
                "pruner-draft: unknown option 'thread'; did you mean "
                "'threads'?"));
  CHECK(
      prunerModuleRunPasses(module, "canonicalize,pruner-draft{threads=-1}") ==
      PrunerStatusFailure);
  CHECK(!strcmp(prunerContextGetError(context),
                "pruner-draft: option 'threads': expected a whole number of "
                "at least 0, but got '-1'"));
  CHECK(prunerModuleRunPasses(module,
                              "func.func(canonicalize{max-iterations=x})") ==
        PrunerStatusFailure);
  CHECK(prunerModuleRunPasses(
            module, "func.func(canonicalize{max-iterations=2 top-down=true "
                    "disable-patterns=a,b},cse)") == PrunerStatusSuccess);
  prunerModuleDestroy(module);

  // Names may have any bytes, texts are UTF-8.
  CHECK(!prunerModuleParseFile(context, "/no/such/\xff.mlir").ptr);
  CHECK(strstr(prunerContextGetError(context), "/no/such/\xef\xbf\xbd.mlir") !=
        NULL);
  prunerContextDestroy(context);
}

/// The hash shows whether memory has changed, for all numbers of threads.
static void testHash(void) {
  size_t sizes[] = {40 << 20, 5, 0, (1 << 20) + 3}, total = 0;
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
  testNestedCalls();
  testOptions();
  testHash();
  if (!failures)
    puts("handles may be destroyed in any order");
  return failures;
}
