//===- Gzip.cpp - lines of gzip'd files -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gzip.h"

#include "llvm/Support/Errno.h"

#include <unistd.h>

using namespace llvm;
using namespace pruner;

static Error failed(StringRef path, const Twine &what) {
  return createStringError("cannot read '" + path + "': " + what);
}

/// Passes the complete lines of `text` to `line` and leaves the rest in `text`.
/// With `last` the rest is a line too.
static Error giveLines(std::string &text, bool last, size_t &number,
                       function_ref<Error(StringRef, size_t)> line) {
  StringRef rest = text;
  for (size_t end; (end = rest.find('\n')) != StringRef::npos || last;) {
    if (end == StringRef::npos && rest.empty())
      break;
    StringRef one = rest.take_front(end);
    rest = rest.drop_front(std::min(rest.size(), one.size() + 1));
    one.consume_back("\r");
    if (Error error = line(one, ++number))
      return error;
  }
  text = rest.str();
  return Error::success();
}

Error pruner::readLines(StringRef path,
                        function_ref<Error(StringRef, size_t)> line) {
  gzFile file = path == "-" ? gzdopen(dup(STDIN_FILENO), "rb")
                            : gzopen(path.str().c_str(), "rb");
  if (!file)
    return failed(path, errno ? sys::StrError(errno) : "out of memory");
  gzbuffer(file, 1 << 17);
  std::string text;
  std::vector<char> chunk(1 << 18);
  uint64_t unpacked = 0;
  size_t number = 0;
  auto readAll = [&]() -> Error {
    while (true) {
      int size = gzread(file, chunk.data(), chunk.size());
      if (size <= 0) {
        int code = Z_OK;
        StringRef message = gzerror(file, &code);
        if (size < 0 || code != Z_OK)
          return failed(path,
                        code == Z_ERRNO ? sys::StrError(errno) : message.str());
        return giveLines(text, /*last=*/true, number, line);
      }
      unpacked += size;
      if (unpacked > kMaxUnpackedBytes)
        return failed(path, "unpacked size exceeds " +
                                Twine(kMaxUnpackedBytes >> 30) + " GiB");
      text.append(chunk.data(), size);
      if (Error error = giveLines(text, /*last=*/false, number, line))
        return error;
      if (text.size() > kMaxLineBytes)
        return failed(path, "line " + Twine(number + 1) + " exceeds " +
                                Twine(kMaxLineBytes >> 20) + " MiB");
    }
  };
  Error error = readAll();
  gzclose(file);
  return error;
}

GzipStream::GzipStream(raw_ostream &os) : os(os) {
  // 16 + 15 selects the gzip format with the largest window. There is no time
  // stamp.
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + 15, 9,
               Z_DEFAULT_STRATEGY);
  SetBufferSize(1 << 16);
}

GzipStream::~GzipStream() {
  flush();
  deflateEnd(&stream);
}

void GzipStream::pack(int flush) {
  char chunk[1 << 14];
  do {
    stream.next_out = reinterpret_cast<Bytef *>(chunk);
    stream.avail_out = sizeof(chunk);
    deflate(&stream, flush);
    os.write(chunk, sizeof(chunk) - stream.avail_out);
  } while (stream.avail_out == 0);
}

void GzipStream::write_impl(const char *data, size_t size) {
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(data));
  stream.avail_in = size;
  written += size;
  pack(Z_NO_FLUSH);
}

void GzipStream::finish() {
  flush();
  pack(Z_FINISH);
}
