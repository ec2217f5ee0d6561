//===- ScheduleChange.cpp - differences of two schedules ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Explain/Explain.h"

#include "pruner/Sketch/Knob.h"
#include "pruner/Sketch/Sketch.h"

#include "llvm/ADT/StringExtras.h"

using namespace pruner;

/// A value as in IR.
static std::string spell(const Knob &knob, const Schedule &schedule) {
  std::string text;
  for (int64_t value : knob.get(schedule)) {
    bool word = value >= 0 && size_t(value) < knob.words().size();
    text += (text.empty() ? "" : ", ") +
            (word ? knob.words()[value].str() : std::to_string(value));
  }
  return knob.isList() ? "[" + text + "]" : text;
}

std::string pruner::describeChange(const TaskDesc &task, const Schedule &from,
                                   const Schedule &to) {
  const Sketch &sketch = sketchOf(from);
  if (from.sketch != to.sketch)
    return (sketch.name + " -> " + sketchOf(to).name).str();
  std::vector<std::string> changes;
  auto add = [&](const llvm::Twine &what, const llvm::Twine &before,
                 const llvm::Twine &after) {
    changes.push_back((what + " " + before + " -> " + after).str());
  };
  for (unsigned d = 0; d < task.dims().size(); ++d)
    for (auto [l, level] : llvm::enumerate(sketch.levels(task.kindOf(d))))
      if (from.tiles[d][l] != to.tiles[d][l])
        add("d" + llvm::Twine(d) + " " + level.name,
            llvm::Twine(from.tiles[d][l]), llvm::Twine(to.tiles[d][l]));
  for (const Knob *knob : allKnobs())
    if (!knob->equal(from, to))
      add(knob->name(), spell(*knob, from), spell(*knob, to));
  return llvm::join(changes, ", ");
}
