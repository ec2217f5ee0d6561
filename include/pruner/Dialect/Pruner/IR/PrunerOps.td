//===- PrunerOps.td - operations of the dialect ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DIALECT_PRUNER_IR_PRUNEROPS_TD
#define PRUNER_DIALECT_PRUNER_IR_PRUNEROPS_TD

include "pruner/Dialect/Pruner/IR/PrunerDialect.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"

class Pruner_Op<string mnemonic, list<Trait> traits = []>
    : Op<Pruner_Dialect, mnemonic, traits>;

// The rules of an op that its arguments' constraints do not state have labels,
// which diagnostics and tests use. A label is never reused.

/// An op of a tiled program, which is in the body of a kernel or of a band.
class Pruner_ProgramOp<string mnemonic, list<Trait> traits = []>
    : Pruner_Op<mnemonic, [ParentOneOf<["KernelOp", "BandOp"]>] # traits>;

def Pruner_CountAttr : ConfinedAttr<I64Attr, [IntPositive]>;
def Pruner_IndexAttr : ConfinedAttr<I64Attr, [IntNonNegative]>;
def Pruner_ExtentsAttr
    : ConfinedAttr<DenseI64ArrayAttr, [DenseArrayStrictlyPositive<DenseI64ArrayAttr>]>;
def Pruner_DimsAttr
    : ConfinedAttr<DenseI64ArrayAttr, [DenseArrayNonNegative<DenseI64ArrayAttr>]>;
def Pruner_LoopKindsAttr
    : TypedArrayAttrBase<Pruner_LoopKindAttr, "array of the kinds of loops">;

//===----------------------------------------------------------------------===//
// pruner.kernel
//===----------------------------------------------------------------------===//

def Pruner_KernelOp
    : Pruner_Op<"kernel", [SingleBlock, NoTerminator, NoRegionArguments,
                           RecursiveMemoryEffects]> {
  let summary = "One tiled program and its iteration domain";
  let description = [{
    The body is the whole tiled program. `domain` gives every dimension of the
    anchor statement with its extent; `reduction` marks those along which it
    accumulates. `unroll_max` (GPU only) is the largest number of iterations
    of serial loops that lowering unrolls completely.

    Rules: (K2) there is at least one dimension; (K3) a CPU kernel has no
    `block`, `thread` or `vthread` loops and a GPU kernel has no `core` and no
    `vector` loops; (K4) `unroll_max` is zero in a CPU kernel; (K5) the bodies
    of kernels and bands hold bands, buffers, copies and statements and nothing
    else, so kernels do not nest.

    Example:

    ```mlir
    pruner.kernel cpu domain (d0 = 128, d1 = 64, d2 = 256 reduction) {
    }
    ```
  }];
  let arguments = (ins
    Pruner_TargetKindAttr:$target,
    Pruner_ExtentsAttr:$extents,
    DenseBoolArrayAttr:$reductions,
    DefaultValuedAttr<Pruner_IndexAttr, "0">:$unroll_max);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<EnumKeyword>($target) `domain` custom<Domain>($extents, $reductions)
    (`unroll_max` $unroll_max^)? attr-dict-with-keyword
    custom<KernelBody>($body)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isGpu() { return getTarget() == TargetKind::Gpu; }
    unsigned getNumDims() { return getExtents().size(); }
  }];
}

//===----------------------------------------------------------------------===//
// pruner.band
//===----------------------------------------------------------------------===//

def Pruner_BandOp
    : Pruner_ProgramOp<"band", [SingleBlock, NoTerminator, RecursiveMemoryEffects]> {
  let summary = "A band of perfectly nested loops on one level";
  let description = [{
    All loops of a band have one kind: `core`, `block`, `thread`, `vthread`,
    `serial`, `unroll` or `vector`. The kind states what executes the loop. A
    loop belongs to a dimension of the domain. Its block argument takes the
    offsets 0, step, ..., (trips-1)*step. Loops are listed outermost first. The
    loops of `core`, `block` and `thread` bands are independent.

    Rules: (B1) `dims`, `trips`, `steps` and the block arguments, which are of
    type `index`, are equally many; (B3) the dimension exists in the domain;
    (B4) `core` and `block` bands are outermost, and `thread` bands are
    outermost or nested in a `block` band; (B5) no loop over a reduction
    dimension is in a `core` or `vthread` band; (B6) the kind is not `dot` or
    `rows`, which are loops inside a matrix instruction.

    Threads may share a reduction dimension. An `update` that is at an offset of
    such a loop accumulates one part per thread, each from the neutral element.
    The parts are then combined with the previous contents of the buffer, and
    all of these threads receive the result. All of these threads execute the
    statements that are not at such an offset, but only the first one writes to
    arguments.

    Blocks may share a reduction dimension as well (split-K). Each block
    accumulates a part from the neutral element and stores it at its own
    position of an argument. Another kernel combines the parts.

    Example:

    ```mlir
    pruner.band serial (%i = d0 trips 4 step 32, %j = d1 trips 2 step 32) {
    }
    ```
  }];
  let arguments = (ins
    Pruner_LoopKindAttr:$level,
    Pruner_DimsAttr:$dims,
    Pruner_ExtentsAttr:$trips,
    Pruner_ExtentsAttr:$steps);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
  let skipDefaultBuilders = 1;
  let builders = [OpBuilder<(ins "::pruner::LoopKind":$level,
    "::llvm::ArrayRef<int64_t>":$dims, "::llvm::ArrayRef<int64_t>":$trips,
    "::llvm::ArrayRef<int64_t>":$steps)>];
}

//===----------------------------------------------------------------------===//
// pruner.alloc
//===----------------------------------------------------------------------===//

def Pruner_AllocOp : Pruner_ProgramOp<"alloc"> {
  let summary = "A buffer for a box of a tensor";
  let description = [{
    Holds part of a tensor of shape `shape`, beginning at the offsets of the
    loops in `at`. The tensor may be a value of the kernel that never exists as
    a whole. The `layout` map translates coordinates relative to that origin to
    coordinates of the memref. Each result of the map is a coordinate, its
    `floordiv` or its `mod`. Packed panels and the spread elements of virtual
    threads are therefore ordinary memory.

    Rules: (A1) `layout` has one dimension per entry of `shape` and one result
    per memref dimension; each result is `d`, `d floordiv c`, `d mod c` or `(d
    floordiv c) mod e`; (A2) the memref has static shape, identity layout and a
    memory level; (A3) `at` names induction variables of enclosing bands, each
    once.

    Example:

    ```mlir
    %acc = pruner.alloc "acc" at (%i, %j) shape [128, 64]
        layout affine_map<(d0, d1) -> (d0 floordiv 6, d1, d0 mod 6)>
        : memref<4x16x6xf32, #pruner.memory<local>>
    ```
  }];
  let arguments = (ins
    StrAttr:$name,
    Variadic<Index>:$at,
    Pruner_ExtentsAttr:$shape,
    AffineMapAttr:$layout);
  let results = (outs Res<AnyMemRef, "", [MemAlloc]>:$result);
  let assemblyFormat = [{
    $name `at` ` ` `(` $at `)` `shape` $shape `layout` $layout attr-dict
    `:` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// pruner.packed
//===----------------------------------------------------------------------===//

def Pruner_PackedOp : Pruner_ProgramOp<"packed", [Pure, AllTypesMatch<["source", "result"]>]> {
  let summary = "An argument that was packed before the kernel runs";
  let description = [{
    The memory of `source` holds a tensor of shape `shape` in the order given by
    `layout` (see `pruner.alloc`), beginning with the tensor's first element.
    Elements of the memory after the tensor are zero. Statements of the kernel
    read the result by coordinates of the tensor.

    Rules: A1 of `pruner.alloc`; (P1) `source` is an argument of the kernel's
    function, a memref of static shape.

    Example:

    ```mlir
    %w = pruner.packed %arg1 shape [256, 64]
        layout affine_map<(d0, d1) -> (d1 floordiv 16, d0, d1 mod 16)>
        : memref<4x256x16xf32>
    ```
  }];
  let arguments = (ins
    AnyMemRef:$source,
    Pruner_ExtentsAttr:$shape,
    AffineMapAttr:$layout);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = [{
    $source `shape` $shape `layout` $layout attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// pruner.stage
//===----------------------------------------------------------------------===//

def Pruner_StageOp : Pruner_ProgramOp<"stage", [SingleBlock, AttrSizedOperandSegments]> {
  let summary = "Fills a buffer with a box of a tensor";
  let description = [{
    Copies `box` elements (per coordinate) of a tensor of shape `shape` into a
    new buffer, beginning where `map` takes the offsets of the loops in `at`.
    The body computes one element from one element of each input. The map of an
    input translates coordinates of the staged tensor to coordinates of the
    input. A plain copy yields its argument; a fused producer computes.
    Positions outside of the tensor become zero, or `padding` if it is given (a
    fused `tensor.pad`). If a coordinate of an input is the sum of the buffer's
    innermost coordinate and another one, the staged tensor is a view in which
    windows do not overlap; positions at which the map leaves the input are then
    also outside. The innermost dimension of the buffer may be longer than the
    box; the elements after the box are not written. `threads` threads of a
    block share the work. Each moves `vector` elements at a time where these are
    contiguous and aligned.

    Rules: A1 to A3 of `pruner.alloc`; (T1) one linear map per input, from
    as many dimensions as the tensor has; (T2) `box`, `shape` and the results of
    `map` are equally many, and `map` takes the domain's dimensions and is
    linear; (T3) the body takes one element of each input and yields one of the
    buffer; (T6) `padding` has the buffer's element type; (T7) only a copy
    directly in a `serial` band of a kernel for gpu has several buffers; (T8) only
    such a copy is `async`, and its body yields the element of its only input.
    `operand` is the number of the anchor's input that is staged; the number after
    the last one means the argument of the second product of a chain.

    With `buffers n` the steps of the surrounding band use n buffers in turn, and
    the copies run ahead of the statements. While the statements of a step run,
    `async` copies of the next n - 1 steps are under way. Other copies load the
    box of the next step before these statements and store it after them; they
    use two buffers for any n.

    Example:

    ```mlir
    %b = pruner.stage "B.packed" operand 1 at (%j, %k) box [256, 64]
        of affine_map<(d0, d1, d2) -> (d2, d1)> shape [512, 128]
        layout affine_map<(d0, d1) -> (d1 floordiv 16, d0, d1 mod 16)>
        vector 1 threads 1 ins(%B : memref<512x128xf32>)
        maps [affine_map<(d0, d1) -> (d0, d1)>]
        -> memref<4x256x16xf32, #pruner.memory<local>> {
    ^bb0(%e: f32):
      pruner.yield %e : f32
    }
    ```
  }];
  let arguments = (ins
    StrAttr:$name,
    Variadic<Index>:$at,
    Arg<Variadic<AnyMemRef>, "", [MemRead]>:$inputs,
    Pruner_IndexAttr:$input,
    Pruner_ExtentsAttr:$box,
    AffineMapAttr:$map,
    Pruner_ExtentsAttr:$shape,
    AffineMapAttr:$layout,
    AffineMapArrayAttr:$maps,
    Pruner_CountAttr:$vector,
    Pruner_CountAttr:$threads,
    DefaultValuedAttr<Pruner_CountAttr, "1">:$buffers,
    UnitAttr:$async,
    OptionalAttr<TypedAttrInterface>:$padding);
  let results = (outs Res<AnyMemRef, "", [MemAlloc, MemWrite]>:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name `operand` $input `at` ` ` `(` $at `)` `box` $box `of` $map `shape` $shape
    `layout` $layout (`padding` $padding^)? `vector` $vector `threads` $threads
    (`buffers` $buffers^)? (`async` $async^)?
    `ins` `(` $inputs `:` type($inputs) `)` `maps` $maps attr-dict
    `->` type($result) $body
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// pruner.compute
//===----------------------------------------------------------------------===//

def Pruner_ComputeOp : Pruner_ProgramOp<"compute", [SingleBlock, AttrSizedOperandSegments]> {
  let summary = "A statement on a register tile";
  let description = [{
    Executes the body at every point of the box that `loops` spans, beginning at
    the offsets of the loops in `at`. The loops are listed outermost first; each
    is an offset in one dimension, like a loop of a band. There is one map per
    input and a last one for the output. They take dimensions of the domain to
    coordinates of the tensor that a buffer holds. A buffer with an origin is
    addressed relative to it.

    The body takes one element of each input, for `update` also the element of
    the output as its last argument, and yields the new element of the output.
    `unroll` copies the body of the innermost serial loop. The roles are:

    * `init` starts an accumulator;
    * `update` accumulates along the reduction dimensions that its output map
      does not use;
    * `finish` applies the fused epilogue and writes back;
    * `map` computes an all-parallel anchor.

    `prefetch [d, n]` also fetches data into the cache. A `map` fetches the
    elements of those inputs that are arguments, n further along dimension d. A
    `finish` does the same, except for inputs that do not move along the
    vectors. An `update` fetches a share of the elements of its inputs at that distance; all
    of them are fetched when the innermost band loops that do not move the input
    have ended.

    `nontemporal` stores the output around the caches, so that its lines are not
    read from memory first. Only whole vectors whose index is a multiple of
    their length are stored in this way.

    `paddings [unit, 0.0 : f32]` has one entry per input of an `update`. An
    input with a value may be read outside of its tensor, and has that value
    there.

    With `inside [14, 14] of <map>` only those points of an `update` need to be
    computed at which all results of the map are at least zero and less than
    these extents. At the others a factor is the zero with which its tensor is
    padded, so they add nothing. A program may compute them nevertheless; a sum
    is then NaN if the other factor is infinite or NaN.

    `by "..."` names the matrix instruction of the machine that computes the
    `dot`, `rows` and `vector` loops of an `update`: sums of products of the two
    inputs. `dot` loops over the terms of a sum that it adds up at once, and
    `rows` over the rows of the tile that it computes.

    Rules: (C1) there is one linear map per operand, from the domain's dimensions
    to as many results as the tensor has coordinates; (C2) the dimensions, extents,
    steps and kinds of loops are equally many, the dimensions exist, and no kind
    is `core`, `block`, `thread` or `vthread`; (C3) only the innermost loop may be
    a `vector` loop, and its step is one; (C4) the loops of a buffer's origin
    are in `at`, so the statement is inside the tile that the buffer holds; (C5)
    the body arguments and the result have the element types of the operands;
    (C6) `init`, `map` and `finish` have only loops over those reduction
    dimensions that the output map uses, so every point writes its own element;
    (C8) the body of a statement with a
    `vector` loop over a reduction dimension, or in a `thread` band over one,
    accumulates by one associative operation, because every lane or thread
    starts from its neutral element; (C9) a statement in a `block` band over a
    reduction dimension that writes to an argument has the offset of that loop
    in `at` and its dimension in the output's map, so every block stores its own
    part; (C10) `prefetch` names a parallel dimension and a distance of at least
    one, and is used in a `map`, an `update` or a `finish` of a kernel for cpu; (C11)
    `nontemporal` is used in a `map` or a `finish` of a kernel for cpu that
    writes to an argument; (C12) a statement has a `dot` loop exactly if it has
    an `instruction`; this is a known one, the statement is an `update` of a
    kernel for the instruction's kind of machine (for instructions of warps see
    `include/pruner/Program/WarpInstruction.h`), on a CPU its innermost loops
    are a `dot` loop over a reduction dimension, for tile registers a `rows`
    loop over a parallel one, and a `vector` loop over a parallel one or over one
    that the output map uses, the extents and the element types are those of the
    instruction, the body adds the product of both extended inputs to the output, exactly one input moves
    along the vectors, and the layouts of the inputs have the neighbors along the `dot`
    loop next to each other; sums extend beyond the extent of their dimension
    only in buffers, where an input that moves along the vectors is zero, and so
    is the other one if it has floats; (C13) `paddings` is used in an `update`
    of a kernel for cpu without an instruction, with one entry per input: `unit`
    or a value of the input's element type; an input with a value is an argument
    that is not packed; (C14) `inside` is used in an `update` of a kernel for
    cpu, and has a linear map from the domain's dimensions to as many results as
    there are extents; (A3) as in `pruner.alloc`.

    Example:

    ```mlir
    pruner.compute update at (%i, %j, %k)
        loops (d2 serial 256, d0 unroll 6, d1 unroll 2 step 8, d1 vector 8)
        unroll 4
        ins(%A, %b : memref<128x512xf32>, memref<4x256x16xf32, #pruner.memory<local>>)
        outs(%acc : memref<6x16xf32, #pruner.memory<local>>)
        maps [affine_map<(d0, d1, d2) -> (d0, d2)>,
              affine_map<(d0, d1, d2) -> (d2, d1)>,
              affine_map<(d0, d1, d2) -> (d0, d1)>] {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %0 = arith.mulf %x, %y : f32
      %1 = arith.addf %z, %0 : f32
      pruner.yield %1 : f32
    }
    ```
  }];
  let arguments = (ins
    Pruner_RoleAttr:$role,
    Variadic<Index>:$at,
    Arg<Variadic<AnyMemRef>, "", [MemRead]>:$inputs,
    Arg<AnyMemRef, "", [MemRead, MemWrite]>:$output,
    Pruner_DimsAttr:$loop_dims,
    Pruner_ExtentsAttr:$loop_extents,
    Pruner_ExtentsAttr:$loop_steps,
    Pruner_LoopKindsAttr:$loop_levels,
    DefaultValuedAttr<Pruner_CountAttr, "1">:$unroll,
    OptionalAttr<DenseI64ArrayAttr>:$prefetch,
    UnitAttr:$nontemporal,
    OptionalAttr<StrAttr>:$instruction,
    OptionalAttr<ArrayAttr>:$paddings,
    OptionalAttr<DenseI64ArrayAttr>:$inside,
    OptionalAttr<AffineMapAttr>:$place,
    AffineMapArrayAttr:$maps);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    custom<EnumKeyword>($role) `at` ` ` `(` $at `)`
    `loops` custom<Loops>($loop_dims, $loop_extents, $loop_steps, $loop_levels)
    (`unroll` $unroll^)? (`prefetch` $prefetch^)?
    (`nontemporal` $nontemporal^)? (`by` $instruction^)?
    (`paddings` $paddings^)? (`inside` $inside^ `of` $place)?
    `ins` `(` ($inputs^ `:` type($inputs))? `)`
    `outs` `(` $output `:` type($output) `)`
    `maps` $maps attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getNumLoops() { return getLoopDims().size(); }
    LoopKind getLoopLevel(unsigned loop) {
      return ::llvm::cast<LoopKindAttr>(getLoopLevels()[loop]).getValue();
    }
    ::mlir::AffineMap getMap(unsigned operand) {
      return ::llvm::cast<::mlir::AffineMapAttr>(getMaps()[operand]).getValue();
    }
    ::mlir::AffineMap getOutputMap() { return getMap(getInputs().size()); }
    /// Whether an `update` accumulates along dimension `dim` of the domain.
    bool reducesAlong(unsigned dim);
    /// The value of input `input` outside of its tensor, or null if it is not
    /// padded.
    ::mlir::TypedAttr getPaddingOf(unsigned input) {
      std::optional<::mlir::ArrayAttr> all = getPaddings();
      return all ? ::llvm::dyn_cast<::mlir::TypedAttr>((*all)[input])
                 : ::mlir::TypedAttr();
    }
  }];
}

def Pruner_YieldOp : Pruner_Op<"yield", [Pure, Terminator,
    ParentOneOf<["StageOp", "ComputeOp"]>]> {
  let summary = "The element that a body computes";
  let description = [{
    Ends the body of `pruner.stage` or `pruner.compute`.

    Example:

    ```mlir
    pruner.yield %0 : f32
    ```
  }];
  let arguments = (ins AnyType:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

//===----------------------------------------------------------------------===//
// pruner.alternatives
//===----------------------------------------------------------------------===//

def Pruner_AlternativesOp
    : Pruner_Op<"alternatives", [SingleBlock, NoRegionArguments,
                                 RecursiveMemoryEffects]> {
  let summary = "Several forms of a part of a program, one of which is executed";
  let description = [{
    Each form computes the same tensors, for example attention as three tasks
    or as one. The forms differ at most by the order of sums and by what the
    program's `pruner.accuracy` allows. They may use all values that are visible
    at the op.

    The tuner measures the tasks of all forms and then sets `chosen` to the
    fastest form. The choice can be edited. Without `chosen`, the first form is
    executed. `pruner-choose-alternatives` replaces the op by the contents of
    that form.

    Rules: (F1) there are at least two forms, and they have one unique name
    each; (F2) `chosen` is one of these names; (F3) each form ends with
    `pruner.results`, whose operands have the types of the op's results.

    Example:

    ```mlir
    %1 = pruner.alternatives chosen "joined" -> tensor<8x16xf32>
      form "separate" {
        %2 = func.call @scores(%0) : (tensor<8x16xf32>) -> tensor<8x8xf32>
        %3 = func.call @weighted(%2, %0) : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
        pruner.results %3 : tensor<8x16xf32>
      }
      form "joined" {
        %2 = func.call @chain(%0) : (tensor<8x16xf32>) -> tensor<8x16xf32>
        pruner.results %2 : tensor<8x16xf32>
      }
    ```
  }];
  let arguments = (ins
    TypedArrayAttrBase<StrAttr, "array of the names of the forms">:$names,
    OptionalAttr<StrAttr>:$chosen);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region VariadicRegion<SizedRegion<1>>:$forms);
  let assemblyFormat = [{
    (`chosen` $chosen^)? attr-dict-with-keyword (`->` type($results)^)?
    custom<Forms>($names, $forms)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The position of the form that is executed.
    unsigned getChosenIndex();
  }];
}

def Pruner_ResultsOp : Pruner_Op<"results", [Pure, Terminator,
    HasParent<"AlternativesOp">]> {
  let summary = "The tensors that a form of a part of a program computes";
  let description = [{
    Ends a form of `pruner.alternatives`.

    Example:

    ```mlir
    pruner.results %0, %1 : tensor<8x16xf32>, tensor<8xf32>
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // PRUNER_DIALECT_PRUNER_IR_PRUNEROPS_TD
