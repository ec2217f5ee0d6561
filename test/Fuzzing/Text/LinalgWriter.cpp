//===- LinalgWriter.cpp - write a linalg function as text -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinalgWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace pruner;

namespace {
/// The operands of an operation: "<keyword>(%a, %b : tensor<...>, ...)".
struct OperandText {
  std::vector<std::string> names, types;

  void add(const TextTensor &tensor) {
    names.push_back(tensor.name);
    types.push_back(tensor.type());
  }
  std::string text(StringRef keyword) const {
    return names.empty() ? ""
                         : (keyword + "(" + join(names, ", ") + " : " +
                            join(types, ", ") + ")")
                               .str();
  }
};
} // namespace

static std::string insOuts(ArrayRef<TextTensor> inputs,
                           const TextTensor &init) {
  OperandText ins, outs;
  for (const TextTensor &input : inputs)
    ins.add(input);
  outs.add(init);
  return ins.text("ins") + outs.text(" outs");
}

std::string LinalgWriter::name(StringRef prefix) {
  return ("%" + prefix + Twine(names++)).str();
}

TextTensor LinalgWriter::op(Shape shape, StringRef element,
                            const std::string &operation) {
  TextTensor result{name("v"), std::move(shape), element.str()};
  written += "  " + result.name + " = " + operation + "\n";
  return result;
}

TextTensor LinalgWriter::argument(Shape shape, StringRef element,
                                  StringRef attributes) {
  TextTensor tensor{name("a"), std::move(shape), element.str()};
  arguments.push_back(tensor.name + ": " + tensor.type() +
                      (attributes.empty() ? "" : " " + attributes.str()));
  return tensor;
}

std::string LinalgWriter::constant(StringRef literal, StringRef element) {
  std::string result = name("c");
  written +=
      ("  " + result + " = arith.constant " + literal + " : " + element + "\n")
          .str();
  return result;
}

TextTensor LinalgWriter::empty(Shape shape, StringRef element) {
  TextTensor like{"", shape, element.str()};
  return op(std::move(shape), element, "tensor.empty() : " + like.type());
}

TextTensor LinalgWriter::fill(const TextTensor &init,
                              const std::string &scalar) {
  return op(init.shape, init.element,
            "linalg.fill ins(" + scalar + " : " + init.element + ") outs(" +
                init.name + " : " + init.type() + ") -> " + init.type());
}

TextTensor LinalgWriter::filled(Shape shape, StringRef element,
                                StringRef literal) {
  TextTensor init = empty(std::move(shape), element);
  return fill(init, constant(literal, element));
}

TextTensor LinalgWriter::pad(const TextTensor &x, const Shape &low,
                             const Shape &high, const std::string &scalar) {
  TextTensor to = x;
  std::vector<std::string> indices;
  for (size_t d = 0; d < x.rank(); ++d) {
    to.shape[d] += low[d] + high[d];
    indices.push_back("%i" + std::to_string(d) + ": index");
  }
  return op(to.shape, x.element,
            "tensor.pad " + x.name + " low" + listText(low) + " high" +
                listText(high) + " {\n  ^bb0(" + join(indices, ", ") +
                "):\n    tensor.yield " + scalar + " : " + x.element +
                "\n  } : " + x.type() + " to " + to.type());
}

TextTensor LinalgWriter::slice(const TextTensor &x, const Shape &offsets,
                               const Shape &sizes, const Shape &strides) {
  TextTensor to{"", sizes, x.element};
  return op(sizes, x.element,
            "tensor.extract_slice " + x.name + listText(offsets) + " " +
                listText(sizes) + " " + listText(strides) + " : " + x.type() +
                " to " + to.type());
}

TextTensor LinalgWriter::insert(const TextTensor &x, const TextTensor &into,
                                const Shape &offsets, const Shape &strides) {
  return op(into.shape, into.element,
            "tensor.insert_slice " + x.name + " into " + into.name +
                listText(offsets) + " " + listText(x.shape) + " " +
                listText(strides) + " : " + x.type() + " into " + into.type());
}

TextTensor LinalgWriter::reshape(const TextTensor &x, Shape shape,
                                 StringRef groups) {
  TextTensor to{"", std::move(shape), x.element};
  bool collapses = to.rank() < x.rank();
  return op(to.shape, x.element,
            (collapses ? "tensor.collapse_shape " : "tensor.expand_shape ") +
                x.name + " " + groups.str() +
                (collapses ? "" : " output_shape " + listText(to.shape)) +
                " : " + x.type() + " into " + to.type());
}

TextTensor LinalgWriter::named(StringRef mnemonic, ArrayRef<TextTensor> inputs,
                               const TextTensor &init, StringRef attributes) {
  return op(init.shape, init.element,
            (mnemonic + " " + attributes + (attributes.empty() ? "" : " ") +
             insOuts(inputs, init) + " -> " + init.type())
                .str());
}

TextTensor LinalgWriter::transpose(const TextTensor &x, const TextTensor &init,
                                   ArrayRef<int64_t> permutation) {
  return op(init.shape, init.element,
            "linalg.transpose " + insOuts(x, init) +
                " permutation = " + listText(permutation));
}

TextTensor LinalgWriter::broadcast(const TextTensor &x, const TextTensor &init,
                                   ArrayRef<int64_t> dimensions) {
  return op(init.shape, init.element,
            "linalg.broadcast " + insOuts(x, init) +
                " dimensions = " + listText(dimensions));
}

std::vector<TextTensor> LinalgWriter::generic(StringRef iterators,
                                              ArrayRef<TextOperand> inputs,
                                              ArrayRef<TextOperand> outputs,
                                              StringRef body,
                                              std::vector<std::string> yields) {
  std::vector<std::string> kinds, maps, block, elements;
  OperandText ins, outs;
  const std::string dims = join(allDims(iterators.size()), ", ");
  auto add = [&](const TextOperand &operand, OperandText &list,
                 const char *prefix) {
    maps.push_back("affine_map<(" + dims + ") -> (" + join(operand.map, ", ") +
                   ")>");
    block.push_back(prefix + std::to_string(list.names.size()) + ": " +
                    operand.tensor.element);
    list.add(operand.tensor);
  };
  for (char kind : iterators)
    kinds.push_back(kind == 'r' ? "\"reduction\"" : "\"parallel\"");
  for (const TextOperand &input : inputs)
    add(input, ins, "%x");
  std::vector<TextTensor> results;
  for (auto [n, output] : enumerate(outputs)) {
    add(output, outs, "%y");
    elements.push_back(output.tensor.element);
    if (yields.size() <= n)
      yields.push_back((body.empty() ? "%x" : "%r") + std::to_string(n));
    results.push_back(output.tensor);
  }
  std::string value = name("v"), count = std::to_string(results.size());
  const bool one = results.size() == 1;
  for (auto [n, result] : enumerate(results))
    result.name = one ? value : value + "#" + std::to_string(n);
  written += "  " + value + (one ? "" : ":" + count) +
             " = linalg.generic {indexing_maps = " + listText(maps) +
             ", iterator_types = " + listText(kinds) + "}" + ins.text(" ins") +
             outs.text(" outs") + " {\n  ^bb0(" + join(block, ", ") + "):\n" +
             body.str() + "    linalg.yield " + join(yields, ", ") + " : " +
             join(elements, ", ") + "\n  } -> " +
             (one ? outs.types[0] : "(" + join(outs.types, ", ") + ")") + "\n";
  return results;
}

std::string LinalgWriter::finish(const TextTensor &result,
                                 StringRef function) const {
  return ("func.func @" + function + "(" + join(arguments, ", ") + ") -> " +
          result.type() + " {\n" + written + "  return " + result.name + " : " +
          result.type() + "\n}\n")
      .str();
}
