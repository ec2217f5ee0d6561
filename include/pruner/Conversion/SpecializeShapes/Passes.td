//===- Passes.td - static shapes for dynamic ones ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_CONVERSION_SPECIALIZESHAPES_PASSES
#define PRUNER_CONVERSION_SPECIALIZESHAPES_PASSES

include "mlir/Pass/PassBase.td"

def SpecializeShapesPass : Pass<"pruner-specialize-shapes", "mlir::ModuleOp"> {
  let summary = "Make functions of static shape for chosen sizes of a network";
  let description = [{
    For each size in `sizes` the pass copies the function with `pruner.range`
    and makes the dimensions of that name static in the copy. Calls of other
    sizes are padded to the next larger one. The copy masks padding where it
    reduces over the dimension. If the function computes with the size, for
    example as the divisor of a mean, the copy takes the size of the call as one
    more argument. If nothing reduces over the dimension and nothing computes
    with it (a batch), a call may also run in pieces, and the plan uses the
    fastest sum of sizes.

    ```mlir
    func.func @main(%x: tensor<?x4xf32> {pruner.range = [#pruner.range<n, 1 to 16>]})
        -> tensor<4xf32> {
      %sum = linalg.generic ... ins(%x : tensor<?x4xf32>) // reduces over n
    }
    // becomes, with sizes=16
    func.func @main(%x: tensor<?x4xf32> {pruner.range = [#pruner.range<n, 1 to 16>]})
        -> tensor<4xf32> attributes {pruner.plan = #pruner.plan<n, sizes = [16],
          functions = [@main_n16], from = [1], to = [16], use = [0]>} { ... }
    func.func @main_n16(%x: tensor<16x4xf32>, %n: tensor<i64>) -> tensor<4xf32> {
      %mask = linalg.generic outs(%empty : tensor<16xi1>) // index < n
      %y = linalg.generic ins(%x, %mask : ...)            // select, 0 where masked
      %sum = linalg.generic ... ins(%y : tensor<16x4xf32>)
    }
    ```

    Without `sizes` the pass uses the sizes that `pruner-choose-sizes` stored in
    `pruner.representatives` or, without these, the sizes that the range lists.
    If a function cannot be padded because it concatenates or shifts along the
    dimension, the copies run only their exact sizes, and the pass emits a
    remark at the op. The function of dynamic shape runs all other sizes, and
    sizes beyond the largest.
  }];
  let options = [
    ListOption<"sizes", "sizes", "int64_t",
               "The sizes to make functions for">,
    Option<"entry", "entry", "std::string", "\"\"",
           "The function; empty: the only public one with pruner.range">
  ];
  let statistics = [
    Statistic<"numFunctions", "functions", "Functions of static shape">,
    Statistic<"numPadded", "padded", "Functions that run several sizes">
  ];
}

#endif // PRUNER_CONVERSION_SPECIALIZESHAPES_PASSES
