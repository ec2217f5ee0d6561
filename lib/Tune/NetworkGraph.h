//===- NetworkGraph.h - what a network does, as a graph ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_TUNE_NETWORKGRAPH_H
#define PRUNER_LIB_TUNE_NETWORKGRAPH_H

#include "pruner/Machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// An operation of a network that takes time.
struct NetworkNode {
  mlir::Operation *op = nullptr;
  mlir::func::FuncOp task;              ///< That it calls, or null.
  llvm::SmallVector<unsigned, 4> after; ///< Nodes whose results it needs.
  /// Of what is no call of a task: bytes that it reads and writes.
  int64_t bytes = 0;
};

struct NetworkGraph {
  std::vector<NetworkNode> nodes; ///< In the order of the operations.
  /// Operations that take time nobody can tell, and why.
  std::vector<std::pair<mlir::Operation *, std::string>> unknown;
};

/// The graph of a function of one block. Shapes, constants and views of tensors
/// are no nodes; what needs them needs what they are of. Of operations with
/// regions other than those of linalg and tensor, and of calls of functions
/// that are no tasks, nothing is known.
NetworkGraph networkGraph(mlir::func::FuncOp network);

} // namespace pruner

#endif // PRUNER_LIB_TUNE_NETWORKGRAPH_H
