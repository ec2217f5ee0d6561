//===- ContentWatch.cpp - detect changes of memory in the C interface -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"
#include "WriteWatch.h"

#include "pruner-c/Support.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <array>

using namespace llvm;
using namespace pruner::capi;

/// The operating system watches at most kMaxWatched blocks, of kMinWatchedBytes
/// or more each. A block may split a mapping, and the number of mappings is
/// limited.
static constexpr size_t kMaxWatched = 2048;
static constexpr size_t kMinWatchedBytes = size_t(1) << 17;
/// The largest number of calls that only hash after repeated writes. To protect
/// pages that are written all the time takes longer than to read them.
static constexpr unsigned kMaxPause = 64;

namespace {
using Hash = std::array<uint64_t, 2>;

/// Blocks of memory.
struct Blocks {
  std::vector<const void *> data;
  std::vector<size_t> bytes;

  void add(uintptr_t first, uintptr_t last) {
    if (first < last) {
      data.push_back(reinterpret_cast<const void *>(first));
      bytes.push_back(last - first);
    }
  }
  Hash hash(unsigned threads) const {
    Hash hash;
    prunerHashMemory(data.data(), bytes.data(), data.size(), threads,
                     hash.data());
    return hash;
  }
};

class ContentWatch {
public:
  ContentWatch(Blocks given, unsigned threads)
      : blocks(std::move(given)), threads(threads) {}

  Hash read() {
    std::lock_guard lock(mutex);
    if (pause > 0) {
      isWatched = false;
      --pause;
      return blocks.hash(threads);
    }
    if (isWatched) {
      WriteWatch::State state = writes.check();
      if (state != WriteWatch::State::Written &&
          rest.hash(threads) == restHash) {
        nextPause = 0;
        if (state == WriteWatch::State::Unknown)
          hash = blocks.hash(threads);
        return hash;
      }
      pause = nextPause;
      nextPause = std::clamp(2 * nextPause, 1u, kMaxPause);
    }
    // A write that follows is detected, before or after the memory is read.
    isWatched = pause == 0 && watch();
    return hash = blocks.hash(threads);
  }

private:
  /// Watches the whole pages of large blocks; false if none can be watched. The
  /// rest is hashed in each call: other data, which is written more often, is
  /// on the same pages.
  bool watch() {
    std::vector<size_t> large;
    for (auto [n, bytes] : enumerate(blocks.bytes))
      if (bytes >= kMinWatchedBytes)
        large.push_back(n);
    if (large.size() > kMaxWatched) {
      llvm::sort(large, [&](size_t a, size_t b) {
        return std::pair(blocks.bytes[b], a) < std::pair(blocks.bytes[a], b);
      });
      large.resize(kMaxWatched);
      llvm::sort(large);
    }
    std::vector<WriteWatch::Range> wanted;
    for (size_t n : large) {
      auto first = reinterpret_cast<uintptr_t>(blocks.data[n]);
      wanted.push_back(
          {alignTo(first, WriteWatch::pageBytes()),
           alignDown(first + blocks.bytes[n], WriteWatch::pageBytes())});
    }
    ArrayRef<WriteWatch::Range> watched = writes.arm(wanted);
    if (watched.empty())
      return false;
    rest = {};
    for (auto [data, bytes] : zip_equal(blocks.data, blocks.bytes)) {
      auto first = reinterpret_cast<uintptr_t>(data), last = first + bytes;
      const auto *range = find_if(watched, [&](WriteWatch::Range range) {
        return first <= range.first && range.last <= last;
      });
      if (range == watched.end()) {
        rest.add(first, last);
      } else {
        rest.add(first, range->first);
        rest.add(range->last, last);
      }
    }
    restHash = rest.hash(threads);
    return true;
  }

  std::mutex mutex;
  const Blocks blocks;
  const unsigned threads;
  bool isWatched = false;
  Hash hash = {}; ///< Of all blocks, if `isWatched`.
  WriteWatch writes;
  Blocks rest; ///< What `writes` does not cover.
  Hash restHash = {};
  unsigned pause = 0, nextPause = 0; ///< Calls.
};
} // namespace

PrunerContentWatch prunerContentWatchCreate(const void *const *blocks,
                                            const size_t *bytes, size_t count,
                                            unsigned threads) {
  try {
    Blocks all;
    all.data.assign(blocks, blocks + count);
    all.bytes.assign(bytes, bytes + count);
    return {table<ContentWatch>().add(
        std::make_shared<ContentWatch>(std::move(all), threads))};
  } catch (const std::bad_alloc &) {
    return {nullptr};
  }
}

void prunerContentWatchDestroy(PrunerContentWatch watch) {
  table<ContentWatch>().remove(watch.ptr);
}

void prunerContentWatchHash(PrunerContentWatch watch, uint64_t hash[2]) {
  hash[0] = hash[1] = 0;
  if (std::shared_ptr<ContentWatch> held =
          table<ContentWatch>().find(watch.ptr)) {
    Hash found = held->read();
    llvm::copy(found, hash);
  }
}
