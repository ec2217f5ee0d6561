//===- Passes.td - passes on the tiling dialect ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_TRANSFORMS_PASSES_TD
#define PRUNER_DIALECT_PRUNER_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def TilePass : Pass<"pruner-tile", "::mlir::ModuleOp"> {
  let summary = "Apply the schedule of every scheduled task";
  let description = [{
    Turns each function with a `pruner.schedule` into the tiled program that the
    schedule describes. The program is in a new function `<name>_kernel` on
    memrefs (the task's arguments in order, then its result). The task keeps its
    signature and calls the new function. Functions without a schedule do not
    change.

    A schedule that violates a rule of `Analysis/Legality.h` for the machine
    `target` is an error that names the rule and both values.

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

def ChooseAlternativesPass
    : Pass<"pruner-choose-alternatives", "::mlir::ModuleOp"> {
  let summary = "Replace parts with several forms by the chosen ones";
  let description = [{
    Replaces each `pruner.alternatives` by the contents of its chosen form (the
    first one without a choice). Erases the private functions that only other
    forms called, and updates the weights of the tasks. All pipelines that lower
    or measure a network run this pass.

    Before:

    ```mlir
    func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
      %0 = pruner.alternatives chosen "joined" -> tensor<8x16xf32>
        form "separate" {
          %1 = func.call @first(%x) : (tensor<8x16xf32>) -> tensor<8x16xf32>
          %2 = func.call @second(%1) : (tensor<8x16xf32>) -> tensor<8x16xf32>
          pruner.results %2 : tensor<8x16xf32>
        }
        form "joined" {
          %1 = func.call @chain(%x) : (tensor<8x16xf32>) -> tensor<8x16xf32>
          pruner.results %1 : tensor<8x16xf32>
        }
      return %0 : tensor<8x16xf32>
    }
    ```

    After:

    ```mlir
    func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
      %0 = call @chain(%x) : (tensor<8x16xf32>) -> tensor<8x16xf32>
      return %0 : tensor<8x16xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numReplaced", "num-replaced",
              "Number of ops replaced by one of their forms">,
  ];
}

def SelectTargetPass : Pass<"pruner-select-target", "::mlir::ModuleOp"> {
  let summary = "Keep the schedules of one target";
  let description = [{
    `pruner-tune` for several targets attaches a dictionary of schedules by
    target (`pruner.schedules`). This pass replaces it by the attributes of one
    target: `pruner.schedule` and, if the schedule was measured,
    `pruner.seconds`. Functions without a schedule for the target only lose the
    dictionary. If no function of the module has a schedule for the target, the
    pass reports an error that lists the targets of the module.

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
           "Target, spelled as in the option 'targets' of pruner-tune">,
  ];
  let statistics = [
    Statistic<"numSelected", "num-selected",
              "Number of functions that received a schedule">,
  ];
}

def PsaPass : Pass<"pruner-psa", "::mlir::ModuleOp"> {
  let summary = "Report the analytical model's estimate for every kernel";
  let description = [{
    Estimates the time of each `pruner.kernel` on the machine `target` with the
    analytical model (the papers call it PSA, the parameterized static analyzer;
    `Analysis/Psa.h`). For each statement it reports the symbols S1 to S8, the
    penalties (the remaining fraction of each peak rate) or, with
    `form=throughput`, the cycles of an SM's pipes and its occupancy, the times
    for computing and for moving data, and the limiting resource. For each
    kernel it reports the total.

    With `format=remarks` the report consists of a remark with two notes at each
    statement and a remark at the kernel:

    ```
    k.mlir:7:5: remark: map arg2: 0.842 us, compute 0.042 + memory 0.8, limited by memory bandwidth: 12288 bytes
    k.mlir:7:5: note: S1 = 0, S2 = 1024, ..., S8 = 1024
    k.mlir:7:5: note: P_l0,m = 1, P_l0,c = 1, P_l1,m = 1, ...
    k.mlir:5:3: remark: 0.842 us on cpu:x, most of it in statement 0
    ```

    With `format=json` the report is one object with the machine's name and a
    list of kernels, on stderr or in the file `output`. `annotate` attaches the
    time and the limit to the operations, as a dictionary `pruner.psa`:

    ```mlir
    pruner.compute map ... attributes {pruner.psa = {
        limit = "memory bandwidth: 12288 bytes", seconds = 8.42e-07 : f64}}
    ```

    Without `annotate` the IR does not change.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "Machine to analyze for: 'cpu', 'nvidia:<arch or name>', "
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
                        "the formulas of the authors' code (GPU kernels)"))}]>,
    Option<"threads", "threads", "int64_t", /*default=*/"0",
           "Cores that run a CPU kernel; 0 = all of the machine's">,
    Option<"annotate", "annotate", "bool", /*default=*/"false",
           "Attach the result to the operations as 'pruner.psa'">,
    Option<"output", "output", "std::string", /*default=*/"\"\"",
           "File for the JSON report; empty = stderr">,
  ];
  let statistics = [
    Statistic<"numKernels", "num-kernels", "Number of kernels analyzed">,
    Statistic<"numStatements", "num-statements",
              "Number of statements analyzed">,
  ];
}

#endif // PRUNER_DIALECT_PRUNER_TRANSFORMS_PASSES_TD
