//===- NetworkGraph.h - the operations of a network as a graph --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_NETWORKLATENCY_NETWORKGRAPH_H
#define PRUNER_LIB_NETWORKLATENCY_NETWORKGRAPH_H

#include "pruner/Machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// An operation of a network that takes time.
struct NetworkNode {
  mlir::Operation *op = nullptr;
  mlir::func::FuncOp task;              ///< The called task, or null.
  llvm::SmallVector<unsigned, 4> after; ///< Nodes whose results it uses.
  /// Bytes read and written, for operations that are not calls of tasks.
  int64_t bytes = 0;
};

struct NetworkGraph {
  std::vector<NetworkNode> nodes; ///< In the order of the operations.
  /// Operations whose time cannot be predicted, with the reason.
  std::vector<std::pair<mlir::Operation *, std::string>> unknown;
};

/// Builds the graph of a function with one block. Shapes, constants and views
/// of tensors are not nodes: a node that uses a view depends on the node that
/// made the tensor. Unknown are operations with regions other than those of
/// linalg and tensor, and calls of functions that are not tasks.
NetworkGraph networkGraph(mlir::func::FuncOp network);

} // namespace pruner

#endif // PRUNER_LIB_NETWORKLATENCY_NETWORKGRAPH_H
