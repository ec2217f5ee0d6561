//===- LinalgText.cpp - parts of linalg programs as text ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinalgText.h"

#include "pruner/Support/Random.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace pruner;

std::string pruner::listText(ArrayRef<std::string> values) {
  return "[" + join(values, ", ") + "]";
}

std::string pruner::listText(ArrayRef<int64_t> values) {
  return listText(map_to_vector(
      values, [](int64_t value) { return std::to_string(value); }));
}

std::string TextTensor::type() const {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += (extent < 0 ? "?" : std::to_string(extent)) + "x";
  return text + element + ">";
}

int64_t TextTensor::elements() const {
  return accumulate(shape, int64_t(1), std::multiplies<>());
}

bool TextTensor::isReal() const { return isFloatName(element); }

TextMap pruner::dimNames(ArrayRef<unsigned> dims) {
  TextMap names;
  for (unsigned dim : dims)
    names.push_back("d" + std::to_string(dim));
  return names;
}

TextMap pruner::allDims(size_t rank) {
  return dimNames(to_vector(seq<unsigned>(0, rank)));
}

bool pruner::isFloatName(StringRef element) {
  return element.starts_with("f") || element.starts_with("bf");
}

std::string pruner::zeroOf(StringRef element) {
  return isFloatName(element) ? "0.0" : "0";
}

std::string pruner::infinityOf(StringRef element, bool negative) {
  StringRef bits = element == "f64"   ? "7FF0000000000000"
                   : element == "f32" ? "7F800000"
                   : element == "f16" ? "7C00"
                                      : "7F80";
  return ("0x" + Twine(negative ? "F" : "7") + bits.drop_front()).str();
}

std::string pruner::accumulatorOf(StringRef element) {
  if (element == "f16" || element == "bf16")
    return "f32";
  return element[0] == 'i' && element != "i64" ? "i32" : element.str();
}

std::string pruner::arithOf(StringRef element, StringRef floatOperation,
                            StringRef intOperation) {
  return ("arith." + (isFloatName(element) ? floatOperation : intOperation))
      .str();
}

std::string pruner::bodyLine(StringRef to, StringRef operation,
                             StringRef operands, StringRef types) {
  return ("    " + to + " = " + operation + " " + operands + " : " + types +
          "\n")
      .str();
}

std::string pruner::multiplyAddBody(StringRef operand, StringRef result,
                                    bool unsigned0, bool unsigned1) {
  std::string text, factors = "%x0, %x1";
  if (operand != result) {
    std::string types = (operand + " to " + result).str();
    auto extend = [&](bool isUnsigned) {
      return arithOf(result, "extf", isUnsigned ? "extui" : "extsi");
    };
    text = bodyLine("%p", extend(unsigned0), "%x0", types) +
           bodyLine("%q", extend(unsigned1), "%x1", types);
    factors = "%p, %q";
  }
  return text +
         bodyLine("%m", arithOf(result, "mulf", "muli"), factors, result) +
         bodyLine("%r0", arithOf(result, "addf", "addi"), "%y0, %m", result);
}

std::string BodyText::add(StringRef operation, StringRef operands,
                          StringRef types) {
  std::string value = "%t" + std::to_string(next++);
  text += bodyLine(value, operation, operands, types);
  return value;
}

int64_t pruner::drawExtent(Random &random, ArrayRef<int64_t> values,
                           int64_t limit) {
  for (;;)
    if (int64_t value = values[random.uniform(values.size())]; value <= limit)
      return value;
}
