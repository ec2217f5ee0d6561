//===- ForeignText.cpp - IR that others wrote, parsed in bounds -----------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Dialect/Pruner/IR/ForeignText.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace pruner;

static bool isWord(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

std::string pruner::findExcess(llvm::StringRef text, const TextLimits &limits) {
  if (text.size() > limits.maxBytes)
    return ("it has " + llvm::Twine(text.size()) +
            " bytes, more than the limit of " + llvm::Twine(limits.maxBytes))
        .str();
  unsigned depth = 0, chain = 0;
  auto at = [&](size_t i) { return i < text.size() ? text[i] : '\0'; };
  for (size_t i = 0; i < text.size(); ++i) {
    switch (char c = text[i]) {
    case '"':
      for (++i; i < text.size() && text[i] != '"'; ++i)
        i += text[i] == '\\';
      break;
    case '/':
      if (at(i + 1) == '/')
        i = std::min(text.find('\n', i), text.size());
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      chain = 0;
      ++depth;
      break;
    case ')':
    case ']':
    case '}':
    case '>':
      chain = 0;
      // That of `>=` closes nothing.
      depth -= depth > 0 && !(c == '>' && at(i + 1) == '=');
      break;
    case ',':
    case ':':
    case '=':
      chain = 0;
      break;
    case '-':
      // That of an arrow neither.
      if (at(i + 1) == '>')
        ++i;
      else
        ++chain;
      break;
    case '+':
    case '*':
      ++chain;
      break;
    default:
      chain += isWord(c) && (i == 0 || !isWord(text[i - 1]));
      break;
    }
    if (depth > limits.maxDepth)
      return ("more than " + llvm::Twine(limits.maxDepth) + " nested brackets")
          .str();
    if (chain > limits.maxChain)
      return ("more than " + llvm::Twine(limits.maxChain) +
              " words and operators in a row")
          .str();
  }
  return "";
}

ScheduleAttr pruner::parseScheduleText(llvm::StringRef text,
                                       mlir::MLIRContext *context) {
  auto fail = [&](const llvm::Twine &what) {
    mlir::emitError(mlir::UnknownLoc::get(context)) << what;
    return ScheduleAttr();
  };
  TextLimits limits;
  limits.maxBytes = size_t(64) << 10;
  limits.maxDepth = 8;
  std::string excess = findExcess(text, limits);
  if (!excess.empty())
    return fail("the text of the schedule is refused: " + excess);
  // No other attribute's parser needs to see it.
  if (!text.ltrim().starts_with("#pruner.schedule<"))
    return fail("'" + text.take_front(80) + "' is no schedule");
  return llvm::dyn_cast_or_null<ScheduleAttr>(
      mlir::parseAttribute(text, context));
}

llvm::Expected<ScheduleAttr>
pruner::readScheduleText(llvm::StringRef text, mlir::MLIRContext *context) {
  mlir::ScopedDiagnosticHandler quiet(context, [](mlir::Diagnostic &) {});
  if (ScheduleAttr schedule = parseScheduleText(text, context))
    return schedule;
  return llvm::createStringError("the schedule does not parse: " +
                                 text.take_front(200));
}

mlir::OwningOpRef<mlir::ModuleOp>
pruner::parseModuleText(llvm::StringRef text, mlir::MLIRContext *context,
                        llvm::StringRef name) {
  std::string excess = findExcess(text);
  if (!excess.empty()) {
    mlir::emitError(mlir::UnknownLoc::get(context))
        << "the text of the module is refused: " << excess;
    return nullptr;
  }
  // The lexer goes on until a terminator, which the text of others may lack.
  return mlir::parseSourceString<mlir::ModuleOp>(
      text.str(), mlir::ParserConfig(context), name);
}
