//===- StageLayout.cpp - the memory of staged inputs ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramBuilder.h"
#include "WindowView.h"

#include "pruner/Program/WarpInstruction.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

std::optional<unsigned> pruner::defaultVectorDimension(const TaskDesc &task) {
  if (task.rows) {
    for (unsigned d = task.dims().size(); d-- > 0;)
      if (task.kindOf(d) == DimKind::Reduction)
        return d;
    return std::nullopt;
  }
  for (const LinearExpr &expr :
       llvm::reverse(task.anchorStatement().output.map))
    if (std::optional<unsigned> dim = expr.singleDim())
      return dim;
  return std::nullopt;
}

std::optional<unsigned> pruner::vectorDimension(const TaskDesc &task,
                                                const Schedule &schedule) {
  if (schedule.vectorDim >= 0)
    return unsigned(schedule.vectorDim);
  return defaultVectorDimension(task);
}

bool pruner::runsAlongVectors(const TaskDesc &task, const Schedule &schedule,
                              unsigned dim) {
  if (vectorDimension(task, schedule) == dim)
    return true;
  return lastColumn(task) == dim;
}

std::optional<unsigned> pruner::lastColumn(const TaskDesc &task) {
  for (unsigned d = task.dims().size(); d-- > 0;)
    if (task.kindOf(d) == DimKind::Columns)
      return d;
  return std::nullopt;
}

int64_t StageLayout::elements() const {
  return llvm::product_of(shape, int64_t(1));
}

namespace {

class Layouter {
public:
  Layouter(const TaskDesc &task, const Schedule &schedule, unsigned input)
      : Layouter(task, schedule, task.anchorStatement(), input,
                 schedule.stages[input], vectorDimension(task, schedule),
                 instructionUse(task, schedule)) {}

  /// For input `input` of `statement`.
  Layouter(const TaskDesc &task, const Schedule &schedule,
           const StatementDesc &statement, unsigned input, StageLevel where,
           std::optional<unsigned> vectorDim,
           const std::optional<InstructionUse> &use)
      : task(task), schedule(schedule), statement(statement), input(input),
        where(where), gpu(sketchOf(schedule).gpu), vectorDim(vectorDim),
        use(use), windows(windowsMap()),
        map(windows ? *windows : statement.inputs[input].map) {
    if (!use)
      return;
    ofWarp = WarpInstruction::of(use->instruction);
    for (unsigned r = 0; !ofWarp && r < map.size(); ++r)
      if (map[r].singleDim() == use->sumDim)
        grouped = r;
  }

  StageLayout run() {
    for (const LinearExpr &expr : map) {
      int64_t extent = 1;
      for (unsigned d = 0; d < expr.coeffs.size(); ++d)
        if (expr.coeffs[d] != 0)
          extent += std::abs(expr.coeffs[d]) * (boxOf(d) - 1);
      out.box.push_back(extent);
    }
    bool plain = llvm::all_of(
        map, [](const LinearExpr &expr) { return bool(expr.singleDim()); });
    std::optional<unsigned> along = alongVectors();
    if (ofWarp)
      inOrder();
    else if (gpu || (along ? bool(parallelDim(*along)) : plain))
      panels();
    else
      rows(along);
    if (grouped)
      add(*grouped, group(), 1, group());
    if (gpu && !out.shape.empty())
      out.shape.back() += schedule.pad * (isAcross ? ofWarp->padFactor() : 1);
    return std::move(out);
  }

private:
  std::optional<AccessMap> windowsMap() const {
    if (!use || !copiesWindows(task, *use, input))
      return std::nullopt;
    return windowView(task, input, use->sumDim)->map;
  }

  /// Elements of dimension `d` that one staging covers.
  int64_t boxOf(unsigned d) const {
    if (where == StageLevel::Ahead) {
      // Loops end at the extent, so only the innermost tile reaches beyond it.
      return wholeTiles(d);
    }
    // A chain computes whole rows, from all terms.
    if (task.joinsProducts() && task.kindOf(d) != DimKind::Parallel)
      return wholeTiles(d);
    if (!statement.dims[d].reduction)
      return schedule.tileSize(d, gpu || where == StageLevel::Outer ? 0 : 1);
    int64_t slice = schedule.tileSize(d);
    if (where == StageLevel::Inner)
      return slice;
    return outerLevel(task, schedule, d).steps * slice;
  }

  /// The extent, rounded up to whole innermost tiles. Dimensions without tiles
  /// are rounded up to whole sums of the instruction.
  int64_t wholeTiles(unsigned d) const {
    int64_t sums = use && d == use->sumDim ? use->sums : 1;
    int64_t tile = schedule.tiles[d].empty() ? sums : schedule.tiles[d].back();
    return ceilDiv(task.dims()[d].extent, tile) * tile;
  }

  /// Neighbors along the sum of the matrix instruction, which are innermost.
  int64_t group() const { return use->neighbors(input); }

  /// Adds the whole coordinate `r`, or its groups.
  void addWhole(unsigned r) {
    if (r == grouped)
      add(r, ceilDiv(out.box[r], group()), group());
    else
      add(r, out.box[r]);
  }

  void add(unsigned coord, int64_t extent, int64_t div = 1, int64_t mod = 0) {
    out.shape.push_back(extent);
    out.layout.push_back({coord, div, mod});
  }

  /// The parallel dimension that alone defines coordinate `r`, if there is one.
  std::optional<unsigned> parallelDim(unsigned r) const {
    std::optional<unsigned> dim = map[r].singleDim();
    return dim && !statement.dims[*dim].reduction ? dim : std::nullopt;
  }

  /// The last coordinate that moves along vectors.
  std::optional<unsigned> alongVectors() const {
    for (unsigned r = map.size(); r-- > 0;)
      if (vectorDim && map[r].uses(*vectorDim))
        return r;
    return std::nullopt;
  }

  /// The order of the tensor, so that copies move chunks of its last
  /// coordinate. If the instruction cannot load these, the sum comes last.
  void inOrder() {
    unsigned last = map.size() - 1;
    std::optional<unsigned> dim = map[last].singleDim();
    isAcross =
        ofWarp->loadsAcross() &&
        dim == (input == use->aInput ? std::optional(use->rowDim) : vectorDim);
    for (unsigned r = 0; r < map.size() && dim != use->sumDim && !isAcross; ++r)
      if (map[r].singleDim() == use->sumDim)
        last = r;
    for (unsigned r = 0; r < map.size(); ++r)
      if (r != last)
        add(r, out.box[r]);
    add(last, out.box[last]);
  }

  /// The elements of coordinate `r` in one slice of the reduction, if slices
  /// divide the coordinate.
  std::optional<int64_t> sliceOf(unsigned r) const {
    std::optional<unsigned> dim = map[r].singleDim();
    if (!dim || r == grouped || !statement.dims[*dim].reduction ||
        schedule.tiles[*dim].empty())
      return std::nullopt;
    int64_t slice = schedule.tileSize(*dim);
    if (slice >= out.box[r] || out.box[r] % slice != 0)
      return std::nullopt;
    return slice;
  }

  /// Adds coordinates of the reduction. What is packed ahead holds all slices
  /// of it. Each of them is contiguous: the numbers of slices come first,
  /// unless only the first coordinate is divided.
  void addReductions(llvm::ArrayRef<unsigned> coordinates) {
    bool divides = where == StageLevel::Ahead && !coordinates.empty() &&
                   llvm::any_of(coordinates.drop_front(),
                                [&](unsigned r) { return bool(sliceOf(r)); });
    for (unsigned r : coordinates)
      if (std::optional<int64_t> slice = divides ? sliceOf(r) : std::nullopt)
        add(r, out.box[r] / *slice, *slice);
    for (unsigned r : coordinates)
      if (std::optional<int64_t> slice = divides ? sliceOf(r) : std::nullopt) {
        if (*slice > 1) // `d mod 1` is the constant zero.
          add(r, *slice, 1, *slice);
      } else {
        addWhole(r);
      }
  }

  /// Reduction coordinates outside, parallel ones inside, so that the register
  /// tile of one reduction step is contiguous. On CPUs the coordinate of the
  /// register tile is also divided into panels of that tile.
  void panels() {
    llvm::SmallVector<unsigned, 4> outer, inner;
    for (unsigned r = 0; r < map.size(); ++r)
      (parallelDim(r) ? inner : outer).push_back(r);
    // Of several parallel coordinates only the one along vectors (or the last)
    // belongs inside. The others are batches or rows and stay outside.
    std::optional<unsigned> panel;
    for (unsigned r : inner)
      if (!panel || parallelDim(r) == vectorDim ||
          parallelDim(*panel) != vectorDim)
        panel = r;
    for (unsigned r : inner)
      if (r != panel)
        add(r, out.box[r]);
    int64_t tile = panel ? out.box[*panel] : 1;
    if (panel && !gpu) {
      tile = schedule.tiles[*parallelDim(*panel)].back();
      if (out.box[*panel] > tile)
        add(*panel, ceilDiv(out.box[*panel], tile), tile);
    }
    addReductions(outer);
    if (!panel)
      return;
    bool cut = out.box[*panel] > tile;
    // Blocks of one element: `d mod 1` is the constant zero.
    if (!cut || tile > 1)
      add(*panel, tile, 1, cut ? tile : 0);
  }

  /// Elements allocated for a row of `extent` elements that vectors read. If it
  /// costs little, every row is aligned for vectors, so that few vectors
  /// straddle two cache lines.
  int64_t rowRoom(int64_t extent) const {
    int64_t lanes = std::max<int64_t>(schedule.vector, 1);
    int64_t room = ceilDiv(extent, lanes) * lanes;
    return 4 * room <= 5 * extent ? room : extent;
  }

  /// The order of the tensor, with the coordinate along vectors innermost. If
  /// vectors read every n-th element of it (a strided convolution), these
  /// elements are stored contiguously.
  void rows(std::optional<unsigned> along) {
    for (unsigned r = 0; r < map.size(); ++r)
      if (r != along)
        addWhole(r);
    if (!along)
      return;
    int64_t stride = std::abs(map[*along].coeffs[*vectorDim]);
    if (stride > 1 && out.box[*along] > 1) {
      add(*along, stride, 1, stride);
      add(*along, rowRoom(ceilDiv(out.box[*along], stride)), stride);
    } else {
      add(*along, rowRoom(out.box[*along]));
    }
  }

  const TaskDesc &task;
  const Schedule &schedule;
  const StatementDesc &statement;
  unsigned input;
  StageLevel where;
  bool gpu;
  const WarpInstruction *ofWarp = nullptr;
  /// Of an instruction of warps: the input is contiguous along its rows or
  /// columns.
  bool isAcross = false;
  std::optional<unsigned> vectorDim;
  std::optional<InstructionUse> use;
  /// The map of the view that the copy holds instead of the input, if any; and
  /// the map of what it holds.
  std::optional<AccessMap> windows;
  const AccessMap &map;
  /// The coordinate along the sum of a matrix instruction.
  std::optional<unsigned> grouped;
  StageLayout out;
};

} // namespace

StageLayout pruner::stageLayout(const TaskDesc &task, const Schedule &schedule,
                                unsigned input) {
  return Layouter(task, schedule, input).run();
}

StageLayout pruner::stageLayoutOfSecond(const TaskDesc &task,
                                        const Schedule &schedule) {
  std::optional<InstructionUse> use = instructionUseOfSecond(task, schedule);
  return Layouter(task, schedule, task.statements[task.secondProduct()],
                  use->bInput, StageLevel::Outer, lastColumn(task), use)
      .run();
}

ElementType pruner::stagedType(const TaskDesc &task, const Schedule &schedule,
                               unsigned input) {
  const StatementDesc &anchor = task.anchorStatement();
  bool extends = anchor.product && !sketchOf(schedule).gpu &&
                 schedule.instruction == 0 &&
                 schedule.stages[input] != StageLevel::Ahead;
  const OperandDesc &held = extends ? anchor.output : anchor.inputs[input];
  return task.tensors[held.tensor].type;
}

std::optional<unsigned> pruner::panelDimension(const TaskDesc &task,
                                               const Schedule &schedule) {
  const StatementDesc &anchor = task.anchorStatement();
  std::optional<unsigned> along = vectorDimension(task, schedule), found;
  for (StageLevel where :
       {StageLevel::Ahead, StageLevel::Outer, StageLevel::Inner})
    for (unsigned i = 0; i < schedule.stages.size() && !found; ++i) {
      if (schedule.stages[i] != where)
        continue;
      for (const LinearExpr &expr : anchor.inputs[i].map) {
        std::optional<unsigned> d = expr.singleDim();
        if (d && !anchor.dims[*d].reduction &&
            schedule.tiles[*d].back() < anchor.dims[*d].extent &&
            (!found || d == along))
          found = d;
      }
    }
  return found;
}
