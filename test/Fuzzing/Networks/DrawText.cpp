//===- DrawText.cpp - write operations as text ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkDraw.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace pruner;

std::string BodyText::add(const std::string &operation,
                          const std::string &operands,
                          const std::string &types) {
  std::string value = "%t" + std::to_string(next++);
  text += "    " + value + " = " + operation + " " + operands + " : " + types +
          "\n";
  return value;
}

std::string NetworkDraw::name(const char *prefix) {
  return "%" + std::string(prefix) + std::to_string(next++);
}

static mlir::Type elementType(mlir::MLIRContext &context, StringRef element) {
  mlir::Builder builder(&context);
  if (element == "f32")
    return builder.getF32Type();
  if (element == "f64")
    return builder.getF64Type();
  if (element == "f16")
    return builder.getF16Type();
  if (element == "bf16")
    return builder.getBF16Type();
  if (element == "index")
    return builder.getIndexType();
  unsigned width = 0;
  element.drop_front().getAsInteger(10, width);
  return builder.getIntegerType(width);
}

DrawnTensor NetworkDraw::argument(Shape shape, const std::string &element,
                                  bool weight) {
  DrawnTensor tensor{name("a"), std::move(shape), element};
  auto type =
      mlir::RankedTensorType::get(tensor.shape, elementType(context, element));
  // The data depends on the number of the argument.
  std::vector<mlir::Type> types(arguments.size() + fresh.size() + 1, type);
  tensor.data = readTensor(
      type, drawInputs(types, inputSeed, /*special=*/false).back().data());
  fresh.push_back(tensor);
  freshConstants.push_back(weight);
  return tensor;
}

DrawnTensor NetworkDraw::op(Shape shape, const std::string &element,
                            const std::string &operation) {
  DrawnTensor result{name("v"), std::move(shape), element};
  pending += "  " + result.name + " = " + operation + "\n";
  return result;
}

DrawnTensor NetworkDraw::empty(Shape shape, const std::string &element) {
  DrawnTensor like{"", shape, element};
  return op(shape, element, "tensor.empty() : " + like.type());
}

std::string NetworkDraw::number(double value, const std::string &element) {
  if (element[0] == 'i')
    return std::to_string(int64_t(value));
  std::string text;
  raw_string_ostream(text) << format("%.8e", value);
  return text;
}

std::string NetworkDraw::infinity(const std::string &element, bool negative) {
  const char *bits = element == "f64"   ? "7FF0000000000000"
                     : element == "f32" ? "7F800000"
                     : element == "f16" ? "7C00"
                                        : "7F80";
  std::string text = std::string("0x") + bits;
  if (negative)
    text[2] = 'F';
  return text;
}

std::string NetworkDraw::constant(const std::string &value,
                                  const std::string &element) {
  std::string result = name("c");
  pending +=
      "  " + result + " = arith.constant " + value + " : " + element + "\n";
  return result;
}

DrawnTensor NetworkDraw::weight(Shape shape, const std::string &element,
                                int64_t summed) {
  DrawnTensor tensor{"", shape, element};
  int64_t count = tensor.elements();
  if (count > 512 || chance(60))
    return argument(std::move(shape), element, chance(70));
  // Written out, with a size that keeps the magnitude of sums.
  double scale = 1 / std::sqrt(double(std::max<int64_t>(summed, 1)));
  if (chance(15))
    return resource(std::move(shape), element, scale * 1.7);
  bool splat = chance(8);
  std::string list;
  std::function<void(size_t)> write = [&](size_t d) {
    if (d == shape.size()) {
      list +=
          tensor.isReal()
              ? number((2 * random.uniformReal() - 1) * scale * 1.7, element)
              : std::to_string(int64_t(random.uniform(15)) - 7);
      return;
    }
    list += "[";
    for (int64_t n = 0; n < shape[d]; ++n) {
      list += n ? ", " : "";
      write(d + 1);
    }
    list += "]";
  };
  write(splat ? shape.size() : 0);
  return op(shape, element,
            "arith.constant dense<" + list + "> : " + tensor.type());
}

static const fltSemantics &semanticsOf(StringRef element) {
  return element == "f64"   ? APFloat::IEEEdouble()
         : element == "f16" ? APFloat::IEEEhalf()
         : element == "f32" ? APFloat::IEEEsingle()
                            : APFloat::BFloat();
}

DrawnTensor NetworkDraw::resource(Shape shape, const std::string &element,
                                  double most) {
  DrawnTensor tensor{"", shape, element};
  // Each element begins with its lowest byte, and a boolean has one.
  std::string bytes = "04000000"; // The alignment.
  for (int64_t n = 0, count = tensor.elements(); n < count; ++n) {
    APInt bits;
    if (tensor.isReal()) {
      APFloat value((2 * random.uniformReal() - 1) * most);
      bool loses;
      value.convert(semanticsOf(element), APFloat::rmNearestTiesToEven, &loses);
      bits = value.bitcastToAPInt();
    } else if (element == "i1") {
      bits = APInt(8, random.uniform(2));
    } else {
      unsigned width = unsigned(std::stoul(element.substr(1)));
      bits = APInt(width, uint64_t(between(-7, 7)), /*isSigned=*/true);
    }
    for (unsigned at = 0; at < bits.getBitWidth(); at += 8)
      bytes += toHex(
          StringRef(std::string(1, char(bits.extractBitsAsZExtValue(8, at)))));
  }
  std::string key = "r" + std::to_string(resources.size());
  resources.push_back(key + ": \"0x" + bytes + "\"");
  return op(shape, element,
            "arith.constant dense_resource<" + key + "> : " + tensor.type());
}

std::string NetworkDraw::resourceText() const {
  if (resources.empty())
    return "";
  return "{-# dialect_resources: { builtin: {\n" + join(resources, ",\n") +
         "\n} } #-}\n";
}

DrawnTensor NetworkDraw::filled(Shape shape, const std::string &element,
                                const std::string &value) {
  std::string scalar = constant(value, element);
  DrawnTensor into = empty(shape, element);
  return op(shape, element,
            "linalg.fill ins(" + scalar + " : " + element + ") outs(" +
                into.name + " : " + into.type() + ") -> " + into.type());
}

static std::string mapText(size_t dims, const std::vector<std::string> &map) {
  std::string text = "affine_map<(";
  for (size_t d = 0; d < dims; ++d)
    text += (d ? ", d" : "d") + std::to_string(d);
  return text + ") -> (" + join(map, ", ") + ")>";
}

std::vector<DrawnTensor>
NetworkDraw::generic(const std::string &kinds,
                     const std::vector<DrawnOperand> &inputs,
                     const std::vector<DrawnOperand> &outputs,
                     const std::string &body, std::vector<std::string> yields) {
  std::vector<std::string> maps, iterators, block, elements;
  std::vector<std::string> inNames, inTypes, outNames, outTypes;
  std::vector<DrawnTensor> results;
  for (char kind : kinds)
    iterators.push_back(kind == 'r' ? "\"reduction\"" : "\"parallel\"");
  for (auto [n, input] : enumerate(inputs)) {
    maps.push_back(mapText(kinds.size(), input.map));
    inNames.push_back(input.tensor.name);
    inTypes.push_back(input.tensor.type());
    block.push_back("%x" + std::to_string(n) + ": " + input.tensor.element);
  }
  for (auto [n, output] : enumerate(outputs)) {
    maps.push_back(mapText(kinds.size(), output.map));
    outNames.push_back(output.tensor.name);
    outTypes.push_back(output.tensor.type());
    block.push_back("%y" + std::to_string(n) + ": " + output.tensor.element);
    // Without a body: a copy.
    if (yields.size() <= n)
      yields.push_back(body.empty() ? "%x" + std::to_string(n)
                                    : "%r" + std::to_string(n));
    elements.push_back(output.tensor.element);
    results.push_back(output.tensor);
  }
  std::string value = name("v");
  for (auto [n, result] : enumerate(results))
    result.name = results.size() == 1 ? value : value + "#" + std::to_string(n);
  pending += "  " + value +
             (results.size() > 1 ? ":" + std::to_string(results.size()) : "") +
             " = linalg.generic {indexing_maps = [" + join(maps, ", ") +
             "], iterator_types = [" + join(iterators, ", ") + "]}";
  if (!inputs.empty())
    pending +=
        " ins(" + join(inNames, ", ") + " : " + join(inTypes, ", ") + ")";
  pending +=
      " outs(" + join(outNames, ", ") + " : " + join(outTypes, ", ") +
      ") {\n  ^bb0(" + join(block, ", ") + "):\n" + body + "    linalg.yield " +
      join(yields, ", ") + " : " + join(elements, ", ") + "\n  } -> " +
      (results.size() > 1 ? "(" + join(outTypes, ", ") + ")" : outTypes[0]) +
      "\n";
  // A name with # cannot be declared as an operand of another group.
  if (results.size() > 1)
    for (DrawnTensor &result : results)
      result = cast(result, result.element);
  return results;
}

static std::vector<std::string> identityMap(size_t rank) {
  std::vector<std::string> map;
  for (size_t d = 0; d < rank; ++d)
    map.push_back("d" + std::to_string(d));
  return map;
}

DrawnTensor NetworkDraw::elementwise(const std::vector<DrawnTensor> &inputs,
                                     const Shape &shape,
                                     const std::string &element,
                                     const std::string &body) {
  std::vector<DrawnOperand> operands;
  for (const DrawnTensor &input : inputs) {
    std::vector<std::string> map;
    size_t skipped = shape.size() - input.rank();
    for (size_t d = 0; d < input.rank(); ++d)
      map.push_back(input.shape[d] == 1 &&
                            (shape[d + skipped] != 1 || chance(60))
                        ? "0"
                        : "d" + std::to_string(d + skipped));
    operands.push_back({input, std::move(map)});
  }
  std::string kinds(shape.size(), 'p');
  return generic(kinds, operands,
                 {{empty(shape, element), identityMap(shape.size())}}, body)[0];
}

DrawnTensor NetworkDraw::named(const std::string &mnemonic,
                               const std::vector<DrawnTensor> &inputs,
                               const DrawnTensor &init,
                               const std::string &attributes) {
  std::vector<std::string> names, types;
  for (const DrawnTensor &input : inputs) {
    names.push_back(input.name);
    types.push_back(input.type());
  }
  return op(init.shape, init.element,
            mnemonic + " " + attributes + " ins(" + join(names, ", ") + " : " +
                join(types, ", ") + ") outs(" + init.name + " : " +
                init.type() + ") -> " + init.type());
}

static std::string list(const Shape &values) {
  std::string text = "[";
  for (auto [n, value] : enumerate(values))
    text += (n ? ", " : "") + std::to_string(value);
  return text + "]";
}

/// The groups of consecutive dimensions of `fine` that form each dimension of
/// `coarse`, as text; empty if there are none.
static std::string groupsOf(const Shape &coarse, const Shape &fine) {
  std::string text = "[";
  size_t next = 0;
  for (auto [d, extent] : enumerate(coarse)) {
    int64_t product = 1;
    text += d ? ", [" : "[";
    bool first = true;
    // The last group takes the remaining dimensions.
    while (next < fine.size() &&
           (first || product < extent || d + 1 == coarse.size())) {
      text += (first ? "" : ", ") + std::to_string(next);
      product *= fine[next++];
      first = false;
    }
    if (product != extent || first)
      return "";
    text += "]";
  }
  return next == fine.size() ? text + "]" : "";
}

DrawnTensor NetworkDraw::reshape(const DrawnTensor &x, const Shape &shape) {
  if (x.shape == shape)
    return x;
  DrawnTensor result{"", shape, x.element};
  std::string types = " : " + x.type() + " into " + result.type();
  std::string apart = groupsOf(x.shape, shape);
  if (x.rank() < shape.size() && x.rank() > 0 && !apart.empty())
    return op(shape, x.element,
              "tensor.expand_shape " + x.name + " " + apart + " output_shape " +
                  list(shape) + types);
  std::string together = groupsOf(shape, x.shape);
  if (x.rank() > shape.size() && !shape.empty() && !together.empty())
    return op(shape, x.element,
              "tensor.collapse_shape " + x.name + " " + together + types);
  DrawnTensor flat = x;
  auto groups = [](size_t count) {
    std::string text = "[[";
    for (size_t d = 0; d < count; ++d)
      text += (d ? ", " : "") + std::to_string(d);
    return text + "]]";
  };
  if (x.rank() != 1) {
    DrawnTensor to{"", {x.elements()}, x.element};
    if (x.rank() == 0)
      flat = op(to.shape, x.element,
                "tensor.expand_shape " + x.name + " [] output_shape [1] : " +
                    x.type() + " into " + to.type());
    else
      flat = op(to.shape, x.element,
                "tensor.collapse_shape " + x.name + " " + groups(x.rank()) +
                    " : " + x.type() + " into " + to.type());
  }
  if (shape.size() == 1)
    return flat;
  DrawnTensor to{"", shape, x.element};
  if (shape.empty())
    return op(shape, x.element,
              "tensor.collapse_shape " + flat.name + " [] : " + flat.type() +
                  " into " + to.type());
  return op(shape, x.element,
            "tensor.expand_shape " + flat.name + " " + groups(shape.size()) +
                " output_shape " + list(shape) + " : " + flat.type() +
                " into " + to.type());
}

DrawnTensor NetworkDraw::transpose(const DrawnTensor &x, const Dims &order) {
  Shape shape;
  std::string permutation;
  std::vector<std::string> map(x.rank());
  for (auto [to, from] : enumerate(order)) {
    shape.push_back(x.shape[from]);
    permutation += (to ? ", " : "") + std::to_string(from);
    map[from] = "d" + std::to_string(to);
  }
  DrawnTensor into = empty(shape, x.element);
  if (chance(70))
    return op(shape, x.element,
              "linalg.transpose ins(" + x.name + " : " + x.type() + ") outs(" +
                  into.name + " : " + into.type() + ") permutation = [" +
                  permutation + "]");
  return generic(std::string(x.rank(), 'p'), {{x, map}},
                 {{into, identityMap(x.rank())}}, "")[0];
}

DrawnTensor NetworkDraw::slice(const DrawnTensor &x, const Shape &offsets,
                               const Shape &sizes, const Shape &strides) {
  DrawnTensor to{"", sizes, x.element};
  return op(sizes, x.element,
            "tensor.extract_slice " + x.name + list(offsets) + " " +
                list(sizes) + " " + list(strides) + " : " + x.type() + " to " +
                to.type());
}

DrawnTensor NetworkDraw::pad(const DrawnTensor &x, const Shape &low,
                             const Shape &high, const std::string &value) {
  DrawnTensor to = x;
  std::vector<std::string> indices;
  for (size_t d = 0; d < x.rank(); ++d) {
    to.shape[d] += low[d] + high[d];
    indices.push_back("%i" + std::to_string(d) + ": index");
  }
  std::string scalar = constant(value, x.element);
  return op(to.shape, x.element,
            "tensor.pad " + x.name + " low" + list(low) + " high" + list(high) +
                " {\n  ^bb0(" + join(indices, ", ") + "):\n    tensor.yield " +
                scalar + " : " + x.element + "\n  } : " + x.type() + " to " +
                to.type());
}

DrawnTensor NetworkDraw::concat(const std::vector<DrawnTensor> &parts,
                                unsigned dim) {
  DrawnTensor to = parts[0];
  to.shape[dim] = 0;
  std::vector<std::string> names, types;
  for (const DrawnTensor &part : parts) {
    to.shape[dim] += part.shape[dim];
    names.push_back(part.name);
    types.push_back(part.type());
  }
  return op(to.shape, to.element,
            "tensor.concat dim(" + std::to_string(dim) + ") " +
                join(names, ", ") + " : (" + join(types, ", ") + ") -> " +
                to.type());
}

DrawnTensor NetworkDraw::cast(const DrawnTensor &x,
                              const std::string &element) {
  bool to = element[0] != 'i';
  std::string body;
  auto bits = [](const std::string &type) {
    return std::stoi(type.substr(type[0] == 'b' ? 2 : 1));
  };
  if (x.element == element)
    // The second of several results, through an op with one result.
    return op(x.shape, element,
              "tensor.cast " + x.name + " : " + x.type() + " to " + x.type());
  auto convert = [&](const char *how) {
    return elementwise({x}, x.shape, element,
                       std::string("    %r0 = arith.") + how +
                           " %x0 : " + x.element + " to " + element + "\n");
  };
  if (x.element == "index" || element == "index") {
    if (x.isReal() || to)
      return cast(cast(x, "i64"), element);
    return convert(x.element == "i1" ? "index_castui" : "index_cast");
  }
  if (x.isReal() && to) {
    if (bits(x.element) == bits(element)) // f16 and bf16.
      return cast(cast(x, "f32"), element);
    return convert(bits(x.element) < bits(element) ? "extf" : "truncf");
  }
  if (!x.isReal() && to)
    return convert(x.element == "i1" || chance(10) ? "uitofp" : "sitofp");
  if (x.isReal())
    return convert("fptosi");
  return convert(bits(x.element) > bits(element) ? "trunci"
                 : x.element == "i1"             ? "extui"
                                                 : "extsi");
}
