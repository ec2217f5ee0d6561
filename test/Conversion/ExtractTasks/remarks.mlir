// RUN: pruner-opt %s --pruner-extract-tasks --verify-diagnostics --split-input-file -o /dev/null
// RUN: pruner-opt %s --pruner-extract-tasks --split-input-file 2>/dev/null | FileCheck %s

// Nothing here becomes a task.
// CHECK-NOT: call
// CHECK-NOT: pruner.task

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#unit = affine_map<(d0, d1) -> (d0, 0)>

func.func @convolution(%i: tensor<1x3x8x8xf32>, %k: tensor<4x3x3x3xf32>, %o: tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32> {
  // expected-remark @below {{'linalg.conv_2d_nchw_fchw' stays outside the tasks: convolutions are not supported yet}}
  %c = linalg.conv_2d_nchw_fchw ins(%i, %k : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>)
                                outs(%o : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  return %c : tensor<1x4x6x6xf32>
}

func.func @pooling(%i: tensor<1x3x8x8xf32>, %o: tensor<1x3x6x6xf32>) -> tensor<1x3x6x6xf32> {
  %w = tensor.empty() : tensor<3x3xf32>
  // expected-remark @below {{'linalg.pooling_nchw_max' stays outside the tasks: pooling is not supported yet}}
  %c = linalg.pooling_nchw_max ins(%i, %w : tensor<1x3x8x8xf32>, tensor<3x3xf32>)
                               outs(%o : tensor<1x3x6x6xf32>) -> tensor<1x3x6x6xf32>
  return %c : tensor<1x3x6x6xf32>
}

func.func @softmax(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.softmax' stays outside the tasks: linalg.softmax is not supported yet}}
  %s = linalg.softmax dimension(1) ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @reduction(%a: tensor<64x64xf32>, %z: tensor<64xf32>) -> tensor<64xf32> {
  // expected-remark @below {{'linalg.generic' stays outside the tasks: reductions are not supported yet}}
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<64x64xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %out : f32
    linalg.yield %t : f32
  } -> tensor<64xf32>
  return %s : tensor<64xf32>
}

func.func @gather(%a: tensor<64x64xf32>, %t: tensor<100xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body reads a tensor by computed indices}}
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

func.func @f64(%a: tensor<64x64xf64>) -> tensor<64x64xf64> {
  %e = tensor.empty() : tensor<64x64xf64>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: element type 'f64' is not supported yet}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf64>) outs(%e : tensor<64x64xf64>) {
  ^bb0(%in: f64, %out: f64):
    %t = arith.addf %in, %in : f64
    linalg.yield %t : f64
  } -> tensor<64x64xf64>
  return %s : tensor<64x64xf64>
}

func.func @f64_inside(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body computes in 'f64'}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %w = arith.extf %in : f32 to f64
    %t = arith.addf %w, %w : f64
    %n = arith.truncf %t : f64 to f32
    linalg.yield %n : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @integers(%a: tensor<64x64xi64>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: element type 'i64' is not supported yet}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xi64>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: i64, %out: f32):
    %t = arith.sitofp %in : i64 to f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @unknown_body(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the body holds 'arith.remf'}}
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

func.func @unit_map(%a: tensor<64x1xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: the map of operand #0 is not a projected permutation}}
  %s = linalg.generic {indexing_maps = [#unit, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<64x1xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %t = arith.addf %in, %other : f32
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
  // expected-remark @below {{'linalg.generic' stays outside the tasks: it has 2 results}}
  %s:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x64xf32>) outs(%e, %e : tensor<64x64xf32>, tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32, %out2: f32):
    %t = arith.addf %in, %in : f32
    linalg.yield %t, %in : f32, f32
  } -> (tensor<64x64xf32>, tensor<64x64xf32>)
  return %s#0, %s#1 : tensor<64x64xf32>, tensor<64x64xf32>
}

func.func @dynamic(%a: tensor<?x64xf32>, %b: tensor<64x64xf32>, %c: tensor<?x64xf32>) -> tensor<?x64xf32> {
  // expected-remark @below {{'linalg.matmul' stays outside the tasks: dynamic shapes are not supported yet}}
  %s = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x64xf32>)
                     outs(%c : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %s : tensor<?x64xf32>
}

func.func @half_accumulation(%a: tensor<64x64xf16>, %c: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{'linalg.matmul' stays outside the tasks: it accumulates in 'f16', not in 'f32'}}
  %s = linalg.matmul ins(%a, %a : tensor<64x64xf16>, tensor<64x64xf16>)
                     outs(%c : tensor<64x64xf16>) -> tensor<64x64xf16>
  return %s : tensor<64x64xf16>
}

func.func @named(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-remark @below {{'linalg.exp' stays outside the tasks: only matmul, batch_matmul and generic ops become tasks; run pruner-normalize first}}
  %s = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %s : tensor<64x64xf32>
}

func.func @small(%a: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  // expected-remark @below {{'linalg.generic' stays outside the tasks: 2048 points are fewer than min-elements (4096)}}
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = arith.addf %in, %in : f32
    linalg.yield %t : f32
  } -> tensor<32x64xf32>
  return %s : tensor<32x64xf32>
}

func.func @buffers(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  // expected-remark @below {{'linalg.matmul' stays outside the tasks: it works on buffers, not on tensors}}
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
  // expected-remark @below {{'linalg.generic' stays outside the tasks: operand #1 is a scalar that is not a constant}}
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
