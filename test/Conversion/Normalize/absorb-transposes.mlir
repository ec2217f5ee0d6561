// RUN: pruner-opt %s --pruner-absorb-transposes --canonicalize --split-input-file | FileCheck %s

// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: @weight
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<128x64xf32>, %[[W:[a-z0-9]+]]: tensor<512x64xf32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.matmul indexing_maps = [#[[A]], #[[B]], #{{.*}}] ins(%[[X]], %[[W]] : tensor<128x64xf32>, tensor<512x64xf32>)
func.func @weight(%x: tensor<128x64xf32>, %w: tensor<512x64xf32>, %c: tensor<128x512xf32>) -> tensor<128x512xf32> {
  %e = tensor.empty() : tensor<64x512xf32>
  %t = linalg.transpose ins(%w : tensor<512x64xf32>) outs(%e : tensor<64x512xf32>) permutation = [1, 0]
  %m = linalg.matmul ins(%x, %t : tensor<128x64xf32>, tensor<64x512xf32>)
                     outs(%c : tensor<128x512xf32>) -> tensor<128x512xf32>
  return %m : tensor<128x512xf32>
}

// -----

// Both operands, one of them transposed twice.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-LABEL: @both
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<64x128xf32>, %[[W:[a-z0-9]+]]: tensor<64x512xf32>
// CHECK: linalg.matmul indexing_maps = [#[[A]], #[[B]], #{{.*}}] ins(%[[X]], %[[W]] :
func.func @both(%x: tensor<64x128xf32>, %w: tensor<64x512xf32>, %c: tensor<128x512xf32>) -> tensor<128x512xf32> {
  %e = tensor.empty() : tensor<512x64xf32>
  %t = linalg.transpose ins(%w : tensor<64x512xf32>) outs(%e : tensor<512x64xf32>) permutation = [1, 0]
  %f = tensor.empty() : tensor<64x512xf32>
  %u = linalg.transpose ins(%t : tensor<512x64xf32>) outs(%f : tensor<64x512xf32>) permutation = [1, 0]
  %g = tensor.empty() : tensor<128x64xf32>
  %v = linalg.transpose ins(%x : tensor<64x128xf32>) outs(%g : tensor<128x64xf32>) permutation = [1, 0]
  %m = linalg.matmul ins(%v, %u : tensor<128x64xf32>, tensor<64x512xf32>)
                     outs(%c : tensor<128x512xf32>) -> tensor<128x512xf32>
  return %m : tensor<128x512xf32>
}

// -----

// batch_matmul can read its inner dimensions in either order ...
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-LABEL: @batch
// CHECK: linalg.batch_matmul indexing_maps = [#{{.*}}, #[[B]], #{{.*}}]
func.func @batch(%x: tensor<8x128x64xf32>, %w: tensor<8x128x64xf32>, %c: tensor<8x128x128xf32>) -> tensor<8x128x128xf32> {
  %e = tensor.empty() : tensor<8x64x128xf32>
  %t = linalg.transpose ins(%w : tensor<8x128x64xf32>) outs(%e : tensor<8x64x128xf32>) permutation = [0, 2, 1]
  %m = linalg.batch_matmul ins(%x, %t : tensor<8x128x64xf32>, tensor<8x64x128xf32>)
                           outs(%c : tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
  return %m : tensor<8x128x128xf32>
}

// -----

// ... but the batch must be first.
// CHECK-DAG: #[[A:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
// CHECK-LABEL: @heads
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<128x8x64xf32>, %[[K:[a-z0-9]+]]: tensor<128x8x64xf32>
// CHECK: linalg.generic {indexing_maps = [#[[A]], #[[B]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK-SAME: ins(%[[Q]], %[[K]] :
func.func @heads(%q: tensor<128x8x64xf32>, %k: tensor<128x8x64xf32>, %c: tensor<8x128x128xf32>) -> tensor<8x128x128xf32> {
  %e = tensor.empty() : tensor<8x128x64xf32>
  %s = linalg.transpose ins(%q : tensor<128x8x64xf32>) outs(%e : tensor<8x128x64xf32>) permutation = [1, 0, 2]
  %f = tensor.empty() : tensor<8x64x128xf32>
  %t = linalg.transpose ins(%k : tensor<128x8x64xf32>) outs(%f : tensor<8x64x128xf32>) permutation = [1, 2, 0]
  %m = linalg.batch_matmul ins(%s, %t : tensor<8x128x64xf32>, tensor<8x64x128xf32>)
                           outs(%c : tensor<8x128x128xf32>) -> tensor<8x128x128xf32>
  return %m : tensor<8x128x128xf32>
}

// -----

// One weight for all batches is read once, without a batch dimension.
// CHECK-DAG: #[[B:.*]] = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
// CHECK-LABEL: @broadcast_weight
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[B]], #{{.*}}]
// CHECK-SAME: tensor<8x16x32xf32>, tensor<32x64xf32>
func.func @broadcast_weight(%x: tensor<8x16x32xf32>, %w: tensor<32x64xf32>, %c: tensor<8x16x64xf32>) -> tensor<8x16x64xf32> {
  %e = tensor.empty() : tensor<8x32x64xf32>
  %t = linalg.broadcast ins(%w : tensor<32x64xf32>) outs(%e : tensor<8x32x64xf32>) dimensions = [0]
  %m = linalg.batch_matmul ins(%x, %t : tensor<8x16x32xf32>, tensor<8x32x64xf32>)
                           outs(%c : tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
  return %m : tensor<8x16x64xf32>
}

// -----

// Reading the column of ones through the map would remove the reduction from
// the second operand. The op would not be a contraction, so the copy stays.
// CHECK-LABEL: @lost_reduction
// CHECK: linalg.broadcast
// CHECK: linalg.matmul ins
func.func @lost_reduction(%x: tensor<16x32xf32>, %w: tensor<64xf32>, %c: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %e = tensor.empty() : tensor<32x64xf32>
  %t = linalg.broadcast ins(%w : tensor<64xf32>) outs(%e : tensor<32x64xf32>) dimensions = [0]
  %m = linalg.matmul ins(%x, %t : tensor<16x32xf32>, tensor<32x64xf32>)
                     outs(%c : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %m : tensor<16x64xf32>
}
