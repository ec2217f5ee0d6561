//===- ForeignText.cpp - parse untrusted IR within bounds -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/ForeignText.h"

#include "pruner/Program/ScheduleText.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"

using namespace pruner;

static bool isWord(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}

/// Limit on the size of a text with aliases expanded, in multiples of its size
/// limit. Printing an attribute expands its aliases.
static constexpr uint64_t kMaxExpansion = 4;

namespace {
/// Tracks brackets, chains and aliases in a text. It does not check the rest of
/// the grammar.
///
/// The value of an alias (`#name = ...`, `!name = ...`) is nested where the
/// alias is used, and so on through all definitions, which themselves are flat
/// lines. The scanner therefore stores the depth and the size of each alias,
/// including the aliases in its value.
class TextScanner {
public:
  TextScanner(llvm::StringRef text, const TextLimits &limits)
      : text(text), limits(limits),
        expandedLimit(
            kMaxExpansion *
            std::max<uint64_t>(text.size(), std::min(limits.maxBytes,
                                                     TextLimits().maxBytes))) {}
  std::string scan();

private:
  struct Alias {
    unsigned depth = 0;
    uint64_t size = 0;
  };
  char at(size_t i) const { return i < text.size() ? text[i] : '\0'; }
  void visit(size_t &i);
  void visitSigil(size_t &i);
  void open();
  void close(size_t i);
  bool isOperator(size_t begin) const;
  void endChain() { chain = outer.empty() ? 0 : outer.back(); }
  void useAlias(llvm::StringRef name);
  void beginValue();
  void endValue();
  void operand();
  bool isDefined(size_t end) const;
  void nest(unsigned depth);
  void grow(uint64_t bytes);
  std::string excess() const;

  llvm::StringRef text;
  const TextLimits &limits;
  const uint64_t expandedLimit; ///< With aliases expanded.
  unsigned depth = 0;
  /// Words and operators of the current chain and of those around its brackets,
  /// which the parser still reads: `- (- (...))`. `outer` has the length before
  /// each open bracket.
  unsigned chain = 0;
  llvm::SmallVector<unsigned, 32> outer;
  unsigned deepest = 0; ///< With aliases expanded.
  unsigned longest = 0; ///< Of all chains.
  uint64_t size = 0;    ///< Of the text with aliases expanded.
  std::string problem;
  llvm::StringMap<Alias> aliases;
  /// Aliases used before their definition, as locations may be: the depth at
  /// which they were used, and how often.
  llvm::StringMap<std::pair<unsigned, uint64_t>> early;

  /// The definition that is being read, the depth of its brackets relative to
  /// its start, and whether its value needs another operand.
  llvm::StringRef defined;
  Alias value;
  unsigned base = 0;
  bool incomplete = false;
};
} // namespace

/// Records that something of depth `below` is nested at the current position.
void TextScanner::nest(unsigned below) {
  deepest = std::max(deepest, depth + below);
  if (!defined.empty())
    value.depth = std::max(value.depth, depth - std::min(base, depth) + below);
}

void TextScanner::grow(uint64_t bytes) {
  size = llvm::SaturatingAdd(size, bytes);
  if (!defined.empty())
    value.size = llvm::SaturatingAdd(value.size, bytes);
}

void TextScanner::open() {
  outer.push_back(chain);
  incomplete = false;
  ++depth;
  nest(0);
}

/// Whether an operator comes next, which continues a chain.
bool TextScanner::isOperator(size_t begin) const {
  size_t i = text.find_first_not_of(" \t\r\n", begin);
  if (i == llvm::StringRef::npos)
    return false;
  llvm::StringRef rest = text.substr(i);
  if (rest[0] == '+' || rest[0] == '*' || (rest[0] == '-' && at(i + 1) != '>'))
    return true;
  llvm::StringRef word = rest.take_while(isWord);
  return word == "mod" || word == "floordiv" || word == "ceildiv";
}

/// The closing bracket at `i`. What it closes may be an operand of a chain.
void TextScanner::close(size_t i) {
  unsigned before = outer.empty() ? 0 : outer.pop_back_val();
  endChain();
  if (isOperator(i + 1))
    chain = before;
  depth -= depth > 0;
  if (!defined.empty() && depth < base)
    endValue();
}

/// A new operand ends the value of a definition, unless the value still needs
/// one after a colon or an arrow.
void TextScanner::operand() {
  if (defined.empty() || depth > base)
    return;
  if (!incomplete)
    endValue();
  incomplete = false;
}

void TextScanner::endValue() {
  Alias &alias = aliases[defined];
  alias.depth = std::max(alias.depth, value.depth);
  alias.size = std::max(alias.size, value.size);
  defined = "";
}

void TextScanner::useAlias(llvm::StringRef name) {
  auto found = aliases.find(name);
  if (found != aliases.end()) {
    nest(found->second.depth);
    grow(found->second.size);
  } else if (!defined.empty()) {
    // MLIR never prints this, and it could form a cycle.
    problem = ("the alias '" + name.take_front(80) +
               "' is used in a definition before it is defined")
                  .str();
  } else {
    auto &[deep, times] = early[name];
    deep = std::max(deep, depth);
    ++times;
  }
}

/// True if `=` comes next, so the preceding name is being defined.
bool TextScanner::isDefined(size_t end) const {
  size_t i = text.find_first_not_of(" \t\r\n", end);
  return i != llvm::StringRef::npos && text[i] == '=' && at(i + 1) != '=';
}

/// `#name` or `!name`: an alias, its definition, or the start of an attribute
/// or type of a dialect, whose name contains a dot or is followed by a bracket.
void TextScanner::visitSigil(size_t &i) {
  size_t end = i + 1;
  while (isWord(at(end)) || at(end) == '-')
    ++end;
  llvm::StringRef name = text.slice(i, end);
  if (isDefined(end)) {
    if (!defined.empty())
      endValue();
    defined = name;
    value = Alias();
    base = depth;
    incomplete = true;
    i = text.find('=', end);
    return;
  }
  operand();
  ++chain;
  if (!name.contains('.') && at(end) != '<')
    useAlias(name);
  i = end - 1;
}

void TextScanner::visit(size_t &i) {
  size_t begin = i;
  switch (char c = text[i]) {
  case '"':
    operand();
    for (++i; i < text.size() && text[i] != '"'; ++i)
      i += text[i] == '\\';
    break;
  case '/':
    if (at(i + 1) == '/')
      i = std::min(text.find('\n', i), text.size());
    break;
  case '#':
  case '!':
    visitSigil(i);
    break;
  case '(':
  case '[':
  case '{':
    open();
    break;
  case '<':
    // The `<` of `<=` opens nothing.
    if (at(i + 1) != '=')
      open();
    break;
  case ')':
  case ']':
  case '}':
    close(i);
    break;
  case '>':
    // The `>` of `>=` closes nothing.
    endChain();
    if (at(i + 1) != '=')
      close(i);
    break;
  case ',':
  case '=':
    endChain();
    break;
  case ':':
    endChain();
    incomplete |= depth == base;
    break;
  case '-':
    // The `>` of an arrow closes nothing.
    incomplete |= depth == base;
    if (at(i + 1) == '>')
      ++i;
    else
      ++chain;
    break;
  case '+':
  case '*':
    ++chain;
    break;
  case '%':
  case '^':
  case '@':
    operand();
    break;
  default:
    if (isWord(c) && (i == 0 || !isWord(text[i - 1]))) {
      ++chain;
      // The rest of a symbol's name is not a separate word.
      if (i == 0 || text[i - 1] != '@')
        operand();
    } else if (c == 'x' && llvm::isDigit(text[i - 1])) {
      // Of a shape; the parser takes time in the square of their number.
      ++chain;
    }
    break;
  }
  longest = std::max(longest, chain);
  grow(std::min(i + 1, text.size()) - begin);
}

std::string TextScanner::excess() const {
  if (!problem.empty())
    return problem;
  if (deepest > limits.maxDepth)
    return ("more than " + llvm::Twine(limits.maxDepth) + " nested brackets" +
            (depth > limits.maxDepth ? "" : " with aliases expanded"))
        .str();
  if (longest > limits.maxChain)
    return ("more than " + llvm::Twine(limits.maxChain) +
            " consecutive words and operators")
        .str();
  if (size > expandedLimit)
    return ("more than " + llvm::Twine(expandedLimit) +
            " bytes with aliases expanded")
        .str();
  return "";
}

std::string TextScanner::scan() {
  for (size_t i = 0; i < text.size(); ++i) {
    visit(i);
    if (std::string found = excess(); !found.empty())
      return found;
  }
  if (!defined.empty())
    endValue();
  for (const auto &use : early) {
    auto found = aliases.find(use.getKey());
    if (found == aliases.end())
      continue; // Not an alias, or the parser reports it.
    depth = use.getValue().first;
    nest(found->second.depth);
    grow(llvm::SaturatingMultiply(use.getValue().second, found->second.size));
  }
  depth = 0;
  return excess();
}

std::string pruner::findExcess(llvm::StringRef text, const TextLimits &limits) {
  if (text.size() > limits.maxBytes)
    return ("it has " + llvm::Twine(text.size()) +
            " bytes, more than the limit of " + llvm::Twine(limits.maxBytes))
        .str();
  return TextScanner(text, limits).scan();
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
    return fail("cannot parse the schedule: " + excess);
  // The parsers of other attributes must not read the text.
  if (!isScheduleText(text.ltrim()))
    return fail("'" + text.take_front(80) + "' is not a schedule");
  return llvm::dyn_cast_or_null<ScheduleAttr>(
      mlir::parseAttribute(text, context));
}

llvm::Expected<ScheduleAttr>
pruner::readScheduleText(llvm::StringRef text, mlir::MLIRContext *context) {
  mlir::ScopedDiagnosticHandler quiet(context, [](mlir::Diagnostic &) {});
  if (ScheduleAttr schedule = parseScheduleText(text, context))
    return schedule;
  return llvm::createStringError("cannot parse the schedule: " +
                                 text.take_front(200));
}

llvm::Error pruner::checkModuleText(llvm::MemoryBufferRef file) {
  if (mlir::isBytecode(file))
    return llvm::Error::success();
  TextLimits limits;
  limits.maxBytes = SIZE_MAX;
  std::string excess = findExcess(file.getBuffer(), limits);
  if (excess.empty())
    return llvm::Error::success();
  return llvm::createStringError(file.getBufferIdentifier() +
                                 ": rejected text: " + excess);
}

mlir::OwningOpRef<mlir::ModuleOp>
pruner::parseModuleText(llvm::StringRef text, mlir::MLIRContext *context,
                        llvm::StringRef name) {
  std::string excess = findExcess(text);
  // The parser also accepts bytecode, which nests without brackets.
  if (excess.empty() && text.starts_with("ML\xefR"))
    excess = "it is bytecode";
  if (!excess.empty()) {
    mlir::emitError(mlir::UnknownLoc::get(context))
        << "cannot parse the module: " << excess;
    return nullptr;
  }
  // The lexer reads up to a terminator, which `text` may lack.
  return mlir::parseSourceString<mlir::ModuleOp>(
      text.str(), mlir::ParserConfig(context), name);
}
