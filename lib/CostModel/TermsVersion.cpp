//===- TermsVersion.cpp - versions of the model's terms -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
    return "the file does not state the version of the terms";
  if (version->second != here)
    return "trained on version " + version->second +
           " of the terms, but this build has version " + here +
           "; train the weights again";
  if (fingerprint == metadata.end() ||
      fingerprint->second != kProgramTermsFingerprint)
    return "trained on other terms (" +
           (fingerprint == metadata.end()
                ? "without a fingerprint"
                : "fingerprint '" + fingerprint->second + "'") +
           ", but this build has '" + kProgramTermsFingerprint +
           "'); train the weights again";
  return {};
}
