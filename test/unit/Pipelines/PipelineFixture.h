//===- PipelineFixture.h - source text to callable code ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_UNIT_PIPELINES_PIPELINEFIXTURE_H
#define PRUNER_UNIT_PIPELINES_PIPELINEFIXTURE_H

#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Target/JitModule.h"
#include "pruner/Target/ObjectCode.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

namespace pruner::test {

/// Parses source text, lowers it with the given pipeline, compiles it for the
/// host and loads it.
class PipelineFixture : public ::testing::Test {
protected:
  PipelineFixture() {
    mlir::DialectRegistry registry;
    registerPipelineDialects(registry);
    registerTargetDialects(registry);
    context.appendDialectRegistry(registry);
    context.disableMultithreading();
  }

  using Build = llvm::function_ref<void(mlir::OpPassManager &)>;

  /// The loaded module, or null after a test failure was recorded.
  std::unique_ptr<JitModule> compile(llvm::StringRef source, Build build,
                                     const CpuOptions &options = {}) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    if (!module) {
      ADD_FAILURE() << "does not parse";
      return nullptr;
    }
    mlir::PassManager pm(&context);
    build(pm);
    if (mlir::failed(pm.run(*module))) {
      ADD_FAILURE() << "does not lower";
      return nullptr;
    }
    auto object = compileToObject(*module, options);
    if (!object) {
      ADD_FAILURE() << llvm::toString(object.takeError());
      return nullptr;
    }
    lastObject = std::move(*object);
    auto jit = loadObject(lastObject.bytes);
    if (!jit) {
      ADD_FAILURE() << llvm::toString(jit.takeError());
      return nullptr;
    }
    return std::move(*jit);
  }

  template <typename Signature>
  Signature *function(JitModule &jit, llvm::StringRef name) {
    auto address = jit.function<Signature>(name);
    if (!address) {
      // There is nothing to call: stop here instead of in a null call.
      llvm::report_fatal_error(address.takeError());
    }
    return *address;
  }

  mlir::MLIRContext context;
  ObjectCode lastObject;
};

/// A buffer with the alignment that kernels require.
template <typename T> class AlignedBuffer {
public:
  explicit AlignedBuffer(size_t count, T value = T())
      : count(count), values(static_cast<T *>(std::aligned_alloc(
                          64, (count * sizeof(T) + 63) / 64 * 64))) {
    std::fill_n(values.get(), count, value);
  }
  T *data() { return values.get(); }
  T &operator[](size_t n) { return values.get()[n]; }
  size_t size() const { return count; }

private:
  struct Free {
    void operator()(T *p) const { std::free(p); }
  };
  size_t count;
  std::unique_ptr<T, Free> values;
};

} // namespace pruner::test

#endif // PRUNER_UNIT_PIPELINES_PIPELINEFIXTURE_H
