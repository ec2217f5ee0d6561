//===- DrawText.cpp - write operations as text ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkDraw.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace pruner;

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

TextTensor NetworkDraw::argument(Shape shape, const std::string &element,
                                 bool weight) {
  TextTensor tensor{name("a"), std::move(shape), element};
  auto type =
      mlir::RankedTensorType::get(tensor.shape, elementType(context, element));
  // The data depends on the number of the argument.
  std::vector<mlir::Type> types(arguments.size() + fresh.size() + 1, type);
  fresh.push_back(
      {tensor,
       readTensor(
           type,
           drawInputs(types, inputSeed, /*special=*/false).back().data())});
  freshConstants.push_back(weight);
  return tensor;
}

std::string NetworkDraw::number(double value, const std::string &element) {
  if (element[0] == 'i')
    return std::to_string(int64_t(value));
  std::string text;
  raw_string_ostream(text) << format("%.8e", value);
  return text;
}

TextTensor NetworkDraw::weight(Shape shape, const std::string &element,
                               int64_t summed) {
  TextTensor tensor{"", shape, element};
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

TextTensor NetworkDraw::resource(Shape shape, const std::string &element,
                                 double most) {
  TextTensor tensor{"", shape, element};
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

TextTensor NetworkDraw::filled(Shape shape, const std::string &element,
                               const std::string &value) {
  std::string scalar = constant(value, element);
  return fill(empty(std::move(shape), element), scalar);
}

std::vector<TextTensor>
NetworkDraw::generic(const std::string &kinds,
                     const std::vector<TextOperand> &inputs,
                     const std::vector<TextOperand> &outputs,
                     const std::string &body, std::vector<std::string> yields) {
  auto results =
      LinalgWriter::generic(kinds, inputs, outputs, body, std::move(yields));
  // A name with # cannot be declared as an operand of another group.
  if (results.size() > 1)
    for (TextTensor &result : results)
      result = cast(result, result.element);
  return results;
}

TextTensor NetworkDraw::elementwise(const std::vector<TextTensor> &inputs,
                                    const Shape &shape,
                                    const std::string &element,
                                    const std::string &body) {
  std::vector<TextOperand> operands;
  for (const TextTensor &input : inputs) {
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
                 {{empty(shape, element), allDims(shape.size())}}, body)[0];
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

TextTensor NetworkDraw::reshape(const TextTensor &x, const Shape &shape) {
  if (x.shape == shape)
    return x;
  std::string apart = groupsOf(x.shape, shape);
  if (x.rank() < shape.size() && x.rank() > 0 && !apart.empty())
    return LinalgWriter::reshape(x, shape, apart);
  std::string together = groupsOf(shape, x.shape);
  if (x.rank() > shape.size() && !shape.empty() && !together.empty())
    return LinalgWriter::reshape(x, shape, together);
  // Through one dimension.
  auto groups = [](size_t rank) {
    if (rank == 0)
      return std::string("[]");
    return "[" + listText(to_vector(seq<int64_t>(0, rank))) + "]";
  };
  TextTensor flat = x;
  if (x.rank() != 1)
    flat = LinalgWriter::reshape(x, {x.elements()}, groups(x.rank()));
  if (shape.size() == 1)
    return flat;
  return LinalgWriter::reshape(flat, shape, groups(shape.size()));
}

TextTensor NetworkDraw::transpose(const TextTensor &x, const Dims &order) {
  Shape shape;
  TextMap map(x.rank());
  for (auto [to, from] : enumerate(order)) {
    shape.push_back(x.shape[from]);
    map[from] = "d" + std::to_string(to);
  }
  TextTensor into = empty(shape, x.element);
  if (chance(70))
    return LinalgWriter::transpose(x, into, Shape(order.begin(), order.end()));
  return generic(std::string(x.rank(), 'p'), {{x, map}},
                 {{into, allDims(x.rank())}}, "")[0];
}

TextTensor NetworkDraw::concat(const std::vector<TextTensor> &parts,
                               unsigned dim) {
  TextTensor to = parts[0];
  to.shape[dim] = 0;
  std::vector<std::string> names, types;
  for (const TextTensor &part : parts) {
    to.shape[dim] += part.shape[dim];
    names.push_back(part.name);
    types.push_back(part.type());
  }
  return op(to.shape, to.element,
            "tensor.concat dim(" + std::to_string(dim) + ") " +
                join(names, ", ") + " : (" + join(types, ", ") + ") -> " +
                to.type());
}

TextTensor NetworkDraw::cast(const TextTensor &x, const std::string &element) {
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
