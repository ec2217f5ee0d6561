//===- Family.cpp - families of random cases ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Family.h"
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

static StringRef nameOf(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return "f64";
  case ElementType::F32:
    return "f32";
  case ElementType::F16:
    return "f16";
  case ElementType::BF16:
    return "bf16";
  case ElementType::I64:
    return "i64";
  case ElementType::I32:
    return "i32";
  case ElementType::I16:
    return "i16";
  case ElementType::I8:
    return "i8";
  case ElementType::I1:
    return "i1";
  }
  llvm_unreachable("no such element type");
}

static StringRef kindOf(const TaskDesc &task) {
  const StatementDesc &anchor = task.anchorStatement();
  if (task.rows)
    return "rows";
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
    family += " " + nameOf(task.tensors[anchor.inputs[0].tensor].type).str();
  return family;
}
