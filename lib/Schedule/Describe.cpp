//===- Describe.cpp - a space in words ------------------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Schedule/Space.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace pruner;

std::string pruner::scheduleKey(const Schedule &schedule) {
  std::string key = variantName(schedule.variant).str();
  auto add = [&](char mark, const auto &values) {
    key += mark;
    for (auto value : values) {
      key += std::to_string(int64_t(value));
      key += ',';
    }
  };
  for (const auto &factors : schedule.tiles)
    add('t', factors);
  add('s', schedule.stages);
  add('o', schedule.order);
  add('p', schedule.split);
  int64_t rest[] = {schedule.vector, schedule.vectorDim, schedule.unroll,
                    schedule.pad, schedule.prefetch};
  add('r', rest);
  return key;
}

static llvm::StringRef levelName(Variant variant, bool reduction,
                                 unsigned level) {
  static constexpr llvm::StringLiteral cpu[] = {"cache", "block", "register"};
  static constexpr llvm::StringLiteral simt[] = {"vthread", "thread", "copies",
                                                 "element"};
  static constexpr llvm::StringLiteral steps[] = {"slice", "step"};
  switch (variant) {
  case Variant::CpuTile:
    return reduction ? steps[0] : cpu[level];
  case Variant::SimtTile:
    return reduction ? steps[level] : simt[level];
  case Variant::CpuRow:
    return reduction ? "along rows" : level == 0 ? "loop" : "rows";
  case Variant::CpuMap:
    return level == 0 ? "loop" : "register";
  case Variant::SimtMap:
  case Variant::SimtRow:
    return level == 0 ? "thread" : "element";
  }
  return "";
}

std::vector<Knob> SketchSpace::knobs() const {
  std::vector<Knob> result;
  const auto &dims = taskDesc.anchorStatement().dims;
  for (unsigned d = 0; d < dims.size(); ++d) {
    unsigned levels = innerTileLevels(sketch, dims[d].reduction);
    for (unsigned level = 0; level < levels; ++level)
      result.push_back(
          {("tile d" + llvm::Twine(d) + " " +
            levelName(sketch, dims[d].reduction, level))
               .str(),
           choices(d, level, dims[d].extent,
                   lastDim == d && !isGpu(sketch) ? vectors.back() : 0)});
  }
  for (unsigned i = 0; i < stages.size(); ++i) {
    Knob knob{("stage of input " + llvm::Twine(i)).str(), {}};
    for (StageLevel level : stages[i])
      knob.choices.push_back(int64_t(level));
    result.push_back(std::move(knob));
  }
  result.push_back({"vector", vectors});
  result.push_back({"vector_dim", vectorDims});
  result.push_back({"unroll", unrolls});
  result.push_back({"pad", pads});
  result.push_back({"prefetch", prefetches});
  Knob order{"order", {}};
  for (unsigned i = 0; i < orders.size(); ++i)
    order.choices.push_back(i);
  result.push_back(std::move(order));
  Knob split{"split", {}};
  for (unsigned i = 0; i < splits.size(); ++i)
    split.choices.push_back(i);
  result.push_back(std::move(split));
  return result;
}

std::string SketchSpace::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "space " << variantName(sketch) << " of " << taskDesc.name << " on "
     << device.name << ": " << llvm::format("%.3g", size()) << " schedules\n";
  for (const Knob &knob : knobs()) {
    if (knob.choices.size() < 2)
      continue;
    os << "  " << knob.name << ":";
    for (int64_t choice : knob.choices) {
      if (llvm::StringRef(knob.name).starts_with("stage"))
        os << " " << stageLevelName(StageLevel(choice));
      else if (knob.name == "vector_dim" && choice < 0)
        os << " last";
      else if (knob.name == "vector_dim")
        os << " d" << choice;
      else if (knob.name == "order" && orders[choice].empty())
        os << " natural";
      else if (knob.name == "order") {
        os << " ";
        for (unsigned i = 0; i < orders[choice].size(); ++i)
          os << (i ? "," : "") << "d" << orders[choice][i];
      } else if (knob.name == "split" && splits[choice].empty())
        os << " none";
      else if (knob.name == "split") {
        os << " ";
        for (unsigned i = 0; i < splits[choice].size(); ++i)
          os << (i ? "x" : "") << splits[choice][i];
      } else
        os << " " << choice;
    }
    os << "\n";
  }
  return text;
}
