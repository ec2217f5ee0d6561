//===- TensorMapTest.cpp - descriptors of bulk tensor copies --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorMap.h"
#include "pruner/Runtime/CudaKernelRunner.h"

#include "gtest/gtest.h"
#include <cstring>
#include <dlfcn.h>

using namespace pruner;

namespace {
class TensorMapTest : public testing::Test {
protected:
  void SetUp() override {
    void *fake = dlopen(PRUNER_FAKE_CUDA, RTLD_NOW);
    ASSERT_TRUE(fake) << dlerror();
    calls = reinterpret_cast<const char *(*)()>(dlsym(fake, "fakeCudaCalls"));
    set = reinterpret_cast<void (*)(const char *, long)>(
        dlsym(fake, "fakeCudaSet"));
    reinterpret_cast<void (*)()>(dlsym(fake, "fakeCudaReset"))();
    set("tensor-maps", 1);
    driver = llvm::cantFail(CudaDriver::load(PRUNER_FAKE_CUDA));
    set("tensor-maps", 0);
    shape.type = TensorMapShape::Type::F16;
    shape.extents = {3, 100, 200};
    shape.strides = {100 * 208, 208, 1};
    shape.box = {1, 64, 32};
    shape.swizzle = TensorMapShape::Swizzle::B64;
  }
  std::string error(const TensorMapShape &wrong, cuda::DevicePtr address = 64) {
    auto map = encodeTensorMap(*driver, wrong, address);
    return map ? "no error" : llvm::toString(map.takeError());
  }

  const char *(*calls)();
  void (*set)(const char *, long);
  std::shared_ptr<const CudaDriver> driver;
  TensorMapShape shape;
};
} // namespace

TEST_F(TensorMapTest, DimensionsAreReversed) {
  auto map = encodeTensorMap(*driver, shape, 4096);
  ASSERT_TRUE(bool(map)) << llvm::toString(map.takeError());
  EXPECT_EQ(map->opaque[0], 4096u);
  EXPECT_EQ(std::string(calls()),
            "tensor map type 6 extents 200 100 3 strides 416 41600 box 32 64 1 "
            "swizzle 2 promotion 2 fill 0\n");
}

TEST_F(TensorMapTest, IsPassedByValue) {
  auto map = encodeTensorMap(*driver, shape, 4096);
  ASSERT_TRUE(bool(map)) << llvm::toString(map.takeError());
  auto runner = llvm::cantFail(CudaKernelRunner::create(
      driver, ".visible .entry copy(.param .align 128 .b8 map[128])", "copy"));
  std::vector<uint8_t> bytes(sizeof(*map));
  std::memcpy(bytes.data(), &*map, bytes.size());
  runner->addValue(bytes);
  // The fake treats every parameter as a pointer.
  EXPECT_EQ(llvm::toString(runner->launch(CudaLaunch())),
            "kernel 'copy': parameter 0 has 8 bytes, but the argument has 128");
}

TEST_F(TensorMapTest, RulesOfTheHardware) {
  EXPECT_EQ(error(shape), "no error");
  EXPECT_EQ(error(shape, 72),
            "tensor map: the address is 8 bytes past a multiple of 16");
  TensorMapShape wrong = shape;
  wrong.strides[1] = 204;
  EXPECT_EQ(error(wrong),
            "tensor map: stride 1 is 408 bytes, not a multiple of 16");
  wrong = shape;
  wrong.strides[2] = 2;
  EXPECT_EQ(error(wrong), "tensor map: the last stride is 2, not 1");
  wrong = shape;
  wrong.box[1] = 257;
  EXPECT_EQ(error(wrong), "tensor map: box extent 1 is 257, not 1 to 256");
  wrong = shape;
  wrong.box[2] = 20;
  EXPECT_EQ(error(wrong), "tensor map: a row of the box has 40 bytes, not a "
                          "multiple of 16");
  wrong = shape;
  wrong.box[2] = 64;
  EXPECT_EQ(error(wrong), "tensor map: a row of the box has 128 bytes, more "
                          "than the swizzle's 64");
  wrong = shape;
  wrong.extents[0] = 0;
  EXPECT_EQ(error(wrong), "tensor map: extent 0 is 0, not 1 to 2^32");
  wrong = shape;
  wrong.box.pop_back();
  EXPECT_EQ(error(wrong),
            "tensor map: 3 extents, but 3 strides and 2 box extents");
  wrong.extents.clear();
  EXPECT_EQ(error(wrong), "tensor map: the rank is 0, not 1 to 5");
}

TEST_F(TensorMapTest, OldDriversAreReported) {
  auto old = llvm::cantFail(CudaDriver::load(PRUNER_FAKE_CUDA));
  auto map = encodeTensorMap(*old, shape, 64);
  ASSERT_FALSE(bool(map));
  EXPECT_EQ(llvm::toString(map.takeError()),
            "tensor map: this CUDA driver cannot encode one; it needs CUDA "
            "12.0");
}
