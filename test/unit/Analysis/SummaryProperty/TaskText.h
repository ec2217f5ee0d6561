//===- TaskText.h - task functions as text ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_ANALYSIS_SUMMARYPROPERTY_TASKTEXT_H
#define PRUNER_TEST_UNIT_ANALYSIS_SUMMARYPROPERTY_TASKTEXT_H

#include <string>
#include <vector>

namespace pruner::test {

/// Tasks of one kind. The test draws schedules for each of them.
struct Family {
  std::string name;
  /// Modules with one task function each.
  std::vector<std::string> tasks;
};

/// Every family of the property test.
std::vector<Family> allFamilies();

/// One more, for CPUs only.
Family joinedProducts();

} // namespace pruner::test

#endif // PRUNER_TEST_UNIT_ANALYSIS_SUMMARYPROPERTY_TASKTEXT_H
