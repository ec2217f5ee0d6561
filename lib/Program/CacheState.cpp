//===- CacheState.cpp - where a task finds its operands -------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Program/CacheState.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>

using namespace pruner;

static int64_t roundDistance(int64_t bytes) {
  if (bytes < CacheState::least)
    return 0;
  int64_t rounded = int64_t(1) << std::lround(std::log2(double(bytes)));
  return std::clamp(rounded, CacheState::least, CacheState::most);
}

CacheState CacheState::of(llvm::ArrayRef<int64_t> distances) {
  CacheState state;
  for (int64_t bytes : distances)
    state.distances.push_back(roundDistance(bytes));
  if (llvm::all_of(state.distances, [](int64_t bytes) { return bytes == 0; }))
    state.distances.clear();
  return state;
}

std::string CacheState::str() const {
  return llvm::join(llvm::map_range(distances,
                                    [](int64_t bytes) -> std::string {
                                      if (bytes == 0)
                                        return "0";
                                      if (bytes < (1 << 20))
                                        return std::to_string(bytes >> 10) +
                                               "K";
                                      return std::to_string(bytes >> 20) + "M";
                                    }),
                    " ");
}

std::optional<CacheState> CacheState::parse(llvm::StringRef text) {
  llvm::SmallVector<int64_t> distances;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    int shift = word.consume_back("M") ? 20 : word.consume_back("K") ? 10 : 0;
    int64_t number;
    if (word.getAsInteger(10, number) || number < 0 || number > most >> shift)
      return std::nullopt;
    distances.push_back(number << shift);
  }
  CacheState state = of(distances);
  // One text for each state: it stands in identities.
  if (state.str() != text)
    return std::nullopt;
  return state;
}
