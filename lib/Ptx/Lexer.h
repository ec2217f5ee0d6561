//===- Lexer.h - tokens of PTX text -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_PTX_LEXER_H
#define PRUNER_LIB_PTX_LEXER_H

#include "pruner/Ptx/Syntax.h"

namespace pruner::ptx {

struct Token {
  enum Kind : uint8_t {
    End,
    Word,      ///< `ld.global.b32`, `%tid.x`, `$L__BB0_1`, `_`
    Directive, ///< `.reg`
    Number,    ///< `12`, `0x1F`, `0f3F800000`, `7.0`
    String,    ///< Without its quotes.
    Punctuation,
    Invalid, ///< A character that starts no token, or an open comment.
  };
  Kind kind = End;
  llvm::StringRef text;
  Location location;

  bool is(char c) const { return kind == Punctuation && text.front() == c; }
};

/// Splits text into tokens. Comments are skipped.
class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text(text) {}
  Token next();
  /// Drops the rest of the line of `token`, which `next` returned last.
  void skipLine();

private:
  bool skipSpace();
  char at(size_t offset) const {
    return position + offset < text.size() ? text[position + offset] : 0;
  }
  void advance(size_t count);

  llvm::StringRef text;
  size_t position = 0;
  Location location{1, 1};
};

} // namespace pruner::ptx

#endif // PRUNER_LIB_PTX_LEXER_H
