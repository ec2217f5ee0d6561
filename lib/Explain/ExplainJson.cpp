//===- ExplainJson.cpp - explanations for tools ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Explain/Explain.h"

using namespace pruner;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static Value toValue(const std::optional<double> &number) {
  return number ? Value(*number) : Value(nullptr);
}

static Value toValue(const Measured &m) {
  Object object{{"trials", int64_t(m.trials)},
                {"trial_seconds", toValue(m.trialSeconds)},
                {"final_seconds", toValue(m.finalSeconds)},
                {"spread", toValue(m.spread)},
                {"times", int64_t(m.times)}};
  if (m.failure != MeasureStatus::Ok) {
    object["failure"] = stringifyMeasureStatus(m.failure);
    object["reason"] = m.reason;
  }
  return object;
}

static Value toValue(const ScheduleView &view) {
  Array statements;
  for (const StatementView &s : view.statements)
    statements.push_back(Object{{"name", s.name},
                                {"seconds", s.psa.seconds},
                                {"compute_seconds", s.psa.computeSeconds},
                                {"memory_seconds", s.psa.memorySeconds},
                                {"limit", s.limit}});
  Object facts;
  for (const auto &[name, value] : view.code.facts)
    facts[name] = value;
  return Object{{"schedule", view.text},
                {"predicted_seconds", view.predictedSeconds},
                {"measured", toValue(view.measured)},
                {"statements", std::move(statements)},
                {"facts", std::move(facts)},
                {"facts_source", view.code.source}};
}

static Array toArray(llvm::ArrayRef<Difference> differences) {
  Array array;
  for (const Difference &d : differences)
    array.push_back(Object{{"what", d.what},
                           {"best", toValue(d.best)},
                           {"other", toValue(d.other)}});
  return array;
}

static Value toValue(const Comparison &comparison) {
  Value value = toValue(comparison.view);
  Object &object = *value.getAsObject();
  object["change"] = comparison.change;
  object["symbols_that_differ"] = toArray(comparison.symbols);
  object["facts_that_differ"] = toArray(comparison.facts);
  return value;
}

static Value toValue(const Neighbors &neighbors) {
  Array shown;
  for (const Neighbor &n : neighbors.shown)
    shown.push_back(Object{{"schedule", n.text},
                           {"change", n.change},
                           {"predicted_seconds", n.predictedSeconds},
                           {"measured", toValue(n.measured)}});
  return Object{{"legal", int64_t(neighbors.legal)},
                {"predicted_faster", int64_t(neighbors.predictedFaster)},
                {"measured", int64_t(neighbors.measured)},
                {"shown", std::move(shown)}};
}

static Value toValue(const Certainty &c) {
  return Object{{"decided_by", c.decidedBy},
                {"trials", int64_t(c.trials)},
                {"failed", int64_t(c.failed)},
                {"schedules", int64_t(c.schedules)},
                {"space", c.space},
                {"turns", int64_t(c.turns)},
                {"turns_won", int64_t(c.won)},
                {"lead", toValue(c.lead)},
                {"clear", c.clear},
                {"draft_rank_correlation", toValue(c.draftRank)},
                {"draft_pairs", int64_t(c.drafted)},
                {"score_rank_correlation", toValue(c.scoreRank)},
                {"score_pairs", int64_t(c.scored)},
                {"predicted_place", int64_t(c.predictedPlace)}};
}

Object pruner::toJson(const Explanation &e) {
  Array whyNot;
  for (const WhyNot &why : e.whyNot) {
    Object object{{"schedule", why.text}};
    if (why.broken) {
      object["rule"] = why.broken->rule;
      object["message"] = why.broken->message;
    } else {
      object["comparison"] = toValue(*why.comparison);
    }
    whyNot.push_back(std::move(object));
  }
  return Object{{"task", e.task},
                {"key", e.key},
                {"target", e.target},
                {"machine", e.machine},
                {"options", e.options},
                {"cache_state", e.cacheState},
                {"flops", e.flops},
                {"bytes", e.bytes},
                {"records", int64_t(e.records)},
                {"records_of_other_conditions", int64_t(e.otherConditions)},
                {"current_build", e.current},
                {"applied", e.applied},
                {"seconds", toValue(e.seconds)},
                {"default_seconds", toValue(e.defaultSeconds)},
                {"best", toValue(e.best)},
                {"neighbours", toValue(e.neighbors)},
                {"runner_up", e.runnerUp ? toValue(*e.runnerUp) : nullptr},
                {"certainty", toValue(e.certainty)},
                {"why_not", std::move(whyNot)}};
}
