//===- Symbols.cpp - the papers' symbols, and cache traffic ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PsaDetail.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pruner;

double pruner::releasedArithmetic(const OpCounts &ops) {
  return double(ops.floatAddSub + ops.floatMul + ops.floatDivMod);
}

static bool isCopies(LoopLevel level) {
  return level == LoopLevel::VThread || level == LoopLevel::Unroll ||
         level == LoopLevel::Vector || level == LoopLevel::Dot ||
         level == LoopLevel::Rows;
}

static bool isThread(LoopLevel level) {
  return level == LoopLevel::Block || level == LoopLevel::Thread;
}

/// Product of the extents of loops that move `access` and satisfy `pred`.
template <typename Pred>
static double moved(const StatementSummary &statement,
                    const AccessSummary &access, Pred pred) {
  double product = 1;
  for (unsigned l = 0; l < statement.loops.size(); ++l)
    if (access.strides[l] != 0 && pred(statement.loops[l]))
      product *= double(statement.loops[l].extent);
  return product;
}

/// Elements of a buffer that can be accessed. A local buffer holds a moving
/// window and never more than its allocation.
static double roomOf(const BufferSummary &buffer) {
  return buffer.level == MemoryLevel::Global
             ? std::numeric_limits<double>::infinity()
             : double(buffer.elements);
}

namespace {

/// The longest run that loops l, l+1, ... access, from the innermost loop
/// outward: contiguous, or with elements less than `line` elements apart. A
/// loop that does not continue the run may do so after others did.
struct Run {
  double line = 1;
  /// Elements from the first to the last one, and how many of these are
  /// accessed.
  double elements = 1, touched = 1;
  llvm::SmallVector<unsigned, 12> waiting = {};

  void extend(const StatementSummary &statement, const AccessSummary &access,
              unsigned loop) {
    if (access.strides[loop] == 0 || statement.loops[loop].extent == 1)
      return;
    if (!continues(statement, access, loop)) {
      waiting.push_back(loop);
      return;
    }
    for (unsigned w = 0; w < waiting.size();) {
      if (continues(statement, access, waiting[w])) {
        waiting.erase(waiting.begin() + w);
        w = 0;
      } else {
        ++w;
      }
    }
  }

  /// The bytes of a cache that the run takes from the next ones. Runs at the
  /// same offset of a way share its sets.
  double spaceOf(const AccessSummary &access, int64_t wayBytes,
                 double elementBytes) const {
    int64_t apart = wayBytes;
    for (unsigned loop : waiting)
      apart = detail::commonDivisor(
          apart,
          int64_t(std::abs(double(access.strides[loop])) * elementBytes));
    return std::max(double(apart), elements * elementBytes);
  }

private:
  /// Whether the loop continues the run, which then includes it.
  bool continues(const StatementSummary &statement, const AccessSummary &access,
                 unsigned loop) {
    double stride = std::abs(double(access.strides[loop]));
    if (stride > elements && stride >= line)
      return false;
    auto extent = double(statement.loops[loop].extent);
    elements += stride * (extent - 1);
    touched = std::min(elements, touched * extent);
    return true;
  }
};

} // namespace

/// The loops of a statement from the outermost inward. Loops of a copy follow
/// the memory order of its buffer. Of two loops that form transposed squares
/// the longer one is outside, because only one square is accessed at a time.
static llvm::SmallVector<unsigned, 24>
loopOrder(const StatementSummary &statement) {
  unsigned loops = statement.loops.size(), own = loops - statement.ownLoops;
  auto order = llvm::to_vector<24>(llvm::seq(loops));
  if (statement.kind != StatementKind::Stage)
    return order;
  llvm::ArrayRef<int64_t> strides = statement.written().strides;
  std::stable_sort(order.begin() + own, order.end(),
                   [&](unsigned a, unsigned b) {
                     return std::abs(strides[a]) > std::abs(strides[b]);
                   });
  if (statement.ownLoops < 2)
    return order;
  unsigned &inner = order[loops - 1], &outer = order[loops - 2];
  bool across = llvm::any_of(llvm::ArrayRef(statement.accesses).drop_back(),
                             [&](const AccessSummary &read) {
                               return std::abs(read.strides[outer]) == 1 &&
                                      std::abs(read.strides[inner]) > 1;
                             });
  if (across && statement.loops[inner].extent > statement.loops[outer].extent)
    std::swap(inner, outer);
  return order;
}

/// The distinct elements that loops `order`[l], `order`[l + 1], ... access, for
/// each l, and a final entry of 1.
static llvm::SmallVector<int64_t, 25>
footprintsInOrder(llvm::ArrayRef<unsigned> order,
                  const StatementSummary &statement,
                  const AccessSummary &access, const BufferSummary &buffer) {
  unsigned rank = buffer.tensorShape.size();
  llvm::SmallVector<int64_t, 25> footprints(access.footprints.begin(),
                                            access.footprints.end());
  llvm::SmallVector<int64_t, 4> spans(rank, 1);
  for (unsigned l = order.size(); l-- > order.size() - statement.ownLoops;) {
    int64_t extent = statement.loops[order[l]].extent, elements = 1;
    for (unsigned r = 0; r < rank; ++r) {
      spans[r] += std::abs(access.moves[order[l] * rank + r]) * (extent - 1);
      elements *= std::min(spans[r], buffer.tensorShape[r]);
    }
    footprints[l] = elements;
  }
  return footprints;
}

CacheModel::CacheModel(const ProgramSummary &program,
                       const StatementSummary &statement, double lineBytes,
                       int64_t wayBytes)
    : program(program), statement(statement), order(loopOrder(statement)) {
  unsigned loops = statement.loops.size();
  unsigned accesses = statement.accesses.size();
  bool copies = statement.kind == StatementKind::Stage;
  bool exact = llvm::isPowerOf2_64(uint64_t(lineBytes));
  double perLine = 1 / lineBytes;
  lines.resize_for_overwrite((loops + 1) * accesses);
  if (!copies)
    spaces.resize_for_overwrite((loops + 1) * accesses);
  total.assign(loops + 1, 0);
  for (unsigned a = 0; a < accesses; ++a) {
    const AccessSummary &access = statement.accesses[a];
    const BufferSummary &buffer = program.buffers[access.buffer];
    double size = double(buffer.elementBytes);
    // Calls of std::ceil, and divisions, take longer than the rest of this
    // function.
    auto wholeLines = [&](double bytes) {
      double count = exact ? bytes * perLine : bytes / lineBytes;
      auto below = double(int64_t(count));
      return (below < count ? below + 1 : below) * lineBytes;
    };
    // An upper bound for strided accesses (rows that hold every n-th element).
    double most = wholeLines(double(buffer.elements) * size);
    double room = roomOf(buffer);
    llvm::SmallVector<int64_t, 25> inOrder;
    if (copies)
      inOrder = footprintsInOrder(order, statement, access, buffer);
    llvm::ArrayRef<int64_t> footprints = copies ? inOrder : access.footprints;
    Run run{lineBytes / size};
    double now = 0, space = 0, runBytes = wholeLines(run.elements * size);
    for (unsigned l = loops + 1; l-- > 0;) {
      double before = run.elements;
      if (l < loops && access.strides[order[l]] != 0)
        run.extend(statement, access, order[l]);
      if (run.elements != before)
        runBytes = wholeLines(run.elements * size);
      // Most loops change nothing.
      if (l == loops || run.elements != before ||
          footprints[l] != footprints[l + 1]) {
        now = std::min(most, std::min(double(footprints[l]), room) * runBytes /
                                 run.touched);
        space = now;
        // The whole buffer takes no more than its lines.
        if (!run.waiting.empty() && !copies)
          space = std::min(most, now * run.spaceOf(access, wayBytes, size) /
                                     runBytes);
      }
      if (!copies)
        spaces[l * accesses + a] = space;
      lines[l * accesses + a] = now;
      total[l] += now;
    }
  }
}

unsigned CacheModel::fittingLoop(double capacity) const {
  unsigned loops = statement.loops.size(), fits = 0;
  while (fits < loops && total[fits] > capacity)
    ++fits;
  return fits;
}

double CacheModel::iterationsAround(unsigned loop) const {
  double around = 1;
  for (unsigned l = 0; l < loop; ++l)
    around *= double(statement.loops[order[l]].extent);
  return around;
}

bool CacheModel::isKept(const AccessSummary &access, double capacity) const {
  const BufferSummary &buffer = program.buffers[access.buffer];
  return buffer.level != MemoryLevel::Global &&
         double(buffer.elements * buffer.elementBytes) <= capacity / 2;
}

/// One iteration of the loop outside of loop `fits` fits in the cache, so data
/// that its iterations share are loaded once.
static unsigned sharingLoop(unsigned fits) { return fits == 0 ? 0 : fits - 1; }

Traffic CacheModel::trafficOf(double capacity, uint64_t kept) const {
  unsigned accesses = statement.accesses.size();
  unsigned shared = sharingLoop(fittingLoop(capacity));
  double around = iterationsAround(shared);
  Traffic sum;
  for (unsigned a = 0; a < accesses; ++a) {
    const AccessSummary &access = statement.accesses[a];
    if (kept >> a & 1 || isKept(access, capacity))
      continue;
    // Without branches, which are hard to predict here.
    double bytes = lines[shared * accesses + a] * around;
    bool allocates = access.kind == AccessKind::Write && !statement.nontemporal;
    sum.moved += bytes * (1.0 + double(access.kind == AccessKind::ReadWrite));
    sum.allocated += bytes * double(allocates);
  }
  return sum;
}

double CacheModel::conflictTraffic(double capacity) const {
  if (spaces.empty())
    return 0;
  unsigned accesses = statement.accesses.size();
  unsigned tile = statement.loops.size();
  while (tile > 0 && isCopies(statement.loops[order[tile - 1]].level))
    --tile;
  unsigned fits = fittingLoop(capacity);
  double sum = 0;
  for (unsigned a = 0; a < accesses && fits < tile; ++a) {
    const AccessSummary &access = statement.accesses[a];
    auto overflows = [&](unsigned loop) {
      return spaces[loop * accesses + a] > capacity;
    };
    if (!overflows(fits) || overflows(tile) || isKept(access, capacity))
      continue;
    unsigned own = fits;
    while (overflows(own))
      ++own;
    auto bytesWith = [&](unsigned loop) {
      return lines[loop * accesses + a] * iterationsAround(loop);
    };
    double again = bytesWith(own - 1) - bytesWith(sharingLoop(fits));
    sum += again * (access.kind == AccessKind::Read ? 1 : 2);
  }
  return sum;
}

static void gpuSymbols(const ProgramSummary &program,
                       const StatementSummary &statement, double ops,
                       Symbols &s) {
  const KernelShape &kernel = program.kernelOf(statement);
  s.l1Alloc = double(kernel.sharedBytes);
  s.l1Parallel = double(kernel.block);
  s.l0Ops = ops * double(statement.trips([](const LoopSummary &loop) {
              return !isThread(loop.level);
            }));
  // The threads of a block share the loops of a copy.
  if (statement.kind == StatementKind::Stage)
    s.l0Ops /= double(std::max<int64_t>(1, statement.sharingThreads));

  unsigned inBlock = 0;
  double grid = 1;
  while (inBlock < statement.loops.size() &&
         statement.loops[inBlock].level == LoopLevel::Block)
    grid *= double(statement.loops[inBlock++].extent);
  unsigned own = statement.loops.size() - statement.ownLoops;
  double aroundOwn = 1;
  for (unsigned l = 0; l < own; ++l)
    aroundOwn *= double(statement.loops[l].extent);

  bool stage = statement.kind == StatementKind::Stage;
  for (const AccessSummary &access : statement.accesses) {
    const BufferSummary &buffer = program.buffers[access.buffer];
    if (!stage) {
      double registers = moved(statement, access, [](const LoopSummary &loop) {
        return isCopies(loop.level);
      });
      s.l0Alloc += std::ceil(registers * double(buffer.elementBytes) / 4);
      s.l0Traffic += moved(statement, access, [](const LoopSummary &loop) {
        return !isThread(loop.level);
      });
    }
    if (buffer.level != MemoryLevel::Global)
      continue;
    // A copy is repeated each time. Data that are accessed in place move once
    // per block.
    double elements = stage ? double(access.footprints[own]) * aroundOwn
                            : double(access.footprints[inBlock]) * grid;
    double run = double(access.contiguous) * double(buffer.elementBytes);
    s.l2Traffic += elements * double(buffer.elementBytes);
    s.l2Run = s.l2Run == 0 ? run : std::min(s.l2Run, run);
  }
}

static void releasedTraffic(const StatementSummary &statement, double ops,
                            Symbols &s) {
  if (statement.kind == StatementKind::Stage)
    s.releasedElements = double(statement.totalTrips());
  else if (ops == 0)
    s.releasedElements = double(statement.totalTrips());
}

/// Registers of an accumulation, in elements: the accumulators and the
/// operands. The operand with the most vectors needs only one register if the
/// others hold theirs (ComputeLowering::orderPlaces). This is not so where each
/// vector of the operand has its own accumulator: steps that follow one another
/// may read it again, as windows do.
static double heldBy(const StatementSummary &statement, double lanes) {
  double accumulators = 0, operands = 0, most = 0, rest = 0;
  for (const AccessSummary &access : statement.accesses) {
    double copies = 1;
    bool vectors = false;
    for (unsigned l = statement.loops.size() - statement.ownLoops;
         l < statement.loops.size(); ++l) {
      const LoopSummary &loop = statement.loops[l];
      if (access.strides[l] == 0 || !isCopies(loop.level))
        continue;
      copies *= double(loop.extent);
      vectors |= loop.level == LoopLevel::Vector;
    }
    if (access.kind == AccessKind::ReadWrite) {
      accumulators += copies;
      continue;
    }
    // A number that all lanes read takes a whole register.
    double registers = vectors ? copies : copies * lanes;
    operands += vectors ? copies : lanes;
    rest += std::min(most, registers);
    most = std::max(most, registers);
  }
  if (most < accumulators)
    operands = std::min(operands, rest + lanes);
  return accumulators + operands;
}

Symbols detail::timeSymbols(const ProgramSummary &program,
                            const StatementSummary &statement) {
  Symbols s;
  s.l2Parallel = double(program.kernelOf(statement).grid);
  for (const LoopSummary &loop : statement.loops)
    if (loop.level == LoopLevel::Vector)
      s.l1Parallel = double(loop.extent);
  if (statement.kind == StatementKind::Update)
    s.l0Alloc = heldBy(statement, s.l1Parallel);
  return s;
}

/// The remaining symbols.
static void cpuSymbols(const ProgramSummary &program,
                       const StatementSummary &statement, double ops,
                       Symbols &s) {
  unsigned own = statement.loops.size() - statement.ownLoops;
  s.l0Ops = ops * double(statement.trips([](const LoopSummary &loop) {
              return loop.level != LoopLevel::Core;
            }));
  for (const AccessSummary &access : statement.accesses) {
    const BufferSummary &buffer = program.buffers[access.buffer];
    double size = double(buffer.elementBytes);
    s.l1Alloc +=
        std::min(double(access.footprints[own]), roomOf(buffer)) * size;
    s.l0Traffic += moved(statement, access, [](const LoopSummary &loop) {
      return loop.level != LoopLevel::Core;
    });
    if (buffer.level == MemoryLevel::Global) {
      Run run;
      for (unsigned l = statement.loops.size(); l-- > own;)
        run.extend(statement, access, l);
      double bytes = run.elements * size;
      s.l2Run = s.l2Run == 0 ? bytes : std::min(s.l2Run, bytes);
    }
  }
}

Symbols pruner::symbolsOf(const ProgramSummary &program, unsigned index,
                          const Machine &machine, bool released,
                          const CacheModel *cache) {
  const StatementSummary &statement = program.statements[index];
  double ops = released ? releasedArithmetic(statement.ops)
                        : double(statement.ops.arithmetic());
  Symbols s;
  if (program.gpu) {
    s.l2Parallel = double(program.kernelOf(statement).grid);
    gpuSymbols(program, statement, ops, s);
  } else {
    s = detail::timeSymbols(program, statement);
    cpuSymbols(program, statement, ops, s);
    if (cache)
      s.l2Traffic = cache->traffic(kUsableCache * double(machine.l2Bytes));
  }
  s.l2Ops = ops * double(statement.totalTrips());
  releasedTraffic(statement, ops, s);
  return s;
}
