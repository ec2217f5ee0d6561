//===- LoadedNetworkTest.cpp - load libraries several times ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Library/LoadedNetwork.h"
#include "pruner/Library/EmitLibrary.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <fstream>

using namespace pruner;

namespace {
class LoadedNetworkTest : public ::testing::Test {
protected:
  void SetUp() override {
    registerLibraryDialects(registry);
    ASSERT_FALSE(
        llvm::sys::fs::createUniqueDirectory("pruner-loaded", directory));
    path = (directory + "/network.so").str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  /// Writes a library that multiplies by `factor` to the file `path`.
  void make(const std::string &factor) {
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        R"(func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
             %f = arith.constant dense<)" +
            factor + R"(> : tensor<1xf32>
             %e = tensor.empty() : tensor<1xf32>
             %r = linalg.mul ins(%x, %f : tensor<1xf32>, tensor<1xf32>)
                             outs(%e : tensor<1xf32>) -> tensor<1xf32>
             return %r : tensor<1xf32>
           })",
        &context);
    ASSERT_TRUE(module);
    LibraryOptions options;
    options.output = path;
    auto report = emitLibrary(*module, options);
    ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  }

  std::string content() {
    return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
  }
  /// Writes to the existing file.
  void write(llvm::StringRef data) {
    std::ofstream(path, std::ios::binary) << data.str();
  }

  LoadedNetwork load() { return llvm::cantFail(LoadedNetwork::load(path)); }
  std::string refusal() {
    auto network = LoadedNetwork::load(path);
    return network ? "" : llvm::toString(network.takeError());
  }

  mlir::DialectRegistry registry;
  llvm::SmallString<64> directory;
  std::string path;
};

/// The network's result for 1.
float run(const LoadedNetwork &network) {
  alignas(64) float input[16] = {1}, output[16] = {0};
  llvm::cantFail(network.run({input}, {output}));
  return output[0];
}
} // namespace

TEST_F(LoadedNetworkTest, LoadsTheCurrentContents) {
  make("2.0");
  std::string two = content();
  LoadedNetwork first = load();
  EXPECT_EQ(run(first), 2);
  make("3.0");
  LoadedNetwork second = load();
  EXPECT_EQ(run(second), 3);
  write(two);
  EXPECT_EQ(run(load()), 2);
  // The files are overwritten in place, and truncated, while they are loaded.
  write("");
  EXPECT_EQ(run(first), 2);
  EXPECT_EQ(run(second), 3);
}

TEST_F(LoadedNetworkTest, RejectsTruncatedFiles) {
  make("5.0");
  std::string whole = content();
  for (size_t length = 0; length < whole.size(); length += 1 + length / 3) {
    write(llvm::StringRef(whole).take_front(length));
    EXPECT_FALSE(refusal().empty()) << length;
  }
  write(llvm::StringRef(whole).drop_back());
  EXPECT_FALSE(refusal().empty());
  write("no library");
  EXPECT_EQ(refusal(), path + ": the file is not a shared library");
  write("");
  EXPECT_EQ(refusal(), path + ": the file is empty");
  write(whole);
  EXPECT_EQ(run(load()), 5);
}
