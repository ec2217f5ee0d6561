//===- TermsVersion.h - which terms weights were trained by -----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_TERMSVERSION_H
#define PRUNER_COSTMODEL_TERMSVERSION_H

#include <map>
#include <string>

namespace pruner {

/// Writes version and fingerprint of the terms into the metadata of a file.
void writeTermsVersion(std::map<std::string, std::string> &metadata);

/// Returns an empty string, or why weights with this metadata were not trained
/// by the terms that this build computes.
std::string
checkTermsVersion(const std::map<std::string, std::string> &metadata);

} // namespace pruner

#endif // PRUNER_COSTMODEL_TERMSVERSION_H
