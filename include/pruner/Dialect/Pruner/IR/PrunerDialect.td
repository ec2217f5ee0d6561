//===- PrunerDialect.td - the dialect and its attributes ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_IR_PRUNERDIALECT_TD
#define PRUNER_DIALECT_PRUNER_IR_PRUNERDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Pruner_Dialect : Dialect {
  let name = "pruner";
  let cppNamespace = "::pruner";
  let summary = "Tiled programs that state every loop, buffer and copy";
  let description = [{
    A `pruner` program states a complete multi-level tiling: the order of loops
    and of data movement, every buffer with its memory level, and the extent of
    every band. Nothing is implied. The analytical model therefore reads its
    symbols directly from the program, and lowering is a single walk.

    A program is one `pruner.kernel` in a function on memrefs. The kernel
    contains bands of loops (`pruner.band`), buffers (`pruner.alloc`), copies
    that fill a buffer with a box of a tensor (`pruner.stage`) and statements on
    register tiles (`pruner.compute`).

    Every loop belongs to one dimension of the kernel's iteration domain. Its
    induction variable is an *offset* in that dimension: 0, step, 2*step, and so
    on. The `at` list of an op names the loops whose offsets add up to its
    position. A tile at the end of a domain that it does not divide reaches
    beyond the domain; lowering masks or clamps accesses outside the tensor.

    Discardable attributes on functions:

    * `pruner.task` marks a task. It is a dictionary with `key`, `weight`,
      `flops` and `bytes`. `flops` counts float and integer arithmetic: each
      addition, product, quotient, comparison and function counts as one.
    * `pruner.schedule` (a `#pruner.schedule`) is the schedule of a task.
      `pruner.schedules` is a dictionary of schedules by target.
    * `pruner.applied` is the text of the schedule from which a lowered kernel
      was made. `pruner.seconds` (a float) is the time of one execution when
      that schedule was measured alone.
    * `pruner.work` (a dictionary with `flops`, `bytes` and `loops`, the loop
      extents as text) gives the work of a function that is not a task.
    * `pruner.pack` marks a function that packs a constant into the layout that
      a kernel reads.
    * `pruner.plan` (a `#pruner.plan`) on a function of dynamic shape states
      which functions of static shape replace it, and at which sizes.
    * `pruner.prepares` names a function and marks that the results of this
      function are arguments of the named one.

    Discardable attributes on modules:

    * `pruner.accuracy` (an array of strings) lists the relaxations that
      `pruner-relax-accuracy` may apply: permitted changes of results, in
      addition to the order of sums.

    Discardable attributes on arguments of functions:

    * `pruner.constant` states that the tensor is known before the first call
      and never changes.
    * `pruner.name` is the name of the argument in the model.
    * `pruner.range` (an array with one `#pruner.range` for each dynamic
      dimension, in order) states the sizes that the dynamic dimensions take.
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
    static constexpr ::llvm::StringLiteral getNarrowIndicesAttrName() {
      return "pruner.narrow_indices";
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

def Pruner_LoopKind : Pruner_Enum<"LoopKind", "kind of loop", [
  I32EnumAttrCase<"Core", 0, "core">,
  I32EnumAttrCase<"Block", 1, "block">,
  I32EnumAttrCase<"Thread", 2, "thread">,
  I32EnumAttrCase<"VThread", 3, "vthread">,
  I32EnumAttrCase<"Serial", 4, "serial">,
  I32EnumAttrCase<"Unroll", 5, "unroll">,
  I32EnumAttrCase<"Vector", 6, "vector">,
  I32EnumAttrCase<"Dot", 7, "dot">,
  I32EnumAttrCase<"Rows", 8, "rows">]>;
def Pruner_LoopKindAttr : EnumAttr<Pruner_Dialect, Pruner_LoopKind, "loop_kind">;

def Pruner_MemoryKind : Pruner_Enum<"MemoryKind", "memory level of a buffer", [
  I32EnumAttrCase<"Shared", 1, "shared">,
  I32EnumAttrCase<"Local", 2, "local">]>;
def Pruner_MemoryAttr : EnumAttr<Pruner_Dialect, Pruner_MemoryKind, "memory"> {
  let assemblyFormat = "`<` $value `>`";
}

def Pruner_Role : Pruner_Enum<"Role", "role of a statement", [
  I32EnumAttrCase<"Init", 0, "init">,
  I32EnumAttrCase<"Update", 1, "update">,
  I32EnumAttrCase<"Finish", 2, "finish">,
  I32EnumAttrCase<"Map", 3, "map">]>;
def Pruner_RoleAttr : EnumAttr<Pruner_Dialect, Pruner_Role, "role">;

def Pruner_TargetKind : Pruner_Enum<"TargetKind", "kind of device", [
  I32EnumAttrCase<"Cpu", 0, "cpu">,
  I32EnumAttrCase<"Gpu", 1, "gpu">]>;
def Pruner_TargetKindAttr : EnumAttr<Pruner_Dialect, Pruner_TargetKind, "target">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

def Pruner_ScheduleAttr : AttrDef<Pruner_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "The schedule of one task";
  let description = [{
    A schedule names a sketch and sets its knobs:

    * The sketch is one of:

      | Sketch | Levels, outer to inner |
      |---|---|
      | `cpu_tile` (SSRSRS) | cores, cache tile, outer reduction, register blocks, inner reduction, register tile |
      | `cpu_map` | cores, cache tile, register tile |
      | `cpu_row`, a chain over rows | cores, a loop, several rows at a time |
      | `cpu_chain`, a chain between products | cores, a loop, blocks of register tiles, the register tiles of both products |
      | `simt_tile` (SSSRRSRS) | blocks, virtual threads, threads, outer reduction, inner reduction, register tile in two levels around the innermost reduction |
      | `simt_map` | blocks, threads, elements of a thread |
      | `simt_row`, a reduction across threads or a chain over rows | blocks, threads, rows of a thread; along the reduction: steps, threads, elements of a thread |

    * `tiles`: for each dimension of the task, the factors of all levels
      except the outermost, outer to inner. The outermost trip count is the
      extent divided by the product of the factors, rounded up, so factors need
      not divide the extent. The number of factors per parallel and per
      reduction dimension is 3 and 1 for `cpu_tile`, 4 and 2 for `simt_tile`, 2
      and 1 (elements of a row at a time) for `cpu_row`, 2 and 2 for `simt_row`,
      and 2 (parallel only) for `cpu_map` and `simt_map`. A chain between
      products has rows with 3 factors, elements of a row with 2, terms of the
      first product with none, and columns of the second product with 1.
    * `stages`: for each input of the anchor, one of `none` (read in place),
      `inner` (packed, or copied to shared memory, inside the outer reduction),
      `outer` (the same inside the outermost level, for the whole reduction) and
      `ahead` (packed once, before the first run of the kernel; CPU, constants
      only).
    * `vector`: the number of lanes along one dimension of the register tile
      (CPU), or the number of elements per copy (GPU).
    * `vector_dim`: the dimension of the vector, if it is not the dimension of
      the output's last coordinate. Along a reduction dimension every lane
      accumulates separately, and the lanes are combined at the end.
    * `unroll`: the number of copies of the innermost reduction body (CPU), or
      the largest trip count that is unrolled (GPU).
    * `pad`: the number of elements added to each row of a staged buffer.
    * `order`: the dimensions of the register-block loops, outermost first, if
      they are not in natural order.
    * `split` (split-K; `simt_tile` and `simt_row`): for each reduction
      dimension, the number of parts into which its outermost steps are divided,
      if they are. Different blocks compute the parts, and a second kernel
      combines them.
    * `prefetch`: the distance at which inputs are fetched into the cache, in
      multiples of the rows at a time (`cpu_row`), or 1 to fetch the next panel
      of a packed input while the current one is used, and what the epilogue
      reads of the next register tile (`cpu_tile`).
    * `raster`: the dimension along which consecutive outermost tiles lie, if it
      is not the last parallel one (`cpu_tile`, `simt_tile`).
    * `stream`: 1 to store results around the caches, by non-temporal stores
      (`cpu_tile`, `cpu_map`).
    * `pipeline`: the number of buffers of each input that is staged `inner`, if
      the next slices of the reduction are copied while one slice is used
      (`simt_tile`). Copies through registers use two buffers.
    * `instruction`: the matrix instruction that computes the register tile, if
      it is not vector or scalar arithmetic: one of a CPU, such as `vpdpbusd` or
      `tdpbf16ps` (`cpu_tile`), or one of a warp, such as `mma_m16n8k16_f16`
      (`simt_tile`). `lib/Program/Instructions` has all of them.

    ```mlir
    #pruner.schedule<cpu_tile, tiles = [[1, 16, 6], [1, 8, 16], [256]],
                     stages = [none, inner], vector = 8, unroll = 4>
    ```

    The numbered rules in `Analysis/Legality.h` define which schedules are legal
    for a task on a machine. `pruner-tile` reports the rule that a schedule
    violates.
  }];
  let parameters = (ins
    AttrParameter<"::pruner::Schedule", "the decisions">:$value);
  let hasCustomAssemblyFormat = 1;
}

def Pruner_RangeAttr : AttrDef<Pruner_Dialect, "Range"> {
  let mnemonic = "range";
  let summary = "The sizes that a dynamic dimension takes";
  let description = [{
    A name and either the smallest and the largest size, or all sizes in
    ascending order. Dimensions with the same name have the same size in every
    call. Sizes are positive.

    `pruner.range` of an argument has one entry for each of its dynamic
    dimensions:

    ```mlir
    func.func @main(
        %ids: tensor<1x?xi64> {pruner.range = [#pruner.range<s, 1 to 128>]},
        %x: tensor<?x?xf32> {pruner.range = [#pruner.range<b, [1, 8, 32]>,
                                             #pruner.range<s, 1 to 128>]})
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name of the size">:$name,
    "int64_t":$min, "int64_t":$max,
    OptionalArrayRefParameter<"int64_t", "all sizes; empty for an interval">:$sizes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// /// True if a call may have this size.
    bool contains(int64_t size) const;
  }];
}

def Pruner_PlanAttr : AttrDef<Pruner_Dialect, "Plan"> {
  let mnemonic = "plan";
  let summary = "Which function runs a call of which size";
  let description = [{
    A function of dynamic shape with this attribute runs calls by means of
    functions of static shape, depending on the size called `name`. `sizes` and
    `functions` list the static functions and the size of each. `from`, `to` and
    `use` list intervals of sizes in ascending order, and for each interval the
    index of its function.

    A call of size n runs the function of the interval that contains n:

    * If the function's size is greater than n, the call is padded to it.
    * If the function's size b is smaller than n, the function runs on the first
      b elements, and the remaining n - b are looked up in the same way. This
      requires `independent`: results at one position of the dimension depend
      only on arguments at the same position.
    * If no interval contains n, the function of dynamic shape itself runs the
      call.

    ```mlir
    // Sizes 1 to 8: one run padded to 8. Sizes 9 to 16: a run of 8 and the rest.
    #pruner.plan<n, independent, sizes = [8], functions = [@main_n8],
                 from = [1], to = [16], use = [0]>
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name of the size">:$name,
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
