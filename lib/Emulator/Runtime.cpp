//===- Runtime.cpp - functions that lowered kernels call ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Runtime.h"
#include "Launch.h"

#include "llvm/ADT/bit.h"

#include <cmath>

using namespace pruner::emulator;

static void barrier(int32_t site) { Launch::current().barrier(site); }

static void access(int32_t site, int64_t address, int64_t mask) {
  Launch::current().access(site, address, mask);
}

/// Checks that `count` elements from `index` on are inside; an empty range
/// always passes.
static void checkBounds(int32_t site, int64_t dimension, int64_t index,
                        int64_t count, int64_t extent) {
  if (count > 0 && (index < 0 || count > extent || index > extent - count))
    Launch::current().outOfBounds(site, dimension, index, count, extent);
}

static void asyncCopy(int32_t site, int64_t destination, int64_t source,
                      int64_t sourceElements) {
  Launch::current().asyncCopy(site, destination, source, sourceElements);
}

static void asyncCommit() { Launch::current().asyncCommit(); }

static void asyncWait(int64_t pendingGroups) {
  Launch::current().asyncWait(pendingGroups);
}

static bool shuffle(int32_t site, int64_t value, int32_t offset, int32_t width,
                    int32_t mode) {
  return Launch::current().shuffle(site, reinterpret_cast<void *>(value),
                                   offset, width, mode);
}

/// LLVM's helper that rounds to bf16, which older C runtimes lack. It returns
/// the bits in the low half of a floating-point register, as if a float with
/// these bits were returned.
static float roundToBf16(float value) {
  auto bits = llvm::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return llvm::bit_cast<float>(bits >> 16 | 0x40);
  return llvm::bit_cast<float>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

llvm::ArrayRef<std::pair<llvm::StringRef, void *>>
pruner::emulator::runtimeFunctions() {
  static const std::pair<llvm::StringRef, void *> functions[] = {
      {"pruner_emulator_barrier", reinterpret_cast<void *>(&barrier)},
      {"pruner_emulator_access", reinterpret_cast<void *>(&access)},
      {"pruner_emulator_check_bounds", reinterpret_cast<void *>(&checkBounds)},
      {"pruner_emulator_async_copy", reinterpret_cast<void *>(&asyncCopy)},
      {"pruner_emulator_async_commit", reinterpret_cast<void *>(&asyncCommit)},
      {"pruner_emulator_async_wait", reinterpret_cast<void *>(&asyncWait)},
      {"pruner_emulator_shuffle", reinterpret_cast<void *>(&shuffle)},
      {"__truncsfbf2", reinterpret_cast<void *>(&roundToBf16)},
  };
  return functions;
}
