//===- FloatBuffer.cpp - aligned operands ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FloatBuffer.h"

#include "pruner/Support/OutputFile.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::bench;

FloatBuffer::FloatBuffer(size_t elements) : count(elements) {
  size_t bytes =
      std::max<size_t>(64, (elements * sizeof(float) + 63) / 64 * 64);
  memory.reset(static_cast<float *>(std::aligned_alloc(64, bytes)));
  if (!memory)
    llvm::report_fatal_error("out of memory");
  std::fill_n(memory.get(), bytes / sizeof(float), 0.0f);
}

llvm::Error bench::writeRaw(const std::string &path, const void *data,
                            size_t bytes) {
  llvm::Error error = writeOutputFile(path, [&](llvm::raw_ostream &os) {
    os.write(static_cast<const char *>(data), bytes);
    return llvm::Error::success();
  });
  return error ? llvm::createStringError(
                     "'" + path + "': " + llvm::toString(std::move(error)))
               : llvm::Error::success();
}
