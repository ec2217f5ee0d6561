//===- TaskWriter.cpp - write task functions as text ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <iterator>

using namespace pruner;

std::string TextTensor::type() const {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

std::vector<std::string> pruner::dimNames(llvm::ArrayRef<unsigned> dims) {
  std::vector<std::string> names;
  for (unsigned dim : dims)
    names.push_back("d" + std::to_string(dim));
  return names;
}

TextTensor TaskWriter::argument(std::vector<int64_t> shape,
                                llvm::StringRef element) {
  TextTensor tensor{"%a" + std::to_string(next++), std::move(shape),
                    element.str()};
  arguments += (arguments.empty() ? "" : ", ") + tensor.value + ": " +
               tensor.type() + " {pruner.constant}";
  return tensor;
}

TextTensor TaskWriter::empty(std::vector<int64_t> shape,
                             llvm::StringRef element) {
  TextTensor tensor{"%e" + std::to_string(next++), std::move(shape),
                    element.str()};
  text += "  " + tensor.value + " = tensor.empty() : " + tensor.type() + "\n";
  return tensor;
}

TextTensor TaskWriter::filled(std::vector<int64_t> shape,
                              llvm::StringRef element,
                              llvm::StringRef constant) {
  TextTensor into = empty(std::move(shape), element), tensor = into;
  std::string start = "%c" + std::to_string(next++);
  tensor.value = "%f" + std::to_string(next++);
  text += "  " + start + " = arith.constant " + constant.str() + " : " +
          element.str() + "\n  " + tensor.value + " = linalg.fill ins(" +
          start + " : " + element.str() + ") outs(" + into.value + " : " +
          into.type() + ") -> " + into.type() + "\n";
  return tensor;
}

TextTensor TaskWriter::pad(const TextTensor &tensor,
                           const std::vector<int64_t> &low,
                           const std::vector<int64_t> &high,
                           llvm::StringRef constant) {
  TextTensor padded = tensor;
  padded.value = "%p" + std::to_string(next++);
  std::vector<std::string> lows, highs, indices;
  for (size_t r = 0; r < low.size(); ++r) {
    padded.shape[r] += low[r] + high[r];
    lows.push_back(std::to_string(low[r]));
    highs.push_back(std::to_string(high[r]));
    indices.push_back("%i" + std::to_string(r) + ": index");
  }
  std::string start = "%c" + std::to_string(next++);
  text += "  " + start + " = arith.constant " + constant.str() + " : " +
          tensor.element + "\n  " + padded.value + " = tensor.pad " +
          tensor.value + " low[" + llvm::join(lows, ", ") + "] high[" +
          llvm::join(highs, ", ") + "] {\n  ^bb0(" + llvm::join(indices, ", ") +
          "):\n    tensor.yield " + start + " : " + tensor.element +
          "\n  } : " + tensor.type() + " to " + padded.type() + "\n";
  return padded;
}

TextTensor TaskWriter::generic(llvm::StringRef iterators,
                               llvm::ArrayRef<TextOperand> inputs,
                               const TextOperand &output,
                               llvm::StringRef body) {
  std::vector<std::string> dims, kinds, maps, values, types, block;
  for (auto [d, kind] : llvm::enumerate(iterators)) {
    dims.push_back("d" + std::to_string(d));
    kinds.push_back(kind == 'r' ? "\"reduction\"" : "\"parallel\"");
  }
  auto map = [&](const TextOperand &operand) {
    return "affine_map<(" + llvm::join(dims, ", ") + ") -> (" +
           llvm::join(operand.map, ", ") + ")>";
  };
  for (auto [n, input] : llvm::enumerate(inputs)) {
    maps.push_back(map(input));
    values.push_back(input.tensor.value);
    types.push_back(input.tensor.type());
    block.push_back("%x" + std::to_string(n) + ": " + input.tensor.element);
  }
  maps.push_back(map(output));
  block.push_back("%acc: " + output.tensor.element);
  TextTensor result = output.tensor;
  result.value = "%v" + std::to_string(next++);
  text += "  " + result.value + " = linalg.generic {indexing_maps = [" +
          llvm::join(maps, ", ") + "], iterator_types = [" +
          llvm::join(kinds, ", ") + "]} ins(" + llvm::join(values, ", ") +
          " : " + llvm::join(types, ", ") + ") outs(" + output.tensor.value +
          " : " + output.tensor.type() + ") {\n  ^bb0(" +
          llvm::join(block, ", ") + "):\n" + body.str() +
          "    linalg.yield %r : " + output.tensor.element + "\n  } -> " +
          output.tensor.type() + "\n";
  return result;
}

std::string TaskWriter::finish(const TextTensor &result) const {
  return "func.func @task(" + arguments + ") -> " + result.type() + " {\n" +
         text + "  return " + result.value + " : " + result.type() + "\n}\n";
}

MultiplyAdd pruner::multiplyAdd(Random &random) {
  static const MultiplyAdd all[] = {{"f32", "f32",
                                     "    %m = arith.mulf %x0, %x1 : f32\n"
                                     "    %r = arith.addf %acc, %m : f32\n"},
                                    {"f16", "f32",
                                     "    %p = arith.extf %x0 : f16 to f32\n"
                                     "    %q = arith.extf %x1 : f16 to f32\n"
                                     "    %m = arith.mulf %p, %q : f32\n"
                                     "    %r = arith.addf %acc, %m : f32\n"},
                                    {"bf16", "f32",
                                     "    %p = arith.extf %x0 : bf16 to f32\n"
                                     "    %q = arith.extf %x1 : bf16 to f32\n"
                                     "    %m = arith.mulf %p, %q : f32\n"
                                     "    %r = arith.addf %acc, %m : f32\n"},
                                    {"f64", "f64",
                                     "    %m = arith.mulf %x0, %x1 : f64\n"
                                     "    %r = arith.addf %acc, %m : f64\n"},
                                    {"i8", "i32",
                                     "    %p = arith.extsi %x0 : i8 to i32\n"
                                     "    %q = arith.extsi %x1 : i8 to i32\n"
                                     "    %m = arith.muli %p, %q : i32\n"
                                     "    %r = arith.addi %acc, %m : i32\n"},
                                    {"i16", "i32",
                                     "    %p = arith.extsi %x0 : i16 to i32\n"
                                     "    %q = arith.extsi %x1 : i16 to i32\n"
                                     "    %m = arith.muli %p, %q : i32\n"
                                     "    %r = arith.addi %acc, %m : i32\n"},
                                    {"i64", "i64",
                                     "    %m = arith.muli %x0, %x1 : i64\n"
                                     "    %r = arith.addi %acc, %m : i64\n"},
                                    {"f16", "f16",
                                     "    %m = arith.mulf %x0, %x1 : f16\n"
                                     "    %r = arith.addf %acc, %m : f16\n"},
                                    {"bf16", "bf16",
                                     "    %m = arith.mulf %x0, %x1 : bf16\n"
                                     "    %r = arith.addf %acc, %m : bf16\n"}};
  return all[random.uniform(100) < 55 ? 0 : random.uniform(std::size(all))];
}
