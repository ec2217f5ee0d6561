// RUN: pruner-opt %s --pruner-declare-constants=arguments=1 | FileCheck %s --check-prefix=NUMBER
// RUN: pruner-opt %s --pruner-declare-constants=names=%S/Inputs/two.args.json | FileCheck %s --check-prefix=NAMES
// RUN: not pruner-opt %s --pruner-declare-constants=arguments=1-2 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not pruner-opt %s --pruner-declare-constants=arguments=x 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not pruner-opt %s --pruner-declare-constants=entry=other 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not pruner-opt %s --pruner-declare-constants=names=%t.none 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: echo '{"arguments": []}' > %t.json
// RUN: not pruner-opt %s --pruner-declare-constants=names=%t.json 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: %python -c "print('[' * 300000)" > %t.deep
// RUN: not pruner-opt %s --pruner-declare-constants=names=%t.deep 2>&1 | FileCheck %s --check-prefix=DEEP

// NUMBER: func.func @main(%{{.*}}: tensor<4x8xf32>, %{{.*}}: tensor<8x4xf32> {pruner.constant}) -> tensor<4x4xf32>
// NAMES: func.func @main(%{{.*}}: tensor<4x8xf32> {pruner.name = "x"}, %{{.*}}: tensor<8x4xf32> {pruner.constant, pruner.name = "fc.weight"}) -> (tensor<4x4xf32> {pruner.name = "logits"})
// RANGE: error: pruner-declare-constants: option 'arguments': there is no argument 2, @main has 2
// WORD: error: pruner-declare-constants: option 'arguments': 'x' is neither a number nor a range such as 1-5
// ENTRY: error: pruner-declare-constants: there is no function @other
// DEEP: error: pruner-declare-constants: option 'names': {{.*}}.deep: more than 128 nested arrays and objects
// FILE: error: pruner-declare-constants: option 'names': {{.*}}.none: No such file or directory
// COUNT: error: pruner-declare-constants: option 'names': {{.*}}.json has no array 'arguments' of as many entries as @main has arguments, 2
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %r = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
