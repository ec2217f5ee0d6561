//===- RegularInputs.cpp - inputs whose sums are known --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RegularInputs.h"

#include <cmath>

using namespace llvm;
using namespace pruner;

void pruner::fillBalanced(void *data, const TensorSpec &spec, int64_t most,
                          double mean, ElementStream &random) {
  uint64_t key = random.next();
  SmallVector<int64_t> index(spec.shape.size(), 0);
  for (int64_t i = 0, e = spec.elements(); i < e; ++i) {
    int64_t sign = 1, folded = 0;
    for (auto [at, extent] : zip(index, spec.shape)) {
      if (extent > 1)
        sign *= 2 * at + 1 < extent ? 1 : 2 * at + 1 > extent ? -1 : 0;
      folded = folded * extent + std::min(at, extent - 1 - at);
    }
    ElementStream place(key ^ uint64_t(folded));
    writeElement(data, spec.type, i,
                 mean + double(sign * place.between(1, most)));
    for (size_t d = index.size(); d-- > 0 && ++index[d] == spec.shape[d];)
      index[d] = 0;
  }
}

double pruner::exactMean(int64_t most, const TaskNumerics &numerics) {
  double mean = 64;
  while (mean > 1 && numerics.longestSum * (mean + double(most)) > 0x1p23)
    mean /= 2;
  return mean;
}

void pruner::fillEqualRows(void *data, const TensorSpec &spec, int64_t most,
                           bool far, ElementStream &random) {
  int64_t count = spec.elements();
  int64_t rows = spec.shape.size() < 2 ? 1 : spec.shape[0];
  for (int64_t row = 0; row < rows; ++row) {
    double value = double(random.between(-most, most));
    if (far)
      value = row == 0 || random.uniform(2) ? -0x1p15 : 0x1p15;
    int64_t length = count / rows;
    for (int64_t i = row * length; i < (row + 1) * length; ++i)
      writeElement(data, spec.type, i, value);
  }
}

void pruner::fillScaled(void *data, const TensorSpec &spec, int64_t most,
                        const TaskNumerics &numerics, ElementStream &random) {
  double variance = double(most * (most + 1)) / 3;
  double deviation = std::sqrt(numerics.longestSum * variance *
                               (numerics.addsProducts ? variance : 1));
  int places = int(std::ceil(std::log2(deviation)));
  if (numerics.addsProducts)
    places = (places + 1) / 2;
  const double unit = std::ldexp(1.0, -places);
  for (int64_t i = 0, e = spec.elements(); i < e; ++i)
    writeElement(data, spec.type, i,
                 unit * double(random.between(-most, most)));
}

void pruner::fillInOrder(void *data, const TensorSpec &spec, bool ascending) {
  int64_t count = spec.elements();
  double most = spec.type == ElementType::F16    ? 1024
                : spec.type == ElementType::BF16 ? 128
                : spec.type == ElementType::I1   ? 1
                : spec.type == ElementType::I8   ? 127
                                                 : 32767;
  for (int64_t i = 0; i < count; ++i) {
    double place = count > 1 ? 2 * double(i) / double(count - 1) - 1 : 0;
    double value = std::nearbyint(most * place);
    writeElement(data, spec.type, i, ascending ? value : -value);
  }
}
