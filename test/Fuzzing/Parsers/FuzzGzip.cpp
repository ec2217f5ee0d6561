//===- FuzzGzip.cpp - files of lines, packed or not -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gzip.h"
#include "MemoryFile.h"

#include <cstdlib>

using namespace llvm;
using namespace pruner;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MemoryFile file(StringRef(reinterpret_cast<const char *>(data), size));
  std::string all;
  size_t last = 0;
  Error error =
      readLines(file.path(), [&](StringRef line, size_t number) -> Error {
        if (number != ++last || line.contains('\n') ||
            line.size() > kMaxLineBytes)
          std::abort();
        // A few bytes may unpack to gigabytes, so stop early. A reader may stop
        // at any line.
        if (all.size() > (1 << 22))
          return createStringError("enough");
        // A line ends with "\n" or "\r\n"; the "\r" stays in the line.
        all += line.rtrim('\r');
        all += '\n';
        return Error::success();
      });
  if (error) {
    consumeError(std::move(error));
    return 0;
  }
  // The lines that were read are packed, and reading them again gives the same
  // lines.
  std::string packed;
  {
    raw_string_ostream os(packed);
    GzipStream stream(os);
    stream << all;
    stream.finish();
  }
  MemoryFile second(packed);
  std::string again;
  if (Error wrong =
          readLines(second.path(), [&](StringRef line, size_t) -> Error {
            again += line.rtrim('\r');
            again += '\n';
            return Error::success();
          })) {
    consumeError(std::move(wrong));
    std::abort();
  }
  if (again != all)
    std::abort();
  return 0;
}
