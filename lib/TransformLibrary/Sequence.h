//===- Sequence.h - emit the sequence of a site -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_TRANSFORMLIBRARY_SEQUENCE_H
#define PRUNER_LIB_TRANSFORMLIBRARY_SEQUENCE_H

#include "NestPlan.h"
#include "Steps.h"

namespace pruner {

/// Emits the sequence of one site. The root is split into parts, each part gets
/// a nest of loops (Sequences.cpp), and its innermost tile becomes vectors
/// (InnerTiles.cpp).
class Sequence {
public:
  Sequence(Steps &steps, const Site &site, const NestPlan &plan)
      : steps(steps), site(site), plan(plan),
        links(plan.inner == NestPlan::Inner::Loops ? 0 : site.chain.size()) {}

  void write(mlir::Value anchor);

private:
  /// The handles of one nest.
  struct Part {
    mlir::Value anchor;
    llvm::SmallVector<mlir::Value> links;
    llvm::SmallVector<mlir::Value> spreads; ///< Of all links, in order.
    llvm::SmallVector<mlir::Value> packed;  ///< As in NestPlan.
    llvm::SmallVector<LoopTiles> tiles;
    /// The outermost loop.
    mlir::Value outer;
    bool named = true; ///< The knobs are those of the unsplit root.
    bool split = false;

    mlir::Value &root() { return links.empty() ? anchor : links.back(); }
  };

  /// A part of the root before it has loops.
  struct Cut {
    mlir::Value root;
    llvm::SmallVector<int64_t> extents; ///< Of the anchor's loops.
    unsigned splits = 0;
    bool rest = false;
  };
  void splitFrom(unsigned coordinate, Cut cut,
                 llvm::SmallVectorImpl<Cut> &cuts);
  Part collect(mlir::Value root, unsigned splits);
  void keepLoop(Part &part);
  void writeNest(Part part);
  void level(Part &part, llvm::StringRef name, bool cores,
             int64_t LoopTiles::*outer, int64_t LoopTiles::*size,
             int64_t LoopTiles::*within);
  void fuseInto(Part &part, mlir::Value &loop, bool cores);
  void contract(Part &part);
  void elementwise(Part &part);
  void loops(Part &part);
  void transpose(mlir::Value copy, unsigned input,
                 llvm::ArrayRef<LoopTiles> tiles, bool wholly);
  void finish(Part &part, mlir::Value step);

  /// Unit steps along the reductions that `which` selects.
  llvm::SmallVector<mlir::Value>
  stepThrough(Part &part, llvm::function_ref<bool(unsigned)> which);
  bool isReduction(unsigned loop) const {
    mlir::linalg::LinalgOp op = site.anchor;
    return op.getIteratorTypesArray()[loop] ==
           mlir::utils::IteratorType::reduction;
  }
  mlir::OpFoldResult index(int64_t value) const {
    return steps.builder.getI64IntegerAttr(value);
  }

  Steps &steps;
  const Site &site;
  const NestPlan &plan;
  /// The links that are fused. A tile that LLVM compiles accumulates in memory;
  /// its result must be one tensor that is not copied tile by tile.
  const unsigned links;
  /// The anchor of a site without a split and without a chain; the root is its
  /// handle.
  Part whole;
};

} // namespace pruner

#endif // PRUNER_LIB_TRANSFORMLIBRARY_SEQUENCE_H
