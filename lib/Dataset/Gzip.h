//===- Gzip.h - lines of gzip'd files ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_DATASET_GZIP_H
#define PRUNER_LIB_DATASET_GZIP_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <zlib.h>

namespace pruner {

/// The largest line and the largest unpacked file that are accepted, in bytes.
inline constexpr size_t kMaxLineBytes = size_t(16) << 20;
inline constexpr uint64_t kMaxUnpackedBytes = uint64_t(16) << 30;

/// Calls `line` with each line of a file ("-" is stdin) and its number, from 1.
/// The file may be gzip'd. The text excludes the line ending, which the last
/// line may lack. Stops at the first error, of the file or returned by `line`.
llvm::Error
readLines(llvm::StringRef path,
          llvm::function_ref<llvm::Error(llvm::StringRef, size_t)> line);

/// A stream that compresses its input with gzip. Equal input gives equal files.
class GzipStream : public llvm::raw_ostream {
public:
  explicit GzipStream(llvm::raw_ostream &os);
  ~GzipStream() override;
  /// Writes the remaining data and the end of the file.
  void finish();

private:
  void write_impl(const char *data, size_t size) override;
  uint64_t current_pos() const override { return written; }
  void pack(int flush);

  llvm::raw_ostream &os;
  z_stream stream = {};
  uint64_t written = 0;
};

} // namespace pruner

#endif // PRUNER_LIB_DATASET_GZIP_H
