//===- JitModuleTest.cpp - load object code into the process --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/JitModule.h"
#include "pruner/Target/ObjectCode.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace pruner;

namespace {
class JitModuleTest : public ::testing::Test {
protected:
  JitModuleTest() {
    mlir::DialectRegistry registry;
    registerTargetDialects(registry);
    context.appendDialectRegistry(registry);
  }

  llvm::Expected<std::unique_ptr<JitModule>> load(const char *source) {
    module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    if (!module)
      return llvm::createStringError("does not parse");
    auto object = compileToObject(*module);
    if (!object)
      return object.takeError();
    return loadObject(object->bytes);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

constexpr const char *kScale = R"(
  llvm.func @scale(%p: !llvm.ptr, %s: f32) {
    %x = llvm.load %p : !llvm.ptr -> f32
    %y = llvm.fmul %x, %s : f32
    llvm.store %y, %p : f32, !llvm.ptr
    llvm.return
  })";
} // namespace

TEST_F(JitModuleTest, RunsAndUnloads) {
  for (int round = 0; round < 3; ++round) {
    auto jit = load(kScale);
    ASSERT_TRUE(bool(jit)) << llvm::toString(jit.takeError());
    auto scale = (*jit)->function<void(float *, float)>("scale");
    ASSERT_TRUE(bool(scale)) << llvm::toString(scale.takeError());
    float value = 3;
    (*scale)(&value, 7);
    EXPECT_EQ(value, 21);
  }
}

TEST_F(JitModuleTest, SectionContainsTheCode) {
  auto jit = load((std::string(kScale) + R"(
    llvm.func @other(%x: f32) -> f32 {
      llvm.return %x : f32
    })")
                      .c_str());
  ASSERT_TRUE(bool(jit)) << llvm::toString(jit.takeError());
  for (const char *name : {"scale", "other"}) {
    auto section = (*jit)->sectionOf(name);
    auto address = (*jit)->lookup(name);
    ASSERT_TRUE(bool(section) && bool(address));
    EXPECT_GE(*address, section->data());
    EXPECT_LT(*address, section->end());
    EXPECT_LT(section->size(), 4096u);
  }
  auto missing = (*jit)->sectionOf("no_such_kernel");
  ASSERT_FALSE(bool(missing));
  llvm::consumeError(missing.takeError());
}

TEST_F(JitModuleTest, MissingSymbolsAreNamed) {
  auto jit = load(kScale);
  ASSERT_TRUE(bool(jit)) << llvm::toString(jit.takeError());
  auto address = (*jit)->lookup("no_such_kernel");
  ASSERT_FALSE(bool(address));
  EXPECT_NE(llvm::toString(address.takeError()).find("no_such_kernel"),
            std::string::npos);

  jit = load(R"(
    llvm.func @undefined_helper()
    llvm.func @k() {
      llvm.call @undefined_helper() : () -> ()
      llvm.return
    })");
  ASSERT_TRUE(bool(jit)) << llvm::toString(jit.takeError());
  address = (*jit)->lookup("k");
  ASSERT_FALSE(bool(address));
  EXPECT_NE(llvm::toString(address.takeError()).find("undefined_helper"),
            std::string::npos);
}

TEST_F(JitModuleTest, OptionsAreChecked) {
  module = mlir::parseSourceString<mlir::ModuleOp>(kScale, &context);
  auto messageOf = [&](const CpuOptions &options) {
    auto object = compileToObject(*module, options);
    return object ? std::string("compiled")
                  : llvm::toString(object.takeError());
  };
  CpuOptions options;
  options.optLevel = 4;
  EXPECT_EQ(messageOf(options), "optimization level 4 is not in 0..3");
  options = {};
  options.cpu = "pentium-11";
  EXPECT_NE(messageOf(options).find("unknown CPU 'pentium-11'"),
            std::string::npos);
  options = {};
  options.features = "+warp-drive";
  EXPECT_EQ(messageOf(options),
            "unknown CPU feature '+warp-drive' (expected +name or -name)");
  options = {};
  options.triple = "q86-unknown-linux";
  EXPECT_NE(messageOf(options).find("cannot compile for"), std::string::npos);
  for (unsigned level : {0u, 1u, 2u, 3u}) {
    options = {};
    options.optLevel = level;
    EXPECT_EQ(messageOf(options), "compiled");
  }
}

TEST_F(JitModuleTest, RejectsUnloweredModules) {
  context.allowUnregisteredDialects();
  module = mlir::parseSourceString<mlir::ModuleOp>(
      R"(llvm.func @k() { "foo.bar"() : () -> ()
         llvm.return })",
      &context);
  ASSERT_TRUE(module);
  auto object = compileToObject(*module);
  ASSERT_FALSE(bool(object));
  EXPECT_NE(llvm::toString(object.takeError()).find("foo.bar"),
            std::string::npos);
}
