//===- LineReader.h - lines of a file descriptor ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_WORKER_LINEREADER_H
#define PRUNER_LIB_WORKER_LINEREADER_H

#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <unistd.h>

namespace pruner {

/// Reads lines of limited length; the rest of a longer line is skipped.
class LineReader {
public:
  LineReader(int fd, size_t limit) : fd(fd), limit(limit) {}

  struct Line {
    std::string text; ///< Without the newline.
    bool tooLong = false;
  };

  /// The next line, or std::nullopt at the end. An incomplete last line counts.
  std::optional<Line> next() {
    Line line;
    bool any = false;
    while (true) {
      size_t newline = buffer.find('\n', position);
      size_t end = newline == std::string::npos ? buffer.size() : newline;
      any |= end > position || newline != std::string::npos;
      if (line.text.size() + (end - position) > limit) {
        line.tooLong = true;
        line.text.clear();
      } else if (!line.tooLong) {
        line.text.append(buffer, position, end - position);
      }
      position = end;
      if (newline != std::string::npos) {
        ++position;
        return line;
      }
      buffer.resize(65536);
      ssize_t n;
      do
        n = ::read(fd, buffer.data(), buffer.size());
      while (n < 0 && errno == EINTR);
      buffer.resize(n > 0 ? size_t(n) : 0);
      position = 0;
      if (n <= 0)
        return any ? std::optional<Line>(std::move(line)) : std::nullopt;
    }
  }

private:
  int fd;
  size_t limit;
  std::string buffer;
  size_t position = 0;
};

} // namespace pruner

#endif // PRUNER_LIB_WORKER_LINEREADER_H
