//===- CpuStatement.cpp - a statement for the CPU model -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CpuStatement.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::detail;

Core::Core(const Machine &machine) : CoreModel(machine.core) {
  double perFma = 2 * double(std::max<int64_t>(1, machine.lanes));
  clock = machine.clockMHz > 0 ? machine.clockMHz * 1e6
                               : machine.peakFlops / (2 * perFma);
  fmaPerCycle = std::max(0.5, machine.peakFlops / (perFma * clock));
}

CpuStatement::CpuStatement(const ProgramSummary &program, unsigned index,
                           const Machine &machine, const Core &core,
                           const PsaOptions &options, const CacheModel &cache,
                           const Symbols &symbols)
    : program(program), statement(program.statements[index]), machine(machine),
      symbols(symbols), core(core),
      line(double(std::max<int64_t>(1, machine.transactionBytes))),
      unroll(std::max<int64_t>(1, program.unrollMaxStep)),
      cores(double(std::max<int64_t>(1, options.threads > 0 ? options.threads
                                                            : machine.units))),
      cache(cache), reuse(program, index) {
  tile = isCopy() ? countCopy(*this) : countTile(*this);
  if (options.caches)
    cold.emplace(program, index, cache, *options.caches);
  memory = trafficOf(machine.l3Bytes > 0 ? machine.l3Bytes : machine.l2Bytes,
                     /*omitted=*/0);
}

Traffic CpuStatement::trafficOf(int64_t capacity, uint64_t omitted) const {
  if (capacity <= 0)
    return {};
  double usable = kUsableCache * double(capacity);
  Traffic traffic = cache.trafficOf(usable, reuse.keptIn(usable) | omitted);
  if (cold) {
    Traffic held = cold->trafficIn(usable);
    traffic.moved = std::max(0.0, traffic.moved - held.moved);
    traffic.allocated = std::max(0.0, traffic.allocated - held.allocated);
  }
  return traffic;
}

double CpuStatement::traffic(int64_t capacity) const {
  // Non-temporal stores go to memory directly.
  uint64_t aroundCaches = statement.nontemporal
                              ? uint64_t(1) << (statement.accesses.size() - 1)
                              : 0;
  return trafficOf(capacity, aroundCaches).total();
}

double CpuStatement::pageWalks() const {
  double usable = kUsableCache * core.translatedPages, all = 0;
  for (const AccessSummary &access : statement.accesses)
    all += 1 + double(bufferOf(access).elements) * elementBytes(access) /
                   core.pageBytes;
  // Most statements access few pages.
  if (all <= usable)
    return 0;
  CacheModel pages(program, statement, core.pageBytes, int64_t(core.pageBytes));
  double bytes = usable * core.pageBytes;
  return pages.trafficOf(bytes, reuse.keptIn(bytes)).moved / core.pageBytes;
}

double CpuStatement::conflictTraffic(int64_t capacity) const {
  return cache.conflictTraffic(kUsableCache * double(capacity));
}

bool CpuStatement::clearsTiles() const {
  size_t index = &statement - program.statements.data();
  size_t first = index - (accumulates() ? 1 : 0);
  if (first + 1 >= program.statements.size())
    return false;
  const StatementSummary &init = program.statements[first],
                         &update = program.statements[first + 1];
  int buffer = update.written().buffer;
  if (init.kind != StatementKind::Init || init.accesses.size() != 1 ||
      init.written().buffer != buffer || update.kind != StatementKind::Update ||
      !update.instruction || !update.instruction->isTile())
    return false;
  int64_t elements = 1;
  for (const LoopSummary &loop :
       llvm::ArrayRef(update.loops).take_back(update.ownLoops))
    if (loop.level != LoopLevel::Serial && loop.level != LoopLevel::Dot)
      elements *= loop.extent;
  return program.buffers[buffer].elements == elements;
}
