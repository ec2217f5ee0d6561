//===- ElementTasks.cpp - reductions and elementwise tasks ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskDraws.h"

#include "Fuzzing/Schedules/ScheduleFuzz.h"
#include "Fuzzing/Text/LinalgWriter.h"
#include "pruner/Support/Random.h"

using namespace llvm;
using namespace pruner;

int64_t pruner::drawExtent(Random &random, int64_t limit) {
  static const int64_t values[] = {1,  2,  3,  5,  7,  8,  13,  16,  17,  31,
                                   32, 33, 47, 48, 64, 65, 101, 127, 256, 257};
  return drawExtent(random, values, limit);
}

Combination pruner::drawCombination(const std::string &type, Random &random) {
  unsigned kind = random.uniform(4);
  auto body = [&](const char *floatOperation, const char *intOperation) {
    return bodyLine("%r0", arithOf(type, floatOperation, intOperation),
                    "%y0, %x0", type);
  };
  if (kind < 2)
    return {zeroOf(type), body("addf", "addi")};
  bool max = kind == 2;
  std::string extremum =
      max ? body("maximumf", "maxsi") : body("minimumf", "minsi");
  if (isFloatName(type))
    return {infinityOf(type, max), extremum};
  unsigned bits = std::stoi(type.substr(1));
  int64_t least = bits == 64 ? INT64_MIN : -(int64_t(1) << (bits - 1));
  return {std::to_string(max ? least : -(least + 1)), extremum};
}

std::string pruner::functionOf(const std::string &e, const std::string &from,
                               const std::string &to, Random &random) {
  auto line = [&](const std::string &name, const std::string &op,
                  const std::string &operands) {
    return bodyLine(name, op, operands, e);
  };
  auto constant = [&](const std::string &name, const std::string &value) {
    return line(name, "arith.constant", value);
  };
  // Few functions support f64.
  switch (random.uniform(e == "f64" ? 2 : 6)) {
  case 0:
    return constant("%k0", "0.0") + line(to, "arith.maximumf", from + ", %k0");
  case 1: // x / (1 + x^2)
    return constant("%k1", "1.0") +
           line("%q", "arith.mulf", from + ", " + from) +
           line("%w", "arith.addf", "%q, %k1") +
           line(to, "arith.divf", from + ", %w");
  case 2:
    return line(to, "math.tanh", from);
  case 3: // GELU
    return constant("%kr", "0.70710678") + constant("%kh", "0.5") +
           constant("%k1", "1.0") + line("%q", "arith.mulf", from + ", %kr") +
           line("%w", "math.erf", "%q") + line("%v", "arith.addf", "%w, %k1") +
           line("%u", "arith.mulf", from + ", %kh") +
           line(to, "arith.mulf", "%u, %v");
  case 4: // Sigmoid.
    return constant("%k1", "1.0") + line("%q", "arith.negf", from) +
           line("%w", "math.exp", "%q") + line("%v", "arith.addf", "%w, %k1") +
           line(to, "arith.divf", "%k1, %v");
  default: // x / sqrt(x^2 + 1/2)
    return constant("%kh", "0.5") +
           line("%q", "arith.mulf", from + ", " + from) +
           line("%w", "arith.addf", "%q, %kh") +
           line("%v", "math.rsqrt", "%w") +
           line(to, "arith.mulf", from + ", %v");
  }
}

std::string pruner::drawReduction(StringRef type, Random &random) {
  TaskWriter t;
  std::string e = type.str();
  static const int64_t longRows[] = {1000, 4096, 4099, 65536};
  bool isLong = random.uniform(2);
  int64_t k = isLong ? longRows[random.uniform(4)] : drawExtent(random, 300);
  int64_t n = drawExtent(random, std::max<int64_t>(1, (1 << 16) / k));
  bool rows = random.uniform(2);
  Shape shape{n, k};
  TextMap in{"d0", "d1"};
  if (!rows) {
    std::swap(shape[0], shape[1]);
    std::swap(in[0], in[1]);
  }
  Combination how = drawCombination(e, random);
  return t.finish(t.generic("pr", {{t.argument(shape, e), in}},
                            {t.filled({n}, e, how.neutral), {"d0"}}, how.body));
}

std::string pruner::drawElementwise(StringRef type, Random &random) {
  TaskWriter t;
  std::string e = type.str();
  int64_t n = drawExtent(random, 257), m = drawExtent(random, 257);
  bool turned = random.uniform(3) == 0, narrow = random.uniform(3) == 0;
  TextOperand x{t.argument(turned ? Shape{m, n} : Shape{n, m}, e),
                turned ? TextMap{"d1", "d0"} : TextMap{"d0", "d1"}};
  TextOperand y = narrow ? TextOperand{t.argument({m}, e), {"d1"}}
                         : TextOperand{t.argument({n, m}, e), {"d0", "d1"}};
  std::string result = e, body;
  auto two = [&](const char *to, const char *floatOp, const char *intOp,
                 const char *operands) {
    return bodyLine(to, arithOf(e, floatOp, intOp), operands, e);
  };
  switch (random.uniform(5)) {
  case 0:
    body = two("%s", "subf", "subi", "%x0, %x1") +
           two("%r0", "mulf", "muli", "%s, %x0");
    break;
  case 1:
    body = two("%r0", "minimumf", "minsi", "%x0, %x1");
    break;
  case 2: // A mask.
    result = "i1";
    body = two("%r0", "cmpf olt,", "cmpi slt,", "%x0, %x1");
    break;
  case 3: // A selection.
    body = two("%c", "cmpf ogt,", "cmpi sgt,", "%x0, %x1") +
           two("%s", "addf", "addi", "%x0, %x1") +
           bodyLine("%r0", "arith.select", "%c, %s, %x1", e);
    break;
  default:
    body = two("%s", "addf", "addi", "%x0, %x1") +
           (isFloatName(e) ? functionOf(e, "%s", "%r0", random)
                           : two("%r0", "", "maxsi", "%s, %x0"));
  }
  return t.finish(
      t.generic("pp", {x, y}, {t.empty({n, m}, result), {"d0", "d1"}}, body));
}

std::string pruner::drawFunction(StringRef type, Random &random) {
  TaskWriter t;
  std::string e = type.str();
  int64_t n = drawExtent(random, 257), m = drawExtent(random, 257);
  static const char *const functions[] = {"math.exp",   "math.tanh",
                                          "math.erf",   "math.sqrt",
                                          "math.rsqrt", "math.sin"};
  unsigned kind = random.uniform(std::size(functions) + 2);
  std::string body;
  if (kind < std::size(functions)) {
    std::string from = "%x0";
    if (StringRef(functions[kind]).contains("sqrt")) { // Of positive numbers.
      body = bodyLine("%k", "arith.constant", "0.25", e) +
             bodyLine("%q", "arith.mulf", "%x0, %x0", e) +
             bodyLine("%s", "arith.addf", "%q, %k", e);
      from = "%s";
    }
    body += bodyLine("%r0", functions[kind], from, e);
  } else {
    body = functionOf(e, "%x0", "%r0", random);
  }
  return t.finish(t.generic("pp", {{t.argument({n, m}, e), {"d0", "d1"}}},
                            {t.empty({n, m}, e), {"d0", "d1"}}, body));
}

/// To i8 and back: scaled, rounded, clamped.
std::string pruner::drawQuantize(StringRef type, Random &random) {
  TaskWriter t;
  int64_t n = drawExtent(random, 257), m = drawExtent(random, 257);
  TextMap all{"d0", "d1"};
  if (random.uniform(2)) {
    TextTensor scale = t.argument({m}, "f32");
    TextTensor x = t.argument({n, m}, "i8");
    return t.finish(t.generic("pp", {{x, all}, {scale, {"d1"}}},
                              {t.empty({n, m}, "f32"), all},
                              "    %z = arith.constant 3 : i32\n"
                              "    %w = arith.extsi %x0 : i8 to i32\n"
                              "    %s = arith.subi %w, %z : i32\n"
                              "    %f = arith.sitofp %s : i32 to f32\n"
                              "    %r0 = arith.mulf %f, %x1 : f32\n"));
  }
  return t.finish(t.generic("pp", {{t.argument({n, m}, type), all}},
                            {t.empty({n, m}, "i8"), all},
                            "    %k = arith.constant 100.0 : f32\n"
                            "    %lo = arith.constant -90.0 : f32\n"
                            "    %hi = arith.constant 90.0 : f32\n"
                            "    %m = arith.mulf %x0, %k : f32\n"
                            "    %n = math.roundeven %m : f32\n"
                            "    %a = arith.maximumf %n, %lo : f32\n"
                            "    %b = arith.minimumf %a, %hi : f32\n"
                            "    %r0 = arith.fptosi %b : f32 to i8\n"));
}

std::string pruner::drawAny(StringRef, Random &random) {
  return randomTask(random);
}

std::string pruner::drawJoined(StringRef, Random &random) {
  return randomJoinedTask(random);
}

std::string pruner::drawWeightOnly(StringRef, Random &random) {
  return randomWeightOnlyTask(random);
}
