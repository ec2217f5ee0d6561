// With `measure`, a convolution whose time may profit keeps both forms, with
// its pad and the elementwise ops behind it, the one that is predicted to be
// faster first. The tasks of both forms are extracted.
//
// RUN: pruner-machine --json cpu > %t.cpu.json
// RUN: %python %S/Inputs/cpu_rates.py 128 1000 < %t.cpu.json > %t.fast.json
// RUN: %python %S/Inputs/cpu_rates.py 128 8 < %t.cpu.json > %t.even.json
// RUN: %python %S/Inputs/cpu_rates.py 128 4 < %t.cpu.json > %t.slow.json
//
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=winograd measure targets=file:%t.fast.json' | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=winograd measure targets=file:%t.even.json' | FileCheck %s --check-prefixes=CHECK,EVEN
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=winograd measure targets=file:%t.slow.json' | FileCheck %s --check-prefixes=CHECK,SLOW
// RUN: pruner-opt %s --pruner-relax-accuracy='accuracy=winograd measure targets=file:%t.fast.json' --pruner-extract-tasks | FileCheck %s --check-prefix=TASKS

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// The bias and the maximum with zero are in both forms, and the sum that another
// op reads as well is in none.
//
// CHECK-LABEL: func @large(
// CHECK:         %[[R:.+]] = pruner.alternatives -> tensor<1x128x28x28xf32>
// CHECK-NEXT:      form "winograd" {
// CHECK:             tensor.pad
// CHECK:             linalg.batch_matmul ins({{.*}} : tensor<{{[0-9]+x[0-9]+}}x128xf32>, tensor<{{[0-9]+}}x128x128xf32>)
// CHECK:             arith.maximumf
// CHECK:             pruner.results
// CHECK:           form "direct" {
// CHECK-NEXT:        %[[PAD:.+]] = tensor.pad
// CHECK:             %[[CONV:.+]] = linalg.conv_2d_nchw_fchw ins(%[[PAD]],
// CHECK-NEXT:        %[[MAX:.+]] = linalg.generic {{.*}} ins(%[[CONV]]
// CHECK:             pruner.results %[[MAX]]
// CHECK:         %[[SUM:.+]] = linalg.generic {{.*}} ins(%[[R]], %[[R]]
// CHECK:         return %[[R]], %[[SUM]]
//
// TASKS-LABEL: func.func @large(
// TASKS:         pruner.alternatives
// TASKS-NEXT:      form "winograd" {
// TASKS:             call @[[IMAGE:task_conv_2d[a-z0-9_]*]](
// TASKS:             call @[[PRODUCT:task_batch_matmul[a-z0-9_]*]](
// TASKS:             call @[[RESULT:task_contract[a-z0-9_]*]](
// TASKS:             call @task_elementwise
// TASKS:           form "direct" {
// TASKS-NEXT:        call @[[DIRECT:task_conv_2d_nchw_fchw[a-z0-9_]*]](%arg0,
// TASKS-NEXT:        pruner.results
func.func @large(%x: tensor<1x128x28x28xf32>, %w: tensor<128x128x3x3xf32> {pruner.constant}) -> (tensor<1x128x28x28xf32>, tensor<1x128x28x28xf32>) {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x128x28x28xf32> to tensor<1x128x30x30xf32>
  %e = tensor.empty() : tensor<1x128x28x28xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x128x30x30xf32>, tensor<128x128x3x3xf32>)
      outs(%z : tensor<1x128x28x28xf32>) -> tensor<1x128x28x28xf32>
  %m = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%r : tensor<1x128x28x28xf32>) outs(%e : tensor<1x128x28x28xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.maximumf %a, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<1x128x28x28xf32>
  %s = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%m, %m : tensor<1x128x28x28xf32>, tensor<1x128x28x28xf32>) outs(%e : tensor<1x128x28x28xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<1x128x28x28xf32>
  return %m, %s : tensor<1x128x28x28xf32>, tensor<1x128x28x28xf32>
}

// A filter of 16 or 36 instead of 9 numbers is read from memory. If that is
// predicted to be a little slower, the direct form comes first; if it is much
// slower, there is no other form.
//
// CHECK-LABEL: func @deep(
// FAST:          pruner.alternatives
// FAST-NEXT:       form "winograd"
// EVEN:          pruner.alternatives
// EVEN-NEXT:       form "direct" {
// EVEN:            form "winograd"
// SLOW-NOT:      pruner.alternatives
// SLOW:          linalg.conv_2d_nchw_fchw
func.func @deep(%x: tensor<1x512x9x9xf32>, %w: tensor<512x512x3x3xf32> {pruner.constant}) -> tensor<1x512x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x512x7x7xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x512x9x9xf32>, tensor<512x512x3x3xf32>)
      outs(%z : tensor<1x512x7x7xf32>) -> tensor<1x512x7x7xf32>
  return %r : tensor<1x512x7x7xf32>
}
