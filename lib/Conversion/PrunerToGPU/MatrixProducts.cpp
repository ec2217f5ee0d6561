//===- MatrixProducts.cpp - products of a warp's matrices -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An update whose instruction all lanes of a warp execute together
// (Program/WarpInstruction.h). The last two loops of the `thread` band are the
// lanes: 8 along rows, and 4 along pairs of columns. The places of the
// statement are then those of the accumulators in each lane:
//
//   rows r, r' of two places:    rows r to r + 7 and r' to r' + 7 of a product
//   columns n, n + 1 of two:     columns n to n + 7
//
// ldmatrix loads the operands from the staged buffers. It takes the address of
// row l % 8 of matrix l / 8 from lane l. Where an operand is contiguous along
// the sum, a row of a matrix is one row (column) of the operand; otherwise it
// is one term of the sum, and the load transposes. Elements of 32 bits, which
// ldmatrix does not transpose, are then loaded by their lanes.
//
//===----------------------------------------------------------------------===//

#include "GpuComputeLowering.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/IR/Layout.h"
#include "pruner/Program/WarpInstruction.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace pruner;

namespace pruner {
class MatrixProducts {
public:
  MatrixProducts(GpuComputeLowering &parent, ArrayRef<IndexForm> offset)
      : parent(parent), builder(parent.builder), op(parent.op), loc(parent.loc),
        instruction(*WarpInstruction::of(
            findMatrixInstruction(*parent.op.getInstruction()))),
        offset(offset) {}

  LogicalResult emit();

private:
  using Forms = GpuComputeLowering::Forms;
  using Values = GpuComputeLowering::Values;
  /// An operand that lies along `dim` and the sum.
  struct Operand {
    unsigned number = 0, dim = 0;
    /// It is contiguous along `dim`.
    bool transposes = false;
    /// The position of its warp relative to the buffer.
    Forms base;
  };
  /// Places that differ only in the row and the column. Each is its number by
  /// row and column.
  using Grid = std::map<int64_t, std::map<int64_t, unsigned>>;

  LogicalResult findLanes();
  LogicalResult findOperands();
  void findPlaces();
  LogicalResult multiply(const Grid &grid);
  Values load(const Operand &operand, ArrayRef<int64_t> place, int64_t begin,
              std::optional<int64_t> next, bool nextFirst);
  Value element(const Operand &operand, const Forms &at);
  IndexForm address(const Operand &operand, const Forms &at);
  const FlatBuffer &bufferOf(const Operand &operand) {
    Value input = op.getInputs()[operand.number];
    return parent.parent.buffers.find(input)->second;
  }
  Value fragment(Value loaded, unsigned n);
  Value rounded(Value number);
  Value pair(Value low, Value high) {
    return vector::FromElementsOp::create(builder, loc,
                                          VectorType::get({2}, low.getType()),
                                          ValueRange{low, high});
  }
  /// The type of a factor.
  NVVM::MMATypes typeOf(bool isSigned);

  GpuComputeLowering &parent;
  OpBuilder &builder;
  ComputeOp op;
  Location loc;
  const WarpInstruction &instruction;
  ArrayRef<IndexForm> offset;
  unsigned rowDim = 0, columnDim = 0;
  SmallVector<Value, 2> lanes;
  /// Of a lane: row l % 8, and the two digits of l / 8, the lowest first.
  std::array<IndexForm, 3> digits;
  /// Of a lane: its row (column) l / 4, and term l % 4, of a matrix.
  IndexForm row, term;
  Operand a, b;
  std::map<SmallVector<int64_t>, Grid> grids;
};
} // namespace pruner

/// The lanes of a warp are the last loops of the threads.
LogicalResult MatrixProducts::findLanes() {
  for (Value offset : op.getAt()) {
    BandIv iv = getBandIv(offset);
    if (iv.band.getLevel() != LoopKind::Thread)
      continue;
    BandOp band = iv.band;
    size_t count = band.getDims().size();
    if (count < 2)
      break;
    ArrayRef<int64_t> trips = band.getTrips().take_back(2),
                      steps = band.getSteps().take_back(2);
    if (trips[0] != WarpInstruction::kRowLanes || steps[0] != 1 ||
        trips[1] != WarpInstruction::kColumnLanes ||
        steps[1] != WarpInstruction::kLaneColumns)
      break;
    rowDim = band.getDims()[count - 2];
    columnDim = band.getDims()[count - 1];
    for (unsigned l : {count - 2, count - 1}) {
      lanes.push_back(band.getBody().getArgument(l));
      if (!llvm::is_contained(op.getAt(), lanes.back()))
        return op.emitOpError("uses '")
               << instruction.name << "', but not all lanes as offsets";
    }
    MemoryEmitter &memory = parent.memory;
    IndexForm thread(IndexTerm{
        parent.parent.threadIndex, 1, parent.parent.shape.threads, {}});
    IndexForm lane = memory.divide(loc, thread, 32).second;
    SmallVector<IndexForm> found = memory.digits(loc, lane, {2, 2, 8});
    digits = {found[2], found[1], found[0]};
    std::tie(row, term) =
        memory.divide(loc, lane, WarpInstruction::kColumnLanes);
    return success();
  }
  return op.emitOpError("uses '")
         << instruction.name
         << "'; expected the last two loops of the 'thread' band to be lanes: "
         << WarpInstruction::kRowLanes << " with step 1 along rows and "
         << WarpInstruction::kColumnLanes << " with step "
         << WarpInstruction::kLaneColumns << " along columns";
}

LogicalResult MatrixProducts::findOperands() {
  bool first = op.getMap(0).isFunctionOfDim(columnDim);
  a.number = first ? 1 : 0;
  b.number = first ? 0 : 1;
  a.dim = rowDim;
  b.dim = columnDim;
  unsigned dotDim = op.getLoopDims().back();
  for (auto [operand, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    AffineMap map = op.getMap(operand->number);
    auto stage = op.getInputs()[operand->number].getDefiningOp<StageOp>();
    unsigned last = toLayoutTerm(stage.getLayout().getResults().back()).coord;
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(last));
    operand->transposes = dim && dim.getPosition() == operand->dim;
    bool along = dim && dim.getPosition() == dotDim;
    bool across = operand->transposes && instruction.loadsAcross();
    if (!(along || across) || !map.isFunctionOfDim(operand->dim) ||
        map.isFunctionOfDim(other->dim))
      return op.emitOpError("uses '")
             << instruction.name << "', but input #" << operand->number
             << " does not lie along d" << operand->dim << " and d" << dotDim;
    SmallVector<Value> excluded(parent.constantOffsets);
    llvm::append_range(excluded, lanes);
    llvm::append_range(excluded, stage.getAt());
    operand->base = parent.parent.position(op.getAt(), excluded);
  }
  auto isSigned = matchProduct(op.getBody().front());
  if (!isSigned ||
      !instruction.factorsOf((*isSigned)[a.number], (*isSigned)[b.number]))
    return op.emitOpError("uses '")
           << instruction.name << "', which extends other signs";
  return success();
}

void MatrixProducts::findPlaces() {
  for (auto [n, place] : llvm::enumerate(parent.places)) {
    SmallVector<int64_t> others(place);
    others[rowDim] = others[columnDim] = 0;
    grids[others][place[rowDim]][place[columnDim]] = n;
  }
}

/// Loads the matrices that begin at `begin` along the operand's dimension, and
/// at `next` if there are more, for all terms of a sum. Matrices follow one
/// another along the sum first, or with `nextFirst` along the dimension.
MatrixProducts::Values MatrixProducts::load(const Operand &operand,
                                            ArrayRef<int64_t> place,
                                            int64_t begin,
                                            std::optional<int64_t> next,
                                            bool nextFirst) {
  unsigned dotDim = op.getLoopDims().back();
  int64_t chunk = instruction.chunkSums();
  bool hasTwoChunks = instruction.sums > chunk;
  Forms at;
  for (auto [dim, form] : llvm::enumerate(operand.base))
    at.push_back(form + offset[dim] + place[dim]);
  auto move = [&](unsigned dim, const IndexForm &by) {
    at[dim] = at[dim] + by;
  };
  move(operand.dim, IndexForm(begin));
  // What each digit of the number of a matrix moves, the fastest first.
  SmallVector<std::pair<unsigned, int64_t>> moves;
  if (next && nextFirst)
    moves.push_back({operand.dim, *next - begin});
  if (hasTwoChunks)
    moves.push_back({dotDim, chunk});
  if (next && !nextFirst)
    moves.push_back({operand.dim, *next - begin});
  int64_t count = int64_t(1) << moves.size();
  Values fragments;
  if (operand.transposes && !instruction.transposes()) {
    move(operand.dim, row);
    move(dotDim, term);
    for (int64_t n = 0; n < count; ++n) {
      Forms here(at);
      for (auto [digit, by] : llvm::enumerate(moves))
        here[by.first] = here[by.first] + (n >> digit & 1) * by.second;
      fragments.push_back(element(operand, here));
    }
    return fragments;
  }
  move(operand.transposes ? dotDim : operand.dim, digits[0]);
  for (auto [digit, by] : llvm::enumerate(moves))
    move(by.first, digits[digit + 1] * by.second);

  const FlatBuffer &buffer = bufferOf(operand);
  auto type = VectorType::get({count, instruction.group}, buffer.element());
  Value loaded = nvgpu::LdMatrixOp::create(
      builder, loc, type, buffer.memref,
      ValueRange{parent.memory.address(loc, address(operand, at))},
      operand.transposes, uint32_t(count));
  for (unsigned n = 0; n < count; ++n)
    fragments.push_back(fragment(loaded, n));
  return fragments;
}

/// The address in the operand's buffer of a position.
IndexForm MatrixProducts::address(const Operand &operand, const Forms &at) {
  // The constant of the map is part of the start of the box.
  AffineMap map = op.getMap(operand.number);
  Forms coords = applyMap(map, at), zero(at.size());
  for (auto [coord, constant] : llvm::zip_equal(coords, applyMap(map, zero)))
    coord = coord + -constant.getConstant();
  SmallVector<int64_t> still(coords.size(), 0);
  IndexBuilder indices(builder, loc);
  return getAddress(indices, bufferOf(operand), coords, still, 1).address;
}

/// The register that holds the element at a position.
Value MatrixProducts::element(const Operand &operand, const Forms &at) {
  return rounded(parent.memory.load(loc, bufferOf(operand).memref,
                                    address(operand, at))[0]);
}

/// Numbers of tf32 are rounded, because the instruction would cut them.
Value MatrixProducts::rounded(Value number) {
  return NVVM::ConvertFloatToTF32Op::create(builder, loc, builder.getI32Type(),
                                            number, NVVM::FPRoundingMode::RNA);
}

/// Register `n` in the type that the instruction takes: words, but pairs of
/// f16.
Value MatrixProducts::fragment(Value loaded, unsigned n) {
  if (instruction.multipliesTensorFloats())
    return rounded(vector::ExtractOp::create(builder, loc, loaded,
                                             ArrayRef<int64_t>{n, 0}));
  Value pair =
      vector::ExtractOp::create(builder, loc, loaded, ArrayRef<int64_t>{n});
  if (instruction.operands == ElementType::F16)
    return pair;
  Type word = VectorType::get({1}, builder.getI32Type());
  Value cast = vector::BitCastOp::create(builder, loc, word, pair);
  return vector::ExtractOp::create(builder, loc, cast, ArrayRef<int64_t>{0});
}

NVVM::MMATypes MatrixProducts::typeOf(bool isSigned) {
  switch (instruction.operands) {
  case ElementType::F16:
    return NVVM::MMATypes::f16;
  case ElementType::BF16:
    return NVVM::MMATypes::bf16;
  case ElementType::F32:
    return NVVM::MMATypes::tf32;
  default:
    return isSigned ? NVVM::MMATypes::s8 : NVVM::MMATypes::u8;
  }
}

LogicalResult MatrixProducts::multiply(const Grid &grid) {
  SmallVector<int64_t> rows, columns;
  for (const auto &row : grid)
    rows.push_back(row.first);
  for (const auto &column : grid.begin()->second)
    columns.push_back(column.first);
  bool isWhole = rows.size() % instruction.rowParts() == 0 &&
                 columns.size() % WarpInstruction::kLaneColumns == 0;
  for (const auto &row : grid)
    isWhole &= row.second.size() == columns.size();
  for (size_t n = 0; isWhole && n < columns.size(); n += 2)
    isWhole = columns[n + 1] == columns[n] + 1;
  if (!isWhole)
    return op.emitOpError("uses '")
           << instruction.name << "' for a tile of " << rows.size() << " x "
           << columns.size()
           << " elements of a lane; expected an even number of rows, and pairs "
              "of neighboring columns";
  SmallVector<int64_t> place(
      parent.places[grid.begin()->second.begin()->second]);
  place[rowDim] = place[columnDim] = 0;

  std::vector<Values> left;
  for (size_t m = 0; m < rows.size(); m += 2)
    left.push_back(load(a, place, rows[m], rows[m + 1], /*nextFirst=*/true));
  bool hasBytes = instruction.operands == ElementType::I8;
  // Two sums of f16 share a register.
  bool hasPairs = instruction.accumulators == ElementType::F16;
  size_t instructions = instruction.deviceInstructions();
  Type sum = hasBytes   ? Type(builder.getI32Type())
             : hasPairs ? Type(VectorType::get({2}, builder.getF16Type()))
                        : Type(builder.getF32Type());
  auto result = LLVM::LLVMStructType::getLiteral(
      builder.getContext(),
      SmallVector<Type>(instruction.cRegisters() / instructions, sum));
  std::optional<NVVM::MMAIntOverflow> overflow;
  if (hasBytes)
    overflow = NVVM::MMAIntOverflow::wrapped;
  std::array types = {typeOf(instruction.aSigned), typeOf(instruction.bSigned)};
  std::array<int64_t, 3> shape = {instruction.deviceRows,
                                  WarpInstruction::kColumns, instruction.sums};
  unsigned output = op.getInputs().size();
  for (size_t n = 0; n < columns.size(); n += 4) {
    bool hasNext = n + 2 < columns.size();
    Values right = load(b, place, columns[n],
                        hasNext ? std::optional(columns[n + 2]) : std::nullopt,
                        /*nextFirst=*/false);
    size_t registers = right.size() / (hasNext ? 2 : 1);
    for (size_t m = 0; m < rows.size(); m += 2)
      for (size_t part = 0; part < (hasNext ? 2u : 1u); ++part) {
        SmallVector<Value *, 4> elements;
        Values accumulators;
        for (unsigned e = 0; e < 4; ++e) {
          int64_t row = rows[m + e / 2], column = columns[n + 2 * part + e % 2];
          unsigned number = grid.find(row)->second.find(column)->second;
          FailureOr<Value *> element = parent.localElement(
              op.getOutput(),
              parent.address(output, parent.places[number], Forms(offset),
                             /*clamp=*/false));
          if (failed(element))
            return failure();
          if (!parent.parent.isWritten(**element))
            return op.emitOpError("accumulates in an element of a local buffer "
                                  "that was not written");
          elements.push_back(*element);
          accumulators.push_back(**element);
        }
        if (hasPairs)
          accumulators = {pair(accumulators[0], accumulators[1]),
                          pair(accumulators[2], accumulators[3])};
        ValueRange factors =
            ValueRange(right).slice(part * registers, registers);
        // Registers hold the upper rows first.
        size_t aCount = left[m / 2].size() / instructions,
               cCount = accumulators.size() / instructions;
        SmallVector<Value, 2> products;
        for (size_t i = 0; i < instructions; ++i)
          products.push_back(NVVM::MmaOp::create(
              builder, loc, result,
              ValueRange(left[m / 2]).slice(i * aCount, aCount), factors,
              ValueRange(accumulators).slice(i * cCount, cCount), shape,
              std::nullopt, overflow, types,
              std::array{NVVM::MMALayout::row, NVVM::MMALayout::col}));
        for (unsigned e = 0; e < 4; ++e) {
          size_t number = hasPairs ? e / 2 : e;
          Value part = LLVM::ExtractValueOp::create(
              builder, loc, products[number / cCount],
              ArrayRef{int64_t(number % cCount)});
          *elements[e] =
              hasPairs ? vector::ExtractOp::create(builder, loc, part,
                                                   ArrayRef<int64_t>{e % 2})
                             .getResult()
                       : part;
        }
      }
  }
  return success();
}

LogicalResult MatrixProducts::emit() {
  if (failed(findLanes()) || failed(findOperands()))
    return failure();
  findPlaces();
  for (const auto &grid : grids)
    if (failed(multiply(grid.second)))
      return failure();
  return success();
}

LogicalResult GpuComputeLowering::multiply(const Forms &offset) {
  return MatrixProducts(*this, offset).emit();
}
