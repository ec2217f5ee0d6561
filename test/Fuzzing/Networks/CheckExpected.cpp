//===- CheckExpected.cpp - what a network may compute ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckSteps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace llvm;
using namespace pruner;

/// Filters that slide over zeros between elements or around them.
/// pruner-split-upsampled-inputs and pruner-split-padded-windows leave out the
/// products with these zeros, as documented, even if the filter is infinite or
/// NaN.
static DenseSet<mlir::Value> filtersOfZeros(mlir::func::FuncOp function) {
  DenseSet<mlir::Value> filters;
  function.walk([&](mlir::linalg::LinalgOp op) {
    auto inputs = op.getDpsInputs();
    for (mlir::Value input : inputs)
      if (isa_and_nonnull<mlir::tensor::InsertSliceOp, mlir::tensor::PadOp>(
              input.getDefiningOp()))
        for (mlir::Value other : inputs)
          if (other != input)
            filters.insert(other);
  });
  return filters;
}

/// Whether floats are converted to integers. The result for NaN and infinity is
/// undefined, and may be outside of the type.
static bool convertsToIntegers(mlir::func::FuncOp function) {
  return function
      .walk([](mlir::Operation *op) {
        return isa<mlir::arith::FPToSIOp, mlir::arith::FPToUIOp>(op)
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

bool Check::interpret(mlir::func::FuncOp function) {
  at("interpreting");
  DenseSet<mlir::Value> filters = filtersOfZeros(function);
  bool undefined = any_of(filters, [](mlir::Value filter) {
    return filter.getDefiningOp() &&
           !filter.getDefiningOp<mlir::arith::ConstantOp>();
  });
  undefined |= convertsToIntegers(function);
  for (bool special : {false, true}) {
    // Relaxations may treat NaN and infinity otherwise.
    undefined |= !choices.accuracy.empty();
    if (special && (undefined || choices.random.uniform(3) == 0))
      break;
    auto bytes =
        drawInputs(function.getArgumentTypes(), choices.inputSeed, special);
    for (auto [n, argument] : enumerate(function.getArguments()))
      if (special && filters.contains(argument))
        bytes[n] = examples[0].inputs[n];
    // Results for special values may be undefined.
    if (!add(function, {0, std::move(bytes), {}}))
      return special;
  }
  return true;
}

/// Interprets one more example; false, with the reason, if that fails.
bool Check::add(mlir::func::FuncOp function, Example example) {
  std::vector<RangeTensorRef> arguments;
  for (auto [type, data] :
       zip(network.inCall(example.size).inputTypes, example.inputs))
    arguments.push_back(readTensor(type, data.data()));
  Interpreter interpreter;
  auto results = interpreter.run(function, arguments);
  if (!results) {
    verdict.skipped = toString(results.takeError());
    return false;
  }
  verdict.skipped.clear();
  example.expected = std::move(*results);
  examples.push_back(std::move(example));
  return true;
}

/// Arguments with this name are divisors.
static void removeZeros(mlir::RankedTensorType type,
                        std::vector<uint8_t> &bytes) {
  int64_t width = storedBytes(type.getElementType());
  for (size_t n = 0; n < bytes.size(); n += width)
    if (all_of(ArrayRef(bytes).slice(n, width),
               [](uint8_t byte) { return byte == 0; }))
      bytes[n] = 1;
}

bool Check::interpretSizes(mlir::func::FuncOp function) {
  at("interpreting");
  int64_t least = range.getMin(), greatest = range.getMax();
  SmallVector<int64_t> sizes = {least, greatest};
  for (int64_t n = least; n <= greatest; ++n)
    if (range.contains(n) && choices.random.uniform(greatest) < 3)
      sizes.push_back(n);
  size_t inRange = sizes.size();
  // Also sizes that the range does not promise.
  for (int64_t n : {greatest + 1, 2 * greatest + 3, int64_t(1)})
    if (n <= 40)
      sizes.push_back(n);
  for (auto [k, size] : enumerate(sizes)) {
    Signature signature = network.inCall(size);
    auto types = llvm::to_vector_of<mlir::Type>(signature.inputTypes);
    bool special =
        !convertsToIntegers(function) && choices.random.uniform(4) == 0;
    Example example{
        size, drawInputs(types, choices.inputSeed + k, special), {}};
    for (auto [name, type, bytes] :
         zip(signature.inputs, signature.inputTypes, example.inputs))
      if (StringRef(name).starts_with("divisor"))
        removeZeros(type, bytes);
    if (!add(function, std::move(example)) && !special && k < inRange)
      return false;
    verdict.skipped.clear();
  }
  return !examples.empty();
}
