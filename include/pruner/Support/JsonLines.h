//===- JsonLines.h - bounded JSON and files of JSON lines -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_JSONLINES_H
#define PRUNER_SUPPORT_JSONLINES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// A line that was skipped, with the reason. Lines count from 1.
struct BadLine {
  size_t line;
  std::string reason;
};

/// Limits that keep damaged or hostile text from exhausting memory or the stack
/// of the recursive parser.
struct JsonLinesLimits {
  size_t maxLineBytes = size_t(64) << 20; ///< Of the text, or of each line.
  unsigned maxDepth = 128;                ///< Nesting of arrays and objects.
  /// Arrays, objects and their elements; a value takes about 40 bytes.
  size_t maxValues = size_t(1) << 20;
};

/// Parses `text` as one JSON value. All JSON from other programs, files and
/// users is parsed here or by the functions below; test/Layering/check.py
/// rejects other calls of the parser.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text,
                                            const JsonLinesLimits &limits = {});

/// Parses `text` as one JSON object.
llvm::Expected<llvm::json::Object>
parseJsonObject(llvm::StringRef text, const JsonLinesLimits &limits = {});

/// Called with the object and the number (from 1) of each valid line. If it
/// returns an error, the line counts as bad and reading continues.
using JsonLineCallback =
    llvm::function_ref<llvm::Error(llvm::json::Object object, size_t line)>;

/// Reads the lines of `text` and returns the bad ones in order. Blank lines are
/// skipped, and a carriage return before the newline is allowed. Every other
/// line must be exactly one JSON object in UTF-8. A last line without a newline
/// is bad even if it parses, because its writer was interrupted before it could
/// acknowledge the line. Takes time linear in the size of `text`.
std::vector<BadLine> readJsonLines(llvm::StringRef text,
                                   JsonLineCallback callback,
                                   const JsonLinesLimits &limits = {});

/// Reads a file ("-" is stdin) in the same way. Fails only if the file cannot
/// be read.
llvm::Expected<std::vector<BadLine>>
readJsonLinesFile(llvm::StringRef path, JsonLineCallback callback,
                  const JsonLinesLimits &limits = {});

/// The compact text of `object` without a newline. Keys are sorted, so equal
/// objects give equal text.
std::string toJsonLine(const llvm::json::Object &object);

/// Sets the member `name` to `value` if it has one.
template <typename T>
void setIfKnown(llvm::json::Object &object, llvm::StringRef name,
                const std::optional<T> &value) {
  if (value)
    object[name] = *value;
}

/// Appends lines to a file, each with one write(2) and O_APPEND. On a local
/// file system, lines of several processes are therefore never interleaved.
class JsonLinesWriter {
public:
  /// Opens `path` for appending and creates it if it is missing. If a killed
  /// writer left an incomplete last line, the first append ends that line.
  static llvm::Expected<JsonLinesWriter> open(llvm::StringRef path);

  JsonLinesWriter(JsonLinesWriter &&other);
  JsonLinesWriter &operator=(JsonLinesWriter &&other);
  ~JsonLinesWriter();

  /// Appends one line. After an error, such as a full disk, the file may end in
  /// an incomplete line, which the next append ends.
  llvm::Error append(const llvm::json::Object &object);

private:
  JsonLinesWriter(std::string path, int fd, bool torn)
      : path(std::move(path)), fd(fd), torn(torn) {}

  std::string path;
  int fd;
  bool torn; ///< The file does not end in a newline.
};

} // namespace pruner

#endif // PRUNER_SUPPORT_JSONLINES_H
