//===- SummaryFromIR.cpp - summaries of tiled IR --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Analysis/SummaryFromIR.h"
#include "pruner/Dialect/Pruner/IR/ElementTypes.h"
#include "pruner/Dialect/Pruner/IR/Layout.h"
#include "pruner/Program/MatrixInstruction.h"
#include "pruner/Recognition/Operands.h"
#include "pruner/Recognition/ScalarOps.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace pruner;

namespace {

/// A loop around a statement, or its own; `iv` is null for its own.
struct Loop {
  LoopSummary summary;
  int64_t step = 1;
  Value iv;
};

class KernelReader {
public:
  explicit KernelReader(KernelOp first) : kernel(first) {
    result.summary.gpu = kernel.isGpu();
    result.summary.unrollMaxStep = kernel.getUnrollMax();
  }

  FailureOr<KernelSummary> read() {
    auto function = kernel->getParentOfType<FunctionOpInterface>();
    if (function)
      for (BlockArgument argument : function.getArguments())
        if (failed(addArgument(argument)))
          return failure();
    for (auto next : kernel->getBlock()->getOps<KernelOp>()) {
      kernel = next;
      result.summary.kernels.emplace_back();
      if (failed(readKernel()))
        return failure();
    }
    return std::move(result);
  }

private:
  LogicalResult readKernel() {
    bool ok = true;
    // Regions and ops are visited in order, which is the temporal order of the
    // program.
    kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<AllocOp, StageOp>(op))
        ok &= succeeded(addBuffer(op->getResult(0)));
      if (auto packed = dyn_cast<PackedOp>(op))
        setLayout(packed);
      if (auto stage = dyn_cast<StageOp>(op))
        ok &= succeeded(visit(stage));
      else if (auto compute = dyn_cast<ComputeOp>(op))
        ok &= succeeded(visit(compute));
    });
    return success(ok);
  }

  LogicalResult addArgument(BlockArgument argument) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
      return kernel.emitError("argument #")
             << argument.getArgNumber() << " of type " << argument.getType()
             << " is not a plain memref of static shape";
    BufferDesc buffer;
    buffer.name = "arg" + std::to_string(argument.getArgNumber());
    buffer.argument = argument.getArgNumber();
    buffer.tensorShape.assign(type.getShape().begin(), type.getShape().end());
    for (unsigned r = 0; r < buffer.tensorShape.size(); ++r)
      buffer.layout.push_back({r, 1, 0});
    return add(argument, type, std::move(buffer), 1);
  }

  LogicalResult addBuffer(Value value) {
    auto origin = getBufferOrigin(value);
    auto type = cast<MemRefType>(value.getType());
    BufferDesc buffer;
    buffer.name = origin->name.str();
    buffer.level = cast<MemoryKindAttr>(type.getMemorySpace()).getValue() ==
                           MemoryKind::Shared
                       ? MemoryLevel::Shared
                       : MemoryLevel::Local;
    buffer.tensorShape.assign(origin->shape.begin(), origin->shape.end());
    for (AffineExpr expr : origin->layout.getResults())
      buffer.layout.push_back(toLayoutTerm(expr));
    int64_t trips = 1;
    for (Value offset : origin->at) {
      BandIv iv = getBandIv(offset);
      trips *= iv.band.getTrips()[iv.loop];
    }
    return add(value, type, std::move(buffer), trips);
  }

  /// From here on, the argument's buffer is that of the packed tensor.
  void setLayout(PackedOp packed) {
    int number = numbers[packed.getSource()];
    BufferDesc &buffer = buffers[number];
    buffer.tensorShape.assign(packed.getShape().begin(),
                              packed.getShape().end());
    result.summary.buffers[number].tensorShape = buffer.tensorShape;
    buffer.layout.clear();
    for (AffineExpr expr : packed.getLayout().getResults())
      buffer.layout.push_back(toLayoutTerm(expr));
    numbers[packed.getResult()] = number;
  }

  LogicalResult add(Value value, MemRefType type, BufferDesc buffer,
                    int64_t trips) {
    std::optional<ElementType> element = toElementType(type.getElementType());
    if (!element)
      return kernel.emitError("element type ")
             << type.getElementType() << " is not supported";
    buffer.type = *element;
    buffer.shape.assign(type.getShape().begin(), type.getShape().end());
    BufferSummary out;
    out.name = buffer.name;
    out.level = buffer.level;
    out.elementBytes = byteWidth(*element);
    out.tensorShape = buffer.tensorShape;
    out.elements = buffer.elements();
    out.allocTrips = trips;
    auto stage = value.getDefiningOp<StageOp>();
    int64_t bytes = sharedBytesOf(out.elements, out.elementBytes,
                                  stage ? stage.getBuffers() : 1);
    if (buffer.level == MemoryLevel::Shared)
      result.summary.kernels.back().sharedBytes += bytes;
    if (buffer.level == MemoryLevel::Local)
      result.summary.kernels.back().localBytes += bytes;
    numbers[value] = buffers.size();
    buffers.push_back(std::move(buffer));
    result.summary.buffers.push_back(std::move(out));
    return success();
  }

  /// Whether `op` treats a dimension as a reduction. An update may compute
  /// elements along one that other statements reduce.
  bool isReduction(Operation *op, unsigned dim) {
    auto compute = dyn_cast<ComputeOp>(op);
    return compute && compute.getRole() == Role::Update
               ? compute.reducesAlong(dim)
               : bool(kernel.getReductions()[dim]);
  }

  /// The bands around `op` whose loops are in `at`, outermost first.
  SmallVector<Loop> enclosing(Operation *op, OperandRange at) {
    SmallVector<BandOp> bands;
    for (Operation *up = op->getParentOp(); up != kernel;
         up = up->getParentOp())
      if (auto band = dyn_cast<BandOp>(up))
        bands.push_back(band);
    SmallVector<Loop> loops;
    for (BandOp band : llvm::reverse(bands))
      for (unsigned l = 0, e = band.getDims().size(); l < e; ++l) {
        Value iv = band.getBody().getArgument(l);
        if (!llvm::is_contained(at, iv))
          continue;
        int64_t dim = band.getDims()[l];
        loops.push_back(
            {{int(dim), band.getTrips()[l],
              LoopLevel(unsigned(band.getLevel())), isReduction(op, dim)},
             band.getSteps()[l],
             iv});
      }
    return loops;
  }

  using Move = SmallVector<int64_t, 4>;

  static Move apply(const AccessMap &map, ArrayRef<int64_t> move) {
    Move out;
    for (const LinearExpr &expr : map) {
      int64_t delta = 0;
      for (auto [coeff, m] : llvm::zip_equal(expr.coeffs, move))
        delta += coeff * m;
      out.push_back(delta);
    }
    return out;
  }

  /// The strides of each loop in the dimensions of the domain.
  SmallVector<Move> domainMoves(ArrayRef<Loop> loops) {
    SmallVector<Move> moves;
    for (const Loop &loop : loops) {
      Move move(kernel.getNumDims(), 0);
      move[loop.summary.dim] = loop.step;
      moves.push_back(std::move(move));
    }
    return moves;
  }

  LogicalResult addAccess(StatementSummary &out, Operation *op, Value value,
                          AccessKind kind, AffineMap map, ArrayRef<Loop> loops,
                          ArrayRef<Move> moves) {
    auto number = numbers.find(value);
    if (number == numbers.end())
      return op->emitError("operand is neither an argument of the function nor "
                           "a buffer of the kernel");
    AccessMap access = *toAccessMap(map);
    AccessSummary &summary = out.accesses.emplace_back();
    summary.buffer = number->second;
    summary.kind = kind;
    for (const Move &move : moves)
      llvm::append_range(summary.moves, apply(access, move));
    auto origin = getBufferOrigin(value);
    SmallVector<bool> inside;
    for (const Loop &loop : loops)
      inside.push_back(loop.iv && origin &&
                       llvm::is_contained(origin->at, loop.iv));
    summarizeAccess(buffers[number->second], out.loops, inside, out.ownLoops,
                    summary);
    return success();
  }

  LogicalResult visit(StageOp stage) {
    StatementSummary out;
    out.kernel = result.summary.kernels.size() - 1;
    out.kind = StatementKind::Stage;
    out.sharingThreads = stage.getThreads();
    out.vector = stage.getVector();
    out.buffers = stage.getBuffers();
    out.async = stage.getAsync();
    out.padded = bool(stage.getPadding());
    if (AffineMap layout = stage.getLayout(); layout.getNumResults() > 0) {
      LayoutTerm row = toLayoutTerm(layout.getResults().back());
      out.rowDim = int(row.coord);
      out.rowStep = row.div;
    }
    out.ops = countOps(stage.getBody().front());
    SmallVector<Loop> loops = enclosing(stage, stage.getAt());
    SmallVector<Move> domain = domainMoves(loops), moves;
    AccessMap map = *toAccessMap(stage.getMap());
    for (const Move &move : domain)
      moves.push_back(apply(map, move));
    unsigned rank = stage.getBox().size();
    for (unsigned r = 0; r < rank; ++r) {
      loops.push_back(
          {{-1, stage.getBox()[r], LoopLevel::Serial, false}, 1, {}});
      moves.emplace_back(rank, 0);
      moves.back()[r] = 1;
    }
    out.ownLoops = rank;
    for (const Loop &loop : loops)
      out.loops.push_back(loop.summary);
    for (auto [input, attr] :
         llvm::zip_equal(stage.getInputs(), stage.getMaps()))
      if (failed(addAccess(out, stage, input, AccessKind::Read,
                           cast<AffineMapAttr>(attr).getValue(), loops, moves)))
        return failure();
    AffineMap identity =
        AffineMap::getMultiDimIdentityMap(rank, stage.getContext());
    if (failed(addAccess(out, stage, stage.getResult(), AccessKind::Write,
                         identity, loops, moves)))
      return failure();
    finish(stage, std::move(out), loops);
    return success();
  }

  void readInside(ComputeOp compute, StatementSummary &out) {
    InsideBox inside = {*toAccessMap(*compute.getPlace()), {}};
    llvm::append_range(inside.shape, *compute.getInside());
    SmallVector<IterDim> dims;
    for (int64_t extent : kernel.getExtents())
      dims.push_back({extent});
    SmallVector<BoxLoop> tile;
    for (unsigned l = 0; l < compute.getNumLoops(); ++l)
      tile.push_back({unsigned(compute.getLoopDims()[l]),
                      compute.getLoopExtents()[l], compute.getLoopSteps()[l],
                      LoopLevel(unsigned(compute.getLoopLevel(l)))});
    out.insideShare = inside.share(dims, tile, compute.getUnroll());
  }

  LogicalResult visit(ComputeOp compute) {
    StatementSummary out;
    out.kernel = result.summary.kernels.size() - 1;
    static constexpr StatementKind kinds[] = {
        StatementKind::Init, StatementKind::Update, StatementKind::Finish,
        StatementKind::Map};
    out.kind = kinds[unsigned(compute.getRole())];
    out.fetchesAhead =
        compute.getPrefetch() && compute.getRole() != Role::Finish;
    out.nontemporal = compute.getNontemporal();
    out.padded = compute.getPaddings().has_value();
    if (std::optional<StringRef> name = compute.getInstruction())
      out.instruction = findMatrixInstruction(*name);
    if (compute.getInside())
      readInside(compute, out);
    Block &body = compute.getBody().front();
    SmallVector<AffineMap> maps;
    for (unsigned n = 0; n <= compute.getInputs().size(); ++n)
      maps.push_back(compute.getMap(n));
    out.ops = compute.getRole() == Role::Update
                  ? countReduction(body, maps, kernel.getExtents())
                  : countOps(body);
    SmallVector<Loop> loops = enclosing(compute, compute.getAt());
    for (unsigned l = 0; l < compute.getNumLoops(); ++l) {
      int64_t dim = compute.getLoopDims()[l];
      LoopLevel level = LoopLevel(unsigned(compute.getLoopLevel(l)));
      if (level == LoopLevel::Vector)
        out.vector = compute.getLoopExtents()[l];
      loops.push_back({{int(dim), compute.getLoopExtents()[l], level,
                        isReduction(compute, dim)},
                       compute.getLoopSteps()[l],
                       {}});
    }
    out.ownLoops = compute.getNumLoops();
    for (const Loop &loop : loops)
      out.loops.push_back(loop.summary);
    SmallVector<Move> moves = domainMoves(loops);
    for (auto [n, input] : llvm::enumerate(compute.getInputs()))
      if (failed(addAccess(out, compute, input, AccessKind::Read,
                           compute.getMap(n), loops, moves)))
        return failure();
    if (failed(addAccess(out, compute, compute.getOutput(),
                         compute.getRole() == Role::Update
                             ? AccessKind::ReadWrite
                             : AccessKind::Write,
                         compute.getOutputMap(), loops, moves)))
      return failure();
    addLaunchShape(result.summary, out);
    if (!result.summary.gpu)
      result.summary.unrollMaxStep =
          std::max<int64_t>(result.summary.unrollMaxStep, compute.getUnroll());
    finish(compute, std::move(out), loops);
    return success();
  }

  void finish(Operation *op, StatementSummary statement, ArrayRef<Loop> loops) {
    SmallVector<Value> around;
    for (const Loop &loop : loops.drop_back(statement.ownLoops))
      around.push_back(loop.iv);
    statement.sharedLoops = llvm::mismatch(around, last).first - around.begin();
    last = std::move(around);
    result.summary.statements.push_back(std::move(statement));
    result.ops.push_back(op);
  }

  KernelOp kernel;
  KernelSummary result;
  llvm::DenseMap<Value, int> numbers;
  std::vector<BufferDesc> buffers;
  /// The loops around the previous statement.
  SmallVector<Value> last;
};

} // namespace

FailureOr<KernelSummary> pruner::summarizeKernels(KernelOp first) {
  return KernelReader(first).read();
}
