//===- Nest.cpp - how a warp runs through a loop nest ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GpuModel.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>

using namespace pruner;
using namespace pruner::detail;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Loops of up to kCompilerUnroll iterations are unrolled by compilers. No
/// generator unrolls more than kMaxUnroll iterations, even if the schedule has
/// a larger factor.
static constexpr double kCompilerUnroll = 256, kMaxUnroll = 4096;
/// The largest warp that is analyzed as a whole.
static constexpr size_t kMaxLanes = 64;

double detail::multiplyAddLanes(const Machine &machine) {
  return machine.peakFlops / (2e6 * double(machine.units) * machine.clockMHz);
}

namespace {
/// Counts distinct numbers per slot.
class Distinct {
public:
  Distinct() { last.fill(-1); }
  /// Returns the new count of the slot, or 0 if `number` was already present.
  unsigned insert(int64_t number, size_t slot) {
    unsigned held = 1;
    for (int8_t n = last[slot]; n >= 0; n = before[n], ++held)
      if (numbers[n] == number)
        return 0;
    numbers[count] = number;
    before[count] = last[slot];
    last[slot] = int8_t(count++);
    return held;
  }

private:
  std::array<int64_t, kMaxLanes> numbers;
  std::array<int8_t, kMaxLanes> before, last;
  size_t count = 0;
};
} // namespace

/// Whether every lane n has the address of lane n ^ `bit`.
static bool isRepeated(ArrayRef<int64_t> address, size_t bit) {
  for (size_t n = 0; n + bit < address.size(); ++n)
    if ((n & bit) == 0 && address[n] != address[n + bit])
      return false;
  return true;
}

double detail::bankPasses(ArrayRef<int64_t> address, double bytes,
                          double bytesPerCycle, bool merges) {
  size_t banks = llvm::bit_floor(
      size_t(std::clamp(bytesPerCycle, 128.0, 4.0 * kMaxLanes) / 4));
  size_t words = std::clamp<size_t>(size_t(bytes / 4), 1, banks);
  size_t slots = banks / words;
  double passes = 0;
  unsigned shift = llvm::Log2_64(4 * words);
  while (!address.empty()) {
    Distinct units;
    unsigned most = 0;
    ArrayRef<int64_t> lanes = address.take_front(2 * slots);
    if (!merges || words == 1 ||
        !(isRepeated(lanes, 1) || isRepeated(lanes, 2)))
      lanes = lanes.take_front(slots);
    address = address.drop_front(lanes.size());
    for (int64_t a : lanes) {
      int64_t unit = a >> shift;
      most = std::max(most, units.insert(unit, size_t(unit) & (slots - 1)));
    }
    passes += most;
  }
  // If shared memory delivers less than 128 bytes per cycle, a pass takes
  // longer.
  return passes * std::max(1.0, 128 / bytesPerCycle);
}

double detail::pieces(ArrayRef<int64_t> address, int64_t piece) {
  Distinct units;
  double count = 0;
  unsigned shift = llvm::Log2_64(piece);
  for (int64_t a : address) {
    int64_t unit = a >> shift;
    count += units.insert(unit, uint32_t(unit) % kMaxLanes) > 0;
  }
  return count;
}

Nest::Nest(const ProgramSummary &program, const StatementSummary &statement,
           unsigned steps)
    : program(program), statement(statement) {
  double copies = double(statement.trips([](const LoopSummary &loop) {
    return loop.level == LoopLevel::Unroll ||
           loop.level == LoopLevel::VThread || loop.level == LoopLevel::Vector;
  }));
  double iterations = 1;
  unsigned serial = llvm::count_if(statement.loops, isSerial);
  bool isUnrolled = true;
  roles.resize(statement.loops.size());
  for (unsigned l = statement.loops.size(); l-- > 0;) {
    const LoopSummary &loop = statement.loops[l];
    switch (loop.level) {
    case LoopLevel::Block:
      roles[l] = Role::Block;
      continue;
    case LoopLevel::Thread:
      roles[l] = Role::Thread;
      continue;
    case LoopLevel::VThread:
      roles[l] = Role::Copy;
      continue;
    case LoopLevel::Serial:
      break;
    default:
      roles[l] = Role::Unrolled;
      continue;
    }
    bool copied = statement.kind == StatementKind::Stage &&
                  l + statement.ownLoops >= statement.loops.size();
    bool step = serial-- <= steps && !copied;
    copies *= double(loop.extent);
    iterations *= double(loop.extent);
    isUnrolled &=
        !step &&
        (copies <= kCompilerUnroll ||
         (copies <= kMaxUnroll && iterations <= double(program.unrollMaxStep)));
    roles[l] = step ? Role::Step : isUnrolled ? Role::Unrolled : Role::Loop;
  }
}

const StatementSummary *Nest::copyOf(const AccessSummary &access) const {
  for (const StatementSummary &other : program.statements)
    if (other.kind == StatementKind::Stage &&
        other.written().buffer == access.buffer)
      return &other;
  return nullptr;
}

const StatementSummary *Nest::updateOf(const AccessSummary &written) const {
  for (const StatementSummary &other : program.statements)
    if (other.kind == StatementKind::Update && other.touches(written.buffer))
      return &other;
  return nullptr;
}

Addresses Nest::addresses(const AccessSummary &access, const Loops &digits,
                          int64_t lanes, int64_t step) const {
  struct Digit {
    int64_t stride, extent, at = 0;
  };
  SmallVector<Digit, 6> counter;
  for (unsigned l : digits)
    counter.push_back({access.strides[l], statement.loops[l].extent});
  if (!counter.empty() && counter.front().extent % step == 0) {
    counter.front().stride *= step;
    counter.front().extent /= step;
    step = 1;
  }
  int64_t size = bufferOf(access).elementBytes, address = 0;
  auto increment = [&] {
    for (Digit &digit : counter) {
      address += digit.stride;
      if (++digit.at < digit.extent)
        return;
      address -= digit.extent * digit.stride;
      digit.at = 0;
    }
  };
  Addresses result(size_t(std::min<int64_t>(lanes, kMaxLanes)));
  for (int64_t &lane : result) {
    lane = address * size;
    for (int64_t n = 0; n < step; ++n)
      increment();
  }
  return result;
}

Addresses Nest::laneAddresses(const AccessSummary &access,
                              const Machine &machine) const {
  Loops digits;
  for (unsigned l = roles.size(); l-- > 0;)
    if (roles[l] == Role::Thread)
      digits.push_back(l);
  return addresses(access, digits,
                   std::min(program.kernelOf(statement).block, machine.lanes));
}

double Nest::termsOfLoad(const AccessSummary &access, int64_t width) const {
  Loops unrolled = moving(access, Role::Unrolled);
  double terms = 1;
  for (int64_t stride = 1; stride < width;) {
    auto *next = llvm::find_if(unrolled, [&](unsigned l) {
      return std::abs(access.strides[l]) == stride;
    });
    if (next == unrolled.end())
      break;
    const LoopSummary &loop = statement.loops[*next];
    if (loop.reduction)
      terms *= double(std::min(loop.extent, width / stride));
    stride *= loop.extent;
  }
  return terms;
}

bool Nest::rereads(const AccessSummary &access, const Nest &other,
                   const AccessSummary &others) const {
  if (access.buffer != others.buffer || access.kind != AccessKind::Read ||
      others.kind != AccessKind::Read ||
      bufferOf(access).level != MemoryLevel::Global)
    return false;
  Loops mine = moving(access, Role::Block, Role::Thread, Role::Copy,
                      Role::Unrolled),
        theirs = other.moving(others, Role::Block, Role::Thread, Role::Copy,
                              Role::Unrolled);
  return moving(access, Role::Step, Role::Loop).empty() &&
         other.moving(others, Role::Step, Role::Loop).empty() &&
         llvm::equal(mine, theirs, [&](unsigned l, unsigned m) {
           return roles[l] == other.roles[m] &&
                  statement.loops[l].extent ==
                      other.statement.loops[m].extent &&
                  access.strides[l] == others.strides[m];
         });
}

int64_t Nest::contiguousRun(const AccessSummary &access, Loops &loops) const {
  int64_t run = 1;
  for (size_t before = 0; before != loops.size();) {
    before = loops.size();
    llvm::erase_if(loops, [&](unsigned l) {
      int64_t stride = std::abs(access.strides[l]);
      bool grows = stride <= run;
      if (grows)
        run += stride * (statement.loops[l].extent - 1);
      return grows;
    });
  }
  return run;
}

int64_t Nest::widest(int64_t run, const AccessSummary &access,
                     const Machine &machine) const {
  int64_t powerOfTwo = run & -run;
  return std::clamp<int64_t>(
      machine.vectorElements(bufferOf(access).elementBytes), 1, powerOfTwo);
}

int64_t Nest::loadWidth(const AccessSummary &access,
                        const Machine &machine) const {
  Loops rest = moving(access, Role::Unrolled);
  // A power of two divides all of these numbers if it divides their bitwise
  // union.
  int64_t multiples = contiguousRun(access, rest);
  for (unsigned l : rest)
    multiples |= access.strides[l];
  bool inPlace = bufferOf(access).level == MemoryLevel::Global;
  for (auto [l, role] : llvm::enumerate(roles)) {
    // Other loops change the content of a buffer in shared memory.
    bool moves = role == Role::Step || role == Role::Block
                     ? inPlace
                     : role != Role::Unrolled;
    if (moves && statement.loops[l].extent > 1)
      multiples |= access.strides[l];
  }
  return widest(multiples, access, machine);
}
