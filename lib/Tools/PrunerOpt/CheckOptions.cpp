//===- CheckOptions.cpp - options of passes on the command line -----------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOptions.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

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

/// Returns the option names in a text like `a=1 b={2 3} c`.
static std::vector<StringRef> namesIn(StringRef text) {
  std::vector<StringRef> names;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == ' ') {
      ++i;
      continue;
    }
    size_t end = std::min(text.find_first_of(" =", i), text.size());
    names.push_back(text.slice(i, end));
    i = end < text.size() && text[end] == '=' ? endOfValue(text, end + 1) : end;
  }
  return names;
}

/// Returns the options that a pass prints, which excludes empty lists; none for
/// a pipeline of several passes.
static std::vector<std::string>
optionsOf(const mlir::PassRegistryEntry &entry) {
  mlir::OpPassManager passes("builtin.module",
                             mlir::OpPassManager::Nesting::Implicit);
  if (failed(entry.addToPipeline(
          passes, "", [](const Twine &) { return mlir::failure(); })))
    return {};
  std::string text;
  raw_string_ostream os(text);
  passes.printAsTextualPipeline(os);
  StringRef printed = text;
  std::string name = (entry.getPassArgument() + "{").str();
  size_t begin = printed.find(name);
  if (begin == StringRef::npos)
    return {};
  printed = printed.drop_front(begin + name.size());
  // Take the text up to the closing brace.
  printed = printed.take_front(endOfValue("{" + printed.str(), 0));
  std::vector<std::string> options;
  for (StringRef option : namesIn(printed.rtrim("})")))
    options.push_back(option.str());
  return options;
}

/// Returns the most similar option name; empty if none is similar.
static StringRef nearestOf(StringRef name, ArrayRef<std::string> options) {
  StringRef nearest;
  unsigned least = 1 + name.size() / 3;
  for (const std::string &option : options) {
    unsigned distance =
        name.edit_distance(option, /*AllowReplacements=*/true, least + 1);
    if (distance < least || (nearest.empty() && distance == least)) {
      nearest = option;
      least = distance;
    }
  }
  return nearest;
}

static bool checkArgument(const mlir::PassRegistryEntry &entry,
                          StringRef options, size_t number) {
  mlir::OpPassManager passes("builtin.module",
                             mlir::OpPassManager::Nesting::Implicit);
  std::string why;
  auto note = [&](const Twine &what) {
    why = what.str();
    return mlir::failure();
  };
  // The option parser itself prints errors about values.
  if (succeeded(entry.addToPipeline(passes, options, note)))
    return true;
  errs() << "pruner-opt: error: argument " << number << " (--"
         << entry.getPassArgument() << "): ";
  StringRef reason = StringRef(why).trim();
  StringRef name = reason;
  if (name.consume_front("<Pass-Options-Parser>: no such option ")) {
    std::vector<std::string> known = optionsOf(entry);
    StringRef nearest = nearestOf(name, known);
    errs() << "unknown option '" << name << "'";
    if (!nearest.empty())
      errs() << "; did you mean '" << nearest << "'?";
  } else {
    errs() << "cannot parse the options '" << options << "'"
           << (reason.empty() ? "" : ": ") << reason;
  }
  errs() << '\n';
  return false;
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
    const mlir::PassRegistryEntry *entry = mlir::PassInfo::lookup(name);
    if (!entry)
      entry = mlir::PassPipelineInfo::lookup(name);
    if (entry)
      good &= checkArgument(*entry, options, number);
  }
  return good;
}
