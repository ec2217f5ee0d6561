//===- KernelTest.cpp - single operations of kernels ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EmulatorTest.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace pruner;
using namespace pruner::test;

namespace {
using KernelTest = EmulatorTest;

TEST_F(KernelTest, IndicesOfThreadsAndBlocks) {
  DeviceBuffer out(2 * 2 * 2 * 4 * 3 * 2);
  run(R"(
  gpu.func @kernel(%out: memref<2x2x2x2x3x4xf32>) kernel {
    %tx = gpu.thread_id x
    %ty = gpu.thread_id y
    %tz = gpu.thread_id z
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %bz = gpu.block_id z
    %w = gpu.block_dim y
    %g = gpu.grid_dim z
    %gx = gpu.global_id x
    %lane = gpu.lane_id
    %c100 = arith.constant 100 : index
    %c1000 = arith.constant 1000 : index
    %0 = arith.muli %gx, %c100 : index
    %1 = arith.addi %0, %lane : index
    %2 = arith.muli %w, %g : index
    %3 = arith.muli %2, %c1000 : index
    %4 = arith.addi %1, %3 : index
    %5 = arith.index_cast %4 : index to i32
    %6 = arith.sitofp %5 : i32 to f32
    memref.store %6, %out[%bz, %by, %bx, %tz, %ty, %tx] : memref<2x2x2x2x3x4xf32>
    gpu.return
  })",
      {2, 2, 2}, {4, 3, 2}, {out.get()});
  size_t n = 0;
  for (int block = 0; block != 8; ++block)
    for (int thread = 0; thread != 24; ++thread, ++n)
      EXPECT_EQ(out[n], 6000 + 100 * (block % 2 * 4 + thread % 4) + thread);
}

// Hardware that converts to bf16 treats denormal numbers as zero.
TEST_F(KernelTest, DenormalBf16) {
  DeviceBuffer in(4), out(4);
  const float values[] = {0x1p-127f, -0x1.8p-128f, 0x1p-126f, 0x1.cp-130f};
  for (int n = 0; n != 4; ++n)
    in[n] = values[n];
  run(R"(
  gpu.func @kernel(%in: memref<4xf32>, %out: memref<4xf32>) kernel {
    %half = arith.constant 0.5 : bf16
    %t = gpu.thread_id x
    %x = memref.load %in[%t] : memref<4xf32>
    %narrow = arith.truncf %x : f32 to bf16
    %product = arith.mulf %narrow, %half : bf16
    %wide = arith.extf %product : bf16 to f32
    memref.store %wide, %out[%t] : memref<4xf32>
    gpu.return
  })",
      {}, {4}, {in.get(), out.get()});
  for (int n = 0; n != 4; ++n)
    EXPECT_EQ(out[n], values[n] / 2);
}

TEST_F(KernelTest, SubgroupReduceAndShuffle) {
  DeviceBuffer in(128), out(128);
  in.fillWithIntegers(5);
  auto report = run(R"(
  gpu.func @kernel(%in: memref<128xf32>, %out: memref<128xf32>) kernel {
    %one = arith.constant 1 : i32
    %width = arith.constant 32 : i32
    %f0 = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : memref<128xf32>
    %sum = gpu.subgroup_reduce add %v : (f32) -> f32
    %down, %valid = gpu.shuffle down %v, %one, %width : f32
    %next = arith.select %valid, %down, %f0 : f32
    %r = arith.addf %sum, %next : f32
    memref.store %r, %out[%t] : memref<128xf32>
    gpu.return
  })",
                    {}, {128}, {in.get(), out.get()});
  for (int t = 0; t != 128; ++t) {
    float sum = t % 32 == 31 ? 0 : in[t + 1];
    for (int lane = 0; lane != 32; ++lane)
      sum += in[t / 32 * 32 + lane];
    EXPECT_EQ(out[t], sum) << "thread " << t;
  }
  EXPECT_EQ(report.shuffles, 4u * (5 + 1));
}

TEST_F(KernelTest, AllReduce) {
  DeviceBuffer in(96), out(96);
  in.fillWithIntegers(6);
  run(R"(
  gpu.func @kernel(%in: memref<96xf32>, %out: memref<96xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : memref<96xf32>
    %sum = gpu.all_reduce add %v uniform {} : (f32) -> (f32)
    memref.store %sum, %out[%t] : memref<96xf32>
    gpu.return
  })",
      {}, {96}, {in.get(), out.get()});
  float sum = 0;
  for (int t = 0; t != 96; ++t)
    sum += in[t];
  for (int t = 0; t != 96; ++t)
    EXPECT_EQ(out[t], sum);
}

/// Two stages in flight, each waited for one step late, like a pipelined
/// kernel. The last copy takes only part of its source.
TEST_F(KernelTest, PipelinedAsyncCopies) {
  auto kernel = [](int inFlight) {
    return llvm::formatv(R"(
  gpu.func @kernel(%in: memref<126xf32>, %out: memref<4x32xf32>)
      workgroup(%s: memref<3x32xf32, #wg>) kernel {{
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %size = arith.constant 126 : index
    %t = gpu.thread_id x
    %q = arith.muli %t, %c4 : index
    %first = nvgpu.device_async_copy %in[%q], %s[%c0, %q], 4 : memref<126xf32> to memref<3x32xf32, #wg>
    %g0 = nvgpu.device_async_create_group %first
    scf.for %i = %c0 to %c4 step %c1 iter_args(%token = %g0) -> (!nvgpu.device.async.token) {{
      %next = arith.addi %i, %c1 : index
      %slot = arith.remui %next, %c3 : index
      %from = arith.muli %next, %c32 : index
      %at = arith.addi %from, %q : index
      %left = arith.subi %size, %at : index
      %few = arith.minsi %left, %c4 : index
      %count = arith.maxsi %few, %c0 : index
      %copy = nvgpu.device_async_copy %in[%at], %s[%slot, %q], 4, %count : memref<126xf32> to memref<3x32xf32, #wg>
      %g = nvgpu.device_async_create_group %copy
      nvgpu.device_async_wait %token {{numGroups = {0} : i32}
      gpu.barrier
      %mine = arith.remui %i, %c3 : index
      %c31 = arith.constant 31 : index
      %r = arith.subi %c31, %q : index
      scf.for %e = %c0 to %c4 step %c1 {{
        %x = arith.subi %r, %e : index
        %v = memref.load %s[%mine, %x] : memref<3x32xf32, #wg>
        memref.store %v, %out[%i, %x] : memref<4x32xf32>
      }
      scf.yield %g : !nvgpu.device.async.token
    }
    gpu.return
  })",
                         inFlight)
        .str();
  };
  DeviceBuffer in(126), out(128);
  in.fillWithIntegers(7);
  auto report = run(kernel(1), {}, {8}, {in.get(), out.get()});
  for (int n = 0; n != 128; ++n)
    EXPECT_EQ(out[n], n < 126 ? in[n] : 0) << "element " << n;
  EXPECT_EQ(report.asyncCopies, 8u * 5);
  // With one more group in flight, a stage is read before it has arrived.
  EXPECT_NE(error(kernel(2), {}, {8}, {in.get(), out.get()})
                .find("before a wait for"),
            std::string::npos);
}

TEST_F(KernelTest, DynamicSharedMemoryAndScalars) {
  DeviceBuffer out(32);
  std::string kernel = R"(
  gpu.func @kernel(%out: memref<32xf32>, %scale: f32, %shift: index) kernel {
    %c0 = arith.constant 0 : index
    %c31 = arith.constant 31 : index
    %bytes = gpu.dynamic_shared_memory : memref<?xi8, #wg>
    %s = memref.view %bytes[%c0][] : memref<?xi8, #wg> to memref<32xf32, #wg>
    %t = gpu.thread_id x
    %sum = arith.addi %t, %shift : index
    %i = arith.index_cast %sum : index to i32
    %f = arith.sitofp %i : i32 to f32
    %v = arith.mulf %f, %scale : f32
    memref.store %v, %s[%t] : memref<32xf32, #wg>
    gpu.barrier
    %r = arith.subi %c31, %t : index
    %w = memref.load %s[%r] : memref<32xf32, #wg>
    memref.store %w, %out[%t] : memref<32xf32>
    gpu.return
  })";
  float scale = 3;
  int64_t shift = 7;
  EmulatorOptions options;
  options.dynamicSharedBytes = 128;
  auto report = run(kernel, {}, {32}, {out.get(), &scale, &shift}, options);
  for (int t = 0; t != 32; ++t)
    EXPECT_EQ(out[t], 3 * (31 - t + 7));
  EXPECT_EQ(report.sharedAccesses, 64u);
}

TEST_F(KernelTest, MathMatchesTheHost) {
  DeviceBuffer in(64), out(64);
  for (int n = 0; n != 64; ++n)
    in[n] = (n - 32) / 8.0f;
  run(R"(
  gpu.func @kernel(%in: memref<64xf32>, %out: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %in[%t] : memref<64xf32>
    %0 = math.exp %v : f32
    %1 = math.tanh %v : f32
    %2 = math.erf %v : f32
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    %5 = arith.truncf %4 : f32 to bf16
    %6 = arith.extf %5 : bf16 to f32
    memref.store %6, %out[%t] : memref<64xf32>
    gpu.return
  })",
      {}, {64}, {in.get(), out.get()});
  for (int n = 0; n != 64; ++n) {
    float expected = std::exp(in[n]) + std::tanh(in[n]) + std::erf(in[n]);
    EXPECT_NEAR(out[n], expected, std::abs(expected) / 256 + 1e-6);
  }
}

TEST_F(KernelTest, TheModuleIsNotChanged) {
  auto module = parse(R"(
  gpu.func @kernel(%x: memref<4xf32>) workgroup(%s: memref<4xf32, #wg>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<4xf32>
    memref.store %v, %s[%t] : memref<4xf32, #wg>
    gpu.return
  })");
  auto text = [&] {
    std::string result;
    llvm::raw_string_ostream(result) << *module;
    return result;
  };
  std::string before = text();
  DeviceBuffer x(4);
  auto report = emulateKernel(*module, "kernel", {}, {4}, {x.get()});
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(text(), before);
}

TEST_F(KernelTest, WrongCallsAreErrors) {
  std::string kernel = "gpu.func @kernel(%x: memref<4xf32>) kernel {\n"
                       "  gpu.return\n}";
  DeviceBuffer x(4);
  EXPECT_EQ(error(kernel, {}, {4}, {}),
            "the kernel expects 1 arguments, but got 0");
  EXPECT_EQ(error(kernel, {0}, {4}, {x.get()}),
            "launch extent 0 is not between 1 and 2147483647");
  EmulatorOptions options;
  options.poisonedArguments = {3};
  EXPECT_EQ(error(kernel, {}, {4}, {x.get()}, options),
            "cannot poison argument 3 of 1");
  options = {};
  options.warpSize = 24;
  EXPECT_EQ(error(kernel, {}, {4}, {x.get()}, options),
            "warp size 24 is not a power of two up to 1024");
  EXPECT_NE(error("gpu.func @kernel(%x: memref<?xf32>) kernel {\n"
                  "  gpu.return\n}",
                  {}, {4}, {x.get()})
                .find("'gpu.func' op has argument 0 of type 'memref<?xf32>', "
                      "whose shape is not static"),
            std::string::npos);
}
} // namespace
