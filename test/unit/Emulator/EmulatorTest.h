//===- EmulatorTest.h - emulate kernels given as text -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_EMULATOR_EMULATORTEST_H
#define PRUNER_TEST_UNIT_EMULATOR_EMULATORTEST_H

#include "pruner/Emulator/Emulator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>

namespace pruner::test {

/// Floats at an address as a device allocation could have it.
class DeviceBuffer {
public:
  explicit DeviceBuffer(size_t count)
      : count(count), data(static_cast<float *>(std::aligned_alloc(
                               256, (count * sizeof(float) + 255) / 256 * 256)),
                           std::free) {
    std::memset(data.get(), 0, count * sizeof(float));
  }
  float &operator[](size_t n) { return data.get()[n]; }
  float *get() { return data.get(); }
  size_t size() const { return count; }

  /// Integers small enough that sums of their products are exact.
  void fillWithIntegers(uint64_t seed) {
    std::mt19937_64 random(seed);
    for (size_t n = 0; n != count; ++n)
      data.get()[n] = static_cast<int>(random() % 9) - 4;
  }

private:
  size_t count;
  std::unique_ptr<float, void (*)(void *)> data;
};

/// Parses kernels and runs them; a failed run fails the test.
class EmulatorTest : public ::testing::Test {
protected:
  EmulatorTest() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                    mlir::gpu::GPUDialect, mlir::math::MathDialect,
                    mlir::memref::MemRefDialect, mlir::nvgpu::NVGPUDialect,
                    mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
    context.appendDialectRegistry(registry);
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &kernel) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        "#wg = #gpu.address_space<workgroup>\ngpu.module @kernels {\n" +
            kernel + "\n}\n",
        &context);
    EXPECT_TRUE(module);
    return module;
  }

  EmulatorReport run(const std::string &kernel, LaunchExtent grid,
                     LaunchExtent block, llvm::ArrayRef<void *> arguments,
                     const EmulatorOptions &options = {}) {
    auto module = parse(kernel);
    auto report =
        emulateKernel(*module, "kernel", grid, block, arguments, options);
    if (report)
      return *report;
    ADD_FAILURE() << llvm::toString(report.takeError());
    return EmulatorReport();
  }

  std::string error(const std::string &kernel, LaunchExtent grid,
                    LaunchExtent block, llvm::ArrayRef<void *> arguments,
                    const EmulatorOptions &options = {}) {
    auto module = parse(kernel);
    auto report =
        emulateKernel(*module, "kernel", grid, block, arguments, options);
    return report ? "no error" : llvm::toString(report.takeError());
  }

  mlir::MLIRContext context;
};

/// C = A * B in double, row-major.
inline std::vector<double> referenceMatmul(DeviceBuffer &a, DeviceBuffer &b,
                                           int m, int n, int k) {
  std::vector<double> c(m * n);
  for (int i = 0; i != m; ++i)
    for (int p = 0; p != k; ++p)
      for (int j = 0; j != n; ++j)
        c[i * n + j] += double(a[i * k + p]) * b[p * n + j];
  return c;
}

} // namespace pruner::test

#endif // PRUNER_TEST_UNIT_EMULATOR_EMULATORTEST_H
