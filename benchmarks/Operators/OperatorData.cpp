//===- OperatorData.cpp - operands and reference results ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OperatorData.h"

#include "InterleavedTiming.h"

#include "pruner/Support/Random.h"
#include "pruner/Verification/ElementData.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstring>

using namespace pruner;
using namespace pruner::bench;
namespace json = llvm::json;

static size_t bytesOf(ElementType type, int64_t elements) {
  return size_t(elements * byteWidth(type));
}

/// Memory for elements of any type.
static FloatBuffer memoryOf(ElementType type, int64_t elements) {
  return FloatBuffer((bytesOf(type, elements) + 3) / sizeof(float));
}

/// `value` with the number of significand bits of `type`.
static double rounded(double value, ElementType type) {
  int exponent = 0;
  int bits = precisionBits(type);
  double significand = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(significand, bits)),
                    exponent - bits);
}

OperatorData::OperatorData(const Operator &op)
    : op(op), out(memoryOf(op.types->result, op.resultElements())) {
  Random random(1);
  const ElementTypes &types = *op.types;
  std::vector<FloatBuffer> values;
  for (auto [index, spec] : llvm::enumerate(op.inputs)) {
    FloatBuffer &buffer =
        in.emplace_back(memoryOf(types.operands, spec.elements()));
    FloatBuffer &value = values.emplace_back(size_t(spec.elements()));
    // Bytes that an unsigned operand holds are stored modulo 256.
    int64_t lowest = types.unsignedFirst && index == 0 ? 0 : -128;
    for (int64_t i = 0; i < spec.elements(); ++i)
      if (types.integers()) {
        int64_t drawn = lowest + int64_t(random.uniform(256));
        value[i] = float(drawn);
        writeInteger(buffer.data(), types.operands, i, drawn);
      } else {
        double drawn =
            spec.offset + spec.range * (2 * random.uniformReal() - 1);
        value[i] = float(rounded(drawn, types.operands));
        writeElement(buffer.data(), types.operands, i, value[i]);
      }
  }
  expected = reference(op, values);
}

llvm::Error OperatorData::verify(const std::function<void()> &run) {
  std::memset(out.data(), 0xff, out.size() * sizeof(float));
  run();
  double squares = 0;
  for (double value : expected)
    squares += value * value;
  double scale = std::sqrt(squares / double(expected.size()));
  if (scale == 0)
    scale = 1;
  for (auto [index, value] : llvm::enumerate(expected)) {
    double result = readElement(out.data(), op.types->result, int64_t(index));
    // NaN is not within any bound.
    if (!(std::abs(result - value) <= op.types->tolerance * scale))
      return llvm::createStringError(
          "wrong result: element %zu is %g instead of %g", index, result,
          value);
  }
  return llvm::Error::success();
}

void OperatorData::bind(Contender &contender, std::function<void()> run) {
  contender.verify = [this, run] { return verify(run); };
  contender.time =
      [run = std::move(run)](
          const TimeRequest &request) -> llvm::Expected<std::vector<Batch>> {
    return timeBatches(run, request);
  };
}

llvm::Expected<json::Object> OperatorData::describe(
    llvm::function_ref<std::string(llvm::StringRef)> file) const {
  json::Array inputs;
  for (auto [index, spec] : llvm::enumerate(op.inputs)) {
    std::string path = file("input" + std::to_string(index));
    if (llvm::Error error =
            writeRaw(path, in[index].data(),
                     bytesOf(op.types->operands, spec.elements())))
      return error;
    inputs.push_back(json::Object{{"file", path},
                                  {"shape", json::Array(spec.shape)},
                                  {"constant", spec.constant}});
  }
  std::string path = file("result");
  if (llvm::Error error =
          writeRaw(path, expected.data(), expected.size() * sizeof(double)))
    return error;
  json::Object parameters;
  for (const auto &[name, numbers] : op.parameters)
    parameters[name] = json::Array(numbers);
  json::Array programs{json::Object{{"layout", ""}, {"text", moduleText(op)}}};
  ChannelsLast other = channelsLastText(op);
  if (!other.text.empty()) {
    json::Array permutations;
    for (const std::vector<int64_t> &each : other.inputPermutations)
      permutations.push_back(json::Array(each));
    programs.push_back(json::Object{
        {"layout", "nhwc"},
        {"text", other.text},
        {"input_permutations", std::move(permutations)},
        {"result_permutation", json::Array(other.resultPermutation)}});
  }
  return json::Object{
      {"kind", op.kind},
      {"parameters", std::move(parameters)},
      {"types", op.types->name},
      {"inputs", std::move(inputs)},
      {"result",
       json::Object{{"file", path}, {"shape", json::Array(op.result)}}},
      {"tolerance", op.types->tolerance},
      {"programs", std::move(programs)}};
}
