//===- Waits.cpp - waiting ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "../../PsaDetail.h"

using namespace pruner;
using namespace pruner::detail;

/// "3 of 64 warps, by registers (40 of a thread)".
static std::string residentWarps(const StatementPsa &statement,
                                 const Machine &machine) {
  const Occupancy &o = statement.occupancy;
  double lanes = double(machine.lanes);
  double warps = std::ceil(statement.symbols.l1Parallel / lanes) * o.blocks;
  std::string text = number(warps) + " of " +
                     number(double(machine.maxThreadsPerUnit) / lanes) +
                     " warps, by ";
  switch (o.limit) {
  case OccupancyLimit::Grid:
    return text + "the grid of " + number(statement.symbols.l2Parallel) +
           " blocks";
  case OccupancyLimit::Blocks:
    return text + "the limit of blocks";
  case OccupancyLimit::Threads:
    return text + "the limit of threads";
  case OccupancyLimit::Registers:
    return text + "registers (" + number(o.registers) + " of a thread)";
  case OccupancyLimit::SharedMemory:
    return text + "shared memory (" + number(statement.symbols.l1Alloc) +
           " bytes of a block)";
  }
  return text;
}

namespace {
/// Latencies and barriers that no other warp hides.
class Waits : public GpuTerm {
public:
  Waits()
      : GpuTerm("wait", /*version=*/5, Part::Wait, "waiting", &SmCycles::wait) {
  }

  double cycles(const WarpWork &work, double warps,
                const Machine &machine) const override {
    return work.wait;
  }

  std::string explain(const StatementPsa &statement, const Machine &machine,
                      const std::string &share) const override {
    return share + " with " + residentWarps(statement, machine);
  }
};
} // namespace

const GpuTerm &detail::getWaits() {
  static const Waits term;
  return term;
}
