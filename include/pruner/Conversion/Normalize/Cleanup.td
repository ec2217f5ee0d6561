//===- Cleanup.td - constants and unused values ------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_NORMALIZE_CLEANUP
#define PRUNER_CONVERSION_NORMALIZE_CLEANUP

include "mlir/Pass/PassBase.td"

def SimplifyModelPass : Pass<"pruner-simplify-model", "mlir::func::FuncOp"> {
  let summary = "Canonicalize and merge equal ops, except in tasks";
  let description = [{
    Does what `canonicalize` and `cse` do, except in functions that are tasks:
    the key of a task is a hash of its exact form.

    ```mlir
    %0 = tensor.empty() : tensor<4xf32>
    %1 = tensor.empty() : tensor<4xf32>
    // becomes, outside tasks
    %0 = tensor.empty() : tensor<4xf32>
    ```
  }];
}

def EraseUnusedResultsPass
    : Pass<"pruner-erase-unused-results", "mlir::func::FuncOp"> {
  let summary = "Erase unused results and operands of generics";
  let description = [{
    A maximum along a dimension often comes with the position of the maximum,
    which nothing reads. The pass erases the unused result with its init operand
    and its part of the body. Operands that appear twice under the same map
    become one. An init operand that the body reads as if it were an input
    becomes an input.

    ```mlir
    %m:2 = linalg.generic ... outs(%a, %b : tensor<8xf32>, tensor<8xi64>)
    // becomes, when %m#1 has no reader
    %m = linalg.generic ... outs(%a : tensor<8xf32>)
    ```
  }];
  let statistics = [
    Statistic<"numResults", "results", "Results erased">,
    Statistic<"numOperands", "operands", "Operands erased">
  ];
}

def DeclareConstantsPass : Pass<"pruner-declare-constants", "mlir::ModuleOp"> {
  let summary = "Mark the arguments of the network that never change";
  let description = [{
    Adds `pruner.constant` to arguments of the public function: those numbered
    in `arguments`, and those that the file `names` does not list with the kind
    `input`. `pruner_tools.export` writes such a file. The names in the file
    become `pruner.name`. Schedules may then choose another layout for tensors
    that depend only on such arguments, and `pruner-hoist-constants` moves the
    packing into a function that runs once.

    ```mlir
    func.func @main(%x: tensor<1x64xf32>, %w: tensor<64x32xf32>) -> tensor<1x32xf32>
    // with arguments=1
    func.func @main(%x: tensor<1x64xf32>, %w: tensor<64x32xf32> {pruner.constant}) -> tensor<1x32xf32>
    ```
  }];
  let options = [
    Option<"arguments", "arguments", "std::string", "\"\"",
           "Numbers and ranges of constant arguments: 1-5,8">,
    Option<"names", "names", "std::string", "\"\"",
           "JSON file with an array 'arguments' of objects with 'name' and "
           "'kind'">,
    Option<"entry", "entry", "std::string", "\"\"",
            "The network's function; empty: the only public one">
  ];
  let statistics = [
    Statistic<"numDeclared", "declared", "Arguments declared constant">
  ];
}

#endif // PRUNER_CONVERSION_NORMALIZE_CLEANUP
