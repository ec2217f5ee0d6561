//===- Prefetch.cpp - prefetches of a statement ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ComputeLowering.h"

#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

#include <set>

using namespace mlir;
using namespace pruner;

static constexpr int64_t kLineBytes = 64;

/// Elements of `memref` in a cache line.
static int64_t lineElements(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return kLineBytes / ceilDiv(type.getElementTypeBitWidth(), 8);
}

/// Prefetches the elements that the places of the tile will read of arguments,
/// a distance further along a dimension; near its end, the last elements. One
/// place per cache line is enough. An epilogue's operands that are the same for
/// whole rows or columns are small.
void ComputeLowering::prefetch() {
  if (!op.getPrefetch())
    return;
  int64_t dim = (*op.getPrefetch())[0], distance = (*op.getPrefetch())[1];
  // Lines run along the vectors, or across them.
  int along = rowDim != kNoDim ? rowDim : laneDim;
  int64_t lines = along == laneDim ? 1 : lanes;
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    if (!isa<BlockArgument>(operand(n)) || !usesDim(maps[n], dim))
      continue;
    if (op.getRole() == Role::Finish && along >= 0 && !usesDim(maps[n], along))
      continue;
    const FlatBuffer &buffer = parent.flat(operand(n));
    std::set<SmallVector<int64_t>> fetched;
    for (const auto &offset : offsets)
      for (int64_t lane = 0; lane < lines; ++lane) {
        SmallVector<int64_t> line(loadKey(n, offset));
        if (lane > 0 && usesDim(maps[n], laneDim))
          line[laneDim + 1] += lane;
        if (along >= 0)
          line[along + 1] /= lineElements(buffer.memref);
        if (!fetched.insert(line).second)
          continue;
        SmallVector<IndexForm> at = place(offset, {}, lane, /*clamp=*/true,
                                          along == laneDim ? laneDim : kNoDim);
        IndexForm further = at[dim] + distance;
        Value last = indices.constant(kernel.getExtents()[dim] - 1);
        at[dim] = IndexForm::opaque(indices.min(indices.value(further), last));
        SmallVector<IndexForm> coords = applyMap(maps[n], at);
        SmallVector<int64_t> still(coords.size(), 0);
        IndexForm address =
            getAddress(indices, buffer, coords, still, 1).address;
        memref::PrefetchOp::create(builder, loc, buffer.memref,
                                   ValueRange{indices.value(address)},
                                   /*isWrite=*/false, /*localityHint=*/3,
                                   /*isDataCache=*/true);
      }
  }
}

/// An update reads an operand in full at each position of those innermost band
/// loops that do not move it. Each of these positions prefetches a share of the
/// operand's next part along the dimension into the second-level cache. The
/// operand is contiguous over the reduction loops that move it.
void ComputeLowering::startStreams() {
  streams.clear();
  if (!op.getPrefetch() || reducesLanes)
    return;
  int64_t dim = (*op.getPrefetch())[0], distance = (*op.getPrefetch())[1];
  for (unsigned n = 0; n < op.getInputs().size(); ++n) {
    if (!usesDim(maps[n], dim))
      continue;
    const FlatBuffer &buffer = parent.flat(operand(n));
    SmallVector<IndexForm> at(base);
    at[dim] = at[dim] + distance;
    SmallVector<IndexForm> coords = applyMap(maps[n], at);
    // The elements that inner loops have covered when an outer loop advances;
    // initially the elements of the operand in the tile.
    int64_t steps = 1, run = 1;
    for (unsigned d = 0; d < kernel.getNumDims(); ++d)
      if (!kernel.getReductions()[d] && usesDim(maps[n], d))
        run *= box[d];
    bool onePiece = true;
    for (unsigned l : llvm::reverse(serial)) {
      int64_t trips = op.getLoopExtents()[l];
      SmallVector<int64_t> moves(kernel.getNumDims(), 0);
      moves[op.getLoopDims()[l]] = op.getLoopSteps()[l];
      std::optional<int64_t> stride =
          getAddress(indices, buffer, coords, applyMoves(maps[n], moves), trips)
              .laneStride;
      steps *= trips;
      // Loops that do not move the operand only divide the shares.
      if (trips == 1 || stride == 0)
        continue;
      onePiece &= stride == run;
      run *= trips;
    }
    if (!onePiece || steps == 1)
      continue;
    IndexForm before;
    int64_t places = 1;
    for (Value offset : llvm::reverse(op.getAt())) {
      BandIv iv = getBandIv(offset);
      if (usesDim(maps[n], iv.band.getDims()[iv.loop]))
        break;
      int64_t trips = iv.band.getTrips()[iv.loop];
      before =
          before + IndexForm(IndexTerm{
                       parent.ivs.lookup(offset).index, places, trips, {}});
      places *= trips;
    }
    SmallVector<int64_t> still(coords.size(), 0);
    IndexForm next = getAddress(indices, buffer, coords, still, 1).address;
    int64_t share = ceilDiv(run, places * steps);
    Value done = indices.min(indices.value(before * (steps * share)),
                             indices.constant(run));
    streams.push_back(
        {&buffer, indices.value(next + IndexForm::opaque(done)), share});
  }
}

/// Prefetches the share of `count` steps of the innermost reduction loop from
/// `position` on. The loops around it are at `outer`.
void ComputeLowering::fetchStreams(ArrayRef<IndexForm> outer,
                                   const IndexForm &position, int64_t count) {
  for (const Stream &stream : streams) {
    IndexForm done;
    int64_t elements = stream.elementsPerStep;
    for (unsigned l : llvm::reverse(serial)) {
      const IndexForm &at =
          l == serial.back() ? position : outer[op.getLoopDims()[l]];
      done = done + at * elements;
      elements *= op.getLoopExtents()[l];
    }
    int64_t line = lineElements(stream.buffer->memref);
    for (int64_t from = 0; from < count * stream.elementsPerStep;
         from += line) {
      Value address =
          indices.value(done + from + IndexForm::opaque(stream.begin));
      memref::PrefetchOp::create(builder, loc, stream.buffer->memref,
                                 ValueRange{address}, /*isWrite=*/false,
                                 /*localityHint=*/2, /*isDataCache=*/true);
    }
  }
}
