//===- Operator.cpp - one operation of a suite ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Operator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

#include <cmath>
#include <functional>
#include <numeric>

using namespace pruner;
using namespace pruner::bench;

static int64_t product(llvm::ArrayRef<int64_t> extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t(1),
                         std::multiplies<int64_t>());
}

int64_t OperandSpec::elements() const { return product(shape); }

int64_t Operator::resultElements() const { return product(result); }

double Operator::bytes() const {
  int64_t bytes = resultElements() * byteWidth(types->result);
  for (const OperandSpec &input : inputs)
    bytes += input.elements() * byteWidth(types->operands);
  return double(bytes);
}

int64_t Operator::get(const char *name) const {
  return parameters.at(name).front();
}

bool Operator::depthwise() const {
  return kind == "conv" && get("g") == get("c") && get("c") == get("f") &&
         get("g") > 1;
}

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

static llvm::Error complain(const Operator &op, const llvm::Twine &what) {
  return llvm::createStringError("'" + op.name + "': " + what);
}

static llvm::Error makeProduct(Operator &op) {
  int64_t m = op.get("m"), n = op.get("n"), k = op.get("k");
  double range = std::sqrt(3.0 / double(k));
  op.inputs = {{{m, k}}, {{k, n}, /*constant=*/true, range}};
  op.result = {m, n};
  op.flops = 2.0 * double(m) * double(n) * double(k);
  if (op.kind == "mm_bias_gelu")
    op.inputs.push_back({{n}, /*constant=*/true});
  if (op.kind != "bmm")
    return llvm::Error::success();
  int64_t b = op.get("b");
  op.inputs = {{{b, m, k}}, {{b, k, n}, /*constant=*/false, range}};
  op.result = {b, m, n};
  op.flops *= double(b);
  return llvm::Error::success();
}

/// The extent of a window's result, or an error.
static llvm::Expected<int64_t> windowExtent(const Operator &op) {
  int64_t h = op.get("h"), k = op.get("k"), s = op.get("s"), p = op.get("p");
  if (h + 2 * p < k || p >= k)
    return complain(op, "a window of " + llvm::Twine(k) + " on " +
                            llvm::Twine(h) + " elements padded by " +
                            llvm::Twine(p));
  return (h + 2 * p - k) / s + 1;
}

static llvm::Error makeConvolution(Operator &op) {
  int64_t c = op.get("c"), h = op.get("h"), f = op.get("f"), k = op.get("k"),
          g = op.get("g");
  if (c % g || f % g)
    return complain(op, llvm::Twine(g) + " groups of " + llvm::Twine(c) +
                            " and " + llvm::Twine(f) + " channels");
  auto extent = windowExtent(op);
  if (!extent)
    return extent.takeError();
  int64_t terms = c / g * k * k;
  op.inputs = {
      {{1, c, h, h}},
      {{f, c / g, k, k}, /*constant=*/true, std::sqrt(3.0 / double(terms))}};
  if (op.get("bias"))
    op.inputs.push_back({{f}, /*constant=*/true});
  op.result = {1, f, *extent, *extent};
  op.flops = 2.0 * double(op.resultElements()) * double(terms);
  return llvm::Error::success();
}

static llvm::Error makeTransposedConvolution(Operator &op) {
  int64_t c = op.get("c"), h = op.get("h"), f = op.get("f"), k = op.get("k"),
          s = op.get("s"), p = op.get("p");
  int64_t extent = (h - 1) * s + k - 2 * p;
  if (p >= k || extent < 1)
    return complain(op, "a padding of " + llvm::Twine(p) + " for a window of " +
                            llvm::Twine(k));
  op.inputs = {
      {{1, c, h, h}},
      {{c, f, k, k}, /*constant=*/true, std::sqrt(3.0 / double(c * k * k))}};
  op.result = {1, f, extent, extent};
  op.flops = 2.0 * double(op.inputs[0].elements()) * double(f * k * k);
  return llvm::Error::success();
}

static llvm::Error makeElementwise(Operator &op) {
  bool rows = op.kind == "softmax" || op.kind == "layernorm";
  if (rows && op.shape().size() < 2)
    return complain(op, "a " + op.kind + " has at least 2 dimensions");
  op.inputs = {{op.shape(), /*constant=*/false, /*range=*/3}};
  op.result = op.shape();
  if (op.kind == "layernorm")
    for (double offset : {1.0, 0.0}) // Scale and shift.
      op.inputs.push_back(
          {{op.shape().back()}, /*constant=*/true, 0.5, offset});
  return llvm::Error::success();
}

static llvm::Error makeSum(Operator &op) {
  size_t axis = size_t(op.get("axis"));
  if (axis >= op.shape().size())
    return complain(op, "axis " + llvm::Twine(axis) + " of " +
                            llvm::Twine(op.shape().size()) + " dimensions");
  op.inputs = {{op.shape()}};
  op.result = op.shape();
  op.result.erase(op.result.begin() + axis);
  op.flops = double(op.inputs[0].elements());
  return llvm::Error::success();
}

static llvm::Error makeTranspose(Operator &op) {
  if (op.shape().size() != 2)
    return complain(op, "a transpose expects 2 dimensions, but got " +
                            llvm::Twine(op.shape().size()));
  op.inputs = {{op.shape()}};
  op.result = {op.shape()[1], op.shape()[0]};
  return llvm::Error::success();
}

static llvm::Error makeMaxPool(Operator &op) {
  auto extent = windowExtent(op);
  if (!extent)
    return extent.takeError();
  op.inputs = {{{1, op.get("c"), op.get("h"), op.get("h")}}};
  op.result = {1, op.get("c"), *extent, *extent};
  return llvm::Error::success();
}

static llvm::Error makeAveragePool(Operator &op) {
  op.inputs = {{{1, op.get("c"), op.get("h"), op.get("h")}}};
  op.result = {1, op.get("c"), 1, 1};
  return llvm::Error::success();
}

// Half a unit in the last place of results of 4 times the root mean square, and
// the differences of sums in f32.
static const ElementTypes kTypes[] = {
    {"f32", ElementType::F32, ElementType::F32, false, 1e-4},
    {"bf16", ElementType::BF16, ElementType::BF16, false, 2e-2},
    {"f16", ElementType::F16, ElementType::F16, false, 3e-3},
    {"u8s8", ElementType::I8, ElementType::I32, true, 0},
    {"s8s8", ElementType::I8, ElementType::I32, false, 0},
};

namespace {
struct Kind {
  const char *name;
  const char *required;
  /// Parameters with their defaults. These may be 0.
  std::vector<std::pair<const char *, int64_t>> optional;
  llvm::Error (*make)(Operator &op);
};
} // namespace

static const std::vector<Kind> &kinds() {
  static const std::vector<Kind> all = {
      {"mm", "m n k", {}, makeProduct},
      {"bmm", "b m n k", {}, makeProduct},
      {"mm_bias_gelu", "m n k", {}, makeProduct},
      {"conv",
       "c h f k",
       {{"s", 1}, {"p", 0}, {"g", 1}, {"bias", 0}, {"relu", 0}},
       makeConvolution},
      {"conv_transposed",
       "c h f k",
       {{"s", 1}, {"p", 0}},
       makeTransposedConvolution},
      {"softmax", "shape", {}, makeElementwise},
      {"layernorm", "shape", {{"f64", 0}}, makeElementwise},
      {"gelu", "shape", {}, makeElementwise},
      {"relu", "shape", {}, makeElementwise},
      {"sum", "shape", {{"axis", 0}}, makeSum},
      {"transpose", "shape", {}, makeTranspose},
      {"maxpool", "c h k", {{"s", 1}, {"p", 0}}, makeMaxPool},
      {"avgpool", "c h", {}, makeAveragePool},
  };
  return all;
}

//===----------------------------------------------------------------------===//
// Suites
//===----------------------------------------------------------------------===//

static llvm::Error readTypes(Operator &op, llvm::StringRef name) {
  if (op.types)
    return complain(op, "'types' is given more than once");
  op.types = llvm::find_if(
      kTypes, [&](const ElementTypes &each) { return each.name == name; });
  if (op.types != std::end(kTypes))
    return llvm::Error::success();
  std::vector<std::string> names;
  for (const ElementTypes &each : kTypes)
    names.push_back(each.name.str());
  return complain(op, "unknown types '" + name + "', expected one of " +
                          llvm::join(names, ", "));
}

static llvm::Error readParameter(Operator &op, llvm::StringRef text) {
  auto [key, list] = text.split('=');
  if (key == "types")
    return readTypes(op, list);
  llvm::SmallVector<llvm::StringRef> parts;
  list.split(parts, 'x');
  std::vector<int64_t> numbers;
  for (llvm::StringRef part : parts) {
    int64_t number;
    if (key.empty() || part.getAsInteger(10, number) || number < 0 ||
        number > int64_t(1) << 24)
      return complain(op, "'" + text +
                              "': expected name=number or "
                              "name=numberxnumber...");
    numbers.push_back(number);
  }
  if (!op.parameters.emplace(key.str(), std::move(numbers)).second)
    return complain(op, "'" + key + "' is given more than once");
  return llvm::Error::success();
}

static llvm::Error checkParameters(Operator &op, const Kind &kind) {
  llvm::SmallVector<llvm::StringRef> required;
  llvm::StringRef(kind.required).split(required, ' ');
  auto isOptional = [&](llvm::StringRef name) {
    return llvm::any_of(kind.optional,
                        [&](const auto &each) { return name == each.first; });
  };
  for (llvm::StringRef name : required)
    if (!op.parameters.count(name.str()))
      return complain(op, llvm::Twine("a ") + kind.name + " needs " +
                              kind.required + ", but '" + name +
                              "' is missing");
  for (const auto &[name, numbers] : op.parameters) {
    bool needed = llvm::is_contained(required, name);
    if (!needed && !isOptional(name))
      return complain(op,
                      llvm::Twine("a ") + kind.name + " has no '" + name + "'");
    if (numbers.size() != 1 && name != "shape")
      return complain(op, "'" + name + "' expects one number");
    // Strides and numbers of groups are divisors.
    if ((needed || name == "s" || name == "g") &&
        llvm::is_contained(numbers, 0))
      return complain(op, "'" + name + "' must be at least 1");
  }
  for (const auto &[name, value] : kind.optional)
    op.parameters.emplace(name, std::vector<int64_t>{value});
  if (!op.types)
    op.types = kTypes;
  bool isProduct = op.kind == "mm" || op.kind == "bmm" ||
                   (op.kind == "conv" && op.get("g") == 1 && !op.get("bias") &&
                    !op.get("relu"));
  if (op.types != kTypes && !isProduct)
    return complain(op, "'types' other than f32 are for mm, bmm, and for conv "
                        "without groups, bias and relu");
  return llvm::Error::success();
}

llvm::Expected<Operator> Operator::parse(llvm::StringRef line) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(line, words);
  if (words.size() < 2)
    return llvm::createStringError("'" + line +
                                   "' is not a name, a kind and parameters");
  Operator op;
  op.name = words[0].str();
  op.kind = words[1].str();
  auto kind = llvm::find_if(
      kinds(), [&](const Kind &each) { return op.kind == each.name; });
  if (kind == kinds().end())
    return complain(op, "unknown kind of operation '" + op.kind + "'");
  for (llvm::StringRef word : llvm::drop_begin(words, 2))
    if (llvm::Error error = readParameter(op, word))
      return error;
  if (llvm::Error error = checkParameters(op, *kind))
    return error;
  if (llvm::Error error = kind->make(op))
    return error;
  return op;
}

/// Adds the operation of a line of a suite.
static llvm::Error addOperator(std::vector<Operator> &operators,
                               llvm::StringRef line) {
  auto op = Operator::parse(line);
  if (!op)
    return op.takeError();
  if (llvm::any_of(operators, [&](const Operator &other) {
        return other.name == op->name;
      }))
    return complain(*op, "duplicate name of an operation");
  operators.push_back(std::move(*op));
  return llvm::Error::success();
}

llvm::Expected<std::vector<Operator>>
bench::readOperators(llvm::ArrayRef<std::string> texts) {
  std::vector<Operator> operators;
  for (llvm::StringRef text : texts) {
    llvm::SmallVector<llvm::StringRef> words;
    llvm::SplitString(text, words);
    std::string name = llvm::join(words, "_");
    llvm::erase(name, '=');
    if (llvm::Error error = addOperator(operators, name + " " + text.str()))
      return error;
  }
  return operators;
}

llvm::Expected<std::vector<Operator>>
bench::readSuite(const std::string &path) {
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return llvm::createStringError(text.getError(), "cannot read '%s'",
                                   path.c_str());
  std::vector<Operator> operators;
  llvm::SmallVector<llvm::StringRef> lines;
  (*text)->getBuffer().split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines)) {
    llvm::StringRef content = line.split('#').first.trim();
    if (content.empty())
      continue;
    if (llvm::Error error = addOperator(operators, content))
      return llvm::createStringError(llvm::Twine(path) + ":" +
                                     llvm::Twine(number + 1) + ": " +
                                     llvm::toString(std::move(error)));
  }
  if (operators.empty())
    return llvm::createStringError("'%s' has no operations", path.c_str());
  return operators;
}

llvm::Expected<std::vector<Operator>>
bench::selectOperators(llvm::ArrayRef<std::string> texts,
                       const std::string &path, const std::string &only) {
  auto all = texts.empty() ? readSuite(path) : readOperators(texts);
  if (!all)
    return all.takeError();
  llvm::Regex matching(only);
  std::string problem;
  if (!matching.isValid(problem))
    return llvm::createStringError("--only: " + problem);
  llvm::erase_if(*all,
                 [&](const Operator &op) { return !matching.match(op.name); });
  if (all->empty())
    return llvm::createStringError("--only matches no operation of '%s'",
                                   texts.empty() ? path.c_str() : "--op");
  return all;
}
