//===- Parser.cpp - PTX text to a tree ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace pruner::ptx;

const Kernel *Module::find(StringRef name) const {
  auto found = llvm::find_if(
      kernels, [&](const Kernel &kernel) { return kernel.name == name; });
  return found == kernels.end() ? nullptr : &*found;
}

/// The bits of a type such as `.b32`; 1 for a predicate, 0 if unknown.
static unsigned typeBits(StringRef directive) {
  return StringSwitch<unsigned>(directive)
      .Case(".pred", 1)
      .Cases({".b8", ".u8", ".s8"}, 8)
      .Cases({".b16", ".u16", ".s16", ".f16", ".bf16"}, 16)
      .Cases({".b32", ".u32", ".s32", ".f32", ".f16x2", ".bf16x2"}, 32)
      .Cases({".b64", ".u64", ".s64", ".f64"}, 64)
      .Default(0);
}

bool Parser::parseUnsigned(uint64_t &value, uint64_t limit, const Twine &what) {
  StringRef digits = token.text;
  if (token.kind == Token::Number)
    digits.consume_back("U");
  if (token.kind != Token::Number || digits.getAsInteger(0, value))
    return expected(what);
  if (value > limit)
    return fail(token.location, what + " is larger than " + Twine(limit));
  advance();
  return false;
}

bool Parser::parseName(StringRef &name, const Twine &what) {
  if (token.kind != Token::Word)
    return expected(what);
  name = token.text;
  advance();
  return false;
}

/// A type, perhaps of vectors: `.v4 .b32`.
bool Parser::parseTypeOf(unsigned &bits) {
  unsigned lanes = consumeDirective(".v2")   ? 2
                   : consumeDirective(".v4") ? 4
                                             : 1;
  bits = token.kind == Token::Directive ? typeBits(token.text) : 0;
  if (!bits)
    return expected("a type");
  bits *= lanes;
  advance();
  return false;
}

bool Parser::parseDimensions(
    std::optional<std::array<unsigned, 3>> &dimensions) {
  dimensions = {1, 1, 1};
  for (unsigned &dimension : *dimensions) {
    uint64_t value;
    if (parseUnsigned(value, 1 << 16, "a number of threads"))
      return true;
    dimension = unsigned(value);
    if (!consumeIf(','))
      return false;
  }
  return false;
}

bool Parser::parseModule(Module &module) {
  while (token.kind != Token::End) {
    Token start = token;
    if (token.kind != Token::Directive)
      return expected("a directive");
    if (consumeDirective(".version")) {
      auto [major, minor] = token.text.split('.');
      unsigned high, low;
      if (token.kind != Token::Number || major.getAsInteger(10, high) ||
          minor.getAsInteger(10, low) || high > 99 || low > 9)
        return expected("a version");
      module.version = high * 10 + low;
      advance();
    } else if (consumeDirective(".target")) {
      do {
        StringRef name;
        if (parseName(name, "a target"))
          return true;
        if (module.target.empty())
          module.target = name.str();
      } while (consumeIf(','));
    } else if (consumeDirective(".address_size")) {
      uint64_t bits;
      if (parseUnsigned(bits, 64, "an address size"))
        return true;
      if (bits != 64)
        return fail(start.location, "addresses must have 64 bits");
    } else if (token.text == ".file") {
      lexer.skipLine();
      advance();
    } else {
      while (consumeDirective(".visible") || consumeDirective(".extern") ||
             consumeDirective(".weak"))
        ;
      if (consumeDirective(".entry")) {
        if (parseEntry(module))
          return true;
        kernel = nullptr;
        continue;
      }
      if (!is_contained({".shared", ".global", ".const"}, token.text))
        return fail(token.location,
                    "directive '" + token.text + "' is not supported");
      if (moduleVariables.size() == kMaxVariables)
        return fail(token.location, "too many variables");
      moduleVariables.emplace_back();
      if (parseVariable(moduleVariables.back()) || consume(';'))
        return true;
    }
  }
  return false;
}

bool Parser::parseEntry(Module &module) {
  StringRef name;
  Location location = token.location;
  if (parseName(name, "the name of a kernel"))
    return true;
  if (module.find(name))
    return fail(location, "kernel '" + name + "' is defined twice");
  module.kernels.emplace_back();
  kernel = &module.kernels.back();
  kernel->name = name.str();
  kernel->location = location;
  scopes.assign(1, Scope());
  labels.clear();
  labelUses.clear();
  if (consumeIf('(') && !consumeIf(')')) {
    do {
      if (token.kind != Token::Directive || token.text != ".param")
        return expected("'.param'");
      Variable parameter;
      if (parseVariable(parameter))
        return true;
      if (kernel->variables.size() == kMaxVariables ||
          parameter.bytes > 1 << 15)
        return fail(parameter.location, "too many bytes of parameters");
      kernel->variables.push_back(std::move(parameter));
    } while (consumeIf(','));
    if (consume(')'))
      return true;
  }
  kernel->numParameters = kernel->variables.size();
  while (token.kind == Token::Directive) {
    uint64_t ignored;
    if (consumeDirective(".maxntid")) {
      if (parseDimensions(kernel->maxThreads))
        return true;
    } else if (consumeDirective(".reqntid")) {
      if (parseDimensions(kernel->requiredThreads))
        return true;
    } else if (consumeDirective(".minnctapersm") ||
               consumeDirective(".maxnreg")) {
      if (parseUnsigned(ignored, 1 << 16, "a number"))
        return true;
    } else {
      return fail(token.location,
                  "directive '" + token.text + "' is not supported");
    }
  }
  if (consume('{'))
    return true;
  while (!scopes.empty())
    if (parseStatement())
      return true;
  return resolveLabels();
}

/// From the space of a variable to its initializer.
bool Parser::parseVariable(Variable &variable) {
  variable.location = token.location;
  variable.space = StringSwitch<Space>(token.text)
                       .Case(".param", Space::Param)
                       .Case(".const", Space::Const)
                       .Case(".shared", Space::Shared)
                       .Case(".local", Space::Local)
                       .Default(Space::Global);
  advance();
  auto parseAlign = [&](unsigned &align) {
    uint64_t value;
    if (parseUnsigned(value, 1 << 12, "an alignment"))
      return true;
    if (!isPowerOf2_64(value))
      return fail(token.location,
                  "expected an alignment that is a power of two");
    align = unsigned(value);
    return false;
  };
  unsigned bits = 0;
  if (consumeDirective(".align") && parseAlign(variable.align))
    return true;
  if (parseTypeOf(bits))
    return true;
  if (bits % 8 != 0)
    return fail(variable.location, "a predicate cannot be in memory");
  variable.align = std::max(variable.align, bits / 8);
  if (consumeDirective(".ptr")) {
    variable.isPointer = true;
    for (StringRef space : {".global", ".shared", ".const", ".local"})
      if (consumeDirective(space))
        break;
    if (consumeDirective(".align") && parseAlign(variable.pointerAlign))
      return true;
  }
  StringRef name;
  if (parseName(name, "the name of a variable"))
    return true;
  variable.name = name.str();
  variable.bytes = bits / 8;
  while (consumeIf('[')) {
    uint64_t count = 0;
    if (token.is(']'))
      variable.isDynamic = true;
    else if (parseUnsigned(count, kMaxVariableBytes, "a number of elements"))
      return true;
    variable.bytes *= count;
    if (consume(']'))
      return true;
    if (variable.bytes > kMaxVariableBytes)
      break;
  }
  variableBytes += variable.bytes;
  if (variableBytes > kMaxVariableBytes)
    return fail(variable.location, "variables are larger than " +
                                       Twine(kMaxVariableBytes) + " bytes");
  if (variable.isDynamic && variable.space != Space::Shared)
    return fail(variable.location, "only shared arrays may have no size");
  return consumeIf('=') && parseInitializer(variable, bits);
}

bool Parser::parseInitializer(Variable &variable, unsigned bits) {
  if (variable.space != Space::Global && variable.space != Space::Const)
    return fail(token.location, "only global and const variables may be "
                                "initialized");
  variable.isInitialized = true;
  auto parseOne = [&] {
    Operand element;
    if (parseOperand(element, /*depth=*/1))
      return true;
    if (element.kind != Operand::Integer && element.kind != Operand::Float)
      return fail(element.location, "an initializer must be a number");
    if (variable.initializer.size() + bits / 8 > variable.bytes)
      return fail(element.location, "too many elements for the variable");
    for (unsigned bit = 0; bit != bits; bit += 8)
      variable.initializer.push_back(bit < 64 ? uint8_t(element.value >> bit)
                                              : 0);
    return false;
  };
  // Elements of nested lists are consecutive, because lists must be complete.
  if (!token.is('{'))
    return parseOne();
  unsigned depth = 0;
  do {
    if (consumeIf('{'))
      ++depth;
    else if (consumeIf('}'))
      --depth;
    else if (!consumeIf(',') && parseOne())
      return true;
  } while (depth != 0);
  return false;
}

Expected<Module> pruner::ptx::parse(StringRef text) {
  if (text.size() > kMaxTextBytes)
    return createStringError("the text is larger than " + Twine(kMaxTextBytes) +
                             " bytes");
  Module module;
  module.text = std::make_unique<std::string>(text);
  Parser parser(*module.text);
  if (parser.parseModule(module))
    return createStringError(parser.message);
  return module;
}
