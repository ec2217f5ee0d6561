//===- ParseKernel.cpp - registers, instructions, operands ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parser.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pruner::ptx;

/// `.reg .b32 %r<8>, x;`
bool Parser::parseRegisters() {
  unsigned bits;
  if (parseTypeOf(bits))
    return true;
  if (bits > 64)
    return fail(token.location, "registers have at most 64 bits");
  do {
    Token name = token;
    StringRef text;
    uint64_t count = 0;
    if (parseName(text, "a register"))
      return true;
    if (consumeIf('<')) {
      if (parseUnsigned(count, kMaxRegisters, "a number of registers") ||
          consume('>'))
        return true;
      if (count == 0)
        continue;
    }
    // Registers of 8 bits are used like those of 16 bits.
    RegisterRange range{bits == 8 ? 16 : bits, unsigned(count)};
    if (!scopes.back().declared.try_emplace(text, range).second)
      return fail(name.location, "register '" + text + "' is declared twice");
  } while (consumeIf(','));
  return consume(';');
}

bool Parser::parseStatement() {
  if (consumeIf('{')) {
    if (scopes.size() == 64)
      return fail(token.location, "scopes are nested too deeply");
    scopes.emplace_back();
    return false;
  }
  if (consumeIf('}')) {
    scopes.pop_back();
    return false;
  }
  if (token.kind == Token::Word || token.is('@'))
    return parseInstruction();
  if (token.kind != Token::Directive)
    return expected("an instruction");
  if (consumeDirective(".reg"))
    return parseRegisters();
  if (token.text == ".loc") {
    lexer.skipLine();
    advance();
    return false;
  }
  if (consumeDirective(".pragma")) {
    if (token.kind != Token::String)
      return expected("a string");
    advance();
    return consume(';');
  }
  if (!is_contained({".shared", ".local", ".global", ".const"}, token.text))
    return fail(token.location,
                "directive '" + token.text + "' is not supported");
  Variable variable;
  if (parseVariable(variable) || consume(';'))
    return true;
  if (kernel->variables.size() >= kMaxVariables)
    return fail(variable.location, "too many variables");
  kernel->variables.push_back(std::move(variable));
  return false;
}

bool Parser::parseInstruction() {
  Instruction instruction;
  if (consumeIf('@')) {
    instruction.isGuardNegated = consumeIf('!');
    Token name = token;
    StringRef text;
    if (parseName(text, "a predicate"))
      return true;
    instruction.guard = findRegister(text);
    if (!instruction.guard || kernel->registers[*instruction.guard].bits != 1)
      return fail(name.location, "'" + text + "' is not a predicate");
  }
  Token name = token;
  instruction.location = name.location;
  if (parseName(instruction.name, "an instruction"))
    return true;
  if (token.is(':') && !instruction.guard) {
    advance();
    if (!labels.try_emplace(name.text, kernel->instructions.size()).second)
      return fail(name.location, "label '" + name.text + "' is defined twice");
    return false;
  }
  if (kernel->instructions.size() == kMaxInstructions)
    return fail(name.location, "too many instructions");
  instruction.name.split(instruction.modifiers, '.');
  instruction.opcode = instruction.modifiers.front();
  instruction.modifiers.erase(instruction.modifiers.begin());
  if (!token.is(';')) {
    do {
      if (instruction.operands.size() == 32)
        return fail(token.location, "too many operands");
      instruction.operands.emplace_back();
      if (parseOperand(instruction.operands.back(), 0))
        return true;
    } while (consumeIf(','));
  }
  if (consume(';'))
    return true;
  for (auto [n, operand] : enumerate(instruction.operands))
    if (operand.kind == Operand::Label)
      labelUses.push_back({kernel->instructions.size(),
                           n,
                           {Token::Word, operand.text, operand.location}});
  kernel->instructions.push_back(std::move(instruction));
  return false;
}

bool Parser::parseOperand(Operand &operand, unsigned depth) {
  operand.location = token.location;
  auto nested = [&] {
    operand.elements.emplace_back();
    Operand &element = operand.elements.back();
    if (parseOperand(element, depth + 1))
      return true;
    if (element.kind == Operand::Label)
      return fail(element.location, "unknown name '" + element.text + "'");
    return false;
  };
  if (token.is('(') || depth > 2)
    return expected("an operand");
  if (consumeIf('{')) {
    operand.kind = Operand::Vector;
    do {
      if (operand.elements.size() == 32)
        return fail(token.location, "too many elements");
      if (nested())
        return true;
    } while (consumeIf(','));
    return consume('}');
  }
  if (consumeIf('[')) {
    operand.kind = Operand::Address;
    if (nested())
      return true;
    // The sign may be part of the offset: `[%rd1+-4]`.
    bool isNegative = token.is('-');
    if (isNegative || token.is('+')) {
      advance();
      isNegative ^= consumeIf('-');
      if (parseUnsigned(operand.value, int64_t(1) << 48, "an offset"))
        return true;
      if (isNegative)
        operand.value = -operand.value;
    }
    return consume(']');
  }
  if (consumeIf('!')) {
    operand.isNegated = true;
    if (token.kind != Token::Word)
      return expected("a predicate");
    return parseWord(operand);
  }
  bool isNegative = consumeIf('-');
  if (token.kind == Token::Number)
    return parseNumber(operand, isNegative);
  if (isNegative || token.kind != Token::Word)
    return expected("an operand");
  if (parseWord(operand))
    return true;
  if (consumeIf('|')) {
    Operand first = std::move(operand);
    operand = Operand();
    operand.kind = Operand::Pair;
    operand.location = first.location;
    operand.elements.push_back(std::move(first));
    return nested();
  }
  return false;
}

bool Parser::parseWord(Operand &operand) {
  operand.text = token.text;
  advance();
  if (operand.text == "_") {
    operand.kind = Operand::Sink;
  } else if (auto index = findRegister(operand.text)) {
    operand.kind = Operand::Register;
    operand.index = *index;
    operand.bits = kernel->registers[*index].bits;
  } else if (operand.text.starts_with("%")) {
    operand.kind = Operand::Special;
  } else if (auto index = findVariable(operand.text)) {
    operand.kind = Operand::Variable;
    operand.index = *index;
  } else {
    operand.kind = Operand::Label; // Checked at the end of the kernel.
  }
  return false;
}

bool Parser::parseNumber(Operand &operand, bool isNegative) {
  StringRef digits = token.text;
  if (digits.starts_with_insensitive("0f") ||
      digits.starts_with_insensitive("0d")) {
    operand.kind = Operand::Float;
    operand.bits = digits[1] == 'f' || digits[1] == 'F' ? 32 : 64;
    StringRef hex = digits.drop_front(2);
    if (isNegative || hex.size() != operand.bits / 4 ||
        hex.getAsInteger(16, operand.value))
      return expected("a number");
  } else {
    digits.consume_back("U");
    operand.kind = Operand::Integer;
    if (digits.getAsInteger(0, operand.value))
      return expected("an integer");
    if (isNegative)
      operand.value = -operand.value;
  }
  advance();
  return false;
}

std::optional<unsigned> Parser::findRegister(StringRef name) {
  StringRef prefix = name.rtrim("0123456789");
  StringRef digits = name.drop_front(prefix.size());
  unsigned number = 0;
  bool numbered = !digits.empty() && (digits == "0" || digits[0] != '0') &&
                  !digits.getAsInteger(10, number);
  for (Scope &scope : reverse(scopes)) {
    if (auto used = scope.used.find(name); used != scope.used.end())
      return used->second;
    auto range = scope.declared.find(name);
    if (range == scope.declared.end() || range->second.count != 0) {
      range = numbered ? scope.declared.find(prefix) : scope.declared.end();
      if (range == scope.declared.end() || number >= range->second.count)
        continue;
    }
    unsigned index = kernel->registers.size();
    kernel->registers.push_back({name.str(), range->second.bits});
    scope.used[name] = index;
    return index;
  }
  return std::nullopt;
}

std::optional<unsigned> Parser::findVariable(StringRef name) {
  if (!kernel)
    return std::nullopt;
  auto named = [&](const Variable &variable) { return variable.name == name; };
  auto found = llvm::find_if(kernel->variables, named);
  if (found == kernel->variables.end()) {
    auto global = llvm::find_if(moduleVariables, named);
    if (global == moduleVariables.end() ||
        kernel->variables.size() >= kMaxVariables)
      return std::nullopt;
    found = kernel->variables.insert(found, *global);
  }
  return found - kernel->variables.begin();
}

bool Parser::resolveLabels() {
  for (const LabelUse &use : labelUses) {
    auto label = labels.find(use.name.text);
    if (label == labels.end())
      return fail(use.name.location, "unknown name '" + use.name.text + "'");
    kernel->instructions[use.instruction].operands[use.operand].index =
        label->second;
  }
  return false;
}
