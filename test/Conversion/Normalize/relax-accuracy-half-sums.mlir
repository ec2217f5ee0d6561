// Sums of products of f16 accumulate in f16 where tensor cores are then at least
// three halves as fast (GeForce). Sums that are f16 anyway let all tensor cores
// compute them. No other target changes the program.
//
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=f16-sums targets=nvidia:rtx3090' | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=f16-sums targets=nvidia:rtx3090,nvidia:rtx4090' | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=f16-sums targets=nvidia:a100-80' | FileCheck %s --check-prefixes=CHECK,SLOW
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=f16-sums targets=nvidia:v100' | FileCheck %s --check-prefix=NONE
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=f16-sums targets=nvidia:rtx3090,cpu' | FileCheck %s --check-prefix=NONE
//
// A second run changes nothing.
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=f16-sums targets=nvidia:rtx3090' -o %t.mlir
// RUN: pruner-opt %t.mlir --pruner-relax-accuracy=targets=nvidia:rtx3090 | diff - %t.mlir

// CHECK: module attributes {pruner.accuracy = ["f16-sums"]}
// CHECK-LABEL: func @wide
// FAST:          %[[ZERO:.*]] = arith.constant 0.000000e+00 : f16
// FAST:          %[[INIT:.*]] = linalg.fill ins(%[[ZERO]] : f16)
// FAST:          %[[SUM:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<256x192xf16>, tensor<192x128xf16>) outs(%[[INIT]] : tensor<256x128xf16>)
// FAST-NEXT:     ^bb0(%[[X:.*]]: f16, %[[Y:.*]]: f16, %[[S:.*]]: f16):
// FAST-NEXT:       %[[P:.*]] = arith.mulf %[[X]], %[[Y]] fastmath<contract> : f16
// FAST-NEXT:       %[[T:.*]] = arith.addf %[[S]], %[[P]] fastmath<contract> : f16
// FAST-NEXT:       linalg.yield %[[T]]
// FAST:          %[[R:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : tensor<256x128xf16>)
// FAST:            arith.extf %{{.*}} : f16 to f32
// FAST:          return %[[R]] : tensor<256x128xf32>
// SLOW-NOT:      contract
// SLOW:          linalg.matmul
// NONE-LABEL: func @wide
// NONE-NOT:     contract
func.func @wide(%a: tensor<256x192xf16>, %b: tensor<192x128xf16>) -> tensor<256x128xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<256x128xf32>) -> tensor<256x128xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<256x192xf16>, tensor<192x128xf16>) outs(%f : tensor<256x128xf32>) -> tensor<256x128xf32>
  return %0 : tensor<256x128xf32>
}

// An initial value is rounded.
// CHECK-LABEL: func @initial
// FAST:          arith.truncf %{{.*}} : f32 to f16
// FAST:          fastmath<contract> : f16
func.func @initial(%a: tensor<256x192xf16>, %b: tensor<192x128xf16>, %c: tensor<256x128xf32>) -> tensor<256x128xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<256x192xf16>, tensor<192x128xf16>) outs(%c : tensor<256x128xf32>) -> tensor<256x128xf32>
  return %0 : tensor<256x128xf32>
}

// CHECK-LABEL: func @narrow
// CHECK:         %[[R:.*]] = linalg.generic
// CHECK:           arith.mulf %{{.*}} fastmath<contract> : f16
// CHECK-NEXT:      arith.addf %{{.*}} fastmath<contract> : f16
// CHECK:         return %[[R]] : tensor<256x128xf16>
func.func @narrow(%a: tensor<256x192xf16>, %b: tensor<192x128xf16>, %z: tensor<256x128xf16>) -> tensor<256x128xf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<256x192xf16>, tensor<192x128xf16>) outs(%z : tensor<256x128xf16>) -> tensor<256x128xf16>
  return %0 : tensor<256x128xf16>
}

// Longer sums have no useful bound, one row is no product of matrices, and bf16
// has no such instruction.
// CHECK-LABEL: func @long
// CHECK-NOT:     contract
// CHECK-LABEL: func @row
// CHECK-NOT:     contract
// CHECK-LABEL: func @brain
// CHECK-NOT:     contract
// CHECK:         return
func.func @long(%a: tensor<256x513xf16>, %b: tensor<513x128xf16>, %z: tensor<256x128xf16>) -> tensor<256x128xf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<256x513xf16>, tensor<513x128xf16>) outs(%z : tensor<256x128xf16>) -> tensor<256x128xf16>
  return %0 : tensor<256x128xf16>
}
func.func @row(%a: tensor<1x512xf16>, %b: tensor<512x1024xf16>, %z: tensor<1x1024xf16>) -> tensor<1x1024xf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<1x512xf16>, tensor<512x1024xf16>) outs(%z : tensor<1x1024xf16>) -> tensor<1x1024xf16>
  return %0 : tensor<1x1024xf16>
}
func.func @brain(%a: tensor<256x192xbf16>, %b: tensor<192x128xbf16>, %z: tensor<256x128xbf16>) -> tensor<256x128xbf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<256x192xbf16>, tensor<192x128xbf16>) outs(%z : tensor<256x128xbf16>) -> tensor<256x128xbf16>
  return %0 : tensor<256x128xbf16>
}
