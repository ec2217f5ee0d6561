//===- WriteWatch.h - detect writes to memory -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CAPI_WRITEWATCH_H
#define PRUNER_LIB_CAPI_WRITEWATCH_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace pruner::capi {

/// Detects writes to memory without reading it. Pages are write-protected by
/// userfaultfd; at the first write to a page, the kernel removes the protection
/// and remembers the write (UFFD_FEATURE_WP_ASYNC and PAGEMAP_SCAN, Linux 6.7).
/// No thread sees a signal or an error.
///
/// Only private memory without a file can be watched: other processes may write
/// to other memory. Nothing is watched in a process that has mapped a device
/// that may write to memory, because the protection of pages does not apply to
/// its writes.
class WriteWatch {
public:
  /// Addresses of whole pages; `last` is the address after the last byte.
  struct Range {
    uintptr_t first, last;
  };
  enum class State {
    Clean,   ///< Nothing was written since the last call of `arm`.
    Unknown, ///< Another watch was armed, which may have hidden a write.
    Written, ///< Something may have been written, or nothing is watched.
  };

  static uintptr_t pageBytes();

  /// Watches the ranges from now on, and no others. Returns those that can be
  /// watched; none without support by the kernel or its settings.
  llvm::ArrayRef<Range> arm(llvm::ArrayRef<Range> wanted);
  /// The state since the last call of `arm`, or since the last call that
  /// returned Unknown.
  State check();

private:
  std::vector<Range> ranges;
  uint64_t armed = 0; ///< The number of calls of `arm` of all watches.
};

} // namespace pruner::capi

#endif // PRUNER_LIB_CAPI_WRITEWATCH_H
