//===- Features.cpp - feature vectors of a program ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Analysis/Features.h"
#include "FeatureDetail.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <tuple>

using namespace pruner;
using namespace pruner::detail;

static constexpr int kBuffers = 5, kCurvePoints = 10;

namespace {

/// Writes one row from left to right.
class Row {
public:
  explicit Row(float *out) : out(out) {}
  void raw(double value) { *out++ = float(value); }
  void log(double value) { *out++ = slog(value); }
  float *take(int columns) {
    float *start = out;
    out += columns;
    return start;
  }

private:
  float *out;
};

} // namespace

/// num, prod, innermost length, and the position of the annotated loops. Like
/// Ansor's code, it only distinguishes none from mixed.
static void writeAnnotation(const StatementSummary &statement, LoopLevel level,
                            Row &row) {
  double number = 0, product = 0, innermost = 0;
  for (const LoopSummary &loop : statement.loops) {
    if (loop.level != level || loop.extent == 1)
      continue;
    product = number == 0 ? double(loop.extent) : product * double(loop.extent);
    innermost = double(loop.extent);
    ++number;
  }
  row.log(number);
  row.log(product);
  row.log(innermost);
  constexpr int positions = 8, none = 0, mixed = 7;
  for (int position = 0; position < positions; ++position)
    row.raw(position == (number == 0 ? none : mixed));
}

static void writeComputation(const ProgramSummary &program,
                             const StatementSummary &statement, Row &row) {
  const OpCounts &ops = statement.ops;
  double trips = double(statement.totalTrips());
  int64_t counts[] = {0,
                      ops.floatAddSub,
                      ops.floatMul,
                      ops.floatDivMod,
                      ops.floatCmp,
                      ops.floatMath,
                      ops.floatOther,
                      0,
                      ops.intAddSub,
                      ops.intMul,
                      ops.intDivMod,
                      ops.intCmp,
                      ops.intMath,
                      ops.intOther,
                      ops.boolOps,
                      ops.select};
  for (int64_t count : counts)
    row.log(double(count) * trips);
  writeAnnotation(statement, LoopLevel::Vector, row);
  writeAnnotation(statement, LoopLevel::Unroll, row);
  writeAnnotation(statement, LoopLevel::Core, row);
  row.raw(program.gpu);
  // Grid and block are one-dimensional; the other extents are 1.
  const KernelShape &kernel = program.kernelOf(statement);
  double grid = program.gpu ? double(kernel.grid) : 1;
  double block = program.gpu ? double(kernel.block) : 1;
  for (double extent : {grid, 1.0, 1.0, block, 1.0, 1.0})
    row.log(extent);
  row.log(double(kernel.vthreads));
}

static void writeBuffers(const ProgramSummary &program, unsigned index,
                         Row &row) {
  // Uses with equal keys keep the order of the accesses.
  std::vector<std::pair<unsigned, BufferUse>> uses;
  for (unsigned a = 0; a < program.statements[index].accesses.size(); ++a)
    uses.push_back({a, bufferUse(program, index, a)});
  llvm::sort(uses, [](const auto &a, const auto &b) {
    const BufferUse &x = a.second, &y = b.second;
    return std::tie(x.distanceBytes, x.uniqueBytes, x.uniqueLines, x.kind,
                    a.first) < std::tie(y.distanceBytes, y.uniqueBytes,
                                        y.uniqueLines, y.kind, b.first);
  });
  float *columns = row.take(kBuffers * kBufferUseColumns);
  for (unsigned i = 0; i < std::min<size_t>(kBuffers, uses.size()); ++i)
    writeBufferUse(uses[i].second, columns + i * kBufferUseColumns);
}

/// log2(operations) / log2(accessed bytes) over the loops from the inside out,
/// at ten equal steps of log2(operations).
static void writeCurve(const ProgramSummary &program,
                       const StatementSummary &statement, Row &row) {
  float *columns = row.take(kCurvePoints);
  double ops = double(statement.ops.floatTotal());
  if (ops == 0)
    return;
  std::vector<std::pair<double, double>> points;
  for (unsigned l = statement.loops.size() + 1; l-- > 0;) {
    if (l < statement.loops.size())
      ops *= double(statement.loops[l].extent);
    double bytes = 0;
    for (const AccessSummary &access : statement.accesses)
      bytes += double(access.footprints[l]) *
               double(program.buffers[access.buffer].elementBytes);
    double intensity =
        bytes > 1 ? std::log2(ops) / std::log2(bytes) : std::log2(ops);
    points.push_back({std::log2(ops), intensity});
  }
  double last = points.back().first;
  unsigned p = 0;
  for (int i = 1; i <= kCurvePoints; ++i) {
    double at = last * i / kCurvePoints;
    while (p + 1 < points.size() && points[p].first < at)
      ++p;
    double value = points[p].second;
    if (p > 0 && points[p].first > points[p - 1].first) {
      double part =
          (at - points[p - 1].first) / (points[p].first - points[p - 1].first);
      value = points[p - 1].second +
              std::clamp(part, 0.0, 1.0) * (value - points[p - 1].second);
    }
    columns[i - 1] = float(value);
  }
}

static void writeRow(const ProgramSummary &program, unsigned index,
                     const TaskFlags &flags, float *out) {
  const StatementSummary &statement = program.statements[index];
  const BufferSummary &buffer = program.buffers[statement.written().buffer];
  Row row(out);
  writeComputation(program, statement, row);
  writeBuffers(program, index, row);
  writeCurve(program, statement, row);
  double trips = double(statement.totalTrips());
  double outer = double(std::max<int64_t>(1, buffer.allocTrips));
  row.log(double(buffer.elements * buffer.elementBytes));
  row.log(double(buffer.elements) * outer);
  row.log(outer);
  row.log(trips / outer);
  row.log(trips);
  row.log(double(llvm::count_if(statement.loops, [](const LoopSummary &loop) {
    return loop.extent > 1;
  })));
  row.log(double(program.unrollMaxStep));
  for (bool flag : flags.flags)
    row.raw(flag);
}

//===----------------------------------------------------------------------===//
// Dataflow
//===----------------------------------------------------------------------===//

static void writeFlowStep(const ProgramSummary &program, unsigned index,
                          unsigned accessIndex, const FeatureOptions &options,
                          float *out) {
  const StatementSummary &statement = program.statements[index];
  const AccessSummary &access = statement.accesses[accessIndex];
  const BufferSummary &buffer = program.buffers[access.buffer];
  BufferUse use = bufferUse(program, index, accessIndex);
  double trips = double(statement.totalTrips());
  if (options.releasedDataflowOps)
    trips *= trips;
  Row row(out);
  row.log(double(statement.ops.floatTotal()) * trips);
  // The packed buffers of a core correspond to the shared memory of a block.
  MemoryLevel level = buffer.level;
  bool staged =
      llvm::any_of(program.statements, [&](const StatementSummary &producer) {
        return producer.kind == StatementKind::Stage &&
               producer.written().buffer == access.buffer;
      });
  if (staged)
    level = MemoryLevel::Shared;
  for (MemoryLevel place :
       {MemoryLevel::Global, MemoryLevel::Shared, MemoryLevel::Local})
    row.raw(level == place);
  // Access, sizes and reuse are those of the statement row, in the same order.
  writeBufferUse(use, row.take(kBufferUseColumns));
  row.log(buffer.level == MemoryLevel::Global
              ? 0
              : double(buffer.elements * buffer.elementBytes));
}

static void writeDataflow(const ProgramSummary &program,
                          const FeatureOptions &options,
                          ProgramFeatures &features) {
  std::vector<std::pair<unsigned, unsigned>> sequence;
  unsigned stages = 0, last = 0;
  bool updates = llvm::any_of(program.statements, [](const auto &statement) {
    return statement.kind == StatementKind::Update;
  });
  for (unsigned i = 0; i < program.statements.size(); ++i) {
    const StatementSummary &statement = program.statements[i];
    unsigned accesses = statement.accesses.size();
    switch (statement.kind) {
    case StatementKind::Stage:
      ++stages;
      for (unsigned a = 0; a < accesses; ++a)
        sequence.push_back({i, a});
      break;
    case StatementKind::Init:
      sequence.push_back({i, accesses - 1});
      break;
    case StatementKind::Finish:
    case StatementKind::Map:
      // Other statements are negligible next to updates, so they do not take
      // rows from these.
      if (updates)
        break;
      [[fallthrough]];
    case StatementKind::Update:
      for (unsigned a = accesses - 1; a-- > 0;)
        sequence.push_back({i, a});
      sequence.push_back({i, accesses - 1});
      last = accesses;
      break;
    }
  }
  if (options.onlyTwoOperands &&
      (!updates || stages != 2 || sequence.size() != kDataflowSteps))
    return;
  // If there are too many accesses, keeps the last ones of the update, with the
  // result at the end, and the first ones before.
  if (sequence.size() > kDataflowSteps) {
    size_t kept = std::min<size_t>(last, kDataflowSteps);
    sequence.erase(sequence.begin() + (kDataflowSteps - kept),
                   sequence.end() - kept);
  }
  features.hasDataflow = true;
  for (unsigned n = 0; n < sequence.size(); ++n)
    writeFlowStep(program, sequence[n].first, sequence[n].second, options,
                  features.dataflow.data() + n * kDataflowFeatureSize);
}

ProgramFeatures pruner::featuresOf(const ProgramSummary &program,
                                   const TaskFlags &flags,
                                   const FeatureOptions &options) {
  ProgramFeatures features;
  for (unsigned i = 0; i < program.statements.size(); ++i) {
    if (program.isOverwritten(i))
      continue;
    features.statements.resize(features.statements.size() +
                               kStatementFeatureSize);
    writeRow(program, i, flags,
             features.statements.data() +
                 size_t(features.rows) * kStatementFeatureSize);
    ++features.rows;
  }
  writeDataflow(program, options, features);
  return features;
}

/// The index of each statement in the pre-order of the tree of loops. Loops
/// with one iteration are not nodes. A marker follows each leaf.
static std::vector<float> leafPositions(const ProgramSummary &program) {
  std::vector<float> positions;
  int64_t next = 0;
  for (const StatementSummary &statement : program.statements) {
    next +=
        llvm::count_if(llvm::drop_begin(statement.loops, statement.sharedLoops),
                       [](const LoopSummary &loop) { return loop.extent > 1; });
    positions.push_back(float(next));
    next += 2;
  }
  return positions;
}

ProgramFeatures pruner::treeFeaturesOf(const ProgramSummary &program,
                                       const TaskFlags &flags) {
  ProgramFeatures features;
  features.rows = int(program.statements.size());
  features.statements.resize(program.statements.size() * kStatementFeatureSize);
  for (unsigned i = 0; i < program.statements.size(); ++i)
    writeRow(program, i, flags,
             features.statements.data() + size_t(i) * kStatementFeatureSize);
  features.positions = leafPositions(program);
  return features;
}

//===----------------------------------------------------------------------===//
// Task flags
//===----------------------------------------------------------------------===//

TaskFlags pruner::taskFlags(const TaskDesc &task) {
  TaskFlags result;
  bool compares = false, adds = false;
  for (const StatementDesc &statement : task.statements) {
    compares |= statement.ops.floatCmp > 0 || statement.ops.intCmp > 0;
    adds |= statement.ops.floatAddSub > 0 && !task.hasReduction();
  }
  const StatementDesc &anchor = task.anchorStatement();
  bool window = false;
  for (const OperandDesc &input : anchor.inputs)
    for (const LinearExpr &expr : input.map)
      window |=
          llvm::count_if(expr.coeffs, [](int64_t c) { return c != 0; }) > 1;
  // Parallel dimensions that every operand has: batches and channels.
  bool everywhere = false;
  for (unsigned d = 0; d < anchor.dims.size(); ++d) {
    if (anchor.dims[d].reduction || anchor.dims[d].extent == 1)
      continue;
    everywhere |= llvm::all_of(anchor.inputs, [&](const OperandDesc &input) {
      return llvm::any_of(input.map,
                          [&](const LinearExpr &e) { return e.uses(d); });
    });
  }
  bool product = task.hasReduction() && anchor.inputs.size() == 2;
  llvm::StringRef name = task.name;
  result.flags[0] = compares;
  result.flags[1] = name.contains("min");
  result.flags[2] = adds || task.epilogue >= 0;
  result.flags[3] = product && window && !everywhere;
  result.flags[4] = name.contains("winograd");
  result.flags[5] = product && window && everywhere;
  result.flags[6] = product && !window && !everywhere;
  result.flags[7] = name.contains("softmax");
  result.flags[8] = product && !window && everywhere;
  return result;
}
