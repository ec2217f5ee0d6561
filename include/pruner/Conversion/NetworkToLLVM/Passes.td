//===- Passes.td - networks to buffers and loops -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_NETWORKTOLLVM_PASSES
#define PRUNER_CONVERSION_NETWORKTOLLVM_PASSES

include "mlir/Pass/PassBase.td"
include "pruner/Conversion/NetworkToLLVM/Buffers.td"
include "pruner/Conversion/NetworkToLLVM/Device.td"
include "pruner/Conversion/NetworkToLLVM/Tensors.td"

def HoistConstantsPass : Pass<"pruner-hoist-constants", "mlir::ModuleOp"> {
  let summary = "Compute values that depend only on constant arguments once";
  let description = [{
    For each public function @f with arguments marked `pruner.constant`, the
    operations that depend only on such arguments move into a new function
    @f_prepare. Examples are packing weights for the chosen schedules, the scale
    and the shift of a batch norm, and a transposed weight that several tasks
    read.

    @f takes the results as additional arguments after the others. Constants
    that it no longer reads are removed from its arguments. Reshapes move no
    data and stay in @f. Only tensors of static shape whose element type exists
    in C pass from one function to the other. Scalars that are read from
    constant tensors, and scalars computed from them, are computed in both
    functions; a scalar whose computation needs a loop passes as a tensor. Calls
    of tasks with GPU kernels stay, because @f_prepare is for the CPU. Arguments
    without a `pruner.name` get their number as a name (`arg1`), because the
    numbers change in both functions.

    Before:

    ```mlir
    func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x64xf32> {pruner.constant}) -> tensor<64x64xf32> {
      %p = call @task_pack1(%w) : (tensor<256x64xf32>) -> tensor<4x256x16xf32>
      ...
    ```

    After:

    ```mlir
    func.func @main(%x: tensor<64x256xf32> {pruner.name = "arg0"}, %p: tensor<4x256x16xf32> {pruner.constant, pruner.name = "prepared0"}) -> tensor<64x64xf32> {
      ...
    func.func @main_prepare(%w: tensor<256x64xf32> {pruner.constant, pruner.name = "arg1"}) -> (tensor<4x256x16xf32> {pruner.name = "prepared0"}) attributes {pruner.prepares = @main} {
      %p = call @task_pack1(%w) : (tensor<256x64xf32>) -> tensor<4x256x16xf32>
      return %p : tensor<4x256x16xf32>
    ```
  }];
  let statistics = [
    Statistic<"numHoisted", "hoisted", "Operations moved">,
    Statistic<"numPrepared", "prepared", "Tensors that networks take instead">
  ];
  let dependentDialects = ["mlir::tensor::TensorDialect"];
}

def CheckLowerablePass : Pass<"pruner-check-lowerable", "mlir::ModuleOp"> {
  let summary = "Reject programs that cannot be lowered, before any work is done";
  let description = [{
    Compares every op and every type that the entry reaches with the list of
    those that `pruner-network-to-llvm` lowers (`Lowerable.cpp`): ops of linalg
    and tensor; arith, math and index on scalars; loops and branches; calls of
    functions with a body; the buffers and vectors of kernels; integers, index,
    f16, bf16, f32 and f64. Everything else is an error at the op, which states
    what is unsupported and what was expected. `pruner-tune` for a CPU and the
    lowering of networks begin with this pass.

    For a GPU only the kernels of tasks are lowered. With `target=gpu` the pass
    checks the bodies of all tasks. They must not contain a function for which a
    GPU has no instruction and `pruner-expand-math` no arithmetic (most
    functions of f64, remainders of floats). `pruner-tune` for a GPU checks only
    the tasks that it tunes.

    ```mlir
    %u = linalg.winograd_filter_transform ...
    // error: 'linalg.winograd_filter_transform' op cannot be lowered: Winograd
    // transforms are not supported, expected the convolution
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", "\"\"",
           "The function to begin with; by default, all public ones">,
    Option<"target", "target", "std::string", "\"cpu\"",
           "'cpu': the network; 'gpu': its tasks, as kernels">,
    Option<"launches", "launches", "bool", "false",
           "Accept launches of GPU kernels, for a library that runs on a GPU">
  ];
}

//===----------------------------------------------------------------------===//
// Whole networks
//===----------------------------------------------------------------------===//

def RenameReservedPass : Pass<"pruner-rename-reserved", "mlir::ModuleOp"> {
  let summary = "Rename functions whose names libraries of networks use";
  let description = [{
    Users choose the names of a network's functions. Names that the library
    itself uses (`pruner_run`, `pruner_metadata`, callees of its runtime
    library) and names that LLVM treats as functions of the C library (`malloc`,
    `expf`) get the prefix `network.`, with all their uses. Declarations keep
    their names, because these refer to functions defined elsewhere. If
    `pruner.interface` names such an entry, it gets the new name, and `name`
    keeps the old one.

    Before:
    ```mlir
    module attributes {pruner.interface = {entry = "malloc", ...}} {
      func.func @malloc(%x: tensor<8xf32>) -> tensor<8xf32> {
    ```
    After:
    ```mlir
    module attributes {pruner.interface = {entry = "network.malloc", name = "malloc", ...}} {
      func.func @network.malloc(%x: tensor<8xf32>) -> tensor<8xf32> {
    ```
  }];
  let statistics = [
    Statistic<"numRenamed", "num-renamed", "Number of symbols renamed">
  ];
}

def PrepareNetworkPass : Pass<"pruner-prepare-network", "mlir::ModuleOp"> {
  let summary = "Check a network's entry and bring its tasks into it";
  let description = [{
    A network is a module with one public function (or the one that `entry`
    names) on tensors of static shape. The pass reports an error at the entry if
    it cannot become a library, and an error for functions with a schedule that
    is not applied. Then it

    * writes the types of the entry to the module as `pruner.interface`, because
      lowering loses them;
    * inlines the functions on tensors that the entry calls: the wrappers of
      tuned kernels and the tasks without a kernel. The kernels, which are
      functions on memrefs, stay functions;
    * gives each consumer its own `linalg.fill`, because a shared one would be
      computed once and copied to all;
    * without `device`, erases GPU kernels, which no function launches.

    Before:
    ```mlir
    func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
      %y = call @task(%x) : (tensor<8xf32>) -> tensor<8xf32>
    ```
    After:
    ```mlir
    module attributes {pruner.interface = {entry = "main",
        inputs = [tensor<8xf32>], outputs = [tensor<8xf32>]}} {
      func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
        %b = bufferization.to_buffer %x read_only : tensor<8xf32> to memref<8xf32>
        %out = memref.alloc() : memref<8xf32>
        call @task_kernel(%b, %out) : (memref<8xf32>, memref<8xf32>) -> ()
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"",
           "The network's function; empty: the only public one">,
    Option<"device", "device", "bool", /*default=*/"false",
           "Accept GPU kernels, for a library that runs on a GPU">
  ];
  let statistics = [
    Statistic<"numInlined", "num-inlined", "Number of calls inlined">
  ];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

def PrepareDynamicPass : Pass<"pruner-prepare-dynamic", "mlir::ModuleOp"> {
  let summary = "Give a network of dynamic shape a signature of pointers";
  let description = [{
    The function `entry` on tensors gets the final signature of a network of
    static shape: pointers to its inputs, to the size of the call as an i64, to
    its results, and to a workspace, which it does not use. A pointer is a
    memref of one element. Every dynamic dimension of an argument or a result
    has the size of the call. Other functions become private. `pruner.interface`
    describes the pointers for `pruner-add-entry-point`.

    ```mlir
    func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
      return %x : tensor<?x4xf32>
    // becomes
    func.func @main(%x: memref<1xf32>, %n: memref<1xi64>, %r: memref<1xf32>, %w: memref<1xi8>) {
      %size = ... memref.load %n[%c0] ...
      %in = memref.reinterpret_cast %x to offset: [0], sizes: [%size, 4], strides: [4, 1]
      %t = bufferization.to_tensor %in restrict
      %out = memref.reinterpret_cast %r to offset: [0], sizes: [%size, 4], strides: [4, 1]
      bufferization.materialize_in_destination %t in restrict writable %out
      return
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"\"main\"",
           "The network's function">
  ];
  let dependentDialects = ["mlir::arith::ArithDialect",
                           "mlir::bufferization::BufferizationDialect",
                           "mlir::memref::MemRefDialect"];
}

def LowerChecksPass : Pass<"pruner-lower-checks", "mlir::ModuleOp"> {
  let summary = "Report failed assertions to the caller of a network";
  let description = [{
    A library must not end its process because a token id is out of range. The
    pass replaces `cf.assert` by a call of `pruner_network_fail(message)`, which
    does not return. The runtime library of networks then leaves the network
    with an error code.

    Before:
    ```mlir
    cf.assert %ok, "index out of range"
    ```
    After:
    ```mlir
    scf.if %failed {
      llvm.call @pruner_network_fail(%message) : (!llvm.ptr) -> ()
    }
    ```
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect", "mlir::arith::ArithDialect",
                           "mlir::scf::SCFDialect"];
}

def MarkCallsPass : Pass<"pruner-mark-calls", "mlir::ModuleOp"> {
  let summary = "Insert calls that time the calls of a network";
  let description = [{
    Runs on the LLVM dialect, in the function that `pruner.interface` names.
    After each call of a function with a body and after each copy, also of
    device memory, it inserts a call of `pruner_network_mark(n)`, where n is the
    number of the call, under the condition that `pruner_network_profiled` is
    not 0. The runtime library adds the time since the last mark to call n. A
    mark of -1 precedes a call at the start of a block, and a call with anything
    but arithmetic between it and the previous mark. Parallel regions of the
    function have no marks inside.

    `pruner.interface` gets two more entries. `kernels` is a list of
    dictionaries with `name` and, where they are known, `key`, `flops` and
    `bytes` (from `pruner.task` or `pruner.work`) and `seconds` (from
    `pruner.seconds`). `calls` states which of them each call runs.

    Before:
    ```mlir
    llvm.call @task_kernel(%x, %y) : (!llvm.ptr, !llvm.ptr) -> ()
    llvm.return
    ```
    After:
    ```mlir
      llvm.call @task_kernel(%x, %y) : (!llvm.ptr, !llvm.ptr) -> ()
      %p = llvm.mlir.addressof @pruner_network_profiled : !llvm.ptr
      %v = llvm.load volatile %p : !llvm.ptr -> i32
      %on = llvm.icmp "ne" %v, %zero : i32
      llvm.cond_br %on weights([1, 1048576]), ^mark, ^rest
    ^mark:
      llvm.call @pruner_network_mark(%site) : (i32) -> ()
      llvm.br ^rest
    ^rest:
      llvm.return
    ```
  }];
  let statistics = [Statistic<"numMarks", "num-marks", "Number of marks">];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

def AddEntryPointPass : Pass<"pruner-add-entry-point", "mlir::ModuleOp"> {
  let summary = "Add the entry point that the library of a network calls";
  let description = [{
    Runs on the LLVM dialect. For the function that `pruner.interface` names it
    adds

    * `void pruner_network_entry(const void *const *inputs,
      void *const *outputs, void *workspace)`, which takes the pointers from the
      two arrays;
    * `const int64_t pruner_network_facts[5]`: the numbers of inputs and of
      outputs, the bytes of the workspace, the largest number of threads that a
      kernel can use, and the number of marked calls. `pruner.interface` also
      gets the size of the workspace.

    All functions become internal, so that a network may be called `main`.
  }];
  let dependentDialects = ["mlir::LLVM::LLVMDialect"];
}

#endif // PRUNER_CONVERSION_NETWORKTOLLVM_PASSES
