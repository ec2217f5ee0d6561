//===- PrunerAttrs.cpp - spelling of schedules ----------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace pruner;

llvm::hash_code pruner::hash_value(const Schedule &schedule) {
  llvm::hash_code code = llvm::hash_combine(
      unsigned(schedule.variant), schedule.vector, schedule.unroll,
      schedule.pad, schedule.vectorDim, schedule.prefetch,
      llvm::hash_combine_range(schedule.stages.begin(), schedule.stages.end()),
      llvm::hash_combine_range(schedule.order.begin(), schedule.order.end()),
      llvm::hash_combine_range(schedule.split.begin(), schedule.split.end()));
  for (const auto &factors : schedule.tiles)
    code = llvm::hash_combine(
        code, llvm::hash_combine_range(factors.begin(), factors.end()));
  return code;
}

static ParseResult parseIntegers(AsmParser &parser,
                                 SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
}

static ParseResult parseStages(AsmParser &parser, Schedule &schedule) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        StringRef word;
        SMLoc loc = parser.getCurrentLocation();
        if (parser.parseKeyword(&word))
          return failure();
        std::optional<StageLevel> level;
        for (StageLevel known : {StageLevel::None, StageLevel::Inner,
                                 StageLevel::Outer, StageLevel::Ahead})
          if (word == stageLevelName(known))
            level = known;
        if (!level)
          return parser.emitError(loc) << "'" << word
                                       << "' is not a stage level; expected "
                                          "'none', 'inner', 'outer' or 'ahead'";
        schedule.stages.push_back(*level);
        return success();
      });
}

/// `key = value` behind the sketch's name.
static ParseResult parseKnob(AsmParser &parser, Schedule &schedule,
                             llvm::SmallDenseSet<StringRef> &seen) {
  StringRef key;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&key) || parser.parseEqual())
    return failure();
  if (!seen.insert(key).second)
    return parser.emitError(loc) << "'" << key << "' is given twice";
  if (key == "tiles")
    return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
      return [&](auto &values) -> ParseResult {
        return parser.parseCommaSeparatedList(
            AsmParser::Delimiter::Square,
            [&] { return parser.parseInteger(values.emplace_back()); });
      }(schedule.tiles.emplace_back());
    });
  if (key == "stages")
    return parseStages(parser, schedule);
  if (key == "order")
    return parseIntegers(parser, schedule.order);
  if (key == "split")
    return parseIntegers(parser, schedule.split);
  int64_t *number = llvm::StringSwitch<int64_t *>(key)
                        .Case("vector", &schedule.vector)
                        .Case("unroll", &schedule.unroll)
                        .Case("pad", &schedule.pad)
                        .Case("vector_dim", &schedule.vectorDim)
                        .Case("prefetch", &schedule.prefetch)
                        .Default(nullptr);
  if (!number)
    return parser.emitError(loc)
           << "'" << key
           << "' is not a knob; expected 'tiles', 'stages', 'vector', "
              "'vector_dim', 'unroll', 'pad', 'order', 'split' or 'prefetch'";
  return parser.parseInteger(*number);
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  Schedule schedule;
  StringRef name;
  if (parser.parseLess())
    return {};
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return {};
  std::optional<Variant> variant = parseVariant(name);
  if (!variant) {
    parser.emitError(loc) << "'" << name
                          << "' is not a sketch; expected 'cpu_tile', "
                             "'cpu_map', 'cpu_row', 'simt_tile', 'simt_map' "
                             "or 'simt_row'";
    return {};
  }
  schedule.variant = *variant;
  llvm::SmallDenseSet<StringRef> seen;
  while (succeeded(parser.parseOptionalComma()))
    if (parseKnob(parser, schedule, seen))
      return {};
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), schedule);
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  const Schedule &schedule = getValue();
  auto list = [&](const auto &values) {
    printer << "[";
    llvm::interleaveComma(values, printer);
    printer << "]";
  };
  printer << "<" << variantName(schedule.variant) << ", tiles = [";
  llvm::interleaveComma(schedule.tiles, printer, list);
  printer << "], stages = [";
  llvm::interleaveComma(schedule.stages, printer, [&](StageLevel level) {
    printer << stageLevelName(level);
  });
  printer << "], vector = " << schedule.vector;
  if (schedule.vectorDim >= 0)
    printer << ", vector_dim = " << schedule.vectorDim;
  printer << ", unroll = " << schedule.unroll;
  if (schedule.pad)
    printer << ", pad = " << schedule.pad;
  if (!schedule.order.empty()) {
    printer << ", order = ";
    list(schedule.order);
  }
  if (!schedule.split.empty()) {
    printer << ", split = ";
    list(schedule.split);
  }
  if (schedule.prefetch)
    printer << ", prefetch = " << schedule.prefetch;
  printer << ">";
}
