//===- OperatorData.cpp - operands and reference results ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OperatorData.h"

#include "InterleavedTiming.h"

#include "pruner/Support/Random.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <limits>

using namespace pruner;
using namespace pruner::bench;
namespace json = llvm::json;

OperatorData::OperatorData(const Operator &op)
    : op(op), out(size_t(op.resultElements())) {
  Random random(1);
  for (const OperandSpec &spec : op.inputs) {
    FloatBuffer &buffer = in.emplace_back(size_t(spec.elements()));
    for (float &value : buffer)
      value = float(spec.offset + spec.range * (2 * random.uniformReal() - 1));
  }
  expected = reference(op, in);
}

llvm::Error OperatorData::verify(const std::function<void()> &run) {
  llvm::fill(out, std::numeric_limits<float>::quiet_NaN());
  run();
  double squares = 0;
  for (double value : expected)
    squares += value * value;
  double scale = std::sqrt(squares / double(expected.size()));
  if (scale == 0)
    scale = 1;
  for (auto [index, value] : llvm::enumerate(expected))
    // NaN is not within any bound.
    if (!(std::abs(out[index] - value) <= tolerance * scale))
      return llvm::createStringError(
          "wrong result: element %zu is %g instead of %g", index,
          double(out[index]), value);
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
            writeRaw(path, in[index].data(), in[index].size() * sizeof(float)))
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
      {"inputs", std::move(inputs)},
      {"result",
       json::Object{{"file", path}, {"shape", json::Array(op.result)}}},
      {"tolerance", tolerance},
      {"programs", std::move(programs)}};
}
