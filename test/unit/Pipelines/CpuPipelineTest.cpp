//===- CpuPipelineTest.cpp - phase-4 CPU code computes correctly ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PipelineFixture.h"

#include <cmath>

using namespace pruner;
using namespace pruner::test;

namespace {
class CpuPipelineTest : public PipelineFixture {
protected:
  std::unique_ptr<JitModule> compileKernel(const char *source,
                                           bool parallel = false) {
    return compile(source, [&](mlir::OpPassManager &pm) {
      ToLLVMOptions options;
      options.parallel = parallel;
      buildToLLVMPipeline(pm, options);
    });
  }
};
} // namespace

// A tail of 5 columns through masks: nothing outside may be accessed.
TEST_F(CpuPipelineTest, MaskedTails) {
  auto jit = compileKernel(R"(
    func.func @k(%x: memref<3x13xf32>, %y: memref<3x13xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c3 = arith.constant 3 : index
      %c5 = arith.constant 5 : index
      %c8 = arith.constant 8 : index
      %pad = arith.constant 0.0 : f32
      %one = arith.constant dense<1.0> : vector<8xf32>
      %m = vector.create_mask %c5 : vector<8xi1>
      scf.for %i = %c0 to %c3 step %c1 {
        %a = vector.load %x[%i, %c0] : memref<3x13xf32>, vector<8xf32>
        %b = vector.maskedload %x[%i, %c8], %m, %one
            : memref<3x13xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
        %c = vector.transfer_read %x[%i, %c8], %pad
            : memref<3x13xf32>, vector<8xf32>
        %s = arith.addf %b, %c : vector<8xf32>
        vector.store %a, %y[%i, %c0] : memref<3x13xf32>, vector<8xf32>
        vector.transfer_write %s, %y[%i, %c8]
            : vector<8xf32>, memref<3x13xf32>
      }
      return
    })");
  ASSERT_TRUE(jit);
  AlignedBuffer<float> x(39), y(39 + 16, -1);
  for (int i = 0; i < 39; ++i)
    x[i] = i;
  function<void(float *, float *)>(*jit, "k")(x.data(), y.data());
  for (int i = 0; i < 39; ++i)
    EXPECT_EQ(y[i], i % 13 < 8 ? x[i] : 2 * x[i]) << i;
  for (size_t i = 39; i < y.size(); ++i)
    EXPECT_EQ(y[i], -1);
}

// Every n-D vector op that a lowering may emit.
TEST_F(CpuPipelineTest, VectorsOfSeveralDimensions) {
  auto jit = compileKernel(R"(
    #a = affine_map<(m, n, k) -> (m, k)>
    #b = affine_map<(m, n, k) -> (k, n)>
    #c = affine_map<(m, n, k) -> (m, n)>
    func.func @k(%x: memref<4x4xf32>, %y: memref<4x8xf32>, %z: memref<4x8xf32>,
                 %sums: memref<4xf32>, %t: memref<8x4xf32>) {
      %c0 = arith.constant 0 : index
      %pad = arith.constant 0.0 : f32
      %zero = arith.constant dense<0.0> : vector<4x8xf32>
      %zero4 = arith.constant dense<0.0> : vector<4xf32>
      %a = vector.transfer_read %x[%c0, %c0], %pad {in_bounds = [true, true]}
          : memref<4x4xf32>, vector<4x4xf32>
      %b = vector.transfer_read %y[%c0, %c0], %pad {in_bounds = [true, true]}
          : memref<4x8xf32>, vector<4x8xf32>
      %r = vector.contract {indexing_maps = [#a, #b, #c],
          iterator_types = ["parallel", "parallel", "reduction"],
          kind = #vector.kind<add>} %a, %b, %zero
          : vector<4x4xf32>, vector<4x8xf32> into vector<4x8xf32>
      vector.transfer_write %r, %z[%c0, %c0] {in_bounds = [true, true]}
          : vector<4x8xf32>, memref<4x8xf32>
      %s = vector.multi_reduction <add>, %r, %zero4 [1]
          : vector<4x8xf32> to vector<4xf32>
      vector.store %s, %sums[%c0] : memref<4xf32>, vector<4xf32>
      %tr = vector.transpose %b, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
      %flat = vector.shape_cast %tr : vector<8x4xf32> to vector<32xf32>
      %back = vector.shape_cast %flat : vector<32xf32> to vector<8x4xf32>
      vector.transfer_write %back, %t[%c0, %c0] {in_bounds = [true, true]}
          : vector<8x4xf32>, memref<8x4xf32>
      return
    })");
  ASSERT_TRUE(jit);
  AlignedBuffer<float> x(16), y(32), z(32), sums(4), t(32);
  for (int i = 0; i < 16; ++i)
    x[i] = i % 5 - 2;
  for (int i = 0; i < 32; ++i)
    y[i] = i % 7 - 3;
  function<void(float *, float *, float *, float *, float *)>(*jit, "k")(
      x.data(), y.data(), z.data(), sums.data(), t.data());
  for (int i = 0; i < 4; ++i) {
    float row = 0;
    for (int j = 0; j < 8; ++j) {
      float sum = 0;
      for (int k = 0; k < 4; ++k)
        sum += x[i * 4 + k] * y[k * 8 + j];
      EXPECT_EQ(z[i * 8 + j], sum);
      EXPECT_EQ(t[j * 4 + i], y[i * 8 + j]);
      row += sum;
    }
    EXPECT_EQ(sums[i], row);
  }
}

// A buffer inside loops of many iterations, and subviews with offsets.
TEST_F(CpuPipelineTest, StackBuffersInLoopsTakeOneSlot) {
  const char *source = R"(
    func.func @k(%x: memref<1024x2048xf32>, %y: memref<1024xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %rows = arith.constant 1024 : index
      %columns = arith.constant 2048 : index
      %zero = arith.constant 0.0 : f32
      scf.parallel (%i) = (%c0) to (%rows) step (%c1) {
        %t = memref.alloca() : memref<2048xf32>
        %row = memref.subview %x[%i, 0] [1, 2048] [1, 1]
            : memref<1024x2048xf32> to memref<2048xf32, strided<[1], offset: ?>>
        scf.for %j = %c0 to %columns step %c1 {
          %v = memref.load %row[%j] : memref<2048xf32, strided<[1], offset: ?>>
          %d = arith.addf %v, %v : f32
          memref.store %d, %t[%j] : memref<2048xf32>
        }
        %s = scf.for %j = %c0 to %columns step %c1 iter_args(%a = %zero) -> f32 {
          %v = memref.load %t[%j] : memref<2048xf32>
          %n = arith.addf %a, %v : f32
          scf.yield %n : f32
        }
        memref.store %s, %y[%i] : memref<1024xf32>
        scf.reduce
      }
      return
    })";
  for (bool parallel : {false, true}) {
    auto jit = compileKernel(source, parallel);
    ASSERT_TRUE(jit);
    AlignedBuffer<float> x(1024 * 2048), y(1024, NAN);
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = int(i % 9) - 4;
    auto *kernel = function<void(float *, float *)>(*jit, "k");
    ASSERT_TRUE(kernel);
    // 8 MiB in total, which would not fit a small stack if each iteration had
    // its own slot.
    kernel(x.data(), y.data());
    for (int i = 0; i < 1024; ++i) {
      float sum = 0;
      for (int j = 0; j < 2048; ++j)
        sum += 2 * x[i * 2048 + j];
      ASSERT_EQ(y[i], sum) << i << (parallel ? " parallel" : " sequential");
    }
  }
}

TEST_F(CpuPipelineTest, NarrowFloats) {
  auto jit = compileKernel(R"(
    func.func @k(%x: memref<16xbf16>, %h: memref<16xf16>, %y: memref<16xbf16>) {
      %c0 = arith.constant 0 : index
      %a = vector.load %x[%c0] : memref<16xbf16>, vector<16xbf16>
      %e = math.exp %a : vector<16xbf16>
      %f = arith.extf %e : vector<16xbf16> to vector<16xf32>
      %g = arith.truncf %f : vector<16xf32> to vector<16xf16>
      vector.store %g, %h[%c0] : memref<16xf16>, vector<16xf16>
      %s = arith.addf %a, %a : vector<16xbf16>
      vector.store %s, %y[%c0] : memref<16xbf16>, vector<16xbf16>
      return
    })");
  ASSERT_TRUE(jit);
  AlignedBuffer<uint16_t> x(16), h(16), y(16);
  for (int i = 0; i < 16; ++i)
    x[i] = i % 2 ? 0x3f80 : 0; // 1.0 and 0.0 in bf16.
  function<void(uint16_t *, uint16_t *, uint16_t *)>(*jit, "k")(
      x.data(), h.data(), y.data());
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(y[i], i % 2 ? 0x4000 : 0);
    // bf16(e) = 2.71875, and 1.0, in f16.
    EXPECT_EQ(h[i], i % 2 ? 0x4170 : 0x3c00);
  }
}
