//===- Frozen.cpp - the adaptation "none" ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Adaptations.h"

using namespace pruner;

namespace {
class Frozen : public Adaptation {
public:
  std::string name() const override { return kFrozen; }
  std::string summary() const override { return "changes nothing"; }
  std::vector<Ability> needs() const override { return {}; }
  bool trains() const override { return false; }
};
} // namespace

std::unique_ptr<Adaptation> pruner::createFrozen() {
  return std::make_unique<Frozen>();
}
