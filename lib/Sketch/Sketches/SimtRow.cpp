//===- SimtRow.cpp - GPU reductions that threads share --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// A reduction or a chain over rows whose reduction dimensions are also
// distributed to threads (cross-thread reduction). S S S: blocks, threads, rows
// of a thread; R R R: steps, threads, elements of a thread. Every thread
// accumulates a part. The parts are combined across the threads, and all of
// them get the result.
//
//===----------------------------------------------------------------------===//

#include "../GuidedDraw.h"
#include "../Registry.h"
#include "../ResourceCounter.h"
#include "../RowBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <iterator>

using namespace pruner;
using detail::broken;
using detail::text;

/// Whether a thread holds all its elements of a row, not only those of one
/// step.
static bool keepsRow(const TaskDesc &task) {
  return task.rows || task.hasPrologue();
}

namespace {

enum : unsigned { Thread = 0, Element = 1 };

constexpr TileLevel kParallel[] = {{"thread", LevelKind::Threads},
                                   {"element", LevelKind::Copies}};
constexpr TileLevel kReduction[] = {{"thread", LevelKind::Shared},
                                    {"element", LevelKind::Access}};

class Builder : public RowBuilder {
public:
  using RowBuilder::RowBuilder;

private:
  void nest() override;
  void addAlong(BufferDesc &buffer, unsigned coord, unsigned dim) override;
  void mapAlong(ComputeNode node) override;
  void reduceAlong(ComputeNode node) override;
  void reduceAnchor();
  DimList threadOrder() const;
  int rowAccumulator();
  void computeInput(unsigned input);
  BoxLoops stepLoops(LoopLevel level) const;
};

class SimtRow final : public SketchWith<Builder> {
public:
  SimtRow()
      : SketchWith(SketchId::SimtRow, "simt_row", /*gpu=*/true,
                   /*bodyLimit=*/64, kParallel, kReduction) {}

  bool computesInputs() const override { return true; }
  MaybeViolation fits(const TaskDesc &task) const override;
  MaybeViolation check(const TaskDesc &task,
                       const Schedule &schedule) const override;
  llvm::SmallVector<int64_t, 6>
  registerTile(const TaskDesc &task, const Schedule &schedule) const override;
  void count(ResourceCounter &c) const override;
  unsigned share(const TaskDesc &task) const override {
    return task.rows ? 100 : shareAcrossThreads(task);
  }
  void guide(const TileSpace &tiles, Schedule &s,
             Random &random) const override;
};

} // namespace

const Sketch &pruner::simtRow() {
  static const SimtRow sketch;
  return sketch;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

MaybeViolation SimtRow::fits(const TaskDesc &task) const {
  if (task.rows)
    return fitsRows(task, /*rows=*/true);
  if (!task.hasReduction())
    return broken(1, "variant " + name.str() +
                         " needs an anchor with reduction dimensions, but the "
                         "task has none");
  const StatementDesc &anchor = task.anchorStatement();
  for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
    const OperandDesc &input = anchor.inputs[i];
    if (input.padded)
      return broken(1, "variant " + name.str() + " stages nothing, input " +
                           text(i) + " is padded");
    if (task.prologues[i] >= 0 &&
        !llvm::all_of(input.map, [](const LinearExpr &expr) {
          return expr.singleDim().has_value();
        }))
      return broken(1, "variant " + name.str() +
                           " computes inputs element by element, input " +
                           text(i) + " is read by windows");
  }
  return std::nullopt;
}

MaybeViolation SimtRow::check(const TaskDesc &task,
                              const Schedule &schedule) const {
  const auto &dims = task.anchorStatement().dims;
  int64_t threads = 1;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (dims[d].reduction)
      threads = std::min<int64_t>(INT32_MAX, threads) *
                std::min<int64_t>(INT32_MAX, schedule.tiles[d][Thread]);
  if (threads == 1)
    return std::nullopt;
  if (!llvm::isPowerOf2_64(threads))
    return broken(21, text(threads) +
                          " threads share a row, which is not a power of "
                          "two");
  for (unsigned s = 0; s < task.statements.size(); ++s)
    if (!task.statements[s].associative && task.statements[s].hasReduction())
      return broken(21, text(threads) + " threads share a row, but statement " +
                            text(s) +
                            " does not accumulate by one associative "
                            "operation");
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

void Builder::nest() {
  blockBand([&] {
    innerBand(LoopLevel::Thread, threadOrder(), Thread, [&] {
      if (task.rows)
        chain(/*inPlace=*/std::nullopt);
      else
        reduceAnchor();
    });
  });
}

void Builder::reduceAnchor() {
  int acc = rowAccumulator();
  init(acc, rowLoops());
  for (unsigned i = 0; i < anchor.inputs.size(); ++i)
    if (task.prologues[i] >= 0)
      computeInput(i);
  // For inputs in memory, only parts of a row need to be in registers.
  BoxLoops loops =
      stepLoops(task.hasPrologue() ? LoopLevel::Unroll : LoopLevel::Serial);
  llvm::append_range(loops, rowLoops());
  update(acc, std::move(loops));
  finish(acc, rowLoops());
}

/// All dimensions. Neighboring threads are neighbors along the last one, along
/// which the largest input is contiguous in memory.
ProgramBuilder::DimList Builder::threadOrder() const {
  std::optional<unsigned> fastest;
  int64_t most = 0;
  for (const OperandDesc &input : anchor.inputs) {
    int64_t elements = task.tensors[input.tensor].elements();
    if (input.map.empty() || elements <= most)
      continue;
    for (unsigned d = 0; d < anchor.dims.size(); ++d)
      if (input.map.back().coeffs[d] == 1 && anchor.dims[d].extent > 1) {
        fastest = d;
        most = elements;
      }
  }
  DimList order(parallels);
  llvm::append_range(order, reductions);
  if (auto *place = llvm::find(order, fastest.value_or(order.back()));
      place != order.end())
    std::rotate(place, place + 1, order.end());
  return order;
}

/// One element for each row of a thread.
int Builder::rowAccumulator() {
  BufferDesc buffer = accumulator(MemoryLevel::Local);
  for (unsigned r = 0; r < outputDims.size(); ++r)
    addWithin(buffer, r, schedule.tiles[outputDims[r]][Element], 0);
  return addAlloc(std::move(buffer));
}

/// An input that a prologue computes: each thread keeps its own elements.
void Builder::computeInput(unsigned input) {
  const OperandDesc &operand = anchor.inputs[input];
  auto used = [&](const BoxLoop &loop) {
    return ResourceCounter::uses(operand, loop.dim);
  };
  ComputeNode node;
  node.role = ComputeRole::Map;
  node.statement = task.prologues[input];
  llvm::copy_if(rowLoops(), std::back_inserter(node.loops), used);
  llvm::copy_if(stepLoops(LoopLevel::Unroll), std::back_inserter(node.loops),
                used);
  node.reads = forms.inputs[input].computed;
  node.at = runsAlong(operand) ? enclosing : acrossRow;
  operandBuffer[input] = rowBuffer(operand);
  node.write = {operandBuffer[input], &operand.map};
  sink.add(node);
}

/// The memory of a thread does not contain the elements of the other threads.
void Builder::addAlong(BufferDesc &buffer, unsigned coord, unsigned dim) {
  buffer.shape.push_back(outerLevel(task, schedule, dim).steps);
  buffer.layout.push_back({coord, schedule.tileSize(dim), 0});
  int64_t elements = schedule.tiles[dim][Element];
  addWithin(buffer, coord, elements, elements);
}

/// The loops of one thread along a row, in steps of all threads.
ProgramBuilder::BoxLoops Builder::stepLoops(LoopLevel level) const {
  BoxLoops loops;
  for (unsigned d : reductions)
    loops.push_back(
        {d, outerLevel(task, schedule, d).steps, schedule.tileSize(d), level});
  for (unsigned d : reductions)
    loops.push_back({d, schedule.tiles[d][Element], 1, LoopLevel::Unroll});
  return loops;
}

/// Registers cannot be indexed, so all elements of a thread are unrolled.
void Builder::mapAlong(ComputeNode node) {
  llvm::append_range(node.loops, stepLoops(LoopLevel::Unroll));
  node.at = enclosing;
  sink.add(node);
}

void Builder::reduceAlong(ComputeNode node) {
  node.loops = stepLoops(LoopLevel::Unroll);
  llvm::append_range(node.loops, rowLoops());
  sink.add(node);
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

llvm::SmallVector<int64_t, 6>
SimtRow::registerTile(const TaskDesc &task, const Schedule &schedule) const {
  auto tile = Sketch::registerTile(task, schedule);
  const auto &dims = task.anchorStatement().dims;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (dims[d].reduction)
      tile.push_back(
          schedule.tiles[d][Element] *
          (keepsRow(task) ? outerLevel(task, schedule, d).steps : 1));
  return tile;
}

/// Threads of different warps combine their values through shared memory: one
/// element for each row of each thread.
static int64_t exchangeBytes(const ResourceCounter &c, int64_t rows) {
  llvm::SmallVector<ElementType, 4> types;
  for (const StatementDesc &statement : c.task.statements)
    if (statement.hasReduction())
      types.push_back(c.task.tensors[statement.output.tensor].type);
  llvm::sort(types);
  types.erase(llvm::unique(types), types.end());
  int64_t bytes = 0;
  for (ElementType type : types)
    bytes += c.used.threads * rows * byteWidth(type);
  return bytes;
}

/// The number of tensors between the statements of a chain that run along its
/// rows.
static int64_t keptTensors(const TaskDesc &task) {
  const auto &dims = task.anchorStatement().dims;
  int64_t kept = 0;
  for (const StatementDesc &statement : task.statements)
    if (task.tensors[statement.output.tensor].argument < 0)
      kept += llvm::any_of(statement.output.map, [&](const LinearExpr &e) {
        return dims[*e.singleDim()].reduction;
      });
  return kept;
}

/// The sums of a thread and its elements of every input; in a chain also the
/// results of the statements along the row.
void SimtRow::count(ResourceCounter &c) const {
  int64_t rows = c.product(Element), perElement = c.registersPerElement();
  auto along = [&](unsigned d) {
    return outerLevel(c.task, c.schedule, d).steps *
           c.schedule.tiles[d][Element];
  };
  c.used.accumulators = rows;
  for (unsigned d = 0; d < c.anchor.dims.size(); ++d)
    if (c.anchor.dims[d].reduction)
      c.used.accumulators *=
          keepsRow(c.task) ? along(d) : c.schedule.tiles[d][Element];
  c.used.rowThreads = c.product(Thread, /*reduction=*/true);
  c.used.threads = c.product(Thread) * c.used.rowThreads;
  if (c.used.rowThreads > 1)
    c.used.sharedBytes = c.used.allocatedSharedBytes = exchangeBytes(c, rows);
  if (c.task.rows) {
    c.used.accumulatorRegisters = c.used.accumulators * perElement *
                                  std::max<int64_t>(1, keptTensors(c.task));
    c.used.operandRegisters = rows * perElement;
    c.used.localBytes = c.rowBytes(/*inPlace=*/std::nullopt, along);
    return;
  }
  c.used.accumulatorRegisters = rows * perElement;
  c.used.operandRegisters =
      c.anchor.inputs.size() * c.used.accumulators * perElement;
  c.used.localBytes = rows * c.outputBytes();
  for (unsigned i = 0; i < c.anchor.inputs.size(); ++i)
    if (c.task.prologues[i] >= 0)
      c.used.localBytes += c.rowBytes(c.anchor.inputs[i], along);
}

//===----------------------------------------------------------------------===//
// Guided draws
//===----------------------------------------------------------------------===//

/// Threads along the reduction first, as many as have work there; the rest of a
/// block on rows; few elements at a time.
void SimtRow::guide(const TileSpace &tiles, Schedule &s, Random &random) const {
  const int64_t threads[] = {32, 64, 128, 128, 256, 256, 512, 1024},
                widths[] = {1, 1, 2, 4, 4, 8}, rows[] = {1, 1, 1, 2, 4};
  int64_t total = pick(threads, random), width = pick(widths, random),
          along = 1;
  for (unsigned d = s.tiles.size(); d-- > 0;) {
    if (!tiles.dims()[d].reduction)
      continue;
    while (width > tiles.dims()[d].extent)
      width /= 2;
    s.tiles[d][Element] = width;
    width = 1;
    std::vector<int64_t> shared =
        tiles.choices(d, Thread, tiles.remaining(d, s.tiles[d][Element]), 0);
    unsigned most = 0;
    while (most + 1 < shared.size() && along * shared[most + 1] <= total)
      ++most;
    s.tiles[d][Thread] =
        shared[chance(random, 60) ? most : random.uniform(most + 1)];
    along *= s.tiles[d][Thread];
  }
  spreadFactors(tiles, s, Element, pick(rows, random), random);
  spreadFactors(tiles, s, Thread, std::max<int64_t>(1, total / along), random);
}
