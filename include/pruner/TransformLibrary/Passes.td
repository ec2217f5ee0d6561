//===- Passes.td - schedules for the transform interpreter -*- tablegen -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TRANSFORMLIBRARY_PASSES_TD
#define PRUNER_TRANSFORMLIBRARY_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrunerExportTransform : Pass<"pruner-export-transform", "::mlir::ModuleOp"> {
  let summary = "Write the schedules of a module's tasks as a library of "
                "upstream transformations";
  let description = [{
    Replaces the module by a library for MLIR's transform interpreter. The
    interpreter of a stock `mlir-opt` applies it to the module as it was, before
    Pruner touched it; nothing of Pruner is needed for that.

    The schedules come from the file of the option `schedules`: what
    `pruner-tune` or `pruner-apply-best` leave with `lower=false`, or a person
    wrote. Tasks are told apart by their keys. Where each task came from is
    found by extracting the tasks of a copy of the module.

    The library holds, for every distinct op that a scheduled task was made from,

    * a matcher `@is_<task>`: the names of the op and of the elementwise ops
      behind it, their extents, kinds of loops, widths of elements, bodies,
      strides and dilations. It starts at the last of them and finds the op
      through operands. What a longer chain takes, it takes from shorter ones;
    * a sequence `@tune_<task>`: tile sizes as `transform.tune.knob`s with the
      schedule's selected; loops over cores as `scf.forall`, cache and register
      tiles as `scf.for`, the elementwise ops fused into them; the innermost
      tile as one `vector.contract` a step, or vectors element by element, with
      the accumulators in registers throughout.

    `@__transform_main` marks what the matchers find, with the attribute
    `pruner_task`, and then runs the sequences. Each knob may be set to any of
    its options alone; the result stays right.

    What upstream's operations cannot say is named by a remark at the op: tiles
    that do not divide (edges become loops of their own; outer tiles shrink to
    divisors), vectors along other dimensions than the output's last, buffers
    packed without an op that copies, prefetching. Schedules for GPUs and of
    chains over rows are not exported, with a remark.

    ```mlir
    %0 = linalg.matmul ins(%a, %b : tensor<128x512xf32>, tensor<512x512xf32>)
                       outs(%zero : tensor<128x512xf32>) -> tensor<128x512xf32>
    ```

    with `#pruner.schedule<cpu_tile, tiles = [[1, 16, 8], [1, 4, 32], [512]],
    stages = [none, none], vector = 16, unroll = 1>` becomes

    ```mlir
    transform.named_sequence @tune_matmul_128x512x512_d5fb2ffa(%arg0: !transform.any_op {transform.consumed}) {
      %0 = transform.structured.generalize %arg0 : ...
      ...
      %4 = transform.tune.knob<"core d1"> = 128 : i64 from options = [32, 64, 128, 256] -> !transform.param<i64>
      %tiled_op, %forall_op = transform.structured.tile_using_forall %0 tile_sizes [0, %4] : ...
    ```
  }];
  let options = [
    Option<"schedules", "schedules", "std::string", "\"\"",
           "Module with the scheduled tasks">,
  ];
  let statistics = [
    Statistic<"numTasks", "num-tasks", "Number of scheduled tasks">,
    Statistic<"numSites", "num-sites", "Number of ops that a sequence is for">,
    Statistic<"numMatchers", "num-matchers", "Number of matchers">,
    Statistic<"numLeft", "num-left", "Number of ops of tasks that are left as they were">,
  ];
}

def PrunerExportIreeSpec : Pass<"pruner-export-iree-spec", "::mlir::ModuleOp"> {
  let summary = "Write the schedules of a module's tasks as a tuning "
                "specification of IREE";
  let description = [{
    Writes a tuning specification, which `iree-compile` takes with
    `--iree-codegen-tuning-spec-path`, to the file of the option `output`, and
    leaves the module as it is. The schedules come from the file of the option
    `schedules`, as those of `pruner-export-transform` do.

    For every distinct contraction or convolution that a scheduled task was made
    from there is a matcher with its types, index maps and extents, and a
    lowering configuration. IREE looks for these ops when it generates code,
    behind its own transformations of the network; the ops to give this pass are
    therefore those of the dispatches that it dumps (`pruner_tools.import_iree`).

    For `llvm-cpu` the sketch is `cpu_tile` and the pipeline is
    DoubleTilingExpert, or ConvTileAndDecomposeExpert for what has a window:

    | Level of IREE | From the schedule |
    |---|---|
    | `distribution` | cache tiles |
    | `vector_common_parallel` | register tiles |
    | `vector_reduction` | 8 steps for each copy of the loop (`unroll`), at most a slice or 512 vector operations; 1 along windows |

    For `cuda` the sketch is `simt_tile` and the pipeline is TileAndFuse:
    products of f16 or bf16 get an `mma_kind`, and tiles of blocks that are
    rounded up to its instructions, shared by as many warps as the schedule has;
    others get `workgroup`, `thread` and `reduction`.

    A remark at the op names what is not exported, and what a configuration
    cannot say.

    ```mlir
    transform.named_sequence @match_matmul_128x256x512_...(%op: !transform.any_op {transform.readonly}) -> (!transform.any_op, !transform.any_param) {
      %batch, %m, %n, %k = transform.iree.match.contraction %op, lhs_type = f32, ...
      transform.iree.match.dims_equal %m, [128] : !transform.param<i64>
      ...
      %config = transform.param.constant #iree_codegen.compilation_info<lowering_config =
        #iree_cpu.lowering_config<distribution = [14, 64, 0], ...
    ```
  }];
  let options = [
    Option<"schedules", "schedules", "std::string", "\"\"",
           "Module with the scheduled tasks">,
    Option<"output", "output", "std::string", "\"\"",
           "File for the specification; '-' is standard output">,
    Option<"target", "target", "std::string", "\"llvm-cpu\"",
           "IREE's backend: 'llvm-cpu' or 'cuda'">,
    Option<"ireeVersion", "iree-version", "std::string", "\"3.13\"",
           "Release of IREE that reads it, 3.10 to 3.13">,
  ];
  let statistics = [
    Statistic<"numTasks", "num-tasks", "Number of scheduled tasks">,
    Statistic<"numSites", "num-sites", "Number of ops that a matcher is for">,
    Statistic<"numMatchers", "num-matchers", "Number of matchers">,
    Statistic<"numLeft", "num-left", "Number of ops of tasks that IREE decides about">,
  ];
}

#endif // PRUNER_TRANSFORMLIBRARY_PASSES_TD
