//===- JsonLines.cpp - bounded JSON and files of JSON lines ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/JsonLines.h"

#include "pruner/Support/InputFile.h"

#include "llvm/Support/Errno.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

/// Describes the limit that `text` exceeds; empty if there is none. Only counts
/// brackets and commas outside of strings, without parsing.
static std::string findExcess(StringRef text, StringRef what,
                              const JsonLinesLimits &limits) {
  if (text.size() > limits.maxLineBytes)
    return ("the " + what + " has " + Twine(text.size()) +
            " bytes, more than the limit of " + Twine(limits.maxLineBytes))
        .str();
  unsigned depth = 0;
  size_t values = 1;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      ++values;
      if (++depth > limits.maxDepth)
        return ("more than " + Twine(limits.maxDepth) +
                " nested arrays and objects")
            .str();
    } else if ((c == ']' || c == '}') && depth) {
      --depth;
    } else if (c == ',') {
      ++values;
    }
    if (values > limits.maxValues)
      return ("more than " + Twine(limits.maxValues) + " values").str();
  }
  return "";
}

Expected<json::Value> pruner::parseJson(StringRef text,
                                        const JsonLinesLimits &limits) {
  std::string excess = findExcess(text, "text", limits);
  if (!excess.empty())
    return createStringError(excess);
  return json::parse(text);
}

Expected<json::Object> pruner::parseJsonObject(StringRef line,
                                               const JsonLinesLimits &limits) {
  std::string excess = findExcess(line, "line", limits);
  if (!excess.empty())
    return createStringError(excess);
  Expected<json::Value> value = json::parse(line);
  if (!value)
    return createStringError("not JSON: " + toString(value.takeError()));
  json::Object *object = value->getAsObject();
  if (!object)
    return createStringError("not a JSON object");
  return std::move(*object);
}

std::vector<BadLine> pruner::readJsonLines(StringRef text,
                                           JsonLineCallback callback,
                                           const JsonLinesLimits &limits) {
  std::vector<BadLine> bad;
  for (size_t number = 1; !text.empty(); ++number) {
    size_t end = text.find('\n');
    bool torn = end == StringRef::npos;
    StringRef line = text.take_front(end);
    text = text.drop_front(torn ? text.size() : end + 1);
    if (line.trim(" \t\r").empty())
      continue;
    if (torn) {
      bad.push_back({number, "the last line has no newline: its writer was "
                             "interrupted"});
      break;
    }
    Expected<json::Object> object = parseJsonObject(line, limits);
    Error error =
        object ? callback(std::move(*object), number) : object.takeError();
    if (error)
      bad.push_back({number, toString(std::move(error))});
  }
  return bad;
}

Expected<std::vector<BadLine>>
pruner::readJsonLinesFile(StringRef path, JsonLineCallback callback,
                          const JsonLinesLimits &limits) {
  auto buffer = openInputFile(path);
  if (!buffer)
    return buffer.takeError();
  return readJsonLines((*buffer)->getBuffer(), callback, limits);
}

std::string pruner::toJsonLine(const json::Object &object) {
  std::string line;
  raw_string_ostream os(line);
  json::OStream writer(os);
  writer.object([&] {
    for (const json::Object::value_type *entry : sortedElements(object))
      writer.attribute(entry->first, entry->second);
  });
  return line;
}

//===----------------------------------------------------------------------===//
// JsonLinesWriter
//===----------------------------------------------------------------------===//

static Error systemError(const Twine &what) {
  return createStringError(what + ": " + sys::StrError());
}

Expected<JsonLinesWriter> JsonLinesWriter::open(StringRef path) {
  std::string name = path.str();
  // Read permission is needed to look at the last byte.
  int fd = sys::RetryAfterSignal(-1, ::open, name.c_str(),
                                 O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0)
    return systemError("cannot open '" + path + "' for appending");
  JsonLinesWriter writer(name, fd, /*torn=*/false);
  off_t size = ::lseek(fd, 0, SEEK_END);
  char last = '\n';
  if (size > 0 && ::pread(fd, &last, 1, size - 1) < 0)
    return systemError("cannot read the end of '" + path + "'");
  writer.torn = last != '\n';
  return writer;
}

JsonLinesWriter::JsonLinesWriter(JsonLinesWriter &&other)
    : path(std::move(other.path)), fd(other.fd), torn(other.torn) {
  other.fd = -1;
}

JsonLinesWriter &JsonLinesWriter::operator=(JsonLinesWriter &&other) {
  std::swap(path, other.path);
  std::swap(fd, other.fd);
  std::swap(torn, other.torn);
  return *this;
}

JsonLinesWriter::~JsonLinesWriter() {
  if (fd >= 0)
    ::close(fd);
}

Error JsonLinesWriter::append(const json::Object &object) {
  std::string line = (torn ? "\n" : "") + toJsonLine(object) + "\n";
  ssize_t written =
      sys::RetryAfterSignal(-1, ::write, fd, line.data(), line.size());
  if (written < 0)
    return systemError("cannot append to '" + path + "'");
  // A second write could be placed after a line of another process.
  torn = static_cast<size_t>(written) != line.size();
  if (torn)
    return createStringError("cannot append to '" + path + "': only " +
                             Twine(written) + " of " + Twine(line.size()) +
                             " bytes were written; is the disk full?");
  return Error::success();
}
