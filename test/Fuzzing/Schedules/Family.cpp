//===- Family.cpp - families of random cases ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Family.h"

#include "Fuzzing/Text/ElementName.h"

#include "pruner/Sketch/Sketch.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace pruner;

/// A coordinate that moves with a reduction and with another dimension.
static bool isWindow(const StatementDesc &anchor,
                     const LinearExpr &coordinate) {
  unsigned used = 0, reductions = 0;
  for (unsigned d = 0; d < anchor.dims.size(); ++d) {
    used += coordinate.uses(d);
    reductions += coordinate.uses(d) && anchor.dims[d].reduction;
  }
  return used > 1 && reductions > 0;
}

static StringRef kindOf(const TaskDesc &task) {
  const StatementDesc &anchor = task.anchorStatement();
  if (task.rows)
    return task.joinsProducts() ? "chain" : "rows";
  if (!task.hasReduction())
    return "elementwise";
  bool windows = any_of(anchor.inputs, [&](const OperandDesc &input) {
    return any_of(input.map, [&](const LinearExpr &coordinate) {
      return isWindow(anchor, coordinate);
    });
  });
  return windows                     ? "convolution"
         : anchor.inputs.size() == 1 ? "reduction"
                                     : "contraction";
}

std::string pruner::familyOf(const TaskDesc &task, const Schedule &schedule) {
  const StatementDesc &anchor = task.anchorStatement();
  std::string family = (sketchOf(schedule).name + " " + kindOf(task)).str();
  if (!anchor.inputs.empty())
    family +=
        " " + elementName(task.tensors[anchor.inputs[0].tensor].type).str();
  if (schedule.instruction)
    family += " mma";
  return family;
}
