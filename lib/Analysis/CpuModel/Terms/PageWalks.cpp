//===- PageWalks.cpp - addresses outside of the TLBs ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// The TLBs are a cache of pages. A row that is shorter than a page and is not
/// followed by the next one takes an entry of its own.
class PageWalks : public CpuTerm {
public:
  PageWalks()
      : CpuTerm("page-walks", /*version=*/1, Part::Memory,
                "addresses of pages outside of the TLBs") {}

  /// The tasks on which weights are trained have few pages.
  bool hasColumns() const override { return false; }

  double cost(const CpuStatement &s) const override {
    return s.pageWalks() * s.core.pageWalkCycles / s.core.clock;
  }
};
} // namespace

const CpuTerm &detail::getPageWalks() {
  static const PageWalks term;
  return term;
}
