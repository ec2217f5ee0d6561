//===- MatrixLoads.cpp - ldmatrix -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads 1, 2 or 4 matrices of 8 rows of 16 bytes. Lane 8 m + r gives the
// address of row r of matrix m, which is a multiple of 16. Lane l receives the
// 4 bytes of row l / 4 that begin at byte 4 * (l % 4), or with `.trans` the
// elements of 2 bytes at rows 2 * (l % 4) and 2 * (l % 4) + 1 of column l / 4.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include <cstring>

using namespace pruner::ptx;

static constexpr unsigned kRowBytes = 16, kRows = 8;

/// Op::immediate2: whether the matrices are transposed.
static void loadMatrices(Warp &warp, const Op &op, uint32_t active) {
  Slot slot = warp.source(op, 0);
  unsigned lanes = op.numResults * kRows;
  uint32_t used = lanes == kWarpSize ? ~0u : (1u << lanes) - 1;
  // sm_75 also looks at the addresses of lanes that have no row.
  uint32_t checked = warp.block.code.chip <= 75 ? active : used;
  if (!warp.requireDefined(op, slot, checked, "an address"))
    return;
  uint64_t addresses[kWarpSize];
  warp.addresses(slot, op.immediate, op.isShortAddress, addresses);
  MemoryCounts &counts = warp.block.launch.counts[warp.opNumber(op)].memory;
  ++counts.requests;
  counts.bytes += uint64_t(lanes) * kRowBytes;
  counts.wavefronts += countWavefronts(addresses, used, kRowBytes);
  counts.idealWavefronts += countIdealWavefronts(used, kRowBytes);

  uint8_t data[kWarpSize][kRowBytes], defined[kWarpSize][kRowBytes];
  for (uint32_t left = checked; left; left &= left - 1) {
    unsigned lane = __builtin_ctz(left);
    // All lanes may receive bytes of a row. Two of them stand for the warp:
    // what one thread wrote is a race for at least one of both.
    for (unsigned reader : {lane, lane ^ 1}) {
      Region *region;
      const uint8_t *row =
          warp.access(op, reader, Space::Shared, addresses[lane], kRowBytes,
                      AccessKind::Load, region);
      if (!row)
        return;
      std::memcpy(data[lane], row, kRowBytes);
      std::memset(defined[lane], 1, kRowBytes);
      if (region->defined)
        std::memcpy(defined[lane], region->defined + (row - region->data),
                    kRowBytes);
    }
  }
  for (unsigned n = 0; n != op.numResults; ++n) {
    uint32_t *result = warp.lanes<uint32_t>(warp.result(op, n));
    for (unsigned lane = 0; lane != kWarpSize; ++lane) {
      uint32_t value = 0;
      uint8_t bytes = 0;
      for (unsigned half = 0; half != 2; ++half) {
        unsigned row = lane / 4, column = lane % 4 * 2 + half;
        if (op.immediate2)
          std::swap(row, column);
        for (unsigned byte = 0; byte != 2; ++byte) {
          unsigned from = column * 2 + byte, to = half * 2 + byte;
          value |= uint32_t(data[n * kRows + row][from]) << to * 8;
          bytes |= defined[n * kRows + row][from] << to;
        }
      }
      result[lane] = value;
      warp.defineBytes(warp.result(op, n), lane, bytes);
    }
  }
}

static void decodeLdmatrix(Decoder &d) {
  d.op.pipe = Pipe::Lsu;
  d.op.execute = loadMatrices;
  d.op.tracksDefined = true;
  beginWarpInstruction(d);
  if (!d.take("m8n8"))
    return d.fail("shape '." + d.nextModifier() + "' is not supported");
  unsigned count = d.take("x1") ? 1 : d.take("x2") ? 2 : d.take("x4") ? 4 : 0;
  if (!count)
    return d.fail("expected '.x1', '.x2' or '.x4'");
  d.op.immediate2 = d.take("trans");
  if (d.takeOne({"shared", "shared::cta"}).empty())
    return d.fail("expected '.shared'");
  if (!d.take("b16"))
    return d.fail("expected '.b16'");
  if (!d.requireChip(75))
    return;
  d.op.space = Space::Shared;
  d.op.elementBytes = kRowBytes;
  d.results(kB32, count);
  d.op.immediate = d.address();
}

llvm::ArrayRef<InstructionClass> pruner::ptx::matrixLoadInstructions() {
  static const InstructionClass list[] = {{"ldmatrix", decodeLdmatrix}};
  return list;
}
