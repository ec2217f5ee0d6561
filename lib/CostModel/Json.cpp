//===- Json.cpp - a strict JSON reader without dependencies ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/Json.h"

#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

using namespace pruner;

JsonValue::JsonValue() = default;
JsonValue::JsonValue(const JsonValue &) = default;
JsonValue::JsonValue(JsonValue &&) noexcept = default;
JsonValue &JsonValue::operator=(const JsonValue &) = default;
JsonValue &JsonValue::operator=(JsonValue &&) noexcept = default;
JsonValue::~JsonValue() = default;

const JsonValue *JsonValue::find(const std::string &key) const {
  for (const auto &member : object)
    if (member.first == key)
      return &member.second;
  return nullptr;
}

namespace {
class Parser {
public:
  explicit Parser(const std::string &text) : text(text) {}

  std::string run(JsonValue &value) {
    if (parseValue(value, 0)) {
      skipSpace();
      if (at != text.size())
        fail("unexpected text after the value");
    }
    return error;
  }

private:
  // A limit on recursion. Valid documents are much shallower.
  static constexpr int kMaxDepth = 16;

  bool fail(const std::string &what) {
    if (error.empty())
      error = "JSON error at byte " + std::to_string(at) + ": " + what;
    return false;
  }
  void skipSpace() {
    while (at < text.size() && std::strchr(" \t\r\n", text[at]) && text[at])
      ++at;
  }
  bool accept(char c) {
    skipSpace();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }
  bool acceptWord(const char *word) {
    std::size_t length = std::strlen(word);
    if (text.compare(at, length, word) != 0)
      return false;
    at += length;
    return true;
  }

  bool parseValue(JsonValue &value, int depth) {
    if (depth > kMaxDepth)
      return fail("nested deeper than " + std::to_string(kMaxDepth));
    skipSpace();
    if (at >= text.size())
      return fail("expected a value");
    switch (text[at]) {
    case '{':
      return parseObject(value, depth);
    case '[':
      return parseArray(value, depth);
    case '"':
      value.kind = JsonValue::String;
      return parseString(value.string);
    default:
      break;
    }
    if (acceptWord("null"))
      return true;
    if (acceptWord("true") || acceptWord("false")) {
      value.kind = JsonValue::Bool;
      value.boolean = text[at - 2] == 'u';
      return true;
    }
    return parseNumber(value);
  }

  bool parseObject(JsonValue &value, int depth) {
    value.kind = JsonValue::Object;
    ++at;
    // A set, because a hostile file may contain very many keys.
    std::set<std::string> keys;
    if (accept('}'))
      return true;
    do {
      skipSpace();
      std::string key;
      if (at >= text.size() || text[at] != '"')
        return fail("expected a member name in quotes");
      if (!parseString(key))
        return false;
      if (!keys.insert(key).second)
        return fail("the member '" + key + "' occurs twice");
      if (!accept(':'))
        return fail("expected ':'");
      value.object.emplace_back(key, JsonValue());
      if (!parseValue(value.object.back().second, depth + 1))
        return false;
    } while (accept(','));
    return accept('}') || fail("expected ',' or '}'");
  }

  bool parseArray(JsonValue &value, int depth) {
    value.kind = JsonValue::Array;
    ++at;
    if (accept(']'))
      return true;
    do {
      value.array.emplace_back();
      if (!parseValue(value.array.back(), depth + 1))
        return false;
    } while (accept(','));
    return accept(']') || fail("expected ',' or ']'");
  }

  bool parseNumber(JsonValue &value) {
    std::size_t begin = at;
    bool integral = true;
    auto digits = [&] {
      std::size_t first = at;
      while (at < text.size() && text[at] >= '0' && text[at] <= '9')
        ++at;
      return at > first;
    };
    if (at < text.size() && text[at] == '-')
      ++at;
    std::size_t firstDigit = at;
    if (!digits())
      return fail("expected a value");
    if (text[firstDigit] == '0' && at - firstDigit > 1)
      return fail("a number starts with 0");
    if (at < text.size() && text[at] == '.') {
      integral = false;
      ++at;
      if (!digits())
        return fail("expected digits after '.'");
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
      integral = false;
      ++at;
      if (at < text.size() && (text[at] == '+' || text[at] == '-'))
        ++at;
      if (!digits())
        return fail("expected digits in the exponent");
    }
    std::string token = text.substr(begin, at - begin);
    value.number = std::strtod(token.c_str(), nullptr);
    if (std::isinf(value.number))
      return fail("a number is too large");
    value.kind = JsonValue::Real;
    if (integral) {
      errno = 0;
      value.integer = std::strtoll(token.c_str(), nullptr, 10);
      if (errno == 0)
        value.kind = JsonValue::Integer;
    }
    return true;
  }

  bool parseHex4(unsigned &code) {
    code = 0;
    for (int i = 0; i < 4; ++i, ++at) {
      if (at >= text.size() ||
          !std::isxdigit(static_cast<unsigned char>(text[at])))
        return fail("expected four hexadecimal digits after '\\u'");
      char c = text[at];
      code = code * 16 + (c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return true;
  }

  void appendUtf8(std::string &out, unsigned code) {
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0 | code >> 6);
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0 | code >> 12);
      out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
      out += static_cast<char>(0xF0 | code >> 18);
      out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
      out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    }
  }

  bool parseEscape(std::string &out) {
    if (at >= text.size())
      return fail("unterminated string");
    static const char names[] = "\"\\/bfnrt";
    static const char values[] = "\"\\/\b\f\n\r\t";
    char c = text[at++];
    if (c == 'u') {
      unsigned code, low;
      if (!parseHex4(code))
        return false;
      if (code >= 0xD800 && code < 0xDC00) {
        if (!acceptWord("\\u"))
          return fail("incomplete surrogate pair");
        if (!parseHex4(low))
          return false;
        if (low < 0xDC00 || low > 0xDFFF)
          return fail("incomplete surrogate pair");
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      } else if (code >= 0xDC00 && code <= 0xDFFF) {
        return fail("incomplete surrogate pair");
      }
      appendUtf8(out, code);
      return true;
    }
    const char *found = c ? std::strchr(names, c) : nullptr;
    if (!found)
      return fail("unknown escape in a string");
    out += values[found - names];
    return true;
  }

  bool parseString(std::string &out) {
    ++at; // The opening quote.
    while (at < text.size()) {
      unsigned char c = static_cast<unsigned char>(text[at]);
      if (c == '"') {
        ++at;
        return true;
      }
      if (c < 0x20)
        return fail("control character in a string");
      ++at;
      if (c != '\\')
        out += static_cast<char>(c);
      else if (!parseEscape(out))
        return false;
    }
    return fail("unterminated string");
  }

  const std::string &text;
  std::size_t at = 0;
  std::string error;
};
} // namespace

std::string pruner::parseJson(const std::string &text, JsonValue &value) {
  value = JsonValue();
  return Parser(text).run(value);
}

std::string pruner::quoteJson(const std::string &text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char buffer[8];
      std::snprintf(buffer, sizeof(buffer), "\\u%04x", c);
      out += buffer;
    } else {
      out += c;
    }
  }
  return out + '"';
}
