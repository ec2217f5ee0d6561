//===- PrimitiveText.cpp - sequences of primitives as text ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Sketch/Primitives.h"

#include "PrimitiveWords.h"

#include "pruner/Sketch/Knob.h"
#include "pruner/Sketch/Sketch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace pruner;
using namespace pruner::primitives;

namespace {
/// The spelling of the parameters of a type.
struct Spelling {
  /// The names of parameter `n`; empty if it is a number.
  llvm::SmallVector<llvm::StringRef, 8> names(size_t n) const;
  /// Parameters from here on are in brackets.
  size_t listFrom;
  PrimitiveType type;
  const Knob *knob;
};
} // namespace

static constexpr size_t kNever = ~size_t(0);

static Spelling spellingOf(unsigned type) {
  unsigned firstKnob = unsigned(PrimitiveType::FirstKnob);
  if (type >= firstKnob) {
    const Knob *knob = allKnobs()[type - firstKnob];
    return {knob->isList() ? 0 : kNever, PrimitiveType::FirstKnob, knob};
  }
  auto fixed = PrimitiveType(type);
  return {fixed == PrimitiveType::Tile ? kTileFixed : kNever, fixed, nullptr};
}

llvm::SmallVector<llvm::StringRef, 8> Spelling::names(size_t n) const {
  auto all = [](llvm::ArrayRef<llvm::StringLiteral> words) {
    return llvm::SmallVector<llvm::StringRef, 8>(words.begin(), words.end());
  };
  if (knob)
    return all(knob->words());
  if (type == PrimitiveType::Compute && n == 1)
    return all(roleNames());
  if (type == PrimitiveType::Tile && n == 1)
    return all(kindNames());
  llvm::SmallVector<llvm::StringRef, 8> sketches;
  if (type == PrimitiveType::Nest && n == 0)
    for (const Sketch *sketch : allSketches())
      sketches.push_back(sketch->name);
  return sketches;
}

void pruner::printPrimitives(llvm::ArrayRef<Primitive> sequence,
                             llvm::raw_ostream &os) {
  for (const Primitive &primitive : sequence) {
    Spelling spelling = spellingOf(primitive.type);
    os << primitiveName(primitive.type);
    size_t count = primitive.parameters.size();
    for (size_t n = 0; n < count; ++n) {
      os << (n > spelling.listFrom ? ", " : " ")
         << (n == spelling.listFrom ? "[" : "");
      int64_t value = primitive.parameters[n];
      auto names = spelling.names(n);
      if (value >= 1 && value <= int64_t(names.size()))
        os << names[size_t(value - 1)];
      else
        os << value;
    }
    if (spelling.listFrom <= count)
      os << (spelling.listFrom == count ? " []" : "]");
    os << '\n';
  }
}

static llvm::Error wrong(const llvm::Twine &what) {
  return llvm::createStringError(what);
}

/// Parses one parameter.
static llvm::Error parseWord(llvm::StringRef word, const Spelling &spelling,
                             Primitive &primitive) {
  auto names = spelling.names(primitive.parameters.size());
  int64_t value = 0;
  if (!names.empty()) {
    const auto *found = llvm::find(names, word);
    if (found == names.end())
      return wrong("unknown name '" + word + "'; expected one of " +
                   llvm::join(names, ", "));
    value = found - names.begin() + 1;
  } else if (word.getAsInteger(10, value)) {
    return wrong("expected a number, but got '" + word + "'");
  }
  primitive.parameters.push_back(value);
  return llvm::Error::success();
}

static llvm::Error parseOne(llvm::StringRef text, Primitive &primitive) {
  // No schedule has more parameters, and more would only cost memory.
  constexpr size_t kMostParameters = 256;
  auto [name, rest] = text.split(' ');
  unsigned types = primitiveTypeCount();
  while (primitive.type < types && primitiveName(primitive.type) != name)
    ++primitive.type;
  if (primitive.type == types)
    return wrong("unknown primitive '" + name + "'");
  Spelling spelling = spellingOf(primitive.type);
  auto [front, list] = rest.split('[');
  bool hasList = rest.contains('[');
  for (llvm::StringRef word : llvm::split(front, ' '))
    if (!word.empty())
      if (llvm::Error error = parseWord(word, spelling, primitive))
        return error;
  bool expected = spelling.listFrom != kNever;
  if (hasList != expected)
    return wrong(expected ? "expected a list in brackets"
                          : "unexpected list in brackets");
  if (hasList && primitive.parameters.size() != spelling.listFrom)
    return wrong("expected " + llvm::Twine(spelling.listFrom) +
                 " parameters before the list, but got " +
                 llvm::Twine(primitive.parameters.size()));
  if (!hasList)
    return llvm::Error::success();
  if (!list.consume_back("]"))
    return wrong("expected ']' at the end of the list");
  if (list.trim().empty())
    return llvm::Error::success();
  for (llvm::StringRef word : llvm::split(list, ',')) {
    if (primitive.parameters.size() == kMostParameters)
      return wrong("more than " + llvm::Twine(kMostParameters) + " parameters");
    if (llvm::Error error = parseWord(word.trim(), spelling, primitive))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<PrimitiveSequence>
pruner::parsePrimitives(llvm::StringRef text) {
  PrimitiveSequence sequence;
  while (!text.empty()) {
    size_t end = std::min(text.find_first_of(";\n"), text.size());
    llvm::StringRef one = text.take_front(end).trim();
    text = text.drop_front(std::min(end + 1, text.size()));
    if (one.empty())
      continue;
    if (llvm::Error error = parseOne(one, sequence.emplace_back()))
      return wrong("primitive " + llvm::Twine(sequence.size()) + ": " +
                   llvm::toString(std::move(error)));
  }
  return std::move(sequence);
}
