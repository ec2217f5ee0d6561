//===- Cleanup.td - constants, and what nobody needs -------*- tablegen -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_CONVERSION_NORMALIZE_CLEANUP
#define PRUNER_CONVERSION_NORMALIZE_CLEANUP

include "mlir/Pass/PassBase.td"

def SimplifyModel : Pass<"pruner-simplify-model", "mlir::func::FuncOp"> {
  let summary = "Canonicalize and merge equal ops, except in tasks";
  let description = [{
    What `canonicalize` and `cse` do, but not in functions that are tasks: their
    form is what their key was made from.

    ```mlir
    %0 = tensor.empty() : tensor<4xf32>
    %1 = tensor.empty() : tensor<4xf32>
    // becomes, outside tasks
    %0 = tensor.empty() : tensor<4xf32>
    ```
  }];
}

def EraseUnusedResults
    : Pass<"pruner-erase-unused-results", "mlir::func::FuncOp"> {
  let summary = "Erase results and operands of generics that nobody reads";
  let description = [{
    A maximum along a dimension often comes with the position of the maximum,
    which nobody reads. The result goes, with its init operand and its part of
    the body; operands that appear twice under the same map become one. An init
    operand that the body reads as if it were an input becomes an input.

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

def DeclareConstants : Pass<"pruner-declare-constants", "mlir::ModuleOp"> {
  let summary = "Say which arguments of the network never change";
  let description = [{
    Puts `pruner.constant` on arguments of the public function: those numbered
    in `arguments`, and those that the list of arguments in the file `names`
    (what `pruner_tools.export` writes) does not call inputs. That file's names become
    `pruner.name`. Schedules may then choose another layout for what depends on
    such arguments alone, and `pruner-hoist-constants` moves the work into a
    function that runs once.

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
