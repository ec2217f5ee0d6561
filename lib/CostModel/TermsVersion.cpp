//===- TermsVersion.cpp - the analytical model in weight files ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/TermsVersion.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>

using namespace pruner;

static constexpr const char *kVersion = "terms";
static constexpr const char *kFingerprint = "terms.fingerprint";
static constexpr const char *kPrior = "prior";

void pruner::writeTermsVersion(Metadata &metadata) {
  metadata[kVersion] = std::to_string(kProgramTermsVersion);
  metadata[kFingerprint] = kProgramTermsFingerprint;
}

std::string pruner::checkTermsVersion(const Metadata &metadata) {
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

void pruner::writePrior(Metadata &metadata, double prior) {
  // With six decimals where these are enough to read the same number.
  std::string text = std::to_string(prior);
  if (std::strtod(text.c_str(), nullptr) != prior) {
    char digits[32];
    std::snprintf(digits, sizeof(digits), "%.17g", prior);
    text = digits;
  }
  metadata[kPrior] = text;
}

std::string pruner::readPrior(const Metadata &metadata, double &prior) {
  prior = 0;
  auto found = metadata.find(kPrior);
  if (found == metadata.end())
    return {};
  const std::string &text = found->second;
  double number = 0;
  auto [end, failed] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size() ||
      !(number >= 0 && number <= kMaxPrior))
    return "option 'prior' must be a number from 0 to 100";
  prior = number;
  return {};
}
