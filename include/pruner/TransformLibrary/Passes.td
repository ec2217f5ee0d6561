//===- Passes.td - exporters of schedules ------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TRANSFORMLIBRARY_PASSES_TD
#define PRUNER_TRANSFORMLIBRARY_PASSES_TD

include "mlir/Pass/PassBase.td"

def ExportTransformPass : Pass<"pruner-export-transform", "::mlir::ModuleOp"> {
  let summary = "Export the schedules of a module's tasks as a transform "
                "dialect library";
  let description = [{
    Replaces the module by a library for MLIR's transform interpreter. The
    interpreter of an unmodified `mlir-opt` applies the library to the original
    module, without any part of Pruner.

    The option `schedules` names the file with the schedules: the output of
    `pruner-tune` or `pruner-apply-best` with `lower=false`, or a module written
    by hand. Tasks are identified by their keys. The pass extracts the tasks of
    a copy of the module to find the ops of each task.

    For every distinct op from which a scheduled task was made, the library
    contains

    * a matcher `@is_<task>`: the names of the op and of the elementwise ops
      after it, their extents, kinds of loops, attributes (maps, permutations,
      strides), widths of elements, and bodies. It starts at the last of them
      and finds the op through operands. A longer chain has precedence over a
      shorter one;
    * a sequence `@computes_<n>` for every distinct body, which matchers include:
      every op in it, from its yield upwards, with attributes and types, and
      where each operand comes from. There is no handle for an argument of a
      block, so arguments are only distinguished from each other and from other
      values;
    * a sequence `@tune_<task>`: tile sizes as `transform.tune.knob`s with the
      schedule's values selected; loops over cores as `scf.forall`; cache and
      register tiles as `scf.for` with the elementwise ops fused into them; the
      innermost tile as one `vector.contract` per step, or as vectors element by
      element, with the accumulators in registers.

    `@__transform_main` marks the matched ops with the attribute `pruner_task`
    and then runs the sequences. Each knob may be set to any of its options
    independently of the others; the result stays correct.

    A remark at the op names the parts of a schedule that upstream's operations
    cannot express: tiles that do not divide (edges become loops of their own;
    outer tiles shrink to divisors), vectors along a dimension other than the
    output's last, packed buffers without an op that copies, prefetching, and
    non-temporal stores.
    Schedules for GPUs and of chains over rows are not exported; a remark says
    so.

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
    Statistic<"numSites", "num-sites", "Number of ops with a sequence">,
    Statistic<"numMatchers", "num-matchers", "Number of matchers">,
    Statistic<"numLeft", "num-left", "Number of ops of tasks without a sequence">,
  ];
}

def ExportIreeSpecPass : Pass<"pruner-export-iree-spec", "::mlir::ModuleOp"> {
  let summary = "Export the schedules of a module's tasks as an IREE tuning "
                "specification";
  let description = [{
    Writes a tuning specification to the file of the option `output`.
    `iree-compile` reads it with `--iree-codegen-tuning-spec-path`. The module
    does not change. The option `schedules` has the same meaning as for
    `pruner-export-transform`.

    For every distinct contraction or convolution from which a scheduled task
    was made, the specification contains a matcher with its types, index maps
    and extents, and a lowering configuration. IREE matches these ops when it
    generates code, after its own transformations of the network. The input of
    this pass must therefore consist of the ops of IREE's dumped dispatches
    (`pruner_tools.import_iree`).

    For `llvm-cpu` the sketch must be `cpu_tile`. The pipeline is
    DoubleTilingExpert, or ConvTileAndDecomposeExpert for ops with a window:

    | Level of IREE | From the schedule |
    |---|---|
    | `distribution` | cache tiles |
    | `vector_common_parallel` | register tiles |
    | `vector_reduction` | 8 steps for each copy of the loop (`unroll`), limited to one slice and to 512 vector operations; 1 along windows |

    For `cuda` the sketch must be `simt_tile` and the pipeline is TileAndFuse.
    Products of f16 or bf16 get an `mma_kind` and block tiles rounded up to its
    instruction size, shared by as many warps as the schedule has. Other ops get
    `workgroup`, `thread` and `reduction`.

    A remark at the op names tasks that are not exported and parts of a schedule
    that a configuration cannot express.

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
           "Release of IREE that reads the specification, 3.10 to 3.13">,
  ];
  let statistics = [
    Statistic<"numTasks", "num-tasks", "Number of scheduled tasks">,
    Statistic<"numSites", "num-sites", "Number of ops with a matcher">,
    Statistic<"numMatchers", "num-matchers", "Number of matchers">,
    Statistic<"numLeft", "num-left", "Number of ops of tasks without a configuration">,
  ];
}

#endif // PRUNER_TRANSFORMLIBRARY_PASSES_TD
