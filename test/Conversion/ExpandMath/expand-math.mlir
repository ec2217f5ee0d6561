// RUN: pruner-opt %s --pruner-expand-math | FileCheck %s

// One branch for all lanes: small angles execute nothing of the path for large
// ones.
// CHECK-LABEL: func.func @sine
// CHECK: %[[FITS:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK: %[[ALL:.*]] = vector.reduction <and>, %[[FITS]] : vector<16xi1> into i1
// CHECK: %{{.*}}:3 = scf.if %[[ALL]] -> (vector<16xf32>, vector<16xf32>, vector<16xi32>) {
// CHECK-NEXT: scf.yield
// CHECK: } else {
// CHECK: arith.muli {{.*}} : vector<16xi64>
// CHECK: }
// CHECK-NOT: math.sin
func.func @sine(%x: vector<16xf32>) -> vector<16xf32> {
  %y = math.sin %x : vector<16xf32>
  return %y : vector<16xf32>
}

// A scalar needs no reduction of its mask; vectors of other ranks are expanded
// row by row.
// CHECK-LABEL: func.func @scalar
// CHECK-NOT: vector.reduction
// CHECK: scf.if {{.*}} -> (f32, f32, i32)
func.func @scalar(%x: f32) -> f32 {
  %y = math.tan %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @matrix
// CHECK-COUNT-2: scf.if {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xi32>)
// CHECK-NOT: scf.if
// CHECK: return
func.func @matrix(%x: vector<2x8xf32>) -> vector<2x8xf32> {
  %y = math.cos %x : vector<2x8xf32>
  return %y : vector<2x8xf32>
}

// A vector without dimensions is handled as its element.
// CHECK-LABEL: func.func @point
// CHECK: scf.if {{.*}} -> (f32, f32, i32)
func.func @point(%x: vector<f32>) -> vector<f32> {
  %y = math.cos %x : vector<f32>
  return %y : vector<f32>
}

// Other functions have no branch. f64 does not change.
// CHECK-LABEL: func.func @others
// CHECK-NOT: scf.if
// CHECK: math.exp {{.*}} : f64
func.func @others(%x: vector<2x8xf32>, %d: f64) -> (vector<2x8xf32>, f64) {
  %0 = math.exp %x : vector<2x8xf32>
  %1 = math.log %0 : vector<2x8xf32>
  %2 = math.erf %1 : vector<2x8xf32>
  %3 = math.powf %2, %x : vector<2x8xf32>
  %4 = math.exp %d : f64
  return %3, %4 : vector<2x8xf32>, f64
}

// Tensors become loops later, so they do not change.
// CHECK-LABEL: func.func @tensors
// CHECK-NEXT: math.tanh {{.*}} : tensor<4xf32>
// CHECK-NEXT: math.sin {{.*}} : tensor<4xf32>
// CHECK-NEXT: math.powf {{.*}} : tensor<4xf32>
// CHECK-NEXT: math.fpowi {{.*}} : tensor<4xf32>, tensor<4xi32>
// CHECK-NEXT: math.fpowi {{.*}} : tensor<4xf16>, tensor<4xi32>
// CHECK-NEXT: math.rsqrt {{.*}} : tensor<4xf32>
// CHECK-NEXT: return
func.func @tensors(%x: tensor<4xf32>, %h: tensor<4xf16>, %n: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xf16>) {
  %0 = math.tanh %x : tensor<4xf32>
  %1 = math.sin %0 : tensor<4xf32>
  %2 = math.powf %1, %x : tensor<4xf32>
  %3 = math.fpowi %2, %n : tensor<4xf32>, tensor<4xi32>
  %4 = math.fpowi %h, %n : tensor<4xf16>, tensor<4xi32>
  %5 = math.rsqrt %3 : tensor<4xf32>
  return %5, %4 : tensor<4xf32>, tensor<4xf16>
}

// Arguments are clamped where the exponent of the result is -254. There both
// factors of the power of two are zero. A product that underflows would take a
// CPU many cycles, and masked attention has many of them.
// CHECK-LABEL: func.func @masked_exponentials
// CHECK-DAG: dense<-1.760000e+02> : vector<16xf32>
// CHECK-DAG: dense<-2.540000e+02> : vector<16xf32>
func.func @masked_exponentials(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %0 = math.exp %x : vector<16xf32>
  %1 = math.exp2 %x : vector<16xf32>
  return %0, %1 : vector<16xf32>, vector<16xf32>
}

// The conversion to LLVM has no such functions; those of tensors stay.
// CHECK-LABEL: func.func @classes(
// CHECK: %[[X:.*]] = math.absf %{{.*}} : vector<8xf32>
// CHECK: %[[INF:.*]] = arith.constant dense<0x7F800000> : vector<8xf32>
// CHECK: arith.cmpf oeq, %[[X]], %[[INF]] : vector<8xf32>
// CHECK: %[[LEAST:.*]] = arith.constant 1.{{[0-9]*}}e-38 : bf16
// CHECK: arith.cmpf oge, %{{.*}}, %[[LEAST]] : bf16
// CHECK: %[[NARROW_INF:.*]] = arith.constant 0x7F80 : bf16
// CHECK: arith.cmpf olt, %{{.*}}, %[[NARROW_INF]] : bf16
// CHECK: arith.andi
// CHECK: math.isinf %{{.*}} : tensor<4xf32>
func.func @classes(%x: vector<8xf32>, %b: bf16, %t: tensor<4xf32>) -> (vector<8xi1>, i1, tensor<4xi1>) {
  %0 = math.isinf %x : vector<8xf32>
  %1 = math.isnormal %b : bf16
  %2 = math.isinf %t : tensor<4xf32>
  return %0, %1, %2 : vector<8xi1>, i1, tensor<4xi1>
}
