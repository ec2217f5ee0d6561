//===- NarrowFloatsTest.cpp - every operation on bf16 and f16 rounds ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random chains of operations on bf16 and f16, on all numbers of the type.
// LLVM's APFloat gives the expected results. Plain and untuned code, scheduled
// kernels and the reference must match bit by bit.

#include "pruner/Builder/Candidate.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Machine/HostCpu.h"
#include "pruner/Recognition/TaskFromIR.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Support/Random.h"
#include "pruner/Target/InvokeKernel.h"
#include "pruner/Target/JitModule.h"
#include "pruner/Verification/Reference.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace pruner;
using llvm::APFloat;

namespace {

constexpr int64_t kNumbers = 1 << 16;
constexpr auto kNearest = llvm::RoundingMode::NearestTiesToEven;

struct Format {
  const char *name;
  ElementType type;
  const llvm::fltSemantics &semantics;

  APFloat number(uint16_t bits) const {
    return APFloat(semantics, llvm::APInt(16, bits));
  }
  APFloat rounded(double value) const {
    APFloat number(value);
    bool loses;
    number.convert(semantics, APFloat::rmNearestTiesToEven, &loses);
    return number;
  }
};

/// One of several values: the function's two arguments, constants, results.
using Values = std::vector<APFloat>;

/// A chain of operations, each on earlier values.
class Chain {
public:
  Chain(const Format &format, unsigned seed) : format(format) {
    Random random(seed);
    for (double constant : {3.0, 0.1, -2.5, 1.0, 0.333984375, 1e-3, 0.0}) {
      text += llvm::formatv("    %{0} = arith.constant {1:e} : {2}\n",
                            2 + constants.size(), constant, format.name)
                  .str();
      constants.push_back(format.rounded(constant));
    }
    size_t known = 2 + constants.size(), last = known + 6;
    for (size_t n = known; n < last; ++n) {
      auto pick = [&] {
        return random.uniform(3)
                   ? n - 1 - random.uniform(std::min<size_t>(n, 3))
                   : random.uniform(n);
      };
      size_t a = pick(), b = pick(), c = pick(), d = pick();
      add(unsigned(random.uniform(11)), n, a, b, c, d);
    }
    result = last - 1;
  }

  std::string task() const {
    return llvm::formatv(R"(
      #m = affine_map<(i, j) -> (i, j)>
      func.func @chain(%x: tensor<256x256x{0}>, %y: tensor<256x256x{0}>)
          -> tensor<256x256x{0}> {{
        %e = tensor.empty() : tensor<256x256x{0}>
        %r = linalg.generic {{indexing_maps = [#m, #m, #m],
                             iterator_types = ["parallel", "parallel"]}
            ins(%x, %y : tensor<256x256x{0}>, tensor<256x256x{0}>)
            outs(%e : tensor<256x256x{0}>) {{
          ^bb0(%0: {0}, %1: {0}, %o: {0}):
{1}         linalg.yield %{2} : {0}
        } -> tensor<256x256x{0}>
        return %r : tensor<256x256x{0}>
      })",
                         format.name, text, result)
        .str();
  }

  APFloat evaluate(APFloat x, APFloat y) const {
    Values values{x, y};
    values.insert(values.end(), constants.begin(), constants.end());
    for (const auto &step : steps)
      values.push_back(step(values));
    return values.back();
  }

  const Format &format;

private:
  void add(unsigned kind, size_t n, size_t a, size_t b, size_t c, size_t d) {
    const char *type = format.name;
    auto write = [&](const char *pattern) {
      text += "    " +
              llvm::formatv(/*Validate=*/false, pattern, n, a, b, c, d, type)
                  .str() +
              "\n";
    };
    auto arithmetic = [&](const char *op, auto apply) {
      text += llvm::formatv("    %{0} = arith.{1} %{2}, %{3} : {4}\n", n, op, a,
                            b, type)
                  .str();
      steps.push_back([=](const Values &v) {
        APFloat x = v[a];
        apply(x, v[b]);
        return x;
      });
    };
    const llvm::fltSemantics *semantics = &format.semantics;
    switch (kind) {
    case 0:
      return arithmetic(
          "addf", [](APFloat &x, const APFloat &y) { x.add(y, kNearest); });
    case 1:
      return arithmetic("subf", [](APFloat &x, const APFloat &y) {
        x.subtract(y, kNearest);
      });
    case 2:
    case 3:
      return arithmetic("mulf", [](APFloat &x, const APFloat &y) {
        x.multiply(y, kNearest);
      });
    case 4:
    case 5:
      return arithmetic(
          "divf", [](APFloat &x, const APFloat &y) { x.divide(y, kNearest); });
    case 6: // A root in double, rounded once, is correctly rounded.
      write("%{0} = math.sqrt %{1} : {5}");
      steps.push_back([=](const Values &v) {
        APFloat x = v[a];
        bool loses;
        x.convert(APFloat::IEEEdouble(), kNearest, &loses);
        APFloat root(std::sqrt(x.convertToDouble()));
        root.convert(*semantics, kNearest, &loses);
        return root;
      });
      return;
    case 7:
      write("%{0} = math.floor %{1} : {5}");
      steps.push_back([=](const Values &v) {
        APFloat x = v[a];
        x.roundToIntegral(llvm::RoundingMode::TowardNegative);
        return x;
      });
      return;
    case 8: { // A maximum of zeros may be either of them.
      write("%m{0} = arith.maximumf %{1}, %{2} : {5}");
      write("%z{0} = arith.cmpf oeq, %m{0}, %8 : {5}");
      write("%{0} = arith.select %z{0}, %8, %m{0} : {5}");
      steps.push_back([=](const Values &v) {
        APFloat x = llvm::maximum(v[a], v[b]);
        return x.isZero() ? v[8] : x;
      });
      return;
    }
    case 9:
      write("%s{0} = arith.cmpf olt, %{1}, %{2} : {5}");
      write("%t{0} = arith.negf %{4} : {5}");
      write("%{0} = arith.select %s{0}, %{3}, %t{0} : {5}");
      steps.push_back([=](const Values &v) {
        return v[a].compare(v[b]) == APFloat::cmpLessThan ? v[c] : -v[d];
      });
      return;
    default: // To an integer and back, if it fits.
      write("%a{0} = math.absf %{1} : {5}");
      write("%k{0} = arith.constant 2.0e+04 : {5}");
      write("%f{0} = arith.cmpf olt, %a{0}, %k{0} : {5}");
      write("%w{0} = arith.select %f{0}, %{1}, %8 : {5}");
      write("%i{0} = arith.fptosi %w{0} : {5} to i32");
      write("%{0} = arith.sitofp %i{0} : i32 to {5}");
      APFloat limit = format.rounded(2e4);
      steps.push_back([=](const Values &v) {
        APFloat x = v[a];
        if (abs(x).compare(limit) != APFloat::cmpLessThan)
          x = v[8];
        llvm::APSInt integer(32, /*isUnsigned=*/false);
        bool isExact;
        x.convertToInteger(integer, llvm::RoundingMode::TowardZero, &isExact);
        APFloat back(*semantics);
        back.convertFromAPInt(integer, /*IsSigned=*/true, kNearest);
        return back;
      });
    }
  }

  std::string text;
  Values constants;
  std::vector<std::function<APFloat(const Values &)>> steps;
  size_t result = 0;
};

/// Numbers of 16 bits at addresses that kernels may use.
struct Buffer {
  Buffer()
      : data(static_cast<uint16_t *>(std::aligned_alloc(64, 2 * kNumbers))) {}
  ~Buffer() { std::free(data); }
  uint16_t *data;
};

class NarrowFloats : public ::testing::Test {
protected:
  NarrowFloats() {
    mlir::DialectRegistry registry;
    registerBuilderDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Compares `got` with the result of APFloat for `x` and `y`.
  static void expectBits(const Chain &chain, const uint16_t *x,
                         const uint16_t *y, const uint16_t *got,
                         const std::string &what) {
    int wrong = 0;
    for (int64_t i = 0; i < kNumbers; ++i) {
      APFloat a = chain.format.number(x[i]), b = chain.format.number(y[i]);
      APFloat want = chain.evaluate(a, b), have = chain.format.number(got[i]);
      bool good = want.isNaN() ? have.isNaN() : want.bitwiseIsEqual(have);
      if (!good && ++wrong == 1)
        ADD_FAILURE() << what << ": of " << a.convertToDouble() << " and "
                      << b.convertToDouble() << " comes "
                      << have.convertToDouble() << ", not "
                      << want.convertToDouble() << "\n"
                      << chain.task();
    }
    EXPECT_EQ(wrong, 0) << what;
  }

  void checkReference(const Chain &chain, const TaskProgram &task) {
    auto reference = makeReference(task, chain.task(), /*seed=*/1, "");
    ASSERT_TRUE(bool(reference)) << llvm::toString(reference.takeError());
    for (const ReferenceSet &set : reference->sets) {
      const ExpectedOutput &output = set.outputs.front();
      for (double bound : output.bound)
        ASSERT_EQ(bound, 0) << chain.task();
      std::vector<uint16_t> want(kNumbers);
      for (int64_t i = 0; i < kNumbers; ++i)
        writeElement(want.data(), chain.format.type, i, output.want[i]);
      auto bits = [](const std::vector<uint8_t> &bytes) {
        return reinterpret_cast<const uint16_t *>(bytes.data());
      };
      expectBits(chain, bits(set.inputs[0]), bits(set.inputs[1]), want.data(),
                 "the reference");
    }
  }

  void checkCode(const Chain &chain, const TaskProgram &task,
                 const std::string &schedule) {
    auto target = CodeTarget::parse("cpu");
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    auto built = buildCandidate(task, schedule, *target);
    ASSERT_TRUE(bool(built)) << llvm::toString(built.takeError());
    auto jit = loadObject(
        llvm::ArrayRef<char>(built->artifact.data(), built->artifact.size()));
    ASSERT_TRUE(bool(jit)) << llvm::toString(jit.takeError());
    auto function = (*jit)->lookup(built->entry);
    ASSERT_TRUE(bool(function)) << llvm::toString(function.takeError());
    Buffer x, y, got;
    for (int64_t i = 0; i < kNumbers; ++i) {
      x.data[i] = uint16_t(i);
      // Every number once, and often numbers of about the same size.
      y.data[i] = uint16_t(i * 40503 + (i >> 7));
    }
    invokeKernel(*function, {x.data, y.data, got.data});
    expectBits(chain, x.data, y.data, got.data, schedule);
  }

  void check(const Format &format, unsigned seed) {
    Chain chain(format, seed);
    auto task = TaskProgram::parse(context, chain.task());
    ASSERT_TRUE(bool(task)) << llvm::toString(task.takeError());
    checkReference(chain, *task);
    checkCode(chain, *task, "plain");
    checkCode(chain, *task, "default");
    auto module = task->clone();
    auto read =
        readTask(module->lookupSymbol<mlir::func::FuncOp>(task->entry()));
    ASSERT_TRUE(mlir::succeeded(read));
    ScheduleSpace space(read->desc, queryHostCpu());
    Random random(seed);
    for (int draw = 0; draw < 2; ++draw) {
      auto schedule = space.sample(random);
      ASSERT_TRUE(bool(schedule));
      std::string spelled;
      llvm::raw_string_ostream(spelled)
          << ScheduleAttr::get(&context, *schedule);
      checkCode(chain, *task, spelled);
    }
  }

  mlir::MLIRContext context;
};

/// The full suite runs more chains.
unsigned numChains() { return std::getenv("PRUNER_FUZZ_SCHEDULES") ? 20 : 2; }

TEST_F(NarrowFloats, EveryOperationOnBf16Rounds) {
  const Format format{"bf16", ElementType::BF16, APFloat::BFloat()};
  for (unsigned seed = 1; seed <= numChains(); ++seed)
    check(format, seed);
}

TEST_F(NarrowFloats, EveryOperationOnF16Rounds) {
  const Format format{"f16", ElementType::F16, APFloat::IEEEhalf()};
  for (unsigned seed = 1; seed <= numChains(); ++seed)
    check(format, seed);
}

} // namespace
