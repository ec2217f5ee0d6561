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
    Statistic<"numPacked", "num-packed",
              "Number of arguments packed ahead of time">,
  ];
  let dependentDialects = [
    "::pruner::PrunerDialect", "::mlir::memref::MemRefDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::func::FuncDialect"];
}

def PrunerSelectTarget : Pass<"pruner-select-target", "::mlir::ModuleOp"> {
  let summary = "Keep the schedules of one target";
  let description = [{
    What `pruner-tune` leaves for several targets (`pruner.schedules`, a
    dictionary by target) becomes what it leaves for one: the function's
    `pruner.schedule` and, if it was measured, `pruner.seconds`. Functions that
    have no schedule for the target lose the dictionary and stay as they are.
    A target that no function of the module has is an error that names those
    that there are.

    Before:

    ```mlir
    func.func private @task(...) attributes {pruner.schedules = {
      cpu = {schedule = #pruner.schedule<cpu_tile, ...>, seconds = 1.2e-03 : f64},
      "nvidia:sm_80" = {schedule = #pruner.schedule<simt_tile, ...>}}, ...}
    ```

    After (`target=cpu`):

    ```mlir
    func.func private @task(...) attributes {
      pruner.schedule = #pruner.schedule<cpu_tile, ...>, pruner.seconds = 1.2e-03 : f64, ...}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "The target, as the option 'targets' of pruner-tune spelled it">,
  ];
  let statistics = [
    Statistic<"numSelected", "num-selected",
              "Number of functions that got a schedule">,
  ];
}

def PrunerPsa : Pass<"pruner-psa", "::mlir::ModuleOp"> {
  let summary = "Report the draft model's analysis of every kernel";
  let description = [{
    Reads each `pruner.kernel` and estimates its time by parameterized static
    analysis (PSA, `Analysis/Psa.h`) on the machine `target`. Per statement it
    reports the symbols S1 to S8, the penalties (what is left of each peak
    rate) or, with `form=throughput`, the cycles of an SM's pipes and its
    occupancy, the time for computing and for moving data, and what limits the
    statement; per kernel the total.

    With `format=remarks` the report is a remark with two notes at each
    statement and a remark at the kernel:

    ```
    k.mlir:7:5: remark: map arg2: 0.842 us, compute 0.042 + memory 0.8, limited by memory bandwidth: 12288 bytes
    k.mlir:7:5: note: S1 = 0, S2 = 1024, ..., S8 = 1024
    k.mlir:7:5: note: P_l0,m = 1, P_l0,c = 1, P_l1,m = 1, ...
    k.mlir:5:3: remark: 0.842 us on cpu:x, most of it in statement 0
    ```

    With `format=json` it is one object with the machine's name and a list of
    kernels, on stderr or in the file `output`. `annotate` leaves the time and
    the limit on the operations, as a dictionary `pruner.psa`:

    ```mlir
    pruner.compute map ... attributes {pruner.psa = {
        limit = "memory bandwidth: 12288 bytes", seconds = 8.42e-07 : f64}}
    ```

    Without `annotate` the IR is left as it is.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "Machine to analyse for: 'cpu', 'nvidia:<arch or name>', "
           "'file:<path>'. Empty: the host for CPU kernels and nvidia:sm_80 for "
           "GPU kernels.">,
    Option<"format", "format", "::pruner::PsaFormat",
           /*default=*/"::pruner::PsaFormat::Remarks",
           "How to report",
           [{::llvm::cl::values(
             clEnumValN(::pruner::PsaFormat::Remarks, "remarks",
                        "remarks at the operations"),
             clEnumValN(::pruner::PsaFormat::Json, "json",
                        "one JSON object"))}]>,
    Option<"form", "form", "::pruner::PsaForm",
           /*default=*/"::pruner::PsaForm::Throughput",
           "Formulas to use",
           [{::llvm::cl::values(
             clEnumValN(::pruner::PsaForm::Throughput, "throughput",
                        "cycles, occupancy and bytes (GPU kernels)"),
             clEnumValN(::pruner::PsaForm::Paper, "paper",
                        "the paper's six penalties, the sum of both times"),
             clEnumValN(::pruner::PsaForm::Released, "released",
                        "what the authors' code computes (GPU kernels)"))}]>,
    Option<"threads", "threads", "int64_t", /*default=*/"0",
           "Cores that run a CPU kernel; 0 = all of the machine's">,
    Option<"annotate", "annotate", "bool", /*default=*/"false",
           "Leave the result on the operations as 'pruner.psa'">,
    Option<"output", "output", "std::string", /*default=*/"\"\"",
           "File for the JSON report; empty = stderr">,
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Number of kernels analysed">,
    Statistic<"numStatements", "num-statements",
              "Number of statements analysed">,
  ];
}

#endif // PRUNER_DIALECT_PRUNER_TRANSFORMS_PASSES_TD
