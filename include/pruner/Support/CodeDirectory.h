//===- CodeDirectory.h - where this code is ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_CODEDIRECTORY_H
#define PRUNER_SUPPORT_CODEDIRECTORY_H

#include <optional>
#include <string>

namespace pruner {

/// The real directory of the executable or shared library that contains this
/// code, independent of how it was started or opened. Nothing if the file was
/// removed or replaced, or if /proc is not available. Files that belong to the
/// code are searched only relative to this directory.
std::optional<std::string> codeDirectory();

/// Why codeDirectory() returned nothing, as the end of a diagnostic.
inline constexpr const char *kNoCodeDirectory =
    "the directory of this program is not known (its file was replaced or "
    "removed since it was started, or /proc is not mounted)";

} // namespace pruner

#endif // PRUNER_SUPPORT_CODEDIRECTORY_H
