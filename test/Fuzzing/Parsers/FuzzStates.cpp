//===- FuzzStates.cpp - cache states --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Program/CacheState.h"

#include <cstdlib>

using namespace pruner;

static void require(bool condition) {
  if (!condition)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto state = CacheState::parse(text);
  if (!state)
    return 0;
  // A cache state is rounded, so it has a single text.
  require(state->str() == text);
  require(CacheState::of(state->distances) == *state);
  for (const ReuseDistance &distance : state->distances)
    for (int64_t bytes : {distance.first, distance.last})
      require(bytes == 0 ||
              (bytes >= CacheState::least && bytes <= CacheState::most));
  return 0;
}
