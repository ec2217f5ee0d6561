//===- InlineCall.cpp - inline a call -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InlineCall.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

SmallVector<Operation *> pruner::inlineCall(func::CallOp call,
                                            func::FuncOp callee) {
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  OpBuilder builder(call);
  Block &body = callee.getBody().front();
  SmallVector<Operation *> copies;
  for (Operation &op : body.without_terminator())
    copies.push_back(builder.clone(op, mapping));
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
  return copies;
}
