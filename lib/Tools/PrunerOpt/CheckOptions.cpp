//===- CheckOptions.cpp - options of passes as text -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Tools/PrunerOpt/CheckOptions.h"
#include "pruner/Conversion/ExtractTasks/JoinProducts.h"
#include "pruner/Support/NamedFiles.h"
#include "pruner/Support/NearestName.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>

using namespace llvm;
using pruner::NamedFile;

/// Returns the end of the value at `i`: the next space outside of quotes and
/// braces.
static size_t endOfValue(StringRef text, size_t i) {
  unsigned depth = 0;
  char quote = 0;
  for (; i < text.size(); ++i) {
    char c = text[i];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else if (c == '{')
      ++depth;
    else if (c == '}')
      depth -= depth > 0;
    else if (c == ' ' && depth == 0)
      break;
  }
  return i;
}

namespace {
/// `name=value`, or a name alone.
struct OptionText {
  StringRef name;
  std::optional<StringRef> value;
};
} // namespace

/// The options that a text like `a=1 b={2 3} c` has.
static std::vector<OptionText> optionsIn(StringRef text) {
  std::vector<OptionText> options;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == ' ') {
      ++i;
      continue;
    }
    size_t end = std::min(text.find_first_of(" =", i), text.size());
    OptionText option{text.slice(i, end), std::nullopt};
    i = end;
    if (end < text.size() && text[end] == '=') {
      i = endOfValue(text, end + 1);
      option.value = text.slice(end + 1, i);
    }
    options.push_back(option);
  }
  return options;
}

/// The value without the quotes or braces around it.
static StringRef withoutQuotes(StringRef value) {
  for (StringRef pair : {"''", "\"\"", "{}"})
    if (value.size() >= 2 && value.front() == pair[0] &&
        value.back() == pair[1])
      return value.drop_front().drop_back();
  return value;
}

/// Options with their defaults, parsed from the text that a pass or pipeline
/// prints. Options whose default is an empty list are missing there.
static std::vector<std::pair<std::string, std::string>>
defaultsIn(StringRef printed, StringRef argument) {
  std::string name = (argument + "{").str();
  size_t begin = printed.find(name);
  if (begin == StringRef::npos)
    return {};
  printed = printed.drop_front(begin + name.size());
  // The options end with the closing brace.
  printed = printed.take_front(endOfValue("{" + printed.str(), 0));
  std::vector<std::pair<std::string, std::string>> defaults;
  for (const OptionText &option : optionsIn(printed.rtrim("})")))
    defaults.emplace_back(option.name.str(), option.value.value_or("").str());
  return defaults;
}

/// The options of a pass; none of a pipeline of several.
static std::vector<std::pair<std::string, std::string>>
defaultsOf(const mlir::PassRegistryEntry &entry) {
  mlir::OpPassManager passes("builtin.module",
                             mlir::OpPassManager::Nesting::Implicit);
  if (failed(entry.addToPipeline(
          passes, "", [](const Twine &) { return mlir::failure(); })))
    return {};
  std::string text;
  raw_string_ostream os(text);
  passes.printAsTextualPipeline(os);
  return defaultsIn(text, entry.getPassArgument());
}

static std::string
noSuchOption(StringRef name,
             ArrayRef<std::pair<std::string, std::string>> defaults) {
  return ("unknown option '" + name + "'" +
          pruner::didYouMean(
              name, defaults,
              [](const auto &option) -> StringRef { return option.first; }))
      .str();
}

/// Options that may have values above 32 bits. LLVM's parser reports larger
/// values of the others itself, and MLIR does not state the types.
static constexpr StringLiteral kWideOptions[] = {"seed", "min-saved",
                                                 "min-elements"};

/// The names of the values of an option.
class ValueNames {
public:
  explicit ValueNames(const cl::ValuesClass &values) { values.apply(*this); }

  bool contains(StringRef name) const { return is_contained(names, name); }
  /// "'a', 'b' or 'c'"
  std::string list() const {
    auto quoted =
        map_range(names, [](StringRef name) { return "'" + name.str() + "'"; });
    std::string all = join(quoted, ", ");
    size_t last = all.rfind(", ");
    return all.substr(0, last) + " or " + all.substr(last + 2);
  }

  ValueNames &getParser() { return *this; }
  void addLiteralOption(StringRef name, int, StringRef) {
    names.push_back(name);
  }

private:
  SmallVector<StringRef> names;
};

/// The expected kind of value, derived from the default, if `value` is not of
/// this kind; otherwise empty.
static std::string expectedFor(StringRef name, StringRef usual,
                               std::optional<StringRef> value) {
  if (usual == "true" || usual == "false") {
    // A name alone means true.
    bool good = !value || is_contained({"true", "TRUE", "True", "1", "false",
                                        "FALSE", "False", "0"},
                                       withoutQuotes(*value));
    return good ? "" : "'true' or 'false'";
  }
  StringRef text = withoutQuotes(value.value_or(""));
  // The one option whose type is an enumeration.
  if (name == "join-products") {
    ValueNames names(pruner::joinProductsValues());
    return names.contains(text) ? "" : names.list();
  }
  uint64_t whole;
  if (!usual.empty() && all_of(usual, isDigit)) {
    if (text.getAsInteger(0, whole))
      return "a whole number of at least 0";
    return whole > UINT32_MAX && !is_contained(kWideOptions, name)
               ? "a whole number of at most 4294967295"
               : "";
  }
  double real;
  // Reals are printed with an exponent, unlike versions.
  if (usual.contains('e') && !usual.getAsDouble(real))
    return text.getAsDouble(real) ? "a number" : "";
  return "";
}

static std::string
findWrong(ArrayRef<std::pair<std::string, std::string>> defaults,
          StringRef options) {
  for (const OptionText &option : optionsIn(options))
    for (const auto &[name, usual] : defaults) {
      if (name != option.name)
        continue;
      std::string expected = expectedFor(name, usual, option.value);
      if (!expected.empty())
        return ("option '" + name + "': expected " + expected + ", but got '" +
                option.value.value_or("") + "'")
            .str();
    }
  return "";
}

static constexpr StringLiteral kNoSuchOption =
    "<Pass-Options-Parser>: no such option ";

/// The first error in the options; empty if there is none. `parse` reads them
/// and passes errors to its argument.
static std::string findWrong(
    ArrayRef<std::pair<std::string, std::string>> defaults, StringRef options,
    function_ref<
        mlir::LogicalResult(function_ref<mlir::LogicalResult(const Twine &)>)>
        parse) {
  std::string wrong = findWrong(defaults, options);
  if (!wrong.empty())
    return wrong;
  std::string why;
  auto note = [&](const Twine &what) {
    why = what.str();
    return mlir::failure();
  };
  if (succeeded(parse(note)))
    return "";
  StringRef reason = StringRef(why).trim();
  StringRef name = reason;
  if (name.consume_front(kNoSuchOption))
    return noSuchOption(name, defaults);
  return ("the options '" + options + "' cannot be read" +
          (reason.empty() ? "" : ": ") + reason)
      .str();
}

static std::string findWrong(const mlir::PassRegistryEntry &entry,
                             StringRef options) {
  return findWrong(defaultsOf(entry), options, [&](auto note) {
    mlir::OpPassManager passes("builtin.module",
                               mlir::OpPassManager::Nesting::Implicit);
    return entry.addToPipeline(passes, options, note);
  });
}

static std::vector<std::pair<std::string, std::string>>
defaultsOf(mlir::Pass &pass) {
  std::string text;
  raw_string_ostream os(text);
  pass.printAsTextualPipeline(os);
  return defaultsIn(text, pass.getArgument());
}

std::vector<std::string> pruner::optionNames(mlir::Pass &pass) {
  std::vector<std::string> names;
  for (const auto &[name, value] : defaultsOf(pass))
    names.push_back(name);
  return names;
}

std::string pruner::setOptions(mlir::Pass &pass, StringRef options) {
  return findWrong(defaultsOf(pass), options, [&](auto note) {
    return pass.initializeOptions(options, note);
  });
}

static const mlir::PassRegistryEntry *lookUp(StringRef name) {
  if (const mlir::PassRegistryEntry *pass = mlir::PassInfo::lookup(name))
    return pass;
  return mlir::PassPipelineInfo::lookup(name);
}

std::string pruner::findWrongOptionInPipeline(StringRef pipeline) {
  if (pipeline.size() > 10000) // Not written by hand.
    return "";
  while (true) {
    size_t begin = pipeline.find('{');
    if (begin == StringRef::npos)
      return "";
    StringRef name = pipeline.take_front(begin).rtrim();
    name = name.substr(name.find_last_of("(,{} ") + 1);
    // The shortest text in which the brace is closed.
    StringRef options = pipeline.substr(begin);
    for (size_t end = options.find('}'); end != StringRef::npos;
         end = options.find('}', end + 1)) {
      StringRef inner = options.take_front(end + 1);
      if (endOfValue((inner + " ").str(), 0) <= inner.size()) {
        options = withoutQuotes(inner);
        break;
      }
    }
    const mlir::PassRegistryEntry *entry = lookUp(name);
    std::string wrong = entry ? findWrong(*entry, options.trim()) : "";
    if (!wrong.empty())
      return (name + ": " + wrong).str();
    pipeline = pipeline.drop_front(begin + 1);
  }
}

static bool checkArgument(const mlir::PassRegistryEntry &entry,
                          StringRef options, size_t number) {
  std::string wrong = findWrong(entry, options);
  if (wrong.empty())
    return true;
  errs() << "pruner-opt: error: argument " << number << " (--"
         << entry.getPassArgument() << "): " << wrong << '\n';
  return false;
}

std::string pruner::findOverwriteInArguments(ArrayRef<const char *> arguments,
                                             StringRef output) {
  std::vector<NamedFile> files = {{"output", output.str()}};
  for (StringRef argument : arguments.drop_front()) {
    if (!argument.starts_with("-"))
      continue;
    // The options of one pass or, in a textual pipeline, of several.
    SmallVector<StringRef> words;
    SplitString(argument, words, " \t\n{},()\"'");
    for (StringRef word : words) {
      // The first option follows the name of its pass.
      StringRef path = word.substr(word.rfind('=') + 1);
      StringRef name = word.drop_back(std::min(path.size() + 1, word.size()));
      name = name.substr(name.rfind('=') + 1);
      if (path.empty() || !is_contained({"db", "output", "out", "trace"}, name))
        continue;
      StringRef what = name == "db" ? "database" : "output of a pass";
      bool isKnown = name == "db" && any_of(files, [&](const NamedFile &file) {
                       return file.what == what && file.path == path;
                     });
      if (!isKnown)
        files.push_back({what, path.str()});
    }
  }
  return findOverwrite(files);
}

bool pruner::checkPassOptions(ArrayRef<const char *> arguments) {
  bool good = true;
  for (auto [number, text] : enumerate(arguments)) {
    StringRef argument = text;
    if (number == 0 || !argument.consume_front("-"))
      continue;
    argument.consume_front("-");
    auto [name, options] = argument.split('=');
    if (options.empty())
      continue;
    if (const mlir::PassRegistryEntry *entry = lookUp(name))
      good &= checkArgument(*entry, options, number);
  }
  return good;
}
