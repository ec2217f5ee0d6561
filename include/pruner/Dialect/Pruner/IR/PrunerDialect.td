//===- PrunerDialect.td - the dialect and its attributes -*- tablegen -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DIALECT_PRUNER_IR_PRUNERDIALECT_TD
#define PRUNER_DIALECT_PRUNER_IR_PRUNERDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Pruner_Dialect : Dialect {
  let name = "pruner";
  let cppNamespace = "::pruner";
  let summary = "Multi-level tiled programs, explicit down to every copy";
  let description = [{
    A `pruner` program states a whole multi-level tiling pattern: the temporal
    order of loops and data movement, the buffers and the memory level of each,
    and the extent of every band. Nothing is implied, so the analytical model
    reads its symbols off the program and lowering is a walk.

    A program is one `pruner.kernel` in a function on memrefs. Inside stand
    bands of loops (`pruner.band`), buffers (`pruner.alloc`), copies that fill
    a buffer with a box of a tensor (`pruner.stage`) and statements on register
    tiles (`pruner.compute`).

    Every loop belongs to one dimension of the kernel's iteration domain and
    its induction variable is an *offset* in that dimension: 0, step, 2*step.
    The `at` list of an op names the loops whose offsets add up to its
    position. Tiles at the edge of a domain that does not divide reach beyond
    it; lowering masks or clamps whatever would touch a tensor there.

    Discardable attributes on functions: `pruner.task` (a dictionary with
    `key`, `weight`, `flops`, `bytes`) marks a task: its FLOP are operations of
    float or integer arithmetic, each addition, product, quotient, comparison
    and function one. `pruner.schedule` (a
    `#pruner.schedule`) holds the decision for it. `pruner.applied` is the text
    of the schedule that a lowered kernel was made from, `pruner.seconds` (a
    float) how long one execution took when that schedule was measured alone.
    `pruner.work` (a dictionary with `flops`, `bytes` and `loops`, their extents
    as text) says of a function that is no task what it does. `pruner.pack` marks a
    function that packs a constant into the layout a kernel reads. On arguments
    of functions: `pruner.constant` says that the tensor is known before the
    function runs for the first time and never changes, `pruner.name` how the
    model calls it, `pruner.range` (an array with one `#pruner.range` for each
    dynamic dimension, in order) which sizes its dimensions take. `pruner.plan` (a
    `#pruner.plan`) says which functions of static shape stand for a function of
    dynamic shape at which sizes. `pruner.prepares` marks a function whose results are
    arguments of the one it names.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral getTaskAttrName() {
      return "pruner.task";
    }
    static constexpr ::llvm::StringLiteral getScheduleAttrName() {
      return "pruner.schedule";
    }
    static constexpr ::llvm::StringLiteral getSchedulesAttrName() {
      return "pruner.schedules";
    }
    static constexpr ::llvm::StringLiteral getAppliedAttrName() {
      return "pruner.applied";
    }
    static constexpr ::llvm::StringLiteral getSecondsAttrName() {
      return "pruner.seconds";
    }
    static constexpr ::llvm::StringLiteral getWorkAttrName() {
      return "pruner.work";
    }
    static constexpr ::llvm::StringLiteral getPackAttrName() {
      return "pruner.pack";
    }
    static constexpr ::llvm::StringLiteral getConstantAttrName() {
      return "pruner.constant";
    }
    static constexpr ::llvm::StringLiteral getNameAttrName() {
      return "pruner.name";
    }
    static constexpr ::llvm::StringLiteral getPreparesAttrName() {
      return "pruner.prepares";
    }
    static constexpr ::llvm::StringLiteral getRangeAttrName() {
      return "pruner.range";
    }
    static constexpr ::llvm::StringLiteral getPlanAttrName() {
      return "pruner.plan";
    }
  }];
}

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

class Pruner_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::pruner";
  let genSpecializedAttr = 0;
}

def Pruner_LoopKind : Pruner_Enum<"LoopKind", "what executes a loop", [
  I32EnumAttrCase<"Core", 0, "core">,
  I32EnumAttrCase<"Block", 1, "block">,
  I32EnumAttrCase<"Thread", 2, "thread">,
  I32EnumAttrCase<"VThread", 3, "vthread">,
  I32EnumAttrCase<"Serial", 4, "serial">,
  I32EnumAttrCase<"Unroll", 5, "unroll">,
  I32EnumAttrCase<"Vector", 6, "vector">]>;
def Pruner_LoopKindAttr : EnumAttr<Pruner_Dialect, Pruner_LoopKind, "loop_kind">;

def Pruner_MemoryKind : Pruner_Enum<"MemoryKind", "memory level of a buffer", [
  I32EnumAttrCase<"Shared", 1, "shared">,
  I32EnumAttrCase<"Local", 2, "local">]>;
def Pruner_MemoryAttr : EnumAttr<Pruner_Dialect, Pruner_MemoryKind, "memory"> {
  let assemblyFormat = "`<` $value `>`";
}

def Pruner_Role : Pruner_Enum<"Role", "what a statement is for", [
  I32EnumAttrCase<"Init", 0, "init">,
  I32EnumAttrCase<"Update", 1, "update">,
  I32EnumAttrCase<"Finish", 2, "finish">,
  I32EnumAttrCase<"Map", 3, "map">]>;
def Pruner_RoleAttr : EnumAttr<Pruner_Dialect, Pruner_Role, "role">;

def Pruner_TargetKind : Pruner_Enum<"TargetKind", "what a kernel runs on", [
  I32EnumAttrCase<"Cpu", 0, "cpu">,
  I32EnumAttrCase<"Gpu", 1, "gpu">]>;
def Pruner_TargetKindAttr : EnumAttr<Pruner_Dialect, Pruner_TargetKind, "target">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def Pruner_ScheduleAttr : AttrDef<Pruner_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "The decisions for one task";
  let description = [{
    A schedule names a sketch and fills in its knobs:

    * the sketch: `cpu_tile` (SSRSRS: cores, cache tile, outer reduction,
      register blocks, inner reduction, register tile), `cpu_map` (cores, cache
      tile, register tile), `cpu_row` (a chain over rows: cores, a loop, rows at
      a time), `simt_tile` (SSSRRSRS: blocks, virtual threads,
      threads, outer reduction, inner reduction, and two register levels around
      the innermost reduction), `simt_map` (blocks, threads, elements),
      `simt_row` (cross-thread reduction, also of chains over rows: blocks,
      threads, rows of a thread, and along the reduction steps, threads,
      elements of a thread);
    * `tiles`: per dimension of the anchor the factors of all levels but the
      outermost, outer to inner. The outermost trip count is what remains of
      the extent, rounded up, so factors need not divide it. `cpu_tile` takes 3
      for a parallel and 1 for a reduction dimension, `simt_tile` 4 and 2,
      `cpu_row` 2 and 1 (elements along a row at a time), `cpu_map` and
      `simt_map` 2, `simt_row` 2 and 2;
    * `stages`: per input of the anchor `none` (read in place), `inner` (packed,
      or put in shared memory, inside the outer reduction), `outer` (inside
      the outermost level, for the whole reduction) or `ahead` (packed once,
      before the kernel runs for the first time; CPU, constants only);
    * `vector`: lanes along one dimension of the register tile (CPU), elements
      per copy (GPU); `vector_dim`: that dimension, if it is not the one of the
      output's last coordinate (a reduction dimension makes every lane
      accumulate apart, and the lanes are combined at the end); `unroll`: copies of the innermost reduction body
      (CPU), largest unrolled trip count (GPU); `pad`: elements added to rows of
      staged buffers; `order`: the dimensions of the register-block loops,
      outermost first, if not the natural order; `split`: per reduction
      dimension into how many parts its outermost steps are divided, each part
      for a block of its own, if they are (split-K; `simt_tile` and
      `simt_row`). A second kernel combines the parts; `prefetch`: how many
      times the rows at a time ahead inputs are fetched into the cache
      (`cpu_row`), or 1 to fetch the next panel of a packed input while the
      present one is used (`cpu_tile`); `raster`: the dimension along which the outermost tiles
      follow one another, if not the last parallel one (`cpu_tile`,
      `simt_tile`).

    ```mlir
    #pruner.schedule<cpu_tile, tiles = [[1, 16, 6], [1, 8, 16], [256]],
                     stages = [none, inner], vector = 8, unroll = 4>
    ```

    Which schedules are legal for a task on a machine is said by the numbered
    rules of `Analysis/Legality.h`; `pruner-tile` reports the one that broke.
  }];
  let parameters = (ins
    AttrParameter<"::pruner::Schedule", "the decisions">:$value);
  let hasCustomAssemblyFormat = 1;
}

def Pruner_RangeAttr : AttrDef<Pruner_Dialect, "Range"> {
  let mnemonic = "range";
  let summary = "The sizes that a dynamic dimension takes";
  let description = [{
    A name and either the least and the greatest size, or all sizes in ascending
    order. Dimensions of the same name are of the same size in every call, so
    the name stands for one number of a call. Sizes are positive.

    `pruner.range` of an argument has one for each of its dynamic dimensions:

    ```mlir
    func.func @main(
        %ids: tensor<1x?xi64> {pruner.range = [#pruner.range<s, 1 to 128>]},
        %x: tensor<?x?xf32> {pruner.range = [#pruner.range<b, [1, 8, 32]>,
                                             #pruner.range<s, 1 to 128>]})
    ```
  }];
  let parameters = (ins
    StringRefParameter<"what the size is called">:$name,
    "int64_t":$min, "int64_t":$max,
    OptionalArrayRefParameter<"int64_t", "all sizes; empty for an interval">:$sizes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Whether a call may have this size.
    bool contains(int64_t size) const;
  }];
}

def Pruner_PlanAttr : AttrDef<Pruner_Dialect, "Plan"> {
  let mnemonic = "plan";
  let summary = "Which functions run at which sizes";
  let description = [{
    The function of dynamic shape that has it is run, for the size called
    `name`, by functions of static shape, each made for one size. `sizes` and
    `functions` name them. `from`, `to` and `use` are intervals of sizes in
    ascending order and the number of the function for each. A call of size n
    runs the function of the interval that n is in. If that was made for a
    greater size, the call is padded to it. If it was made for a smaller size b,
    it runs on the first b, and what remains, n - b, is looked up in the same
    way; this is possible where `independent` is said: results at one place of
    the dimension depend on arguments at the same place alone. What is in no
    interval is left to the function of dynamic shape itself.

    ```mlir
    // 1 to 8 by one padded run of 8, 9 to 16 by 8 and the rest.
    #pruner.plan<n, independent, sizes = [8], functions = [@main_n8],
                 from = [1], to = [16], use = [0]>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"what the size is called">:$name,
    DefaultValuedParameter<"bool", "false">:$independent,
    ArrayRefParameter<"int64_t">:$sizes,
    ArrayRefParameter<"::mlir::FlatSymbolRefAttr">:$functions,
    OptionalArrayRefParameter<"int64_t">:$from,
    OptionalArrayRefParameter<"int64_t">:$to,
    OptionalArrayRefParameter<"int64_t">:$use);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // PRUNER_DIALECT_PRUNER_IR_PRUNERDIALECT_TD
