//===- ObjectCacheTest.cpp - libraries that share objects -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Library/ObjectCache.h"
#include "pruner/Library/EmitLibrary.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <thread>

using namespace pruner;

static std::string kernel(llvm::StringRef name, llvm::StringRef factor) {
  return ("func.func private @" + name +
          R"((%x: memref<64xf32>, %y: memref<64xf32>)
    attributes {pruner.applied = "by hand"} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %f = arith.constant )" +
          factor + R"( : f32
  scf.for %i = %c0 to %c64 step %c1 {
    %v = memref.load %x[%i] : memref<64xf32>
    %p = arith.mulf %v, %f : f32
    memref.store %p, %y[%i] : memref<64xf32>
  }
  return
}
)")
      .str();
}

/// Two tuned kernels with an operation between them. The first kernel
/// multiplies by `factor`.
static std::string network(llvm::StringRef factor) {
  return R"(
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a = bufferization.to_buffer %x read_only : tensor<64xf32> to memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  call @first(%a, %b) : (memref<64xf32>, memref<64xf32>) -> ()
  %t = bufferization.to_tensor %b restrict writable
    : memref<64xf32> to tensor<64xf32>
  %e = tensor.empty() : tensor<64xf32>
  %s = linalg.add ins(%t, %x : tensor<64xf32>, tensor<64xf32>)
                  outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %c = bufferization.to_buffer %s read_only : tensor<64xf32> to memref<64xf32>
  %d = memref.alloc() : memref<64xf32>
  call @second(%c, %d) : (memref<64xf32>, memref<64xf32>) -> ()
  %y = bufferization.to_tensor %d restrict writable
    : memref<64xf32> to tensor<64xf32>
  return %y : tensor<64xf32>
}
)" + kernel("first", factor) +
         kernel("second", "3.0");
}

namespace {
/// Emits libraries, each in a separate context.
class ObjectCacheTest : public ::testing::Test {
protected:
  ObjectCacheTest() { registerLibraryDialects(registry); }

  /// The bytes of the library; empty after a recorded failure.
  std::string emit(const std::string &source, ObjectCache *objects) {
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    llvm::SmallString<64> path;
    if (!module ||
        llvm::sys::fs::createTemporaryFile("pruner-network", "so", path)) {
      ADD_FAILURE() << "no module or no file";
      return "";
    }
    llvm::FileRemover remover(path);
    LibraryOptions options;
    options.output = path.str().str();
    options.objects = objects;
    if (auto report = emitLibrary(*module, options); !report) {
      ADD_FAILURE() << llvm::toString(report.takeError());
      return "";
    }
    auto bytes = llvm::MemoryBuffer::getFile(path);
    return bytes ? (*bytes)->getBuffer().str() : "";
  }

  mlir::DialectRegistry registry;
};

TEST_F(ObjectCacheTest, SharedObjectsMakeTheSameLibraries) {
  const std::string sources[] = {network("2.0"), network("5.0")};
  std::string alone[2], shared[2], again[2];
  for (int n : {0, 1})
    alone[n] = emit(sources[n], nullptr);
  EXPECT_FALSE(alone[0].empty());
  EXPECT_NE(alone[0], alone[1]);

  ObjectCache objects;
  std::thread other([&] { shared[1] = emit(sources[1], &objects); });
  shared[0] = emit(sources[0], &objects);
  other.join();
  // The first kernel twice; the second one, the operation, and the rest.
  EXPECT_EQ(objects.compiled(), 5u);
  EXPECT_EQ(objects.shared(), 3u);
  for (int n : {0, 1})
    again[n] = emit(sources[n], &objects);
  EXPECT_EQ(objects.compiled(), 5u);
  EXPECT_EQ(objects.shared(), 11u);
  for (int n : {0, 1}) {
    EXPECT_TRUE(shared[n] == alone[n]);
    EXPECT_TRUE(again[n] == alone[n]);
  }
}

TEST_F(ObjectCacheTest, OptionsDistinguishObjects) {
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "llvm.func @f() { llvm.return }", &context);
  ASSERT_TRUE(module);
  CpuOptions plain, other;
  other.loopVectorize = true;
  EXPECT_EQ(ObjectCache::key(*module, plain), ObjectCache::key(*module, plain));
  EXPECT_NE(ObjectCache::key(*module, plain), ObjectCache::key(*module, other));
  other = plain;
  other.features = "-fma";
  EXPECT_NE(ObjectCache::key(*module, plain), ObjectCache::key(*module, other));
}

TEST_F(ObjectCacheTest, FailuresAreShared) {
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "llvm.func @f() { llvm.return }", &context);
  ASSERT_TRUE(module);
  CpuOptions options;
  options.cpu = "no-such-cpu";
  ObjectCache objects;
  const std::string key = ObjectCache::key(*module, options);
  for (int n = 0; n < 2; ++n) {
    objects.compile(key, *module, options);
    auto object = objects.get(key);
    ASSERT_FALSE(bool(object));
    EXPECT_NE(llvm::toString(object.takeError()).find("no-such-cpu"),
              std::string::npos);
  }
  EXPECT_EQ(objects.shared(), 1u);
}
} // namespace
