//===- DynamicDraw.cpp - draw a random network of dynamic shape -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DynamicDraw.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace pruner;

/// The largest size for which a tensor must not have too many elements.
static constexpr int64_t kLargest = 40;
static constexpr int64_t kMostElements = 6000;

SizedExtent SizedExtent::operator+(const SizedExtent &other) const {
  SizedExtent sum = *this;
  for (auto [term, more] : zip_equal(sum.terms, other.terms))
    term += more;
  return sum;
}

//===--- choices ----------------------------------------------------------===//

SizedExtent DynamicDraw::anyExtent() {
  return chance(45) ? SizedExtent::size()
                    : SizedExtent::fixed(
                          oneOf<int64_t>({1, 2, 3, 4, 5, 7, 8, 8, 12, 16, 17}));
}

/// Whether tensors of these extents are neither too large nor negative.
bool DynamicDraw::fits(const Extents &extents) const {
  int64_t count = 1;
  for (const SizedExtent &extent : extents) {
    if (extent.at(least) < 0 || extent.at(greatest) < 0)
      return false;
    count *= std::max<int64_t>(extent.at(kLargest), 1);
  }
  return count <= kMostElements;
}

SizedTensor
DynamicDraw::pick(const std::function<bool(const SizedTensor &)> &accept,
                  const std::function<SizedTensor()> &other) {
  std::vector<size_t> fitting;
  for (auto [n, value] : enumerate(values))
    if (accept(value))
      for (unsigned times = value.uses == 0 ? 4 : 1; times > 0; --times)
        fitting.push_back(n);
  if (fitting.empty() || chance(12))
    return other();
  SizedTensor &chosen = values[fitting[random.uniform(fitting.size())]];
  ++chosen.uses;
  return chosen;
}

SizedTensor DynamicDraw::anyTensor(size_t leastRank, size_t mostRank) {
  auto accept = [&](const SizedTensor &value) {
    return value.rank() >= leastRank && value.rank() <= mostRank &&
           value.element != "i1";
  };
  return pick(accept, [&] {
    for (;;) {
      Extents extents(between(leastRank, std::min<size_t>(mostRank, 3)));
      for (SizedExtent &extent : extents)
        extent = anyExtent();
      if (fits(extents))
        return argument(extents, chance(80) ? base
                                            : oneOf<const char *>(
                                                  {"i8", "i32", "i64", "f32"}));
    }
  });
}

SizedTensor DynamicDraw::like(const Extents &extents,
                              const std::string &element) {
  auto accept = [&](const SizedTensor &value) {
    return value.extents == extents && value.element == element;
  };
  return pick(accept, [&] { return argument(extents, element); });
}

//===--- text -------------------------------------------------------------===//

SizedTensor DynamicDraw::sized(const std::string &name, Extents extents,
                               const std::string &element, double most) {
  SizedTensor tensor;
  tensor.name = name;
  tensor.element = element;
  for (const SizedExtent &extent : extents)
    tensor.shape.push_back(extent.isFixed() ? extent.at(0) : -1);
  tensor.extents = std::move(extents);
  tensor.most = most;
  return tensor;
}

SizedTensor DynamicDraw::argument(Extents extents, const std::string &element,
                                  const std::string &prefix) {
  if (any_of(extents, [](const SizedExtent &extent) {
        return !extent.isFixed() && !(extent == SizedExtent::size());
      }))
    return computed(std::move(extents), element);
  std::string number = std::to_string(headers.size());
  SizedTensor tensor = sized("%a" + number, extents, element);
  std::string attributes = "pruner.name = \"" + prefix + number + "\"";
  bool isDynamic = !all_of(
      extents, [](const SizedExtent &extent) { return extent.isFixed(); });
  if (ranged) {
    std::vector<std::string> ranges(count(tensor.shape, -1), range);
    if (isDynamic)
      attributes += ", pruner.range = " + listText(ranges);
    else if (chance(50))
      attributes += ", pruner.constant";
    headers.push_back(tensor.name + ": " + tensor.type() + " {" + attributes +
                      "}");
  } else {
    TextTensor whole = tensor;
    for (auto [extent, sized] : zip_equal(whole.shape, extents))
      extent = sized.at(greatest);
    headers.push_back(whole.name + ": " + whole.type() + " {" + attributes +
                      "}");
    if (isDynamic) {
      // The part that exists in this call.
      std::vector<std::string> sizes;
      for (const SizedExtent &extent : extents)
        sizes.push_back(extent.isFixed() ? std::to_string(extent.at(0))
                                         : scalar);
      std::string zeros = listText(Shape(extents.size(), 0)),
                  ones = listText(Shape(extents.size(), 1));
      tensor.name = "%b" + number;
      prologue += "  " + tensor.name + " = tensor.extract_slice " + whole.name +
                  zeros + " " + listText(sizes) + " " + ones + " : " +
                  whole.type() + " to " + tensor.type() + "\n";
    }
  }
  if (isDynamic)
    sources.push_back(tensor);
  return tensor;
}

SizedTensor DynamicDraw::computed(Extents extents, const std::string &element) {
  SizedTensor out = emptyOf(extents, element);
  BodyText body;
  std::string factor = constant("5", "index"), sum = constant("1", "index");
  for (size_t n = 0; n < extents.size(); ++n) {
    std::string place = body.add("linalg.index", std::to_string(n), "index");
    sum = body.add("arith.muli", sum + ", " + factor, "index");
    sum = body.add("arith.addi", sum + ", " + place, "index");
  }
  std::string modulus = constant("17", "index");
  sum = body.add("arith.remui", sum + ", " + modulus, "index");
  if (isFloatName(element)) {
    sum = body.add("arith.index_cast", sum, "index to i32");
    sum = body.add("arith.sitofp", sum, "i32 to " + element);
    std::string part = constant("0.0625", element);
    body.text += bodyLine("%r0", "arith.mulf", sum + ", " + part, element);
  } else {
    body.text +=
        bodyLine("%r0", "arith.index_cast", sum, "index to " + element);
  }
  TextMap all = allDims(extents.size());
  return generic(std::string(extents.size(), 'p'), {}, {out, all}, body.text);
}

std::string DynamicDraw::extentText(const SizedExtent &extent, bool value) {
  if (extent.isFixed())
    return value ? constant(std::to_string(extent.at(0)), "index")
                 : std::to_string(extent.at(0));
  auto dimOf = [&](const SizedTensor &tensor) -> std::string {
    auto place = find(tensor.extents, extent);
    if (place == tensor.extents.end())
      return "";
    std::string at =
        constant(std::to_string(place - tensor.extents.begin()), "index");
    std::string result = name("q");
    written += "  " + result + " = tensor.dim " + tensor.name + ", " + at +
               " : " + tensor.type() + "\n";
    return result;
  };
  // Often an extent of a tensor that is there.
  if (!values.empty() && chance(50))
    if (std::string known = dimOf(values[random.uniform(values.size())]);
        !known.empty())
      return known;
  std::string size = scalar;
  if (ranged) {
    const SizedTensor &source = sources[random.uniform(sources.size())];
    SizedExtent own = SizedExtent::size();
    std::string at = constant(
        std::to_string(find(source.extents, own) - source.extents.begin()),
        "index");
    size = name("q");
    written += "  " + size + " = tensor.dim " + source.name + ", " + at +
               " : " + source.type() + "\n";
  }
  auto arith = [&](const char *operation, const std::string &a,
                   const std::string &b) {
    std::string result = name("q");
    written += "  " + result + " = arith." + operation + " " + a + ", " + b +
               " : index\n";
    return result;
  };
  // ((t2 * n) + t1) * n + t0.
  auto number = [&](int64_t term) {
    return constant(std::to_string(term), "index");
  };
  std::string factor;
  if (extent.terms[2] != 0) {
    factor = extent.terms[2] == 1
                 ? size
                 : arith("muli", size, number(extent.terms[2]));
    if (extent.terms[1] != 0)
      factor = arith("addi", factor, number(extent.terms[1]));
  } else if (extent.terms[1] != 1) {
    factor = number(extent.terms[1]);
  }
  std::string result = factor.empty() ? size : arith("muli", size, factor);
  return extent.terms[0] == 0 ? result
                              : arith("addi", result, number(extent.terms[0]));
}

std::vector<std::string> DynamicDraw::extentTexts(const Extents &extents) {
  std::vector<std::string> texts;
  for (const SizedExtent &extent : extents)
    texts.push_back(extentText(extent));
  return texts;
}

SizedTensor DynamicDraw::emptyOf(Extents extents, const std::string &element) {
  std::vector<std::string> dynamic;
  for (const SizedExtent &extent : extents)
    if (!extent.isFixed())
      dynamic.push_back(extentText(extent));
  SizedTensor tensor = sized(name("v"), std::move(extents), element, 0);
  written += "  " + tensor.name + " = tensor.empty(" + join(dynamic, ", ") +
             ") : " + tensor.type() + "\n";
  return tensor;
}

SizedTensor DynamicDraw::filledWith(Extents extents, const std::string &element,
                                    const std::string &literal) {
  SizedTensor tensor = emptyOf(std::move(extents), element);
  tensor.name = fill(tensor, constant(literal, element)).name;
  return tensor;
}

SizedTensor
DynamicDraw::generic(const std::string &kinds,
                     const std::vector<std::pair<SizedTensor, TextMap>> &ins,
                     const std::pair<SizedTensor, TextMap> &out,
                     const std::string &body, double most) {
  std::vector<TextOperand> inputs;
  for (const auto &[tensor, map] : ins)
    inputs.push_back({tensor, map});
  SizedTensor result = out.first;
  result.name = LinalgWriter::generic(kinds, inputs,
                                      TextOperand{out.first, out.second}, body)
                    .name;
  result.most = most;
  result.uses = 0;
  return result;
}

std::string DynamicDraw::castIndex(const std::string &index,
                                   const std::string &element) {
  std::string integer = isFloatName(element) ? "i64" : element;
  std::string result = name("q");
  written += "  " + result + " = arith.index_cast " + index + " : index to " +
             integer + "\n";
  if (!isFloatName(element))
    return result;
  std::string real = name("q");
  written +=
      "  " + real + " = arith.sitofp " + result + " : i64 to " + element + "\n";
  return real;
}

/// At least 1 if the size is.
std::string DynamicDraw::sizeNumber(const std::string &element) {
  std::string size = extentText(SizedExtent::size());
  std::string limit = constant(
      std::to_string(oneOf<int64_t>({1, 2, 4, 5, 8, 16, 20, 33})), "index");
  std::string result = name("q");
  switch (random.uniform(6)) {
  case 0:
    written +=
        "  " + result + " = arith.minsi " + size + ", " + limit + " : index\n";
    break;
  case 1:
    written +=
        "  " + result + " = arith.maxsi " + size + ", " + limit + " : index\n";
    break;
  case 2:
    written += "  " + result + " = arith.ceildivsi " + size + ", " + limit +
               " : index\n";
    break;
  case 3: {
    std::string large = name("q");
    written += "  " + large + " = arith.cmpi sgt, " + size + ", " + limit +
               " : index\n  " + result + " = arith.select " + large + ", " +
               limit + ", " + size + " : index\n";
    break;
  }
  default:
    result = size;
  }
  return castIndex(result, element);
}

void DynamicDraw::add(SizedTensor value) {
  if (!fits(value.extents))
    return;
  value.uses = 0;
  if (value.isReal() && value.most > 64) {
    std::string factor;
    raw_string_ostream(factor)
        << format("%.8e", std::exp2(-std::ceil(std::log2(value.most))));
    BodyText body;
    std::string c = constant(factor, value.element);
    body.text = "    %r0 = arith.mulf %x0, " + c + " : " + value.element + "\n";
    TextMap all = allDims(value.rank());
    value = generic(std::string(value.rank(), 'p'), {{value, all}},
                    {emptyOf(value.extents, value.element), all}, body.text, 1);
  }
  values.push_back(value);
}

//===--- the module -------------------------------------------------------===//

/// `value` without dynamic extents other than the size, or with all of a call
/// of the largest size.
SizedTensor DynamicDraw::finished(SizedTensor value) {
  std::vector<bool> over;
  for (const SizedExtent &extent : value.extents)
    over.push_back(!extent.isFixed() && !(extent == SizedExtent::size()));
  if (ranged && is_contained(over, true)) {
    std::string e = value.element;
    value =
        reduced(value, over,
                bodyLine("%r0", arithOf(e, "maximumf", "addi"), "%y0, %x0", e),
                e, zeroOf(e), value.most);
  }
  if (ranged || is_contained(value.shape, -1) == false)
    return value;
  Extents whole;
  for (const SizedExtent &extent : value.extents)
    whole.push_back(SizedExtent::fixed(extent.at(greatest)));
  SizedTensor into = filledWith(whole, value.element, zeroOf(value.element));
  if (is_contained(into.shape, 0)) // No place is in it.
    return into;
  std::string zeros = listText(Shape(whole.size(), 0)),
              ones = listText(Shape(whole.size(), 1)),
              sizes = listText(extentTexts(value.extents));
  into.name = op(into.shape, into.element,
                 "tensor.insert_slice " + value.name + " into " + into.name +
                     zeros + " " + sizes + " " + ones + " : " + value.type() +
                     " into " + into.type())
                  .name;
  return into;
}

std::string DynamicDraw::draw() {
  static const struct {
    Kind kind;
    unsigned weight;
  } kinds[] = {
      {&DynamicDraw::elementwise, 8},
      {&DynamicDraw::positions, 4},
      {&DynamicDraw::division, 4},
      {&DynamicDraw::named, 3},
      {&DynamicDraw::onTensors, 3},
      {&DynamicDraw::reduction, 8},
      {&DynamicDraw::orderedReduction, 3},
      {&DynamicDraw::argMax, 3},
      {&DynamicDraw::product, 8},
      {&DynamicDraw::softmax, 3},
      {&DynamicDraw::norm, 3},
      {&DynamicDraw::slicing, 4},
      {&DynamicDraw::padding, 3},
      {&DynamicDraw::joining, 3},
      {&DynamicDraw::collapsing, 4},
      {&DynamicDraw::expanding, 4},
      {&DynamicDraw::permuting, 3},
      {&DynamicDraw::inserting, 3},
      {&DynamicDraw::gather, 4},
      {&DynamicDraw::reversing, 2},
      {&DynamicDraw::window, 3},
      {&DynamicDraw::spreading, 3},
      {&DynamicDraw::selecting, 3},
      {&DynamicDraw::repeating, 3},
      {&DynamicDraw::insertingElement, 2},
      {&DynamicDraw::checking, 1},
  };
  base = oneOf<const char *>({"i32", "i32", "i32", "i8", "i64", "i16", "f32",
                              "f32", "f16", "bf16", "f64"});
  ranged = chance(70);
  least = ranged ? oneOf<int64_t>({1, 1, 1, 2, 5}) : oneOf<int64_t>({0, 1, 1});
  greatest =
      std::max(least, oneOf<int64_t>({1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24}));
  if (ranged) {
    range = "#pruner.range<n, " + std::to_string(least) + " to " +
            std::to_string(greatest) + ">";
    if (chance(15)) {
      std::string list;
      for (int64_t n = least; n <= greatest; ++n)
        if (n == least || chance(30))
          list += (list.empty() ? "" : ", ") + std::to_string(n);
      range = "#pruner.range<n, [" + list + "]>";
    }
  } else {
    headers.push_back("%size: tensor<i32> {pruner.name = \"size\"}");
    scalar = "%n";
    std::string count = std::to_string(greatest - least + 1);
    prologue = "  %size0 = tensor.extract %size[] : tensor<i32>\n"
               "  %size1 = arith.index_castui %size0 : i32 to index\n"
               "  %size2 = arith.constant " +
               count +
               " : index\n  %size3 = arith.remui %size1, %size2 : index\n"
               "  %size4 = arith.constant " +
               std::to_string(least) +
               " : index\n  %n = arith.addi %size3, %size4 : index\n";
  }
  // At least one tensor has the size.
  Extents first = {SizedExtent::size()};
  for (int64_t more = between(0, 2); more > 0; --more)
    first.insert(first.begin() + random.uniform(first.size() + 1), anyExtent());
  if (!fits(first))
    first = {SizedExtent::size(), SizedExtent::fixed(4)};
  values.push_back(argument(first, base));
  unsigned total = 0;
  for (const auto &kind : kinds)
    total += kind.weight;
  for (int64_t left = between(1, chance(30) ? 12 : 6), tries = 4 * left;
       left > 0 && tries > 0; --tries) {
    unsigned draw = random.uniform(total);
    for (const auto &kind : kinds) {
      if (draw >= kind.weight) {
        draw -= kind.weight;
        continue;
      }
      size_t before = values.size();
      (this->*kind.kind)();
      left -= values.size() > before;
      break;
    }
  }
  std::vector<SizedTensor> results;
  for (const SizedTensor &value : reverse(values))
    if (results.size() < 4 &&
        (value.uses == 0 || results.empty() || chance(8)) &&
        !StringRef(value.name).starts_with("%a"))
      results.push_back(finished(value));
  if (results.empty()) {
    values.front().uses = 0;
    BodyText body;
    TextMap all = allDims(values.front().rank());
    results.push_back(finished(generic(
        std::string(all.size(), 'p'), {{values.front(), all}},
        {emptyOf(values.front().extents, base), all},
        bodyLine("%r0", arithOf(base, "addf", "addi"), "%x0, %x0", base))));
  }
  std::vector<std::string> types, names;
  for (const SizedTensor &result : results) {
    types.push_back(result.type());
    names.push_back(result.name);
  }
  return "func.func @main(" + join(headers, ", ") + ") -> (" +
         join(types, ", ") + ") {\n" + prologue + written + "  return " +
         join(names, ", ") + " : " + join(types, ", ") + "\n}\n";
}
