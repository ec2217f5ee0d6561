//===- RowTasks.cpp - softmax and norms -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Text/LinalgWriter.h"
#include "TaskDraws.h"

using namespace llvm;
using namespace pruner;

namespace {
/// A chain over the rows of a matrix, accumulated in f32 for every type.
class RowWriter {
public:
  RowWriter(StringRef type, Random &random) : e(type.str()) {
    static const int64_t longRows[] = {768, 1000, 4096, 65536};
    columns = random.uniform(2) ? longRows[random.uniform(4)]
                                : drawExtent(random, 300);
    rows = drawExtent(random, std::max<int64_t>(1, (1 << 16) / columns));
    rows = std::min<int64_t>(rows, 33);
  }

  TextTensor argument() { return t.argument({rows, columns}, e); }
  TextTensor mask() { return t.argument({rows, columns}, "i1"); }
  /// `x` in f32.
  TextTensor wide(const TextTensor &x) {
    if (e == "f32")
      return x;
    return t.generic("pp", {{x, all}}, {t.empty(x.shape, "f32"), all},
                     "    %r0 = arith.extf %x0 : " + e + " to f32\n");
  }
  /// One number per row; `body` as in TaskWriter::generic.
  TextTensor reduce(std::vector<TextOperand> inputs, const char *start,
                    const std::string &body) {
    return t.generic("pr", inputs, {t.filled({rows}, "f32", start), {"d0"}},
                     body);
  }
  TextTensor map(std::vector<TextOperand> inputs, const std::string &body) {
    return t.generic("pp", inputs, {t.empty({rows, columns}, "f32"), all},
                     body);
  }
  /// The result in the type of the task.
  std::string finish(std::vector<TextOperand> inputs, std::string body) {
    if (e != "f32") {
      body.replace(body.rfind("%r0 ="), 5, "%wide =");
      body += "    %r0 = arith.truncf %wide : f32 to " + e + "\n";
    }
    return t.finish(
        t.generic("pp", inputs, {t.empty({rows, columns}, e), all}, body));
  }

  TextOperand whole(const TextTensor &x) { return {x, all}; }
  TextOperand perRow(const TextTensor &x) { return {x, {"d0"}}; }
  TextOperand perColumn(StringRef element = "f32") {
    return {t.argument({columns}, element), {"d1"}};
  }
  std::string constant(const char *name, double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9e", value);
    return "    " + std::string(name) + " = arith.constant " + text +
           " : f32\n";
  }

  int64_t rows, columns;

private:
  TaskWriter t;
  std::string e;
  const TextMap all{"d0", "d1"};
};
} // namespace

static const char *const add = "    %r0 = arith.addf %y0, %x0 : f32\n";
static const char *const largest = "    %r0 = arith.maximumf %y0, %x0 : f32\n";

/// The softmax of rows of `x`.
static std::string softmaxOf(RowWriter &w, const TextTensor &x) {
  TextTensor top = w.reduce({w.whole(x)}, "0xFF800000", largest);
  TextTensor powers =
      w.map({w.whole(x), w.perRow(top)}, "    %d = arith.subf %x0, %x1 : f32\n"
                                         "    %r0 = math.exp %d : f32\n");
  TextTensor sum = w.reduce({w.whole(powers)}, "0.0", add);
  return w.finish({w.whole(powers), w.perRow(sum)},
                  "    %r0 = arith.divf %x0, %x1 : f32\n");
}

std::string pruner::drawSoftmax(StringRef type, Random &random) {
  RowWriter w(type, random);
  return softmaxOf(w, w.wide(w.argument()));
}

std::string pruner::drawAttention(StringRef type, Random &random) {
  RowWriter w(type, random);
  TextTensor x = w.argument(), mask = w.argument();
  TextTensor scores =
      w.map({w.whole(x), w.whole(mask)},
            w.constant("%k", 0.125) + "    %s = arith.mulf %x0, %k : f32\n"
                                      "    %r0 = arith.addf %s, %x1 : f32\n");
  return softmaxOf(w, scores);
}

std::string pruner::drawMaskedSoftmax(StringRef type, Random &random) {
  RowWriter w(type, random);
  TextTensor x = w.wide(w.argument());
  const std::string least = "    %least = arith.constant 0xFF800000 : f32\n";
  TextTensor scores =
      w.map({w.whole(x), w.whole(w.mask())},
            least + "    %r0 = arith.select %x1, %x0, %least : f32\n");
  if (random.uniform(2))
    return softmaxOf(w, scores);
  // Completely masked rows get a finite maximum, and become 0.
  TextTensor top = w.reduce({w.whole(scores)}, "0xFF800000", largest);
  const std::string guarded =
      least + "    %zero = arith.constant 0.0 : f32\n"
              "    %none = arith.cmpf oeq, %x1, %least : f32\n"
              "    %top = arith.select %none, %zero, %x1 : f32\n";
  TextTensor powers = w.map({w.whole(scores), w.perRow(top)},
                            guarded + "    %d = arith.subf %x0, %top : f32\n"
                                      "    %r0 = math.exp %d : f32\n");
  TextTensor sum = w.reduce({w.whole(powers)}, "0.0", add);
  return w.finish({w.whole(powers), w.perRow(sum)},
                  "    %one = arith.constant 1.0 : f32\n"
                  "    %zero = arith.constant 0.0 : f32\n"
                  "    %none = arith.cmpf oeq, %x1, %zero : f32\n"
                  "    %s = arith.select %none, %one, %x1 : f32\n"
                  "    %r0 = arith.divf %x0, %s : f32\n");
}

std::string pruner::drawLayerNorm(StringRef type, Random &random) {
  RowWriter w(type, random);
  TextTensor x = w.wide(w.argument());
  std::string mean = w.constant("%n", 1.0 / double(w.columns)) +
                     "    %u = arith.mulf %x1, %n : f32\n"
                     "    %d = arith.subf %x0, %u : f32\n";
  TextTensor sum = w.reduce({w.whole(x)}, "0.0", add);
  TextTensor squares = w.reduce({w.whole(x), w.perRow(sum)}, "0.0",
                                mean + "    %q = arith.mulf %d, %d : f32\n"
                                       "    %r0 = arith.addf %y0, %q : f32\n");
  return w.finish({w.whole(x), w.perRow(sum), w.perRow(squares), w.perColumn(),
                   w.perColumn()},
                  mean + w.constant("%eps", 1e-5) +
                      "    %v = arith.mulf %x2, %n : f32\n"
                      "    %e = arith.addf %v, %eps : f32\n"
                      "    %i = math.rsqrt %e : f32\n"
                      "    %m = arith.mulf %d, %i : f32\n"
                      "    %g = arith.mulf %m, %x3 : f32\n"
                      "    %r0 = arith.addf %g, %x4 : f32\n");
}

std::string pruner::drawRmsNorm(StringRef type, Random &random) {
  RowWriter w(type, random);
  TextTensor x = w.wide(w.argument());
  TextTensor squares = w.reduce({w.whole(x)}, "0.0",
                                "    %q = arith.mulf %x0, %x0 : f32\n"
                                "    %r0 = arith.addf %y0, %q : f32\n");
  return w.finish({w.whole(x), w.perRow(squares), w.perColumn()},
                  w.constant("%n", 1.0 / double(w.columns)) +
                      w.constant("%eps", 1e-6) +
                      "    %v = arith.mulf %x1, %n : f32\n"
                      "    %e = arith.addf %v, %eps : f32\n"
                      "    %i = math.rsqrt %e : f32\n"
                      "    %m = arith.mulf %x0, %i : f32\n"
                      "    %r0 = arith.mulf %m, %x2 : f32\n");
}
