//===- FuzzTrees.cpp - weight files of gradient-boosted trees -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees that pass the checks are evaluated, are the same after they are written
// and read, and may be added to themselves.

#include "pruner/CostModel/BoostedTrees.h"
#include "pruner/CostModel/Safetensors.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

using namespace pruner;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string content(reinterpret_cast<const char *>(data), size);
  TensorFile file;
  BoostedTrees trees;
  if (!parseSafetensors(content, file).empty() || !trees.read(file).empty())
    return 0;
  // Rows of the input's own bytes: thresholds, NaN, infinities.
  auto columns = std::size_t(trees.columns);
  std::vector<float> rows(3 * columns);
  for (std::size_t n = 0; n < rows.size(); ++n)
    rows[n] = trees.value[(n * 7 + n / columns) % trees.nodes()];
  for (std::size_t n = 0; n < columns; n += 2)
    rows[n] = n % 3 ? std::nanf("") : -INFINITY;
  std::vector<float> sums = trees.predict(rows.data(), 3);

  TensorFile written;
  trees.write(written);
  std::string error, again = formatSafetensors(written, error);
  TensorFile second;
  BoostedTrees same;
  if (!error.empty() || !parseSafetensors(again, second).empty() ||
      !same.read(second).empty())
    std::abort();
  for (std::size_t row = 0; row < 3; ++row) {
    float other = same.predict(rows.data(), 3)[row];
    if (other != sums[row] && !(std::isnan(other) && std::isnan(sums[row])))
      std::abort();
  }
  if (2 * trees.trees() <= kMaxTrees && 2 * trees.nodes() <= kMaxTreeNodes) {
    same.append(trees);
    same.base = 0; // The sum of two may overflow.
    if (!same.check().empty())
      std::abort();
  }
  return 0;
}
