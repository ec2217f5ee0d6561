//===- InputFile.cpp - bounded reads of files -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/InputFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace llvm;

/// Reads until the end. `path` is the name of the result.
static Expected<std::unique_ptr<MemoryBuffer>>
readStream(sys::fs::file_t file, StringRef path, uint64_t maxBytes) {
  SmallVector<char, 0> text;
  constexpr size_t kChunk = 1 << 16;
  for (size_t size = 0;;) {
    text.resize_for_overwrite(size + kChunk);
    Expected<size_t> read =
        sys::fs::readNativeFile(file, {text.data() + size, kChunk});
    if (!read)
      return read.takeError();
    size += *read;
    text.truncate(size);
    if (size > maxBytes)
      return createStringError("larger than the limit of " + Twine(maxBytes) +
                               " bytes");
    if (*read == 0)
      break;
  }
  return std::make_unique<SmallVectorMemoryBuffer>(
      std::move(text), path, /*RequiresNullTerminator=*/true);
}

Expected<std::unique_ptr<MemoryBuffer>>
pruner::readInputFile(StringRef path, uint64_t maxBytes) {
  Expected<sys::fs::file_t> file = sys::fs::openNativeFileForRead(path);
  if (!file)
    return file.takeError();
  auto close = make_scope_exit([&] { sys::fs::closeFile(*file); });
  return readStream(*file, path, maxBytes);
}

Expected<std::unique_ptr<MemoryBuffer>> pruner::openInputFile(StringRef path) {
  constexpr uint64_t kMaxStreamBytes = uint64_t(1) << 31;
  auto read = [&]() -> Expected<std::unique_ptr<MemoryBuffer>> {
    if (path == "-")
      return readStream(sys::fs::getStdinHandle(), "<stdin>", kMaxStreamBytes);
    sys::fs::file_status status;
    if (!sys::fs::status(path, status) && !sys::fs::is_regular_file(status))
      return readInputFile(path, kMaxStreamBytes);
    auto file = MemoryBuffer::getFile(path);
    if (!file)
      return errorCodeToError(file.getError());
    return std::move(*file);
  };
  auto buffer = read();
  return buffer ? std::move(buffer)
                : createStringError("cannot read '" + path +
                                    "': " + toString(buffer.takeError()));
}
