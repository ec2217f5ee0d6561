//===- Verdict.cpp - classify mutants -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verdict.h"

#include "Fuzzing/Mutation/MutationTest.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cmath>

using namespace pruner;

void RightKernels::add(const Observation &seen) {
  if (spreads.size() < seen.numResults)
    spreads.resize(seen.numResults);
  for (size_t n = 0; n < seen.numResults; ++n) {
    Spread &spread = spreads[n];
    spread.unitRoundoff = roundoffs[n % roundoffs.size()];
    spread.difference = std::max(spread.difference, seen.results[n].difference);
    spread.differing = std::max(spread.differing, seen.results[n].differing);
  }
}

std::optional<size_t> RightKernels::wrongResult(const Observation &seen) const {
  std::optional<size_t> worst;
  double worstExcess = 0;
  for (size_t n = 0; n < seen.numResults && n < spreads.size(); ++n) {
    // Differences that verification could detect take precedence.
    if (worst && *worst < checked && n >= checked)
      break;
    const Observation::Result &result = seen.results[n];
    const Spread &right = spreads[n];
    // Where correct kernels round, their distance from the exact result of a
    // few elements is random. They may be off by at least half a unit in the
    // last place.
    double difference = right.difference;
    if (difference > 0 && std::isfinite(result.want))
      difference =
          std::max(difference, right.unitRoundoff * std::fabs(result.want));
    bool wrong =
        result.difference > relevanceFactor * difference ||
        (right.unitRoundoff == 0 &&
         double(result.differing) > relevanceFactor * double(right.differing));
    double excess = result.difference / std::max(right.difference, 1e-300);
    if (wrong && (!worst || excess > worstExcess)) {
      worst = n;
      worstExcess = excess;
    }
  }
  return worst;
}

llvm::StringRef pruner::nameOf(Verdict verdict) {
  switch (verdict) {
  case Verdict::Unbuilt:
    return "unbuilt";
  case Verdict::Equivalent:
    return "equivalent";
  case Verdict::Near:
    return "near";
  case Verdict::Rejected:
    return "rejected";
  case Verdict::Survived:
    return "SURVIVOR";
  case Verdict::Unseen:
    return "unseen";
  }
  llvm_unreachable("no such verdict");
}

std::vector<uint64_t> pruner::hashesOf(const Observation &seen) {
  std::vector<uint64_t> hashes;
  for (size_t n = 0; n < seen.numResults; ++n)
    hashes.push_back(seen.results[n].hash);
  return hashes;
}

Verdict pruner::judge(const Observation &mutant,
                      const std::vector<uint64_t> &right,
                      const RightKernels &kernels) {
  if (mutant.state == Observation::State::Unbuilt)
    return Verdict::Unbuilt;
  // It crashed, hung, or wrote outside of its outputs.
  bool ended = mutant.numResults < kernels.spread().size();
  if (ended && mutant.numResults < kernels.checkedResults())
    return Verdict::Rejected;
  std::optional<size_t> wrong = kernels.wrongResult(mutant);
  if (wrong && *wrong < kernels.checkedResults())
    return mutant.rejected[0] ? Verdict::Rejected : Verdict::Survived;
  if ((ended || wrong) && !mutant.rejected[0])
    return Verdict::Unseen;
  return hashesOf(mutant) == right ? Verdict::Equivalent : Verdict::Near;
}
