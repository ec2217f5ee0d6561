//===- NetworkMetadataTest.cpp - metadata of libraries ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkMetadata.h"
#include "NetworkInterface.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace pruner;

/// Metadata with one input of this shape and one call without a task.
static std::string withShape(const std::string &shape,
                             const std::string &workspace = "64") {
  return R"({"format": 1, "inputs": [{"name": "x", "dtype": "f32", "shape": )" +
         shape +
         R"(}], "outputs": [], "kernels": [{}], "calls": [0], "workspace_bytes": )" +
         workspace + "}";
}

static std::string problem(const std::string &text) {
  auto metadata = parseNetworkMetadata(text);
  return metadata ? "" : llvm::toString(metadata.takeError());
}

TEST(NetworkMetadata, AreRead) {
  auto metadata = parseNetworkMetadata(withShape("[2, 3]"));
  ASSERT_TRUE(bool(metadata)) << llvm::toString(metadata.takeError());
  ASSERT_EQ(1u, metadata->inputs.size());
  EXPECT_EQ("x", metadata->inputs[0].name);
  EXPECT_EQ(6, metadata->inputs[0].elements());
  EXPECT_EQ(64, metadata->workspaceBytes);
  EXPECT_EQ(std::vector<std::string>{""}, metadata->calls);
}

// A caller allocates buffers of their sizes.
TEST(NetworkMetadata, SizesThatNoMemoryHasAreRejected) {
  const std::string other = "its metadata are of another format";
  EXPECT_EQ("", problem(withShape("[274877906944]")));
  EXPECT_EQ(other, problem(withShape("[274877906945]")));
  EXPECT_EQ(other, problem(withShape("[4294967296, 4294967296]")));
  EXPECT_EQ(other, problem(withShape("[-1]")));
  EXPECT_EQ("", problem(withShape("[4294967296, 4294967296, 0]")));
  EXPECT_EQ("its metadata have a workspace of -1 bytes",
            problem(withShape("[1]", "-1")));
}

TEST(NetworkMetadata, SeveralSizesAreRejectedByName) {
  EXPECT_EQ("it has a dimension of several sizes, expected static shapes",
            problem(R"({"format": 2})"));
}

// Attributes of a module are any bytes, integers and lists.
TEST(NetworkMetadata, UnusualAttributesBecomeSoundMetadata) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      R"(module attributes {pruner.interface = {entry = "\FF",
           inputs = [tensor<2xf32>], input_names = ["\C3"],
           outputs = [tensor<f32>], workspace = 18446744073709551616 : i128,
           kernels = [{name = "\FE", flops = 7 : ui32, bytes = 5 : si8}, "k"],
           calls = array<i32: 0>}} {})",
      &context);
  ASSERT_TRUE(module);
  auto interface = NetworkInterface::read(*module);
  ASSERT_TRUE(bool(interface)) << llvm::toString(interface.takeError());
  EXPECT_EQ(0, interface->workspaceBytes);
  ASSERT_EQ(1u, interface->kernels.size());
  const llvm::json::Object *kernel = interface->kernels[0].getAsObject();
  EXPECT_EQ(7, kernel->getInteger("flops"));
  EXPECT_EQ(5, kernel->getInteger("bytes"));
  auto metadata = parseNetworkMetadata(interface->metadata("cpu", ""));
  ASSERT_TRUE(bool(metadata)) << llvm::toString(metadata.takeError());
  EXPECT_EQ("\xEF\xBF\xBD", metadata->inputs[0].name);
}
