// RUN: pruner-opt %s --pruner-draft='population=0' -verify-diagnostics -o /dev/null

// expected-error@+1 {{pruner-draft: option 'population' must be at least 1}}
module {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
