//===- SimtEmulationTest.cpp - random kernels against loop nests ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// Compares random schedules of random tasks, lowered and run by the emulator
// with all its checks, with loop nests in C++. Inputs are small integers, so
// sums are exact in any order and the results must be equal bit by bit.
//
// Options: --samples=N, --seed=S.
//
//===----------------------------------------------------------------------===//

#include "RandomTasks.h"

#include "pruner/Conversion/PrunerToGPU/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Transforms/Passes.h"
#include "pruner/Emulator/Emulator.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Recognition/TaskFromIR.h"
#include "pruner/Schedule/Space.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace mlir;
using namespace pruner;
using namespace pruner::test;

static uint64_t samples = 100, seed = 1;

namespace {

/// Elements at an address that a device allocation could have.
class DeviceBuffer {
public:
  explicit DeviceBuffer(const TensorDesc &tensor)
      : half(tensor.type == ElementType::F16), count(tensor.elements()),
        data(std::aligned_alloc(256, (count * 4 + 255) / 256 * 256),
             std::free) {}
  void *get() { return data.get(); }
  float read(int64_t n) const {
    return half ? float(static_cast<_Float16 *>(data.get())[n])
                : static_cast<float *>(data.get())[n];
  }
  void write(int64_t n, float value) {
    if (half)
      static_cast<_Float16 *>(data.get())[n] = _Float16(value);
    else
      static_cast<float *>(data.get())[n] = value;
  }

private:
  bool half;
  int64_t count;
  std::unique_ptr<void, void (*)(void *)> data;
};

class SimtEmulationTest : public ::testing::Test {
protected:
  SimtEmulationTest() : machine(llvm::cantFail(knownMachine("sm_80"))) {
    // The emulator has no tensor cores; the PTX machine runs such schedules.
    machine.sm.halfTensorRate = machine.sm.tf32TensorRate =
        machine.sm.byteTensorRate = machine.sm.halfSumTensorRate = 0;
    DialectRegistry registry;
    registry.insert<PrunerDialect, arith::ArithDialect, func::FuncDialect,
                    gpu::GPUDialect, linalg::LinalgDialect,
                    tensor::TensorDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Lowers the only function of `module` and returns its kernel.
  /// The kernels in the order of their launches; none if lowering failed.
  SmallVector<gpu::GPUFuncOp> lower(ModuleOp module) {
    PassManager passes(&context);
    passes.addPass(createTilePass());
    passes.addPass(createConvertPrunerToGPUPass());
    if (failed(passes.run(module)))
      return {};
    SmallVector<gpu::GPUFuncOp> kernels;
    module.walk([&](gpu::GPUFuncOp kernel) { kernels.push_back(kernel); });
    return kernels;
  }

  LaunchExtent extent(gpu::GPUFuncOp kernel, StringRef name) {
    auto values = kernel->getAttrOfType<DenseI64ArrayAttr>(name).asArrayRef();
    return {values[0], values[1], values[2]};
  }

  void check(Random random);

  MLIRContext context;
  Machine machine;
  unsigned inPlace = 0, outer = 0, split = 0;
};

} // namespace

void SimtEmulationTest::check(Random random) {
  RandomTask task = randomTask(random);
  auto module = parseSourceString<ModuleOp>(task.text, &context);
  ASSERT_TRUE(module) << task.text;
  auto function = *module->getOps<func::FuncOp>().begin();
  FailureOr<TaskIR> read = readTask(function);
  ASSERT_TRUE(succeeded(read)) << task.text;
  TaskDesc desc = read->desc;
  std::optional<Schedule> schedule =
      ScheduleSpace(desc, machine).sample(random);
  ASSERT_TRUE(schedule) << task.text;
  inPlace += llvm::is_contained(schedule->stages, StageLevel::None);
  outer += llvm::is_contained(schedule->stages, StageLevel::Outer);
  auto attr = ScheduleAttr::get(&context, *schedule);
  std::string text = task.text;
  llvm::raw_string_ostream(text) << attr;
  SCOPED_TRACE(text);
  function->setAttr(PrunerDialect::getScheduleAttrName(), attr);
  SmallVector<gpu::GPUFuncOp> kernels = lower(*module);
  ASSERT_FALSE(kernels.empty());

  // Arguments in the order of the kernel.
  std::vector<const TensorDesc *> tensors;
  for (const TensorDesc &tensor : desc.tensors)
    if (tensor.argument >= 0) {
      tensors.resize(std::max<size_t>(tensors.size(), tensor.argument + 1));
      tensors[tensor.argument] = &tensor;
    }
  std::vector<DeviceBuffer> buffers;
  std::vector<std::vector<float>> values;
  std::vector<void *> addresses;
  for (const TensorDesc *tensor : tensors) {
    buffers.emplace_back(*tensor);
    values.emplace_back();
    for (int64_t n = 0; n < tensor->elements(); ++n) {
      values.back().push_back(task.least +
                              int(random.uniform(task.most - task.least + 1)));
      buffers.back().write(n, values.back().back());
    }
    addresses.push_back(buffers.back().get());
  }
  const TensorDesc &output = desc.tensors[desc.outputTensor()];
  // After them the workspaces between kernels.
  for (Type type :
       kernels.front().getArgumentTypes().drop_front(tensors.size())) {
    TensorDesc parts = output;
    parts.shape.assign({cast<MemRefType>(type).getNumElements()});
    buffers.emplace_back(parts);
    addresses.push_back(buffers.back().get());
  }
  split += kernels.size() > 1;
  EmulatorOptions options;
  options.checkGlobalRaces = true;
  options.poisonedArguments = {unsigned(output.argument)};
  for (gpu::GPUFuncOp kernel : kernels) {
    auto report =
        emulateKernel(*module, kernel.getName(), extent(kernel, "pruner.grid"),
                      extent(kernel, "pruner.block"), addresses, options);
    ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  }

  std::vector<float> expected =
      evaluate(desc, task, values)[desc.outputTensor()];
  for (size_t n = 0; n < expected.size(); ++n)
    ASSERT_EQ(buffers[output.argument].read(n), expected[n]) << "element " << n;
}

TEST_F(SimtEmulationTest, RandomSchedules) {
  Random random(seed);
  for (uint64_t n = 0; n < samples; ++n) {
    SCOPED_TRACE("sample " + std::to_string(n));
    check(random.fork(n));
    if (HasFatalFailure())
      return;
  }
  // The random draws reach the rarer forms.
  if (samples >= 100) {
    EXPECT_GT(inPlace, 0u);
    EXPECT_GT(outer, 0u);
    EXPECT_GT(split, 0u);
  }
}

int main(int argc, char **argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (int n = 1; n < argc; ++n) {
    StringRef word(argv[n]);
    bool known =
        (word.consume_front("--samples=") && !word.getAsInteger(10, samples)) ||
        (word.consume_front("--seed=") && !word.getAsInteger(10, seed));
    if (!known) {
      llvm::errs() << "unknown option '" << argv[n]
                   << "', expected --samples=N or --seed=S\n";
      return 1;
    }
  }
  return RUN_ALL_TESTS();
}
