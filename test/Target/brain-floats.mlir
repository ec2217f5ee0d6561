// RUN: pruner-translate --to=llvm-ir --mcpu=znver4 %s | FileCheck %s
// RUN: pruner-translate --to=asm --mcpu=znver4 %s | FileCheck %s --check-prefix=ASM

// A scalar that becomes a vector moves as an integer. LLVM would convert an f32
// to bf16 here, which makes denormal numbers zero with AVX512-BF16.
// CHECK-LABEL: @splat(
// CHECK: %[[X:.*]] = load i16
// CHECK: %[[I:.*]] = insertelement <8 x i16> {{.*}}, i16 %[[X]]
// CHECK: %[[V:.*]] = shufflevector <8 x i16> %[[I]]
// CHECK: %[[B:.*]] = bitcast <8 x i16> %[[V]] to <8 x bfloat>
// CHECK: fpext <8 x bfloat> %[[B]]
// ASM-LABEL: splat:
// ASM-NOT: vcvtneps2bf16
// ASM-LABEL: rounds:
llvm.func @splat(%p: !llvm.ptr, %q: !llvm.ptr) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %none = llvm.mlir.poison : vector<8xbf16>
  %x = llvm.load %p : !llvm.ptr -> bf16
  %lane = llvm.insertelement %x, %none[%zero : i64] : vector<8xbf16>
  %v = llvm.shufflevector %lane, %none [0, 0, 0, 0, 0, 0, 0, 0] : vector<8xbf16>
  %f = llvm.fpext %v : vector<8xbf16> to vector<8xf32>
  llvm.store %f, %q : vector<8xf32>, !llvm.ptr
  llvm.return
}

// Selections, values of loops and masked accesses.
// CHECK-LABEL: @others(
// CHECK: load i16
// CHECK: phi i16
// CHECK: select i1 %{{.*}}, i16
// CHECK: store i16
// CHECK: call <8 x i16> @llvm.masked.load
// CHECK: call void @llvm.masked.store.v8i16
// CHECK-NOT: load bfloat
llvm.func @others(%p: !llvm.ptr, %q: !llvm.ptr, %c: i1, %mask: vector<8xi1>, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %x = llvm.load %p : !llvm.ptr -> bf16
  llvm.br ^loop(%zero, %x : i64, bf16)
^loop(%i: i64, %y: bf16):
  %next = llvm.add %i, %one : i64
  %at = llvm.getelementptr %p[%next] : (!llvm.ptr, i64) -> !llvm.ptr, bf16
  %z = llvm.load %at : !llvm.ptr -> bf16
  %s = llvm.select %c, %y, %z : i1, bf16
  %go = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %go, ^loop(%next, %s : i64, bf16), ^end
^end:
  llvm.store %s, %q : bf16, !llvm.ptr
  %none = llvm.mlir.poison : vector<8xbf16>
  %m = llvm.intr.masked.load %p, %mask, %none {alignment = 2 : i32} : (!llvm.ptr, vector<8xi1>, vector<8xbf16>) -> vector<8xbf16>
  llvm.intr.masked.store %m, %q, %mask {alignment = 2 : i32} : vector<8xbf16>, vector<8xi1> into !llvm.ptr
  llvm.return
}

// A rounding is a rounding.
// CHECK-LABEL: @rounds(
// CHECK: fptrunc float %{{.*}} to bfloat
llvm.func @rounds(%x: f32, %q: !llvm.ptr) {
  %y = llvm.fptrunc %x : f32 to bf16
  llvm.store %y, %q : bf16, !llvm.ptr
  llvm.return
}
