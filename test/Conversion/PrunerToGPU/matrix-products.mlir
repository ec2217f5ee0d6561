// Products by tensor cores: each function is compiled twice, with an instruction
// and without. The PTX machine computes the same integers by both.
// RUN: pruner-opt %s --pruner-tile=target=nvidia:sm_80 --convert-pruner-to-gpu -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: pruner-opt %t.mlir --pruner-to-nvvm -o %t.nvvm.mlir
// RUN: pruner-translate %t.nvvm.mlir --to=ptx --chip=sm_80 -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx --check-prefix=PTX

// The loads of a are those of one fragment, the loads of b those of two.
// CHECK: gpu.func @rows_kernel
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = false} : memref<{{.*}}xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = true} : memref<{{.*}}xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
// CHECK: nvvm.mma.sync A[{{.*}}] B[{{.*}}] C[{{.*}}] {{.*}} shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32)
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 2 : i32, transpose = true}
// CHECK: gpu.func @columns_kernel
// CHECK: nvgpu.ldmatrix {{.*}} {numTiles = 4 : i32, transpose = true} : memref<{{.*}}xbf16,
// CHECK: nvvm.mma.sync {{.*}}multiplicandAPtxType = #nvvm.mma_type<bf16>{{.*}} : (i32, i32, f32)

// PTX: .entry rows_kernel(
// PTX: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32

// RUN: pruner-emulate --ptx=%t.ptx --kernel=rows_kernel --arguments=f16x3072,f16x1536,f32x1152 --grid=3 --block=32 --fill=random-int --poison=2 --print=2 > %t.rows
// RUN: pruner-emulate --ptx=%t.ptx --kernel=rows_plain_kernel --arguments=f16x3072,f16x1536,f32x1152 --grid=12 --block=32 --fill=random-int --poison=2 --print=2 | diff - %t.rows

// RUN: pruner-emulate --ptx=%t.ptx --kernel=columns_kernel --arguments=bf16x3072,bf16x3072,f32x4096 --grid=2 --block=128 --fill=random-int --poison=2 --print=2 > %t.columns
// RUN: pruner-emulate --ptx=%t.ptx --kernel=columns_plain_kernel --arguments=bf16x3072,bf16x3072,f32x4096 --grid=32 --block=32 --fill=random-int --poison=2 --print=2 | diff - %t.columns

// RUN: pruner-emulate --ptx=%t.ptx --kernel=edges_kernel --arguments=f16x1665,f16x2295,f32x1887 --grid=12 --block=64 --fill=random-int --poison=2 --print=2 > %t.edges
// RUN: pruner-emulate --ptx=%t.ptx --kernel=edges_plain_kernel --arguments=f16x1665,f16x2295,f32x1887 --grid=20 --block=32 --fill=random-int --poison=2 --print=2 | diff - %t.edges

// RUN: pruner-emulate --ptx=%t.ptx --kernel=batch_kernel --arguments=bf16x3840,bf16x1920,f32x1536 --grid=12 --block=32 --fill=random-int --poison=2 --print=2 > %t.batch
// RUN: pruner-emulate --ptx=%t.ptx --kernel=batch_plain_kernel --arguments=bf16x3840,bf16x1920,f32x1536 --grid=12 --block=32 --fill=random-int --poison=2 --print=2 | diff - %t.batch

// The rows of a convolution are pixels of the image, two apart.
// RUN: pruner-emulate --ptx=%t.ptx --kernel=conv_kernel --arguments=f16x9800,f16x4320,f32x2448 --grid=24 --block=32 --fill=random-int --poison=2 --print=2 > %t.conv
// RUN: pruner-emulate --ptx=%t.ptx --kernel=conv_plain_kernel --arguments=f16x9800,f16x4320,f32x2448 --grid=36 --block=32 --fill=random-int --poison=2 --print=2 | diff - %t.conv

// The copies of b turn bytes, which loads cannot transpose.
// RUN: pruner-emulate --ptx=%t.ptx --kernel=bytes_kernel --arguments=i8x2800,i8x1680,i32x960 --grid=6 --block=32 --fill=random-int --poison=2 --print=2 > %t.bytes
// RUN: pruner-emulate --ptx=%t.ptx --kernel=bytes_plain_kernel --arguments=i8x2800,i8x1680,i32x960 --grid=10 --block=32 --fill=random-int --poison=2 --print=2 | diff - %t.bytes
// PTX-LABEL: .entry bytes_kernel(
// PTX: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// PTX-NOT: .trans
// PTX: mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32

func.func @rows(%a: tensor<48x64xf16>, %b: tensor<64x24xf16>) -> tensor<48x24xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 2, 1], [1, 4, 3, 2], [1, 32]], stages = [inner, inner],
        vector = 8, unroll = 16, pad = 8, pipeline = 2, instruction = mma_m16n8k16_f16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<48x24xf32>) -> tensor<48x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x64xf16>, tensor<64x24xf16>) outs(%f : tensor<48x24xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<48x24xf32>
  return %r : tensor<48x24xf32>
}
func.func @rows_plain(%a: tensor<48x64xf16>, %b: tensor<64x24xf16>) -> tensor<48x24xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [1, 8, 1, 2], [4, 1]], stages = [inner, inner], vector = 1, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<48x24xf32>) -> tensor<48x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x64xf16>, tensor<64x24xf16>) outs(%f : tensor<48x24xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<48x24xf32>
  return %r : tensor<48x24xf32>
}

func.func @columns(%a: tensor<48x64xbf16>, %b: tensor<64x48xbf16>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 16, 2, 1], [2, 8, 2, 2], [1, 16]], stages = [inner, inner],
        vector = 8, unroll = 16, pad = 8, pipeline = 3, instruction = mma_m16n8k16_bf16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x64xbf16>, tensor<64x48xbf16>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}
func.func @columns_plain(%a: tensor<48x64xbf16>, %b: tensor<64x48xbf16>) -> tensor<64x64xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [1, 8, 1, 2], [4, 1]], stages = [inner, inner], vector = 1, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<48x64xbf16>, tensor<64x48xbf16>) outs(%f : tensor<64x64xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

func.func @edges(%a: tensor<45x37xf16>, %b: tensor<45x51xf16>) -> tensor<37x51xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 2, 1], [1, 8, 1, 2], [2, 16]], stages = [inner, inner],
        vector = 8, unroll = 0, pad = 0, pipeline = 2, instruction = mma_m16n8k16_f16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37x51xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<37x51xf32>) -> tensor<37x51xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<45x37xf16>, tensor<45x51xf16>) outs(%f : tensor<37x51xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<37x51xf32>
  return %r : tensor<37x51xf32>
}
func.func @edges_plain(%a: tensor<45x37xf16>, %b: tensor<45x51xf16>) -> tensor<37x51xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [1, 8, 1, 2], [4, 1]], stages = [inner, inner], vector = 1, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<37x51xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<37x51xf32>) -> tensor<37x51xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<45x37xf16>, tensor<45x51xf16>) outs(%f : tensor<37x51xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<37x51xf32>
  return %r : tensor<37x51xf32>
}

func.func @batch(%a: tensor<3x32x40xbf16>, %b: tensor<3x16x40xbf16>) -> tensor<3x32x16xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 1, 1, 1], [1, 8, 2, 1], [1, 4, 1, 2], [1, 16]], stages = [inner, inner],
        vector = 4, unroll = 16, pad = 8, pipeline = 3, instruction = mma_m16n8k16_bf16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x32x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x32x16xf32>) -> tensor<3x32x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, j, k)>, affine_map<(b, i, j, k) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x32x40xbf16>, tensor<3x16x40xbf16>) outs(%f : tensor<3x32x16xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<3x32x16xf32>
  return %r : tensor<3x32x16xf32>
}
func.func @batch_plain(%a: tensor<3x32x40xbf16>, %b: tensor<3x16x40xbf16>) -> tensor<3x32x16xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 1, 1, 1], [1, 4, 1, 2], [1, 8, 1, 2], [4, 1]], stages = [inner, inner], vector = 1, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x32x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x32x16xf32>) -> tensor<3x32x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, j, k)>, affine_map<(b, i, j, k) -> (b, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<3x32x40xbf16>, tensor<3x16x40xbf16>) outs(%f : tensor<3x32x16xf32>) {
  ^bb0(%x: bf16, %y: bf16, %s: f32):
    %p = arith.extf %x : bf16 to f32
    %q = arith.extf %y : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<3x32x16xf32>
  return %r : tensor<3x32x16xf32>
}

func.func @conv(%a: tensor<2x7x35x20xf16>, %b: tensor<3x3x20x24xf16>) -> tensor<2x3x17x24xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 1, 1, 1], [1, 1, 1, 1], [1, 8, 2, 1], [1, 4, 2, 2], [1, 1], [3, 1], [1, 16]], stages = [inner, inner],
        vector = 8, unroll = 64, pad = 8, pipeline = 2, instruction = mma_m16n8k16_f16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x17x24xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x3x17x24xf32>) -> tensor<2x3x17x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, kh, kw, c) -> (n, h * 2 + kh, w * 2 + kw, c)>, affine_map<(n, h, w, f, kh, kw, c) -> (kh, kw, c, f)>, affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%a, %b : tensor<2x7x35x20xf16>, tensor<3x3x20x24xf16>) outs(%i : tensor<2x3x17x24xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x3x17x24xf32>
  return %r : tensor<2x3x17x24xf32>
}
func.func @conv_plain(%a: tensor<2x7x35x20xf16>, %b: tensor<3x3x20x24xf16>) -> tensor<2x3x17x24xf32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 1, 1, 1], [1, 1, 1, 1], [1, 4, 1, 2], [1, 8, 1, 2], [1, 1], [1, 1], [4, 1]], stages = [none, inner], vector = 1, unroll = 16>} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x17x24xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<2x3x17x24xf32>) -> tensor<2x3x17x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, kh, kw, c) -> (n, h * 2 + kh, w * 2 + kw, c)>, affine_map<(n, h, w, f, kh, kw, c) -> (kh, kw, c, f)>, affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%a, %b : tensor<2x7x35x20xf16>, tensor<3x3x20x24xf16>) outs(%i : tensor<2x3x17x24xf32>) {
  ^bb0(%x: f16, %y: f16, %s: f32):
    %p = arith.extf %x : f16 to f32
    %q = arith.extf %y : f16 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<2x3x17x24xf32>
  return %r : tensor<2x3x17x24xf32>
}

func.func @bytes(%a: tensor<40x70xi8>, %b: tensor<70x24xi8>) -> tensor<40x24xi32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile,
        tiles = [[1, 8, 2, 1], [1, 4, 2, 2], [1, 32]], stages = [inner, inner],
        vector = 8, unroll = 16, pad = 16, pipeline = 2, instruction = mma_m16n8k32_u8s8>} {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40x24xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<40x24xi32>) -> tensor<40x24xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<40x70xi8>, tensor<70x24xi8>) outs(%f : tensor<40x24xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %t = arith.addi %s, %m : i32
    linalg.yield %t : i32
  } -> tensor<40x24xi32>
  return %r : tensor<40x24xi32>
}
func.func @bytes_plain(%a: tensor<40x70xi8>, %b: tensor<70x24xi8>) -> tensor<40x24xi32>
    attributes {pruner.schedule = #pruner.schedule<simt_tile, tiles = [[1, 4, 1, 2], [1, 8, 1, 2], [4, 1]], stages = [inner, inner], vector = 1, unroll = 16>} {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<40x24xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<40x24xi32>) -> tensor<40x24xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<40x70xi8>, tensor<70x24xi8>) outs(%f : tensor<40x24xi32>) {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %p = arith.extui %x : i8 to i32
    %q = arith.extsi %y : i8 to i32
    %m = arith.muli %p, %q : i32
    %t = arith.addi %s, %m : i32
    linalg.yield %t : i32
  } -> tensor<40x24xi32>
  return %r : tensor<40x24xi32>
}
