//===- MatrixTest.cpp - mma and its fragments -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places of elements are those of the tables in the PTX ISA, one function
// for each shape, and not the formula that the machine uses.
//
//===----------------------------------------------------------------------===//

#include "PtxTest.h"

#include "Instructions/HalfFloat.h"
#include "Instructions/TensorSum.h"
#include "llvm/ADT/STLExtras.h"

#include <random>

using namespace pruner::ptx;
using namespace pruner::ptx::test;

namespace {

/// Element i of lane `lane` of a fragment: its row and column.
using Place = std::pair<unsigned, unsigned>;
using PlaceOf = Place (*)(unsigned lane, unsigned i);

// a and b (rows are terms of the sum) of 16 bits.
Place a16k8(unsigned lane, unsigned i) {
  return {lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
}
Place b16k8(unsigned lane, unsigned i) { return {lane % 4 * 2 + i, lane / 4}; }
Place a16k16(unsigned lane, unsigned i) {
  bool isUpper = i < 2 || (i >= 4 && i < 6);
  return {lane / 4 + (isUpper ? 0 : 8),
          lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8)};
}
Place b16k16(unsigned lane, unsigned i) {
  return {lane % 4 * 2 + (i & 1) + (i < 2 ? 0 : 8), lane / 4};
}
// tf32.
Place a32k4(unsigned lane, unsigned i) {
  return {lane / 4 + (i == 0 ? 0 : 8), lane % 4};
}
Place b32k4(unsigned lane, unsigned) { return {lane % 4, lane / 4}; }
Place a32k8(unsigned lane, unsigned i) {
  return {lane / 4 + (i == 0 || i == 2 ? 0 : 8), lane % 4 + (i < 2 ? 0 : 4)};
}
Place b32k8(unsigned lane, unsigned i) {
  return {lane % 4 + (i == 0 ? 0 : 4), lane / 4};
}
// Bytes.
Place a8k16(unsigned lane, unsigned i) {
  return {lane / 4 + (i < 4 ? 0 : 8), lane % 4 * 4 + (i & 3)};
}
Place b8k16(unsigned lane, unsigned i) { return {lane % 4 * 4 + i, lane / 4}; }
Place a8k32(unsigned lane, unsigned i) {
  bool isUpper = i < 4 || (i >= 8 && i < 12);
  return {lane / 4 + (isUpper ? 0 : 8),
          lane % 4 * 4 + (i & 3) + (i < 8 ? 0 : 16)};
}
Place b8k32(unsigned lane, unsigned i) {
  return {lane % 4 * 4 + (i & 3) + (i < 4 ? 0 : 16), lane / 4};
}
Place c16(unsigned lane, unsigned i) {
  return {lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)};
}

struct Shape {
  const char *shape, *sums, *a, *b;
  unsigned rows, terms;
  PlaceOf placeOfA, placeOfB;
  unsigned chip;
};
const Shape shapes[] = {
    {"m16n8k8", "f32", "f16", "f16", 16, 8, a16k8, b16k8, 75},
    {"m16n8k8", "f16", "f16", "f16", 16, 8, a16k8, b16k8, 75},
    {"m16n8k16", "f32", "f16", "f16", 16, 16, a16k16, b16k16, 80},
    {"m16n8k16", "f16", "f16", "f16", 16, 16, a16k16, b16k16, 80},
    {"m16n8k8", "f32", "bf16", "bf16", 16, 8, a16k8, b16k8, 80},
    {"m16n8k16", "f32", "bf16", "bf16", 16, 16, a16k16, b16k16, 80},
    {"m16n8k4", "f32", "tf32", "tf32", 16, 4, a32k4, b32k4, 80},
    {"m16n8k8", "f32", "tf32", "tf32", 16, 8, a32k8, b32k8, 80},
    {"m8n8k16", "s32", "s8", "u8", 8, 16, a8k16, b8k16, 75},
    {"m16n8k16", "s32", "u8", "s8", 16, 16, a8k16, b8k16, 80},
    {"m16n8k16", "s32", "s8", "s8", 16, 16, a8k16, b8k16, 80},
    {"m16n8k32", "s32", "s8", "s8", 16, 32, a8k32, b8k32, 80},
    {"m16n8k32", "s32", "u8", "u8", 16, 32, a8k32, b8k32, 80},
};

unsigned widthOf(llvm::StringRef type) {
  return type.ends_with("f16") ? 16 : type.ends_with("8") ? 8 : 32;
}

std::string nameOf(const Shape &shape) {
  return std::string("mma.sync.aligned.") + shape.shape + ".row.col." +
         shape.sums + "." + shape.a + "." + shape.b + "." + shape.sums;
}

/// Registers of a lane that hold `count` elements.
unsigned registers(unsigned elements, unsigned width) {
  return elements * width / (32 * 32);
}

struct Registers {
  unsigned a, b, c;
  unsigned all() const { return a + b + c; }
};
Registers registersOf(const Shape &shape) {
  return {registers(shape.rows * shape.terms, widthOf(shape.a)),
          registers(8 * shape.terms, widthOf(shape.b)),
          registers(shape.rows * 8, widthOf(shape.sums))};
}

/// Loads registers a, b, c of each lane, multiplies, and stores the results.
/// `guard` precedes the multiplication; `skip` is a register that is not
/// loaded; lanes below `firstLane` store nothing.
std::string kernelOf(const Shape &shape, llvm::StringRef guard = "",
                     unsigned skip = ~0u, unsigned firstLane = 0) {
  Registers count = registersOf(shape);
  std::string text =
      "mul.wide.u32 %rd5, %r1, " + std::to_string(4 * count.all()) +
      "; add.s64 %rd5, %rd5, %rd1;\nmul.wide.u32 %rd6, %r1, " +
      std::to_string(4 * count.c) + "; add.s64 %rd6, %rd6, %rd2;\n";
  for (unsigned n = 0; n != count.all(); ++n)
    if (n != skip)
      text += "ld.global.b32 %r" + std::to_string(10 + n) + ", [%rd5+" +
              std::to_string(4 * n) + "];\n";
  text += guard.str() + nameOf(shape) + " " + registerList(50, count.c) + ", " +
          registerList(10, count.a) + ", " +
          registerList(10 + count.a, count.b) + ", " +
          registerList(10 + count.a + count.b, count.c) +
          ";\nsetp.ge.u32 %p2, %r1, " + std::to_string(firstLane) + ";\n";
  for (unsigned n = 0; n != count.c; ++n)
    text += "@%p2 st.global.b32 [%rd6+" + std::to_string(4 * n) + "], %r" +
            std::to_string(50 + n) + ";\n";
  return text;
}

/// Runs a kernel for a chip with `in` as its input.
Outcome runFor(unsigned chip, const std::string &body, std::vector<uint32_t> in,
               unsigned outWords, unsigned threads = 32) {
  LaunchOptions options;
  options.block = {threads, 1, 1};
  return launch(kernelText(body, "", "sm_" + std::to_string(chip)),
                std::move(in), outWords, options);
}

uint32_t encode(llvm::StringRef type, double value) {
  if (type == "f16")
    return Half::encode(value);
  if (type == "bf16")
    return BFloat::encode(value);
  if (type == "f32" || type == "tf32")
    return bitCast<uint32_t>(float(value));
  return uint32_t(int32_t(value)) & (widthOf(type) == 8 ? 0xff : ~0u);
}

double decode(llvm::StringRef type, uint32_t bits) {
  if (type == "f16")
    return Half::decode(uint16_t(bits));
  return type == "f32" ? bitCast<float>(bits) : double(int32_t(bits));
}

using Grid = std::vector<std::vector<double>>;

/// The registers of all lanes that hold `values`, from register `first` of
/// `stride`.
void scatter(std::vector<uint32_t> &words, unsigned stride, unsigned first,
             unsigned count, PlaceOf place, llvm::StringRef type,
             const Grid &values) {
  unsigned width = widthOf(type), per = 32 / width;
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned i = 0; i != count * per; ++i) {
      auto [row, column] = place(lane, i);
      words[lane * stride + first + i / per] |=
          encode(type, values[row][column]) << i % per * width;
    }
}

/// a * b + c on a chip.
Outcome multiply(const Shape &shape, unsigned chip, const Grid &a,
                 const Grid &b, const Grid &c, Grid &result) {
  Registers count = registersOf(shape);
  std::vector<uint32_t> in(32 * count.all());
  scatter(in, count.all(), 0, count.a, shape.placeOfA, shape.a, a);
  scatter(in, count.all(), count.a, count.b, shape.placeOfB, shape.b, b);
  scatter(in, count.all(), count.a + count.b, count.c, c16, shape.sums, c);
  Outcome outcome = runFor(chip, kernelOf(shape), in, 32 * count.c);
  unsigned width = widthOf(shape.sums), per = 32 / width;
  result.assign(shape.rows, std::vector<double>(8));
  for (unsigned lane = 0; lane != 32; ++lane)
    for (unsigned i = 0; i != count.c * per; ++i) {
      uint32_t bits = outcome.out[lane * count.c + i / per] >> i % per * width;
      auto [row, column] = c16(lane, i);
      result[row][column] =
          decode(shape.sums, width == 16 ? bits & 0xffff : bits);
    }
  return outcome;
}

TEST(PtxMatrixTest, FragmentsOfEveryShape) {
  std::mt19937_64 random(1);
  for (const Shape &shape : shapes)
    for (unsigned chip : {75u, 80u, 89u, 90u, 120u}) {
      if (chip < shape.chip)
        continue;
      auto draw = [&](unsigned rows, unsigned columns, llvm::StringRef type) {
        // Sums are exact in f16 as well.
        int bound = type == "s8" || type == "u8" ? 100 : 6;
        int least = type == "u8" ? 0 : -bound;
        if (type == "u8")
          bound = 255;
        Grid grid(rows, std::vector<double>(columns));
        for (auto &row : grid)
          for (double &value : row)
            value = least + int(random() % (bound - least + 1));
        return grid;
      };
      Grid a = draw(shape.rows, shape.terms, shape.a),
           b = draw(shape.terms, 8, shape.b),
           c = draw(shape.rows, 8, shape.sums), result;
      Outcome outcome = multiply(shape, chip, a, b, c, result);
      ASSERT_EQ(outcome.message, "") << nameOf(shape) << " sm_" << chip;
      for (unsigned m = 0; m != shape.rows; ++m)
        for (unsigned n = 0; n != 8; ++n) {
          double expected = c[m][n];
          for (unsigned k = 0; k != shape.terms; ++k)
            expected += a[m][k] * b[k][n];
          ASSERT_EQ(result[m][n], expected)
              << nameOf(shape) << " sm_" << chip << " at " << m << ", " << n;
        }
      EXPECT_EQ(outcome.counts.executedPipes[unsigned(Pipe::Tensor)].warps, 1u);
    }
}

TEST(PtxMatrixTest, IntegersWrap) {
  const Shape &shape = shapes[11];
  ASSERT_STREQ(shape.shape, "m16n8k32");
  Grid a(16, std::vector<double>(32, -128)),
      b(32, std::vector<double>(8, -128)),
      c(16, std::vector<double>(8, 2147483647)), result;
  ASSERT_EQ(multiply(shape, 80, a, b, c, result).message, "");
  EXPECT_EQ(result[3][5], 2147483647.0 + 32 * 16384 - 4294967296.0);
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

/// c plus the products of factors at the given terms; others are zero.
struct Term {
  unsigned k;
  double a, b;
};
double sumOn(unsigned chip, const Shape &shape, double c,
             std::vector<Term> terms) {
  Grid a(shape.rows, std::vector<double>(shape.terms)),
      b(shape.terms, std::vector<double>(8)),
      sums(shape.rows, std::vector<double>(8, c)), result;
  for (const Term &term : terms) {
    for (auto &row : a)
      row[term.k] = term.a;
    for (double &value : b[term.k])
      value = term.b;
  }
  EXPECT_EQ(multiply(shape, chip, a, b, sums, result).message, "");
  // All elements have the same terms.
  for (const auto &row : result)
    for (double value : row)
      EXPECT_TRUE(value == result[0][0] ||
                  (std::isnan(value) && std::isnan(result[0][0])));
  return result[0][0];
}

const Shape &f16 = shapes[2], &f16Sums = shapes[3], &bf16 = shapes[5],
            &tf32 = shapes[7];
constexpr double u24 = 0x1p-24;

TEST(PtxMatrixTest, GroupsOfTheGenerations) {
  // 2^-24 next to 1 survives in a group, but not in its result.
  std::vector<Term> together = {{0, 0x1p-12, 0x1p-12}, {7, 0x1p-12, 0x1p-12}},
                    apart = {{0, 0x1p-12, 0x1p-12}, {8, 0x1p-12, 0x1p-12}};
  for (unsigned chip : {80u, 86u, 89u}) {
    EXPECT_EQ(sumOn(chip, f16, 1, together), 1 + 2 * u24);
    EXPECT_EQ(sumOn(chip, f16, 1, apart), 1);
  }
  for (unsigned chip : {90u, 100u, 120u})
    EXPECT_EQ(sumOn(chip, f16, 1, apart), 1 + 2 * u24);
  // tf32 has groups of four.
  apart[1].k = 4;
  EXPECT_EQ(sumOn(80, tf32, 1, apart), 1);
  EXPECT_EQ(sumOn(90, tf32, 1, apart), 1 + 2 * u24);
  apart[1].k = 3;
  EXPECT_EQ(sumOn(80, tf32, 1, apart), 1 + 2 * u24);
}

TEST(PtxMatrixTest, BitsThatAreKept) {
  // 8 times 2^-25: all of it, or nothing.
  std::vector<Term> terms;
  for (unsigned k = 0; k != 8; ++k)
    terms.push_back({k, 0x1p-13, 0x1p-12});
  EXPECT_EQ(sumOn(75, shapes[0], 1, terms), 1);
  EXPECT_EQ(sumOn(80, f16, 1, terms), 1);
  EXPECT_EQ(sumOn(90, f16, 1, terms), 1 + 4 * u24);
  // 8 times 2^-26 is nothing on any of them.
  for (Term &term : terms)
    term.a = 0x1p-14;
  EXPECT_EQ(sumOn(90, f16, 1, terms), 1);
}

TEST(PtxMatrixTest, CutsTowardsZero) {
  for (unsigned chip : {80u, 90u}) {
    // 1 + 0.75 * 2^-23 would be rounded up to nearest.
    std::vector<Term> terms = {{0, 1.5 * 0x1p-12, 0x1p-12}};
    EXPECT_EQ(sumOn(chip, f16, 1, terms), 1);
    EXPECT_EQ(sumOn(chip, f16, -1, {{0, -1.5 * 0x1p-12, 0x1p-12}}), -1);
    EXPECT_EQ(sumOn(chip, f16, -1, {{0, 0x1p-12, 0x1p-12}}), -1 + u24);
    EXPECT_EQ(sumOn(chip, f16, -1, {{0, 0x1p-14, 0x1p-12}}), -1);
  }
}

TEST(PtxMatrixTest, ProductsAreNotNormalized) {
  // The exponent of 1.5 * 1.5 is 0. With 1 the accumulator would be cut.
  EXPECT_EQ(sumOn(80, f16, u24, {{0, 1.5, 1.5}, {1, -1.5, 1.5}}), u24);
  EXPECT_EQ(sumOn(80, f16, u24, {{0, 2, 1}, {1, -2, 1}}), 0);
}

TEST(PtxMatrixTest, SmallAndLargeNumbers) {
  // Subnormal factors and results count.
  EXPECT_EQ(sumOn(80, f16, 0, {{3, 0x1p-24, 1}}), 0x1p-24);
  EXPECT_EQ(sumOn(80, bf16, 0, {{3, 0x1p-70, 0x1p-70}}), 0x1p-140);
  // The exponents of terms are raised to -126.
  EXPECT_EQ(sumOn(80, bf16, 0, {{3, 0x1p-75, 0x1p-75}}), 0);
  EXPECT_EQ(sumOn(80, bf16, 0, {{3, 0x1p100, 0x1p30}}), INFINITY);
  EXPECT_EQ(sumOn(80, f16Sums, 65504, {{0, 64, 64}}), INFINITY);
  EXPECT_EQ(sumOn(80, f16, 1, {{0, -INFINITY, 2}}), -INFINITY);
  EXPECT_TRUE(std::isnan(sumOn(80, f16, 1, {{0, INFINITY, 0}})));
  EXPECT_TRUE(
      std::isnan(sumOn(80, f16Sums, 1, {{0, INFINITY, 1}, {1, -INFINITY, 1}})));
  TensorTerm one = tensorTerm(TensorFormat::F16, 0x3c00);
  EXPECT_EQ(tensorSum(one, one, TensorFormat::F16, 0xbf800000,
                      TensorFormat::F32, 16, 24),
            0u);
  EXPECT_EQ(tensorSum(one, tensorTerm(TensorFormat::F16, 0x7c01),
                      TensorFormat::F16, 0, TensorFormat::F32, 16, 24),
            0x7fffffffu);
}

TEST(PtxMatrixTest, HalfSumsAreRoundedToNearest) {
  // A tie goes to even; a little more goes up.
  EXPECT_EQ(sumOn(80, f16Sums, 1, {{0, 0x1p-11, 1}}), 1);
  EXPECT_EQ(sumOn(80, f16Sums, 1, {{0, 0x1p-11, 1}, {1, 0x1p-12, 0x1p-12}}),
            1 + 0x1p-10);
  // Each group rounds.
  EXPECT_EQ(sumOn(80, f16Sums, 1, {{0, 0x1p-11, 1}, {8, 0x1p-11, 1}}), 1);
  EXPECT_EQ(sumOn(90, f16Sums, 1, {{0, 0x1p-11, 1}, {8, 0x1p-11, 1}}),
            1 + 0x1p-10);
}

TEST(PtxMatrixTest, Tf32FactorsAreCut) {
  EXPECT_EQ(sumOn(80, tf32, 0, {{0, 1 + 0x1p-10 + 0x1p-11, 1}}), 1 + 0x1p-10);
  // cvt.rna rounds, ties away from zero.
  auto rounded = [](const char *bits) {
    return compute(std::string("cvt.rna.tf32.f32 %r2, ") + bits + ";");
  };
  EXPECT_EQ(rounded("0f3F800FFF"), 0x3f800000u);
  EXPECT_EQ(rounded("0f3F801000"), 0x3f802000u);
  EXPECT_EQ(rounded("0fBF801000"), 0xbf802000u);
  EXPECT_EQ(rounded("0f7F7FFFFF"), 0x7f800000u);
  EXPECT_EQ(rounded("0fFF800001"), 0x7fffffffu);
}

/// Any sum of k products in f32 differs from the exact one by less than what
/// k + 1 terms and the results of two groups lose, which is less than the three
/// units of each product that verification allows (BoundedSums.cpp).
TEST(PtxMatrixTest, ErrorOfRealNumbersIsBounded) {
  std::mt19937_64 random(5);
  for (const Shape &shape : shapes)
    for (unsigned chip : {75u, 80u, 89u, 90u, 120u}) {
      if (chip < shape.chip || llvm::StringRef(shape.sums) != "f32")
        continue;
      double units =
          chip < 90 ? double(shape.terms) + 6 : double(shape.terms + 1) / 2 + 2;
      ASSERT_LE(units, 3 * double(shape.terms + 1));
      double largest = 0;
      for (unsigned trial = 0; trial != 20; ++trial) {
        // All types have these 8 bits.
        auto draw = [&](unsigned rows, unsigned columns) {
          Grid grid(rows, std::vector<double>(columns));
          for (auto &row : grid)
            for (double &value : row)
              value = std::ldexp(double(int64_t(random() % 511) - 255) / 128,
                                 int(random() % 8) - 4);
          return grid;
        };
        Grid a = draw(16, shape.terms), b = draw(shape.terms, 8),
             c = draw(16, 8), result;
        ASSERT_EQ(multiply(shape, chip, a, b, c, result).message, "");
        for (unsigned m = 0; m != 16; ++m)
          for (unsigned n = 0; n != 8; ++n) {
            double exact = c[m][n], magnitude = std::fabs(c[m][n]);
            for (unsigned k = 0; k != shape.terms; ++k) {
              exact += a[m][k] * b[k][n];
              magnitude += std::fabs(a[m][k] * b[k][n]);
            }
            double error = std::fabs(result[m][n] - exact);
            EXPECT_LE(error, magnitude * units * u24)
                << nameOf(shape) << " sm_" << chip;
            largest = std::max(largest, error);
          }
      }
      EXPECT_GT(largest, 0) << nameOf(shape) << " sm_" << chip;
    }
}

//===----------------------------------------------------------------------===//
// Violations
//===----------------------------------------------------------------------===//

TEST(PtxMatrixTest, AllLanesTakePart) {
  std::vector<uint32_t> in(32 * registersOf(f16).all());
  auto run = [&](llvm::StringRef guard, unsigned threads) {
    return runFor(80, kernelOf(f16, guard), in, 32 * 4, threads);
  };
  EXPECT_EQ(run("", 32).message, "");
  Outcome outcome = run("setp.lt.u32 %p1, %r1, 31;\n@%p1 ", 32);
  EXPECT_EQ(outcome.violation, Violation::Lanes);
  EXPECT_NE(outcome.message.find("its guard excludes lane 31"),
            std::string::npos)
      << outcome.message;
  EXPECT_EQ(run("", 16).violation, Violation::Lanes);
  EXPECT_EQ(run("setp.eq.u32 %p1, %r1, 3;\n@%p1 ret;\n", 32).violation,
            Violation::Lanes);
  // Lanes on another path wait for one another.
  EXPECT_EQ(run("setp.eq.u32 %p1, %r1, 3;\n@%p1 bra L;\nadd.s32 %r9, %r9, 1;\n"
                "L: ",
                32)
                .message,
            "");
  EXPECT_EQ(run("setp.eq.u32 %p1, %r1, 3;\n@%p1 bra L;\n" + nameOf(f16) +
                    " {%r50, %r51, %r52, %r53}, {%r10, %r11, %r12, %r13}, "
                    "{%r14, %r15}, {%r16, %r17, %r18, %r19};\nL: ",
                32)
                .violation,
            Violation::Lanes);
}

TEST(PtxMatrixTest, UndefinedElementsReachTheirResults) {
  std::vector<uint32_t> in(32 * registersOf(f16).all());
  // Register 0 of a is undefined in all lanes, which are rows 0 to 7.
  Outcome outcome = runFor(80, kernelOf(f16, "", 0), in, 32 * 4);
  EXPECT_EQ(outcome.violation, Violation::Undefined);
  // Only of lane 0: row 0, the results of lanes 0 to 3.
  auto partly = [&](unsigned firstLane) {
    std::string body = kernelOf(f16, "", 0, firstLane);
    std::string load = "setp.ne.u32 %p1, %r1, 0;\n@%p1 ld.global.b32 %r10, "
                       "[%rd5];\n";
    body.insert(body.find("mma."), load);
    return runFor(80, body, in, 32 * 4).violation;
  };
  EXPECT_EQ(partly(3), Violation::Undefined);
  EXPECT_EQ(partly(4), std::nullopt);
}

TEST(PtxMatrixTest, RejectedByName) {
  auto message = [](unsigned chip, const std::string &instruction) {
    return runFor(chip, instruction, {0}, 1).message;
  };
  const char *operands =
      " {%r50, %r51, %r52, %r53}, {%r10, %r11, %r12, %r13}, {%r14, %r15}, "
      "{%r16, %r17, %r18, %r19};";
  auto expect = [&](unsigned chip, const char *name, const char *text) {
    std::string got = message(chip, std::string(name) + operands);
    EXPECT_NE(got.find(text), std::string::npos) << name << ": " << got;
  };
  expect(75, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
         "needs sm_80, but the module is for sm_75");
  expect(80, "mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32",
         "modifier '.satfinite' is not supported");
  expect(80, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16",
         "accumulators of two types");
  expect(80, "mma.sync.aligned.m16n8k16.row.col.f16.bf16.bf16.f16",
         "accumulators of type '.f16' are not supported");
  expect(80, "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
         "shape '.m8n8k4' is not supported");
  expect(80, "mma.sync.aligned.m16n8k4.row.col.f32.f16.f16.f32",
         "shape '.m16n8k4' is not supported for these factors");
  expect(80, "mma.sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32",
         "the types of its factors");
  expect(80, "mma.sync.aligned.m16n8k16.col.col.f32.f16.f16.f32",
         "expected '.row.col'");
  expect(80, "mma.m16n8k16.row.col.f32.f16.f16.f32",
         "expected '.sync.aligned'");
}

} // namespace
