//===- Trust.cpp - the share of the learned model in a batch --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/Trust.h"

#include <algorithm>

using namespace pruner;

static constexpr double kNoise = 0.03;
static constexpr unsigned kGrantedModel = 15, kGrantedDraft = 5;

void Disagreements::add(llvm::ArrayRef<Trial> batch) {
  auto judged = [](const Trial &each) {
    return each.seconds && each.score && each.draftSeconds > 0;
  };
  for (size_t i = 0; i < batch.size(); ++i)
    for (size_t j = i + 1; j < batch.size(); ++j) {
      const Trial *fast = &batch[i], *slow = &batch[j];
      if (!judged(*fast) || !judged(*slow))
        continue;
      if (*slow->seconds < *fast->seconds)
        std::swap(fast, slow);
      if (*slow->seconds <= *fast->seconds * (1 + kNoise))
        continue;
      bool model = *fast->score > *slow->score;
      bool draft = fast->draftSeconds < slow->draftSeconds;
      // Equal predictions are not a disagreement.
      bool tied = *fast->score == *slow->score ||
                  fast->draftSeconds == slow->draftSeconds;
      if (tied || model == draft)
        continue;
      ++(model ? forModel : forDraft);
    }
}

double Disagreements::draftShare() const {
  double draft = forDraft + kGrantedDraft;
  double right = draft / (forModel + kGrantedModel + draft);
  return std::clamp(3 * right - 1, 0.0, 1.0);
}
