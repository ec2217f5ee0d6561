//===- Execution.cpp - warps, blocks and launches -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace llvm;
using namespace pruner::ptx;

Slot Warp::result(const Op &op, unsigned n) const {
  return block.code.slots[op.firstSlot + n];
}

Slot Warp::source(const Op &op, unsigned n) const {
  return block.code.slots[op.firstSlot + op.numResults + n];
}

uint32_t Warp::opNumber(const Op &op) const {
  return &op - block.code.ops.data();
}

static uint32_t specialValue(const Warp &warp, SpecialRegister name,
                             unsigned lane) {
  using S = SpecialRegister;
  const LaunchOptions &options = warp.block.launch.options;
  unsigned thread = warp.thread(lane);
  const auto &block = options.block;
  uint32_t bit = uint32_t(1) << lane;
  switch (name) {
  case S::ThreadX:
    return thread % block[0];
  case S::ThreadY:
    return thread / block[0] % block[1];
  case S::ThreadZ:
    return thread / block[0] / block[1];
  case S::BlockDimX:
  case S::BlockDimY:
  case S::BlockDimZ:
    return block[unsigned(name) - unsigned(S::BlockDimX)];
  case S::BlockX:
  case S::BlockY:
  case S::BlockZ:
    return warp.block.position[unsigned(name) - unsigned(S::BlockX)];
  case S::GridDimX:
  case S::GridDimY:
  case S::GridDimZ:
    return options.grid[unsigned(name) - unsigned(S::GridDimX)];
  case S::Lane:
    return lane;
  case S::WarpId:
    return warp.index;
  case S::LaneMaskEq:
    return bit;
  case S::LaneMaskLt:
    return bit - 1;
  case S::LaneMaskLe:
    return bit | (bit - 1);
  case S::LaneMaskGe:
    return ~(bit - 1);
  case S::LaneMaskGt:
    return ~(bit | (bit - 1));
  }
  llvm_unreachable("no such register");
}

void Warp::start() {
  const DecodedKernel &code = block.code;
  if (values.empty()) {
    values.resize(code.valueBytes);
    defined.resize(code.numSlots);
    partial.resize(code.numSlots);
    for (const auto &constant : code.constants) {
      for (unsigned lane = 0; lane != kWarpSize; ++lane)
        switch (constant.bits) {
        case 1:
          mask(constant.slot) = constant.value ? ~0u : 0;
          break;
        case 16:
          lanes<uint16_t>(constant.slot)[lane] = uint16_t(constant.value);
          break;
        case 32:
          lanes<uint32_t>(constant.slot)[lane] = uint32_t(constant.value);
          break;
        default:
          lanes<uint64_t>(constant.slot)[lane] = constant.value;
        }
    }
  }
  llvm::fill(defined, 0);
  llvm::fill(partial, std::array<uint32_t, 8>());
  for (const auto &constant : code.constants)
    defined[constant.slot.index] = ~0u;
  for (const auto &[slot, name] : code.specials) {
    defined[slot.index] = ~0u;
    for (unsigned lane = 0; lane != kWarpSize; ++lane)
      lanes<uint32_t>(slot)[lane] = specialValue(*this, name, lane);
  }
  unsigned threads = std::min(kWarpSize, block.numThreads - index * kWarpSize);
  live = maskTrailingOnes<uint32_t>(threads);
  fragments.assign(1, Fragment());
  fragments[0].lanes = live;
  clock.assign(block.warps.size(), 0);
  clock[index] = 1;
  copies.clear();
  committed = {};
}

void Warp::execute(const Op &op, uint32_t active) {
  if (op.tracksDefined)
    return op.execute(*this, op, active);
  uint32_t known = ~0u;
  for (unsigned n = 0; n != op.numSources; ++n)
    known &= defined[source(op, n).index];
  // Before the results replace sources.
  if ((active & ~known) && op.byteFlow != ByteFlow::All) {
    propagateBytes(op, active);
    return op.execute(*this, op, active);
  }
  op.execute(*this, op, active);
  for (unsigned n = 0; n != op.numResults; ++n)
    define(result(op, n), active, known);
}

/// Runs an instruction that all lanes of the warp execute together.
Warp::Step Warp::convergeAll(const Op &op, Fragment &fragment,
                             uint32_t active) {
  auto missing = [&](uint32_t lanes, const char *what) {
    fault(op, __builtin_ctz(active), Violation::Lanes,
          Twine(what) + " lane " + Twine(countr_zero(lanes)) +
              ", but all lanes of a warp must execute it");
    return Step::Stop;
  };
  uint32_t threads = maskTrailingOnes<uint32_t>(
      std::min(kWarpSize, block.numThreads - index * kWarpSize));
  if (threads != ~0u)
    return missing(~threads, "the block does not have");
  if (live != ~0u)
    return missing(~live, "a branch ended");
  if (fragment.lanes & ~active)
    return missing(fragment.lanes & ~active, "its guard excludes");
  if (active != ~0u) {
    fragment.state = Fragment::AtConvergence;
    return Step::Yield;
  }
  execute(op, active);
  return Step::Continue;
}

/// Runs an instruction for which lanes must meet. Its last source is the mask
/// of the lanes.
Warp::Step Warp::converge(const Op &op, Fragment &fragment, uint32_t active) {
  if (op.isAligned)
    return convergeAll(op, fragment, active);
  Slot slot = source(op, op.numSources - 1);
  if (!requireDefined(op, slot, active, "the mask of lanes"))
    return Step::Stop;
  unsigned first = __builtin_ctz(active);
  const uint32_t *masks = lanes<uint32_t>(slot);
  uint32_t members = masks[first];
  bool agree = true;
  forLanes(active, [&](unsigned lane) { agree &= masks[lane] == members; });
  if (!agree || (active & ~members)) {
    fault(op, first, Violation::Lanes,
          "the mask of lanes leaves out a lane that executes it");
    return Step::Stop;
  }
  // Lanes that the last warp of a block does not have may be named.
  uint32_t threads = maskTrailingOnes<uint32_t>(
      std::min(kWarpSize, block.numThreads - index * kWarpSize));
  if (members & threads & ~live) {
    fault(op, first, Violation::Lanes,
          "lane " + Twine(countr_zero(members & threads & ~live)) +
              " of its mask ended");
    return Step::Stop;
  }
  uint32_t missing = members & threads & ~active;
  if (missing & fragment.lanes) {
    fault(op, first, Violation::Lanes,
          "its guard excludes lane " +
              Twine(countr_zero(missing & fragment.lanes)) + " of its mask");
    return Step::Stop;
  }
  if (missing) {
    fragment.state = Fragment::AtConvergence;
    return Step::Yield;
  }
  execute(op, active);
  return Step::Continue;
}

/// Lets a fragment wait at a barrier of the block.
Warp::Step Warp::arrive(const Op &op, Fragment &fragment, uint32_t active) {
  for (unsigned n = 0; n != op.numSources; ++n)
    if (!requireDefined(op, source(op, n), active, "a barrier"))
      return Step::Stop;
  unsigned first = __builtin_ctz(active);
  if (active != fragment.lanes) {
    fault(op, first, Violation::Barrier,
          "a barrier with a guard that differs between threads");
    return Step::Stop;
  }
  if (op.isAligned && active != live) {
    fragment.state = Fragment::AtConvergence;
    return Step::Yield;
  }
  uint32_t number = lanes<uint32_t>(source(op, 0))[first];
  if (number >= 16) {
    fault(op, first, Violation::Barrier,
          "barrier " + Twine(number) + " is not in 0..15");
    return Step::Stop;
  }
  fragment.state = Fragment::AtBarrier;
  fragment.barrier = number;
  return Step::Yield;
}

/// Runs one fragment until it ends, waits, diverges, or is no longer the one
/// to run.
Warp::Step Warp::runFragment(size_t current) {
  Launch &launch = block.launch;
  const Op *ops = block.code.ops.data();
  // The smallest counter of another fragment above this one: they may meet
  // there.
  uint32_t pc = fragments[current].pc, meeting = ~0u;
  auto findMeeting = [&] {
    meeting = ~0u;
    for (size_t n = 0; n != fragments.size(); ++n)
      if (n != current && fragments[n].pc > pc)
        meeting = std::min(meeting, fragments[n].pc);
  };
  findMeeting();
  while (true) {
    const Op &op = ops[pc];
    uint32_t all = fragments[current].lanes, active = all;
    if (op.hasGuard) {
      if (!requireDefined(op, op.guard, all, "the guard"))
        return Step::Stop;
      uint32_t guard = mask(op.guard);
      active &= op.isGuardNegated ? ~guard : guard;
    }
    OpCounts &counts = launch.counts[pc];
    ++counts.executed.warps;
    counts.executed.threads += popcount(active);
    launch.steps += op.steps;
    if (launch.steps > launch.options.stepLimit) {
      fault(op, __builtin_ctz(all), Violation::StepLimit,
            "the launch took " + Twine(launch.options.stepLimit) + " steps");
      return Step::Stop;
    }
    uint32_t next = pc + 1;
    switch (op.flow) {
    case Flow::Next:
      if (active)
        execute(op, active);
      break;
    case Flow::Converge:
    case Flow::Barrier: {
      if (!active)
        break;
      Step step = op.flow == Flow::Converge
                      ? converge(op, fragments[current], active)
                      : arrive(op, fragments[current], active);
      if (step == Step::Yield &&
          fragments[current].state == Fragment::AtConvergence) {
        // It is tried again, and counted then.
        --counts.executed.warps;
        counts.executed.threads -= popcount(active);
      }
      fragments[current].pc = pc;
      if (step != Step::Continue)
        return step;
      break;
    }
    case Flow::Exit:
      live &= ~active;
      fragments[current].lanes &= ~active;
      if (!fragments[current].lanes) {
        fragments.erase(fragments.begin() + current);
        return Step::Yield;
      }
      break;
    case Flow::Branch:
      if (active == all) {
        next = op.target;
      } else if (active) {
        fragments[current].pc = next;
        fragments[current].lanes &= ~active;
        Fragment taken;
        taken.pc = op.target;
        taken.lanes = active;
        fragments.push_back(taken);
        return Step::Yield;
      }
      break;
    }
    if (launch.violation)
      return Step::Stop;
    bool jumped = next != pc + 1;
    pc = next;
    fragments[current].pc = pc;
    if (jumped && fragments.size() > 1)
      return Step::Yield;
    if (pc == meeting)
      return Step::Yield;
  }
}

bool Warp::run() {
  while (true) {
    // Fragments at the same instruction join, except those that have already
    // arrived at a barrier.
    for (size_t n = 0; n < fragments.size(); ++n)
      for (size_t other = n + 1; other < fragments.size();) {
        Fragment &a = fragments[n], &b = fragments[other];
        if (a.pc != b.pc || a.state == Fragment::AtBarrier ||
            b.state == Fragment::AtBarrier) {
          ++other;
          continue;
        }
        a.lanes |= b.lanes;
        a.state = Fragment::Ready;
        fragments.erase(fragments.begin() + other);
      }
    size_t best = fragments.size();
    bool converging = false;
    for (auto [n, fragment] : enumerate(fragments)) {
      converging |= fragment.state == Fragment::AtConvergence;
      if (fragment.state == Fragment::Ready &&
          (best == fragments.size() || fragment.pc < fragments[best].pc))
        best = n;
    }
    if (best == fragments.size()) {
      if (converging)
        reportBlocked();
      return !converging;
    }
    if (runFragment(best) == Step::Stop || block.launch.violation)
      return false;
    // An end may complete the lanes that an aligned barrier waits for.
    for (Fragment &fragment : fragments)
      if (fragment.state == Fragment::AtConvergence && fragment.lanes == live)
        fragment.state = Fragment::Ready;
  }
}

/// Lanes wait for others of their warp, which cannot come.
void Warp::reportBlocked() {
  for (const Fragment &fragment : fragments) {
    if (fragment.state != Fragment::AtConvergence)
      continue;
    const Op &op = block.code.ops[fragment.pc];
    bool isBarrier = op.flow == Flow::Barrier;
    fault(op, __builtin_ctz(fragment.lanes),
          isBarrier ? Violation::Barrier : Violation::Lanes,
          "waits for other lanes of its warp, which are elsewhere or take "
          "another path");
  }
}
