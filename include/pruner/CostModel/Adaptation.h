//===- Adaptation.h - ways to adapt weights ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An adaptation is how a model continues from weights that were trained on
// other machines. It states what it needs of a model, and a model states what
// it lacks (ModelKind::lacks), so neither knows the other by name.
//
// Each adaptation is a class in a file of lib/CostModel/Adaptations, with its
// options. One line in Adaptations.h there makes it known.

#ifndef PRUNER_COSTMODEL_ADAPTATION_H
#define PRUNER_COSTMODEL_ADAPTATION_H

#include "pruner/CostModel/OptionTable.h"

#include <memory>
#include <string>
#include <vector>

namespace pruner {

class ModelKind;

/// What an adaptation may need of a model.
enum class Ability {
  Learns,          ///< It trains.
  Continues,       ///< Training can start from weights.
  ChangesSteps,    ///< Its gradient steps on parameters can be changed.
  FixedParameters, ///< Training never adds parameters.
};

/// Training from a slow copy of the weights (Adaptations/Moa.cpp).
struct SlowCopy {
  /// Share of the slow weights that an update keeps.
  double momentum = 0.99;
  /// Calls of update() per training.
  std::int64_t period = 4;
};

/// Training of some parameters only (Adaptations/Moses.cpp).
struct PartialSteps {
  /// Share of the parameters that take gradient steps.
  double transferable = 0.5;
  /// Whether the share applies to each "tensor" or to the whole "network".
  std::string boundary = "tensor";
  /// Decay of the other parameters in a step, times the learning rate.
  double decay = 1;
  /// Maximum weight of the domain classifier's reversed gradient; 0: none.
  double adversary = 0.1;
};

/// An adaptation with the values of its options.
class Adaptation {
public:
  virtual ~Adaptation() = default;
  virtual std::string name() const = 0;
  /// What an update does, as the end of a sentence.
  virtual std::string summary() const = 0;
  /// Binds its options.
  virtual void declare(OptionTable &) {}

  virtual std::vector<Ability> needs() const = 0;
  /// Whether it uses weights of a file, and whether it trains them.
  virtual bool usesWeights() const { return true; }
  virtual bool trains() const { return true; }
  /// Options for a single update with all data.
  virtual OptionValues optionsForOneUpdate() const { return {}; }

  /// How networks train. Null: not in this way.
  virtual const SlowCopy *slowCopy() const { return nullptr; }
  virtual const PartialSteps *partialSteps() const { return nullptr; }
};

/// The adaptation that changes nothing.
inline constexpr const char *kFrozen = "none";

/// All adaptations, with default options.
const std::vector<std::unique_ptr<Adaptation>> &adaptations();

/// Returns a new adaptation with default options, or null if no adaptation has
/// that name.
std::unique_ptr<Adaptation> createAdaptation(const std::string &name);

/// The adaptation that has an option of that name, or null.
const Adaptation *adaptationWithOption(const std::string &option);

/// Returns why a model cannot be adapted in this way, or an empty string if it
/// can. The adaptation may be unknown.
std::string refuseAdaptation(const ModelKind &model,
                             const std::string &adaptation);

/// The adaptation that "auto" and "" mean, with and without weights.
std::string defaultAdaptation(bool hasWeights);

} // namespace pruner

#endif // PRUNER_COSTMODEL_ADAPTATION_H
