//===- OtherValuesTest.cpp - sums that overflow in some order -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of five terms have few enough orders to compute all of them. What any
// order gives must be accepted, and no infinity or NaN that none gives.

#include "BoundedTask.h"

#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace pruner;

namespace {
constexpr int lines = 48, columns = 8, terms = 5;

struct SumCase {
  const char *name;
  ElementType type;
  const char *text; ///< The name of the type.
  bool product;     ///< The terms are x (8 y s), not x.
  const char *epilogue;
  double (*function)(double);
};

/// Distinct results; all NaN are the same.
struct Less {
  bool operator()(double a, double b) const {
    return std::isnan(b) ? !std::isnan(a) : a < b;
  }
};
using Results = std::set<double, Less>;

class OtherValuesTest : public BoundedTaskTest,
                        public testing::WithParamInterface<SumCase> {
protected:
  double rounded(double value) const {
    double bytes = 0;
    writeElement(&bytes, GetParam().type, 0, value);
    return readElement(&bytes, GetParam().type, 0);
  }

  std::string text() const {
    const SumCase &c = GetParam();
    std::string body = c.product ? "    %q = arith.mulf %a, %b : T\n"
                                   "    %t = arith.addf %o, %q : T\n"
                                 : "    %t = arith.addf %o, %a : T\n";
    std::string out =
        "#a = affine_map<(i, j, k) -> (i, k)>\n"
        "#b = affine_map<(i, j, k) -> (k, j)>\n"
        "#c = affine_map<(i, j, k) -> (i, j)>\n"
        "#e = affine_map<(i, j) -> (i, j)>\n"
        "#f = affine_map<(i, j) -> (j)>\n"
        "func.func @t(%x: tensor<48x5xT>, %y: tensor<5x8xT>, "
        "%s: tensor<8xT>) -> tensor<48x8xT> {\n"
        "  %zero = arith.constant 0.0 : T\n"
        "  %eight = arith.constant 8.0 : T\n"
        "  %ey = tensor.empty() : tensor<5x8xT>\n"
        "  %er = tensor.empty() : tensor<48x8xT>\n"
        "  %p = linalg.generic {indexing_maps = [#e, #f, #e], iterator_types = "
        "[\"parallel\", \"parallel\"]} ins(%y, %s : tensor<5x8xT>, "
        "tensor<8xT>) outs(%ey : tensor<5x8xT>) {\n"
        "  ^bb0(%a: T, %b: T, %o: T):\n"
        "    %q = arith.mulf %a, %b : T\n"
        "    %l = arith.mulf %q, %eight : T\n"
        "    linalg.yield %l : T\n  } -> tensor<5x8xT>\n"
        "  %z = linalg.fill ins(%zero : T) outs(%er : tensor<48x8xT>) -> "
        "tensor<48x8xT>\n"
        "  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = "
        "[\"parallel\", \"parallel\", \"reduction\"]} ins(%x, %p : "
        "tensor<48x5xT>, tensor<5x8xT>) outs(%z : tensor<48x8xT>) {\n"
        "  ^bb0(%a: T, %b: T, %o: T):\n" +
        body +
        "    linalg.yield %t : T\n  } -> tensor<48x8xT>\n"
        "  %u = linalg.generic {indexing_maps = [#e, #e], iterator_types = "
        "[\"parallel\", \"parallel\"]} ins(%r : tensor<48x8xT>) outs(%er : "
        "tensor<48x8xT>) {\n  ^bb0(%in: T, %o: T):\n" +
        c.epilogue + "  } -> tensor<48x8xT>\n  return %u : tensor<48x8xT>\n}\n";
    for (size_t at; (at = out.find("xT>")) != out.npos;)
      out.replace(at, 3, std::string("x") + c.text + ">");
    for (size_t at; (at = out.find(": T")) != out.npos;)
      out.replace(at, 3, std::string(": ") + c.text);
    return out;
  }

  /// What all orders give for one result. Products may be fused with sums where
  /// the type permits.
  Results allOrders(const std::vector<double> &a, const std::vector<double> &b,
                    bool product, bool fuses) const {
    std::vector<Results> of(1 << terms);
    for (unsigned set = 1; set < of.size(); ++set) {
      for (unsigned part = (set - 1) & set; part; part = (part - 1) & set)
        for (double x : of[part])
          for (double y : of[set & ~part])
            of[set].insert(rounded(x + y));
      for (int k = 0; k < terms; ++k) {
        unsigned rest = set & ~(1u << k);
        if (set == 1u << k)
          of[set].insert(product ? rounded(a[k] * b[k]) : a[k]);
        else if (product && fuses && rest != set)
          for (double x : of[rest])
            of[set].insert(rounded(std::fma(a[k], b[k], x)));
      }
    }
    return of.back();
  }
};

std::string nameOf(const testing::TestParamInfo<SumCase> &info) {
  return info.param.name;
}
} // namespace

TEST_P(OtherValuesTest, AcceptsWhatOrdersGiveAndNothingElse) {
  const SumCase &c = GetParam();
  make(text());
  const bool fuses = c.type == ElementType::F32 || c.type == ElementType::F64;
  const TensorSpec &spec = task->outputs()[0];
  const int64_t count = spec.elements();
  int64_t several = 0, wrongAccepted = 0, open = 0, special = 0;
  for (const ReferenceSet &set : reference.sets) {
    if (set.pattern != InputPattern::Specials)
      continue;
    auto read = [&](int n, int64_t i) {
      return readElement(set.inputs[n].data(), c.type, i);
    };
    std::vector<Results> legal;
    size_t most = 0;
    for (int i = 0; i < lines; ++i)
      for (int j = 0; j < columns; ++j) {
        std::vector<double> a, b;
        for (int k = 0; k < terms; ++k) {
          a.push_back(read(0, i * terms + k));
          b.push_back(
              rounded(rounded(read(1, k * columns + j) * read(2, j)) * 8));
        }
        Results results;
        for (double sum : allOrders(a, b, c.product, fuses))
          results.insert(rounded(c.function(sum)));
        most = std::max(most, results.size());
        several += results.size() > 1 &&
                   std::any_of(results.begin(), results.end(),
                               [](double x) { return !std::isfinite(x); });
        legal.push_back(std::move(results));
      }
    // Each result in turn.
    std::vector<uint8_t> got(spec.bytes());
    double worst = 0;
    auto put = [&](int64_t i, double value) {
      writeElement(got.data(), c.type, i, value);
    };
    for (size_t n = 0; n < most; ++n) {
      for (int64_t i = 0; i < count; ++i)
        put(i, *std::next(legal[i].begin(), n % legal[i].size()));
      auto wrong = compareOutput(spec, got.data(), set.outputs[0], worst);
      EXPECT_FALSE(wrong) << patternName(set.pattern).str() << ": " << *wrong;
    }
    // None of the others.
    for (int64_t i = 0; i < count; ++i) {
      double right = *legal[i].begin();
      bool anySpecial = false, anyFinite = false;
      for (double value : legal[i])
        (std::isfinite(value) ? anyFinite : anySpecial) = true;
      special += anySpecial;
      const std::vector<double> &bound = set.outputs[0].bound;
      if (!bound.empty() && std::isinf(bound[i])) {
        open += anySpecial;
        continue;
      }
      for (double value : {double(NAN), double(INFINITY), -double(INFINITY)})
        if (!legal[i].count(value)) {
          put(i, value);
          bool good = !compareOutput(spec, got.data(), set.outputs[0], worst);
          wrongAccepted += good;
        }
      if (!anyFinite) {
        put(i, 1.0);
        wrongAccepted +=
            !compareOutput(spec, got.data(), set.outputs[0], worst);
      }
      put(i, right);
    }
  }
  EXPECT_GT(several, 0);
  EXPECT_EQ(wrongAccepted, 0);
  // Alternatives of f64 are unknown where the reference overflows, and a clamp
  // may make a number of one.
  EXPECT_LE(8 * open, special);
}

static double same(double x) { return x; }
static double negated(double x) { return -x; }
static double clamped(double x) { return std::isnan(x) ? x : std::max(x, 0.0); }

static const char *const identityBody = "    linalg.yield %in : T\n";
static const char *const negateBody = "    %n = arith.negf %in : T\n"
                                      "    linalg.yield %n : T\n";
static const char *const clampBody = "    %n = arith.maximumf %in, %zero : T\n"
                                     "    linalg.yield %n : T\n";

INSTANTIATE_TEST_SUITE_P(
    Sums, OtherValuesTest,
    testing::Values(
        SumCase{"Row", ElementType::F32, "f32", false, identityBody, same},
        SumCase{"Product", ElementType::F32, "f32", true, identityBody, same},
        SumCase{"Negated", ElementType::F32, "f32", true, negateBody, negated},
        SumCase{"Clamped", ElementType::F32, "f32", true, clampBody, clamped},
        SumCase{"RowF16", ElementType::F16, "f16", false, identityBody, same},
        SumCase{"ProductF16", ElementType::F16, "f16", true, identityBody,
                same},
        SumCase{"ProductBF16", ElementType::BF16, "bf16", true, identityBody,
                same},
        SumCase{"RowF64", ElementType::F64, "f64", false, identityBody, same},
        SumCase{"ProductF64", ElementType::F64, "f64", true, identityBody,
                same}),
    nameOf);
