//===- RunIdentity.cpp - the identity of a tuning run ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunIdentity.h"

#include "pruner/Support/Hashing.h"

#include <tuple>

using namespace pruner;

bool RunIdentity::operator==(const RunIdentity &other) const {
  auto fields = [](const RunIdentity &of) {
    return std::tie(of.strategy, of.seed, of.target, of.pipelineOptions,
                    of.machineKey, of.toolchain, of.generator, of.verification,
                    of.prefetches, of.model, of.weights, of.adaptation,
                    of.certainty.below, of.certainty.batches, of.accuracy,
                    of.network, of.tasks);
  };
  return fields(*this) == fields(other);
}

std::string RunIdentity::text() const {
  std::string text = strategy + "\n" + std::to_string(seed) + "\n" + target +
                     pipelineOptions + machineKey + toolchain + generator +
                     verification + (prefetches ? "ahead" : "") +
                     (model.empty() ? "none" : model) + weights;
  if (!adaptation.empty())
    text += "\nadapt " + adaptation;
  if (certainty.below > 0)
    text += "\nend " + std::to_string(certainty.below) + " " +
            std::to_string(certainty.batches);
  if (!accuracy.empty())
    text += "\naccuracy " + accuracy;
  if (!network.empty())
    text += "\nnetwork " + network;
  for (const Task &task : tasks) {
    text += "\n" + task.key + task.cacheState;
    for (const std::string &schedule : task.similar)
      text += "\nsimilar " + schedule;
  }
  return text;
}

std::string RunIdentity::id() const { return contentHash(text()); }
