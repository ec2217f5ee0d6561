//===- JsonLines.h - bounded JSON, and files of a line each -----*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

/// A line that was left out, and why. Lines count from 1.
struct BadLine {
  size_t line;
  std::string reason;
};

/// Bounds that keep damaged or hostile text from exhausting memory or the stack
/// of the (recursive) parser.
struct JsonLinesLimits {
  size_t maxLineBytes = size_t(64) << 20; ///< Of the text, or of each line.
  unsigned maxDepth = 128;                ///< Of nested arrays and objects.
  /// Of arrays, objects and their elements; a value takes some 40 bytes.
  size_t maxValues = size_t(1) << 20;
};

/// The value that `text` holds, or why it holds none. All JSON that another
/// program, a file or a person wrote comes in through here, directly or by the
/// functions below (test/Layering/check.py refuses other ways).
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text,
                                            const JsonLinesLimits &limits = {});

/// The object that `text` holds, or why it holds none.
llvm::Expected<llvm::json::Object>
parseJsonObject(llvm::StringRef text, const JsonLinesLimits &limits = {});

/// Called with each good line's object and its number (from 1). An error it
/// returns makes the line a bad one; reading goes on.
using JsonLineCallback =
    llvm::function_ref<llvm::Error(llvm::json::Object object, size_t line)>;

/// Reads the lines of `text` and returns the bad ones in order. Lines of white
/// space alone are skipped, a carriage return before the newline is allowed.
/// Anything else that is not exactly one JSON object in UTF-8 is bad. A last
/// line without a newline is bad even if it parses: its writer was interrupted,
/// so nobody acknowledged it. Time is linear in the size of `text`.
std::vector<BadLine> readJsonLines(llvm::StringRef text,
                                   JsonLineCallback callback,
                                   const JsonLinesLimits &limits = {});

/// The same for a file ("-" is stdin). Fails only if the file cannot be read.
llvm::Expected<std::vector<BadLine>>
readJsonLinesFile(llvm::StringRef path, JsonLineCallback callback,
                  const JsonLinesLimits &limits = {});

/// The compact text of `object`, keys sorted, without a newline: equal objects
/// give equal text.
std::string toJsonLine(const llvm::json::Object &object);

/// Sets the member `name` to `value` if there is one.
template <typename T>
void setIfKnown(llvm::json::Object &object, llvm::StringRef name,
                const std::optional<T> &value) {
  if (value)
    object[name] = *value;
}

/// Appends lines to a file, one write(2) with O_APPEND each: lines of several
/// processes on a local file system come out whole and one after the other.
class JsonLinesWriter {
public:
  /// Opens `path` for appending, creating it when it is missing. A torn last
  /// line that a killed writer left is closed off by the first append.
  static llvm::Expected<JsonLinesWriter> open(llvm::StringRef path);

  JsonLinesWriter(JsonLinesWriter &&other);
  JsonLinesWriter &operator=(JsonLinesWriter &&other);
  ~JsonLinesWriter();

  /// Appends one line. After an error (a full disk) the file may end in a torn
  /// line; the next append closes it off.
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
