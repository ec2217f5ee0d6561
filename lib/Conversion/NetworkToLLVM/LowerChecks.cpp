//===- LowerChecks.cpp - failed assertions as errors of the network -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringMap.h"

namespace pruner {
#define GEN_PASS_DEF_LOWERCHECKSPASS
#include "pruner/Conversion/NetworkToLLVM/Passes.h.inc"
} // namespace pruner

using namespace mlir;

static constexpr llvm::StringLiteral kFail = "pruner_network_fail";

namespace {
struct LowerChecksPass
    : public pruner::impl::LowerChecksPassBase<LowerChecksPass> {
  void runOnOperation() override {
    SmallVector<cf::AssertOp> asserts;
    getOperation().walk([&](cf::AssertOp op) { asserts.push_back(op); });
    if (asserts.empty())
      return;
    messages.clear();
    OpBuilder atStart(getOperation().getBody(),
                      getOperation().getBody()->begin());
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(&getContext()), {pointer});
    auto fail =
        LLVM::LLVMFuncOp::create(atStart, getOperation().getLoc(), kFail, type);
    fail.setPassthroughAttr(
        atStart.getArrayAttr({atStart.getStringAttr("noreturn")}));
    fail.setVisibility_(LLVM::Visibility::Hidden);
    for (cf::AssertOp op : asserts) {
      LLVM::GlobalOp text = message(atStart, op);
      OpBuilder builder(op);
      Location loc = op.getLoc();
      Value yes = arith::ConstantIntOp::create(builder, loc, 1, 1);
      Value failed = arith::XOrIOp::create(builder, loc, op.getArg(), yes);
      auto branch = scf::IfOp::create(builder, loc, failed,
                                      /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
      Value address = LLVM::AddressOfOp::create(builder, loc, text);
      LLVM::CallOp::create(builder, loc, fail, ValueRange(address));
      op.erase();
    }
  }

  LLVM::GlobalOp message(OpBuilder &builder, cf::AssertOp op) {
    LLVM::GlobalOp &text = messages[op.getMsg()];
    if (!text) {
      std::string characters = op.getMsg().str();
      characters.push_back('\0');
      text = LLVM::GlobalOp::create(
          builder, op.getLoc(),
          LLVM::LLVMArrayType::get(builder.getI8Type(), characters.size()),
          /*isConstant=*/true, LLVM::Linkage::Internal,
          ("check_" + Twine(messages.size() - 1)).str(),
          builder.getStringAttr(characters));
    }
    return text;
  }

  llvm::StringMap<LLVM::GlobalOp> messages;
};
} // namespace
