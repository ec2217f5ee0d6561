//===- Ubjson.cpp - reader for XGBoost's model format ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Ubjson.h"

#include <cstdint>
#include <cstring>

using namespace pruner;

const Ubjson *Ubjson::find(std::initializer_list<const char *> path) const {
  const Ubjson *at = this;
  for (const char *name : path) {
    const Ubjson *next = nullptr;
    for (const auto &[key, member] : at->members)
      if (key == name)
        next = &member;
    if (!next)
      return nullptr;
    at = next;
  }
  return at;
}

namespace {
/// Every function returns false at the first unexpected byte.
class Reader {
public:
  Reader(const char *bytes, std::size_t size)
      : bytes(reinterpret_cast<const unsigned char *>(bytes)), size(size) {}

  bool value(Ubjson &to, int depth = 0) {
    char marker;
    return depth < kMaxDepth && read(marker) && valueOf(marker, to, depth);
  }
  bool atEnd() const { return at == size; }

private:
  static constexpr int kMaxDepth = 32;

  bool read(char &c) {
    if (at == size)
      return false;
    c = char(bytes[at++]);
    return true;
  }
  bool accept(char wanted) {
    if (at == size || char(bytes[at]) != wanted)
      return false;
    ++at;
    return true;
  }

  /// Numbers are big-endian.
  bool number(char type, double &to) {
    std::size_t width = type == 'i' || type == 'U'   ? 1
                        : type == 'I'                ? 2
                        : type == 'l' || type == 'd' ? 4
                        : type == 'L' || type == 'D' ? 8
                                                     : 0;
    if (!width || size - at < width)
      return false;
    std::uint64_t bits = 0;
    for (std::size_t n = 0; n < width; ++n)
      bits = bits << 8 | bytes[at++];
    if (type == 'd') {
      auto low = std::uint32_t(bits);
      float single;
      std::memcpy(&single, &low, sizeof(single));
      to = single;
    } else if (type == 'D') {
      std::memcpy(&to, &bits, sizeof(to));
    } else if (type == 'U') {
      to = double(bits);
    } else {
      unsigned unused = 64 - 8 * unsigned(width);
      to = double(std::int64_t(bits << unused) >> unused);
    }
    return true;
  }
  bool length(std::size_t &to) {
    char type;
    double value;
    if (!read(type) || type == 'd' || type == 'D' || !number(type, value) ||
        value < 0 || value > double(size - at))
      return false;
    to = std::size_t(value);
    return true;
  }
  bool text(std::string &to) {
    std::size_t count;
    if (!length(count))
      return false;
    to.assign(reinterpret_cast<const char *>(bytes) + at, count);
    at += count;
    return true;
  }

  bool array(Ubjson &to, int depth) {
    if (accept('$')) {
      char type;
      std::size_t count;
      if (!read(type) || !accept('#') || !length(count))
        return false;
      to.numbers.resize(count);
      for (double &element : to.numbers)
        if (!number(type, element))
          return false;
      return true;
    }
    std::size_t count = 0;
    bool counted = accept('#');
    if (counted && !length(count))
      return false;
    while (counted ? to.elements.size() < count : !accept(']'))
      if (!value(to.elements.emplace_back(), depth + 1))
        return false;
    return true;
  }
  bool object(Ubjson &to, int depth) {
    while (!accept('}')) {
      auto &[key, member] = to.members.emplace_back();
      if (!text(key) || !value(member, depth + 1))
        return false;
    }
    return true;
  }
  bool valueOf(char marker, Ubjson &to, int depth) {
    switch (marker) {
    case '{':
      return object(to, depth);
    case '[':
      return array(to, depth);
    case 'S':
      return text(to.text);
    case 'C':
      to.text.resize(1);
      return read(to.text[0]);
    case 'Z':
      return true;
    case 'T':
    case 'F':
      to.numbers = {marker == 'T' ? 1.0 : 0.0};
      return true;
    default:
      return number(marker, to.numbers.emplace_back());
    }
  }

  const unsigned char *bytes;
  std::size_t size, at = 0;
};
} // namespace

bool pruner::parseUbjson(const char *bytes, std::size_t size, Ubjson &value) {
  value = {};
  Reader reader(bytes, size);
  return reader.value(value) && reader.atEnd();
}
