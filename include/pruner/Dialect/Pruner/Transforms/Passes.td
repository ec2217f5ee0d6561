//===- Passes.td - passes on the tiling dialect -*- tablegen -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_TRANSFORMS_PASSES_TD
#define PRUNER_DIALECT_PRUNER_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrunerTile : Pass<"pruner-tile", "::mlir::ModuleOp"> {
  let summary = "Apply the schedule of every scheduled task";
  let description = [{
    Turns each function that carries `pruner.schedule` into the tiled program
    that the schedule describes. The program stands in a new function
    `<name>_kernel` on memrefs (the task's arguments in order, then its result);
    the task itself keeps its signature and calls it. Functions without a
    schedule are left alone.

    A schedule that breaks a rule (`Analysis/Legality.h`) for the machine
    `target` is an error that names the rule and both numbers.

    Before:

    ```mlir
    func.func @task(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
        attributes {pruner.schedule = #pruner.schedule<cpu_map,
          tiles = [[1, 1], [1, 8]], stages = [none], vector = 8, unroll = 1>} {
      %e = tensor.empty() : tensor<4x8xf32>
      %r = linalg.exp ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
      return %r : tensor<4x8xf32>
    }
    ```

    After (the kernel):

    ```mlir
    func.func @task_kernel(%arg0: memref<4x8xf32>, %arg1: memref<4x8xf32>) {
      pruner.kernel cpu domain (d0 = 4, d1 = 8) {
        pruner.band core (%i = d0 trips 4 step 1) {
          pruner.compute map at (%i) loops (d0 unroll 1, d1 vector 8) ...
        }
      }
      return
    }
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "Machine that the rules are checked against: 'cpu', 'nvidia:<arch or "
           "name>', 'file:<path>'. Empty: the host for CPU sketches and "
           "nvidia:sm_80 for GPU sketches.">,
  ];
  let statistics = [
    Statistic<"numTiled", "num-tiled", "Number of tasks tiled">,
  ];
  let dependentDialects = [
    "::pruner::PrunerDialect", "::mlir::memref::MemRefDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect"];
}

#endif // PRUNER_DIALECT_PRUNER_TRANSFORMS_PASSES_TD
