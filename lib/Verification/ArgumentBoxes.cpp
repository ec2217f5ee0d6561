//===- ArgumentBoxes.cpp - elements that are reduced together -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ArgumentBoxes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace pruner;

ArgumentBoxes::ArgumentBoxes(ArrayRef<int64_t> shape, ArrayRef<int64_t> sizes)
    : shape(shape), sizes(sizes) {
  for (auto [extent, size] : zip(shape, this->sizes)) {
    size = std::clamp<int64_t>(size, 1, std::max<int64_t>(extent, 1));
    boxes *= divideCeil(extent, size);
    most *= size;
  }
}

void ArgumentBoxes::elements(int64_t box,
                             SmallVectorImpl<int64_t> &places) const {
  places.assign(1, 0);
  if (most == 1) { // Boxes are single elements.
    places[0] = box;
    return;
  }
  // Begin and end of the box along each dimension.
  SmallVector<std::pair<int64_t, int64_t>, 4> spans(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    int64_t along = divideCeil(shape[d], sizes[d]);
    int64_t begin = box % along * sizes[d];
    spans[d] = {begin, std::min(begin + sizes[d], shape[d])};
    box /= along;
  }
  for (auto [span, extent] : zip(spans, shape)) {
    SmallVector<int64_t> next;
    next.reserve(places.size() * (span.second - span.first));
    for (int64_t front : places)
      for (int64_t at = span.first; at < span.second; ++at)
        next.push_back(front * extent + at);
    places.assign(next.begin(), next.end());
  }
}

namespace {
/// Maps dimensions of values back to those of arguments through the ops of a
/// task.
class BoxFinder {
public:
  explicit BoxFinder(const TaskProgram &task) {
    for (const TensorSpec &spec : task.inputs()) {
      shapes.push_back(spec.shape);
      sizes.emplace_back(spec.shape.size(), 1);
    }
    auto function =
        task.module().lookupSymbol<mlir::func::FuncOp>(task.entry());
    for (mlir::BlockArgument argument : function.getArguments()) {
      Origin origin{argument.getArgNumber(), {}};
      for (size_t d = 0; d < shapes[origin.argument].size(); ++d)
        origin.dims.push_back({unsigned(d)});
      origins[argument].push_back(std::move(origin));
    }
    for (mlir::Operation &op : function.front().without_terminator())
      visit(&op);
  }

  std::vector<ArgumentBoxes> run() const {
    std::vector<ArgumentBoxes> boxes;
    for (auto [shape, size] : zip(shapes, sizes))
      boxes.emplace_back(shape, size);
    return boxes;
  }

private:
  /// For each dimension of a value, the dimensions of the argument along which
  /// it runs.
  struct Origin {
    unsigned argument;
    SmallVector<SmallVector<unsigned, 2>, 4> dims;
  };
  static constexpr size_t mostOrigins = 16;

  void reduce(const Origin &origin, unsigned dim, int64_t span) {
    for (unsigned d : origin.dims[dim]) {
      int64_t &size = sizes[origin.argument][d];
      size = std::max(size, std::min(span, shapes[origin.argument][d]));
    }
  }

  void add(mlir::Value value, Origin origin) {
    auto &known = origins[value];
    if (known.size() < mostOrigins)
      known.push_back(std::move(origin));
  }

  void visit(mlir::Operation *op) {
    if (auto linalgOp = dyn_cast<mlir::linalg::LinalgOp>(op))
      return visitLinalg(linalgOp);
    if (auto softmax = dyn_cast<mlir::linalg::SoftmaxOp>(op)) {
      for (const Origin &origin : origins.lookup(softmax.getInput()))
        reduce(origin, unsigned(softmax.getDimension()), INT64_MAX);
      return pass(softmax.getInput(), op->getResult(0));
    }
    if (auto collapse = dyn_cast<mlir::tensor::CollapseShapeOp>(op)) {
      for (Origin origin : origins.lookup(collapse.getSrc())) {
        Origin made{origin.argument, {}};
        for (const auto &group : collapse.getReassociationIndices()) {
          auto &dims = made.dims.emplace_back();
          for (int64_t d : group)
            dims.append(origin.dims[d]);
        }
        add(collapse, std::move(made));
      }
      return;
    }
    if (auto expand = dyn_cast<mlir::tensor::ExpandShapeOp>(op)) {
      for (Origin origin : origins.lookup(expand.getSrc())) {
        Origin made{origin.argument, {}};
        made.dims.resize(expand.getResultType().getRank());
        for (auto [d, group] : enumerate(expand.getReassociationIndices()))
          for (int64_t to : group)
            made.dims[to] = origin.dims[d];
        add(expand, std::move(made));
      }
      return;
    }
    // Ops that move elements keep the dimensions.
    for (mlir::Value operand : op->getOperands())
      for (mlir::Value result : op->getResults())
        pass(operand, result);
  }

  void pass(mlir::Value from, mlir::Value to) {
    auto type = dyn_cast<mlir::RankedTensorType>(to.getType());
    if (!type)
      return;
    SmallVector<Origin> found = origins.lookup(from);
    for (Origin &origin : found)
      if (origin.dims.size() == size_t(type.getRank()))
        add(to, std::move(origin));
  }

  void visitLinalg(mlir::linalg::LinalgOp op) {
    SmallVector<int64_t> extents = op.getStaticLoopRanges();
    auto kinds = op.getIteratorTypesArray();
    for (mlir::OpOperand *operand : op.getDpsInputOperands()) {
      mlir::AffineMap map = op.getMatchingIndexingMap(operand);
      SmallVector<Origin> found = origins.lookup(operand->get());
      if (found.empty() || map.getNumResults() != found.front().dims.size())
        continue;
      // The dimension of the operand that runs along each loop, if there is
      // one.
      SmallVector<int> along(extents.size(), -1);
      for (auto [dim, expr] : enumerate(map.getResults())) {
        int64_t window = 1;
        bool reduces = false, moves = false;
        for (auto [loop, extent] : enumerate(extents)) {
          if (!expr.isFunctionOfDim(unsigned(loop)))
            continue;
          if (kinds[loop] == mlir::utils::IteratorType::reduction) {
            reduces = true;
            window +=
                stepOf(expr, unsigned(loop), extents.size()) * (extent - 1);
          } else {
            moves = true;
            along[loop] = int(dim);
          }
        }
        if (reduces)
          for (const Origin &origin : found)
            reduce(origin, unsigned(dim), moves ? 2 * window : INT64_MAX);
      }
      for (auto [init, result] : zip(op.getDpsInitsMutable(), op->getResults()))
        for (const Origin &origin : found)
          add(result, through(op.getMatchingIndexingMap(&init), along, origin));
    }
  }

  /// How far an index moves for one step of a loop.
  static int64_t stepOf(mlir::AffineExpr expr, unsigned loop, size_t numLoops) {
    auto at = [&](int64_t value) -> int64_t {
      mlir::AffineExpr fixed =
          expr.replace(mlir::getAffineDimExpr(loop, expr.getContext()),
                       mlir::getAffineConstantExpr(value, expr.getContext()));
      // The other loops are at 0.
      mlir::AffineExpr zero = mlir::getAffineConstantExpr(0, expr.getContext());
      SmallVector<mlir::AffineExpr> zeros(numLoops, zero);
      auto constant =
          dyn_cast<mlir::AffineConstantExpr>(fixed.replaceDims(zeros));
      return constant ? constant.getValue() : 0;
    };
    return std::max<int64_t>(1, std::abs(at(1) - at(0)));
  }

  static Origin through(mlir::AffineMap out, ArrayRef<int> along,
                        const Origin &origin) {
    Origin made{origin.argument, {}};
    for (mlir::AffineExpr expr : out.getResults()) {
      auto &dims = made.dims.emplace_back();
      auto loop = dyn_cast<mlir::AffineDimExpr>(expr);
      if (loop && along[loop.getPosition()] >= 0)
        dims = origin.dims[along[loop.getPosition()]];
    }
    return made;
  }

  SmallVector<SmallVector<int64_t, 4>> shapes, sizes;
  DenseMap<mlir::Value, SmallVector<Origin>> origins;
};
} // namespace

std::vector<ArgumentBoxes> pruner::argumentBoxes(const TaskProgram &task) {
  return BoxFinder(task).run();
}
