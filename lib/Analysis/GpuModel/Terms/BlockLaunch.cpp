//===- BlockLaunch.cpp - the start of blocks ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Registry.h"

#include "../../PsaDetail.h"

using namespace pruner;
using namespace pruner::detail;

namespace {
/// An SM starts blocks one after the other.
class BlockLaunch : public GpuTerm {
public:
  BlockLaunch()
      : GpuTerm("block-launch", /*version=*/1, Part::Launch,
                "starting blocks") {}

  double seconds(const StatementPsa &statement) const override {
    return statement.launchSeconds;
  }

  std::string explain(const StatementPsa &statement, const Machine &machine,
                      const std::string &share) const override {
    return share + " for " + number(statement.symbols.l2Parallel) + " blocks";
  }
};
} // namespace

const GpuTerm &detail::getBlockLaunch() {
  static const BlockLaunch term;
  return term;
}
