// RUN: pruner-opt %s --pruner-hoist-constants --split-input-file | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// The scale is computed once. A shift that is read directly stays an argument,
// and the variance keeps its position in the list of the other function.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32> {pruner.name = "arg0"}, %[[SHIFT:.*]]: tensor<8xf32> {pruner.constant, pruner.name = "arg2"}, %[[SCALE:.*]]: tensor<8xf32> {pruner.constant, pruner.name = "prepared0"})
// CHECK-NOT: math.rsqrt
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[SCALE]], %[[SHIFT]] :
// CHECK-LABEL: func.func @main_prepare(
// CHECK-SAME: %[[V:.*]]: tensor<8xf32> {pruner.constant, pruner.name = "variance"})
// CHECK-SAME: -> (tensor<8xf32> {pruner.name = "prepared0"}) attributes {pruner.prepares = @main}
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[V]] :
// CHECK: math.rsqrt
// CHECK: return %[[R]]
func.func @main(%x: tensor<4x8xf32>, %variance: tensor<8xf32> {pruner.constant, pruner.name = "variance"}, %shift: tensor<8xf32> {pruner.constant}) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %scale = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%variance : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %r = math.rsqrt %v : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %i = tensor.empty() : tensor<4x8xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %scale, %shift : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%i : tensor<4x8xf32>) {
  ^bb0(%a: f32, %s: f32, %t: f32, %o: f32):
    %m = arith.mulf %a, %s : f32
    %r = arith.addf %m, %t : f32
    linalg.yield %r : f32
  } -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// Packing runs once. Reshapes of weights move no data and stay.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %{{.*}}: tensor<4x8xf32> {pruner.name = "arg0"}, %[[B:.*]]: tensor<4x4xf32> {pruner.constant, pruner.name = "arg2"}, %[[P:.*]]: tensor<1x8x4xf32> {pruner.constant, pruner.name = "prepared0"})
// CHECK-NOT: @task_pack1
// CHECK: bufferization.to_buffer %[[P]]
// CHECK: call @task_kernel
// CHECK: tensor.collapse_shape %[[B]]
// CHECK-LABEL: func.func @main_prepare(
// CHECK: tensor.collapse_shape
// CHECK: call @task_pack1(
// CHECK-NOT: func.func private @task(
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x4x1xf32> {pruner.constant}, %b: tensor<4x4xf32> {pruner.constant}) -> (tensor<4x4xf32>, tensor<16xf32>) {
  %flat = tensor.collapse_shape %w [[0], [1, 2]] : tensor<8x4x1xf32> into tensor<8x4xf32>
  %r = call @task(%x, %flat) : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %c = tensor.collapse_shape %b [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>
  return %r, %c : tensor<4x4xf32>, tensor<16xf32>
}
func.func private @task(%x: tensor<4x8xf32>, %w: tensor<8x4xf32> {pruner.constant}) -> tensor<4x4xf32> {
  %p = call @task_pack1(%w) : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
  %0 = bufferization.to_buffer %x read_only : tensor<4x8xf32> to memref<4x8xf32>
  %1 = bufferization.to_buffer %p read_only : tensor<1x8x4xf32> to memref<1x8x4xf32>
  %2 = memref.alloc() : memref<4x4xf32>
  call @task_kernel(%0, %1, %2) : (memref<4x8xf32>, memref<1x8x4xf32>, memref<4x4xf32>) -> ()
  %3 = bufferization.to_tensor %2 restrict writable : memref<4x4xf32> to tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}
func.func private @task_pack1(%w: tensor<8x4xf32>) -> tensor<1x8x4xf32> attributes {pruner.pack} {
  %p = tensor.expand_shape %w [[0, 1], [2]] output_shape [1, 8, 4] : tensor<8x4xf32> into tensor<1x8x4xf32>
  return %p : tensor<1x8x4xf32>
}
func.func private @task_kernel(memref<4x8xf32>, memref<1x8x4xf32>, memref<4x4xf32>)

// -----

// Without constants, or without work on them, nothing changes.
// CHECK-LABEL: func.func @main(%{{.*}}: tensor<8xf32>, %{{.*}}: tensor<8xf32> {pruner.constant})
// CHECK-NOT: _prepare
func.func @main(%x: tensor<8xf32>, %w: tensor<8xf32> {pruner.constant}) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.add ins(%x, %w : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Scalars do not cross: each function reads them and computes with them. A
// tensor computed from them crosses.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32> {pruner.name = "arg0"}, %[[S:[a-z0-9]+]]: tensor<f32> {pruner.constant, pruner.name = "arg1"}, %[[P:[a-z0-9]+]]: tensor<8xf32> {pruner.constant, pruner.name = "prepared0"})
// CHECK: %[[V:.*]] = tensor.extract %[[S]][]
// CHECK: %[[V2:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK-NOT: math.exp
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[P]] :
// CHECK: arith.mulf %{{.*}}, %[[V2]]
// CHECK-LABEL: func.func @main_prepare(
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<f32> {{.*}}) -> (tensor<8xf32> {pruner.name = "prepared0"})
// CHECK: %[[V:.*]] = tensor.extract %[[S]][]
// CHECK: %[[V2:.*]] = arith.mulf %[[V]], %[[V]]
// CHECK: %[[F:.*]] = linalg.fill ins(%[[V2]] : f32)
// CHECK: linalg.generic {{.*}} ins(%[[F]] :
// CHECK: math.exp
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<8xf32>, %s: tensor<f32> {pruner.constant}) -> tensor<8xf32> {
  %v = tensor.extract %s[] : tensor<f32>
  %v2 = arith.mulf %v, %v : f32
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%v2 : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%f : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %w : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %v2 : f32
    %r = arith.addf %m, %b : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Scalars alone are no work, and tensors of elements that C does not have stay.
// CHECK-LABEL: func.func @numbers(
// CHECK-NOT: pruner.name
// CHECK-NOT: @numbers_prepare
func.func @numbers(%x: tensor<8xi8>, %s: tensor<i8> {pruner.constant}, %t: tensor<8xi8> {pruner.constant}) -> (tensor<8xi8>, tensor<8xi8>) {
  %v = tensor.extract %s[] : tensor<i8>
  %n = tensor.empty() : tensor<8xi4>
  %narrow = linalg.map { arith.trunci } ins(%t : tensor<8xi8>) outs(%n : tensor<8xi4>)
  %e = tensor.empty() : tensor<8xi8>
  %y = linalg.map ins(%x : tensor<8xi8>) outs(%e : tensor<8xi8>) (%a: i8, %o: i8) {
    %r = arith.addi %a, %v : i8
    linalg.yield %r : i8
  }
  %z = linalg.map ins(%x, %narrow : tensor<8xi8>, tensor<8xi4>) outs(%e : tensor<8xi8>) (%a: i8, %b: i4, %o: i8) {
    %w = arith.extsi %b : i4 to i8
    %r = arith.addi %a, %w : i8
    linalg.yield %r : i8
  }
  return %y, %z : tensor<8xi8>, tensor<8xi8>
}

// -----

// A scalar whose computation needs a loop crosses in a tensor.
// CHECK-LABEL: func.func @looped(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8xf32> {{{.*}}}, %[[P:[a-z0-9]+]]: tensor<f32> {pruner.constant, pruner.name = "prepared0"})
// CHECK-NOT: scf.for
// CHECK: %[[S:.*]] = tensor.extract %[[P]][]
// CHECK: linalg.fill ins(%[[S]] : f32)
// CHECK-LABEL: func.func @looped_prepare(
// CHECK: %[[R:.*]] = scf.for
// CHECK: %[[T:.*]] = tensor.from_elements %[[R]] : tensor<f32>
// CHECK: return %[[T]]
func.func @looped(%x: tensor<8xf32>, %w: tensor<16xf32> {pruner.constant}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %c16 step %c1 iter_args(%a = %z) -> (f32) {
    %v = tensor.extract %w[%i] : tensor<16xf32>
    %t = arith.addf %a, %v : f32
    scf.yield %t : f32
  }
  %f = linalg.fill ins(%s : f32) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  %y = linalg.add ins(%x, %f : tensor<8xf32>, tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// What is computed once is for the CPU, so a task with GPU kernels stays. The
// operation on its other operand moves.
// CHECK-LABEL: func.func @gpu(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<8xf32> {{{.*}}}, %[[P:[a-z0-9]+]]: tensor<8xf32> {pruner.constant, pruner.name = "prepared0"})
// CHECK: call @task(%[[P]])
// CHECK-LABEL: func.func @gpu_prepare(
// CHECK-NOT: call @task
// CHECK: linalg.exp
module attributes {gpu.container_module} {
  func.func @gpu(%x: tensor<8xf32>, %w: tensor<8xf32> {pruner.constant}) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %p = linalg.exp ins(%w : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %t = call @task(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %y = linalg.add ins(%x, %t : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    return %y : tensor<8xf32>
  }
  func.func private @task(%w: tensor<8xf32>) -> tensor<8xf32> attributes {pruner.task = {key = "k"}} {
    %b = bufferization.to_buffer %w read_only : tensor<8xf32> to memref<8xf32>
    %y = memref.alloc() : memref<8xf32>
    call @task_kernel(%b, %y) : (memref<8xf32>, memref<8xf32>) -> ()
    %z = bufferization.to_tensor %y restrict writable : memref<8xf32> to tensor<8xf32>
    return %z : tensor<8xf32>
  }
  func.func private @task_kernel(%x: memref<8xf32>, %y: memref<8xf32>) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@task_kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<8xf32>, %y : memref<8xf32>)
    return
  }
  gpu.binary @kernels [#gpu.object<#nvvm.target, assembly = "">]
}
