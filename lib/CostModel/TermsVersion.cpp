//===- TermsVersion.cpp - which terms weights were trained by -------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/CostModel/TermsVersion.h"
#include "pruner/CostModel/Features.h"

using namespace pruner;

static constexpr const char *kVersion = "terms";
static constexpr const char *kFingerprint = "terms.fingerprint";

void pruner::writeTermsVersion(std::map<std::string, std::string> &metadata) {
  metadata[kVersion] = std::to_string(kProgramTermsVersion);
  metadata[kFingerprint] = kProgramTermsFingerprint;
}

std::string
pruner::checkTermsVersion(const std::map<std::string, std::string> &metadata) {
  auto version = metadata.find(kVersion);
  auto fingerprint = metadata.find(kFingerprint);
  std::string here = std::to_string(kProgramTermsVersion);
  if (version == metadata.end())
    return "it does not say which version of the terms it was made for";
  if (version->second != here)
    return "made for version " + version->second +
           " of the terms, this is version " + here +
           "; train the weights again";
  if (fingerprint == metadata.end() ||
      fingerprint->second != kProgramTermsFingerprint)
    return "made for other terms (" +
           (fingerprint == metadata.end()
                ? "without a fingerprint"
                : "fingerprint '" + fingerprint->second + "'") +
           "; this build has '" + kProgramTermsFingerprint +
           "'); train the weights again";
  return {};
}
