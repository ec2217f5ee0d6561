//===- ModuleWriter.cpp - text of linalg on tensors -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModuleWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace pruner;
using namespace pruner::bench;
using llvm::Twine;

std::string bench::tensorType(llvm::ArrayRef<int64_t> shape,
                              llvm::StringRef element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element.str() + ">";
}

std::string bench::identityMap(size_t rank) {
  std::vector<std::string> dims;
  for (size_t d = 0; d < rank; ++d)
    dims.push_back("d" + std::to_string(d));
  return llvm::join(dims, ", ");
}

std::string ModuleWriter::line(const Twine &text, unsigned results) {
  std::string name = "%v" + std::to_string(names++);
  std::string count = results > 1 ? ":" + std::to_string(results) : "";
  body += "  " + name + count + " = " + text.str() + "\n";
  return results > 1 ? name + "#0" : name;
}

Value ModuleWriter::argument(std::vector<int64_t> shape,
                             std::string attributes) {
  argumentAttributes.push_back(std::move(attributes));
  arguments.push_back(
      {"%arg" + std::to_string(arguments.size()), std::move(shape)});
  return arguments.back();
}

std::string ModuleWriter::constant(llvm::StringRef literal,
                                   llvm::StringRef type) {
  return line("arith.constant " + literal + " : " + type);
}

Value ModuleWriter::empty(std::vector<int64_t> shape, llvm::StringRef element) {
  std::string name = line("tensor.empty() : " + tensorType(shape, element));
  return {std::move(name), std::move(shape), element.str()};
}

Value ModuleWriter::fill(std::vector<int64_t> shape, const std::string &scalar,
                         llvm::StringRef element) {
  Value init = empty(shape, element);
  std::string type = tensorType(shape, element);
  return {line("linalg.fill ins(" + scalar + " : " + element + ") outs(" +
               init.name + " : " + type + ") -> " + type),
          std::move(shape), element.str()};
}

Value ModuleWriter::pad(const Value &value, llvm::ArrayRef<size_t> dims,
                        int64_t amount, const std::string &scalar) {
  if (amount == 0)
    return value;
  std::vector<int64_t> shape = value.shape;
  std::vector<std::string> amounts, indices;
  for (size_t d = 0; d < shape.size(); ++d) {
    int64_t here = llvm::is_contained(dims, d) ? amount : 0;
    shape[d] += 2 * here;
    amounts.push_back(std::to_string(here));
    indices.push_back("%i" + std::to_string(d) + ": index");
  }
  std::string list = "[" + llvm::join(amounts, ", ") + "]";
  std::string name =
      line("tensor.pad " + value.name + " low" + list + " high" + list +
           " {\n  ^bb0(" + llvm::join(indices, ", ") + "):\n    tensor.yield " +
           scalar + " : f32\n  } : " + tensorType(value.shape) + " to " +
           tensorType(shape));
  return {std::move(name), std::move(shape)};
}

Value ModuleWriter::reshape(const Value &value, std::vector<int64_t> shape,
                            llvm::StringRef groups) {
  std::string types = tensorType(value.shape) + " into " + tensorType(shape);
  if (shape.size() < value.shape.size())
    return {line("tensor.collapse_shape " + value.name + " " + groups + " : " +
                 types),
            std::move(shape)};
  std::vector<std::string> extents;
  for (int64_t extent : shape)
    extents.push_back(std::to_string(extent));
  return {line("tensor.expand_shape " + value.name + " " + groups +
               " output_shape [" + llvm::join(extents, ", ") + "] : " + types),
          std::move(shape)};
}

Value ModuleWriter::named(llvm::StringRef name, llvm::StringRef attributes,
                          llvm::ArrayRef<Value> inputs, const Value &init) {
  std::vector<std::string> operands, types;
  for (const Value &input : inputs) {
    operands.push_back(input.name);
    types.push_back(tensorType(input.shape));
  }
  std::string type = tensorType(init.shape);
  return {line("linalg." + name + " " + attributes +
               (attributes.empty() ? "" : " ") + "ins(" +
               llvm::join(operands, ", ") + " : " + llvm::join(types, ", ") +
               ") outs(" + init.name + " : " + type + ") -> " + type),
          init.shape};
}

Value ModuleWriter::broadcast(const Value &value, const Value &init,
                              llvm::StringRef dimensions) {
  return {line("linalg.broadcast ins(" + value.name + " : " +
               tensorType(value.shape) + ") outs(" + init.name + " : " +
               tensorType(init.shape) + ") dimensions = " + dimensions),
          init.shape};
}

Value ModuleWriter::transpose(const Value &value, const Value &init) {
  return {line("linalg.transpose ins(" + value.name + " : " +
               tensorType(value.shape) + ") outs(" + init.name + " : " +
               tensorType(init.shape) + ") permutation = [1, 0]"),
          init.shape};
}

Value ModuleWriter::generic(size_t rank, llvm::ArrayRef<size_t> reductions,
                            llvm::ArrayRef<Mapped> inputs, const Mapped &init,
                            llvm::ArrayRef<std::string> code) {
  std::string dims = identityMap(rank);
  std::vector<std::string> maps, iterators, operands, types, arguments;
  for (size_t d = 0; d < rank; ++d)
    iterators.push_back(llvm::is_contained(reductions, d) ? "\"reduction\""
                                                          : "\"parallel\"");
  auto addMap = [&](const Mapped &mapped) {
    maps.push_back("affine_map<(" + dims + ") -> (" + mapped.map + ")>");
  };
  for (auto [index, input] : llvm::enumerate(inputs)) {
    addMap(input);
    operands.push_back(input.value.name);
    types.push_back(tensorType(input.value.shape, input.value.element));
    arguments.push_back("%in" + std::to_string(index) + ": " +
                        input.value.element);
  }
  addMap(init);
  const std::string &element = init.value.element;
  arguments.push_back("%out: " + element);
  std::string text = "linalg.generic {indexing_maps = [" +
                     llvm::join(maps, ", ") + "], iterator_types = [" +
                     llvm::join(iterators, ", ") + "]}";
  if (!inputs.empty())
    text += " ins(" + llvm::join(operands, ", ") + " : " +
            llvm::join(types, ", ") + ")";
  std::string type = tensorType(init.value.shape, element);
  text += " outs(" + init.value.name + " : " + type + ") {\n  ^bb0(" +
          llvm::join(arguments, ", ") + "):\n";
  for (const std::string &each : code.drop_back())
    text += "    " + each + "\n";
  text +=
      "    linalg.yield " + code.back() + " : " + element + "\n  } -> " + type;
  return {line(text), init.value.shape, element};
}

std::string ModuleWriter::finish(const Value &result) const {
  std::vector<std::string> list;
  for (auto [argument, attributes] :
       llvm::zip_equal(arguments, argumentAttributes))
    list.push_back(argument.name + ": " + tensorType(argument.shape) +
                   attributes);
  std::string type = tensorType(result.shape);
  return "func.func @main(" + llvm::join(list, ", ") + ") -> " + type + " {\n" +
         body + "  return " + result.name + " : " + type + "\n}\n";
}
