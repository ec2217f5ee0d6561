// RUN: pruner-opt %s --pruner-grow-concats --canonicalize --split-input-file | FileCheck %s
// RUN: pruner-opt %s --pruner-grow-concats --split-input-file | mlir-opt --split-input-file --one-shot-bufferize='bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map' | FileCheck %s --check-prefix=MEMORY

// Two layers of a dense block in one tensor; only the parts are copied in
// memory.
// CHECK-LABEL: @dense
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<64x49xf32>, %[[Y:[a-z0-9]+]]: tensor<32x49xf32>
// CHECK: %[[E:.*]] = tensor.empty() : tensor<160x49xf32>
// CHECK: %[[A:.*]] = tensor.insert_slice %[[X]] into %[[E]][0, 0] [64, 49] [1, 1]
// CHECK: %[[B:.*]] = tensor.insert_slice %[[Y]] into %[[A]][64, 0] [32, 49] [1, 1]
// CHECK: %[[C:.*]] = tensor.extract_slice %[[B]][0, 0] [96, 49] [1, 1] : tensor<160x49xf32> to tensor<96x49xf32>
// CHECK: %[[P:.*]] = call @layer0(%[[C]])
// CHECK: %[[D:.*]] = tensor.insert_slice %[[P]] into %[[B]][96, 0] [32, 49] [1, 1]
// CHECK: %[[F:.*]] = tensor.extract_slice %[[D]][0, 0] [128, 49] [1, 1]
// CHECK: %[[Q:.*]] = call @layer1(%[[F]])
// CHECK: %[[G:.*]] = tensor.insert_slice %[[Q]] into %[[D]][128, 0] [32, 49] [1, 1]
// CHECK: return %[[G]]
// MEMORY-LABEL: @dense
// MEMORY-COUNT-1: memref.alloc
// MEMORY-NOT: memref.alloc
// MEMORY-COUNT-4: memref.copy
// MEMORY-NOT: memref.copy
// MEMORY: return
func.func @dense(%x: tensor<64x49xf32>, %y: tensor<32x49xf32>) -> tensor<160x49xf32> {
  %c = tensor.concat dim(0) %x, %y : (tensor<64x49xf32>, tensor<32x49xf32>) -> tensor<96x49xf32>
  %p = call @layer0(%c) : (tensor<96x49xf32>) -> tensor<32x49xf32>
  %d = tensor.concat dim(0) %x, %y, %p : (tensor<64x49xf32>, tensor<32x49xf32>, tensor<32x49xf32>) -> tensor<128x49xf32>
  %q = call @layer1(%d) : (tensor<128x49xf32>) -> tensor<32x49xf32>
  %e = tensor.concat dim(0) %x, %y, %p, %q : (tensor<64x49xf32>, tensor<32x49xf32>, tensor<32x49xf32>, tensor<32x49xf32>) -> tensor<160x49xf32>
  return %e : tensor<160x49xf32>
}
func.func private @layer0(%in: tensor<96x49xf32>) -> tensor<32x49xf32> {
  %s = tensor.extract_slice %in[64, 0] [32, 49] [1, 1] : tensor<96x49xf32> to tensor<32x49xf32>
  %e = tensor.empty() : tensor<32x49xf32>
  %r = linalg.exp ins(%s : tensor<32x49xf32>) outs(%e : tensor<32x49xf32>) -> tensor<32x49xf32>
  return %r : tensor<32x49xf32>
}
func.func private @layer1(%in: tensor<128x49xf32>) -> tensor<32x49xf32> {
  %s = tensor.extract_slice %in[96, 0] [32, 49] [1, 1] : tensor<128x49xf32> to tensor<32x49xf32>
  %e = tensor.empty() : tensor<32x49xf32>
  %r = linalg.exp ins(%s : tensor<32x49xf32>) outs(%e : tensor<32x49xf32>) -> tensor<32x49xf32>
  return %r : tensor<32x49xf32>
}

// -----

// A concatenation extends a concatenation.
// CHECK-LABEL: @nested
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x4xf32>, %[[Y:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK: %[[A:.*]] = tensor.insert_slice %[[X]] into %{{.*}}[0, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<12x4xf32>
// CHECK: %[[B:.*]] = tensor.insert_slice %[[Y]] into %[[A]][8, 0] [2, 4] [1, 1]
// CHECK: %[[P:.*]] = call @layer(%{{.*}})
// CHECK: %[[D:.*]] = tensor.insert_slice %[[P]] into %[[B]][10, 0] [2, 4] [1, 1]
// CHECK: return %[[D]]
func.func private @layer(tensor<10x4xf32>) -> tensor<2x4xf32>
func.func @nested(%x: tensor<8x4xf32>, %y: tensor<2x4xf32>) -> tensor<12x4xf32> {
  %c = tensor.concat dim(0) %x, %y : (tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<10x4xf32>
  %p = call @layer(%c) : (tensor<10x4xf32>) -> tensor<2x4xf32>
  %d = tensor.concat dim(0) %c, %p : (tensor<10x4xf32>, tensor<2x4xf32>) -> tensor<12x4xf32>
  return %d : tensor<12x4xf32>
}

// -----

// All begin with the same one. The third extends the second; the last one does
// not, and reads the parts.
// CHECK-LABEL: @again
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x4xf32>, %[[Y:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK: %[[B:.*]] = tensor.insert_slice %[[Y]] into
// CHECK: %[[P:.*]] = call @layer(
// CHECK: %[[C:.*]] = tensor.insert_slice %[[P]] into %[[B]][10, 0]
// CHECK: %[[Q:.*]] = call @longer(
// CHECK: %[[D:.*]] = tensor.insert_slice %[[Q]] into %[[C]][12, 0]
// CHECK: %[[E:.*]] = tensor.concat dim(0) %[[X]], %[[Y]], %[[Q]]
// CHECK: return %[[D]], %[[E]]
func.func private @layer(tensor<10x4xf32>) -> tensor<2x4xf32>
func.func private @longer(tensor<12x4xf32>) -> tensor<2x4xf32>
func.func @again(%x: tensor<8x4xf32>, %y: tensor<2x4xf32>) -> (tensor<14x4xf32>, tensor<12x4xf32>) {
  %c = tensor.concat dim(0) %x, %y : (tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<10x4xf32>
  %p = call @layer(%c) : (tensor<10x4xf32>) -> tensor<2x4xf32>
  %d = tensor.concat dim(0) %c, %p : (tensor<10x4xf32>, tensor<2x4xf32>) -> tensor<12x4xf32>
  %q = call @longer(%d) : (tensor<12x4xf32>) -> tensor<2x4xf32>
  %e = tensor.concat dim(0) %c, %p, %q : (tensor<10x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<14x4xf32>
  %f = tensor.concat dim(0) %c, %q : (tensor<10x4xf32>, tensor<2x4xf32>) -> tensor<12x4xf32>
  return %e, %f : tensor<14x4xf32>, tensor<12x4xf32>
}

// -----

// Not the outermost dimension; other operands; another dimension; the shorter
// one is still read after the longer one; an unknown size; a single one.
// CHECK-LABEL: @stays
// CHECK-COUNT-10: tensor.concat
// CHECK-NOT: tensor.concat
// CHECK: return
func.func @stays(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>, %z: tensor<2x8xf32>, %u: tensor<?x4xf32>)
    -> (tensor<2x8xf32>, tensor<2x12xf32>, tensor<4x4xf32>, tensor<6x4xf32>, tensor<4x8xf32>, tensor<4x4xf32>, tensor<6x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<4x4xf32>) {
  %0 = tensor.concat dim(1) %x, %y : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x8xf32>
  %1 = tensor.concat dim(1) %x, %y, %x : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x12xf32>
  %2 = tensor.concat dim(0) %y, %y : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %3 = tensor.concat dim(0) %y, %x, %y : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
  %4 = tensor.concat dim(0) %0, %z : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %5 = tensor.concat dim(0) %x, %y : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %6 = tensor.concat dim(0) %x, %y, %y : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
  %7 = tensor.concat dim(0) %u, %x : (tensor<?x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
  %8 = tensor.concat dim(0) %u, %x, %y : (tensor<?x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<?x4xf32>
  %9 = tensor.concat dim(0) %x, %x : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<2x8xf32>, tensor<2x12xf32>, tensor<4x4xf32>, tensor<6x4xf32>, tensor<4x8xf32>, tensor<4x4xf32>, tensor<6x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<4x4xf32>
}
