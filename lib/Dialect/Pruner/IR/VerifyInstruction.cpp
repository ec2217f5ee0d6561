//===- VerifyInstruction.cpp - rule C12 of pruner.compute -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VerifyInstruction.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/IR/ElementTypes.h"
#include "pruner/Dialect/Pruner/IR/Layout.h"
#include "pruner/Program/WarpInstruction.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace pruner;

namespace {
class InstructionVerifier {
public:
  InstructionVerifier(ComputeOp op, KernelOp kernel,
                      const MatrixInstruction &instruction)
      : op(op), kernel(kernel), instruction(instruction) {}

  LogicalResult verify() {
    warp = WarpInstruction::of(&instruction);
    if (kernel.isGpu() != bool(warp) || op.getRole() != Role::Update ||
        op.getInputs().size() != 2)
      return error() << "only an 'update' of two inputs in a kernel for "
                     << (warp ? "gpu" : "cpu") << " may have it";
    auto product = matchProduct(op.getBody().front());
    if (!product)
      return error() << "expected a body that adds the product of both "
                        "extended inputs to the output";
    if (instruction.multipliesTensorFloats() !=
        multipliesTensorFloats(op.getBody().front()))
      return error() << "expected a body that "
                     << (instruction.multipliesTensorFloats()
                             ? "rounds both inputs to tf32"
                             : "does not round its inputs");
    if (failed(verifyTypes()))
      return failure();
    if (warp)
      return verifyWarp();
    if (failed(verifyLoops()))
      return failure();
    bool first = op.getMap(0).isFunctionOfDim(vectorDim);
    if (instruction.isTile() &&
        (op.getMap(first ? 0 : 1).isFunctionOfDim(rowDim) ||
         !op.getMap(first ? 1 : 0).isFunctionOfDim(rowDim)))
      return error() << "expected only the input that does not move along the "
                        "vectors to move along the rows";
    if (first == op.getMap(1).isFunctionOfDim(vectorDim))
      return error() << "expected exactly one input to move along the vectors";
    return failure(failed(verifyLayout(first ? 1 : 0, /*lanes=*/false)) ||
                   failed(verifyLayout(first ? 0 : 1, /*lanes=*/true)));
  }

private:
  InFlightDiagnostic error() {
    return op.emitOpError("C12: instruction '") << instruction.name << "': ";
  }

  LogicalResult verifyTypes() {
    auto element = [](Value buffer) {
      return cast<MemRefType>(buffer.getType()).getElementType();
    };
    for (Value input : op.getInputs())
      if (toElementType(element(input)) != instruction.operands)
        return error() << "cannot multiply elements of type " << element(input);
    if (toElementType(element(op.getOutput())) != instruction.accumulators)
      return error() << "cannot accumulate elements of type "
                     << element(op.getOutput());
    return success();
  }

  /// Lowering checks the threads, whose band may be anywhere around the
  /// statement.
  LogicalResult verifyWarp() {
    unsigned loops = op.getNumLoops();
    if (loops == 0 || op.getLoopLevel(loops - 1) != LoopKind::Dot ||
        op.getLoopExtents()[loops - 1] != instruction.sums ||
        op.getLoopSteps()[loops - 1] != 1 ||
        !kernel.getReductions()[op.getLoopDims()[loops - 1]])
      return error() << "expected a 'dot' loop of " << instruction.sums
                     << " terms with step 1 over a reduction dimension "
                        "innermost";
    dotDim = op.getLoopDims()[loops - 1];
    terms = instruction.sums;
    for (unsigned l = 0; l + 1 < loops; ++l) {
      if (op.getLoopLevel(l) >= LoopKind::Dot)
        return error() << "loop " << l << " is a '"
                       << stringifyLoopKind(op.getLoopLevel(l))
                       << "' loop, expected only the innermost one";
      if (op.getLoopDims()[l] == dotDim && op.getLoopSteps()[l] % terms != 0)
        return error() << "loop " << l << " divides the terms of a sum";
    }
    for (unsigned n = 0; n < 2; ++n)
      if (failed(verifyStaged(n)))
        return failure();
    return success();
  }

  /// Rows of shared memory are chunks of the input's last coordinate, which
  /// moves by one element along one dimension.
  LogicalResult verifyStaged(unsigned n) {
    auto stage = op.getInputs()[n].getDefiningOp<StageOp>();
    if (!stage)
      return error() << "input #" << n << " is not staged";
    int64_t row = stage.getResult().getType().getShape().back();
    LayoutTerm last = toLayoutTerm(stage.getLayout().getResults().back());
    AffineMap map = op.getMap(n);
    bool moves = isa<AffineDimExpr>(map.getResult(last.coord));
    if (last.div != 1 || last.mod != 0 || !moves ||
        row % warp->chunkSums() != 0)
      return error() << "input #" << n << " has no rows of chunks of "
                     << warp->chunkSums() << " elements along one dimension";
    if (!coordinateOf(n, dotDim))
      return error() << "no coordinate of input #" << n << " is d" << dotDim;
    if (kernel.getExtents()[dotDim] % terms == 0 || continues(n, /*zero=*/true))
      return success();
    return error() << "sums of " << terms << " terms extend beyond extent "
                   << kernel.getExtents()[dotDim] << " of d" << dotDim
                   << ", where input #" << n << " has no zeros";
  }

  LogicalResult verifyLoops() {
    bool tiles = instruction.isTile();
    unsigned loops = op.getNumLoops(), inner = tiles ? 3 : 2;
    if (loops < inner || op.getLoopLevel(loops - 1) != LoopKind::Vector ||
        (tiles && op.getLoopLevel(loops - 2) != LoopKind::Rows) ||
        op.getLoopLevel(loops - inner) != LoopKind::Dot)
      return error() << "expected a 'dot'" << (tiles ? ", a 'rows'" : "")
                     << " and a 'vector' loop innermost";
    unsigned dot = loops - inner;
    vectorDim = op.getLoopDims()[loops - 1];
    dotDim = op.getLoopDims()[dot];
    terms = op.getLoopExtents()[dot];
    if (reduces(vectorDim) || !reduces(dotDim))
      return error() << "expected the 'dot' loop over a reduction dimension "
                        "and the 'vector' loop over a parallel one";
    for (unsigned l = dot; l < loops; ++l)
      if (op.getLoopSteps()[l] != 1)
        return error() << "expected loop " << l << " to have step 1";
    if (terms > instruction.sums || terms % instruction.group != 0 ||
        (!tiles && terms != instruction.sums))
      return error() << "expected a 'dot' loop of " << (tiles ? "at most " : "")
                     << instruction.sums << " terms, but it has " << terms;
    int64_t bytes =
        op.getLoopExtents()[loops - 1] * byteWidth(instruction.accumulators);
    if (!instruction.width(bytes))
      return error() << "has no registers of " << bytes << " bytes";
    for (unsigned l = 0; l < dot; ++l)
      if (op.getLoopDims()[l] == dotDim && op.getLoopSteps()[l] % terms != 0)
        return error() << "loop " << l << " divides the terms of a sum";
    return tiles ? verifyRows() : success();
  }

  /// Whether the statement reduces `dim`. In a chain between products, the rows
  /// that one product computes are reduced by the other one.
  bool reduces(int64_t dim) {
    return kernel.getReductions()[dim] &&
           !op.getOutputMap().isFunctionOfDim(dim);
  }

  /// Rows are a whole tile of one parallel dimension, and b has none.
  LogicalResult verifyRows() {
    unsigned l = op.getNumLoops() - 2;
    rowDim = op.getLoopDims()[l];
    rows = op.getLoopExtents()[l];
    if (rows > instruction.rows || kernel.getReductions()[rowDim] ||
        rowDim == vectorDim)
      return error() << "expected a 'rows' loop over at most "
                     << instruction.rows
                     << " positions of a parallel dimension";
    for (unsigned outer = 0; outer < l; ++outer)
      if (op.getLoopDims()[outer] == rowDim &&
          op.getLoopSteps()[outer] % rows != 0)
        return error() << "loop " << outer << " divides the rows of a tile";
    return success();
  }

  /// The coordinate of input `n` that moves with `dim`, one by one, if no other
  /// depends on `dim`.
  std::optional<unsigned> coordinateAlong(unsigned n, unsigned dim) {
    std::optional<unsigned> found;
    AffineExpr moves = getAffineDimExpr(dim, op.getContext());
    unsigned dims = kernel.getNumDims();
    for (auto [r, expr] : llvm::enumerate(op.getMap(n).getResults())) {
      if (!expr.isFunctionOfDim(dim))
        continue;
      if (found ||
          simplifyAffineExpr(expr - moves, dims, 0).isFunctionOfDim(dim))
        return std::nullopt;
      found = r;
    }
    return found;
  }

  /// The coordinate of input `n` that equals `dim`, if no other depends on it.
  std::optional<unsigned> coordinateOf(unsigned n, unsigned dim) {
    std::optional<unsigned> r = coordinateAlong(n, dim);
    if (r &&
        op.getMap(n).getResult(*r) != getAffineDimExpr(dim, op.getContext()))
      return std::nullopt;
    return r;
  }

  /// The positions that `statement` covers along `dim`, if they have no gaps;
  /// otherwise 0.
  static int64_t coveredAlong(ComputeOp statement, unsigned dim) {
    SmallVector<std::pair<int64_t, int64_t>> loops;
    for (unsigned l = 0; l < statement.getNumLoops(); ++l)
      if (statement.getLoopDims()[l] == dim &&
          statement.getLoopExtents()[l] > 1)
        loops.push_back(
            {statement.getLoopSteps()[l], statement.getLoopExtents()[l]});
    llvm::sort(loops);
    int64_t covered = 1;
    for (auto [step, extent] : loops) {
      if (step != covered)
        return 0;
      covered *= extent;
    }
    return covered;
  }

  /// Whether all statements that write to `buffer` write whole sums along its
  /// coordinate `r`. They then write zeros beyond the extent.
  bool isWrittenInWholeSums(Value buffer, unsigned r) {
    return llvm::all_of(buffer.getUsers(), [&](Operation *user) {
      auto writer = dyn_cast<ComputeOp>(user);
      if (!writer || writer.getOutput() != buffer)
        return true;
      auto along = dyn_cast<AffineDimExpr>(writer.getOutputMap().getResult(r));
      return along && coveredAlong(writer, along.getPosition()) % terms == 0 &&
             (writer.getRole() == Role::Map ||
              writer.getRole() == Role::Finish);
    });
  }

  /// Whether the terms of input `n` beyond the extent of the sum may be read.
  /// Only arguments end there. `zero` also requires that they are zero.
  bool continues(unsigned n, bool zero) {
    Value buffer = op.getInputs()[n];
    if (buffer.getDefiningOp<PackedOp>())
      return true;
    std::optional<unsigned> sum = coordinateOf(n, dotDim);
    if (buffer.getDefiningOp<AllocOp>())
      return !zero && sum && isWrittenInWholeSums(buffer, *sum);
    auto stage = buffer.getDefiningOp<StageOp>();
    return stage && !(zero && stage.getPadding());
  }

  /// Neighbors along the sum are next to each other in memory, and then, with
  /// `lanes`, those along vectors.
  LogicalResult verifyLayout(unsigned n, bool lanes) {
    Value buffer = op.getInputs()[n];
    SmallVector<LayoutTerm> terms;
    if (auto origin = getBufferOrigin(buffer)) {
      for (AffineExpr expr : origin->layout.getResults())
        terms.push_back(toLayoutTerm(expr));
    } else {
      for (unsigned r = 0; r < op.getMap(n).getNumResults(); ++r)
        terms.push_back({r, 1, 0});
    }
    std::optional<unsigned> sum = coordinateAlong(n, dotDim);
    bool alone = bool(coordinateOf(n, dotDim));
    bool fits = sum && !terms.empty() && terms.back().coord == *sum &&
                terms.back().div == 1 &&
                (alone ? terms.back().mod % instruction.group == 0
                       : terms.back().mod == 0 && !lanes);
    if (fits && !lanes && instruction.isTile())
      fits =
          terms.back().mod % this->terms == 0 &&
          (getBufferOrigin(buffer) || kernel.getExtents()[rowDim] % rows == 0);
    if (fits && lanes) {
      std::optional<unsigned> along = coordinateOf(n, vectorDim);
      fits = along && terms.size() >= 2 &&
             terms.back().mod == instruction.group &&
             terms[terms.size() - 2].coord == *along &&
             terms[terms.size() - 2].div == 1;
    }
    if (!fits)
      return error() << "input #" << n << " does not have groups of "
                     << instruction.group << " neighbors along d" << dotDim
                     << (lanes ? " next to each other along the vectors" : "");
    bool floats = isa<FloatType>(getElementTypeOrSelf(buffer.getType()));
    if (kernel.getExtents()[dotDim] % this->terms == 0 ||
        (continues(n, /*zero=*/lanes) && (alone || !floats)))
      return success();
    return error() << "sums of " << this->terms
                   << " terms extend beyond extent "
                   << kernel.getExtents()[dotDim] << " of d" << dotDim
                   << ", where input #" << n << " has no zeros";
  }

  ComputeOp op;
  KernelOp kernel;
  const MatrixInstruction &instruction;
  const WarpInstruction *warp = nullptr;
  int64_t vectorDim = 0, dotDim = 0, terms = 0, rowDim = 0, rows = 1;
};
} // namespace

LogicalResult pruner::verifyInstruction(ComputeOp op, KernelOp kernel) {
  std::optional<StringRef> name = op.getInstruction();
  if (!name) {
    for (unsigned l = 0; l < op.getNumLoops(); ++l)
      if (op.getLoopLevel(l) >= LoopKind::Dot)
        return op.emitOpError("C12: loop ")
               << l << " is a '" << stringifyLoopKind(op.getLoopLevel(l))
               << "' loop, but the statement has no instruction";
    return success();
  }
  const MatrixInstruction *instruction = findMatrixInstruction(*name);
  if (!instruction)
    return op.emitOpError("C12: unknown instruction '") << *name << "'";
  return InstructionVerifier(op, kernel, *instruction).verify();
}
