//===- Traffic.cpp - bytes of main memory ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GpuModel.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::detail;
using llvm::SmallVector;

/// The share of L2 that collects partial writes, and the cost of a sector that
/// could not be collected: it is read, merged and written, each time opening a
/// row of memory for it alone.
static constexpr double kCollecting = 0.5, kScattered = 4;

/// The traffic of reads in place beyond the data that all blocks need once. If
/// L1 cannot hold the lines that resident threads walk along, each load fetches
/// its sectors again, from main memory if L2 cannot hold them either.
static double bytesOfLostLines(const Nest &nest, const AccessSummary &access,
                               double wave, const Machine &machine) {
  double size = double(nest.bufferOf(access).elementBytes);
  double units = double(machine.units), lanes = double(machine.lanes);
  double warps =
      std::ceil(double(nest.program.kernelOf(nest.statement).block) / lanes);
  Addresses address = nest.laneAddresses(access, machine);
  double live = pieces(address, kLineBytes) * double(kLineBytes) * warps *
                std::ceil(wave / units);
  auto lost = [&](int64_t cache, double bytes) {
    return 1 - std::min(1.0, double(cache) / bytes);
  };
  double missed =
      lost(machine.l1Bytes, live) * lost(machine.l2Bytes, live * units);
  if (missed == 0)
    return 0;
  double width = double(nest.loadWidth(access, machine));
  double loads =
      nest.trips(Role::Block) * warps / width *
      nest.moved(access, Role::Step, Role::Loop, Role::Copy, Role::Unrolled);
  double moved = pieces(address, machine.transactionBytes) *
                 double(machine.transactionBytes);
  double used = double(address.size()) * width * size;
  return missed * loads * std::max(0.0, moved - used);
}

double detail::bytesRead(const Nest &nest, const AccessSummary &access,
                         double wave, const Machine &machine) {
  const BufferSummary &buffer = nest.bufferOf(access);
  unsigned rank = buffer.tensorShape.size();
  SmallVector<double, 12> together(nest.roles.size(), 1);
  double room = wave;
  for (unsigned l = nest.roles.size(); l-- > 0;) {
    together[l] = double(nest.statement.loops[l].extent);
    if (nest.roles[l] != Role::Block)
      continue;
    together[l] = std::min(together[l], std::max(1.0, room));
    room /= together[l];
  }
  double size = double(buffer.elementBytes);
  int64_t sector =
      std::max<int64_t>(1, machine.transactionBytes / buffer.elementBytes);
  double step = size, all = size, tensor = size;
  for (unsigned r = 0; r < rank; ++r) {
    double inStep = 1, inAll = 1;
    for (unsigned l = 0; l < nest.roles.size(); ++l) {
      if (together[l] == 1)
        continue;
      double span =
          std::abs(double(nest.movesOf(access, l)[r])) * (together[l] - 1);
      inAll += span;
      if (nest.roles[l] != Role::Step)
        inStep += span;
    }
    double extent = double(buffer.tensorShape[r]);
    for (double *count : {&inStep, &inAll}) {
      *count = std::min(*count, extent);
      // Rows that begin inside of a sector.
      if (r + 1 == rank && int64_t(*count) % sector != 0)
        *count = std::min(extent, *count + double(sector - 1));
    }
    step *= inStep;
    all *= inAll;
    tensor *= extent;
  }
  // The layout of a workspace keeps one element for all positions of a part of
  // the reduction.
  double kept = std::min(1.0, double(buffer.elements) * size / tensor);
  for (double *bytes : {&step, &all, &tensor})
    *bytes *= kept;
  auto beyondL2 = [&](double bytes) {
    return 1 - std::min(1.0, double(machine.l2Bytes) / bytes);
  };
  double again = std::max(0.0, step * nest.trips(Role::Step) - all);
  double total = (all + again * beyondL2(all)) * nest.trips(Role::Block) / wave;
  if (total > tensor)
    total = tensor + (total - tensor) * beyondL2(tensor);
  if (nest.statement.kind != StatementKind::Stage)
    total += bytesOfLostLines(nest, access, wave, machine);
  return total;
}

double detail::bytesWritten(const Nest &nest, const AccessSummary &access,
                            double wave, const Machine &machine) {
  const BufferSummary &buffer = nest.bufferOf(access);
  double size = double(buffer.elementBytes);
  double ofBlock = nest.moved(access, Role::Thread, Role::Step, Role::Loop,
                              Role::Copy, Role::Unrolled);
  Loops inBlock = nest.moving(access, Role::Thread, Role::Step, Role::Loop,
                              Role::Copy, Role::Unrolled);
  double run = double(nest.contiguousRun(access, inBlock));
  double elements =
      std::min(ofBlock * nest.trips(Role::Block), double(buffer.elements));
  double sector = double(machine.transactionBytes) / size;
  double torn = 0; // Sectors of a row that its neighbors complete.
  if (std::fmod(run, sector) != 0)
    torn =
        run < sector ? (run + sector - 1) / sector : 2 * (sector - 1) / sector;
  double open = std::min(elements, ofBlock * wave) * size;
  double apart =
      1 - std::min(1.0, kCollecting * double(machine.l2Bytes) / open);
  return size * elements + apart * elements / run * torn * kScattered *
                               double(machine.transactionBytes);
}
