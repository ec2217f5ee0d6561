//===- TermsVersion.h - versions of the model's terms -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_COSTMODEL_TERMSVERSION_H
#define PRUNER_COSTMODEL_TERMSVERSION_H

#include <map>
#include <string>

namespace pruner {

/// Writes the version and fingerprint of the terms into the metadata of a
/// weight file.
void writeTermsVersion(std::map<std::string, std::string> &metadata);

/// Returns an empty string, or why weights with this metadata were trained on
/// other terms than this build computes.
std::string
checkTermsVersion(const std::map<std::string, std::string> &metadata);

} // namespace pruner

#endif // PRUNER_COSTMODEL_TERMSVERSION_H
