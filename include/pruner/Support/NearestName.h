//===- NearestName.h - suggestions for misspelled names ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_NEARESTNAME_H
#define PRUNER_SUPPORT_NEARESTNAME_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace pruner {

/// The end of an error message about the unknown name `name`: "; did you mean
/// 'x'?" with the nearest of `known`, or an empty string if none is near. Near
/// means that at most a third of the letters, and one more, differ. `prefix` is
/// written before the suggested name, such as the dashes of an option.
std::string didYouMean(llvm::StringRef name,
                       llvm::ArrayRef<llvm::StringRef> known,
                       llvm::StringRef prefix = "");

/// The same for any range of names, or of objects with the name `nameOf(x)`.
template <typename Range, typename NameOf>
std::string didYouMean(llvm::StringRef name, const Range &known,
                       NameOf nameOf) {
  std::vector<std::string> names;
  for (const auto &each : known)
    names.push_back(std::string(nameOf(each)));
  std::vector<llvm::StringRef> texts(names.begin(), names.end());
  return didYouMean(name, texts);
}

} // namespace pruner

#endif // PRUNER_SUPPORT_NEARESTNAME_H
