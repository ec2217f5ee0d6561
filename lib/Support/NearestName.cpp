//===- NearestName.cpp - suggestions for misspelled names -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/NearestName.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

std::string pruner::didYouMean(StringRef name, ArrayRef<StringRef> known,
                               StringRef prefix) {
  StringRef nearest;
  unsigned least = 1 + name.size() / 3;
  for (StringRef each : known) {
    // Letters of another case count less than other letters.
    unsigned distance =
        name.lower() == each.lower()
            ? 0
            : name.edit_distance(each, /*AllowReplacements=*/true, least + 1);
    if (distance < least || (nearest.empty() && distance == least)) {
      nearest = each;
      least = distance;
    }
  }
  return nearest.empty()
             ? ""
             : ("; did you mean '" + Twine(prefix) + nearest + "'?").str();
}
