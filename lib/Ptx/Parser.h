//===- Parser.h - PTX text to a tree ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_PTX_PARSER_H
#define PRUNER_LIB_PTX_PARSER_H

#include "Lexer.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

namespace pruner::ptx {

/// Registers that one declaration introduces: `name`, or `name0` to
/// `name<count - 1>`.
struct RegisterRange {
  unsigned bits;
  unsigned count; ///< 0 for a single register.
};

struct Scope {
  llvm::StringMap<RegisterRange> declared;
  llvm::StringMap<unsigned> used; ///< Indices of Kernel::registers.
};

/// A name that may be a label further down.
struct LabelUse {
  size_t instruction, operand;
  Token name;
};

/// Recursive descent with one token of lookahead. Functions return true after
/// an error, which `message` describes.
class Parser {
public:
  explicit Parser(llvm::StringRef text) : lexer(text) { advance(); }

  bool parseModule(Module &module);
  std::string message;

private:
  void advance() { token = lexer.next(); }
  bool fail(Location where, const llvm::Twine &what) {
    message = (llvm::Twine(where.line) + ":" + llvm::Twine(where.column) +
               ": " + what)
                  .str();
    return true;
  }
  bool expected(const llvm::Twine &what) {
    if (token.kind == Token::End)
      return fail(token.location, "expected " + what + " but got the end");
    return fail(token.location, "expected " + what + " but got '" +
                                    token.text.take_front(60) + "'");
  }
  bool consume(char c) {
    if (!token.is(c))
      return expected("'" + llvm::Twine(c) + "'");
    advance();
    return false;
  }
  bool consumeIf(char c) {
    if (!token.is(c))
      return false;
    advance();
    return true;
  }
  bool consumeDirective(llvm::StringRef name) {
    if (token.kind != Token::Directive || token.text != name)
      return false;
    advance();
    return true;
  }
  bool parseUnsigned(uint64_t &value, uint64_t limit, const llvm::Twine &what);
  bool parseName(llvm::StringRef &name, const llvm::Twine &what);
  bool parseTypeOf(unsigned &bits);
  bool parseDimensions(std::optional<std::array<unsigned, 3>> &dimensions);

  bool parseEntry(Module &module);
  bool parseVariable(Variable &variable);
  bool parseInitializer(Variable &variable, unsigned bits);
  bool parseRegisters();
  bool parseStatement();
  bool parseInstruction();
  bool parseOperand(Operand &operand, unsigned depth);
  bool parseWord(Operand &operand);
  bool parseNumber(Operand &operand, bool isNegative);
  bool resolveLabels();

  std::optional<unsigned> findRegister(llvm::StringRef name);
  std::optional<unsigned> findVariable(llvm::StringRef name);

  Lexer lexer;
  Token token;
  std::vector<Variable> moduleVariables;
  uint64_t variableBytes = 0;

  // Of the current kernel.
  Kernel *kernel = nullptr;
  std::vector<Scope> scopes;
  llvm::StringMap<unsigned> labels;
  std::vector<LabelUse> labelUses;
};

} // namespace pruner::ptx

#endif // PRUNER_LIB_PTX_PARSER_H
