//===- VectorDim.cpp - the dimension along vectors ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnobKinds.h"

#include "pruner/Support/Sizes.h"

using namespace pruner;
using detail::broken;
using detail::text;

/// Whether vectors may run along dimension `d`, along which the task reduces.
static bool isAlongRows(const TaskDesc &task, const StatementDesc &anchor,
                        unsigned d) {
  return task.kindOf(d) == DimKind::Reduction && anchor.associative;
}

namespace {
class VectorDim final : public NumberKnob {
public:
  VectorDim()
      : NumberKnob("vector_dim", BeforeTiles | AlwaysDrawn,
                   &Schedule::vectorDim) {}

  std::vector<Value> values(const KnobContext &context,
                            unsigned position) const override;
  const Knob *mutatesWith() const override { return &vectorKnob(); }
  MaybeViolation check(const TaskDesc &task, const Schedule &s) const override;
  /// Mostly along the output's last coordinate.
  void drawAny(const TaskDesc &task, Schedule &s,
               Random &random) const override {
    if (sketchOf(s).gpu || random.uniform(3) != 0)
      return;
    const StatementDesc &anchor = task.anchorStatement();
    unsigned d = random.uniform(task.dims().size());
    if (task.kindOf(d) == DimKind::Parallel ? !task.rows
                                            : isAlongRows(task, anchor, d))
      s.vectorDim = d;
  }
  std::string describe(const Value &value) const override {
    return value.front() < 0 ? "last" : "d" + text(value.front());
  }
};
} // namespace

/// Whether an input has a coordinate that depends on several dimensions, like
/// the input of a convolution.
static bool readsWindows(const StatementDesc &anchor) {
  for (const OperandDesc &input : anchor.inputs)
    for (const LinearExpr &expr : input.map) {
      unsigned used = 0;
      for (unsigned d = 0; d < expr.coeffs.size(); ++d)
        used += expr.uses(d);
      if (used > 1)
        return true;
    }
  return false;
}

/// Along the output's last coordinate all writes are contiguous. Other parallel
/// dimensions are tried if its extent fills vectors badly, because lanes beyond
/// it take more than 3 % of the work, or if inputs are read through windows. So
/// are reduction dimensions along which an input is contiguous in memory.
std::vector<Knob::Value> VectorDim::values(const KnobContext &context,
                                           unsigned position) const {
  std::vector<Value> values = numbers({-1});
  if (context.sketch.gpu || context.task.rows)
    return values;
  const StatementDesc &anchor = context.task.anchorStatement();
  std::optional<unsigned> lastDim = defaultVectorDimension(context.task);
  int64_t longest = vectorKnob().values(context, 0).back().front();
  int64_t last = lastDim ? anchor.dims[*lastDim].extent : 1;
  bool windows = readsWindows(anchor);
  bool fillsBadly = (ceilDiv(last, longest) * longest - last) * 32 > last;
  for (unsigned d = 0; d < anchor.dims.size(); ++d) {
    if (d == lastDim || anchor.dims[d].extent < 2)
      continue;
    bool contiguous = false;
    for (const OperandDesc &input : anchor.inputs)
      contiguous |= !input.map.empty() && input.map.back().uses(d) &&
                    std::abs(input.map.back().coeffs[d]) == 1;
    if (anchor.dims[d].reduction
            ? anchor.associative && contiguous
            : anchor.dims[d].extent >= longest && (windows || fillsBadly))
      values.push_back({d});
  }
  return values;
}

MaybeViolation VectorDim::check(const TaskDesc &task, const Schedule &s) const {
  int64_t dim = s.vectorDim;
  if (dim == -1)
    return std::nullopt;
  const StatementDesc &anchor = task.anchorStatement();
  const Sketch &sketch = sketchOf(s);
  auto found = [&] { return "vectors run along dimension " + text(dim); };
  if (sketch.gpu)
    return broken(19, found() + ", " + sketch.name.str() + " has no vectors");
  if (dim < 0 || dim >= int64_t(task.dims().size()))
    return broken(19, found() + ", the anchor has " + text(task.dims().size()) +
                          " dimensions");
  if (task.rows && task.kindOf(dim) != DimKind::Reduction)
    return broken(19, found() + " across the rows, but those of " +
                          sketch.name.str() + " run along rows");
  if (task.kindOf(dim) == DimKind::Reduction && !anchor.associative)
    return broken(19, "vectors run along the reduction dimension " + text(dim) +
                          ", but the anchor does not accumulate by one "
                          "associative operation");
  return std::nullopt;
}

const Knob &pruner::vectorDimKnob() {
  static const VectorDim knob;
  return knob;
}
