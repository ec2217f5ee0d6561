//===- CApiTest.c - the C interface from C --------------------------------===//
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

#define CHECK_SUCCESS(context, call)                                           \
  do {                                                                         \
    if ((call) != PrunerStatusSuccess) {                                       \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,            \
              prunerContextGetError(context));                                 \
      ++failures;                                                              \
    }                                                                          \
  } while (0)

static const char network[] =
    "func.func @main(%a: tensor<32x48xf32>, %b: tensor<48x32xf32>)\n"
    "    -> tensor<32x32xf32> {\n"
    "  %zero = arith.constant 0.0 : f32\n"
    "  %e = tensor.empty() : tensor<32x32xf32>\n"
    "  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<32x32xf32>)\n"
    "      -> tensor<32x32xf32>\n"
    "  %c = linalg.matmul\n"
    "      ins(%a, %b : tensor<32x48xf32>, tensor<48x32xf32>)\n"
    "      outs(%i : tensor<32x32xf32>) -> tensor<32x32xf32>\n"
    "  return %c : tensor<32x32xf32>\n"
    "}\n";

/// A text that grows.
typedef struct Text {
  char *data;
  size_t length;
} Text;

static void append(const char *text, size_t length, void *userData) {
  Text *to = userData;
  to->data = realloc(to->data, to->length + length + 1);
  memcpy(to->data + to->length, text, length);
  to->length += length;
  to->data[to->length] = 0;
}

/// Keeps the first two of several texts.
typedef struct Two {
  char *texts[2];
  size_t count;
} Two;

static void keep(const char *text, size_t length, void *userData) {
  Two *to = userData;
  if (to->count < 2) {
    to->texts[to->count] = calloc(length + 1, 1);
    memcpy(to->texts[to->count], text, length);
  }
  ++to->count;
}

typedef struct Said {
  int errors, others;
  char location[64];
} Said;

static void note(PrunerSeverity severity, const char *location,
                 const char *message, void *userData) {
  Said *said = userData;
  CHECK(message[0] != 0);
  if (severity == PrunerSeverityError) {
    ++said->errors;
    snprintf(said->location, sizeof said->location, "%s", location);
  } else {
    ++said->others;
  }
}

static PrunerModule parse(PrunerContext context, const char *text) {
  return prunerModuleParse(context, text, strlen(text), "network");
}

/// Errors are reported, and the next call works.
static void testErrors(PrunerContext context) {
  Said said = {0, 0, ""};
  prunerContextSetDiagnosticCallback(context, note, &said);
  CHECK(!parse(context, "func.func @main() { return %x : i1 }").ptr);
  CHECK(said.errors > 0);
  CHECK(!strncmp(said.location, "network:1:", 10));
  CHECK(strstr(prunerContextGetError(context), "network:1:"));

  said.errors = 0;
  CHECK(!prunerModuleParseFile(context, "/nowhere.mlir").ptr);
  CHECK(said.errors == 1);
  CHECK(strstr(prunerContextGetError(context), "/nowhere.mlir"));

  // Text that would overflow the stack of a parser.
  size_t depth = 300000;
  char *nested = malloc(depth + 1);
  memset(nested, '[', depth);
  nested[depth] = 0;
  CHECK(!parse(context, nested).ptr);
  CHECK(strstr(prunerContextGetError(context), "rejected"));
  free(nested);

  PrunerModule module = parse(context, network);
  CHECK(module.ptr != NULL);
  CHECK(!strcmp(prunerContextGetError(context), ""));
  CHECK(prunerModuleRunPasses(module, "no-such-pass") == PrunerStatusFailure);
  CHECK(strstr(prunerContextGetError(context), "no-such-pass"));
  CHECK(prunerModuleTune(module, "trails=2", NULL, NULL, NULL) ==
        PrunerStatusFailure);
  CHECK(strstr(prunerContextGetError(context), "trails"));
  CHECK(prunerModuleTune(module, "target=cpo", NULL, NULL, NULL) ==
        PrunerStatusFailure);
  CHECK(strstr(prunerContextGetError(context), "cpo"));
  CHECK(prunerModuleApplyBest(module, "db=/nowhere.db") == PrunerStatusFailure);
  CHECK(strstr(prunerContextGetError(context), "/nowhere.db"));
  CHECK(prunerModuleCompile(module, "", NULL) == PrunerStatusFailure);
  CHECK(prunerModuleCompile(module, "/nowhere/net.so", NULL) ==
        PrunerStatusFailure);
  CHECK(strlen(prunerContextGetError(context)) > 0);
  CHECK(!prunerCostModelLoad(context, "/nowhere.safetensors").ptr);
  CHECK(strstr(prunerContextGetError(context), "/nowhere.safetensors"));
  prunerModuleDestroy(module);
  prunerContextSetDiagnosticCallback(context, NULL, NULL);
}

/// Null handles fail and do not crash.
static void testNull(void) {
  PrunerContext context = {NULL};
  PrunerModule module = {NULL};
  PrunerTasks tasks = {NULL};
  PrunerTask task = {NULL};
  PrunerCostModel model = {NULL};
  CHECK(!parse(context, network).ptr);
  CHECK(prunerModuleRunPasses(module, "cse") == PrunerStatusFailure);
  CHECK(prunerModuleTune(module, "", NULL, NULL, NULL) == PrunerStatusFailure);
  CHECK(!prunerModuleExtractTasks(module).ptr);
  CHECK(!prunerModuleClone(module).ptr);
  CHECK(prunerTasksGetSize(tasks) == 0);
  CHECK(!prunerTasksGet(tasks, 0).ptr);
  CHECK(!strcmp(prunerTaskGetName(task), ""));
  CHECK(prunerTaskExplain(task, "cpu", 1, "", append, NULL) ==
        PrunerStatusFailure);
  CHECK(strlen(prunerContextGetError(context)) > 0);
  prunerCostModelDestroy(model);
  prunerTasksDestroy(tasks);
  prunerModuleDestroy(module);
  prunerContextDestroy(context);
  prunerStopTuning();
}

/// Text and bytecode survive a round trip.
static void testForms(PrunerContext context) {
  PrunerModule module = parse(context, network);
  Text text = {NULL, 0}, bytes = {NULL, 0}, again = {NULL, 0};
  CHECK_SUCCESS(context, prunerModulePrint(module, append, &text));
  CHECK_SUCCESS(context, prunerModuleWriteBytecode(module, append, &bytes));
  CHECK(bytes.length > 4 && !memcmp(bytes.data, "ML\xefR", 4));
  PrunerModule read =
      prunerModuleParse(context, bytes.data, bytes.length, "bytes");
  CHECK_SUCCESS(context, prunerModulePrint(read, append, &again));
  CHECK(again.data && !strcmp(text.data, again.data));
  // Damaged bytecode is rejected.
  CHECK(!prunerModuleParse(context, bytes.data, bytes.length / 2, "half").ptr);
  free(text.data);
  free(bytes.data);
  free(again.data);
  prunerModuleDestroy(read);
  prunerModuleDestroy(module);
}

static void testConstants(PrunerContext context) {
  PrunerModule module = parse(
      context, "func.func @main(%x: tensor<2xf32>, %w: tensor<2xf32> "
               "{pruner.constant, pruner.name = \"w\"}) -> tensor<2xf32> "
               "{ return %w : tensor<2xf32> }");
  const float values[2] = {1, 2};
  Text type = {NULL, 0};
  CHECK_SUCCESS(context,
                prunerModuleGetConstantType(module, "w", append, &type));
  CHECK(type.data && !strcmp(type.data, "tensor<2xf32>"));
  CHECK(prunerModuleGetConstantType(module, "x", append, &type) !=
        PrunerStatusSuccess);
  CHECK(prunerModuleGetConstantType(module, NULL, append, &type) !=
        PrunerStatusSuccess);
  CHECK_SUCCESS(context,
                prunerModuleSetConstant(module, "w", values, sizeof values));
  CHECK(prunerModuleSetConstant(module, "w", values, 4) != PrunerStatusSuccess);
  free(type.data);
  prunerModuleDestroy(module);
}

static void testTasks(PrunerContext context, const char *weights) {
  PrunerModule module = parse(context, network);
  PrunerTasks tasks = prunerModuleExtractTasks(module);
  CHECK(prunerTasksGetSize(tasks) == 1);
  PrunerTask task = prunerTasksGet(tasks, 0);
  CHECK(!prunerTasksGet(tasks, 1).ptr);
  CHECK(strstr(prunerTaskGetName(task), "matmul_32x32x48"));
  CHECK(strlen(prunerTaskGetKey(task)) > 8);
  CHECK(strstr(prunerTaskGetText(task), "linalg"));
  CHECK(prunerTaskGetFlops(task) == 2.0 * 32 * 32 * 48);
  CHECK(prunerTaskGetBytes(task) > 0);
  CHECK(prunerTaskGetWeight(task) == 1);
  CHECK(!strcmp(prunerTaskGetSchedule(task), ""));
  CHECK(prunerTaskGetSeconds(task) == -1);

  Two drawn = {{NULL, NULL}, 0}, same = {{NULL, NULL}, 0};
  CHECK_SUCCESS(context, prunerTaskSample(task, "cpu", 5, 7, keep, &drawn));
  CHECK_SUCCESS(context, prunerTaskSample(task, "cpu", 5, 7, keep, &same));
  CHECK(drawn.count == 5 && same.count == 5);
  CHECK(!strcmp(drawn.texts[0], same.texts[0]));
  CHECK(strcmp(drawn.texts[0], drawn.texts[1]) != 0);

  double seconds[2] = {0, 0};
  const char *schedules[2];
  schedules[0] = drawn.texts[0];
  schedules[1] = drawn.texts[1];
  CHECK_SUCCESS(context,
                prunerTaskPredict(task, "cpu", 1, schedules, 2, seconds));
  CHECK(seconds[0] > 0 && seconds[0] < 1 && seconds[1] > 0);
  Text report = {NULL, 0};
  CHECK_SUCCESS(context, prunerTaskExplain(task, "cpu", 1, schedules[0], append,
                                           &report));
  CHECK(report.data && strstr(report.data, "\"statements\""));
  free(report.data);

  const char *none = "tiles of nothing";
  CHECK(prunerTaskPredict(task, "cpu", 1, &none, 1, seconds) ==
        PrunerStatusFailure);
  CHECK(strstr(prunerContextGetError(context), "tiles of nothing"));
  const char *illegal = "#pruner.schedule<cpu_tile, tiles = [[4, 1, 4], [3, 1, "
                        "8], [32]], stages = [none, none], vector = 3, "
                        "unroll = 4>";
  CHECK(prunerTaskPredict(task, "cpu", 1, &illegal, 1, seconds) ==
        PrunerStatusFailure);
  CHECK(strstr(prunerContextGetError(context), "R"));

  if (weights) {
    PrunerCostModel model = prunerCostModelLoad(context, weights);
    float scores[2] = {0, 0};
    if (!model.ptr)
      fprintf(stderr, "%s\n", prunerContextGetError(context));
    CHECK(!strcmp(prunerCostModelGetName(model), "xgboost"));
    CHECK_SUCCESS(context, prunerCostModelPredict(model, task, "cpu", 1,
                                                  schedules, 2, scores));
    CHECK(scores[0] != scores[1]);
    prunerCostModelDestroy(model);
  }
  for (int n = 0; n < 2; ++n) {
    free(drawn.texts[n]);
    free(same.texts[n]);
  }
  prunerTasksDestroy(tasks);
  prunerModuleDestroy(module);
}

typedef struct Run {
  int calls, stopAfter;
  unsigned trials;
  bool finals;
  Text log;
} Run;

static bool watch(const PrunerTuneStatus *status, void *userData) {
  Run *run = userData;
  ++run->calls;
  if (!strcmp(status->phase, "trials")) {
    run->trials = status->done;
    CHECK(status->total == 2);
  }
  run->finals |= !strcmp(status->phase, "finals");
  CHECK(status->done <= status->total);
  return run->calls != run->stopAfter;
}

static bool stop(const PrunerTuneStatus *status, void *userData) {
  bool goesOn = watch(status, userData);
  prunerStopTuning();
  return goesOn;
}

static void keepLog(const char *text, size_t length, void *userData) {
  append(text, length, &((Run *)userData)->log);
}

static void testTuning(PrunerContext context, const char *directory) {
  char options[512], library[512], database[400];
  snprintf(database, sizeof database, "%s/c-api.db", directory);
  remove(database);
  snprintf(options, sizeof options,
           "trials=2 batch=1 threads=1 model=none db='%s'", database);
  PrunerModule module = parse(context, network);

  // Stopped after the first trial, which is in the database.
  Run ended = {0, 2, 0, false, {NULL, 0}};
  CHECK(prunerModuleTune(module, options, watch, keepLog, &ended) ==
        PrunerStatusCancelled);
  CHECK(ended.calls == 2 && ended.trials == 1 && !ended.finals);
  CHECK(strstr(prunerContextGetError(context), "interrupted"));
  // The request to stop ends with the run.
  CHECK(prunerModuleTune(module, "trials=0", NULL, NULL, NULL) ==
        PrunerStatusFailure);
  // Stopped by another thread, or inside a callback that returns true.
  Run stopped = {0, 0, 0, false, {NULL, 0}};
  CHECK(prunerModuleTune(module, options, stop, NULL, &stopped) ==
        PrunerStatusCancelled);
  CHECK(stopped.calls == 1 && stopped.trials == 1);

  Run run = {0, 0, 0, false, {NULL, 0}};
  CHECK_SUCCESS(context,
                prunerModuleTune(module, options, watch, keepLog, &run));
  CHECK(run.trials == 2 && run.finals);
  CHECK(run.log.data && strstr(run.log.data, "continuing after 1"));
  CHECK(run.log.data && strstr(run.log.data, "speed-up"));
  free(ended.log.data);
  free(run.log.data);

  // The database alone gives the same result.
  PrunerModule applied = parse(context, network);
  snprintf(options, sizeof options, "threads=1 db='%s'", database);
  CHECK_SUCCESS(context, prunerModuleApplyBest(applied, options));
  PrunerTasks tuned = prunerModuleExtractTasks(module);
  PrunerTasks from = prunerModuleExtractTasks(applied);
  CHECK(!strcmp(prunerTaskGetSchedule(prunerTasksGet(tuned, 0)),
                prunerTaskGetSchedule(prunerTasksGet(from, 0))));
  prunerTasksDestroy(tuned);
  prunerTasksDestroy(from);
  prunerModuleDestroy(applied);
  prunerModuleDestroy(module);

  // Draft without measuring and compile to a library; the module is unchanged.
  module = parse(context, network);
  CHECK_SUCCESS(context, prunerModuleDraft(module, "threads=1 population=64"));
  PrunerTasks drafted = prunerModuleExtractTasks(module);
  CHECK(strstr(prunerTaskGetSchedule(prunerTasksGet(drafted, 0)),
               "#pruner.schedule<"));
  prunerTasksDestroy(drafted);
  CHECK_SUCCESS(context, prunerModuleLower(module, "cpu", 1));
  snprintf(library, sizeof library, "%s/c-api.so", directory);
  remove(library);
  CHECK_SUCCESS(context, prunerModuleCompile(module, library, NULL));
  CHECK_SUCCESS(context, prunerModuleCompile(module, library, NULL));
  FILE *made = fopen(library, "rb");
  CHECK(made != NULL);
  if (made)
    fclose(made);
  prunerModuleDestroy(module);
  remove(library);
}

int main(int argc, char **argv) {
  CHECK(prunerAbiVersion() == PRUNER_C_ABI_VERSION);
  CHECK(strchr(prunerVersion(), '.') != NULL);
  CHECK(strspn(prunerCommit(), "0123456789abcdef") == strlen(prunerCommit()));
  CHECK(strchr(prunerLLVMVersion(), '.') != NULL);
  CHECK(strlen(prunerLibraryDirectory()) > 0);
  prunerSetTorchPackage(NULL);
  CHECK(strcmp(prunerTorchConflict("/nonexistent"), "") == 0);
  CHECK(strcmp(prunerTorchConflict(NULL), "") == 0);
  testNull();
  // Each test has its own context, so none relies on what another one loaded.
  for (int test = 0; test < 5; ++test) {
    PrunerContext context = prunerContextCreate();
    CHECK(context.ptr != NULL);
    if (test == 0)
      testErrors(context);
    else if (test == 1)
      testForms(context);
    else if (test == 2)
      testConstants(context);
    else if (test == 3)
      testTasks(context, argc > 2 ? argv[2] : NULL);
    else
      testTuning(context, argc > 1 ? argv[1] : ".");
    prunerContextDestroy(context);
  }
  if (!failures)
    puts("the C interface works");
  return failures;
}
