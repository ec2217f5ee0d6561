// Lowerable programs of every phase pass unchanged.
// RUN: pruner-opt %s --pruner-check-lowerable -o %t.mlir
// RUN: pruner-opt %s | diff %t.mlir -
// RUN: pruner-opt %s --pruner-check-lowerable=entry=main | diff %t.mlir -
// RUN: pruner-opt %s --pruner-normalize --pruner-extract-tasks --pruner-check-lowerable -o /dev/null
// RUN: pruner-opt %s --pruner-network-to-llvm=entry=main -o /dev/null

#id = affine_map<(i) -> (i)>

func.func @main(%x: tensor<8xf32>, %y: tensor<8xi32>, %c: tensor<i1>, %n: tensor<2x1xi64>)
    -> (tensor<8xf32>, tensor<8xi32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %one = index.constant 1
  %flag = tensor.extract %c[] : tensor<i1>
  cf.assert %flag, "no"
  %e = tensor.empty() : tensor<8xf32>
  // Bodies with branches, calls on scalars, numbers of odd widths.
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<8xf32>, tensor<8xi32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: i32, %o: f32):
    %low = arith.cmpf olt, %a, %zero : f32
    %r = scf.if %low -> f32 {
      %v = math.exp %a : f32
      scf.yield %v : f32
    } else {
      %v = func.call @twice(%a) : (f32) -> f32
      scf.yield %v : f32
    }
    %odd = arith.trunci %b : i32 to i24
    %wide = arith.extsi %odd : i24 to i128
    %back = arith.sitofp %wide : i128 to f32
    %s = arith.addf %r, %back : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  // Loops and selects of tensors.
  %1 = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %0) -> tensor<8xf32> {
    %v = tensor.extract %t[%i] : tensor<8xf32>
    %w = arith.addf %v, %v : f32
    %u = tensor.insert %w into %t[%i] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  %2 = arith.select %flag, %1, %0 : tensor<8xf32>
  %3 = func.call @branches(%2, %flag) : (tensor<8xf32>, i1) -> tensor<8xf32>
  // A slice whose size is only known at run time.
  %part = tensor.extract_slice %3[0] [%one] [1] : tensor<8xf32> to tensor<?xf32>
  %4 = tensor.insert_slice %part into %3[0] [%one] [1] : tensor<?xf32> into tensor<8xf32>
  %5 = tensor.bitcast %x : tensor<8xf32> to tensor<8xi32>
  %6 = tensor.gather %4[%n] gather_dims([0]) : (tensor<8xf32>, tensor<2x1xi64>) -> tensor<2xf32>
  return %4, %5, %6 : tensor<8xf32>, tensor<8xi32>, tensor<2xf32>
}

func.func private @twice(%a: f32) -> f32 {
  %r = arith.addf %a, %a : f32
  return %r : f32
}

// A function of the C libraries.
func.func private @expf(f32) -> f32

func.func private @branches(%x: tensor<8xf32>, %flag: i1) -> tensor<8xf32> {
  cf.cond_br %flag, ^same, ^other
^same:
  return %x : tensor<8xf32>
^other:
  %c0 = arith.constant 0 : index
  %v = tensor.extract %x[%c0] : tensor<8xf32>
  %w = func.call @expf(%v) : (f32) -> f32
  %r = tensor.insert %w into %x[%c0] : tensor<8xf32>
  return %r : tensor<8xf32>
}

// This function is not called.
func.func private @elsewhere(%x: tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>> {
  return %x : tensor<8xcomplex<f32>>
}
