//===- NetworkGraph.cpp - the operations of a network as a graph ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkGraph.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Recognition/ScalarOps.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace pruner;

/// Returns the bytes of a tensor; 0 for other types, nothing for dynamic
/// shapes.
static std::optional<int64_t> bytesOf(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return 0;
  if (!tensor.hasStaticShape())
    return std::nullopt;
  Type element = tensor.getElementType();
  unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return mulSizes(boxSize(tensor.getShape()), llvm::divideCeil(bits, 8));
}

static std::optional<int64_t> bytesOf(TypeRange types) {
  int64_t sum = 0;
  for (Type type : types) {
    std::optional<int64_t> bytes = bytesOf(type);
    if (!bytes)
      return std::nullopt;
    sum += *bytes;
  }
  return sum;
}

static bool hasTensor(Operation *op) {
  return llvm::any_of(op->getResultTypes(),
                      [](Type type) { return isa<TensorType>(type); });
}

/// Returns true for operations that copy nothing.
static bool isView(Operation *op) {
  return isa<tensor::EmptyOp, tensor::ExtractSliceOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp, tensor::CastOp, tensor::ReshapeOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

/// Returns the bytes that an operation outside the tasks moves; nothing if
/// unknown.
static std::optional<int64_t> trafficOf(Operation *op) {
  if (auto linalg = dyn_cast<linalg::LinalgOp>(op)) {
    // The body does not use an output that is only written.
    int64_t sum = 0;
    for (OpOperand &operand : op->getOpOperands()) {
      if (!linalg.payloadUsesValueFromOperand(&operand))
        continue;
      std::optional<int64_t> bytes = bytesOf(operand.get().getType());
      if (!bytes)
        return std::nullopt;
      sum += *bytes;
    }
    // A gather reads one element per point, but at most the whole tensor.
    if (!linalg.hasDynamicShape())
      for (auto extract : linalg.getBlock()->getOps<tensor::ExtractOp>()) {
        std::optional<int64_t> all = bytesOf(extract.getTensor().getType()),
                               each = bytesOf(RankedTensorType::get(
                                   {}, extract.getType()));
        if (!all || !each)
          return std::nullopt;
        sum += std::min(*all, mulSizes(numPoints(linalg), *each));
      }
    std::optional<int64_t> written = bytesOf(op->getResultTypes());
    return written ? std::optional(sum + *written) : std::nullopt;
  }
  std::optional<int64_t> once;
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    once = bytesOf(insert.getSourceType());
  else if (isa<tensor::ConcatOp, tensor::PadOp, tensor::GatherOp,
               tensor::GenerateOp>(op) ||
           op->hasTrait<OpTrait::Elementwise>())
    once = bytesOf(op->getResultTypes());
  return once ? std::optional(2 * *once) : std::nullopt;
}

namespace {
class GraphBuilder {
public:
  explicit GraphBuilder(func::FuncOp network)
      : symbols(network->getParentOfType<ModuleOp>()) {}

  void add(Operation *op) {
    if (auto alternatives = dyn_cast<AlternativesOp>(op))
      return addForm(alternatives);
    llvm::SmallSetVector<unsigned, 4> after;
    auto needs = [&](Value value) {
      auto found = makers.find(value);
      if (found != makers.end())
        after.insert(found->second.begin(), found->second.end());
    };
    for (Value operand : op->getOperands())
      needs(operand);
    // Bodies of linalg ops may also read tensors defined outside.
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        needs(operand);
    });
    if (std::optional<NetworkNode> node = nodeOf(op)) {
      node->after.assign(after.begin(), after.end());
      after.clear();
      after.insert(unsigned(graph.nodes.size()));
      graph.nodes.push_back(std::move(*node));
    }
    for (Value result : op->getResults())
      makers[result].assign(after.begin(), after.end());
  }

  NetworkGraph graph;

private:
  /// Adds the ops of the form that is executed.
  void addForm(AlternativesOp op) {
    Block &form = op.getForms()[op.getChosenIndex()].front();
    for (Operation &inner : form)
      add(&inner);
    for (auto [result, value] :
         llvm::zip_equal(op.getResults(), form.back().getOperands()))
      makers[result] = makers.lookup(value);
  }

  /// Returns nothing for an operation that takes no time or an unknown time.
  std::optional<NetworkNode> nodeOf(Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (callee && callee->hasAttr(PrunerDialect::getTaskAttrName()))
        return NetworkNode{op, callee, {}, 0};
      graph.unknown.emplace_back(op, "it calls a function that is not a task");
      return std::nullopt;
    }
    if (isView(op) || op->hasTrait<OpTrait::IsTerminator>() ||
        (!hasTensor(op) && op->getNumRegions() == 0))
      return std::nullopt;
    if (std::optional<int64_t> bytes = trafficOf(op))
      return NetworkNode{op, {}, {}, *bytes};
    graph.unknown.emplace_back(op, bytesOf(op->getResultTypes())
                                       ? "its memory traffic is unknown"
                                       : "its shape is dynamic");
    return std::nullopt;
  }

  SymbolTable symbols;
  llvm::DenseMap<Value, SmallVector<unsigned, 2>> makers;
};
} // namespace

NetworkGraph pruner::networkGraph(func::FuncOp network) {
  GraphBuilder builder(network);
  for (Operation &op : network.getBody().front())
    builder.add(&op);
  return std::move(builder.graph);
}
