//===- Memory.cpp - hashes of memory in the C interface -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner-c/Support.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

using namespace llvm;

/// Bytes that one thread takes at a time.
static constexpr size_t kPieceBytes = size_t(1) << 20;
/// Bytes for each additional thread. Hashing them takes about a millisecond. To
/// start a thread takes 50 us, but where threads of an OpenMP runtime wait on
/// all cores, the new one waits for their time slice to end.
static constexpr size_t kBytesPerThread = size_t(16) << 20;

namespace {
struct Piece {
  const uint8_t *data;
  size_t bytes;
  XXH128_hash_t hash;

  void read() { hash = xxh3_128bits(ArrayRef(data, bytes)); }
};
} // namespace

/// Calls `take` with all pieces of all blocks in order. An empty block is a
/// piece, so that the number of blocks counts.
template <typename Take>
static void forPieces(const void *const *blocks, const size_t *bytes,
                      size_t count, Take take) {
  for (size_t n = 0; n < count; ++n) {
    const auto *data = static_cast<const uint8_t *>(blocks[n]);
    size_t first = 0;
    do {
      size_t size = std::min(bytes[n] - first, kPieceBytes);
      take(Piece{data + first, size, {}});
      first += size;
    } while (first < bytes[n]);
  }
}

static void readAll(std::vector<Piece> &pieces, unsigned threads) {
  std::atomic<size_t> next = 0;
  size_t bytes = 0;
  for (const Piece &piece : pieces)
    bytes += piece.bytes;
  size_t useful = std::min<size_t>(threads, 1 + bytes / kBytesPerThread);
  auto work = [&] {
    for (size_t n; (n = next++) < pieces.size();)
      pieces[n].read();
  };
  std::vector<std::thread> others;
  try {
    while (others.size() + 1 < useful)
      others.emplace_back(work);
  } catch (...) {
    // If a thread cannot be started, the others do its work.
  }
  work();
  for (std::thread &other : others)
    other.join();
}

extern "C" void prunerHashMemory(const void *const *blocks, const size_t *bytes,
                                 size_t count, unsigned threads,
                                 uint64_t hash[2]) {
  hash[0] = hash[1] = 0;
  // Each step hashes the previous hash, a piece and its size.
  auto add = [&](const Piece &piece) {
    const uint64_t step[] = {hash[0], hash[1], piece.hash.low64,
                             piece.hash.high64, piece.bytes};
    XXH128_hash_t both = xxh3_128bits(
        ArrayRef(reinterpret_cast<const uint8_t *>(step), sizeof step));
    hash[0] = both.low64;
    hash[1] = both.high64;
  };
  std::vector<Piece> pieces;
  try {
    forPieces(blocks, bytes, count,
              [&](const Piece &piece) { pieces.push_back(piece); });
  } catch (const std::bad_alloc &) {
    // Without memory for the list, hash the pieces one by one.
    forPieces(blocks, bytes, count, [&](Piece piece) {
      piece.read();
      add(piece);
    });
    return;
  }
  readAll(pieces, threads);
  for (const Piece &piece : pieces)
    add(piece);
}
