//===- RandomTasks.cpp - small tasks and their results --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RandomTasks.h"

#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace pruner;
using namespace pruner::test;
using llvm::formatv;

static int64_t randomExtent(Random &random, int64_t most) {
  // Round numbers allow vectors; the others have edges.
  if (random.uniform(2))
    return std::min<int64_t>(most, int64_t(4) << random.uniform(4));
  return 1 + random.uniform(most);
}

static std::string join(llvm::ArrayRef<std::string> words, const char *by) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : by) + word;
  return text;
}

/// An operand: the dimensions that are its coordinates, in some order.
static std::string map(llvm::ArrayRef<std::string> all,
                       llvm::ArrayRef<std::string> dims) {
  return formatv("affine_map<({0}) -> ({1})>", join(all, ", "),
                 join(dims, ", "));
}

static std::string
tensor(llvm::ArrayRef<std::string> dims, const std::string &type,
       const std::function<int64_t(const std::string &)> &extent) {
  std::string text = "tensor<";
  for (const std::string &dim : dims)
    text += std::to_string(extent(dim)) + "x";
  return text + type + ">";
}

static std::string iterators(size_t parallel, size_t reduction) {
  std::vector<std::string> words(parallel, "\"parallel\"");
  words.insert(words.end(), reduction, "\"reduction\"");
  return join(words, ", ");
}

static RandomTask contraction(Random &random) {
  bool batch = random.uniform(3) == 0, half = random.uniform(4) == 0;
  bool prologue = random.uniform(4) == 0, epilogue = random.uniform(3) == 0;
  int64_t b = 1 + random.uniform(4), m = randomExtent(random, 23),
          n = randomExtent(random, 23), k = randomExtent(random, 19);
  auto extent = [&](const std::string &dim) {
    return dim == "b" ? b : dim == "m" ? m : dim == "n" ? n : k;
  };
  std::vector<std::string> all{"m", "n", "k"}, lhs{"m", "k"}, rhs{"k", "n"},
      out{"m", "n"};
  for (auto *dims : {&lhs, &rhs, &out})
    if (random.uniform(2))
      std::swap((*dims)[0], (*dims)[1]);
  if (batch)
    for (auto *dims : {&all, &lhs, &rhs, &out})
      dims->insert(dims->begin(), "b");
  std::string type = half ? "f16" : "f32";
  std::string lhsType = tensor(lhs, type, extent),
              rhsType = tensor(rhs, type, extent),
              outType = tensor(out, "f32", extent);
  std::string biasType = tensor({out.back()}, "f32", extent);

  RandomTask task;
  task.text = formatv("func.func @task(%A: {0}, %B: {1}{2}) -> {3} {{\n"
                      "  %zero = arith.constant 0.0 : f32\n"
                      "  %one = arith.constant 1.0 : {4}\n"
                      "  %empty = tensor.empty() : {3}\n"
                      "  %init = linalg.fill ins(%zero : f32) outs(%empty : "
                      "{3}) -> {3}\n",
                      lhsType, rhsType, epilogue ? ", %bias: " + biasType : "",
                      outType, type);
  std::string first = "%A";
  if (prologue) {
    first = "%scaled";
    task.text +=
        formatv("  %blank = tensor.empty() : {0}\n"
                "  %scaled = linalg.generic {{indexing_maps = [{1}, {1}], "
                "iterator_types = [{2}]}"
                " ins(%A : {0}) outs(%blank : {0}) {{\n"
                "  ^bb0(%x: {3}, %o: {3}):\n"
                "    %t = arith.addf %x, %one : {3}\n"
                "    linalg.yield %t : {3}\n  } -> {0}\n",
                lhsType, map(lhs, lhs), iterators(lhs.size(), 0), type);
  }
  std::string extend = half ? "    %xx = arith.extf %x : f16 to f32\n"
                              "    %yy = arith.extf %y : f16 to f32\n"
                              "    %p = arith.mulf %xx, %yy : f32\n"
                            : "    %p = arith.mulf %x, %y : f32\n";
  task.text += formatv(
      "  %sum = linalg.generic {{indexing_maps = [{0}, {1}, {2}], "
      "iterator_types = [{3}]}"
      " ins({4}, %B : {5}, {6}) outs(%init : {7}) {{\n"
      "  ^bb0(%x: {8}, %y: {8}, %acc: f32):\n{9}"
      "    %s = arith.addf %acc, %p : f32\n"
      "    linalg.yield %s : f32\n  } -> {7}\n",
      map(all, lhs), map(all, rhs), map(all, out), iterators(all.size() - 1, 1),
      first, lhsType, rhsType, outType, type, extend);
  std::string result = "%sum";
  if (epilogue) {
    result = "%relu";
    task.text +=
        formatv("  %last = tensor.empty() : {0}\n"
                "  %relu = linalg.generic {{indexing_maps = [{1}, {2}, {1}], "
                "iterator_types = [{3}]}"
                " ins(%sum, %bias : {0}, {4}) outs(%last : {0}) {{\n"
                "  ^bb0(%x: f32, %y: f32, %o: f32):\n"
                "    %t = arith.addf %x, %y : f32\n"
                "    %u = arith.maximumf %t, %zero : f32\n"
                "    linalg.yield %u : f32\n  } -> {0}\n",
                outType, map(out, out), map(out, {out.back()}),
                iterators(out.size(), 0), biasType);
  }
  task.text += formatv("  return {0} : {1}\n}\n", result, outType);
  if (prologue)
    task.prologues.push_back(
        [](llvm::ArrayRef<float> in) { return in[0] + 1; });
  task.anchor = [](llvm::ArrayRef<float> in) { return in[2] + in[0] * in[1]; };
  task.epilogue = [](llvm::ArrayRef<float> in) {
    return std::max(in[0] + in[1], 0.0f);
  };
  return task;
}

/// Maxima over k of negative numbers: the zeros in staged buffers beyond the
/// end must not affect the result.
static RandomTask rowMaxima(Random &random) {
  int64_t m = randomExtent(random, 37), k = randomExtent(random, 61);
  bool transposed = random.uniform(2);
  std::string in = transposed ? formatv("tensor<{0}x{1}xf32>", k, m).str()
                              : formatv("tensor<{0}x{1}xf32>", m, k).str();
  RandomTask task;
  task.text = formatv(
      "func.func @task(%A: {0}) -> tensor<{1}xf32> {{\n"
      "  %low = arith.constant -1.0e+30 : f32\n"
      "  %empty = tensor.empty() : tensor<{1}xf32>\n"
      "  %init = linalg.fill ins(%low : f32) outs(%empty : tensor<{1}xf32>) "
      "-> tensor<{1}xf32>\n"
      "  %r = linalg.generic {{indexing_maps = [{2}, {3}], "
      "iterator_types = [\"parallel\", \"reduction\"]}"
      " ins(%A : {0}) outs(%init : tensor<{1}xf32>) {{\n"
      "  ^bb0(%x: f32, %acc: f32):\n"
      "    %s = arith.maximumf %acc, %x : f32\n"
      "    linalg.yield %s : f32\n  } -> tensor<{1}xf32>\n"
      "  return %r : tensor<{1}xf32>\n}\n",
      in, m,
      transposed ? map({"m", "k"}, {"k", "m"}) : map({"m", "k"}, {"m", "k"}),
      map({"m", "k"}, {"m"}));
  task.anchor = [](llvm::ArrayRef<float> in) { return std::max(in[0], in[1]); };
  task.init = -1.0e+30f;
  task.least = -9;
  task.most = -1;
  return task;
}

static RandomTask elementwise(Random &random) {
  int64_t sizes[] = {1 + int64_t(random.uniform(5)), randomExtent(random, 45),
                     randomExtent(random, 45)};
  auto extent = [&](const std::string &dim) { return sizes[dim[0] - 'i']; };
  std::vector<std::string> all{"i", "j", "k"}, first(all), second(all);
  random.shuffle(first);
  random.shuffle(second);
  second.resize(1 + random.uniform(3));
  std::string a = tensor(first, "f32", extent),
              b = tensor(second, "f32", extent),
              out = tensor(all, "f32", extent);
  RandomTask task;
  task.text =
      formatv("func.func @task(%A: {0}, %B: {1}) -> {2} {{\n"
              "  %empty = tensor.empty() : {2}\n"
              "  %r = linalg.generic {{indexing_maps = [{3}, {4}, {5}], "
              "iterator_types = [{6}]}"
              " ins(%A, %B : {0}, {1}) outs(%empty : {2}) {{\n"
              "  ^bb0(%x: f32, %y: f32, %o: f32):\n"
              "    %p = arith.mulf %x, %y : f32\n"
              "    %s = arith.subf %p, %x : f32\n"
              "    linalg.yield %s : f32\n  } -> {2}\n"
              "  return %r : {2}\n}\n",
              a, b, out, map(all, first), map(all, second), map(all, all),
              iterators(3, 0));
  task.anchor = [](llvm::ArrayRef<float> in) { return in[0] * in[1] - in[0]; };
  return task;
}

RandomTask test::randomTask(Random &random) {
  switch (random.uniform(6)) {
  case 0:
    return rowMaxima(random);
  case 1:
    return elementwise(random);
  default:
    return contraction(random);
  }
}

static int64_t addressOf(const TensorDesc &tensor, const AccessMap &map,
                         llvm::ArrayRef<int64_t> point) {
  int64_t address = 0;
  for (size_t r = 0; r < map.size(); ++r) {
    int64_t coord = map[r].constant;
    for (size_t d = 0; d < point.size(); ++d)
      coord += map[r].coeffs[d] * point[d];
    address = address * tensor.shape[r] + coord;
  }
  return address;
}

static void execute(const TaskDesc &desc, const StatementDesc &statement,
                    const Body &body, std::vector<std::vector<float>> &values) {
  bool reduces = llvm::any_of(statement.dims,
                              [](const IterDim &dim) { return dim.reduction; });
  llvm::SmallVector<int64_t, 6> point(statement.dims.size(), 0);
  auto &output = values[statement.output.tensor];
  for (;;) {
    llvm::SmallVector<float, 4> in;
    for (const OperandDesc &input : statement.inputs)
      in.push_back(values[input.tensor][addressOf(desc.tensors[input.tensor],
                                                  input.map, point)]);
    float &out = output[addressOf(desc.tensors[statement.output.tensor],
                                  statement.output.map, point)];
    if (reduces)
      in.push_back(out);
    out = body(in);
    size_t d = point.size();
    while (d > 0 && ++point[d - 1] == statement.dims[d - 1].extent)
      point[--d] = 0;
    if (d == 0)
      return;
  }
}

std::vector<std::vector<float>>
test::evaluate(const TaskDesc &desc, const RandomTask &task,
               const std::vector<std::vector<float>> &arguments) {
  std::vector<std::vector<float>> values;
  for (const TensorDesc &tensor : desc.tensors)
    values.emplace_back(tensor.elements(), task.init);
  for (size_t t = 0; t < desc.tensors.size(); ++t)
    if (int argument = desc.tensors[t].argument;
        argument >= 0 && int(t) != desc.outputTensor())
      values[t] = arguments[argument];
  size_t next = 0;
  for (int prologue : desc.prologues)
    if (prologue >= 0)
      execute(desc, desc.statements[prologue], task.prologues[next++], values);
  execute(desc, desc.anchorStatement(), task.anchor, values);
  if (desc.epilogue >= 0)
    execute(desc, desc.statements[desc.epilogue], task.epilogue, values);
  return values;
}
