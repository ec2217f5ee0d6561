//===- MathTest.cpp - errors of the expanded functions --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PipelineFixture.h"

#include "pruner/Target/ObjectFacts.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace pruner;
using namespace pruner::test;

namespace {
struct Function {
  const char *name; ///< Name of the math op.
  double (*reference)(double);
};
struct Function2 {
  const char *source; ///< The op with its dialect.
  double (*reference)(double, double);
};
} // namespace

static double rsqrtReference(double x) { return 1 / std::sqrt(x); }

/// In double precision, whose error is 2^-28 of an f32's.
const Function kFunctions[] = {
    {"exp", std::exp},     {"exp2", std::exp2},   {"expm1", std::expm1},
    {"log", std::log},     {"log2", std::log2},   {"log10", std::log10},
    {"log1p", std::log1p}, {"sin", std::sin},     {"cos", std::cos},
    {"tan", std::tan},     {"asin", std::asin},   {"acos", std::acos},
    {"atan", std::atan},   {"sinh", std::sinh},   {"cosh", std::cosh},
    {"tanh", std::tanh},   {"asinh", std::asinh}, {"acosh", std::acosh},
    {"atanh", std::atanh}, {"erf", std::erf},     {"erfc", std::erfc},
    {"sqrt", std::sqrt},   {"cbrt", std::cbrt},   {"rsqrt", rsqrtReference},
};

constexpr size_t kCount = 1 << 14; // Also in the kernels below.
const float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

/// @vector, @matrix and @scalar apply `op` to x and y. In the text of `op`, @
/// stands for the operands.
static std::string kernelSource(const std::string &op,
                                const std::string &type = "f32") {
  std::string text = R"(
    func.func @vector(%x: memref<16384xT>, %y: memref<16384xT>, %z: memref<16384xT>) {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %n = arith.constant 16384 : index
      scf.for %i = %c0 to %n step %c8 {
        %v = vector.load %x[%i] : memref<16384xT>, vector<8xT>
        %w = vector.load %y[%i] : memref<16384xT>, vector<8xT>
        %r = OP : vector<8xT>
        vector.store %r, %z[%i] : memref<16384xT>, vector<8xT>
      }
      return
    }
    func.func @matrix(%x: memref<16384xT>, %y: memref<16384xT>, %z: memref<16384xT>) {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %n = arith.constant 16384 : index
      scf.for %i = %c0 to %n step %c8 {
        %a = vector.load %x[%i] : memref<16384xT>, vector<8xT>
        %b = vector.load %y[%i] : memref<16384xT>, vector<8xT>
        %v = vector.shape_cast %a : vector<8xT> to vector<2x4xT>
        %w = vector.shape_cast %b : vector<8xT> to vector<2x4xT>
        %r = OP : vector<2x4xT>
        %s = vector.shape_cast %r : vector<2x4xT> to vector<8xT>
        vector.store %s, %z[%i] : memref<16384xT>, vector<8xT>
      }
      return
    }
    func.func @scalar(%x: memref<16384xT>, %y: memref<16384xT>, %z: memref<16384xT>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 16384 : index
      scf.for %i = %c0 to %n step %c1 {
        %v = memref.load %x[%i] : memref<16384xT>
        %w = memref.load %y[%i] : memref<16384xT>
        %r = OP : T
        memref.store %r, %z[%i] : memref<16384xT>
      }
      return
    })";
  auto replace = [&](const std::string &from, const std::string &to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
         at += to.size())
      text.replace(at, from.size(), to);
  };
  replace("OP", op);
  replace("xT>", "x" + type + ">");
  replace(": T", ": " + type);
  return text;
}

static int64_t ordinal(float value) {
  int32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits < 0 ? -int64_t(bits & 0x7fffffff) : bits;
}
static int64_t ordinal(double value) {
  int64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits < 0 ? -(bits & INT64_MAX) : bits;
}

/// True if `got` is the number nearest to `exact` or its neighbor, NaN if
/// `exact` is NaN, and a zero with the same sign.
template <typename T, typename Wide> static bool isRight(T got, Wide exact) {
  T nearest = static_cast<T>(exact);
  if (std::isnan(nearest) || std::isnan(got))
    return std::isnan(nearest) && std::isnan(got);
  if (nearest == 0 && got == 0)
    return std::signbit(nearest) == std::signbit(got);
  return std::abs(ordinal(got) - ordinal(nearest)) <= 1;
}

namespace {
class MathTest : public PipelineFixture {
protected:
  std::unique_ptr<JitModule> compileMath(const std::string &op,
                                         const std::string &type = "f32") {
    return compile(kernelSource(op, type), [](mlir::OpPassManager &pm) {
      buildToLLVMPipeline(pm, ToLLVMOptions());
    });
  }

  template <typename T>
  void run(JitModule &jit, llvm::StringRef form, AlignedBuffer<T> &x,
           AlignedBuffer<T> &y, AlignedBuffer<T> &z) {
    function<void(T *, T *, T *)>(jit, form)(x.data(), y.data(), z.data());
  }
};
} // namespace

const float kSpecial[] = {0,           1e-45f,      1e-40f,
                          0x1p-126f,   1e-30f,      1e-10f,
                          1e-4f,       0.3f,        0.5f,
                          0.70710677f, 0.9999999f,  1,
                          1.0000001f,  1.5f,        2,
                          2.5f,        3,           4,
                          15,          16777216.0f, 16777218.0f,
                          88.7f,       88.8f,       104,
                          127,         128,         150,
                          0x1p17f,     21279.58f,   910036416.0f,
                          1e18f,       1e30f,       3.4028235e38f,
                          kInf,        kNan};

// Every 4093rd float, so every exponent including denormals and both signs, and
// the special numbers, each in one vector with others: a lane must not depend
// on its neighbors.
TEST_F(MathTest, FunctionsAreWithinOneUlp) {
  for (const Function &f : kFunctions) {
    auto jit = compileMath(std::string("math.") + f.name + " %v");
    ASSERT_TRUE(jit) << f.name;
    // No call of a mathematical library is left, given FMA instructions.
    if (llvm::StringRef(lastObject.features).contains("+fma")) {
      auto facts = readObjectFacts(lastObject.bytes);
      ASSERT_TRUE(bool(facts)) << llvm::toString(facts.takeError());
      for (const FunctionFacts &code : facts->functions)
        EXPECT_EQ(code.code.calls, 0u) << f.name << ", " << code.name;
    }
    AlignedBuffer<float> x(kCount), y(kCount), z(kCount);
    uint32_t bits = 0;
    unsigned finite = 0;
    for (uint64_t done = 0; done < (uint64_t(1) << 32) / 4093; done += kCount) {
      size_t i = 0;
      for (float special : kSpecial) {
        x[i++] = special;
        x[i++] = -special;
      }
      for (; i < kCount; ++i, bits += 4093)
        std::memcpy(&x[i], &bits, sizeof bits);
      for (const char *form : {"vector", "scalar", "matrix"}) {
        run(*jit, form, x, y, z);
        for (i = 0; i < kCount; ++i) {
          ASSERT_TRUE(isRight(z[i], f.reference(x[i])))
              << form << " " << f.name << " of " << x[i] << " is " << z[i]
              << ", not " << f.reference(x[i]);
          finite += std::isfinite(z[i]);
        }
      }
    }
    EXPECT_GT(finite, 100000u) << f.name;
  }
}

// All pairs of the special numbers.
TEST_F(MathTest, FunctionsOfTwoNumbers) {
  const Function2 functions[] = {{"math.powf %v, %w", std::pow},
                                 {"math.atan2 %v, %w", std::atan2},
                                 {"arith.remf %v, %w", std::fmod}};
  std::vector<float> numbers;
  for (float special : kSpecial)
    for (float sign : {1.0f, -1.0f})
      numbers.push_back(sign * special);
  ASSERT_LE(numbers.size() * numbers.size(), kCount);
  for (const Function2 &f : functions) {
    auto jit = compileMath(f.source);
    ASSERT_TRUE(jit) << f.source;
    AlignedBuffer<float> x(kCount), y(kCount), z(kCount);
    for (size_t i = 0; i < kCount; ++i) {
      x[i] = numbers[i % numbers.size()];
      y[i] = numbers[i / numbers.size() % numbers.size()];
    }
    for (const char *form : {"vector", "scalar", "matrix"}) {
      run(*jit, form, x, y, z);
      for (size_t i = 0; i < kCount; ++i)
        ASSERT_TRUE(isRight(z[i], f.reference(x[i], y[i])))
            << form << " " << f.source << " of " << x[i] << ", " << y[i]
            << " is " << z[i] << ", not " << f.reference(x[i], y[i]);
    }
  }
}

// Constant exponents become products and roots, with the same special values.
TEST_F(MathTest, ConstantExponents) {
  for (double exponent : {0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 3.0, 4.0, 8.0, -7.0,
                          9.0, 0.0, 0.25, 1.5}) {
    char constant[64];
    std::snprintf(constant, sizeof constant, "%.3f", exponent);
    std::string source = kernelSource("math.powf %v, %p");
    for (const char *type : {"vector<8xf32>", "vector<2x4xf32>", "f32"}) {
      std::string op = std::string("math.powf %v, %p : ") + type + "\n";
      size_t at = source.find(op);
      ASSERT_NE(at, std::string::npos);
      bool scalar = std::string(type) == "f32";
      size_t line = source.rfind('\n', at) + 1;
      source.insert(line, std::string("%p = arith.constant ") +
                              (scalar ? "" : "dense<") + constant +
                              (scalar ? "" : ">") + " : " + type + "\n");
    }
    auto jit = compile(source, [](mlir::OpPassManager &pm) {
      buildToLLVMPipeline(pm, ToLLVMOptions());
    });
    ASSERT_TRUE(jit) << exponent;
    AlignedBuffer<float> x(kCount), y(kCount), z(kCount);
    size_t i = 0;
    for (float special : kSpecial) {
      x[i++] = special;
      x[i++] = -special;
    }
    for (uint32_t bits = 0; i < kCount; ++i, bits += 262139)
      std::memcpy(&x[i], &bits, sizeof bits);
    for (const char *form : {"vector", "scalar", "matrix"}) {
      run(*jit, form, x, y, z);
      for (i = 0; i < kCount; ++i)
        ASSERT_TRUE(isRight(z[i], std::pow(double(x[i]), exponent)))
            << form << " " << x[i] << "^" << exponent << " is " << z[i];
    }
  }
}

// Compared with long double.
TEST_F(MathTest, DoublesAreWithinOneUlp) {
  struct DoubleFunction {
    const char *name;
    long double (*reference)(long double);
  };
  const DoubleFunction functions[] = {
      {"exp", expl},     {"exp2", exp2l},   {"expm1", expm1l}, {"log", logl},
      {"log2", log2l},   {"log10", log10l}, {"log1p", log1pl}, {"sin", sinl},
      {"cos", cosl},     {"tan", tanl},     {"asin", asinl},   {"acos", acosl},
      {"atan", atanl},   {"sinh", sinhl},   {"cosh", coshl},   {"tanh", tanhl},
      {"asinh", asinhl}, {"acosh", acoshl}, {"atanh", atanhl}, {"erf", erfl},
      {"erfc", erfcl},   {"sqrt", sqrtl},   {"cbrt", cbrtl}};
  for (const DoubleFunction &f : functions) {
    auto jit = compileMath(std::string("math.") + f.name + " %v", "f64");
    ASSERT_TRUE(jit) << f.name;
    AlignedBuffer<double> x(kCount), y(kCount), z(kCount);
    size_t i = 0;
    for (double special : kSpecial) {
      x[i++] = special;
      x[i++] = -special;
    }
    for (uint64_t bits = 0x3c00000000000000; i < kCount; ++i)
      if (i % 2) {
        x[i] = -x[i - 1];
      } else {
        bits += 0x0001d7c3a5b1e2f7 / 8;
        bits &= INT64_MAX;
        std::memcpy(&x[i], &bits, sizeof bits);
      }
    for (const char *form : {"vector", "scalar", "matrix"}) {
      run(*jit, form, x, y, z);
      for (i = 0; i < kCount; ++i)
        ASSERT_TRUE(isRight(z[i], f.reference(x[i])))
            << form << " " << f.name << " of " << x[i] << " is " << z[i];
    }
  }
}

TEST_F(MathTest, LimitsAreRight) {
  struct Case {
    const char *name;
    float x, y;
  };
  const float inf = kInf;
  const Case cases[] = {
      {"exp", 0, 1},     {"exp", -inf, 0},        {"exp", inf, inf},
      {"exp", 100, inf}, {"exp", -200, 0},        {"tanh", 0, 0},
      {"tanh", 50, 1},   {"tanh", -50, -1},       {"tanh", inf, 1},
      {"erf", 0, 0},     {"erf", 20, 1},          {"erf", -20, -1},
      {"log", 1, 0},     {"log", 0, -inf},        {"log", inf, inf},
      {"log1p", 0, 0},   {"expm1", 0, 0},         {"sqrt", 0, 0},
      {"exp2", 0, 1},    {"exp2", 127, 0x1p127f}, {"exp2", 128, inf},
      {"exp2", -inf, 0}, {"exp", 89, inf},        {"erf", inf, 1},
      {"erf", -inf, -1},
  };
  for (const Case &c : cases) {
    auto jit = compileMath(std::string("math.") + c.name + " %v");
    ASSERT_TRUE(jit);
    AlignedBuffer<float> x(kCount, c.x), y(kCount), z(kCount);
    for (const char *form : {"vector", "scalar"}) {
      run(*jit, form, x, y, z);
      EXPECT_EQ(z[0], c.y) << c.name << "(" << c.x << "), " << form;
    }
  }
}
