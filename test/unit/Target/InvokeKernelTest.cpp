//===- InvokeKernelTest.cpp - arguments reach the kernel ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/InvokeKernel.h"

#include "gtest/gtest.h"

using namespace pruner;

static int sum3;
static int at(void *argument) { return *static_cast<int *>(argument); }
static void take3(void *a, void *b, void *c) {
  sum3 = at(a) + 10 * at(b) + 100 * at(c);
}
static void take0() { sum3 = -1; }

TEST(InvokeKernel, KernelsAreCalledWithTheirArguments) {
  int values[3] = {1, 2, 3};
  invokeKernel(reinterpret_cast<void *>(take3),
               {&values[0], &values[1], &values[2]});
  EXPECT_EQ(sum3, 321);
  invokeKernel(reinterpret_cast<void *>(take0), {});
  EXPECT_EQ(sum3, -1);
}
