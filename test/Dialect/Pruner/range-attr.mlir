// RUN: pruner-opt %s | pruner-opt | FileCheck %s

// CHECK-LABEL: func.func @ranges(
// CHECK-SAME: %{{.*}}: tensor<?x16xf32> {pruner.range = [#pruner.range<n, 1 to 64>]}
// CHECK-SAME: %{{.*}}: tensor<?x?xi64> {pruner.range = [#pruner.range<n, 1 to 64>, #pruner.range<s, [16, 32]>]}
// CHECK-SAME: pruner.plan = #pruner.plan<n, independent, sizes = [4, 8], functions = [@f4, @f8], from = [1, 5], to = [4, 64], use = [0, 1]>
func.func @ranges(%x: tensor<?x16xf32> {pruner.range = [#pruner.range<n, 1 to 64>]},
                  %y: tensor<?x?xi64> {pruner.range = [#pruner.range<n, 1 to 64>, #pruner.range<s, [16, 32]>]})
    attributes {pruner.plan = #pruner.plan<n, independent, sizes = [4, 8], functions = [@f4, @f8], from = [1, 5], to = [4, 64], use = [0, 1]>} {
  return
}

// CHECK: #pruner.plan<s, sizes = [], functions = [], from = [], to = [], use = []>
func.func private @nothing() attributes {pruner.plan = #pruner.plan<s, sizes = [], functions = [], from = [], to = [], use = []>}
