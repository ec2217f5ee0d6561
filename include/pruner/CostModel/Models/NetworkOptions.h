//===- NetworkOptions.h - options that networks share -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_COSTMODEL_MODELS_NETWORKOPTIONS_H
#define PRUNER_COSTMODEL_MODELS_NETWORKOPTIONS_H

#include "pruner/CostModel/Adaptation.h"

namespace pruner {

/// The options of all networks.
struct NetworkOptions {
  std::string device = "cpu";
  std::int64_t threads = 1;
  std::int64_t seed = 0;
  std::int64_t epochs = 20;
  std::int64_t steps = 200;
  std::int64_t batch = 128;
  std::string optimizer = "adam";
  double learningRate = 1e-3;
  std::string schedule = "cosine";
  double weightDecay = 1e-2;
  double clip = 0.5;
  double dropout = 0.2;
  std::string scaling = "standard";
  std::string normalization = "auto";
  std::string adapt = "auto";
  /// What `adapt` names. Null for "auto": like fine-tune if weights were
  /// loaded, else like scratch.
  std::shared_ptr<const Adaptation> adaptation;

  void declare(OptionTable &table);

  const SlowCopy *slowCopy() const {
    return adaptation ? adaptation->slowCopy() : nullptr;
  }
  const PartialSteps *partialSteps() const {
    return adaptation ? adaptation->partialSteps() : nullptr;
  }
};

/// The options of networks that rank lists of programs.
struct RankingOptions : NetworkOptions {
  std::int64_t listSize = 32;
  std::int64_t listsPerTask = 2;
  std::string list = "task";
  /// Half of a task's lists are drawn from so many first programs of it, half
  /// from the others; 0: all programs are equally likely.
  std::int64_t earlyTrials = 128;
  std::string loss = "pairs";
  std::int64_t patience = 0;

  void declare(OptionTable &table);
};

} // namespace pruner

#endif // PRUNER_COSTMODEL_MODELS_NETWORKOPTIONS_H
