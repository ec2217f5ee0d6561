//===- TaskText.cpp - task functions as text ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace pruner::test;

using Extents = std::vector<int64_t>;

static std::string tensor(const Extents &shape, llvm::StringRef element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element.str() + ">";
}

namespace {
/// One task function, written op by op.
class TaskText {
public:
  std::string argument(const std::string &type) {
    std::string name = "%a" + std::to_string(arguments.size());
    arguments.push_back(name + ": " + type);
    return name;
  }

  std::string filled(const std::string &type, const std::string &element) {
    std::string id = std::to_string(next++);
    line("%z" + id + " = arith.constant 0.0 : " + element);
    line("%e" + id + " = tensor.empty() : " + type);
    line("%f" + id + " = linalg.fill ins(%z" + id + " : " + element +
         ") outs(%e" + id + " : " + type + ") -> " + type);
    return "%f" + id;
  }

  std::string empty(const std::string &type) {
    std::string name = "%e" + std::to_string(next++);
    line(name + " = tensor.empty() : " + type);
    return name;
  }

  struct Operand {
    std::string value, type, map;
  };

  /// A linalg.generic over dimensions of the given iterator types ("pr": one
  /// parallel, one reduction). `body` uses %x0, %x1, ... and %acc and ends with
  /// a yield.
  std::string generic(llvm::StringRef iterators, std::vector<Operand> inputs,
                      const Operand &output, const std::string &body) {
    auto element = [](llvm::StringRef type) {
      llvm::StringRef inner = type.drop_front(7).drop_back(1);
      return inner.substr(inner.rfind('x') + 1).str();
    };
    std::string dims, kinds, maps, values, types, block;
    for (size_t d = 0; d < iterators.size(); ++d) {
      dims += (d ? ", d" : "d") + std::to_string(d);
      kinds += std::string(d ? ", " : "") +
               (iterators[d] == 'r' ? "\"reduction\"" : "\"parallel\"");
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
      maps += "affine_map<(" + dims + ") -> " + inputs[i].map + ">, ";
      values += (i ? ", " : "") + inputs[i].value;
      types += (i ? ", " : "") + inputs[i].type;
      block += "%x" + std::to_string(i) + ": " + element(inputs[i].type) + ", ";
    }
    maps += "affine_map<(" + dims + ") -> " + output.map + ">";
    block += "%acc: " + element(output.type);
    std::string name = "%r" + std::to_string(next++);
    line(name + " = linalg.generic {indexing_maps = [" + maps +
         "], iterator_types = [" + kinds + "]} ins(" + values + " : " + types +
         ") outs(" + output.value + " : " + output.type + ") {");
    line("^bb0(" + block + "):");
    line(body);
    line("} -> " + output.type);
    return name;
  }

  std::string finish(const std::string &value, const std::string &type) {
    return "func.func @task(" + llvm::join(arguments, ", ") + ") -> " + type +
           " {\n" + text + "  return " + value + " : " + type + "\n}\n";
  }

private:
  void line(const std::string &what) { text += "  " + what + "\n"; }

  std::vector<std::string> arguments;
  std::string text;
  int next = 0;
};
} // namespace

const char *const mulAdd = "%m = arith.mulf %x0, %x1 : f32\n"
                           "  %s = arith.addf %acc, %m : f32\n"
                           "  linalg.yield %s : f32";

namespace {
struct MatmulOptions {
  int64_t batch = 0;
  bool transposeA = false, transposeB = false;
  bool half = false;       ///< f16 operands, f32 accumulation, f16 result.
  bool biasRelu = false;   ///< Epilogue.
  bool scale = false;      ///< Prologue on the first operand.
  bool biasInit = false;   ///< The accumulator starts from an argument.
  bool transposed = false; ///< The epilogue writes the transposed result.
};
} // namespace

static std::string matmul(int64_t m, int64_t n, int64_t k,
                          MatmulOptions o = {}) {
  TaskText t;
  std::string element = o.half ? "f16" : "f32";
  std::string batch = o.batch ? "d0, " : "";
  auto dim = [&](int d) { return "d" + std::to_string(d + (o.batch ? 1 : 0)); };
  auto shape = [&](int64_t x, int64_t y, bool swap) {
    Extents extents;
    if (o.batch)
      extents.push_back(o.batch);
    extents.push_back(swap ? y : x);
    extents.push_back(swap ? x : y);
    return extents;
  };
  auto map = [&](int x, int y, bool swap) {
    return "(" + batch + dim(swap ? y : x) + ", " + dim(swap ? x : y) + ")";
  };
  std::string typeA = tensor(shape(m, k, o.transposeA), element);
  std::string typeB = tensor(shape(k, n, o.transposeB), element);
  std::string typeC = tensor(shape(m, n, false), "f32");
  std::string a = t.argument(typeA), b = t.argument(typeB);
  std::string bias = o.biasRelu ? t.argument(tensor({n}, "f32")) : "";
  if (o.scale)
    a = t.generic("pp", {{a, typeA, "(d0, d1)"}},
                  {t.empty(typeA), typeA, "(d0, d1)"},
                  "%c = arith.constant 2.5 : " + element +
                      "\n  %m = arith.mulf %x0, %c : " + element +
                      "\n  linalg.yield %m : " + element);
  std::string init = o.biasInit ? t.argument(typeC) : t.filled(typeC, "f32");
  std::string body = o.half ? "%p = arith.extf %x0 : f16 to f32\n"
                              "  %q = arith.extf %x1 : f16 to f32\n"
                              "  %m = arith.mulf %p, %q : f32\n"
                              "  %s = arith.addf %acc, %m : f32\n"
                              "  linalg.yield %s : f32"
                            : mulAdd;
  std::string c = t.generic(o.batch ? "pppr" : "ppr",
                            {{a, typeA, map(0, 2, o.transposeA)},
                             {b, typeB, map(2, 1, o.transposeB)}},
                            {init, typeC, map(0, 1, false)}, body);
  if (o.biasRelu) {
    std::string out =
        tensor(o.transposed ? Extents{n, m} : Extents{m, n}, "f32");
    c = t.generic("pp",
                  {{c, typeC, "(d0, d1)"}, {bias, tensor({n}, "f32"), "(d1)"}},
                  {t.empty(out), out, o.transposed ? "(d1, d0)" : "(d0, d1)"},
                  "%z = arith.constant 0.0 : f32\n"
                  "  %s = arith.addf %x0, %x1 : f32\n"
                  "  %m = arith.maximumf %s, %z : f32\n"
                  "  linalg.yield %m : f32");
    return t.finish(c, out);
  }
  if (o.half) {
    std::string out = tensor(shape(m, n, false), "f16");
    std::string all = o.batch ? "(d0, d1, d2)" : "(d0, d1)";
    c = t.generic(o.batch ? "ppp" : "pp", {{c, typeC, all}},
                  {t.empty(out), out, all},
                  "%h = arith.truncf %x0 : f32 to f16\n"
                  "  linalg.yield %h : f16");
    return t.finish(c, out);
  }
  return t.finish(c, typeC);
}

/// Two operands, the second read by `map`.
static std::string elementwise(const Extents &shape, const Extents &second,
                               const std::string &map) {
  TaskText t;
  std::string type = tensor(shape, "f32"), typeB = tensor(second, "f32");
  std::string identity;
  for (size_t d = 0; d < shape.size(); ++d)
    identity += (d ? ", d" : "d") + std::to_string(d);
  identity = "(" + identity + ")";
  std::string a = t.argument(type), b = t.argument(typeB);
  std::string result = t.generic(std::string(shape.size(), 'p'),
                                 {{a, type, identity}, {b, typeB, map}},
                                 {t.empty(type), type, identity},
                                 "%s = arith.addf %x0, %x1 : f32\n"
                                 "  %m = math.exp %s : f32\n"
                                 "  %d = arith.divf %m, %x0 : f32\n"
                                 "  linalg.yield %d : f32");
  return t.finish(result, type);
}

/// NHWC x HWCF with stride and dilation.
static std::string conv2d(int64_t size, int64_t channels, int64_t filters,
                          int64_t kernel, int64_t stride, int64_t dilation) {
  TaskText t;
  int64_t in = (size - 1) * stride + (kernel - 1) * dilation + 1;
  std::string x = tensor({2, in, in, channels}, "f32");
  std::string w = tensor({kernel, kernel, channels, filters}, "f32");
  std::string y = tensor({2, size, size, filters}, "f32");
  std::string a = t.argument(x), b = t.argument(w), c = t.filled(y, "f32");
  auto along = [&](const char *o, const char *k) {
    return std::string(o) + " * " + std::to_string(stride) + " + " + k + " * " +
           std::to_string(dilation);
  };
  std::string result = t.generic(
      "pppprrr",
      {{a, x, "(d0, " + along("d1", "d4") + ", " + along("d2", "d5") + ", d6)"},
       {b, w, "(d4, d5, d6, d3)"}},
      {c, y, "(d0, d1, d2, d3)"}, mulAdd);
  return t.finish(result, y);
}

/// The sum along the dimensions marked 'r'.
static std::string sum(const Extents &shape, llvm::StringRef iterators) {
  TaskText t;
  std::string in = tensor(shape, "f32"), all, kept;
  Extents rest;
  for (size_t d = 0; d < shape.size(); ++d) {
    all += (d ? ", d" : "d") + std::to_string(d);
    if (iterators[d] == 'r')
      continue;
    kept += (rest.empty() ? "d" : ", d") + std::to_string(d);
    rest.push_back(shape[d]);
  }
  std::string out = tensor(rest, "f32");
  std::string a = t.argument(in), c = t.filled(out, "f32");
  std::string result = t.generic(iterators, {{a, in, "(" + all + ")"}},
                                 {c, out, "(" + kept + ")"},
                                 "%s = arith.addf %acc, %x0 : f32\n"
                                 "  linalg.yield %s : f32");
  return t.finish(result, out);
}

static MatmulOptions with(bool MatmulOptions::*flag, bool more = false) {
  MatmulOptions options;
  options.*flag = true;
  options.transposeB = more;
  return options;
}

std::vector<Family> pruner::test::allFamilies() {
  std::vector<Family> families;
  Family layouts{"matmul, four operand layouts", {}};
  for (bool a : {false, true})
    for (bool b : {false, true}) {
      MatmulOptions options;
      options.transposeA = a;
      options.transposeB = b;
      layouts.tasks.push_back(matmul(128, 96, 64, options));
    }
  families.push_back(layouts);
  families.push_back({"matmul, odd shapes",
                      {matmul(37, 53, 29), matmul(1, 129, 65), matmul(17, 1, 1),
                       matmul(101, 31, 1)}});
  MatmulOptions batched;
  batched.batch = 6;
  MatmulOptions batchedT = batched;
  batchedT.transposeB = true;
  families.push_back(
      {"batch matmul",
       {matmul(48, 32, 24, batched), matmul(13, 11, 7, batchedT)}});
  MatmulOptions transposedOut = with(&MatmulOptions::biasRelu);
  transposedOut.transposed = true;
  families.push_back({"bias and relu behind a matmul",
                      {matmul(64, 64, 64, with(&MatmulOptions::biasRelu)),
                       matmul(33, 47, 19, transposedOut)}});
  families.push_back({"a scaled operand",
                      {matmul(64, 48, 32, with(&MatmulOptions::scale)),
                       matmul(35, 21, 49, with(&MatmulOptions::scale, true))}});
  families.push_back({"accumulator from an argument",
                      {matmul(64, 48, 32, with(&MatmulOptions::biasInit))}});
  families.push_back({"f16 operands, f32 accumulation",
                      {matmul(64, 64, 32, with(&MatmulOptions::half)),
                       matmul(31, 45, 22, with(&MatmulOptions::half, true))}});
  families.push_back(
      {"convolution", {conv2d(14, 8, 16, 3, 1, 1), conv2d(7, 3, 5, 3, 2, 2)}});
  families.push_back({"reductions",
                      {sum({64, 128}, "pr"), sum({64, 33}, "rp"),
                       sum({9, 8, 7}, "rpr"), sum({1000}, "r")}});
  families.push_back({"elementwise, 1 to 3 dimensions",
                      {elementwise({1000}, {1000}, "(d0)"),
                       elementwise({64, 96}, {96}, "(d1)"),
                       elementwise({37, 53}, {53, 37}, "(d1, d0)"),
                       elementwise({5, 7, 33}, {7, 33}, "(d1, d2)")}});
  return families;
}
