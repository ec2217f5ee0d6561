//===- Interpreter.cpp - evaluate linalg programs with bounds -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Interpreter/Interpreter.h"

#include "ScalarProgram.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cstring>

using namespace llvm;
using namespace pruner;

static RangeTensorRef scalar(Cell cell) {
  auto tensor = std::make_shared<RangeTensor>();
  tensor->cells.push_back(cell);
  return tensor;
}

Error Interpreter::evaluateScalarOp(mlir::Operation *op) {
  ScalarProgram program(*this);
  if (Error error = program.add(op))
    return error;
  ScalarProgram::State state = program.start();
  if (!program.run(state))
    return createStringError(state.failure);
  for (mlir::Value result : op->getResults())
    set(result, scalar(state.slots[cantFail(program.slotOf(result))]));
  return Error::success();
}

Expected<Interpreter::Tensors>
Interpreter::valuesOf(mlir::ValueRange operands) const {
  Tensors tensors;
  for (mlir::Value operand : operands)
    if (!tensors.emplace_back(get(operand)))
      return createStringError("an operand is not known");
  return tensors;
}

Expected<int64_t> Interpreter::integerOf(mlir::Value value,
                                         const char *what) const {
  RangeTensorRef tensor = get(value);
  if (!tensor)
    return createStringError("an operand is not known");
  IntegerRange range = tensor->cells[0].integer;
  if (!range.isPoint())
    return createStringError(Twine(what) + " may be several numbers");
  return range.lo;
}

Expected<SmallVector<int64_t>>
Interpreter::integersOf(ArrayRef<mlir::OpFoldResult> values) const {
  SmallVector<int64_t> numbers;
  for (mlir::OpFoldResult value : values) {
    if (auto attribute = dyn_cast<mlir::Attribute>(value)) {
      numbers.push_back(cast<mlir::IntegerAttr>(attribute).getInt());
      continue;
    }
    auto number = integerOf(cast<mlir::Value>(value), "an offset or size");
    if (!number)
      return number.takeError();
    numbers.push_back(*number);
  }
  return numbers;
}

Error Interpreter::evaluate(mlir::Operation *op) {
  if (isControlFlow(op))
    return evaluateControlFlow(op);
  if (isa<mlir::linalg::SoftmaxOp>(op))
    return evaluateSoftmax(op);
  if (isa<mlir::linalg::LinalgOp>(op))
    return evaluateLinalgOp(op);
  bool tensors = any_of(op->getResultTypes(), [](mlir::Type type) {
    return isa<mlir::TensorType>(type);
  });
  return tensors ? evaluateTensorOp(op) : evaluateScalarOp(op);
}

Expected<std::vector<RangeTensorRef>>
Interpreter::run(mlir::func::FuncOp function,
                 ArrayRef<RangeTensorRef> arguments) {
  values.clear();
  blocks = 0;
  return runRegion(function.getBody(), arguments.vec());
}

//===--- elements in memory -----------------------------------------------===//

int64_t pruner::storedBytes(mlir::Type type) {
  return type.isIndex() ? 8 : divideCeil(type.getIntOrFloatBitWidth(), 8);
}

Cell pruner::readElement(mlir::Type type, const void *data, int64_t index) {
  int64_t bytes = storedBytes(type);
  uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const char *>(data) + index * bytes, bytes);
  if (auto floatType = dyn_cast<mlir::FloatType>(type)) {
    APFloat value(floatType.getFloatSemantics(),
                  APInt(floatType.getWidth(), bits));
    bool loses;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    return RealRange::exactly(value.convertToDouble());
  }
  unsigned width = integerWidth(type);
  if (width == 1) // The whole byte, so that 2 is not taken as true.
    return IntegerRange::exactly(int64_t(bits));
  return IntegerRange::exactly(wrapInteger(int64_t(bits), width));
}

static std::string printed(RealRange range) {
  std::string text;
  raw_string_ostream os(text);
  if (range.isEmpty())
    return "NaN";
  if (range.isPoint())
    os << format("%.9g", range.lo);
  else
    os << format("[%.9g, %.9g]", range.lo, range.hi)
       << (range.nan ? " or NaN" : "");
  return text;
}

static std::string printed(IntegerRange range) {
  if (range.isPoint())
    return std::to_string(range.lo);
  return "[" + std::to_string(range.lo) + ", " + std::to_string(range.hi) + "]";
}

/// The position of an element, such as [1, 2].
static std::string position(ArrayRef<int64_t> shape, int64_t index) {
  std::string text;
  for (int64_t extent : reverse(shape)) {
    text = std::to_string(index % extent) + (text.empty() ? "" : ", ") + text;
    index /= extent;
  }
  return "[" + text + "]";
}

RangeVerdict pruner::checkElements(mlir::Type elementType,
                                   const RangeTensor &expected,
                                   const void *data) {
  bool isReal = isa<mlir::FloatType>(elementType);
  auto widest = [&](const Cell &cell) {
    if (!isReal)
      return std::max(std::fabs(double(cell.integer.lo)),
                      std::fabs(double(cell.integer.hi)));
    // The smaller possible magnitude, because a wide range is not a large
    // number.
    const RealRange &range = cell.real;
    if (range.isEmpty() || std::isinf(range.lo) || std::isinf(range.hi))
      return 0.0;
    return std::fabs(range.lo / 2 + range.hi / 2);
  };
  double magnitude = 0;
  for (const Cell &cell : expected.cells)
    magnitude = std::max(magnitude, widest(cell));
  RangeVerdict verdict;
  for (auto [n, cell] : enumerate(expected.cells)) {
    ++verdict.elements;
    bool decided = isReal ? cell.real.isEmpty() || cell.real.isPoint() ||
                                (!cell.real.nan &&
                                 cell.real.hi - cell.real.lo <= 0.1 * magnitude)
                          : double(cell.integer.hi) - double(cell.integer.lo) <=
                                0.1 * magnitude;
    verdict.undecided += !decided;
    if (!data || !verdict.wrong.empty())
      continue;
    Cell actual = readElement(elementType, data, n);
    bool right =
        isReal ? cell.real.contains(actual.real.isEmpty() ? std::nan("")
                                                          : actual.real.lo)
               : cell.integer.contains(actual.integer.lo);
    if (!right)
      verdict.wrong =
          "element " + position(expected.shape, n) + " is " +
          (isReal ? printed(actual.real) : printed(actual.integer)) + ", not " +
          (isReal ? printed(cell.real) : printed(cell.integer));
  }
  return verdict;
}
