//===- RunIdentity.h - the identity of a tuning run -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two runs with the same identity propose the same candidates after the same
// results, and their results are comparable. A run therefore continues the
// records with its id. The number of trials, for example, is not part of it.
//
// Databases contain ids, so text() must not change for existing runs: a new
// field adds to it only if its value is not the default.

#ifndef PRUNER_LIB_TUNE_RUNIDENTITY_H
#define PRUNER_LIB_TUNE_RUNIDENTITY_H

#include "pruner/Search/Certainty.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pruner {

struct RunIdentity {
  struct Task {
    std::string key;
    std::string cacheState; ///< CacheState::str()
    /// Texts of the schedules of similar tasks.
    std::vector<std::string> similar;

    bool operator==(const Task &other) const {
      return key == other.key && cacheState == other.cacheState &&
             similar == other.similar;
    }
  };

  std::string strategy; ///< SearchStrategy::name()
  uint64_t seed = 0;
  std::string target, pipelineOptions, machineKey;
  /// The code of this build, and how it is verified.
  std::string toolchain, generator, verification;
  /// Whether the next round is proposed while one is measured.
  bool prefetches = false;
  /// Name of the learned model; empty without one.
  std::string model;
  std::string weights;        ///< TunerOptions::weights
  std::string adaptation;     ///< TunerOptions::adaptation
  CertaintyOptions certainty; ///< The default if tasks do not end early.
  std::string accuracy;       ///< TunerOptions::accuracy
  /// How the network calls the tasks (NetworkPart::str()); empty if no part has
  /// several forms.
  std::string network;
  std::vector<Task> tasks;

  bool operator==(const RunIdentity &other) const;
  bool operator!=(const RunIdentity &other) const { return !(*this == other); }

  /// The text that is hashed. Some fields follow each other without a
  /// separator.
  std::string text() const;
  /// The id in the records: the hash of text(), 32 hex digits.
  std::string id() const;
};

} // namespace pruner

#endif // PRUNER_LIB_TUNE_RUNIDENTITY_H
