// RUN: pruner-opt %s --pruner-extract-tasks --verify-diagnostics --split-input-file -o /dev/null
// RUN: pruner-opt %s --pruner-extract-tasks --split-input-file 2>/dev/null | FileCheck %s

// Nothing here becomes a task.
// CHECK-NOT: call
// CHECK-NOT: pruner.task

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @softmax(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.softmax' stays outside the tasks: run pruner-normalize first, which rewrites the op as loops}}
  %s = linalg.softmax dimension(1) ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @gather(%a: tensor<64x64xf32>, %t: tensor<100xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body reads a 'tensor<100xf32>' at computed indices}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %x = tensor.extract %t[%i] : tensor<100xf32>
    linalg.yield %x : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @loop_index(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body reads its loop indices}}
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sge, %i, %j : index
    %x = arith.select %c, %in, %other : f32
    linalg.yield %x : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @unknown_body(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body contains 'arith.remf'}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.remf %in, %in : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @capture(%a: tensor<64x64xf32>, %c: f32) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body captures a value that is not a constant}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %c : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @reads_init(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body reads its init operand}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%b : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @two_results(%a: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: an op of a task must have one result, but this op has 2}}
  %s:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%e, %e : tensor<64x64xf32>, tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32, %out2: f32):
    %t = arith.addf %in, %in : f32
    linalg.yield %t, %in : f32, f32
  } -> (tensor<64x64xf32>, tensor<64x64xf32>)
  return %s#0, %s#1 : tensor<64x64xf32>, tensor<64x64xf32>
}

func.func @dynamic(%a: tensor<?x64xf32>, %b: tensor<64x64xf32>, %c: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // expected-remark @below {{'linalg.matmul' stays outside the tasks: dynamic shape 'tensor<?x64xf32>' cannot be tuned}}
  %s = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x64xf32>)
                     outs(%c : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %s : tensor<?x64xf32>
}

func.func @named(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.exp' stays outside the tasks: named elementwise ops are not extracted; run pruner-normalize first}}
  %s = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @small(%a: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the op has 2048 points, fewer than min-elements (4096)}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %in : f32
    linalg.yield %t : f32
  } -> tensor<32x64xf32>
  return %s : tensor<32x64xf32>
}

func.func @buffers(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-remark @below {{'linalg.matmul' stays outside the tasks: the op works on buffers, expected tensors}}
  linalg.matmul ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%c : memref<64x64xf32>)
  return
}

func.func @poison(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c = ub.poison : f32
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body captures a value that is not a constant}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %c : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @scalar_operand(%a: tensor<64x64xf32>, %c: f32) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: an operand of type 'f32', expected a ranked tensor}}
  %s = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> ()>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %c : tensor<64x64xf32>, f32) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %t = arith.addf %in, %b : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @no_points(%a: tensor<0x64xf32>, %b: tensor<64x64xf32>, %c: tensor<0x64xf32>) -> tensor<0x64xf32> {
  // expected-remark @below {{'linalg.matmul' stays outside the tasks: a loop has no iterations}}
  %s = linalg.matmul ins(%a, %b : tensor<0x64xf32>, tensor<64x64xf32>)
                     outs(%c : tensor<0x64xf32>) -> tensor<0x64xf32>
  return %s : tensor<0x64xf32>
}

func.func @complex(%a: tensor<64x64xcomplex<f32>>) -> tensor<64x64xcomplex<f32>> {
  %e = tensor.empty() : tensor<64x64xcomplex<f32>>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: elements of type 'complex<f32>', expected f64, f32, f16, bf16 or signless integers of 64, 32, 16, 8 or 1 bits}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xcomplex<f32>>) outs(%e : tensor<64x64xcomplex<f32>>) {
  ^bb0(%in: complex<f32>, %out: complex<f32>):
    linalg.yield %in : complex<f32>
  } -> tensor<64x64xcomplex<f32>>
  return %s : tensor<64x64xcomplex<f32>>
}

func.func @index_inside(%a: tensor<64x64xi32>) -> tensor<64x64xi32> {
  %e = tensor.empty() : tensor<64x64xi32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body computes in 'index'}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xi32>) outs(%e : tensor<64x64xi32>) {
  ^bb0(%in: i32, %out: i32):
    %w = arith.index_cast %in : i32 to index
    %n = arith.index_cast %w : index to i32
    linalg.yield %n : i32
  } -> tensor<64x64xi32>
  return %s : tensor<64x64xi32>
}

func.func @double_erf(%a: tensor<64x64xf64>) -> tensor<64x64xf64> {
  %e = tensor.empty() : tensor<64x64xf64>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body contains 'math.erf' of 'f64'}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf64>) outs(%e : tensor<64x64xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = math.erf %in : f64
    linalg.yield %t : f64
  } -> tensor<64x64xf64>
  return %s : tensor<64x64xf64>
}

func.func @not_linear(%a: tensor<32x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the map of operand #0 is not a sum of dimensions times constants}}
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 floordiv 2, d1)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<32x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @backwards(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the map of operand #0 has a negative coefficient or offset}}
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (63 - d0, d1)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

// The second loop runs over the same elements again.
func.func @not_an_order(%a: tensor<64x64xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the map of operand #1 is not a permutation of the parallel loops}}
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// Horner's rule: another order of the loop gives another result.
func.func @ordered(%a: tensor<64x64xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  %two = arith.constant 2.0 : f32
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body does not combine its accumulator by one addition, multiplication, extremum or bit operation}}
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<64x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %d = arith.mulf %out, %two : f32
    %t = arith.addf %d, %in : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// x - acc alternates; acc - x would be a sum.
func.func @subtracted_from(%a: tensor<64x64xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body does not combine its accumulator by one addition, multiplication, extremum or bit operation}}
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<64x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.subf %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// With a NaN among the numbers the result depends on its position.
func.func @unordered_maximum(%a: tensor<64x64xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body does not combine its accumulator by one addition, multiplication, extremum or bit operation}}
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<64x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.cmpf ugt, %in, %out : f32
    %t = arith.select %c, %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %s : tensor<64xf32>
}

// The same holds if the comparison takes the new value.
func.func @ordered_maximum(%a: tensor<64x64xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body does not combine its accumulator by one addition, multiplication, extremum or bit operation}}
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<64x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.cmpf ogt, %out, %in fastmath<nsz> : f32
    %t = arith.select %c, %out, %in : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %s : tensor<64xf32>
}

func.func @small_reduction(%a: tensor<32x64xf32>, %z: tensor<32xf32>) -> tensor<32xf32> {
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the op has 2048 points, fewer than min-elements (4096)}}
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<32x64xf32>) outs(%z : tensor<32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<32xf32>
  return %s : tensor<32xf32>
}

func.func @no_input() -> tensor<64x64xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the op reads no tensor}}
  %s = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<64x64xf32>) {
  ^bb0(%out: f32):
    linalg.yield %one : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @tensors(%a: tensor<64x64xf32>, %b: tensor<64x32xf32>, %i: tensor<8x1xindex>, %x: f32)
    -> (tensor<64x96xf32>, tensor<64x64xf32>, tensor<66x66xf32>, tensor<66x66xf32>, tensor<8x1x64xf32>) {
  // expected-remark @below {{'tensor.concat' stays outside the tasks: the op copies 2 of 2 tensors into one of 64x96; a part is not contiguous in the result}}
  %c = tensor.concat dim(1) %a, %b : (tensor<64x64xf32>, tensor<64x32xf32>) -> tensor<64x96xf32>
  %h = tensor.extract_slice %a[0, 0] [64, 32] [1, 2] : tensor<64x64xf32> to tensor<64x32xf32>
  // expected-remark @below {{'tensor.insert_slice' stays outside the tasks: the op copies 64x32 into a part of 64x64; a part is not contiguous in the result}}
  %s = tensor.insert_slice %h into %a[0, 32] [64, 32] [1, 1] : tensor<64x32xf32> into tensor<64x64xf32>
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{'tensor.pad' stays outside the tasks: it is not read by a single reduction}}
  %p = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%r: index, %q: index):
    tensor.yield %zero : f32
  } : tensor<64x64xf32> to tensor<66x66xf32>
  // expected-remark @below {{'tensor.pad' stays outside the tasks: padding by a value that is not a constant cannot be tuned}}
  %v = tensor.pad %a low[1, 1] high[1, 1] {
  ^bb0(%r: index, %q: index):
    tensor.yield %x : f32
  } : tensor<64x64xf32> to tensor<66x66xf32>
  // expected-remark @below {{'tensor.gather' stays outside the tasks: run pruner-normalize first, which rewrites the op as loops}}
  %g = tensor.gather %a[%i] gather_dims([0]) : (tensor<64x64xf32>, tensor<8x1xindex>) -> tensor<8x1x64xf32>
  return %c, %s, %p, %v, %g : tensor<64x96xf32>, tensor<64x64xf32>, tensor<66x66xf32>, tensor<66x66xf32>, tensor<8x1x64xf32>
}

func.func @one_number(%a: tensor<f32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<f32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the op has no loops and computes a single number}}
  %s = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%a : tensor<f32>) outs(%e : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %in : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %s : tensor<f32>
}

func.func @encoded(%a: tensor<64x64xf32, "e">) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: encoding of 'tensor<64x64xf32, "e">' cannot be tuned}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32, "e">) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %in : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

// A product of constants, which is computed once.
func.func @constants(%a: tensor<64x64xf32> {pruner.constant}, %b: tensor<64x64xf32> {pruner.constant}) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-remark @below {{'linalg.matmul' stays outside the tasks: the op depends on constants alone and is computed once}}
  %p = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}
