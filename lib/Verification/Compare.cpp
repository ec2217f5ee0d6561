//===- Compare.cpp - results against the reference ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Verification/Reference.h"

#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace pruner;

static std::string formatIndex(ArrayRef<int64_t> shape, int64_t linear) {
  std::vector<int64_t> index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    index[d] = linear % shape[d];
    linear /= shape[d];
  }
  std::string text = "[";
  for (size_t d = 0; d < index.size(); ++d)
    text += (d ? ", " : "") + std::to_string(index[d]);
  return text + "]";
}

/// Seventeen digits distinguish any two doubles.
static std::string formatNumber(double value) {
  if (std::isnan(value)) // Its sign has no meaning.
    return "nan";
  char text[40];
  std::snprintf(text, sizeof(text), "%.9g", value);
  if (std::strtod(text, nullptr) != value)
    std::snprintf(text, sizeof(text), "%.17g", value);
  return text;
}

/// Returns true if the bytes of an element are still the poison of
/// GuardedBuffer.
static bool isPoison(const void *data, size_t width, int64_t index) {
  const auto *bytes = static_cast<const uint8_t *>(data) + index * width;
  for (size_t i = 0; i < width; ++i)
    if (bytes[i] != 0xFF)
      return false;
  return true;
}

/// Whether `count` floats agree with the expected ones: NaN where NaN is
/// expected, otherwise within finite bounds. This holds for almost all results.
/// The loops are vectorized and take a tenth of the time of checking each
/// element.
static bool agreeAtOnce(const float *got, const double *want,
                        const double *bound, int64_t count,
                        double &errorOverBound) {
  int64_t agree = 0, beyond = 0;
  if (!bound) {
    for (int64_t i = 0; i < count; ++i)
      agree += (double(got[i]) == want[i]) |
               ((got[i] != got[i]) & (want[i] != want[i]));
    return agree == count;
  }
  const double worst = errorOverBound;
  for (int64_t i = 0; i < count; ++i) {
    double error = std::fabs(double(got[i]) - want[i]);
    agree += ((error <= bound[i]) & (bound[i] < INFINITY)) |
             (double(got[i]) == want[i]) |
             ((got[i] != got[i]) & (want[i] != want[i]));
    beyond += error > worst * bound[i];
  }
  if (agree == count && beyond > 0)
    for (int64_t i = 0; i < count; ++i)
      if (double error = std::fabs(double(got[i]) - want[i]); error > 0)
        errorOverBound = std::max(errorOverBound, error / bound[i]);
  return agree == count;
}

bool pruner::contains(uint8_t others, double value) {
  if (std::isnan(value))
    return others & NotANumber;
  return std::isinf(value) &&
         (others & (value > 0 ? PlusInfinity : MinusInfinity));
}

/// For example " or nan".
static std::string formatOthers(uint8_t others) {
  std::string text;
  for (auto [bit, name] : {std::pair(NotANumber, "nan"),
                           {PlusInfinity, "inf"},
                           {MinusInfinity, "-inf"}})
    if (others & bit)
      text += std::string(" or ") + name;
  return text;
}

std::optional<std::string> pruner::compareOutput(const TensorSpec &spec,
                                                 const void *got,
                                                 const ExpectedOutput &expected,
                                                 double &errorOverBound) {
  int64_t count = spec.elements(), wrong = 0, first = -1;
  constexpr int64_t block = 1024;
  for (int64_t i = 0; i < count; ++i) {
    if (i % block == 0 && spec.type == ElementType::F32)
      while (i < count &&
             agreeAtOnce(
                 static_cast<const float *>(got) + i, expected.want.data() + i,
                 expected.bound.empty() ? nullptr : expected.bound.data() + i,
                 std::min(block, count - i), errorOverBound))
        i += block;
    if (i >= count)
      break;
    double have = readElement(got, spec.type, i), want = expected.want[i];
    double bound = expected.bound.empty() ? 0 : expected.bound[i];
    bool good = have == want || (std::isnan(have) && std::isnan(want));
    if (!good && !expected.others.empty())
      good = contains(expected.others[i], have);
    if (bound > 0 && !good) {
      double error = std::fabs(have - want);
      good = std::isinf(bound) || error <= bound; // False for NaN.
      if (std::isfinite(error) && std::isfinite(bound))
        errorOverBound = std::max(errorOverBound, error / bound);
    } else if (bound == 0 && !expected.integers.empty()) {
      good = static_cast<const int64_t *>(got)[i] == expected.integers[i];
    }
    if (!good && wrong++ == 0)
      first = i;
  }
  if (!wrong)
    return std::nullopt;
  double have = readElement(got, spec.type, first);
  bool poison =
      isFloat(spec.type) && isPoison(got, byteWidth(spec.type), first);
  std::string text = formatv(
      "{0} of {1} elements differ, the first at {2}: expected {3}{4}, got "
      "{5}{6}",
      wrong, count, formatIndex(spec.shape, first),
      formatNumber(expected.want[first]),
      expected.others.empty() ? "" : formatOthers(expected.others[first]),
      formatNumber(have), poison ? " (never written)" : "");
  if (!expected.bound.empty())
    text += " (bound " + formatNumber(expected.bound[first]) + ")";
  return text;
}
