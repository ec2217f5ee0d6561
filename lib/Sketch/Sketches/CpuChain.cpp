//===- CpuChain.cpp - CPU chains between products -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// S S S S: cores, a loop, blocks of register tiles, rows of a register tile;
// along a row blocks of register tiles, and the columns of a register tile.
//
// A block of rows passes through all statements. The results of the first
// product and of the statements after it stay in buffers for the block. If no
// statement between the products reduces rows, a block of rows passes in parts
// of one block along the rows, and the second product accumulates over them.
//
// A matrix instruction computes both products. It reads the rows in place, and
// a copy packs the other factor of the second product for all rows of a core's
// tile.
//
//===----------------------------------------------------------------------===//

#include "../ChainPlan.h"
#include "../CpuRowBuilder.h"
#include "../GuidedDraw.h"
#include "../Registry.h"
#include "../ResourceCounter.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace pruner;
using detail::broken;

namespace {

enum : unsigned { Loop = 0, Block = 1, Register = 2, BlockAlong = 0 };

constexpr TileLevel kParallel[] = {
    {"loop", LevelKind::Loop},
    {"block", LevelKind::Loop},
    {"register", LevelKind::Rows, LevelKind::Vectors}};
constexpr TileLevel kReduction[] = {
    {"block along rows", LevelKind::Loop},
    {"register", LevelKind::Rows, LevelKind::Vectors}};

class Builder : public CpuRowBuilder {
public:
  Builder(const TaskForms &forms, const Schedule &schedule, ProgramSink &sink)
      : CpuRowBuilder(forms, schedule, sink), plan(task),
        use(instructionUse(task, schedule)),
        useOfSecond(instructionUseOfSecond(task, schedule)) {}

private:
  void nest() override;
  void packSecond();
  void block();
  void addBuffers(bool wholeBlock);
  void firstProduct();
  void rowsBetween();
  int allocate(const ChainPlan::Product &product, bool blocks);
  BoxLoops tileOf(const ChainPlan::Product &product) const;
  void init(const ChainPlan::Product &product, int acc);
  void update(const ChainPlan::Product &product, int acc);
  void finish(const ChainPlan::Product &product, int acc);

  int64_t rowsOf(unsigned dim) const override {
    return ChainPlan::rowsOf(schedule, holdsBlock, dim);
  }
  void addAlong(BufferDesc &buffer, unsigned coord, unsigned dim) override {
    const TensorDesc &tensor = task.tensors[allocated];
    buffer.shape.push_back(plan.roomAlong(schedule, tensor, dim));
    buffer.layout.push_back({coord, 1, 0});
  }
  void alongBand(llvm::function_ref<void()> inside) override {
    if (plan.byParts)
      innerBand(LoopLevel::Serial, reductions, BlockAlong, inside);
    else
      tileBand(reductions, inside);
  }
  void blockBand(llvm::function_ref<void()> inside) {
    innerBand(LoopLevel::Serial, parallels, Block, inside);
  }

  const ChainPlan plan;
  /// How a matrix instruction computes the products.
  const std::optional<InstructionUse> use, useOfSecond;
  /// The buffer of the factor that the instruction packs.
  int packed = -1;
  /// The tensor whose buffer is being added, and whether it holds a block.
  int allocated = 0;
  bool holdsBlock = false;
};

class CpuChain final : public SketchWith<Builder> {
public:
  CpuChain()
      : SketchWith(SketchId::CpuChain, "cpu_chain", /*gpu=*/false,
                   /*bodyLimit=*/1024, kParallel, kReduction) {}

  bool tilesReduction() const override { return true; }
  MaybeViolation fits(const TaskDesc &task) const override {
    if (task.joinsProducts())
      return std::nullopt;
    return broken(1, "variant " + name.str() +
                         " is only for chains between products, but the task "
                         "is not one");
  }
  llvm::SmallVector<int64_t, 6>
  registerTile(const TaskDesc &task, const Schedule &schedule) const override;
  void count(ResourceCounter &counter) const override;
  void guide(const TileSpace &tiles, Schedule &schedule,
             Random &random) const override;
};

} // namespace

const Sketch &pruner::cpuChain() {
  static const CpuChain sketch;
  return sketch;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

void Builder::nest() {
  outerBand(LoopLevel::Core, rastered, [&] {
    stageAll(StageLevel::Outer);
    if (useOfSecond)
      packSecond();
    innerBand(LoopLevel::Serial, parallels, Loop, [&] {
      stageAll(StageLevel::Inner);
      block();
    });
  });
}

/// Packs an argument of the second product. The anchor does not read it, so the
/// copy has the number after the last input.
void Builder::packSecond() {
  const OperandDesc &operand =
      task.statements[plan.second.statement].inputs[useOfSecond->bInput];
  const TensorDesc &tensor = task.tensors[operand.tensor];
  StageLayout memory = stageLayoutOfSecond(task, schedule);
  StageNode node;
  node.input = int(anchor.inputs.size());
  node.map = &operand.map;
  node.at = enclosing;
  node.box = std::move(memory.box);
  node.vector = schedule.vector;
  node.reads = forms.packedBySecond;

  BufferDesc buffer;
  buffer.name = tensor.name + ".packed";
  buffer.level = MemoryLevel::Local;
  buffer.type = tensor.type;
  buffer.tensorShape = tensor.shape;
  buffer.at = node.at;
  buffer.shape = std::move(memory.shape);
  buffer.layout = std::move(memory.layout);
  node.buffer = packed = int(program.buffers.size());
  program.buffers.push_back(std::move(buffer));
  sink.add(node);
}

/// One block of rows.
void Builder::block() {
  for (unsigned t = 0; t < task.tensors.size(); ++t)
    tensorBuffer.push_back(t);
  bool split = llvm::any_of(reductions, [&](unsigned d) {
    return outerLevel(task, schedule, d).steps > 1;
  });
  auto rows = [&] {
    addBuffers(/*wholeBlock=*/true);
    firstProduct();
    rowsBetween();
  };
  auto tiles = [&](llvm::function_ref<void()> inside) {
    tileBand(forms.columns, [&] { blockBand(inside); });
  };
  if (!split) {
    rows();
    tiles([&] {
      int acc = allocate(plan.second, /*blocks=*/false);
      init(plan.second, acc);
      update(plan.second, acc);
      finish(plan.second, acc);
    });
    return;
  }
  // The accumulators of the second product hold the block between the parts.
  int acc = allocate(plan.second, /*blocks=*/true);
  tiles([&] { init(plan.second, acc); });
  if (!plan.byParts)
    rows();
  outerBand(LoopLevel::Serial, reductions, [&] {
    if (plan.byParts)
      rows();
    tiles([&] { update(plan.second, acc); });
  });
  tiles([&] { finish(plan.second, acc); });
}

/// Adds the buffers that hold a block, or those that hold the rows of a
/// register tile.
void Builder::addBuffers(bool wholeBlock) {
  holdsBlock = wholeBlock;
  for (auto [n, buffer] : llvm::enumerate(plan.buffers)) {
    if (buffer.wholeBlock != wholeBlock)
      continue;
    allocated = buffer.tensor;
    int index = rowBuffer(ChainPlan::writerOf(task, allocated));
    for (unsigned t = 0; t < task.tensors.size(); ++t)
      if (plan.bufferOf[t] == int(n))
        tensorBuffer[t] = index;
  }
}

void Builder::firstProduct() {
  // A panel of the columns stays in the nearest cache for all rows.
  alongBand([&] {
    blockBand([&] {
      int acc = allocate(plan.first, /*blocks=*/false);
      init(plan.first, acc);
      update(plan.first, acc);
      finish(plan.first, acc);
    });
  });
}

void Builder::rowsBetween() {
  if (plan.between.empty())
    return;
  blockBand([&] {
    addBuffers(/*wholeBlock=*/false);
    for (unsigned s : plan.between)
      if (task.statements[s].hasReduction())
        reduceRows(s);
      else
        mapRows(s);
  });
}

/// The dimension along vectors of a product's result, which is the last of its
/// coordinates that vectors may run along.
static std::optional<unsigned> vectorsOf(const TaskDesc &task,
                                         const Schedule &schedule,
                                         const OperandDesc &result) {
  for (const LinearExpr &expr : llvm::reverse(result.map))
    if (std::optional<unsigned> d = expr.singleDim();
        d && runsAlongVectors(task, schedule, *d))
      return d;
  return std::nullopt;
}

int Builder::allocate(const ChainPlan::Product &product, bool blocks) {
  const OperandDesc &result = task.statements[product.statement].output;
  return registerTiles(
      result, vectorsOf(task, schedule, result), [&](unsigned d) -> int64_t {
        if (!blocks)
          return 1;
        return task.kindOf(d) == DimKind::Parallel
                   ? schedule.tiles[d][Block]
                   : ceilDiv(program.dims[d].extent, schedule.tiles[d].back());
      });
}

ProgramBuilder::BoxLoops
Builder::tileOf(const ChainPlan::Product &product) const {
  const OperandDesc &result = task.statements[product.statement].output;
  DimList dims;
  for (const LinearExpr &expr : result.map)
    if (std::optional<unsigned> d = expr.singleDim())
      dims.push_back(*d);
  return tileLoops(dims, vectorsOf(task, schedule, result), Register);
}

void Builder::init(const ChainPlan::Product &product, int acc) {
  ComputeNode node;
  node.role = ComputeRole::Init;
  node.reduction = product.statement;
  node.at = enclosing;
  node.loops = tileOf(product);
  node.write = {acc, &task.statements[product.statement].output.map};
  sink.add(node);
}

/// Over all terms, or over one block along the rows.
void Builder::update(const ChainPlan::Product &product, int acc) {
  ComputeNode node = rowNode(product.statement);
  node.role = ComputeRole::Update;
  node.at = enclosing;
  node.write.buffer = acc;
  bool isFirst = product.statement == unsigned(task.anchor);
  const std::optional<InstructionUse> &by = isFirst ? use : useOfSecond;
  const auto &dims = task.statements[product.statement].dims;
  for (unsigned d = 0; d < dims.size(); ++d) {
    if (!dims[d].reduction)
      continue;
    int64_t extent = task.kindOf(d) == DimKind::Terms ? dims[d].extent
                                                      : schedule.tileSize(d);
    int64_t terms = by && by->sumDim == d ? by->sums : 1;
    node.loops.push_back({d, ceilDiv(extent, terms), terms, LoopLevel::Serial});
  }
  llvm::append_range(node.loops,
                     by ? loopsBy(*by, tileOf(product)) : tileOf(product));
  node.instruction = by ? by->instruction : nullptr;
  if (isFirst)
    for (auto [read, buffer] : llvm::zip_equal(node.reads, operandBuffer))
      if (buffer >= 0)
        read.buffer = buffer;
  if (!isFirst && packed >= 0)
    node.reads[by->bInput].buffer = packed;
  node.unroll = schedule.unroll;
  sink.add(node);
}

void Builder::finish(const ChainPlan::Product &product, int acc) {
  const OperandDesc &result = task.statements[product.statement].output;
  ComputeNode node;
  if (product.finish >= 0) {
    node = rowNode(product.finish);
    for (auto [read, input] :
         llvm::zip_equal(node.reads, task.statements[product.finish].inputs))
      if (input.tensor == result.tensor)
        read.buffer = acc;
  } else {
    node.reads.push_back({acc, &result.map});
    node.write = {tensorBuffer[result.tensor], &result.map};
  }
  node.role = ComputeRole::Finish;
  node.at = enclosing;
  node.loops = tileOf(product);
  sink.add(node);
}

//===----------------------------------------------------------------------===//
// Resources
//===----------------------------------------------------------------------===//

/// The rows of a register tile, its columns of the first product, and those of
/// the second.
llvm::SmallVector<int64_t, 6>
CpuChain::registerTile(const TaskDesc &task, const Schedule &schedule) const {
  llvm::SmallVector<int64_t, 6> tile;
  for (DimKind kind : {DimKind::Parallel, DimKind::Reduction, DimKind::Columns})
    for (unsigned d = 0; d < task.dims().size(); ++d)
      if (task.kindOf(d) == kind)
        tile.push_back(schedule.tiles[d].back());
  return tile;
}

/// Tile registers of both products, `tall` tiles by `wide` ones and
/// `wideSecond` ones. In each product all tiles of the factor that has fewer
/// are held, and one of the other. LLVM configures a register once in a
/// function, for tiles of one shape, so the products share registers only for
/// tiles of equal shapes.
static int64_t tileRegisters(const InstructionUse &use,
                             const InstructionUse &second, int64_t tall,
                             int64_t wide, int64_t wideSecond) {
  const MatrixInstruction &instruction = *use.instruction;
  int64_t rowBytes = instruction.widths.front().bytes;
  using Counts = std::map<std::pair<int64_t, int64_t>, int64_t>;
  Counts all;
  auto add = [&](const InstructionUse &product, int64_t width) {
    Counts own;
    own[{product.rows, rowBytes}] += tall * width;
    own[{product.rows, product.sums * byteWidth(instruction.operands)}] +=
        tall <= width ? tall : 1;
    own[{product.sums / instruction.group, rowBytes}] +=
        tall <= width ? 1 : width;
    for (const auto &[shape, count] : own)
      all[shape] = std::max(all[shape], count);
  };
  add(use, wide);
  add(second, wideSecond);
  int64_t registers = 0;
  for (const auto &[shape, count] : all)
    registers += count;
  return registers;
}

/// As in cpu_tile, for the product with the larger register tile.
void CpuChain::count(ResourceCounter &c) const {
  int64_t rows = 1, along = 1, columns = 1, tilesOfColumns = 1;
  for (unsigned d = 0; d < c.task.dims().size(); ++d) {
    if (c.schedule.tiles[d].empty())
      continue;
    int64_t tile = c.schedule.tiles[d].back();
    switch (c.task.kindOf(d)) {
    case DimKind::Parallel:
      rows *= tile;
      break;
    case DimKind::Reduction:
      along *= tile;
      break;
    case DimKind::Columns:
      columns *= tile;
      tilesOfColumns *= ceilDiv(c.task.dims()[d].extent, tile);
      break;
    case DimKind::Terms:
      break;
    }
  }
  int64_t lanes = c.lanes(), widest = std::max(along, columns);
  c.used.accumulators = rows * widest;
  c.used.accumulatorRegisters = ceilDiv(c.used.accumulators, lanes);
  c.used.operandRegisters = ceilDiv(widest, lanes) + 1;
  std::optional<InstructionUse> use = instructionUse(c.task, c.schedule);
  if (use && use->instruction->isTile()) {
    c.used.tiles =
        tileRegisters(*use, *instructionUseOfSecond(c.task, c.schedule),
                      ceilDiv(rows, use->rows), ceilDiv(along, lanes),
                      ceilDiv(columns, lanes));
    c.used.accumulatorRegisters = c.used.operandRegisters = 0;
  } else if (use) {
    c.used.accumulatorRegisters += use->shiftsA ? ceilDiv(widest, lanes) : 0;
    c.used.operandRegisters += use->instruction->addsApart();
  }

  ChainPlan plan(c.task);
  auto bytesOf = [&](const ChainPlan::Product &product) {
    int tensor = c.task.statements[product.statement].output.tensor;
    return byteWidth(c.task.tensors[tensor].type);
  };
  int64_t packed = 0;
  if (use)
    packed = stageLayoutOfSecond(c.task, c.schedule).elements() *
             byteWidth(use->instruction->operands);
  int64_t blocks = c.splitReduction ? c.product(Block) * tilesOfColumns : 1;
  c.used.localBytes = packed + plan.bytes(c.schedule) + c.stagedBytes().first +
                      rows * along * bytesOf(plan.first) +
                      rows * columns * blocks * bytesOf(plan.second);
}

//===----------------------------------------------------------------------===//
// Guided draws
//===----------------------------------------------------------------------===//

/// Draws the rows and columns of tile registers of both products.
static void guideTiles(const TileSpace &tiles, Schedule &s,
                       const InstructionUse &use, Random &random) {
  constexpr std::pair<int64_t, int64_t> kShapes[] = {{2, 2}, {2, 2}, {1, 4},
                                                     {1, 2}, {1, 1}, {2, 1}};
  auto [rows, columns] = pick(kShapes, random);
  s.tiles[use.rowDim].back() =
      use.rows * std::min(rows, tiles.remaining(use.rowDim, use.rows));
  for (unsigned d = 0; d < s.tiles.size(); ++d) {
    int64_t unit = s.tiles[d].empty() ? 0 : tiles.unitAlong(s, d);
    if (unit && d != use.rowDim) {
      int64_t most = std::max<int64_t>(1, columns * s.vector / unit);
      s.tiles[d].back() = unit * std::min(most, tiles.remaining(d, unit));
    }
  }
}

/// Draws the columns of both products, and as many rows as then fit into the
/// registers, or a few less. Blocks are drawn last; small ones keep the rows
/// between the products in the second-level cache.
void CpuChain::guide(const TileSpace &tiles, Schedule &s,
                     Random &random) const {
  drawVectors(tiles, s, random);
  llvm::ArrayRef<IterDim> dims = tiles.dims();
  auto drawBlocks = [&] {
    for (unsigned d = 0; d < dims.size(); ++d)
      if (!s.tiles[d].empty())
        fillOuter(tiles, s, d, s.tiles[d].size() - 1, random);
  };
  if (auto use = instructionUse(tiles.task(), s);
      use && use->instruction->isTile()) {
    guideTiles(tiles, s, *use, random);
    return drawBlocks();
  }
  int64_t registers = std::max<int64_t>(3, tiles.machine().vectorRegisters) - 1;
  int64_t widest = 1;
  for (unsigned d = 0; d < dims.size(); ++d)
    if (int64_t unit = tiles.unitAlong(s, d); unit && !s.tiles[d].empty()) {
      int64_t most = std::min<int64_t>(4, tiles.remaining(d, unit));
      int64_t columns = 1 + random.uniform(most);
      s.tiles[d].back() = columns * unit;
      widest = std::max(widest, columns);
    }
  int64_t fit = std::max<int64_t>(1, registers / widest - 1);
  spreadRows(tiles, s, fit - random.uniform(fit / 4 + 1), random);
  drawBlocks();
}
