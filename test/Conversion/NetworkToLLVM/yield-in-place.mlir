// RUN: pruner-opt %s --pruner-yield-in-place | FileCheck %s

// CHECK-LABEL: func.func @loop(
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (tensor<8xf32>) {
// CHECK: %[[S:.*]] = linalg.add
// CHECK: %[[Y:.*]] = linalg.copy ins(%[[S]] : tensor<8xf32>) outs(%[[A]] : tensor<8xf32>)
// CHECK: scf.yield %[[Y]]
func.func @loop(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %s = linalg.add ins(%a, %x : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Swapped values are copied before the first is written; values that keep their
// position are not copied; scalars have no buffer.
// CHECK-LABEL: func.func @swap(
// CHECK: iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}, %[[C:[a-z0-9_]*]] = %{{.*}}, %[[F:.*]] = %{{.*}}) ->
// CHECK: %[[V:.*]] = tensor.collapse_shape %[[A]]
// CHECK: %[[X:.*]] = tensor.expand_shape %[[B]]
// CHECK: %[[T0:.*]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK: %[[T1:.*]] = bufferization.alloc_tensor() copy(%[[V]])
// CHECK: %[[Y0:.*]] = linalg.copy ins(%[[T0]] : tensor<2x4xf32>) outs(%[[A]] : tensor<2x4xf32>)
// CHECK: %[[Y1:.*]] = linalg.copy ins(%[[T1]] : tensor<8xf32>) outs(%[[B]] : tensor<8xf32>)
// CHECK: scf.yield %[[Y0]], %[[Y1]], %[[C]], %{{.*}} : tensor<2x4xf32>, tensor<8xf32>, tensor<8xf32>, f32
func.func @swap(%x: tensor<2x4xf32>, %y: tensor<8xf32>, %f: f32, %n: index) -> (tensor<2x4xf32>, tensor<8xf32>, tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %c = %y, %g = %f) -> (tensor<2x4xf32>, tensor<8xf32>, tensor<8xf32>, f32) {
    %v = tensor.collapse_shape %a [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    %w = tensor.expand_shape %b [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
    %h = arith.addf %g, %g : f32
    scf.yield %w, %v, %c, %h : tensor<2x4xf32>, tensor<8xf32>, tensor<8xf32>, f32
  }
  return %r#0, %r#1, %r#2, %r#3 : tensor<2x4xf32>, tensor<8xf32>, tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @branch(
// CHECK: %[[D:.*]] = bufferization.alloc_tensor() : tensor<8xf32>
// CHECK: scf.if
// CHECK: %[[Y:.*]] = linalg.copy ins(%{{.*}} : tensor<8xf32>) outs(%[[D]] : tensor<8xf32>)
// CHECK: scf.yield %[[Y]]
// CHECK: %[[N:.*]] = linalg.copy ins(%{{.*}} : tensor<8xf32>) outs(%[[D]] : tensor<8xf32>)
// CHECK: scf.yield %[[N]]
func.func @branch(%x: tensor<8xf32>, %y: tensor<8xf32>, %c: i1) -> tensor<8xf32> {
  %r = scf.if %c -> tensor<8xf32> {
    scf.yield %x : tensor<8xf32>
  } else {
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @while(
// CHECK: scf.while (%[[A:.*]] = %{{.*}}) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: scf.condition(%{{.*}}) %[[A]]
// CHECK: ^bb0(%[[B:.*]]: tensor<8xf32>):
// CHECK: %[[Y:.*]] = linalg.copy ins(%{{.*}} : tensor<8xf32>) outs(%[[B]] : tensor<8xf32>)
// CHECK: scf.yield %[[Y]]
func.func @while(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %limit = arith.constant 9.0 : f32
  %r = scf.while (%a = %x) : (tensor<8xf32>) -> tensor<8xf32> {
    %first = tensor.extract %a[%c0] : tensor<8xf32>
    %go = arith.cmpf olt, %first, %limit : f32
    scf.condition(%go) %a : tensor<8xf32>
  } do {
  ^bb0(%a: tensor<8xf32>):
    %e = tensor.empty() : tensor<8xf32>
    %s = linalg.add ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// A select becomes a branch. Its operands may be overwritten later.
// CHECK-LABEL: func.func @select(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8xf32>, %[[C:.*]]: i1, %[[F:.*]]: f32)
// CHECK: %[[D:.*]] = bufferization.alloc_tensor() : tensor<8xf32>
// CHECK: %[[R:.*]] = scf.if %[[C]] -> (tensor<8xf32>) {
// CHECK: %[[T:.*]] = linalg.copy ins(%[[X]] : tensor<8xf32>) outs(%[[D]] : tensor<8xf32>)
// CHECK: scf.yield %[[T]]
// CHECK: %[[E:.*]] = linalg.copy ins(%[[Y]] : tensor<8xf32>) outs(%[[D]] : tensor<8xf32>)
// CHECK: scf.yield %[[E]]
// CHECK: arith.select %[[C]], %[[F]], %[[F]] : f32
// CHECK: return %[[R]]
func.func @select(%x: tensor<8xf32>, %y: tensor<8xf32>, %c: i1, %f: f32) -> (tensor<8xf32>, f32) {
  %r = arith.select %c, %x, %y : tensor<8xf32>
  %g = arith.select %c, %f, %f : f32
  return %r, %g : tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @switch(
// CHECK: %[[D:.*]] = bufferization.alloc_tensor() : tensor<8xf32>
// CHECK: scf.index_switch
// CHECK-COUNT-3: linalg.copy ins(%{{.*}} : tensor<8xf32>) outs(%[[D]] : tensor<8xf32>)
func.func @switch(%x: tensor<8xf32>, %y: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %r = scf.index_switch %n -> tensor<8xf32>
  case 2 {
    scf.yield %x : tensor<8xf32>
  }
  case 5 {
    scf.yield %y : tensor<8xf32>
  }
  default {
    scf.yield %x : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// The regions pass each other a tensor and a number, and two tensors. Each
// region also carries the buffers that the other one writes to.
// CHECK-LABEL: func.func @uneven(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<4xf32>,
// CHECK: %[[D:.*]] = bufferization.alloc_tensor() : tensor<4xf32>
// CHECK: %[[R:.*]]:3 = scf.while (%[[A:.*]] = %[[X]], %[[B:.*]] = %[[D]], %[[I:.*]] = %{{.*}}) : (tensor<8xf32>, tensor<4xf32>, index) -> (tensor<8xf32>, tensor<4xf32>, index)
// CHECK: %[[S:.*]] = tensor.extract_slice %[[A]]
// CHECK: %[[P:.*]] = linalg.copy ins(%[[S]] : tensor<4xf32>) outs(%[[B]] : tensor<4xf32>)
// CHECK: scf.condition(%{{.*}}) %[[A]], %[[P]], %[[I]] :
// CHECK: ^bb0(%[[W:.*]]: tensor<8xf32>, %[[T:.*]]: tensor<4xf32>, %[[I:.*]]: index):
// CHECK: %[[J:.*]] = arith.addi %[[I]]
// CHECK: %[[N:.*]] = tensor.concat dim(0) %[[T]], %[[Y]]
// CHECK: %[[Q:.*]] = linalg.copy ins(%[[N]] : tensor<8xf32>) outs(%[[W]] : tensor<8xf32>)
// CHECK: scf.yield %[[Q]], %[[T]], %[[J]] :
// CHECK: return %[[R]]#1
func.func @uneven(%x: tensor<8xf32>, %y: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %a = %x) : (index, tensor<8xf32>) -> (tensor<4xf32>, index) {
    %s = tensor.extract_slice %a[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %c = arith.cmpi ult, %i, %n : index
    scf.condition(%c) %s, %i : tensor<4xf32>, index
  } do {
  ^bb0(%t: tensor<4xf32>, %i: index):
    %j = arith.addi %i, %c1 : index
    %m = tensor.concat dim(0) %t, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    scf.yield %j, %m : index, tensor<8xf32>
  }
  return %r#0 : tensor<4xf32>
}
