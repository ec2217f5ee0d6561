//===- Random.cpp - a seeded generator with reproducible streams ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Random.h"
#include "pruner/Support/Hashing.h"

#include "llvm/ADT/StringExtras.h"

#include <locale>
#include <sstream>

using namespace llvm;
using namespace pruner;

/// The format of a saved state.
static constexpr StringLiteral kStateTag = "mt19937_64";

/// SplitMix64's output function: a bijection that spreads every input bit over
/// the whole word (Steele, Lea and Flood, OOPSLA 2014, figure 16).
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

uint64_t Random::uniform(uint64_t n) {
  if (n <= 1)
    return 0;
  auto product = static_cast<unsigned __int128>(next()) * n;
  if (static_cast<uint64_t>(product) < n) {
    // Without this rejection, 2^64 mod n of the 2^64 inputs would make some
    // results more likely.
    uint64_t threshold = -n % n;
    while (static_cast<uint64_t>(product) < threshold)
      product = static_cast<unsigned __int128>(next()) * n;
  }
  return static_cast<uint64_t>(product >> 64);
}

double Random::uniformReal() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

Random Random::fork(uint64_t stream) const {
  // The constant keeps fork(s) of seed t apart from fork(t) of seed s.
  return Random(mix(mix(seed) + mix(~stream)));
}

std::string Random::save() const {
  std::ostringstream state;
  state.imbue(std::locale::classic());
  state << seed << ' ' << engine;
  std::string body = state.str();
  return (kStateTag + " " + contentHash(StringRef(body)) + " " + body).str();
}

Error Random::restore(StringRef text) {
  auto [tag, rest] = text.split(' ');
  auto [hash, body] = rest.split(' ');
  if (tag != kStateTag)
    return createStringError("not the saved state of a random generator: "
                             "expected it to begin with '" +
                             kStateTag + "'");
  // The standard library reads the state of the engine unchecked: a damaged
  // position would index outside of its table.
  if (contentHash(body) != hash)
    return createStringError("the saved state of the random generator is "
                             "damaged: its checksum is " +
                             hash + ", its content hashes to " +
                             contentHash(body));
  std::istringstream state(body.str());
  state.imbue(std::locale::classic());
  Random restored(0);
  if (!(state >> restored.seed >> restored.engine))
    return createStringError("the saved state of the random generator was "
                             "written by another standard library");
  *this = restored;
  return Error::success();
}
