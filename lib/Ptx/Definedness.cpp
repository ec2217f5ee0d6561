//===- Definedness.cpp - bytes that were written --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An undefined byte may be loaded, moved, and used in sums that nothing needs.
// It is a violation only where it matters: in an address, a guard, a barrier,
// or in global memory.
//
//===----------------------------------------------------------------------===//

#include "Execution.h"

using namespace pruner::ptx;

uint8_t Warp::definedBytes(Slot slot, unsigned lane) const {
  if (defined[slot.index] >> lane & 1)
    return 0xff;
  uint8_t bytes = 0;
  for (unsigned n = 0; n != 8; ++n)
    bytes |= (partial[slot.index][n] >> lane & 1) << n;
  return bytes;
}

void Warp::defineBytes(Slot slot, unsigned lane, uint8_t bytes) {
  uint32_t bit = uint32_t(1) << lane;
  uint8_t all = slot.bytes >= 8 ? 0xff : (1u << slot.bytes) - 1;
  if ((bytes & all) == all)
    return define(slot, bit, bit);
  define(slot, bit, 0);
  for (unsigned n = 0; n != slot.bytes; ++n)
    if (bytes >> n & 1)
      partial[slot.index][n] |= bit;
}

static uint64_t valueOf(Warp &warp, Slot slot, unsigned lane) {
  switch (slot.bytes) {
  case 2:
    return warp.lanes<uint16_t>(slot)[lane];
  case 4:
    return warp.lanes<uint32_t>(slot)[lane];
  default:
    return warp.lanes<uint64_t>(slot)[lane];
  }
}

/// Bytes of a value that is shifted by `by` bits. `fill` states whether the
/// bits that come in are defined.
static uint8_t shiftBytes(uint8_t bytes, unsigned width, uint64_t by,
                          bool isLeft, bool fill) {
  uint8_t result = 0;
  for (unsigned n = 0; n != width; ++n) {
    bool isDefined = true;
    for (int64_t bit : {int64_t(8 * n), int64_t(8 * n + 7)}) {
      int64_t from = isLeft ? bit - int64_t(by) : bit + int64_t(by);
      isDefined &= from < 0 || from >= int64_t(8 * width)
                       ? fill
                       : bytes >> (from / 8) & 1;
    }
    result |= isDefined << n;
  }
  return result;
}

void Warp::propagateBytes(const Op &op, uint32_t active) {
  forLanes(active, [&](unsigned lane) {
    Slot first = source(op, 0), to = result(op);
    uint8_t a = definedBytes(first, lane);
    // Sources with one value each.
    Slot second = op.numSources > 1 ? source(op, 1) : first;
    uint8_t b = definedBytes(second, lane);
    switch (op.byteFlow) {
    case ByteFlow::All:
      break;
    case ByteFlow::Copy:
      return defineBytes(to, lane, a);
    case ByteFlow::Unpack:
      for (unsigned n = 0; n != op.numResults; ++n)
        defineBytes(result(op, n), lane,
                    a >> n * (first.bytes / op.numResults));
      return;
    case ByteFlow::Pack: {
      uint8_t bytes = 0;
      unsigned width = to.bytes / op.numSources;
      for (unsigned n = 0; n != op.numSources; ++n)
        bytes |= (definedBytes(source(op, n), lane) & ((1u << width) - 1))
                 << n * width;
      return defineBytes(to, lane, bytes);
    }
    case ByteFlow::Extend: {
      unsigned used = op.extendedBytes;
      bool top = !op.isSigned || (a >> (used - 1) & 1);
      uint8_t kept = a & ((1u << used) - 1);
      return defineBytes(to, lane, top ? kept | uint8_t(~0u << used) : kept);
    }
    case ByteFlow::ShiftLeft:
    case ByteFlow::ShiftRight: {
      bool isLeft = op.byteFlow == ByteFlow::ShiftLeft;
      bool top = !op.isSigned || (a >> (first.bytes - 1) & 1);
      uint8_t bytes = shiftBytes(a, first.bytes, valueOf(*this, second, lane),
                                 isLeft, isLeft || top);
      return defineBytes(to, lane, b == 0xff ? bytes : 0);
    }
    case ByteFlow::And:
    case ByteFlow::Or:
    case ByteFlow::Xor: {
      // A known 0 decides an `and`, a known 255 an `or`.
      uint8_t decides = op.byteFlow == ByteFlow::And ? 0 : 255;
      uint8_t bytes = a & b;
      for (unsigned n = 0; n != to.bytes && op.byteFlow != ByteFlow::Xor; ++n)
        if (((a >> n & 1) &&
             uint8_t(valueOf(*this, first, lane) >> 8 * n) == decides) ||
            ((b >> n & 1) &&
             uint8_t(valueOf(*this, second, lane) >> 8 * n) == decides))
          bytes |= 1u << n;
      return defineBytes(to, lane, bytes);
    }
    case ByteFlow::Permute: {
      Slot selector = source(op, 2);
      uint8_t bytes = 0;
      uint64_t select = valueOf(*this, selector, lane);
      unsigned both = (a & 15) | (b & 15) << 4;
      for (unsigned n = 0; n != 4; ++n)
        bytes |= (both >> (select >> 4 * n & 7) & 1) << n;
      return defineBytes(to, lane,
                         definedBytes(selector, lane) == 0xff ? bytes : 0);
    }
    case ByteFlow::Carry: {
      uint8_t bytes = 0xff;
      for (unsigned n = 0; n != op.numSources; ++n)
        bytes &= definedBytes(source(op, n), lane);
      // Up to the lowest undefined byte.
      return defineBytes(to, lane, bytes & ~(bytes + 1));
    }
    case ByteFlow::Halves: {
      uint8_t bytes = 0xff;
      for (unsigned n = 0; n != op.numSources; ++n)
        bytes &= definedBytes(source(op, n), lane);
      uint8_t low = to.bytes == 8 ? 0xf : 3, high = low << to.bytes / 2;
      return defineBytes(to, lane,
                         ((bytes & low) == low ? low : 0) |
                             ((bytes & high) == high ? high : 0));
    }
    }
  });
}
