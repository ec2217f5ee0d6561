// FLOP and bytes are counted in one place: the attribute, the list and the
// tuner's records agree, on integers and on floats.
// RUN: pruner-opt %s --pruner-list-tasks -o /dev/null 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: pruner-opt %s --pruner-sample='target=nvidia:sm_80 count=1 out=%t.jsonl' 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN < %t.err
// RUN: FileCheck %s --check-prefix=NOTED < %t.jsonl
// RUN: pruner-opt %s --pruner-sample='target=nvidia:sm_80 count=1 out=%t.jsonl' --pruner-list-tasks 2>&1 -o /dev/null | FileCheck %s --check-prefix=AFTER

// The numbers of the attribute are used without counting. A fused multiply-add
// is two operations, so there would be 4096.
// LIST-DAG: told {{ *}}3 0.000007 0.0005
// NOTED: {"pruner":{"bytes":500,{{.*}}"flops":7000,{{.*}}"name":"told"
func.func private @told(%a: tensor<32x64xf32>) -> tensor<32x64xf32>
    attributes {pruner.task = {key = "b2eb5d7574268a3273ae09e2c13946eb", weight = 3 : i64, flops = 7000 : i64, bytes = 500 : i64}} {
  %e = tensor.empty() : tensor<32x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = math.fma %x, %x, %x : f32
    linalg.yield %t : f32
  } -> tensor<32x64xf32>
  return %r : tensor<32x64xf32>
}

// The attribute belongs to another function: this one has those 4096
// operations.
// LIST-DAG: stale {{ *}}1 0.000000 0.0000
// WARN: warning: the task was changed after it was extracted: its key is {{[0-9a-f]+}}, not 00000000000000000000000000000000
// CHECK: @stale(
// CHECK-SAME: pruner.task = {bytes = 16384 : i64, flops = 4096 : i64, key = "{{[1-9a-f]}}
// NOTED: {"pruner":{"bytes":16384,{{.*}}"flops":4096,{{.*}}"name":"stale"
// AFTER: stale {{ *}}1 0.000004 0.0164
func.func private @stale(%a: tensor<64x32xf32>) -> tensor<64x32xf32>
    attributes {pruner.task = {key = "00000000000000000000000000000000", weight = 1 : i64, flops = 1 : i64, bytes = 1 : i64}} {
  %e = tensor.empty() : tensor<64x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x32xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = math.fma %x, %x, %x : f32
    linalg.yield %t : f32
  } -> tensor<64x32xf32>
  return %r : tensor<64x32xf32>
}

// There is no attribute here, so both count: a product of 2 * 64^3 operations
// on bytes reads 2 * 64^2 and writes 4 * 64^2.
// LIST-DAG: unsaid {{ *}}1 0.000524 0.0246
// NOTED: {"pruner":{"bytes":24576,{{.*}}"flops":524288,{{.*}}"name":"unsaid"
func.func private @unsaid(%a: tensor<64x64xi8>, %b: tensor<64x64xi8>) -> tensor<64x64xi32>
    attributes {pruner.task = {key = "PRODUCT"}} {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<64x64xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<64x64xi32>) -> tensor<64x64xi32>
  %m = linalg.matmul ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%f : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %m : tensor<64x64xi32>
}

// A slice of an argument, and a window whose elements are not read: one row of
// eight is read, and four numbers are written.
// LIST-DAG: slice {{ *}}1 0.000000 0.0001
// NOTED: {"pruner":{"bytes":80,{{.*}}"flops":16,{{.*}}"name":"slice"
func.func private @slice(%a: tensor<8x16xf32>, %w: tensor<4xf32>) -> tensor<4xf32>
    attributes {pruner.task = {key = "SLICE"}} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (3, d0 * 4 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%a, %w : tensor<8x16xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%x: f32, %unused: f32, %o: f32):
    %t = arith.addf %x, %o : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  return %m : tensor<4xf32>
}
