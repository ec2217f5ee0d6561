//===- TwoForms.h - a network with parts of two forms -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_SEARCH_TWOFORMS_H
#define PRUNER_TEST_UNIT_SEARCH_TWOFORMS_H

#include "pruner/Search/NetworkPart.h"

namespace pruner {

/// Tasks 0 to 2 are executed one after the other, `calls` times, or task 3
/// alone; task 4 is outside.
inline NetworkPart partsWithTwoForms(double calls) {
  NetworkPart separate, joined, network;
  for (unsigned task : {0u, 1u, 2u})
    separate.calls.push_back({task, 1});
  joined.calls = {{3, 1}};
  network.calls = {{4, 1}};
  for (int n = 0; n < calls; ++n)
    network.choices.push_back({separate, joined});
  return network;
}

} // namespace pruner

#endif // PRUNER_TEST_UNIT_SEARCH_TWOFORMS_H
