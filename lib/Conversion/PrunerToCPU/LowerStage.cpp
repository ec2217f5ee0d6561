//===- LowerStage.cpp - packing loops -------------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CpuLowering.h"

#include "pruner/Dialect/Pruner/Utils/InlineBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pruner;

namespace pruner {

/// Lowers one `pruner.stage` to loops over the buffer's memory, outermost
/// dimension first, with the innermost one in vectors.
///
/// Positions outside of the tensor: the dialect says they hold zero, but on
/// CPUs nothing that is stored depends on them (a register tile's place reads
/// only its own rows and columns, and reduction loops end with the domain), so
/// whole rows there are skipped and the rest is filled with valid or zero
/// elements.
class StageLowering {
public:
  StageLowering(CpuLowering &parent, StageOp op)
      : parent(parent), builder(parent.builder), loc(op.getLoc()), op(op),
        target(parent.flat(op.getResult())),
        origin(applyMap(op.getMap(), parent.position(op.getAt()))) {}

  void lower() { lowerDim(0, SmallVector<IndexForm>(origin.size())); }

private:
  struct Term {
    unsigned coord;
    int64_t div;
  };

  /// Which coordinate physical dimension `p` moves, and by how much.
  Term term(unsigned p) {
    AffineExpr expr = op.getLayout().getResult(p);
    Term result{0, 1};
    auto peel = [&](AffineExprKind kind, bool divides) {
      auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
      if (!binary || binary.getKind() != kind)
        return;
      if (divides)
        result.div = cast<AffineConstantExpr>(binary.getRHS()).getValue();
      expr = binary.getLHS();
    };
    peel(AffineExprKind::Mod, false);
    peel(AffineExprKind::FloorDiv, true);
    result.coord = cast<AffineDimExpr>(expr).getPosition();
    return result;
  }

  /// Whether the box may reach beyond the tensor along coordinate `coord`.
  bool isCut(unsigned coord) {
    std::optional<int64_t> largest = origin[coord].maximum();
    return !largest || *largest + op.getBox()[coord] > op.getShape()[coord];
  }

  void lowerDim(unsigned p, SmallVector<IndexForm> local) {
    if (p + 1 >= target.shape.size())
      return lowerRow(p, local);
    Term t = term(p);
    Value bound = parent.index(target.shape[p]);
    if (isCut(t.coord)) {
      Value rest = arith::SubIOp::create(
          builder, loc, parent.index(op.getShape()[t.coord] + t.div - 1),
          origin[t.coord].materialize(builder, loc));
      Value inside =
          arith::DivSIOp::create(builder, loc, rest, parent.index(t.div));
      bound = arith::MinSIOp::create(builder, loc, inside, bound);
    }
    auto forOp = scf::ForOp::create(builder, loc, parent.index(0), bound,
                                    parent.index(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(forOp.getBody());
    IndexForm here(
        IndexTerm{forOp.getInductionVar(), t.div, target.shape[p], {}});
    local[t.coord] = local[t.coord] + here;
    lowerDim(p + 1, std::move(local));
  }

  /// One row of the buffer: contiguous memory along one coordinate.
  void lowerRow(unsigned p, SmallVector<IndexForm> local) {
    if (target.shape.empty())
      return move({}, local, 1, /*cut=*/false);
    rowCoord = term(p).coord;
    int64_t length = target.shape[p];
    if (!isCut(*rowCoord))
      return lowerPieces(length, local, /*cut=*/false);
    Value end = (origin[*rowCoord] + local[*rowCoord] + length)
                    .materialize(builder, loc);
    Value whole =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, end,
                              parent.index(op.getShape()[*rowCoord]));
    auto ifOp = scf::IfOp::create(builder, loc, whole, /*withElse=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(ifOp.thenBlock());
    lowerPieces(length, local, /*cut=*/false);
    builder.setInsertionPointToStart(ifOp.elseBlock());
    lowerPieces(length, local, /*cut=*/true);
  }

  /// Vectors as wide as the stage says, then narrower ones for the rest; a
  /// loop where that would be many.
  void lowerPieces(int64_t length, ArrayRef<IndexForm> local, bool cut) {
    int64_t lanes = std::max<int64_t>(op.getVector(), 1), done = 0;
    if (length / lanes > kMaxPieces) {
      int64_t trips = length / lanes;
      auto forOp = scf::ForOp::create(builder, loc, parent.index(0),
                                      parent.index(trips), parent.index(1));
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(forOp.getBody());
      IndexForm here(IndexTerm{forOp.getInductionVar(), lanes, trips, {}});
      move(here, local, lanes, cut);
      done = trips * lanes;
    }
    while (done < length) {
      while (lanes > length - done)
        lanes /= 2;
      move(IndexForm(done), local, lanes, cut);
      done += lanes;
    }
  }

  /// Coordinates of the tensor at `along` in the row, `lane` lanes further.
  SmallVector<IndexForm> coordinates(const IndexForm &along,
                                     ArrayRef<IndexForm> local, int64_t lane,
                                     bool clamp) {
    SmallVector<IndexForm> coords;
    for (unsigned r = 0; r < origin.size(); ++r) {
      IndexForm form = origin[r] + local[r];
      if (rowCoord == r) {
        form = form + along + lane;
        if (clamp)
          form = IndexForm::opaque(arith::MinSIOp::create(
              builder, loc, form.materialize(builder, loc),
              parent.index(op.getShape()[r] - 1)));
      }
      coords.push_back(std::move(form));
    }
    return coords;
  }

  /// Copies `lanes` elements of the row, from position `along`.
  void move(const IndexForm &along, ArrayRef<IndexForm> local, int64_t lanes,
            bool cut) {
    if (lanes > 1 && !vectorReads(along, local, lanes)) {
      for (int64_t lane = 0; lane < lanes; ++lane)
        move(along + lane, local, 1, cut);
      return;
    }
    SmallVector<Value> arguments;
    for (unsigned n = 0; n < op.getInputs().size(); ++n)
      arguments.push_back(read(n, along, local, lanes, cut));
    Value value = inlineBody(builder, op.getBody().front(), arguments,
                             /*contract=*/false);
    Value at = targetAddress(along, local).materialize(builder, loc);
    if (lanes == 1)
      memref::StoreOp::create(builder, loc, value, target.memref,
                              ValueRange{at});
    else
      vector::StoreOp::create(builder, loc,
                              broadcastTo(builder, loc, value, lanes),
                              target.memref, ValueRange{at});
  }

  IndexForm targetAddress(const IndexForm &along, ArrayRef<IndexForm> local) {
    SmallVector<IndexForm> coords(local);
    if (rowCoord)
      coords[*rowCoord] = coords[*rowCoord] + along;
    SmallVector<int64_t> still(coords.size(), 0);
    return getAddress(builder, loc, target, coords, still, 1).address;
  }

  AffineMap inputMap(unsigned n) {
    return cast<AffineMapAttr>(op.getMaps()[n]).getValue();
  }

  SmallVector<int64_t> moves(unsigned n) {
    SmallVector<int64_t> step(origin.size(), 0);
    if (rowCoord)
      step[*rowCoord] = 1;
    return applyMoves(inputMap(n), step);
  }

  /// Whether every input is one element or contiguous along the lanes.
  bool vectorReads(const IndexForm &along, ArrayRef<IndexForm> local,
                   int64_t lanes) {
    for (unsigned n = 0; n < op.getInputs().size(); ++n) {
      // A vector of i1 is packed bits in memory, an element here is a byte.
      if (cast<MemRefType>(op.getInputs()[n].getType())
              .getElementType()
              .isInteger(1))
        return false;
      SmallVector<IndexForm> coords =
          applyMap(inputMap(n), coordinates(along, local, 0, /*clamp=*/false));
      auto stride = getAddress(builder, loc, parent.flat(op.getInputs()[n]),
                               coords, moves(n), lanes)
                        .laneStride;
      if (!stride || (*stride != 0 && *stride != 1))
        return false;
    }
    return true;
  }

  Value read(unsigned n, const IndexForm &along, ArrayRef<IndexForm> local,
             int64_t lanes, bool cut) {
    const FlatBuffer &source = parent.flat(op.getInputs()[n]);
    bool single =
        lanes == 1 || llvm::all_of(moves(n), [](int64_t m) { return m == 0; });
    SmallVector<IndexForm> coords = applyMap(
        inputMap(n), coordinates(along, local, 0, /*clamp=*/cut && single));
    Value at = getAddress(builder, loc, source, coords, moves(n), lanes)
                   .address.materialize(builder, loc);
    if (single)
      return memref::LoadOp::create(builder, loc, source.memref,
                                    ValueRange{at});
    auto type = VectorType::get(
        {lanes}, cast<MemRefType>(source.memref.getType()).getElementType());
    if (!cut)
      return vector::LoadOp::create(builder, loc, type, source.memref,
                                    ValueRange{at});
    Value begin = (origin[*rowCoord] + local[*rowCoord] + along)
                      .materialize(builder, loc);
    Value count = arith::SubIOp::create(
        builder, loc, parent.index(op.getShape()[*rowCoord]), begin);
    Value mask = vector::CreateMaskOp::create(
        builder, loc, VectorType::get({lanes}, builder.getI1Type()),
        ValueRange{count});
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    return vector::MaskedLoadOp::create(builder, loc, type, source.memref,
                                        ValueRange{at}, mask, zero);
  }

  static constexpr int64_t kMaxPieces = 8;

  CpuLowering &parent;
  OpBuilder &builder;
  Location loc;
  StageOp op;
  const FlatBuffer &target;
  /// Where the box begins, per coordinate of the staged tensor.
  SmallVector<IndexForm> origin;
  /// The coordinate along a row of the buffer; none for a single element.
  std::optional<unsigned> rowCoord;
};

} // namespace pruner

void CpuLowering::lowerStage(StageOp stage) {
  StageLowering(*this, stage).lower();
}
