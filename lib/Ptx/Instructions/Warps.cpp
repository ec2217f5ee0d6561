//===- Warps.cpp - shfl, vote, redux --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last source is the mask of the lanes that take part (Flow::Converge).
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

using namespace pruner::ptx;

namespace {
enum class Shuffle : uint64_t { Up, Down, Butterfly, Index };
} // namespace

/// PTX ISA, shfl.sync: bits 0 to 4 of c limit the source lane, bits 8 to 12
/// split the warp into segments.
static void shuffle(Warp &warp, const Op &op, uint32_t active) {
  Slot value = warp.source(op, 0), by = warp.source(op, 1),
       control = warp.source(op, 2);
  if (!warp.requireDefined(op, by, active, "a shuffle") ||
      !warp.requireDefined(op, control, active, "a shuffle"))
    return;
  uint32_t values[kWarpSize];
  std::copy_n(warp.lanes<uint32_t>(value), kWarpSize, values);
  uint8_t known[kWarpSize], resultKnown[kWarpSize];
  for (unsigned lane = 0; lane != kWarpSize; ++lane)
    known[lane] = warp.definedBytes(value, lane);
  uint32_t inRange = 0;
  uint32_t *result = warp.lanes<uint32_t>(warp.result(op));
  for (uint32_t left = active; left; left &= left - 1) {
    unsigned lane = __builtin_ctz(left);
    uint32_t b = warp.lanes<uint32_t>(by)[lane] & 31;
    uint32_t c = warp.lanes<uint32_t>(control)[lane];
    uint32_t clamp = c & 31, segment = c >> 8 & 31;
    int largest = int((lane & segment) | (clamp & ~segment & 31));
    int smallest = int(lane & segment);
    int from = int(lane);
    bool valid = true;
    switch (Shuffle(op.immediate)) {
    case Shuffle::Up:
      from = int(lane) - int(b);
      valid = from >= largest;
      break;
    case Shuffle::Down:
      from = int(lane + b);
      valid = from <= largest;
      break;
    case Shuffle::Butterfly:
      from = int(lane ^ b);
      valid = from <= largest;
      break;
    case Shuffle::Index:
      from = smallest | int(b & ~segment & 31);
      valid = from <= largest;
      break;
    }
    if (!valid)
      from = int(lane);
    if (!(active >> from & 1))
      return warp.fault(op, lane, Violation::Lanes,
                        "reads lane " + llvm::Twine(from) +
                            ", which does not take part");
    result[lane] = values[from];
    resultKnown[lane] = known[from];
    inRange |= uint32_t(valid) << lane;
  }
  forLanes(active, [&](unsigned lane) {
    warp.defineBytes(warp.result(op), lane, resultKnown[lane]);
  });
  if (op.numResults > 1) {
    uint32_t &mask = warp.mask(warp.result(op, 1));
    mask = (mask & ~active) | inRange;
    warp.define(warp.result(op, 1), active, ~0u);
  }
}

static void beginConverging(Decoder &d) {
  d.op.pipe = Pipe::Lsu;
  d.op.flow = Flow::Converge;
  if (!d.take("sync"))
    d.fail("expected '.sync'");
}

static void decodeShfl(Decoder &d) {
  beginConverging(d);
  llvm::StringRef mode = d.takeOne({"up", "down", "bfly", "idx"});
  Type type = d.type();
  if (mode.empty() || type.bits != 32)
    return d.unsupportedType(type);
  d.op.immediate = uint64_t(mode == "up"     ? Shuffle::Up
                            : mode == "down" ? Shuffle::Down
                            : mode == "bfly" ? Shuffle::Butterfly
                                             : Shuffle::Index);
  d.op.execute = shuffle;
  d.op.tracksDefined = true;
  d.resultPair(type, kPred);
  for (unsigned n = 0; n != 4; ++n)
    d.source(kB32);
}

namespace {
enum class Vote : uint64_t { All, Any, Uniform, Ballot };
} // namespace

static void vote(Warp &warp, const Op &op, uint32_t active) {
  Slot predicate = warp.source(op, 0);
  if (!warp.requireDefined(op, predicate, active, "a vote"))
    return;
  uint32_t votes = warp.mask(predicate);
  votes = (op.isNegated ? ~votes : votes) & active;
  warp.define(warp.result(op), active, ~0u);
  if (Vote(op.immediate) == Vote::Ballot) {
    uint32_t *result = warp.lanes<uint32_t>(warp.result(op));
    forLanes(active, [&](unsigned lane) { result[lane] = votes; });
    return;
  }
  bool outcome = Vote(op.immediate) == Vote::All ? votes == active
                 : Vote(op.immediate) == Vote::Any
                     ? votes != 0
                     : votes == 0 || votes == active;
  uint32_t &mask = warp.mask(warp.result(op));
  mask = outcome ? mask | active : mask & ~active;
}

static void decodeVote(Decoder &d) {
  beginConverging(d);
  llvm::StringRef mode = d.takeOne({"all", "any", "uni", "ballot"});
  Type type = d.type();
  bool isBallot = mode == "ballot";
  if (mode.empty() || type.bits != (isBallot ? 32u : 1u))
    return d.unsupportedType(type);
  d.op.immediate = uint64_t(mode == "all"   ? Vote::All
                            : mode == "any" ? Vote::Any
                            : mode == "uni" ? Vote::Uniform
                                            : Vote::Ballot);
  d.op.execute = vote;
  d.op.tracksDefined = true;
  d.result(type);
  d.op.isNegated = d.takeNegation();
  d.source(kPred);
  d.source(kB32);
}

static void readActive(Warp &warp, const Op &op, uint32_t active) {
  uint32_t *result = warp.lanes<uint32_t>(warp.result(op));
  forLanes(active, [&](unsigned lane) { result[lane] = active; });
}

static void decodeActiveMask(Decoder &d) {
  Type type = d.type();
  if (type.bits != 32)
    return d.unsupportedType(type);
  d.op.execute = readActive;
  d.result(type);
}

namespace {
enum class Reduction : uint64_t { Add, Min, Max, And, Or, Xor };
} // namespace

template <class T>
static void reduce(Warp &warp, const Op &op, uint32_t active) {
  using A = typename Aliased<T>::type;
  const A *values = warp.lanes<A>(warp.source(op, 0));
  T total = values[__builtin_ctz(active)];
  forLanes(active & (active - 1), [&](unsigned lane) {
    T value = values[lane];
    switch (Reduction(op.immediate)) {
    case Reduction::Add:
      total = T(uint32_t(total) + uint32_t(value));
      break;
    case Reduction::Min:
      total = std::min(total, value);
      break;
    case Reduction::Max:
      total = std::max(total, value);
      break;
    case Reduction::And:
      total &= value;
      break;
    case Reduction::Or:
      total |= value;
      break;
    case Reduction::Xor:
      total ^= value;
      break;
    }
  });
  bool isKnown = (active & ~warp.definedLanes(warp.source(op, 0))) == 0;
  A *result = warp.lanes<A>(warp.result(op));
  forLanes(active, [&](unsigned lane) { result[lane] = total; });
  warp.define(warp.result(op), active, isKnown ? ~0u : 0);
}

static void decodeRedux(Decoder &d) {
  beginConverging(d);
  static constexpr llvm::StringLiteral names[] = {"add", "min", "max",
                                                  "and", "or",  "xor"};
  unsigned kind = 0;
  while (kind != std::size(names) && !d.take(names[kind]))
    ++kind;
  Type type = d.type();
  if (kind == std::size(names) || type.bits != 32 || !type.isInteger())
    return d.unsupportedType(type);
  d.op.immediate = kind;
  d.op.execute = type.isSigned() ? reduce<int32_t> : reduce<uint32_t>;
  d.op.tracksDefined = true;
  d.result(type);
  d.source(type);
  d.source(kB32);
}

llvm::ArrayRef<InstructionClass> pruner::ptx::warpInstructions() {
  static const InstructionClass list[] = {
      {"shfl", decodeShfl},
      {"vote", decodeVote},
      {"activemask", decodeActiveMask},
      {"redux", decodeRedux},
  };
  return list;
}
