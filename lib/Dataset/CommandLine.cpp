//===- CommandLine.cpp - options of the dataset commands ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandLine.h"
#include "pruner/Support/NamedFiles.h"
#include "pruner/Support/NearestName.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pruner;

/// An error if the output would replace a file that is read.
static std::string findReplaced(const CommandLine &line) {
  SmallVector<NamedFile> inputs;
  for (StringRef file : line.files)
    inputs.push_back({"input", file.str()});
  inputs.push_back({"weights", line.option("weights").str()});
  for (const char *name : {"machine", "target"})
    if (StringRef file = line.option(name); file.consume_front("file:"))
      inputs.push_back({"machine", file.str()});
  for (const NamedFile &input : inputs) {
    std::string wrong =
        findOverwrite({input, {"output", line.option("o").str()}});
    if (!wrong.empty())
      return wrong;
  }
  return "";
}

Expected<CommandLine> CommandLine::parse(ArrayRef<StringRef> words,
                                         ArrayRef<StringRef> known) {
  CommandLine line;
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (!word.starts_with("-") || word == "-") {
      line.files.push_back(word);
      continue;
    }
    auto [name, value] = word.split('=');
    StringRef dashes = name.take_while([](char c) { return c == '-'; });
    name = name.drop_front(dashes.size());
    if (!is_contained(known, name))
      return createStringError("unknown option '" + (dashes + name) + "'" +
                               didYouMean(name, known, dashes));
    if (word == "-o") {
      if (++i == words.size())
        return createStringError("expected a file name after -o");
      value = words[i];
    }
    if (!line.options.try_emplace(name.str(), value.str()).second)
      return createStringError("option '" + name + "' is given twice");
  }
  std::string wrong = findReplaced(line);
  if (!wrong.empty())
    return createStringError(wrong);
  return std::move(line);
}

StringRef CommandLine::option(const char *name) const {
  auto found = options.find(name);
  return found == options.end() ? StringRef() : StringRef(found->second);
}

bool pruner::reportBadLines(StringRef file, ArrayRef<BadLine> bad) {
  constexpr size_t kShown = 20;
  for (const BadLine &line : bad.take_front(kShown))
    errs() << file << ':' << line.line << ": " << line.reason << '\n';
  if (bad.size() > kShown)
    errs() << file << ": and " << bad.size() - kShown << " more bad lines\n";
  return bad.empty();
}

bool pruner::reportBadLines(const DatasetView &view) {
  bool good = true;
  for (const auto &[file, bad] : view.bad)
    good &= reportBadLines(file, bad);
  return good;
}
