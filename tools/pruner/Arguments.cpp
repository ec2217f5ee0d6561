//===- Arguments.cpp - options and files of commands ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arguments.h"

#include "pruner/Support/NearestName.h"
#include "pruner/Tools/PrunerOpt/CheckOptions.h"

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace pruner;

std::string pruner::optionText(StringRef name, StringRef value) {
  StringRef quote = value.contains('"') ? "'" : "\"";
  bool plain = !value.empty() && value.find_first_of(" '\"{}") == value.npos;
  return (" " + name + "=" + (plain ? value : (quote + value + quote).str()))
      .str();
}

Expected<Arguments> Arguments::parse(ArrayRef<const char *> words,
                                     ArrayRef<StringRef> own, mlir::Pass *pass,
                                     ArrayRef<StringRef> hidden) {
  std::vector<std::string> ofPass;
  if (pass) {
    ofPass = optionNames(*pass);
    ofPass.push_back("targets"); // A list, which is empty by default.
  }
  erase_if(ofPass, [&](StringRef name) { return is_contained(hidden, name); });
  std::vector<StringRef> names(own.begin(), own.end());
  names.insert(names.end(), ofPass.begin(), ofPass.end());
  Arguments arguments;
  StringSet<> given;
  for (size_t n = 0; n < words.size(); ++n) {
    StringRef word = words[n];
    StringRef rest = word;
    if (word == "-" || !rest.consume_front("-")) {
      arguments.files.push_back(word.str());
      continue;
    }
    rest.consume_front("-");
    auto [name, value] = rest.split('=');
    if (!is_contained(names, name)) {
      StringRef dashes = word.take_front(word.size() - rest.size());
      return createStringError("unknown option '" + (dashes + name) + "'" +
                               didYouMean(name, ArrayRef(names), dashes));
    }
    if (!given.insert(name).second)
      return createStringError("option '" + name + "' is given twice");
    if (!rest.contains('=')) {
      if (++n == words.size())
        return createStringError("option '" + word + "' needs a value");
      value = words[n];
    }
    if (is_contained(own, name))
      arguments.own[name] = value.str();
    else {
      arguments.namesOfPass.push_back(name.str());
      arguments.ofPass += optionText(name, value);
    }
  }
  return std::move(arguments);
}

std::string Arguments::get(StringRef name, StringRef otherwise) const {
  auto found = own.find(name);
  return found == own.end() ? otherwise.str() : found->second;
}
