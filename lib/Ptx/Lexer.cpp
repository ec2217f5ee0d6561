//===- Lexer.cpp - tokens of PTX text -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Lexer.h"

#include "llvm/ADT/StringExtras.h"

using namespace pruner::ptx;

static bool startsWord(char c) {
  return llvm::isAlpha(c) || c == '_' || c == '$' || c == '%';
}

static bool continuesWord(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$';
}

void Lexer::advance(size_t count) {
  for (; count && position < text.size(); --count, ++position) {
    ++location.column;
    if (text[position] == '\n') {
      ++location.line;
      location.column = 1;
    }
  }
}

/// Returns false at a comment without an end.
bool Lexer::skipSpace() {
  while (position < text.size()) {
    if (llvm::isSpace(at(0))) {
      advance(1);
    } else if (at(0) == '/' && at(1) == '/') {
      skipLine();
    } else if (at(0) == '/' && at(1) == '*') {
      size_t end = text.find("*/", position + 2);
      if (end == llvm::StringRef::npos)
        return false;
      advance(end + 2 - position);
    } else {
      break;
    }
  }
  return true;
}

void Lexer::skipLine() {
  size_t end = text.find('\n', position);
  advance((end == llvm::StringRef::npos ? text.size() : end) - position);
}

Token Lexer::next() {
  Token token;
  bool valid = skipSpace();
  token.location = location;
  if (position == text.size())
    return token;
  size_t length = 1;
  char c = at(0);
  if (!valid) {
    token.kind = Token::Invalid;
  } else if (startsWord(c) || (c == '.' && startsWord(at(1)))) {
    token.kind = c == '.' ? Token::Directive : Token::Word;
    // `::` is inside of a modifier, as in `ld.shared::cta.b32`; `:` ends a
    // label.
    while (continuesWord(at(length)) ||
           (at(length) == '.' && continuesWord(at(length + 1))) ||
           (at(length) == ':' && at(length + 1) == ':' &&
            continuesWord(at(length + 2))))
      length += at(length) == ':' ? 2 : 1;
  } else if (llvm::isDigit(c)) {
    token.kind = Token::Number;
    while (llvm::isAlnum(at(length)) ||
           (at(length) == '.' && llvm::isDigit(at(length + 1))))
      ++length;
  } else if (c == '"') {
    size_t end = text.find_first_of("\"\n", position + 1);
    token.kind = Token::Invalid;
    if (end != llvm::StringRef::npos && text[end] == '"') {
      token.kind = Token::String;
      token.text = text.slice(position + 1, end);
      advance(end + 1 - position);
      return token;
    }
  } else if (llvm::StringRef(",;:(){}[]<>+-@!|=").contains(c)) {
    token.kind = Token::Punctuation;
  } else {
    token.kind = Token::Invalid;
  }
  token.text = text.substr(position, length);
  advance(length);
  return token;
}
