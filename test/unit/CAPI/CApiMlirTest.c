//===- CApiMlirTest.c - the C interface together with MLIR's --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner-c/Mlir.h"
#include "pruner-c/Task.h"

#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);          \
      return 1;                                                                \
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

/// Counts functions.
static void count(MlirOperation operation, void *userData) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  *(int *)userData += name.length == 9 && !memcmp(name.data, "func.func", 9);
}

static MlirWalkResult visit(MlirOperation operation, void *userData) {
  count(operation, userData);
  return MlirWalkResultAdvance;
}

int main(void) {
  // Use Pruner's interface on a context and a module of MLIR's interface.
  MlirContext mlir = mlirContextCreate();
  PrunerContext context = prunerContextFromMlir(mlir);
  CHECK(mlirContextEqual(prunerContextGetMlir(context), mlir));
  MlirModule parsed =
      mlirModuleCreateParse(mlir, mlirStringRefCreateFromCString(network));
  CHECK(!mlirModuleIsNull(parsed));
  PrunerModule module = prunerModuleFromMlir(context, parsed);
  PrunerTasks tasks = prunerModuleExtractTasks(module);
  CHECK(prunerTasksGetSize(tasks) == 1);
  prunerTasksDestroy(tasks);
  int functions = 0;
  mlirOperationWalk(mlirModuleGetOperation(prunerModuleGetMlir(module)), visit,
                    &functions, MlirWalkPreOrder);
  CHECK(functions == 2);

  // A module of another context is rejected.
  MlirContext other = mlirContextCreate();
  MlirModule foreign = mlirModuleCreateEmpty(mlirLocationUnknownGet(other));
  CHECK(!prunerModuleFromMlir(context, foreign).ptr);
  CHECK(strstr(prunerContextGetError(context),
               "the module belongs to another context"));
  mlirModuleDestroy(foreign);
  mlirContextDestroy(other);

  prunerModuleDestroy(module);
  prunerContextDestroy(context);
  mlirContextDestroy(mlir);
  puts("both interfaces work on the same objects");
  return 0;
}
