// RUN: pruner-opt %s --split-input-file --pruner-network-to-llvm | FileCheck %s

// The entry point takes pointers from two arrays; the size of the workspace and
// the widest parallel loop are facts of the library.
// CHECK: module attributes {pruner.interface = {calls = array<i32: 0, 1>, entry = "main", inputs = [tensor<64xf32>], kernels = [{name = "kernel"}, {bytes = 512 : i64, flops = 128 : i64, name = "op_generic_0 64"}], outputs = [tensor<64xf32>], workspace = 256 : i64}} {
// CHECK: llvm.func internal @main(
// CHECK-NOT:  llvm.fcmp
// CHECK:      llvm.call @kernel(
// CHECK:      llvm.call @pruner_network_mark(
// CHECK:      llvm.call @op_generic_0(
// CHECK-NOT:  llvm.call @{{op|kernel}}
// CHECK:      llvm.call @pruner_network_mark(
// CHECK-NEXT: llvm.br ^[[REST:.*]]
// CHECK-NEXT: ^[[REST]]:
// CHECK-NEXT: llvm.return
// CHECK: llvm.func internal @kernel({{.*}}) attributes {{.*}}pruner.applied
// CHECK:   omp.parallel
// A separate function that is not inlined. Rounding is one instruction, the
// rest is expanded.
// CHECK: llvm.func internal @op_generic_0(
// CHECK-SAME: no_inline
// CHECK-NOT: llvm.call
// CHECK-NOT: llvm.intr.exp
// CHECK: llvm.intr.floor
// CHECK: llvm.func hidden @pruner_network_entry(%[[IN:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr, %[[W:.*]]: !llvm.ptr)
// CHECK:   %[[P:.*]] = llvm.getelementptr %[[IN]][0]
// CHECK:   %[[X:.*]] = llvm.load %[[P]]
// CHECK:   %[[Q:.*]] = llvm.getelementptr %[[OUT]][0]
// CHECK:   %[[Y:.*]] = llvm.load %[[Q]]
// CHECK:   llvm.call @main(%[[X]], %[[Y]], %[[W]])
// CHECK: llvm.mlir.global external hidden constant @pruner_network_facts(dense<[1, 1, 256, 16, 2]> : tensor<5xi64>)
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %b = bufferization.to_buffer %x read_only : tensor<64xf32> to memref<64xf32>
  %out = memref.alloc() : memref<64xf32>
  call @kernel(%b, %out) : (memref<64xf32>, memref<64xf32>) -> ()
  %t = bufferization.to_tensor %out restrict writable : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%t : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = math.exp %a : f32
    %d = math.floor %c : f32
    linalg.yield %d : f32
  } -> tensor<64xf32>
  return %y : tensor<64xf32>
}
func.func private @kernel(%x: memref<64xf32>, %y: memref<64xf32>) attributes {pruner.applied = "by hand"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  scf.parallel (%i) = (%c0) to (%c64) step (%c4) {
    %v = vector.load %x[%i] : memref<64xf32>, vector<4xf32>
    vector.store %v, %y[%i] : memref<64xf32>, vector<4xf32>
    scf.reduce
  }
  return
}

// -----

// A failed check leaves the network and reports which check failed.
// CHECK: llvm.func hidden @pruner_network_fail(!llvm.ptr) attributes {passthrough = ["noreturn"]}
// CHECK: llvm.mlir.global internal constant @check_{{.*}}("too small\00")
// CHECK: %[[TEXT:.*]] = llvm.mlir.addressof @check_
// CHECK: llvm.call @pruner_network_fail(%[[TEXT]])
// f64 functions come from the C library, in long double where the error of
// double is larger, or from intrinsics.
// CHECK: llvm.call @erf(
// CHECK: llvm.fpext {{.*}} : f64 to f80
// CHECK: llvm.call @tanhl(
// CHECK: llvm.fptrunc {{.*}} : f80 to f64
// CHECK: llvm.intr.exp
#id = affine_map<(d0) -> (d0)>
func.func @main(%x: tensor<64xf64>) -> tensor<64xf64> {
  %zero = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<64xf64>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<64xf64>) outs(%e : tensor<64xf64>) {
  ^bb0(%a: f64, %o: f64):
    %ok = arith.cmpf ogt, %a, %zero : f64
    cf.assert %ok, "too small"
    %b = math.erf %a : f64
    %c = math.tanh %b : f64
    %d = math.exp %c : f64
    linalg.yield %d : f64
  } -> tensor<64xf64>
  return %y : tensor<64xf64>
}
