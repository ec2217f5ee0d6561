//===- GuardedBufferTest.cpp - detection of stray accesses ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/GuardedBuffer.h"

#include "gtest/gtest.h"
#include <cmath>
#include <csignal>

using namespace pruner;

static GuardedBuffer make(size_t bytes) {
  std::optional<GuardedBuffer> buffer = GuardedBuffer::allocate(bytes);
  EXPECT_TRUE(buffer.has_value());
  return std::move(*buffer);
}

TEST(GuardedBuffer, AlignedPoisonedAndWhole) {
  for (size_t bytes : {0, 1, 4, 63, 64, 65, 4032, 4096, 4097, 100000}) {
    GuardedBuffer b = make(bytes);
    EXPECT_EQ(b.size(), bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(b.data()) % 64, 0u) << bytes;
    for (size_t i = 0; i < bytes; ++i)
      ASSERT_EQ(b.as<uint8_t>()[i], 0xFF);
    EXPECT_EQ(b.poisonedBytes(), bytes / 4 * 4);
    EXPECT_EQ(b.damage(), std::nullopt) << bytes;
  }
  GuardedBuffer b = make(64);
  EXPECT_TRUE(std::isnan(b.as<float>()[0]));
  EXPECT_TRUE(std::isnan(b.as<double>()[7]));
  EXPECT_EQ(GuardedBuffer::allocate(SIZE_MAX), std::nullopt);
}

TEST(GuardedBuffer, CountsUnwrittenBytes) {
  GuardedBuffer b = make(40);
  for (int i = 0; i < 7; ++i)
    b.as<float>()[i] = float(i);
  EXPECT_EQ(b.poisonedBytes(), 12u);
  b.poison();
  EXPECT_EQ(b.poisonedBytes(), 40u);
}

TEST(GuardedBuffer, WritesOutsideOfTheDataAreReported) {
  GuardedBuffer b = make(100);
  b.as<uint8_t>()[-1] = 0;
  EXPECT_EQ(*b.damage(), "byte -1 of a buffer of 100 bytes was overwritten");
  b = make(100);
  b.as<uint8_t>()[-64] = 7;
  EXPECT_EQ(*b.damage(), "byte -64 of a buffer of 100 bytes was overwritten");
  b = make(100);
  b.as<uint8_t>()[101] = 7; // The slack up to 128.
  EXPECT_EQ(*b.damage(), "byte 101 of a buffer of 100 bytes was overwritten");
}

// For timing: masked lanes behind the data must not touch an inaccessible page,
// but writes there are still detected.
TEST(GuardedBuffer, FencesOpenAndClose) {
  GuardedBuffer b = make(4096);
  {
    OpenFences fences;
    fences.of(b);
    EXPECT_EQ(b.damage(), std::nullopt);
    EXPECT_NE(b.as<uint8_t>()[4096], 0);
    GuardedBuffer moved = std::move(b);
    b = std::move(moved);
    b.as<uint8_t>()[4100] = 0;
    EXPECT_EQ(*b.damage(),
              "byte 4100 of a buffer of 4096 bytes was overwritten");
  }
  EXPECT_EQ(b.damage(), std::nullopt); // It is not accessible.
  b.open();
  EXPECT_EQ(b.damage(), std::nullopt); // The pattern is written again.
  b.as<uint8_t>()[-4096 - 1] = 0;
  EXPECT_TRUE(b.damage());
  b.close();
  b.close();
}

/// A buffer whose faults end the process. A sanitizer would report them and
/// exit.
static GuardedBuffer makeFatal(size_t bytes) {
  std::signal(SIGSEGV, SIG_DFL);
  return make(bytes);
}

TEST(GuardedBufferDeathTest, ClosedFencesFault) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        GuardedBuffer b = makeFatal(4096);
        b.open();
        b.as<uint8_t>()[4096] = 1;
        b.close();
        b.as<uint8_t>()[4096] = 1;
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST(GuardedBufferDeathTest, AccessPastTheEndFaults) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        GuardedBuffer b = makeFatal(4096);
        volatile uint8_t value = b.as<uint8_t>()[4096];
        (void)value;
      },
      testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(
      {
        GuardedBuffer b = makeFatal(100);
        b.as<uint8_t>()[128] = 1;
      },
      testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(
      {
        GuardedBuffer b = makeFatal(4096);
        b.as<uint8_t>()[-2 * 4096] = 1; // The redzone is smaller than a page.
      },
      testing::KilledBySignal(SIGSEGV), "");
}

TEST(GuardedBuffer, MovesWithItsMemory) {
  GuardedBuffer a = make(64);
  void *data = a.data();
  a.as<int>()[0] = 5;
  GuardedBuffer b = std::move(a);
  EXPECT_EQ(b.data(), data);
  EXPECT_EQ(b.as<int>()[0], 5);
  EXPECT_EQ(a.data(), nullptr);
  b = make(8);
  EXPECT_EQ(b.size(), 8u);
}
