// RUN: pruner-opt %s --pruner-extract-tasks --split-input-file | FileCheck %s

#a = affine_map<(d0, d1, d2) -> (d2, d0)>
#b = affine_map<(d0, d1, d2) -> (d1, d2)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// The name of a generic product states its kind: f16 factors extended in the
// body, sums in f32, factors in either order. 2*32*16*64 = 65536 flops; casts
// do not count; (64*32 + 16*64) * 2 + 32*16 * 4 = 8192 bytes.
// CHECK-LABEL: func.func @half
// CHECK: call @[[TASK:task_matmul_32x16x64_[0-9a-f]+]](%arg0, %arg1)
// CHECK: func.func private @[[TASK]](%{{.*}}: tensor<64x32xf16>, %{{.*}}: tensor<16x64xf16>) -> tensor<32x16xf32>
// CHECK-SAME: bytes = 8192 : i64, flops = 65536 : i64
// CHECK: linalg.generic
// CHECK: arith.extf
func.func @half(%x: tensor<64x32xf16>, %w: tensor<16x64xf16>) -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
  %m = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x32xf16>, tensor<16x64xf16>) outs(%f : tensor<32x16xf32>) {
  ^bb0(%p: f16, %q: f16, %acc: f32):
    %r = arith.extf %p : f16 to f32
    %s = arith.extf %q : f16 to f32
    %t = arith.mulf %s, %r : f32
    %u = arith.addf %t, %acc : f32
    linalg.yield %u : f32
  } -> tensor<32x16xf32>
  return %m : tensor<32x16xf32>
}

// -----

// f16 operands of the named op, and the result cast back as its epilogue.
// CHECK-LABEL: func.func @half_named
// CHECK: call @[[TASK:task_matmul_32x16x64_[0-9a-f]+]](%arg0, %arg1)
// CHECK: @[[TASK]]
// CHECK: linalg.matmul ins(%{{.*}}, %{{.*}} : tensor<32x64xf16>, tensor<64x16xf16>) outs(%{{.*}} : tensor<32x16xf32>)
// CHECK: arith.truncf
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @half_named(%x: tensor<32x64xf16>, %w: tensor<64x16xf16>) -> tensor<32x16xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
  %m = linalg.matmul ins(%x, %w : tensor<32x64xf16>, tensor<64x16xf16>)
                     outs(%f : tensor<32x16xf32>) -> tensor<32x16xf32>
  %h = tensor.empty() : tensor<32x16xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%m : tensor<32x16xf32>) outs(%h : tensor<32x16xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<32x16xf16>
  return %r : tensor<32x16xf16>
}

// -----

#a = affine_map<(d0, d1, d2) -> (d0, d2)>
#b = affine_map<(d0, d1, d2) -> (d2, d1)>
#c = affine_map<(d0, d1, d2) -> (d0, d1)>

// The maps of a product with a maximum of sums of two numbers: a reduction.
// 2*32*16*64 = 65536 flops.
// CHECK-LABEL: func.func @max_plus
// CHECK: call @[[TASK:task_reduce_max_32x16x64_[0-9a-f]+]](%arg0, %arg1, %arg2)
// CHECK: func.func private @[[TASK]](
// CHECK-SAME: flops = 65536 : i64
func.func @max_plus(%x: tensor<32x64xf32>, %w: tensor<64x16xf32>, %f: tensor<32x16xf32>) -> tensor<32x16xf32> {
  %m = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<32x64xf32>, tensor<64x16xf32>) outs(%f : tensor<32x16xf32>) {
  ^bb0(%p: f32, %q: f32, %acc: f32):
    %t = arith.addf %p, %q : f32
    %u = arith.maximumf %t, %acc : f32
    linalg.yield %u : f32
  } -> tensor<32x16xf32>
  return %m : tensor<32x16xf32>
}

// -----

// Inside a loop, the call is in the body of the loop.
// CHECK-LABEL: func.func @loop
// CHECK: scf.for
// CHECK-NEXT: %[[R:.*]] = func.call @task_matmul_16x16x16_{{[0-9a-f]+}}(%{{.*}}, %arg1)
// CHECK-NEXT: scf.yield %[[R]]
func.func @loop(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %n: index) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%y = %x) -> tensor<16x16xf32> {
    %m = linalg.matmul ins(%y, %w : tensor<16x16xf32>, tensor<16x16xf32>)
                       outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
    scf.yield %m : tensor<16x16xf32>
  }
  return %r : tensor<16x16xf32>
}

// -----

// A constant tensor becomes an argument, so that tasks can be shared. An init
// that is filled with a computed value stays an argument as well.
// CHECK-LABEL: func.func @constants
// CHECK: %[[W:.*]] = arith.constant dense<{{\[}}[1.0
// CHECK: %[[V:.*]] = arith.constant dense<3.0
// CHECK: %[[F:.*]] = linalg.fill ins(%arg1
// CHECK: call @[[TASK:task_matmul_2x2x2_[0-9a-f]+]](%arg0, %[[W]], %[[F]])
// CHECK: call @[[TASK]](%arg0, %[[V]], %[[F]])
func.func @constants(%x: tensor<2x2xf32>, %s: f32) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %v = arith.constant dense<3.0> : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%s : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %m = linalg.matmul ins(%x, %w : tensor<2x2xf32>, tensor<2x2xf32>)
                     outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  %n = linalg.matmul ins(%x, %v : tensor<2x2xf32>, tensor<2x2xf32>)
                     outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %m, %n : tensor<2x2xf32>, tensor<2x2xf32>
}
