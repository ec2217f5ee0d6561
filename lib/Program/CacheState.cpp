//===- CacheState.cpp - cache states of tasks -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Program/CacheState.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <cmath>

using namespace pruner;

static int64_t roundDistance(int64_t bytes) {
  if (bytes < CacheState::least)
    return 0;
  // 2^n or 3/2 2^n; the borders between them are their geometric means.
  int64_t power = int64_t(1) << std::ilogb(double(bytes));
  double part = double(bytes) / double(power);
  int64_t rounded = part < std::sqrt(1.5) ? power
                    : part < std::sqrt(3) ? power / 2 * 3
                                          : power * 2;
  return std::min(rounded, CacheState::most);
}

double ReuseDistance::lostFrom(double capacity) const {
  double nearest = double(std::min(first, last));
  double farthest = double(std::max(first, last));
  if (nearest == farthest)
    return nearest > capacity ? 1 : 0;
  return std::clamp((farthest - capacity) / (farthest - nearest), 0.0, 1.0);
}

CacheState CacheState::of(llvm::ArrayRef<ReuseDistance> distances) {
  CacheState state;
  for (const ReuseDistance &distance : distances)
    state.distances.push_back(
        {roundDistance(distance.first), roundDistance(distance.last)});
  if (llvm::all_of(state.distances, [](const ReuseDistance &distance) {
        return distance == ReuseDistance();
      }))
    state.distances.clear();
  return state;
}

static std::string toText(int64_t bytes) {
  if (bytes == 0)
    return "0";
  if (bytes % (1 << 20) != 0)
    return std::to_string(bytes >> 10) + "K";
  return std::to_string(bytes >> 20) + "M";
}

std::string CacheState::str() const {
  return llvm::join(llvm::map_range(distances,
                                    [](const ReuseDistance &distance) {
                                      std::string text = toText(distance.first);
                                      if (distance.last != distance.first)
                                        text += "-" + toText(distance.last);
                                      return text;
                                    }),
                    " ");
}

static std::optional<int64_t> toBytes(llvm::StringRef text) {
  int shift = text.consume_back("M") ? 20 : text.consume_back("K") ? 10 : 0;
  int64_t number;
  if (text.getAsInteger(10, number) || number < 0 ||
      number > CacheState::most >> shift)
    return std::nullopt;
  return number << shift;
}

std::optional<CacheState> CacheState::parse(llvm::StringRef text) {
  llvm::SmallVector<ReuseDistance> distances;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words) {
    auto [head, tail] = word.split('-');
    std::optional<int64_t> first = toBytes(head);
    std::optional<int64_t> last = tail.empty() ? first : toBytes(tail);
    if (!first || !last)
      return std::nullopt;
    distances.push_back({*first, *last});
  }
  CacheState state = of(distances);
  // Each state has exactly one text, because identities contain it.
  if (state.str() != text)
    return std::nullopt;
  return state;
}
