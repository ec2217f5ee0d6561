//===- TaskScheduler.cpp - choose the task of the next round --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/TaskScheduler.h"

#include <algorithm>
#include <cmath>

using namespace pruner;

std::string pruner::similarityTag(const std::string &kind, double flops) {
  return kind + ":" +
         std::to_string(int(std::floor(std::log(flops + 1) / std::log(1.618))));
}

TaskScheduler::TaskScheduler(std::vector<ScheduledTask> tasks,
                             TaskSchedulerOptions options, NetworkPart network)
    : tasks(std::move(tasks)), states(this->tasks.size()), options(options),
      network(std::move(network)) {}

double TaskScheduler::latency() const {
  if (!network.choices.empty()) {
    std::vector<double> best;
    for (const State &state : states)
      best.push_back(state.best());
    return network.seconds(best);
  }
  double total = 0;
  for (size_t i = 0; i < tasks.size(); ++i)
    total += tasks[i].weight * states[i].best();
  return total;
}

double TaskScheduler::similarSpeed(unsigned task) const {
  if (states[task].alone || tasks[task].tag.empty())
    return 0;
  double speed = 0;
  unsigned similar = 0;
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].tag != tasks[task].tag || states[i].alone)
      continue;
    ++similar;
    if (std::isfinite(states[i].best()))
      speed = std::max(speed, tasks[i].flops / states[i].best());
  }
  return similar > 1 ? speed : 0;
}

/// After many rounds, a task far behind similar tasks is not compared with
/// them.
void TaskScheduler::stopComparing(unsigned task) {
  double speed = similarSpeed(task), best = states[task].best();
  if (speed == 0 || !std::isfinite(best))
    return;
  size_t most = 0;
  for (size_t i = 0; i < tasks.size(); ++i)
    if (i != task && tasks[i].tag == tasks[task].tag)
      most = std::max(most, states[i].history.size());
  if (tasks[task].flops / best < speed / options.beta &&
      states[task].history.size() > 5 + most)
    states[task].alone = true;
}

void TaskScheduler::report(unsigned task, double bestSeconds) {
  State &state = states[task];
  state.history.push_back(std::min(state.best(), bestSeconds));
  stopComparing(task);
  size_t rounds = state.history.size();
  if (options.patience > 0 && rounds > options.patience &&
      state.history[rounds - 1 - options.patience] == state.best())
    state.dead = true;
}

double TaskScheduler::expectedSeconds(unsigned task) const {
  const State &state = states[task];
  double best = state.best();
  if (state.dead)
    return best;
  if (!std::isfinite(best))
    return state.history.size() < options.retries ? 0 : best;
  return best - best / double(state.history.size());
}

std::vector<double> TaskScheduler::weights() const {
  std::vector<double> result;
  if (network.choices.empty()) {
    for (const ScheduledTask &task : tasks)
      result.push_back(task.weight);
    return result;
  }
  std::vector<double> best, expected;
  for (unsigned i = 0; i < tasks.size(); ++i) {
    best.push_back(states[i].best());
    expected.push_back(expectedSeconds(i));
  }
  auto inRace = [&](const NetworkPart::Forms &forms, unsigned n) {
    unsigned fastest = NetworkPart::fastest(forms, best);
    return n == fastest ||
           forms[n].seconds(expected) < forms[fastest].seconds(best);
  };
  return network.countCalls(tasks.size(), inRace);
}

double TaskScheduler::gradient(unsigned task) const {
  const State &state = states[task];
  double best = state.best();
  if (state.dead || !std::isfinite(best))
    return 0;
  size_t rounds = state.history.size();
  double backward = 0;
  // Compare only rounds that both have a valid result.
  if (rounds > options.window &&
      std::isfinite(state.history[rounds - 1 - options.window]))
    backward = (best - state.history[rounds - 1 - options.window]) /
               double(options.window);
  double expected = expectedSeconds(task);
  if (double speed = similarSpeed(task); speed > 0)
    expected = std::min(expected, options.beta * tasks[task].flops / speed);
  double forward = expected - best;
  return options.alpha * backward + (1 - options.alpha) * forward;
}

std::vector<double> TaskScheduler::gradients() const {
  std::vector<double> result = weights();
  for (unsigned i = 0; i < tasks.size(); ++i)
    result[i] *= gradient(i);
  return result;
}

/// Returns the task with the fewest rounds, or -1 if all have had their rounds.
int TaskScheduler::nextInRotation() const {
  int chosen = -1;
  size_t fewest = options.roundsEach;
  for (unsigned i = 0; i < tasks.size(); ++i)
    if (!states[i].dead && states[i].history.size() < fewest) {
      chosen = i;
      fewest = states[i].history.size();
    }
  return chosen;
}

int TaskScheduler::next(std::optional<unsigned> underWay) const {
  if (underWay) {
    TaskScheduler after(*this);
    after.report(*underWay, std::numeric_limits<double>::infinity());
    return after.next();
  }
  if (options.roundsEach > 0)
    return nextInRotation();
  for (unsigned i = 0; i < tasks.size(); ++i)
    if (!states[i].dead && states[i].history.empty())
      return i;
  std::vector<double> calls = weights();
  auto isOut = [&](unsigned i) {
    return states[i].dead || (calls[i] == 0 && !network.choices.empty());
  };
  for (unsigned i = 0; i < tasks.size(); ++i)
    if (!isOut(i) && !std::isfinite(states[i].best()) &&
        states[i].history.size() < options.retries)
      return i;
  // Ties go to the task with fewer rounds, then to the first.
  int chosen = -1;
  double least = 0;
  for (unsigned i = 0; i < tasks.size(); ++i) {
    if (isOut(i))
      continue;
    double value = calls[i] * gradient(i);
    bool better = chosen < 0 || value < least ||
                  (value == least &&
                   states[i].history.size() < states[chosen].history.size());
    if (better) {
      chosen = i;
      least = value;
    }
  }
  return chosen;
}
