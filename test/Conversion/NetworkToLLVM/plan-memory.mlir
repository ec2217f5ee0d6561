// RUN: pruner-opt %s --pass-pipeline='builtin.module(func.func(pruner-plan-memory))' --split-input-file | FileCheck %s
// RUN: pruner-opt %s --pass-pipeline='builtin.module(func.func(pruner-plan-memory{argument}))' --split-input-file | FileCheck %s --check-prefix=ARG
// RUN: pruner-opt %s --pass-pipeline='builtin.module(func.func(pruner-plan-memory{argument freed}))' --split-input-file | FileCheck %s --check-prefix=PLANNED

func.func private @use(memref<16xf32>, memref<16xf32>)

// The third buffer gets the position of the first; a view extends a lifetime.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<16xf32>, %[[Y:[a-z0-9]+]]: memref<16xf32>)
// CHECK:      %[[W:.*]] = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK:      %[[O0:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[A:.*]] = memref.view %[[W]][%[[O0]]][] : memref<128xi8> to memref<16xf32>
// CHECK:      %[[O1:.*]] = arith.constant 64 : index
// CHECK-NEXT: %[[B:.*]] = memref.view %[[W]][%[[O1]]][]
// CHECK:      %[[O2:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[C:.*]] = memref.view %[[W]][%[[O2]]][]
// CHECK:      call @use(%[[C]], %[[Y]])
// CHECK-NEXT: memref.dealloc %[[W]]
// CHECK-NEXT: return
// ARG-LABEL: func.func @chain(
// ARG-SAME: %[[W:[a-z0-9]+]]: memref<128xi8> {pruner.workspace = 128 : i64})
// ARG:      memref.view %[[W]]
// ARG-NOT:  memref.{{alloc|dealloc}}
// ARG:      return
func.func @chain(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  call @use(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %b = memref.alloc() : memref<16xf32>
  call @use(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  %c = memref.alloc() : memref<16xf32>
  call @use(%b, %c) : (memref<16xf32>, memref<16xf32>) -> ()
  call @use(%c, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// CHECK-LABEL: func.func @view(
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<192xi8>
func.func @view(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %shaped = memref.expand_shape %a [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>
  call @use(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %b = memref.alloc() : memref<16xf32>
  call @use(%x, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  %c = memref.alloc() : memref<16xf32>
  call @use(%b, %c) : (memref<16xf32>, memref<16xf32>) -> ()
  %flat = memref.collapse_shape %shaped [[0, 1]] : memref<4x4xf32> into memref<16xf32>
  call @use(%flat, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// The largest buffer is placed first, at 0. The small ones, whose lifetimes do
// not overlap, share the bytes behind it. i1 elements take a byte; every buffer
// is aligned to 64 bytes.
// CHECK-LABEL: func.func @sizes(
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<320xi8>
func.func @sizes() {
  %big = memref.alloc() : memref<64xf32>
  %one = memref.alloc() : memref<3xi1>
  memref.copy %one, %one : memref<3xi1> to memref<3xi1>
  %two = memref.alloc() : memref<5xi1>
  memref.copy %big, %big : memref<64xf32> to memref<64xf32>
  memref.copy %two, %two : memref<5xi1> to memref<5xi1>
  memref.copy %big, %big : memref<64xf32> to memref<64xf32>
  return
}

// A buffer used in a loop lives as long as the loop. A buffer that is freed
// does not change. In a parallel loop each iteration needs its own buffer.
// CHECK-LABEL: func.func @loops(
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK: scf.for
// CHECK:   memref.view
// CHECK: scf.parallel
// CHECK:   %[[OWN:.*]] = memref.alloc() : memref<16xf32>
// CHECK:   call @use(%[[OWN]]
// CHECK-NEXT: memref.dealloc %[[OWN]]
// CHECK: %[[FREED:.*]] = memref.alloc() : memref<99xf32>
// CHECK: memref.dealloc %[[FREED]]
func.func @loops(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %before = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %a = memref.alloc() : memref<16xf32>
    func.call @use(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
    func.call @use(%a, %before) : (memref<16xf32>, memref<16xf32>) -> ()
  }
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %a = memref.alloc() : memref<16xf32>
    func.call @use(%a, %x) : (memref<16xf32>, memref<16xf32>) -> ()
    scf.reduce
  }
  %b = memref.alloc() : memref<99xf32>
  memref.copy %b, %b : memref<99xf32> to memref<99xf32>
  memref.dealloc %b : memref<99xf32>
  return
}

// Two parts of one buffer, the second through reshapes: they are written in
// place while the first is read there.
// CHECK-LABEL: func.func @parts(
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<192xi8>
// CHECK: %[[OA:.*]] = arith.constant 64 : index
// CHECK-NEXT: %[[A:.*]] = memref.view %{{.*}}[%[[OA]]][] : memref<192xi8> to memref<16xf32>
// CHECK: call @use(%{{.*}}, %[[A]])
// CHECK: %[[OALL:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[ALL:.*]] = memref.view %{{.*}}[%[[OALL]]][] : memref<192xi8> to memref<3x16xf32>
// CHECK: %[[OB:.*]] = arith.constant 128 : index
// CHECK-NEXT: %[[B:.*]] = memref.view %{{.*}}[%[[OB]]][] : memref<192xi8> to memref<16xf32>
// CHECK: call @use(%{{.*}}, %[[B]])
// CHECK: memref.copy %{{.*}}, %{{.*}} : memref<16xf32, strided<[1], offset: 16>> to memref<16xf32>
// CHECK-NOT: memref.copy
// CHECK: call @all(%[[ALL]])
func.func private @all(memref<3x16xf32>)
func.func @parts(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  call @use(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %all = memref.alloc() : memref<3x16xf32>
  %first = memref.subview %all[1, 0] [1, 16] [1, 1] : memref<3x16xf32> to memref<16xf32, strided<[1], offset: 16>>
  memref.copy %a, %first : memref<16xf32> to memref<16xf32, strided<[1], offset: 16>>
  %b = memref.alloc() : memref<16xf32>
  call @use(%x, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.copy %first, %x : memref<16xf32, strided<[1], offset: 16>> to memref<16xf32>
  %shaped = memref.expand_shape %b [[0, 1]] output_shape [1, 16] : memref<16xf32> into memref<1x16xf32>
  %second = memref.subview %all[2, 0] [1, 16] [1, 1] : memref<3x16xf32> to memref<1x16xf32, strided<[16, 1], offset: 32>>
  memref.copy %shaped, %second : memref<1x16xf32> to memref<1x16xf32, strided<[16, 1], offset: 32>>
  call @all(%all) : (memref<3x16xf32>) -> ()
  return
}

// A part of a part.
// CHECK-LABEL: func.func @nested(
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<192xi8>
// CHECK: %[[OA:.*]] = arith.constant 128 : index
// CHECK-NEXT: %[[A:.*]] = memref.view %{{.*}}[%[[OA]]][] : memref<192xi8> to memref<16xf32>
// CHECK: call @use(%{{.*}}, %[[A]])
// CHECK: arith.constant 64 : index
// CHECK: arith.constant 0 : index
// CHECK-NOT: memref.copy
// CHECK: return
func.func @nested(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  call @use(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %b = memref.alloc() : memref<2x16xf32>
  %inner = memref.subview %b[1, 0] [1, 16] [1, 1] : memref<2x16xf32> to memref<16xf32, strided<[1], offset: 16>>
  memref.copy %a, %inner : memref<16xf32> to memref<16xf32, strided<[1], offset: 16>>
  %all = memref.alloc() : memref<3x16xf32>
  %outer = memref.subview %all[1, 0] [2, 16] [1, 1] : memref<3x16xf32> to memref<2x16xf32, strided<[16, 1], offset: 16>>
  memref.copy %b, %outer : memref<2x16xf32> to memref<2x16xf32, strided<[16, 1], offset: 16>>
  call @all(%all) : (memref<3x16xf32>) -> ()
  return
}

// The buffer is read after the copy; the range is read during the buffer's
// lifetime; it is not aligned; it is not contiguous; only a part of the buffer
// is copied.
// CHECK-LABEL: func.func @copied(
// CHECK-COUNT-7: memref.copy
// CHECK: return
func.func @copied(%x: memref<16xf32>) {
  %all = memref.alloc() : memref<3x16xf32>
  %0 = memref.subview %all[0, 0] [1, 16] [1, 1] : memref<3x16xf32> to memref<16xf32, strided<[1]>>
  %1 = memref.subview %all[1, 0] [1, 16] [1, 1] : memref<3x16xf32> to memref<16xf32, strided<[1], offset: 16>>
  %a = memref.alloc() : memref<16xf32>
  call @use(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.copy %a, %0 : memref<16xf32> to memref<16xf32, strided<[1]>>
  call @use(%a, %x) : (memref<16xf32>, memref<16xf32>) -> ()
  %b = memref.alloc() : memref<16xf32>
  call @use(%x, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.copy %1, %x : memref<16xf32, strided<[1], offset: 16>> to memref<16xf32>
  memref.copy %b, %1 : memref<16xf32> to memref<16xf32, strided<[1], offset: 16>>
  %other = memref.alloc() : memref<64xf32>
  %2 = memref.subview %other[8] [16] [1] : memref<64xf32> to memref<16xf32, strided<[1], offset: 8>>
  %3 = memref.subview %other[0] [16] [2] : memref<64xf32> to memref<16xf32, strided<[2]>>
  %4 = memref.subview %other[48] [8] [1] : memref<64xf32> to memref<8xf32, strided<[1], offset: 48>>
  %c = memref.alloc() : memref<16xf32>
  call @use(%x, %c) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.copy %c, %2 : memref<16xf32> to memref<16xf32, strided<[1], offset: 8>>
  %d = memref.alloc() : memref<16xf32>
  call @use(%x, %d) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.copy %d, %3 : memref<16xf32> to memref<16xf32, strided<[2]>>
  %e = memref.alloc() : memref<16xf32>
  call @use(%x, %e) : (memref<16xf32>, memref<16xf32>) -> ()
  %half = memref.subview %e[0] [8] [1] : memref<16xf32> to memref<8xf32, strided<[1]>>
  memref.copy %half, %4 : memref<8xf32, strided<[1]>> to memref<8xf32, strided<[1], offset: 48>>
  call @all(%all) : (memref<3x16xf32>) -> ()
  memref.copy %other, %other : memref<64xf32> to memref<64xf32>
  return
}

// CHECK-LABEL: func.func @dynamic(
// CHECK: %[[A:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: memref.copy %[[A]], %[[A]]
// CHECK-NEXT: memref.dealloc %[[A]]
func.func @dynamic(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %a, %a : memref<?xf32> to memref<?xf32>
  return
}

// A select may return either buffer, so both live as long as its result.
// CHECK-LABEL: func.func @select(
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<192xi8>
func.func @select(%p: i1, %x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  call @use(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %b = memref.alloc() : memref<16xf32>
  call @use(%x, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  %s = arith.select %p, %a, %b : memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  call @use(%x, %c) : (memref<16xf32>, memref<16xf32>) -> ()
  call @use(%s, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  call @use(%c, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// A copy out of a select, and one into a buffer that a select may read.
// CHECK-LABEL: func.func @copied_select(
// CHECK-COUNT-2: memref.copy
func.func @copied_select(%p: i1, %x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  call @use(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %b = memref.alloc() : memref<16xf32>
  call @use(%x, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  %s = arith.select %p, %a, %b : memref<16xf32>
  %w = memref.alloc() : memref<16xf32>
  memref.copy %s, %w : memref<16xf32> to memref<16xf32>
  call @use(%w, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  %v = memref.alloc() : memref<16xf32>
  call @use(%x, %v) : (memref<16xf32>, memref<16xf32>) -> ()
  %t = arith.select %p, %v, %x : memref<16xf32>
  %u = memref.alloc() : memref<16xf32>
  call @use(%x, %u) : (memref<16xf32>, memref<16xf32>) -> ()
  call @use(%t, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.copy %u, %v : memref<16xf32> to memref<16xf32>
  call @use(%v, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// Values that the branches of an index_switch and a loop pass on.
// CHECK-LABEL: func.func @regions(
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<192xi8>
func.func @regions(%n: index, %x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  call @use(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  %b = memref.alloc() : memref<16xf32>
  call @use(%x, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  %s = scf.index_switch %n -> memref<16xf32>
  case 0 {
    scf.yield %a : memref<16xf32>
  }
  default {
    scf.yield %b : memref<16xf32>
  }
  %t = scf.for %i = %c0 to %n step %c1 iter_args(%r = %s) -> memref<16xf32> {
    scf.yield %r : memref<16xf32>
  }
  %c = memref.alloc() : memref<16xf32>
  call @use(%x, %c) : (memref<16xf32>, memref<16xf32>) -> ()
  call @use(%t, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  call @use(%c, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  return
}

// -----

// A buffer that is freed is a place in the workspace only if that is asked for.
// CHECK-LABEL: func.func @freed(
// CHECK: %[[A:.*]] = memref.alloc() : memref<16xf32>
// CHECK: memref.dealloc %[[A]]
// ARG-LABEL: func.func @freed(
// ARG: memref.alloc() : memref<16xf32>
// PLANNED-LABEL: func.func @freed(
// PLANNED-SAME: %[[W:[a-z0-9]+]]: memref<64xi8> {pruner.workspace = 64 : i64})
// PLANNED-NOT: memref.alloc()
// PLANNED: memref.view %[[W]]
// PLANNED-NOT: memref.dealloc
// PLANNED: memref.alloc(%{{.*}}) : memref<?xf32>
// PLANNED: memref.dealloc
func.func private @use(memref<16xf32>, memref<16xf32>)
func.func private @any(memref<?xf32>)
func.func @freed(%x: memref<16xf32>, %y: memref<16xf32>, %n: index) {
  %a = memref.alloc() : memref<16xf32>
  call @use(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  call @use(%a, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  memref.dealloc %a : memref<16xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  call @any(%b) : (memref<?xf32>) -> ()
  memref.dealloc %b : memref<?xf32>
  return
}
