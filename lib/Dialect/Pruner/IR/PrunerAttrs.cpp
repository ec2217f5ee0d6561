//===- PrunerAttrs.cpp - parse and print schedules ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Sketch/Knob.h"
#include "pruner/Sketch/Sketch.h"

#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace pruner;

/// Formats names as "'a', 'b' or 'c'".
static std::string alternatives(ArrayRef<std::string> names) {
  std::string text;
  for (auto [number, name] : llvm::enumerate(names)) {
    if (number > 0)
      text += number + 1 == names.size() ? " or " : ", ";
    text += "'" + name + "'";
  }
  return text;
}

template <typename Range, typename NameOf>
static std::string alternatives(const Range &range, NameOf nameOf) {
  return alternatives(llvm::map_to_vector(
      range, [&](const auto &entry) { return nameOf(entry).str(); }));
}

static ParseResult parseIntegers(AsmParser &parser,
                                 SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
}

/// Parses one of the words for the values of `knob`.
static ParseResult parseWord(AsmParser &parser, const Knob &knob,
                             int64_t &value) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  const auto *known = llvm::find(knob.words(), word);
  if (known == knob.words().end())
    return parser.emitError(loc)
           << "'" << word << "' is not a " << knob.noun() << "; expected "
           << alternatives(knob.words(), [](StringRef name) { return name; });
  value = known - knob.words().begin();
  return success();
}

static ParseResult parseValue(AsmParser &parser, const Knob &knob,
                              Schedule &schedule) {
  Knob::Value value;
  auto element = [&]() -> ParseResult {
    if (knob.words().empty())
      return parser.parseInteger(value.emplace_back());
    return parseWord(parser, knob, value.emplace_back());
  };
  if (knob.isList() ? parser.parseCommaSeparatedList(
                          AsmParser::Delimiter::Square, element)
                    : element())
    return failure();
  knob.set(schedule, value);
  return success();
}

/// Parses a `key = value` after the sketch's name.
static ParseResult parseEntry(AsmParser &parser, Schedule &schedule,
                              llvm::SmallDenseSet<StringRef> &seen) {
  StringRef key;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&key) || parser.parseEqual())
    return failure();
  if (!seen.insert(key).second)
    return parser.emitError(loc) << "'" << key << "' is given twice";
  if (key == "tiles")
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return parseIntegers(parser, schedule.tiles.emplace_back());
    });
  for (const Knob *knob : allKnobs())
    if (key == knob->name())
      return parseValue(parser, *knob, schedule);
  SmallVector<std::string> names = {"tiles"};
  for (const Knob *knob : allKnobs())
    names.push_back(knob->name().str());
  return parser.emitError(loc)
         << "'" << key << "' is not a knob; expected " << alternatives(names);
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  Schedule schedule;
  StringRef name;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return {};
  const Sketch *sketch = findSketch(name);
  if (!sketch) {
    parser.emitError(loc) << "'" << name << "' is not a sketch; expected "
                          << alternatives(allSketches(), [](const Sketch *s) {
                               return StringRef(s->name);
                             });
    return {};
  }
  schedule.sketch = sketch->id;
  llvm::SmallDenseSet<StringRef> seen;
  while (succeeded(parser.parseOptionalComma()))
    if (parseEntry(parser, schedule, seen))
      return {};
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), schedule);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  const Schedule &schedule = getValue();
  auto list = [&](const auto &values, auto print) {
    printer << "[";
    llvm::interleaveComma(values, printer, print);
    printer << "]";
  };
  auto number = [&](int64_t value) { printer << value; };
  printer << "<" << sketchOf(schedule).name << ", tiles = ";
  list(schedule.tiles, [&](const auto &factors) { list(factors, number); });
  for (const Knob *knob : allKnobs()) {
    if (knob->isDefault(schedule) && !knob->has(Knob::Spelled))
      continue;
    printer << ", " << knob->name() << " = ";
    auto element = [&](int64_t value) {
      if (knob->words().empty())
        printer << value;
      else
        printer << knob->words()[value];
    };
    if (knob->isList())
      list(knob->get(schedule), element);
    else
      element(knob->get(schedule).front());
  }
  printer << ">";
}
