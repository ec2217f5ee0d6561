//===- ShortRuns.cpp - unprefetched lines of operands ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace pruner;
using namespace pruner::detail;

/// Bytes that one execution of the statement's own loops accesses.
static double bytesOf(const CpuStatement &s, const AccessSummary &access) {
  return double(access.footprints[s.firstOwnLoop()]) * s.elementBytes(access);
}

namespace {
/// A part of an operand without a gap of a line or more.
struct ReadRun {
  double bytes;        ///< From its first byte to its last one.
  double accessed;     ///< Bytes of it that are read.
  double distance = 0; ///< To the next run, bytes; 0 if there is none.
};
} // namespace

static ReadRun runOf(const CpuStatement &s, const AccessSummary &access) {
  double size = s.elementBytes(access);
  ReadRun run;
  run.bytes = run.accessed = double(access.contiguous) * size;
  while (true) {
    run.distance = 0;
    int64_t extent = 1;
    for (unsigned l = s.firstOwnLoop(); l < s.statement.loops.size(); ++l) {
      double stride = std::abs(double(access.strides[l])) * size;
      if (s.statement.loops[l].extent > 1 && stride > run.bytes &&
          (run.distance == 0 || stride < run.distance)) {
        run.distance = stride;
        extent = s.statement.loops[l].extent;
      }
    }
    if (run.distance == 0 || run.distance >= s.line)
      return run;
    run.bytes += run.distance * double(extent - 1);
    run.accessed *= double(extent);
  }
}

/// `working`: bytes of all operands.
static double ofAccess(const CpuStatement &s, const AccessSummary &access,
                       double working) {
  ReadRun run = runOf(s, access);
  if (run.distance == 0 || run.bytes >= kPrefetchedLines * s.line)
    return 0;
  double bytes = bytesOf(s, access), runs = bytes / run.accessed;
  // A run that begins anywhere in a line sometimes extends into one more.
  double lines = std::fmod(run.distance, s.line) == 0
                     ? std::ceil(run.bytes / s.line)
                     : 1 + (run.bytes - s.elementBytes(access)) / s.line;
  double space = std::max(
      lines * s.line,
      double(std::gcd(int64_t(run.distance), int64_t(s.core.pageBytes))));
  bool isKept = working - bytes + runs * space <= double(s.machine.l1Bytes);
  return isKept ? 0 : runs * lines * s.core.lineMissCycles;
}

namespace {
/// Operands that are read in place in short runs, far apart, come line by line
/// from L2 unless L1 keeps them. Runs at the same offset of their pages compete
/// for the same sets, so each run takes the space of its distance modulo the
/// page, computed as a greatest common divisor.
class ShortRuns : public CpuTerm {
public:
  ShortRuns()
      : CpuTerm("short-runs", /*version=*/1, Part::Prologue,
                "unprefetched lines of operands", Updates) {}

  double cost(const CpuStatement &s) const override {
    // A load of a tile reads its rows at once, so their misses overlap.
    if (s.statement.instruction && s.statement.instruction->isTile())
      return 0;
    double working = 0, cycles = 0;
    for (const AccessSummary &access : s.statement.accesses)
      if (access.kind == AccessKind::Read)
        working += bytesOf(s, access);
    for (const AccessSummary &access : s.statement.accesses)
      if (access.kind == AccessKind::Read && s.isInMemory(access))
        cycles += ofAccess(s, access, working);
    return cycles;
  }
};
} // namespace

const CpuTerm &detail::getShortRuns() {
  static const ShortRuns term;
  return term;
}
