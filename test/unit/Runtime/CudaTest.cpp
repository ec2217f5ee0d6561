//===- CudaTest.cpp - loading the driver, launching and timing -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/CudaKernelRunner.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"
#include <cstring>
#include <dlfcn.h>
#include <set>

using namespace pruner;

using Bytes = std::vector<uint8_t>;

template <typename T> static Bytes bytesOf(const std::vector<T> &values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

static const char *ptx = ".version 7.0\n.target sm_80\n.visible .entry scale()"
                         ".visible .entry scale_2(.param a, .param b)";

namespace {
class CudaTest : public testing::Test {
protected:
  void SetUp() override {
    void *fake = dlopen(PRUNER_FAKE_CUDA, RTLD_NOW);
    ASSERT_TRUE(fake) << dlerror();
    auto find = [&](auto &member, const char *name) {
      member =
          reinterpret_cast<std::decay_t<decltype(member)>>(dlsym(fake, name));
      ASSERT_TRUE(member) << name;
    };
    find(calls, "fakeCudaCalls");
    find(live, "fakeCudaLiveAllocations");
    find(set, "fakeCudaSet");
    find(reset, "fakeCudaReset");
    reset();
  }
  std::shared_ptr<const CudaDriver> load() {
    return llvm::cantFail(CudaDriver::load(PRUNER_FAKE_CUDA));
  }
  /// A runner of `scale(data[4] = {1,2,3,4}, 4, 2.0f)`.
  std::unique_ptr<CudaKernelRunner> makeRunner() {
    auto runner =
        llvm::cantFail(CudaKernelRunner::create(load(), ptx, "scale"));
    llvm::cantFail(runner->addBuffer(bytesOf<float>({1, 2, 3, 4})));
    runner->addValue(bytesOf<int>({4}));
    runner->addValue(bytesOf<float>({2}));
    return runner;
  }
  int count(llvm::StringRef line) {
    return static_cast<int>(llvm::StringRef(calls()).count(line));
  }
  static std::string text(llvm::Error error) {
    return error ? llvm::toString(std::move(error)) : "no error";
  }

  const char *(*calls)();
  long (*live)();
  void (*set)(const char *, long);
  void (*reset)();
};
} // namespace

TEST(CudaDriver, MissingLibraryIsReported) {
  auto driver = CudaDriver::load("libno-such-driver.so.1");
  ASSERT_FALSE(bool(driver));
  std::string message = llvm::toString(driver.takeError());
  EXPECT_EQ(message.rfind(
                "cannot load the CUDA driver 'libno-such-driver.so.1': ", 0),
            0u)
      << message;
  EXPECT_NE(message.find("needs NVIDIA's driver"), std::string::npos);
}

TEST(CudaDriver, OtherLibraryIsReported) {
  auto driver = CudaDriver::load("libm.so.6");
  ASSERT_FALSE(bool(driver));
  EXPECT_EQ(llvm::toString(driver.takeError()),
            "'libm.so.6' has no function 'cuInit'; it is not a CUDA driver, or "
            "one older than CUDA 11");
}

TEST(CudaDriver, ToolkitStubIsReported) {
  if (!*PRUNER_CUDA_STUB)
    GTEST_SKIP() << "no CUDA toolkit here";
  auto driver = CudaDriver::load(PRUNER_CUDA_STUB);
  ASSERT_FALSE(bool(driver));
  EXPECT_NE(llvm::toString(driver.takeError())
                .find("is the CUDA toolkit's stub library, not a driver"),
            std::string::npos);
}

TEST_F(CudaTest, NoDeviceAndOtherFailures) {
  set("init", 100);
  auto driver = CudaDriver::load(PRUNER_FAKE_CUDA);
  ASSERT_FALSE(bool(driver));
  EXPECT_NE(llvm::toString(driver.takeError()).find("finds no device"),
            std::string::npos);
  set("init", 0);
  set("devices", 0);
  driver = CudaDriver::load(PRUNER_FAKE_CUDA);
  ASSERT_FALSE(bool(driver));
  EXPECT_NE(llvm::toString(driver.takeError()).find("finds no device"),
            std::string::npos);
  set("init", 700);
  driver = CudaDriver::load(PRUNER_FAKE_CUDA);
  ASSERT_FALSE(bool(driver));
  EXPECT_EQ(llvm::toString(driver.takeError()),
            "cannot initialize CUDA: CUDA error 700, CUDA_ERROR_ILLEGAL_ADDRESS"
            " (an illegal memory access was encountered)");
}

TEST_F(CudaTest, ReadsTheDevice) {
  auto driver = load();
  CudaDeviceInfo info = llvm::cantFail(queryCudaDevice(*driver, 0));
  EXPECT_EQ(info.name, "Fake GPU");
  EXPECT_EQ(info.major, 8);
  EXPECT_EQ(info.minor, 0);
  EXPECT_EQ(info.units, 108);
  EXPECT_EQ(info.sharedBytesPerBlockOptIn, 166912);
  EXPECT_EQ(info.l2Bytes, 41943040);
  EXPECT_EQ(info.maxBlocksPerUnit, 32);
  EXPECT_EQ(info.driverVersion, 13000);
  EXPECT_NEAR(info.memoryBandwidth(), 1555e9, 1e9); // The A100's clocks.
  auto none = queryCudaDevice(*driver, 1);
  ASSERT_FALSE(bool(none));
  EXPECT_EQ(llvm::toString(none.takeError()),
            "there is no CUDA device 1; the driver has 1, counted from 0");
}

TEST_F(CudaTest, OptionalFunctionsAreLoadedByAddressOrNull) {
  auto driver = load();
  EXPECT_TRUE(driver->functions().hasGraphs());
  EXPECT_TRUE(driver->functions().launchKernelEx);
  EXPECT_FALSE(driver->functions().tensorMapEncodeTiled);
}

TEST_F(CudaTest, LaunchPassesShapeAndArguments) {
  {
    auto runner = makeRunner();
    EXPECT_EQ(runner->facts().registers, 40);
    EXPECT_EQ(runner->facts().localBytes, 16);
    EXPECT_EQ(runner->facts().sharedBytes, 1024);
    EXPECT_EQ(runner->log(), "compiled");
    EXPECT_NE(runner->address(0), 0u);
    EXPECT_EQ(runner->address(1), 0u);
    CudaLaunch launch;
    launch.grid = {3, 4, 5};
    launch.block = {6, 7, 8};
    launch.dynamicSharedBytes = 1000;
    EXPECT_EQ(text(runner->launch(launch)), "no error");
    EXPECT_EQ(count("launch scale grid 3 4 5 block 6 7 8 shared 1000 "), 1);
    EXPECT_EQ(count("attribute"), 0);
    std::vector<float> out(4);
    EXPECT_EQ(text(runner->download(
                  0, {reinterpret_cast<uint8_t *>(out.data()), 16})),
              "no error");
    EXPECT_EQ(out, (std::vector<float>{2, 4, 6, 8}));
    EXPECT_EQ(text(runner->upload(0, bytesOf<float>({5, 5, 5, 5}))),
              "no error");
    EXPECT_EQ(text(runner->launch(launch)), "no error");
    EXPECT_EQ(text(runner->download(
                  0, {reinterpret_cast<uint8_t *>(out.data()), 16})),
              "no error");
    EXPECT_EQ(out, (std::vector<float>{10, 10, 10, 10}));
  }
  // Everything is freed.
  EXPECT_EQ(live(), 0);
  EXPECT_EQ(count("unload"), 1);
  EXPECT_EQ(count("destroy stream"), 1);
  EXPECT_EQ(count("release"), 1);
}

TEST_F(CudaTest, LaunchesGoInOrderWithTheSameArguments) {
  auto runner =
      llvm::cantFail(CudaKernelRunner::create(load(), ptx, "scale_2"));
  llvm::cantFail(runner->addBuffer(bytesOf<float>({1, 2, 3, 4})));
  llvm::cantFail(runner->addBuffer(bytesOf<float>({0})));
  CudaLaunch first, second;
  first.grid = {3, 1, 1};
  second.kernel = "scale_2";
  second.grid = {2, 1, 1};
  EXPECT_EQ(text(runner->launch({first, second})), "no error");
  llvm::StringRef done = calls();
  EXPECT_LT(done.find("launch scale_2 grid 3 "),
            done.find("launch scale_2 grid 2 "));
  EXPECT_EQ(count("launch scale_2 grid 2 "), 1);
  // The parameters are those of each kernel.
  second.kernel = "scale";
  EXPECT_EQ(
      text(runner->launch({first, second})),
      "kernel 'scale_2': parameter 1 has 4 bytes, but the argument has 8");
  second.kernel = "scale_3";
  EXPECT_EQ(text(runner->launch({first, second})),
            "kernel 'scale_2': 'scale_3' is not in the module: CUDA error 500, "
            "CUDA_ERROR_OTHER (other)");
}

TEST_F(CudaTest, LargeSharedMemoryIsOptedIn) {
  auto runner = makeRunner();
  CudaLaunch launch;
  launch.dynamicSharedBytes = 48 * 1024; // Too much with 1024 static bytes.
  EXPECT_EQ(text(runner->launch(launch)), "no error");
  EXPECT_EQ(count("attribute 8 = 49152\n"), 1);
  launch.dynamicSharedBytes = 200000;
  EXPECT_EQ(text(runner->launch(launch)),
            "kernel 'scale': cannot use 200000 bytes of dynamic shared memory: "
            "CUDA error 1, CUDA_ERROR_OTHER (other)");
}

TEST_F(CudaTest, ClustersGoThroughTheExtendedLaunch) {
  auto runner = makeRunner();
  CudaLaunch launch;
  launch.grid = {8, 2, 1};
  launch.cluster = {2, 1, 1};
  EXPECT_EQ(text(runner->launch(launch)), "no error");
  EXPECT_EQ(count("launchEx grid 8 2 1 block 1 1 1 shared 0 cluster 2 1 1\n"),
            1);
}

TEST_F(CudaTest, ErrorsIncludeTheKernelAndTheDriversMessage) {
  auto bad = CudaKernelRunner::create(load(), "bad ptx", "scale");
  ASSERT_FALSE(bool(bad));
  EXPECT_NE(llvm::toString(bad.takeError())
                .find("kernel 'scale': cannot load the module: ptxas error: "
                      "unknown instruction: CUDA error 218"),
            std::string::npos);
  auto other = CudaKernelRunner::create(load(), ptx, "scales");
  ASSERT_FALSE(bool(other));
  EXPECT_EQ(llvm::toString(other.takeError())
                .rfind("kernel 'scales': not in the module: CUDA error 500", 0),
            0u);
  auto device = CudaKernelRunner::create(load(), ptx, "scale", 3);
  ASSERT_FALSE(bool(device));
  EXPECT_EQ(llvm::toString(device.takeError()),
            "there is no CUDA device 3; the driver has 1, counted from 0");

  auto runner = makeRunner();
  CudaLaunch launch;
  launch.grid = {1, 0, 1};
  EXPECT_EQ(text(runner->launch(launch)),
            "kernel 'scale': a grid, block or cluster extent is 0; all must be "
            "at least 1");
  EXPECT_EQ(text(runner->upload(1, {})),
            "kernel 'scale': argument 1 is not a buffer");
  EXPECT_EQ(text(runner->upload(0, bytesOf<float>({1}))),
            "kernel 'scale': argument 0 has 16 bytes, not 4");
  set("fail-launch", 1);
  launch.grid = {1, 1, 1};
  EXPECT_EQ(text(runner->launch(launch)),
            "kernel 'scale': cannot launch: CUDA error 700, "
            "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was "
            "encountered)");
}

TEST_F(CudaTest, ArgumentsAreComparedWithTheKernelsParameters) {
  auto runner = llvm::cantFail(CudaKernelRunner::create(load(), ptx, "scale"));
  llvm::cantFail(runner->addBuffer(bytesOf<float>({1})));
  EXPECT_EQ(text(runner->launch(CudaLaunch())),
            "kernel 'scale' takes 3 arguments, but 1 were given");
  runner->addValue(bytesOf<int64_t>({1}));
  runner->addValue(bytesOf<float>({1}));
  EXPECT_EQ(text(runner->launch(CudaLaunch())),
            "kernel 'scale': parameter 1 has 4 bytes, "
            "but the argument has 8");
}

TEST_F(CudaTest, SamplesFillFiveMilliseconds) {
  auto runner = makeRunner();
  set("kernel-ns", 20000);
  CudaTimingOptions options;
  options.useGraph = false;
  TimingResult r = llvm::cantFail(runner->time(CudaLaunch(), options));
  EXPECT_NEAR(r.median, 20e-6, 1e-9);
  EXPECT_NEAR(r.runsPerSample, 250, 1); // Events have single precision.
  EXPECT_EQ(r.samples.size(), 5u);
  EXPECT_FALSE(r.noisy);
  // 3 warm-ups, 1 first, 25 for the estimate, 5 samples.
  EXPECT_NEAR(count("launch scale"), 3 + 1 + 25 + 5 * 250, 6);
  EXPECT_EQ(count("destroy event"), 2);

  // A kernel longer than a sample is launched once per sample.
  reset();
  set("kernel-ns", 9000000);
  r = llvm::cantFail(runner->time(CudaLaunch(), options));
  EXPECT_NEAR(r.median, 9e-3, 1e-6);
  EXPECT_EQ(r.runsPerSample, 1);
  EXPECT_EQ(count("launch scale"), 1 + 1 + 1 + 5); // one warm-up is enough
}

TEST_F(CudaTest, ShortKernelsAreTimedAsGraphs) {
  auto runner = makeRunner();
  set("kernel-ns", 2000);
  TimingResult r = llvm::cantFail(runner->time(CudaLaunch()));
  EXPECT_NEAR(r.median, 2e-6, 1e-10);
  EXPECT_EQ(r.runsPerSample, 3000); // 2500 in whole graphs of 1000
  EXPECT_EQ(count("graph of 1000\n"), 1);
  EXPECT_EQ(count("launch graph\n"), (1 + 5) * 3);
  EXPECT_EQ(count("destroy graph\n"), 2); // the graph and its executable
}

TEST_F(CudaTest, SlowKernelIsCensored) {
  auto runner = makeRunner();
  set("kernel-ns", 4000000);
  CudaTimingOptions options;
  options.censorAbove = 3e-3;
  TimingResult r = llvm::cantFail(runner->time(CudaLaunch(), options));
  EXPECT_TRUE(r.censored);
  EXPECT_NEAR(r.median, 4e-3, 1e-6);
  EXPECT_EQ(count("launch scale"), 2 + 1);
}

TEST_F(CudaTest, BuffersAlternateForColdCaches) {
  {
    auto runner = makeRunner();
    set("kernel-ns", 1000000);
    CudaTimingOptions options;
    options.useGraph = false;
    options.rotateBytes = 100; // 16 bytes per copy: 7 copies
    llvm::cantFail(runner->time(CudaLaunch(), options));
    std::set<llvm::StringRef> buffers;
    llvm::SmallVector<llvm::StringRef> lines;
    std::string text = calls();
    llvm::StringRef(text).split(lines, '\n');
    for (llvm::StringRef line : lines)
      if (line.starts_with("launch scale"))
        buffers.insert(line.rsplit(' ').second);
    EXPECT_EQ(buffers.size(), 7u);
    EXPECT_EQ(live(), 1); // The copies are freed, the operand is not.
  }
  EXPECT_EQ(live(), 0);
}

TEST_F(CudaTest, FailureWhileTimingIsReturnedAndLeaksNothing) {
  {
    auto runner = makeRunner();
    set("kernel-ns", 100000);
    set("fail-launch", 40);
    CudaTimingOptions options;
    options.rotateBytes = 64;
    auto r = runner->time(CudaLaunch(), options);
    ASSERT_FALSE(bool(r));
    EXPECT_NE(llvm::toString(r.takeError()).find("CUDA error 700"),
              std::string::npos);
    EXPECT_EQ(count("destroy event"), 2);
  }
  EXPECT_EQ(live(), 0);
}

TEST_F(CudaTest, UnsteadyKernelIsRepeatedAndReported) {
  auto runner = makeRunner();
  set("kernel-ns", 6000000);
  set("extra-ns", 60000000);
  CudaTimingOptions options;
  options.warmUps = 0;
  options.samples = 2;
  // Launches 1 and 2 determine the rate. Every third launch is slow: samples
  // (3, 4) and (5, 6) are disturbed, (7, 8) is not.
  TimingResult r = llvm::cantFail(runner->time(CudaLaunch(), options));
  EXPECT_EQ(r.repeats, 2);
  EXPECT_FALSE(r.noisy);
  EXPECT_NEAR(r.median, 6e-3, 1e-6);

  reset();
  set("kernel-ns", 6000000);
  set("extra-ns", 60000000);
  options.maxRepeats = 1;
  r = llvm::cantFail(runner->time(CudaLaunch(), options));
  EXPECT_TRUE(r.noisy);
  EXPECT_NEAR(r.spread, 6, 1e-3);
}
