//===- TermsVersion.h - the analytical model in weight files ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_COSTMODEL_TERMSVERSION_H
#define PRUNER_COSTMODEL_TERMSVERSION_H

#include "pruner/CostModel/Safetensors.h"

namespace pruner {

/// Increased whenever the meaning, order or number of the columns of
/// `ProgramFeatures::terms` changes. The fingerprint is a hash of the names of
/// the columns, of the names and versions of the analytical model's terms, and
/// of the rows of fixed programs. A test fails if it is not up to date.
constexpr int kProgramTermsVersion = 15;
constexpr char kProgramTermsFingerprint[] = "b2f17bb86dd017426a04bef63045b755";

/// Writes the version and fingerprint of the terms into the metadata of a
/// weight file.
void writeTermsVersion(Metadata &metadata);

/// Returns an empty string, or why weights with this metadata were trained on
/// other terms than this build computes.
std::string checkTermsVersion(const Metadata &metadata);

/// The largest weight of the analytical model's prediction in a score.
constexpr double kMaxPrior = 100;

/// Writes the weight into the metadata of a file.
void writePrior(Metadata &metadata, double prior);

/// Reads the weight; 0 if the file has none. Returns an empty string or an
/// error.
std::string readPrior(const Metadata &metadata, double &prior);

} // namespace pruner

#endif // PRUNER_COSTMODEL_TERMSVERSION_H
