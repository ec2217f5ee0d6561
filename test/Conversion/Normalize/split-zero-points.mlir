// RUN: pruner-opt %s --pruner-split-zero-points --split-input-file | FileCheck %s

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>

// sum((x - 7) (y + 3)) = sum(x y) + 3 sum(x) - 7 sum(y) - 21 * 16.
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[COLUMNS:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @both(
// CHECK-SAME:      %[[X:.*]]: tensor<4x16xi8>, %[[Y:.*]]: tensor<16x8xi8>
// CHECK:         %[[SX:.*]] = linalg.generic {{.*}} ["parallel", "reduction"]} ins(%[[X]] : tensor<4x16xi8>)
// CHECK:           arith.extui
// CHECK:         %[[SY:.*]] = linalg.generic {{.*}} ["reduction", "parallel"]} ins(%[[Y]] : tensor<16x8xi8>)
// CHECK:           arith.extsi
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[Y]]
// CHECK:           %[[U:.*]] = arith.extui
// CHECK:           %[[V:.*]] = arith.extsi
// CHECK:           arith.muli %[[U]], %[[V]]
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ["parallel", "parallel"]} ins(%[[P]], %[[SX]], %[[SY]]
// CHECK-NEXT:    ^bb0(%[[S:.*]]: i32, %[[T:.*]]: i32, %[[W:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT:      %[[MINUS3:.*]] = arith.constant -3 : i32
// CHECK-NEXT:      %[[A:.*]] = arith.muli %[[T]], %[[MINUS3]]
// CHECK-NEXT:      %[[B:.*]] = arith.subi %[[S]], %[[A]]
// CHECK-NEXT:      %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK-NEXT:      %[[C:.*]] = arith.muli %[[W]], %[[SEVEN]]
// CHECK-NEXT:      %[[D:.*]] = arith.subi %[[B]], %[[C]]
// CHECK-NEXT:      %[[OFFSET:.*]] = arith.constant -336 : i32
// CHECK-NEXT:      arith.addi %[[D]], %[[OFFSET]]
// CHECK:         return %[[R]]
func.func @both(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %init: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %seven = arith.constant 7 : i32
  %three = arith.constant 3 : i32
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<4x16xi8>, tensor<16x8xi8>) outs(%init : tensor<4x8xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.subi %0, %seven : i32
    %2 = arith.extsi %q : i8 to i32
    %3 = arith.addi %2, %three : i32
    %4 = arith.muli %1, %3 : i32
    %5 = arith.addi %s, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<4x8xi32>
  return %r : tensor<4x8xi32>
}

// -----

#x = affine_map<(o, f, c, k) -> (o + k, c)>
#w = affine_map<(o, f, c, k) -> (k, c, f)>
#r = affine_map<(o, f, c, k) -> (o, f)>

// A zero point of the image needs the sums of the weights only.
// CHECK-LABEL: func @image(
// CHECK-SAME:      %{{.*}}: tensor<10x4xi8>, %[[W:.*]]: tensor<3x4x6xi8>
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ["reduction", "reduction", "parallel"]} ins(%[[W]]
// CHECK:         %[[P:.*]] = linalg.generic
// CHECK-NOT:       arith.subi
// CHECK:           linalg.yield
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %[[S]]
func.func @image(%x: tensor<10x4xi8>, %w: tensor<3x4x6xi8>, %init: tensor<8x6xi32>) -> tensor<8x6xi32> {
  %z = arith.constant 7 : i32
  %r = linalg.generic {indexing_maps = [#x, #w, #r], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<10x4xi8>, tensor<3x4x6xi8>) outs(%init : tensor<8x6xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %0 = arith.extsi %p : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.extsi %q : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<8x6xi32>
  return %r : tensor<8x6xi32>
}

// -----

#x = affine_map<(o, f, c, k) -> (o + k, c)>
#w = affine_map<(o, f, c, k) -> (k, c, f)>
#r = affine_map<(o, f, c, k) -> (o, f)>

// One of the weights needs the sums of windows: first those over channels.
// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1) -> (d0 + d1)>
// CHECK-DAG: #[[OUT:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func @weights(
// CHECK-SAME:      %[[X:.*]]: tensor<10x4xi8>, %[[W:.*]]: tensor<3x4x6xi8>
// CHECK:         %[[C:.*]] = linalg.generic {{.*}} ["parallel", "reduction"]} ins(%[[X]] : tensor<10x4xi8>)
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<3xi32>
// CHECK:         %[[S:.*]] = linalg.generic {indexing_maps = [#[[WINDOW]], #{{.*}}, #[[OUT]]], {{.*}}} ins(%[[C]], %[[E]] : tensor<10xi32>, tensor<3xi32>)
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[W]]
// CHECK-NOT:       arith.subi
// CHECK:           linalg.yield
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #[[OUT]], #{{.*}}], {{.*}}} ins(%[[P]], %[[S]] : tensor<8x6xi32>, tensor<8xi32>)
func.func @weights(%x: tensor<10x4xi8>, %w: tensor<3x4x6xi8>, %init: tensor<8x6xi32>) -> tensor<8x6xi32> {
  %z = arith.constant 7 : i32
  %r = linalg.generic {indexing_maps = [#x, #w, #r], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<10x4xi8>, tensor<3x4x6xi8>) outs(%init : tensor<8x6xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %0 = arith.extsi %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.subi %1, %z : i32
    %3 = arith.muli %0, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<8x6xi32>
  return %r : tensor<8x6xi32>
}

// -----

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#columns = affine_map<(i, j, k) -> (j)>
#c = affine_map<(i, j, k) -> (i, j)>

// Computed zero points: a scalar that all factors share, and one for each
// column. sum((x - p) (y - q)) = sum(x y) - q sum(x) - p sum(y) + 16 p q.
// CHECK-DAG: #[[NOWHERE:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[COLUMNS:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @computed(
// CHECK-SAME:      %[[X:.*]]: tensor<4x16xi8>, %[[Y:.*]]: tensor<16x8xi8>, %{{.*}}, %[[P:.*]]: i32, %[[Q:.*]]: tensor<8xi32>
// CHECK:         %[[SX:.*]] = linalg.generic {{.*}} ["parallel", "reduction"]} ins(%[[X]]
// CHECK:         %[[SY:.*]] = linalg.generic {{.*}} ["reduction", "parallel"]} ins(%[[Y]]
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[Y]] : tensor<4x16xi8>, tensor<16x8xi8>)
// CHECK:         %[[T:.*]] = tensor.from_elements %[[P]] : tensor<i32>
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #[[ROWS]], #[[COLUMNS]], #[[NOWHERE]], #[[COLUMNS]], #{{.*}}], {{.*}}} ins(%[[S]], %[[SX]], %[[SY]], %[[T]], %[[Q]]
// CHECK-NEXT:    ^bb0(%[[A:.*]]: i32, %[[B:.*]]: i32, %[[C:.*]]: i32, %[[D:.*]]: i32, %[[F:.*]]: i32, %{{.*}}: i32):
// CHECK-NEXT:      %[[G:.*]] = arith.muli %[[B]], %[[F]]
// CHECK-NEXT:      %[[H:.*]] = arith.subi %[[A]], %[[G]]
// CHECK-NEXT:      %[[I:.*]] = arith.muli %[[C]], %[[D]]
// CHECK-NEXT:      %[[J:.*]] = arith.subi %[[H]], %[[I]]
// CHECK-NEXT:      %[[K:.*]] = arith.muli %[[D]], %[[F]]
// CHECK-NEXT:      %[[SIXTEEN:.*]] = arith.constant 16
// CHECK-NEXT:      %[[L:.*]] = arith.muli %[[K]], %[[SIXTEEN]]
// CHECK-NEXT:      arith.addi %[[J]], %[[L]]
func.func @computed(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %init: tensor<4x8xi32>, %p: i32, %q: tensor<8xi32>) -> tensor<4x8xi32> {
  %r = linalg.generic {indexing_maps = [#a, #b, #columns, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y, %q : tensor<4x16xi8>, tensor<16x8xi8>, tensor<8xi32>) outs(%init : tensor<4x8xi32>) {
  ^bb0(%e: i8, %f: i8, %g: i32, %s: i32):
    %0 = arith.extui %e : i8 to i32
    %1 = arith.subi %0, %p : i32
    %2 = arith.extsi %f : i8 to i32
    %3 = arith.subi %2, %g : i32
    %4 = arith.muli %1, %3 : i32
    %5 = arith.addi %s, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<4x8xi32>
  return %r : tensor<4x8xi32>
}

// -----

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#terms = affine_map<(i, j, k) -> (k)>
#c = affine_map<(i, j, k) -> (i, j)>

// Sums that must not overflow in their order, and zero points that differ along
// the reduction, stay.
// CHECK-LABEL: func @stay(
// CHECK-COUNT-2: arith.subi
// CHECK-NOT:     ["parallel", "reduction"]
func.func @stay(%x: tensor<4x16xi8>, %y: tensor<16x8xi8>, %init: tensor<4x8xi32>, %z: tensor<16xi32>) -> (tensor<4x8xi32>, tensor<4x8xi32>) {
  %seven = arith.constant 7 : i32
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<4x16xi8>, tensor<16x8xi8>) outs(%init : tensor<4x8xi32>) {
  ^bb0(%p: i8, %q: i8, %s: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.subi %0, %seven : i32
    %2 = arith.extsi %q : i8 to i32
    %3 = arith.muli %1, %2 overflow<nsw> : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x8xi32>
  %t = linalg.generic {indexing_maps = [#a, #b, #terms, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y, %z : tensor<4x16xi8>, tensor<16x8xi8>, tensor<16xi32>) outs(%init : tensor<4x8xi32>) {
  ^bb0(%p: i8, %q: i8, %e: i32, %s: i32):
    %0 = arith.extui %p : i8 to i32
    %1 = arith.subi %0, %e : i32
    %2 = arith.extsi %q : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %s, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x8xi32>
  return %r, %t : tensor<4x8xi32>, tensor<4x8xi32>
}
