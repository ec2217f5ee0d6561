//===- OffloadOperations.cpp - operations outside of tasks as kernels -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OperationKernel.h"

#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace pruner {
#define GEN_PASS_DEF_OFFLOADOPERATIONSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

static constexpr llvm::StringLiteral kStatus = "pruner_network_status_memory";

static bool isBuffer(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

/// Why an op cannot run on the CPU between kernels; empty if it can.
static StringRef whyNotOnHost(Operation *op) {
  if (isa<memref::AllocOp, memref::AllocaOp, memref::DeallocOp>(op))
    return "needs memory whose size is not known at compile time";
  if (isa<linalg::LinalgOp>(op))
    return "has operands whose layout is not known at compile time";
  if (auto copy = dyn_cast<memref::CopyOp>(op)) {
    auto isWhole = [](Value value) {
      auto type = dyn_cast<MemRefType>(value.getType());
      return type && memref::isStaticShapeAndContiguousRowMajor(type);
    };
    if (!isWhole(copy.getSource()) || !isWhole(copy.getTarget()))
      return "has operands whose layout is not known at compile time";
    return "";
  }
  if (isa<func::CallOp, gpu::LaunchFuncOp, RegionBranchOpInterface>(op) ||
      isMemoryEffectFree(op) || llvm::none_of(op->getOperands(), isBuffer))
    return "";
  return "reads or writes elements of a tensor";
}

namespace {
struct OffloadOperationsPass
    : public pruner::impl::OffloadOperationsPassBase<OffloadOperationsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    checks.clear();
    kernels = nullptr;
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (function->hasAttr(PrunerDialect::getWorkAttrName()))
        functions.push_back(function);
    for (func::FuncOp function : functions)
      offload(function);
    if (failed(checkHost()))
      return signalPassFailure();
    Builder builder(&getContext());
    SmallVector<StringRef> messages =
        llvm::to_vector(llvm::make_first_range(checks));
    module->setAttr("pruner.checks", builder.getStrArrayAttr(messages));
  }

  /// Replaces the operation of a function by the launch of a kernel.
  void offload(func::FuncOp function) {
    auto ops = function.getBody().front().getOps<linalg::LinalgOp>();
    if (ops.empty())
      return;
    linalg::LinalgOp op = *ops.begin();
    OperationKernel kernel(op);
    if (kernel.threads() > 0)
      launch(function, op, kernel);
    op->erase();
    ++numOffloaded;
  }

  void launch(func::FuncOp function, linalg::LinalgOp op,
              OperationKernel &kernel) {
    Location loc = op.getLoc();
    bool isChecked = false;
    op->walk([&](cf::AssertOp) { isChecked = true; });
    OpBuilder builder(op);
    SmallVector<Value> operands(function.getArguments());
    if (isChecked)
      operands.push_back(
          func::CallOp::create(builder, loc, statusFunction()).getResult(0));
    gpu::GPUFuncOp made = makeKernel(function, ValueRange(operands).getTypes());
    OpBuilder inside = OpBuilder::atBlockBegin(&made.getBody().front());
    kernel.write(inside, made.getArguments());
    if (isChecked)
      lowerChecks(made);
    gpu::ReturnOp::create(inside, loc);
    int32_t block = kernel.block();
    made.setKnownBlockSize(ArrayRef<int32_t>{block, 1, 1});
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, loc, value);
    };
    Value one = index(1);
    int64_t blocks = llvm::divideCeil(kernel.threads(), int64_t(block));
    gpu::LaunchFuncOp::create(builder, loc, made,
                              gpu::KernelDim3{index(blocks), one, one},
                              gpu::KernelDim3{index(block), one, one},
                              /*dynamicSharedMemorySize=*/Value(), operands);
  }

  /// An empty kernel with the promises about arguments that hold for the
  /// function.
  gpu::GPUFuncOp makeKernel(func::FuncOp function, TypeRange types) {
    Builder attributes(&getContext());
    if (!kernels) {
      ModuleOp module = getOperation();
      module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                      attributes.getUnitAttr());
      OpBuilder builder(&getContext());
      kernels = gpu::GPUModuleOp::create(builder, module.getLoc(),
                                         "operation_kernels");
      SymbolTable(module).insert(kernels);
    }
    OpBuilder builder = OpBuilder::atBlockEnd(kernels.getBody());
    auto kernel =
        gpu::GPUFuncOp::create(builder, function.getLoc(), function.getName(),
                               builder.getFunctionType(types, {}));
    kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
    StringRef work = PrunerDialect::getWorkAttrName();
    kernel->setAttr(work, function->getAttr(work));
    for (unsigned n = 0; n < function.getNumArguments(); ++n)
      kernel.setArgAttrs(n, function.getArgAttrDict(n));
    return kernel;
  }

  func::FuncOp statusFunction() {
    ModuleOp module = getOperation();
    if (auto known = module.lookupSymbol<func::FuncOp>(kStatus))
      return known;
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto function = func::FuncOp::create(
        builder, module.getLoc(), kStatus,
        builder.getFunctionType({},
                                MemRefType::get({1}, builder.getI32Type())));
    function.setPrivate();
    return function;
  }

  /// A thread whose check fails writes the number of the check to the last
  /// argument and ends.
  void lowerChecks(gpu::GPUFuncOp kernel) {
    SmallVector<cf::AssertOp> asserts;
    kernel.walk([&](cf::AssertOp op) { asserts.push_back(op); });
    for (cf::AssertOp op : asserts) {
      auto known = checks.insert({op.getMsg(), int32_t(checks.size() + 1)});
      OpBuilder builder(op);
      Location loc = op.getLoc();
      Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
      Value failed = arith::XOrIOp::create(builder, loc, op.getArg(), yes);
      auto branch =
          scf::IfOp::create(builder, loc, failed, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
      Value number =
          arith::ConstantIntOp::create(builder, loc, known.first->second, 32);
      Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
      memref::StoreOp::create(builder, loc, number,
                              kernel.getArguments().back(), zero);
      NVVM::Exit::create(builder, loc);
      op.erase();
    }
  }

  /// Tensors are in device memory, so ops that remain in host functions must
  /// not access their elements.
  LogicalResult checkHost() {
    bool isSound = true;
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](Operation *op) {
        StringRef why = whyNotOnHost(op);
        if (why.empty())
          return;
        isSound = false;
        emitError(op->getLoc())
            << "'" << op->getName().getStringRef() << "' op " << why
            << " between kernels, which a library for a GPU cannot do; "
               "expected linalg on tensors of static shape";
      });
    return success(isSound);
  }

  gpu::GPUModuleOp kernels;
  /// The number of each check by its message.
  llvm::MapVector<StringRef, int32_t> checks;
};
} // namespace
