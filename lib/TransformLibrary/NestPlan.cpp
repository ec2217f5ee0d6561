//===- NestPlan.cpp - the loops of a scheduled site -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NestPlan.h"

#include "LoopGroups.h"

#include "pruner/Recognition/Operands.h"
#include "pruner/Sketch/BuildProgram.h"
#include "pruner/Sketch/Sketch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace pruner;

/// The largest number of vectors in one wide vector that LLVM keeps in
/// registers. It must be a power of two.
static constexpr int64_t kMaxVectors = 4;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The largest divisor of `extent` that is at most `size`, or the smallest
/// larger one if it is closer.
static int64_t nearDivisor(int64_t extent, int64_t size) {
  int64_t below = 1, above = extent;
  auto meet = [&](int64_t divisor) {
    if (divisor <= size)
      below = std::max(below, divisor);
    else
      above = std::min(above, divisor);
  };
  for (int64_t divisor = 1; divisor <= extent / divisor; ++divisor)
    if (extent % divisor == 0) {
      meet(divisor);
      meet(extent / divisor);
    }
  return below * 2 > size || above > 2 * size ? below : above;
}

LoopTiles pruner::tilesOf(const LoopTiles &loop, int64_t extent) {
  LoopTiles tiles;
  tiles.extent = extent;
  tiles.inner = std::min(loop.inner, extent);
  int64_t steps = extent / tiles.inner;
  tiles.block =
      tiles.inner *
      nearDivisor(steps, std::max<int64_t>(1, loop.block / tiles.inner));
  steps = extent / tiles.block;
  tiles.core =
      tiles.block *
      nearDivisor(steps, std::max<int64_t>(1, loop.core / tiles.block));
  return tiles;
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

namespace {

class Planner {
public:
  explicit Planner(const Site &site)
      : site(site), op(site.anchor), task(site.task->desc),
        schedule(site.task->schedule), extents(op.getStaticLoopRanges()) {}

  llvm::Expected<NestPlan> plan();

private:
  void spread();
  void findVectors();
  bool findContraction();
  void findRows();
  void fitInnerTile();
  void orderLoops();
  void packInputs();
  void listUnsupported();

  bool isReduction(unsigned loop) {
    return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  }
  /// How the accesses of input `input` of the anchor depend on `loop`.
  enum class Along { Not, Coordinate, LastCoordinate, Strided };
  Along along(unsigned input, unsigned loop) const;
  bool isProduct();
  std::string tileText(ArrayRef<int64_t> sizes) const;

  const Site &site;
  linalg::LinalgOp op;
  const TaskDesc &task;
  const Schedule &schedule;
  SmallVector<int64_t> extents;
  SmallVector<SmallVector<unsigned, 2>> groups;
  std::vector<AccessMap> maps;
  /// The inner tile of the schedule.
  SmallVector<int64_t> scheduled;
  NestPlan nest;
};

} // namespace

Planner::Along Planner::along(unsigned input, unsigned loop) const {
  Along found = Along::Not;
  const AccessMap &map = maps[input];
  for (unsigned r = 0; r < map.size(); ++r) {
    if (!map[r].uses(loop))
      continue;
    if (found != Along::Not || map[r].coeffs[loop] != 1)
      return Along::Strided;
    found = r + 1 == map.size() ? Along::LastCoordinate : Along::Coordinate;
  }
  return found;
}

/// True for a sum of products of two inputs in the form that upstream matches.
bool Planner::isProduct() {
  auto isPair = [](Operation *product, Operation *sum) {
    return (isa<arith::MulFOp>(product) && isa<arith::AddFOp>(sum)) ||
           (isa<arith::MulIOp>(product) && isa<arith::AddIOp>(sum));
  };
  return op.getNumDpsInputs() == 2 &&
         linalg::detail::isContractionBody(*op.getBlock(), isPair);
}

/// Converts the levels of the sketch to tiles of the op's loops.
void Planner::spread() {
  nest.loops.resize(extents.size());
  SmallVector<int64_t> cores(extents), blocks(extents), inner(extents);
  for (unsigned d = 0; d < groups.size(); ++d) {
    if (task.anchorStatement().dims[d].reduction)
      continue;
    unsigned last = sketchOf(schedule).registerLevel();
    spreadTile(schedule.tileSize(d, last), groups[d], extents, inner);
    spreadTile(schedule.tileSize(d, last > 1 ? 1 : 0), groups[d], extents,
               blocks);
    spreadTile(schedule.tileSize(d), groups[d], extents, cores);
  }
  for (unsigned l = 0; l < extents.size(); ++l)
    nest.loops[l] = {extents[l], cores[l], blocks[l], inner[l]};
  scheduled = inner;
}

/// Selects the vector loop, along which the result is contiguous.
void Planner::findVectors() {
  for (unsigned loop : llvm::reverse(nest.coordinates))
    if (extents[loop] > 1) {
      nest.vectors = loop;
      break;
    }
}

bool Planner::findContraction() {
  if (!isProduct())
    return false;
  unsigned vectorInput = along(0, *nest.vectors) == Along::Not ? 1 : 0;
  unsigned rowInput = 1 - vectorInput;
  if (along(vectorInput, *nest.vectors) == Along::Not ||
      along(rowInput, *nest.vectors) != Along::Not)
    return false;
  for (unsigned loop = 0; loop < extents.size(); ++loop) {
    if (extents[loop] == 1)
      continue;
    bool plain = llvm::all_of(ArrayRef{0u, 1u}, [&](unsigned input) {
      return llvm::any_of(maps[input], [&](const LinearExpr &expr) {
        return expr.singleDim() == loop;
      });
    });
    if (isReduction(loop) && plain)
      nest.sum = loop;
    if (!isReduction(loop) && along(vectorInput, loop) == Along::Not &&
        along(rowInput, loop) != Along::Strided &&
        (!nest.rows || extents[loop] > extents[*nest.rows]))
      nest.rows = loop;
  }
  if (nest.sum && nest.rows) {
    nest.vectorsFirst = vectorInput == 0;
    return true;
  }
  nest.sum.reset();
  nest.rows.reset();
  return false;
}

/// Without a contraction, rows are several vectors of one elementwise tile.
void Planner::findRows() {
  for (unsigned loop : nest.coordinates) {
    if (loop == *nest.vectors || extents[loop] == 1)
      continue;
    bool fits = true;
    for (unsigned input = 0; input < maps.size(); ++input)
      fits &= along(input, loop) != Along::Strided;
    if (fits && (!nest.rows || scheduled[loop] > scheduled[*nest.rows]))
      nest.rows = loop;
  }
}

/// Chooses as many accumulators as scheduled, along one dimension of rows and
/// one of vectors, in widths that LLVM keeps in registers.
void Planner::fitInnerTile() {
  int64_t lanes = schedule.vector, elements = 1;
  for (unsigned d = 0; d < groups.size(); ++d)
    if (!task.anchorStatement().dims[d].reduction)
      elements *= schedule.tileSize(d, sketchOf(schedule).registerLevel());
  int64_t extent = extents[*nest.vectors];
  int64_t width = std::min(scheduled[*nest.vectors], extent);
  bool whole = width > lanes && width <= kMaxVectors * lanes &&
               llvm::isPowerOf2_64(width) && extent % width == 0;
  if (!whole) {
    width = std::min(lanes, extent);
    for (int64_t divisor = width; 2 * divisor > width; --divisor)
      if (extent % divisor == 0) {
        width = divisor;
        break;
      }
  }
  int64_t vectors = int64_t(llvm::divideCeil(elements, lanes));
  int64_t rows = vectors / int64_t(llvm::divideCeil(width, lanes));
  for (unsigned loop : nest.coordinates)
    nest.loops[loop].inner = 1;
  nest.loops[*nest.vectors].inner = width;
  if (nest.rows) {
    int64_t most = std::clamp<int64_t>(rows, 1, extents[*nest.rows]);
    int64_t divisor = nearDivisor(extents[*nest.rows], most);
    if (divisor <= most && 4 * divisor >= 3 * most)
      most = divisor;
    // A single row at the edge would not be a product.
    while (most > 2 && extents[*nest.rows] % most == 1)
      --most;
    nest.loops[*nest.rows].inner = most;
  }
  for (unsigned loop : nest.coordinates) {
    LoopTiles &tiles = nest.loops[loop];
    tiles.block = std::max(tiles.block, tiles.inner);
    tiles.core = std::max(tiles.core, tiles.block);
  }
}

void Planner::orderLoops() {
  SmallVector<unsigned> dims;
  for (int64_t dim : schedule.order)
    llvm::append_range(dims, groups[dim]);
  for (unsigned loop : dims)
    nest.order.push_back(llvm::find(nest.coordinates, loop) -
                         nest.coordinates.begin());
  for (unsigned c = 0; c < nest.coordinates.size(); ++c)
    if (!llvm::is_contained(nest.order, c))
      nest.order.push_back(c);
  if (schedule.order.empty())
    llvm::sort(nest.order);
  if (nest.inner != NestPlan::Inner::Loops || op.getNumReductionLoops() == 0)
    return;
  // LLVM vectorizes adjacent accumulators of a row. It does not vectorize a
  // sum, because it must keep the order.
  for (unsigned loop = 0; loop < extents.size(); ++loop)
    if (loop != nest.vectors)
      nest.looped.push_back(loop);
  nest.looped.push_back(*nest.vectors);
}

void Planner::packInputs() {
  for (unsigned input : site.transposed) {
    auto stage = input < schedule.stages.size() ? schedule.stages[input]
                                                : StageLevel::None;
    if (stage != StageLevel::None)
      nest.packed.push_back(input);
  }
}

std::string Planner::tileText(ArrayRef<int64_t> sizes) const {
  std::string text;
  for (unsigned loop : nest.coordinates)
    if (extents[loop] > 1)
      text += (text.empty() ? "" : "x") + std::to_string(sizes[loop]);
  return text;
}

void Planner::listUnsupported() {
  SmallVector<int64_t> inner;
  for (const LoopTiles &tiles : nest.loops)
    inner.push_back(tiles.inner);
  auto wanted = vectorDimension(task, schedule);
  bool moved = wanted && (groups[*wanted].empty() ||
                          groups[*wanted].back() != nest.vectors);
  if (nest.inner == NestPlan::Inner::Loops)
    nest.lost.push_back("vectors, because upstream does not vectorize "
                        "strided reads; LLVM compiles the tile, and "
                        "nothing is fused to it");
  else if (moved)
    nest.lost.push_back("vectors along d" + std::to_string(*wanted) +
                        "; they run along the last dimension of the result");
  if (nest.inner != NestPlan::Inner::Loops && inner != scheduled)
    nest.lost.push_back("the register tile " + tileText(scheduled) +
                        "; it is " + tileText(inner));
  for (unsigned d = 0; d < groups.size(); ++d)
    if (task.anchorStatement().dims[d].reduction &&
        schedule.tileSize(d) < task.anchorStatement().dims[d].extent) {
      nest.lost.push_back("slices of the reduction d" + std::to_string(d) +
                          "; register tiles run over all of it");
      break;
    }
  for (unsigned input = 0; input < schedule.stages.size(); ++input)
    if (schedule.stages[input] != StageLevel::None &&
        !llvm::is_contained(nest.packed, input))
      nest.lost.push_back("the buffer of input " + std::to_string(input) +
                          ", which no op copies; it is read in place");
  if (schedule.prefetch)
    nest.lost.push_back("prefetching");
  if (schedule.stream)
    nest.lost.push_back("non-temporal stores");
  if (schedule.raster >= 0)
    nest.lost.push_back("the order of the tiles of cores");
}

llvm::Expected<NestPlan> Planner::plan() {
  if (sketchOf(schedule).gpu)
    return llvm::createStringError("its schedule is for a GPU");
  if (task.rows)
    return llvm::createStringError(
        "it is a chain over rows, which upstream does not fuse");
  if (!hasWholeBytes(op))
    return llvm::createStringError(
        "upstream's vectors of booleans have another layout than memory");
  auto found = groupLoops(task, op);
  if (!found)
    return llvm::createStringError(
        "the dimensions of its task do not match the loops of the op");
  groups = std::move(*found);
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto map = toAccessMap(op.getMatchingIndexingMap(input));
    if (!map)
      return llvm::createStringError("an index is not a sum of loops");
    maps.push_back(std::move(*map));
  }
  for (AffineExpr expr :
       op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults())
    nest.coordinates.push_back(cast<AffineDimExpr>(expr).getPosition());
  spread();
  findVectors();
  if (!nest.vectors)
    return llvm::createStringError("its result has one element");
  nest.unroll = schedule.unroll;
  bool strided = schedule.vector == 1;
  for (unsigned input = 0; input < maps.size(); ++input)
    strided |= along(input, *nest.vectors) == Along::Strided;
  if (!strided && findContraction()) {
    nest.inner = NestPlan::Inner::Contraction;
  } else if (!strided && llvm::none_of(llvm::seq<unsigned>(0, maps.size()),
                                       [&](unsigned i) {
                                         return along(i, *nest.vectors) ==
                                                Along::Coordinate;
                                       })) {
    nest.inner = NestPlan::Inner::Elementwise;
    findRows();
  }
  if (nest.inner != NestPlan::Inner::Loops)
    fitInnerTile();
  orderLoops();
  packInputs();
  listUnsupported();
  return std::move(nest);
}

llvm::Expected<NestPlan> pruner::planNest(const Site &site) {
  return Planner(site).plan();
}
