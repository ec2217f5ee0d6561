//===- NetworkDraw.cpp - draw a random network ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkDraw.h"

#include "pruner/Dialect/Pruner/IR/ForeignText.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace pruner;

//===--- inputs -----------------------------------------------------------===//

static double specialReal(Random &random) {
  static const double values[] = {std::nan(""), HUGE_VAL, -HUGE_VAL, 0.0,  -0.0,
                                  1e-40,        -3e-39,   1e30,      -1e10};
  return values[random.uniform(std::size(values))];
}

std::vector<std::vector<uint8_t>>
pruner::drawInputs(ArrayRef<mlir::Type> types, uint64_t seed, bool special) {
  std::vector<std::vector<uint8_t>> all;
  for (auto [n, type] : enumerate(types)) {
    Random random = Random(seed).fork(2 * n + special);
    auto tensor = cast<mlir::RankedTensorType>(type);
    mlir::Type element = tensor.getElementType();
    int64_t bytes = storedBytes(element), count = tensor.getNumElements();
    std::vector<uint8_t> data(bytes * count);
    // A few elements of a few arguments, or many; with all kinds of values, or
    // only NaN.
    bool spoil = special && random.uniform(3) == 0,
         onlyNaN = spoil && random.uniform(3) == 0;
    unsigned rare = spoil && random.uniform(4) == 0 ? 3 : 16;
    for (int64_t k = 0; k < count; ++k) {
      uint64_t bits;
      if (auto real = dyn_cast<mlir::FloatType>(element)) {
        double value = 2 * random.uniformReal() - 1;
        if (spoil && random.uniform(rare) == 0)
          value = onlyNaN ? std::nan("") : specialReal(random);
        APFloat number(value);
        bool loses;
        number.convert(real.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                       &loses);
        bits = number.bitcastToAPInt().getZExtValue();
      } else if (element.isInteger(1)) {
        bits = random.uniform(2);
      } else if (element.isInteger(4)) {
        bits = random.uniform(16);
      } else if (spoil && !element.isIndex() && random.uniform(rare) == 0) {
        // Positions beyond their table make a network undefined.
        bits = random.uniform(2) ? random.next()
                                 : uint64_t(1) << 63 >> (64 - 8 * bytes);
      } else if (element.isInteger(8) && random.uniform(16) == 0) {
        bits = random.uniform(2) ? -128 : 127;
      } else if (element.isInteger(8) || element.isInteger(16)) {
        bits = random.uniform(200) - 100;
      } else { // Token ids and positions, for tables of 8 or more.
        bits = random.uniform(8);
      }
      std::memcpy(data.data() + k * bytes, &bits, bytes);
    }
    all.push_back(std::move(data));
  }
  return all;
}

RangeTensorRef pruner::readTensor(mlir::Type type, const void *data) {
  auto tensor = cast<mlir::RankedTensorType>(type);
  auto result = std::make_shared<RangeTensor>();
  result->shape = tensor.getShape().vec();
  for (int64_t n = 0; n < tensor.getNumElements(); ++n)
    result->cells.push_back(readElement(tensor.getElementType(), data, n));
  return result;
}

//===--- choices ----------------------------------------------------------===//

int64_t NetworkDraw::extent(int64_t limit) {
  static const int64_t values[] = {1,  1,  2,  3,  4,  5,  7,  8,
                                   8,  9,  11, 12, 13, 15, 16, 16,
                                   17, 24, 31, 32, 33, 37, 64, 65};
  return drawExtent(random, values, std::max<int64_t>(limit, 1));
}

TextTensor NetworkDraw::real(size_t leastRank, size_t mostRank,
                             int64_t elements) {
  std::vector<size_t> fitting;
  for (auto [n, value] : enumerate(values))
    if (value.isReal() && value.rank() >= leastRank &&
        value.rank() <= mostRank && value.elements() <= elements)
      // Values without uses are more likely.
      for (unsigned times = value.uses == 0 ? 4 : 1; times > 0; --times)
        fitting.push_back(n);
  if (!fitting.empty() && !chance(8))
    return values[fitting[random.uniform(fitting.size())]];
  size_t rank =
      between(std::max<size_t>(leastRank, 1),
              std::min<size_t>(mostRank, std::max<size_t>(4, leastRank)));
  Shape shape(rank);
  int64_t left = std::min<int64_t>(elements, 2048);
  for (int64_t &each : shape) {
    each = extent(left);
    left /= each;
  }
  return argument(shape, base);
}

TextTensor NetworkDraw::integer(size_t leastRank, size_t mostRank) {
  std::vector<size_t> fitting;
  for (auto [n, value] : enumerate(values))
    if (!value.isReal() && value.element != "i1" && value.element != "index" &&
        value.rank() >= leastRank && value.rank() <= mostRank)
      for (unsigned times = value.uses == 0 ? 4 : 1; times > 0; --times)
        fitting.push_back(n);
  if (!fitting.empty() && !chance(15))
    return values[fitting[random.uniform(fitting.size())]];
  Shape shape(
      between(std::max<size_t>(leastRank, 1), std::min<size_t>(mostRank, 3)));
  for (int64_t &each : shape)
    each = extent(17);
  return argument(shape,
                  oneOf<const char *>({"i64", "i64", "i32", "i8", "i16"}));
}

TextTensor NetworkDraw::discrete(size_t leastRank, size_t mostRank,
                                 int64_t elements) {
  std::vector<size_t> fitting;
  for (auto [n, value] : enumerate(values))
    if (!value.isReal() && value.rank() >= leastRank &&
        value.rank() <= mostRank && value.elements() <= elements)
      fitting.push_back(n);
  if (!fitting.empty() && chance(50))
    return values[fitting[random.uniform(fitting.size())]];
  Shape shape(
      between(std::max<size_t>(leastRank, 1), std::min<size_t>(mostRank, 3)));
  int64_t left = std::min<int64_t>(elements, 1024);
  for (int64_t &each : shape) {
    each = extent(std::min<int64_t>(left, 33));
    left /= each;
  }
  return argument(shape, oneOf<const char *>({"i1", "i1", "i8", "i16", "i32",
                                              "i32", "i64", "index"}));
}

TextTensor NetworkDraw::any() {
  return values.empty() || chance(70) ? real()
                                      : values[random.uniform(values.size())];
}

TextTensor NetworkDraw::like(const Shape &shape, const std::string &element) {
  std::vector<size_t> fitting;
  for (auto [n, value] : enumerate(values))
    if (value.shape == shape && value.element == element)
      fitting.push_back(n);
  if (!fitting.empty() && chance(70))
    return values[fitting[random.uniform(fitting.size())]];
  if (element != "index" && chance(10))
    return resource(shape, element, 2);
  return argument(shape, element, chance(30));
}

//===--- committing -------------------------------------------------------===//

void NetworkDraw::drop() {
  written.clear();
  fresh.clear();
  freshConstants.clear();
  pendingFunctions.clear();
  freshFunctions.clear();
}

/// Whether a network may continue with these elements.
static bool isTame(const DrawnValue &value, mlir::Type type, bool wild) {
  RangeVerdict verdict =
      checkElements(cast<mlir::RankedTensorType>(type).getElementType(),
                    *value.data, nullptr);
  if (verdict.undecided * 50 > verdict.elements)
    return false;
  if (!value.isReal())
    return true;
  double most = 0, widest = 0;
  for (const Cell &cell : value.data->cells) {
    if (cell.real.nan || std::isinf(cell.real.magnitude())) {
      if (!wild)
        return false;
      continue;
    }
    most = std::max(most, cell.real.magnitude());
    widest = std::max(widest, cell.real.hi - cell.real.lo);
  }
  return most < 1e3 && widest <= 0.03 * most;
}

bool NetworkDraw::commit(const std::vector<TextTensor> &results, bool wild) {
  // Operations that are excluded by name.
  for (const auto &name : without)
    if (name.getKey().contains('.') &&
        StringRef(pendingFunctions + written)
            .contains((name.getKey() + " ").str())) {
      drop();
      return false;
    }
  // The group as a function of all values that it reads.
  std::string header, types, returned;
  std::vector<const DrawnValue *> reads;
  for (const auto *list : {&arguments, &values, &fresh})
    for (const DrawnValue &value : *list)
      if (any_of(StringRef(" ,[])"), [&](char behind) {
            return StringRef(written).contains(value.name + behind);
          }))
        if (none_of(reads, [&](const DrawnValue *other) {
              return other->name == value.name;
            }))
          reads.push_back(&value);
  for (const DrawnValue *value : reads)
    header += (header.empty() ? "" : ", ") + value->name + ": " + value->type();
  for (const TextTensor &result : results) {
    types += (types.empty() ? "" : ", ") + result.type();
    returned += (returned.empty() ? "" : ", ") + result.name;
  }
  std::string function = "func.func @group(" + header + ") -> (" + types +
                         ") {\n" + written + "  return " + returned + " : " +
                         types + "\n}\n" + functionText + pendingFunctions +
                         resourceText();
  auto module = parseModuleText(function, &context, "drawn");
  if (!module) {
    // This is an error of the generator, not of the compiler.
    errs() << "the drawn program is not valid:\n" << function;
    std::abort();
  }
  auto group = *module->getOps<mlir::func::FuncOp>().begin();
  Interpreter interpreter;
  std::vector<RangeTensorRef> inputs;
  for (const DrawnValue *value : reads)
    inputs.push_back(value->data);
  auto computed = interpreter.run(group, inputs);
  if (!computed) {
    std::string why = toString(computed.takeError());
    if (StringRef(why).starts_with("the interpreter")) {
      errs() << why << ":\n" << function;
      std::abort();
    }
    drop();
    return false;
  }
  std::vector<DrawnValue> made;
  wild |= chance(4);
  bool tame = true;
  for (auto [result, data, type] :
       zip(results, *computed, group.getResultTypes())) {
    made.push_back({result, data});
    tame &= isTame(made.back(), type, wild);
  }
  if (!tame || text.size() + written.size() > (1 << 18)) {
    drop();
    return false;
  }
  for (const DrawnValue *read : reads)
    for (DrawnValue &value : values)
      if (value.name == read->name)
        ++value.uses;
  text += written;
  functionText += pendingFunctions;
  append_range(functions, freshFunctions);
  for (auto [value, isConstant] : zip(fresh, freshConstants)) {
    arguments.push_back(value);
    constantArguments.push_back(isConstant);
    if (!isConstant)
      values.push_back(value);
  }
  append_range(values, made);
  drop();
  return true;
}

std::string NetworkDraw::draw() {
  static const struct {
    const char *name;
    Kind kind;
    unsigned weight;
  } kinds[] = {
      {"unary", &NetworkDraw::unary, 10},
      {"binary", &NetworkDraw::binary, 10},
      {"select", &NetworkDraw::compareSelect, 4},
      {"integers", &NetworkDraw::integers, 4},
      {"casts", &NetworkDraw::casts, 4},
      {"positions", &NetworkDraw::positions, 2},
      {"quantize", &NetworkDraw::quantize, 3},
      {"quantized-product", &NetworkDraw::quantizedProduct, 3},
      {"dequantized-product", &NetworkDraw::dequantizedProduct, 4},
      {"weight-only-product", &NetworkDraw::weightOnlyProduct, 3},
      {"scaled-product", &NetworkDraw::scaledProduct, 2},
      {"product", &NetworkDraw::product, 5},
      {"vector-product", &NetworkDraw::vectorProduct, 2},
      {"linear", &NetworkDraw::linearLayer, 5},
      {"convolution", &NetworkDraw::convolution, 6},
      {"convolution1", &NetworkDraw::convolution1, 2},
      {"tiled-convolution", &NetworkDraw::tiledConvolution, 3},
      {"convolution3", &NetworkDraw::convolution3, 2},
      {"transposed-convolution", &NetworkDraw::transposedConvolution, 2},
      {"pooling", &NetworkDraw::pooling, 4},
      {"reduction", &NetworkDraw::reduction, 6},
      {"argmax", &NetworkDraw::argMax, 2},
      {"softmax", &NetworkDraw::softmax, 4},
      {"layer-norm", &NetworkDraw::layerNorm, 4},
      {"batch-norm", &NetworkDraw::batchNorm, 3},
      {"group-norm", &NetworkDraw::groupNorm, 2},
      {"attention", &NetworkDraw::attention, 3},
      {"gather", &NetworkDraw::gather, 4},
      {"resize", &NetworkDraw::resize, 2},
      {"slice", &NetworkDraw::slicing, 5},
      {"concat", &NetworkDraw::joining, 5},
      {"pad", &NetworkDraw::padding, 3},
      {"reshape", &NetworkDraw::reshaping, 5},
      {"transpose", &NetworkDraw::permuting, 5},
      {"broadcast", &NetworkDraw::spreading, 3},
      {"insert", &NetworkDraw::inserting, 2},
      {"alias", &NetworkDraw::aliases, 4},
      {"tensor-select", &NetworkDraw::tensorSelects, 4},
      {"branch", &NetworkDraw::branches, 4},
      {"loop", &NetworkDraw::loops, 4},
      {"call", &NetworkDraw::calls, 4},
      {"partial", &NetworkDraw::partialWrites, 4},
      {"ordered-reduction", &NetworkDraw::orderedReduction, 5},
      {"ordered-window", &NetworkDraw::orderedWindow, 4},
      {"coupled-reduction", &NetworkDraw::coupledReduction, 2},
      {"algebra", &NetworkDraw::algebra, 6},
      {"widths", &NetworkDraw::widths, 4},
      {"requantize", &NetworkDraw::requantize, 3},
      {"float-chain", &NetworkDraw::floatChain, 5},
      {"row-mask", &NetworkDraw::rowMask, 3},
      {"scalars", &NetworkDraw::scalars, 4},
      {"quantized-convolution", &NetworkDraw::quantizedConvolution, 3},
      {"dequantized-convolution", &NetworkDraw::dequantizedConvolution, 4},
      {"image-chain", &NetworkDraw::imageChain, 4},
      {"pack", &NetworkDraw::packing, 3},
      {"gather-op", &NetworkDraw::gatherOperation, 2},
  };
  base = oneOf<const char *>(
      {"f32", "f32", "f32", "f32", "f32", "f32", "f64", "f16", "bf16"});
  unsigned total = 0;
  for (const auto &kind : kinds)
    total += without.contains(kind.name) ? 0 : kind.weight;
  unsigned wanted = 2 + random.uniform(chance(30) ? 18 : 8), made = 0;
  for (unsigned tries = 0; made < wanted && tries < 4 * wanted && total;
       ++tries) {
    unsigned draw = random.uniform(total);
    for (const auto &kind : kinds) {
      if (without.contains(kind.name))
        continue;
      if (draw >= kind.weight) {
        draw -= kind.weight;
        continue;
      }
      size_t before = values.size();
      (this->*kind.kind)();
      drop();
      made += values.size() > before;
      break;
    }
  }
  // All groups were rejected, and an empty network is useless.
  if (values.empty()) {
    TextTensor x = argument({3, 5}, "f32");
    commit({elementwise({x}, x.shape, "f32",
                        "    %r0 = arith.addf %x0, %x0 : f32\n")});
  }
  // Results: all values without uses, and sometimes one with uses.
  auto isArgument = [&](const TextTensor &value) {
    return any_of(arguments, [&](const TextTensor &argument) {
      return argument.name == value.name;
    });
  };
  std::string header, types, returned;
  unsigned count = 0;
  auto give = [&](const TextTensor &value) {
    types += (count ? ", " : "") + value.type();
    returned += (count++ ? ", " : "") + value.name;
  };
  for (const DrawnValue &value : reverse(values)) {
    // Sometimes an argument is returned, or a value is returned twice.
    if (isArgument(value) ? !chance(2) : value.uses > 0 && !chance(6))
      continue;
    for (unsigned times = chance(4) ? 2 : 1; times > 0 && count < 5; --times)
      give(value);
  }
  if (count == 0)
    give(values.back());
  for (auto [n, value] : enumerate(arguments))
    header += (n ? ", " : "") + value.name + ": " + value.type() +
              " {pruner.name = \"arg" + std::to_string(n) + "\"" +
              (constantArguments[n] ? ", pruner.constant}" : "}");
  return "func.func @main(" + header + ") -> (" + types + ") {\n" + text +
         "  return " + returned + " : " + types + "\n}\n" + functionText +
         resourceText();
}
