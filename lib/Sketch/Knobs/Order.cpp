//===- Order.cpp - order of the register-block loops ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KnobKinds.h"

#include <algorithm>

using namespace pruner;
using detail::broken;
using detail::text;

namespace {
class Order final : public ListKnob {
public:
  Order() : ListKnob("order", AlwaysDrawn, &Schedule::order) {}

  std::vector<Value> values(const KnobContext &context,
                            unsigned position) const override;
  MutationShare mutations(const Sketch &sketch) const override {
    return sketch.gpu ? MutationShare{} : MutationShare{990, 5};
  }
  MaybeViolation check(const TaskDesc &task, const Schedule &s) const override;
  void drawAny(const TaskDesc &task, Schedule &s,
               Random &random) const override {
    if (!hasBlocks(task, sketchOf(s)) || !random.uniform(2))
      return;
    s.order = parallels(task);
    random.shuffle(s.order);
  }
  std::string describe(const Value &value) const override {
    std::string result;
    for (int64_t dim : value)
      result += (result.empty() ? "d" : ",d") + text(dim);
    return value.empty() ? "natural" : result;
  }

private:
  static bool hasBlocks(const TaskDesc &task, const Sketch &sketch) {
    return !sketch.gpu && sketch.tilesReduction() && !task.rows;
  }
  static Value parallels(const TaskDesc &task) {
    Value result;
    const auto &dims = task.anchorStatement().dims;
    for (unsigned d = 0; d < dims.size(); ++d)
      if (!dims[d].reduction)
        result.push_back(d);
    return result;
  }
};
} // namespace

/// All orders of up to four loops; for more loops, those that move one loop
/// inward.
std::vector<Knob::Value> Order::values(const KnobContext &context,
                                       unsigned position) const {
  std::vector<Value> orders = {{}};
  if (!hasBlocks(context.task, context.sketch))
    return orders;
  const Value natural = parallels(context.task);
  Value order = natural;
  if (natural.size() <= 4) {
    while (std::next_permutation(order.begin(), order.end()))
      orders.push_back(order);
    return orders;
  }
  for (unsigned moved = 0; moved + 1 < natural.size(); ++moved) {
    order = natural;
    std::rotate(order.begin() + moved, order.begin() + moved + 1, order.end());
    orders.push_back(order);
  }
  return orders;
}

MaybeViolation Order::check(const TaskDesc &task, const Schedule &s) const {
  const auto &order = s.order;
  if (order.empty())
    return std::nullopt;
  if (!hasBlocks(task, sketchOf(s)))
    return broken(10, "an order of " + text(order.size()) + " dimensions, " +
                          sketchOf(s).name.str() + " takes none");
  const auto &dims = task.anchorStatement().dims;
  size_t wanted = parallels(task).size();
  if (order.size() != wanted)
    return broken(10, "an order of " + text(order.size()) +
                          " dimensions, the anchor has " + text(wanted) +
                          " parallel ones");
  llvm::SmallVector<bool, 8> seen(dims.size(), false);
  for (int64_t dim : order) {
    if (dim < 0 || dim >= int64_t(dims.size()) || dims[dim].reduction)
      return broken(10, "the order names dimension " + text(dim) +
                            ", which is not a parallel one of the " +
                            text(dims.size()));
    if (seen[dim])
      return broken(10, "the order names dimension " + text(dim) +
                            " 2 times, once is allowed");
    seen[dim] = true;
  }
  return std::nullopt;
}

const Knob &pruner::orderKnob() {
  static const Order knob;
  return knob;
}
