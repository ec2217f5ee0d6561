//===- MatmulTest.cpp - tiled matrix products with exact sums -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EmulatorTest.h"

#include "llvm/Support/FormatVariadic.h"

using namespace pruner;
using namespace pruner::test;

using MatmulTest = EmulatorTest;

/// Tiles of 64x64x16, 16x16 threads of 4x4 results in vectors, for sizes that
/// the tile divides.
static std::string vectorKernel(int m, int n, int k) {
  return llvm::formatv(R"(
  gpu.func @kernel(%A: memref<{0}x{2}xf32>, %B: memref<{2}x{1}xf32>,
                   %C: memref<{0}x{1}xf32>)
      workgroup(%As: memref<64x16xf32, #wg>, %Bs: memref<16x64xf32, #wg>)
      kernel {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %cK = arith.constant {2} : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %w = gpu.block_dim x
    %tw = arith.muli %ty, %w : index
    %lin = arith.addi %tw, %tx : index
    %ar = arith.divui %lin, %c4 : index
    %aq = arith.remui %lin, %c4 : index
    %ac = arith.muli %aq, %c4 : index
    %br = arith.divui %lin, %c16 : index
    %bq = arith.remui %lin, %c16 : index
    %bc = arith.muli %bq, %c4 : index
    %row0 = arith.muli %by, %c64 : index
    %col0 = arith.muli %bx, %c64 : index
    %arow = arith.addi %row0, %ar : index
    %bcol = arith.addi %col0, %bc : index
    %r0 = arith.muli %ty, %c4 : index
    %q0 = arith.muli %tx, %c4 : index
    %r1 = arith.addi %r0, %c1 : index
    %r2 = arith.addi %r1, %c1 : index
    %r3 = arith.addi %r2, %c1 : index
    %acc:4 = scf.for %k0 = %c0 to %cK step %c16
        iter_args(%p0 = %zero, %p1 = %zero, %p2 = %zero, %p3 = %zero)
        -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {{
      %acol = arith.addi %k0, %ac : index
      %brow = arith.addi %k0, %br : index
      %va = vector.load %A[%arow, %acol] {{alignment = 16} : memref<{0}x{2}xf32>, vector<4xf32>
      %vb = vector.load %B[%brow, %bcol] {{alignment = 16} : memref<{2}x{1}xf32>, vector<4xf32>
      vector.store %va, %As[%ar, %ac] {{alignment = 16} : memref<64x16xf32, #wg>, vector<4xf32>
      vector.store %vb, %Bs[%br, %bc] {{alignment = 16} : memref<16x64xf32, #wg>, vector<4xf32>
      gpu.barrier
      %in:4 = scf.for %kk = %c0 to %c16 step %c1
          iter_args(%s0 = %p0, %s1 = %p1, %s2 = %p2, %s3 = %p3)
          -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {{
        %b = vector.load %Bs[%kk, %q0] {{alignment = 16} : memref<16x64xf32, #wg>, vector<4xf32>
        %a0 = memref.load %As[%r0, %kk] : memref<64x16xf32, #wg>
        %a1 = memref.load %As[%r1, %kk] : memref<64x16xf32, #wg>
        %a2 = memref.load %As[%r2, %kk] : memref<64x16xf32, #wg>
        %a3 = memref.load %As[%r3, %kk] : memref<64x16xf32, #wg>
        %v0 = vector.broadcast %a0 : f32 to vector<4xf32>
        %v1 = vector.broadcast %a1 : f32 to vector<4xf32>
        %v2 = vector.broadcast %a2 : f32 to vector<4xf32>
        %v3 = vector.broadcast %a3 : f32 to vector<4xf32>
        %n0 = vector.fma %v0, %b, %s0 : vector<4xf32>
        %n1 = vector.fma %v1, %b, %s1 : vector<4xf32>
        %n2 = vector.fma %v2, %b, %s2 : vector<4xf32>
        %n3 = vector.fma %v3, %b, %s3 : vector<4xf32>
        scf.yield %n0, %n1, %n2, %n3 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
      }
      gpu.barrier
      scf.yield %in#0, %in#1, %in#2, %in#3 : vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>
    }
    %g0 = arith.addi %row0, %r0 : index
    %g1 = arith.addi %row0, %r1 : index
    %g2 = arith.addi %row0, %r2 : index
    %g3 = arith.addi %row0, %r3 : index
    %gq = arith.addi %col0, %q0 : index
    vector.store %acc#0, %C[%g0, %gq] {{alignment = 16} : memref<{0}x{1}xf32>, vector<4xf32>
    vector.store %acc#1, %C[%g1, %gq] {{alignment = 16} : memref<{0}x{1}xf32>, vector<4xf32>
    vector.store %acc#2, %C[%g2, %gq] {{alignment = 16} : memref<{0}x{1}xf32>, vector<4xf32>
    vector.store %acc#3, %C[%g3, %gq] {{alignment = 16} : memref<{0}x{1}xf32>, vector<4xf32>
    gpu.return
  })",
                       m, n, k);
}

/// Tiles of 16x16x16, one row of four results per thread (4x16 threads). Edges
/// use masked transfers along columns and branches along rows. The second tile
/// is a view of a byte buffer.
static std::string edgeKernel(int m, int n, int k) {
  return llvm::formatv(R"(
  gpu.func @kernel(%A: memref<{0}x{2}xf32>, %B: memref<{2}x{1}xf32>,
                   %C: memref<{0}x{1}xf32>)
      workgroup(%As: memref<16x16xf32, #wg>, %bytes: memref<1024xi8, #wg>)
      private(%acc: memref<4xf32, #gpu.address_space<private>>)
      kernel {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %cM = arith.constant {0} : index
    %cK = arith.constant {2} : index
    %f0 = arith.constant 0.0 : f32
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %Bs = memref.view %bytes[%c0][] : memref<1024xi8, #wg> to memref<16x16xf32, #wg>
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %q = arith.muli %tx, %c4 : index
    %row0 = arith.muli %by, %c16 : index
    %col0 = arith.muli %bx, %c16 : index
    %row = arith.addi %row0, %ty : index
    %col = arith.addi %col0, %q : index
    %inM = arith.cmpi ult, %row, %cM : index
    vector.store %zero, %acc[%c0] : memref<4xf32, #gpu.address_space<private>>, vector<4xf32>
    scf.for %k0 = %c0 to %cK step %c16 {{
      %ka = arith.addi %k0, %q : index
      %kb = arith.addi %k0, %ty : index
      %va = scf.if %inM -> vector<4xf32> {{
        %v = vector.transfer_read %A[%row, %ka], %f0 : memref<{0}x{2}xf32>, vector<4xf32>
        scf.yield %v : vector<4xf32>
      } else {{
        scf.yield %zero : vector<4xf32>
      }
      %inK = arith.cmpi ult, %kb, %cK : index
      %vb = scf.if %inK -> vector<4xf32> {{
        %v = vector.transfer_read %B[%kb, %col], %f0 : memref<{2}x{1}xf32>, vector<4xf32>
        scf.yield %v : vector<4xf32>
      } else {{
        scf.yield %zero : vector<4xf32>
      }
      vector.store %va, %As[%ty, %q] : memref<16x16xf32, #wg>, vector<4xf32>
      vector.store %vb, %Bs[%ty, %q] : memref<16x16xf32, #wg>, vector<4xf32>
      gpu.barrier
      scf.for %kk = %c0 to %c16 step %c1 {{
        %a = memref.load %As[%ty, %kk] : memref<16x16xf32, #wg>
        %b = vector.load %Bs[%kk, %q] : memref<16x16xf32, #wg>, vector<4xf32>
        %s = vector.load %acc[%c0] : memref<4xf32, #gpu.address_space<private>>, vector<4xf32>
        %v = vector.broadcast %a : f32 to vector<4xf32>
        %t = vector.fma %v, %b, %s : vector<4xf32>
        vector.store %t, %acc[%c0] : memref<4xf32, #gpu.address_space<private>>, vector<4xf32>
      }
      gpu.barrier
    }
    scf.if %inM {{
      %s = vector.load %acc[%c0] : memref<4xf32, #gpu.address_space<private>>, vector<4xf32>
      vector.transfer_write %s, %C[%row, %col] : vector<4xf32>, memref<{0}x{1}xf32>
    }
    gpu.return
  })",
                       m, n, k);
}

static void expectEqual(DeviceBuffer &c, const std::vector<double> &reference) {
  for (size_t n = 0; n != reference.size(); ++n)
    ASSERT_EQ(c[n], reference[n]) << "at element " << n;
}

TEST_F(MatmulTest, TiledAndStaged) {
  constexpr int m = 128, n = 128, k = 64;
  DeviceBuffer a(m * k), b(k * n), c(m * n);
  a.fillWithIntegers(1);
  b.fillWithIntegers(2);
  EmulatorOptions options;
  options.checkGlobalRaces = true;
  options.poisonedArguments = {2};
  auto report = run(vectorKernel(m, n, k), {n / 64, m / 64}, {16, 16},
                    {a.get(), b.get(), c.get()}, options);
  expectEqual(c, referenceMatmul(a, b, m, n, k));
  EXPECT_EQ(report.blocks, 4u);
  EXPECT_EQ(report.threads, 1024u);
  EXPECT_EQ(report.barriers, 1024u * 2 * (k / 16));
  // Each thread: 2 stores per k-tile, 5 loads per step; 2 loads per tile, 4
  // results.
  EXPECT_EQ(report.sharedAccesses, 1024u * (2 * (k / 16) + 5 * k));
  EXPECT_EQ(report.globalAccesses, 1024u * (2 * (k / 16) + 4));
}

TEST_F(MatmulTest, WithoutChecks) {
  constexpr int m = 256, n = 256, k = 256;
  DeviceBuffer a(m * k), b(k * n), c(m * n);
  a.fillWithIntegers(3);
  b.fillWithIntegers(4);
  EmulatorOptions options;
  options.checkRaces = options.checkBounds = false;
  options.poisonedArguments = {2};
  auto report = run(vectorKernel(m, n, k), {n / 64, m / 64}, {16, 16},
                    {a.get(), b.get(), c.get()}, options);
  expectEqual(c, referenceMatmul(a, b, m, n, k));
  EXPECT_EQ(report.sharedAccesses, 0u);
}

TEST_F(MatmulTest, EdgesArePredicated) {
  int sizes[][3] = {{50, 70, 37}, {17, 1, 16}, {1, 17, 1}, {31, 33, 5}};
  for (auto [m, n, k] : sizes) {
    DeviceBuffer a(m * k), b(k * n), c(m * n);
    a.fillWithIntegers(m);
    b.fillWithIntegers(n);
    EmulatorOptions options;
    options.checkGlobalRaces = true;
    options.poisonedArguments = {2};
    run(edgeKernel(m, n, k), {(n + 15) / 16, (m + 15) / 16}, {4, 16},
        {a.get(), b.get(), c.get()}, options);
    expectEqual(c, referenceMatmul(a, b, m, n, k));
  }
}

TEST_F(MatmulTest, OneKernelManyRuns) {
  constexpr int m = 64, n = 64, k = 16;
  auto module = parse(vectorKernel(m, n, k));
  auto kernel = EmulatedKernel::compile(*module, "kernel");
  ASSERT_TRUE(bool(kernel)) << llvm::toString(kernel.takeError());
  EXPECT_EQ((*kernel)->argumentBytes(),
            llvm::ArrayRef<uint64_t>({m * k * 4, k * n * 4, m * n * 4}));
  for (int seed = 0; seed != 3; ++seed) {
    DeviceBuffer a(m * k), b(k * n), c(m * n);
    a.fillWithIntegers(seed);
    b.fillWithIntegers(seed + 9);
    auto report = (*kernel)->run({}, {16, 16}, {a.get(), b.get(), c.get()});
    ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
    expectEqual(c, referenceMatmul(a, b, m, n, k));
  }
}
