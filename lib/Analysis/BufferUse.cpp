//===- BufferUse.cpp - features of one buffer access ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FeatureDetail.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::detail;

static constexpr double kLineBytes = 64;

static double elementBytes(const ProgramSummary &program,
                           const AccessSummary &access) {
  return double(program.buffers[access.buffer].elementBytes);
}

/// How many outer loops two statements have in common.
static unsigned commonLoops(const StatementSummary &a,
                            const StatementSummary &b) {
  unsigned limit =
      std::min(a.loops.size() - a.ownLoops, b.loops.size() - b.ownLoops);
  unsigned n = 0;
  while (n < limit && a.loops[n] == b.loops[n])
    ++n;
  return n;
}

static void findReuse(const ProgramSummary &program, unsigned index,
                      const AccessSummary &access, BufferUse &use) {
  const StatementSummary &statement = program.statements[index];
  // The other use of the same buffer that shares the most loops. If one of them
  // writes inside those loops, the other reads the result.
  unsigned common = 0;
  const AccessSummary *other = nullptr;
  for (unsigned i = 0; i < program.statements.size(); ++i) {
    if (i == index)
      continue;
    for (const AccessSummary &candidate : program.statements[i].accesses) {
      unsigned loops = commonLoops(statement, program.statements[i]);
      if (candidate.buffer == access.buffer && loops > common) {
        common = loops;
        other = &candidate;
      }
    }
  }

  auto touchedBytes = [&](unsigned l) {
    double bytes = 0;
    for (const AccessSummary &a : statement.accesses)
      bytes += double(a.footprints[l]) * elementBytes(program, a);
    return bytes;
  };
  double iterations = 1;
  double bytes = touchedBytes(statement.loops.size());
  for (unsigned l = statement.loops.size(); l-- > 0;) {
    const LoopSummary &loop = statement.loops[l];
    if (loop.extent == 1)
      continue;
    if (access.strides[l] == 0) {
      use.reuse = Reuse::LoopMultipleRead;
      use.distanceIterations = iterations;
      use.distanceBytes = bytes;
      use.reuses = 1;
      for (unsigned n = l + 1; n-- > 0 && access.strides[n] == 0;)
        use.reuses *= double(statement.loops[n].extent);
      return;
    }
    if (other && l < common) {
      double extent = double(loop.extent), outward = 1;
      use.reuse = Reuse::SerialMultipleReadWrite;
      use.distanceIterations =
          double(std::min(access.footprints[l], other->footprints[l])) / extent;
      use.distanceBytes = touchedBytes(l) / extent;
      for (unsigned n = 0; n <= l; ++n)
        outward *= double(statement.loops[n].extent);
      use.reuses = outward;
      return;
    }
    iterations *= double(loop.extent);
    bytes = touchedBytes(l);
  }
}

BufferUse detail::bufferUse(const ProgramSummary &program, unsigned index,
                            unsigned accessIndex) {
  const StatementSummary &statement = program.statements[index];
  const AccessSummary &access = statement.accesses[accessIndex];
  double size = elementBytes(program, access);
  double trips = double(statement.totalTrips());
  BufferUse use;
  use.kind = access.kind;
  use.bytes = trips * size;
  use.uniqueBytes = double(access.footprints[0]) * size;

  double skipped = 1, stride = 0;
  bool innermost = true;
  for (unsigned l = statement.loops.size(); l-- > 0;) {
    if (statement.loops[l].extent == 1)
      continue;
    stride = std::abs(double(access.strides[l]));
    if (stride != 0)
      break;
    skipped *= double(statement.loops[l].extent);
    innermost = false;
  }
  use.lines = std::max(1.0, trips / skipped *
                                std::min(1.0, stride * size / kLineBytes));
  use.stride = innermost ? stride : 0;
  double run = std::min(double(access.contiguous) * size, kLineBytes);
  use.uniqueLines = std::max(1.0, use.uniqueBytes / run);
  findReuse(program, index, access, use);
  return use;
}

void detail::writeBufferUse(const BufferUse &use, float *columns) {
  int n = 0;
  for (AccessKind kind :
       {AccessKind::Read, AccessKind::Write, AccessKind::ReadWrite})
    columns[n++] = use.kind == kind;
  double sizes[] = {use.bytes, use.uniqueBytes, use.lines, use.uniqueLines};
  for (double size : sizes)
    columns[n++] = slog(size);
  for (Reuse reuse :
       {Reuse::LoopMultipleRead, Reuse::SerialMultipleReadWrite, Reuse::None})
    columns[n++] = use.reuse == reuse;
  columns[n++] = slog(use.distanceIterations);
  columns[n++] = slog(use.distanceBytes);
  columns[n++] = slog(use.reuses);
  for (double size : sizes)
    columns[n++] = slog(use.reuses > 0.5 ? size / use.reuses : size * 2);
  columns[n++] = slog(use.stride);
}
