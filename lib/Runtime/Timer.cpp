//===- Timer.cpp - the timing protocol of a callback ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/Timer.h"

#include "llvm/ADT/Sequence.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

using namespace pruner;

int64_t pruner::nowNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

TimingResult pruner::summarizeSamples(std::vector<double> samples) {
  TimingResult result;
  if (samples.empty())
    return result;
  result.samples = samples;
  std::sort(samples.begin(), samples.end());
  size_t n = samples.size();
  result.minimum = samples.front();
  result.median =
      n % 2 ? samples[n / 2] : (samples[n / 2 - 1] + samples[n / 2]) / 2;
  result.p90 = samples[(n * 9 + 9) / 10 - 1];
  result.spread = result.minimum > 0 ? result.median / result.minimum : 1;
  return result;
}

TimingResult pruner::censoredTime(double seconds) {
  TimingResult result = summarizeSamples({seconds});
  result.censored = true;
  return result;
}

namespace {
/// One callback with its batch size; takes samples.
class Sampler {
public:
  Sampler(const std::function<void()> &run, const TimingOptions &options)
      : run(run), options(options) {}

  /// Seconds per run over `runs` runs in a row.
  double sample(int runs) {
    if (options.before)
      options.before();
    int64_t start = options.clock();
    for (int i = 0; i < runs; ++i)
      run();
    return (options.clock() - start) * 1e-9 / runs;
  }

  /// The seconds of the fastest run; infinity without warm-ups.
  double warmUp() {
    double spent = 0, least = std::numeric_limits<double>::infinity();
    int most = options.before ? std::min(options.warmUps, 1) : options.warmUps;
    for (int i = 0; i < most && spent < options.minSeconds; ++i) {
      double seconds = sample(1);
      spent += seconds;
      least = std::min(least, seconds);
    }
    return least;
  }

  /// Runs per sample for a callback that takes `seconds`.
  int batch(double seconds) const {
    constexpr int most = 1 << 20;
    if (options.before)
      return 1;
    if (seconds * most <= options.minSampleSeconds)
      return most;
    return std::max(
        1, static_cast<int>(std::ceil(options.minSampleSeconds / seconds)));
  }

private:
  const std::function<void()> &run;
  const TimingOptions &options;
};
} // namespace

/// `seconds` is the time of the runs, `wall` the total time.
static bool enough(const TimingOptions &options, size_t samples, double seconds,
                   double wall) {
  return samples >= static_cast<size_t>(std::max(1, options.maxSamples)) ||
         (samples >= static_cast<size_t>(std::max(1, options.minSamples)) &&
          (seconds >= options.minSeconds ||
           (options.before && wall >= options.maxWallSeconds)));
}

/// For slow callbacks, two samples that agree are enough.
static bool enoughOfSlow(const TimingOptions &options,
                         const std::vector<double> &samples) {
  constexpr size_t few = 2;
  return samples.size() >=
             static_cast<size_t>(std::max(1, options.minSamples)) ||
         (samples.size() >= few &&
          summarizeSamples(samples).spread <= options.maxSpread);
}

llvm::Expected<TimingResult> pruner::repeatWhileNoisy(
    double maxSpread, int maxRepeats, double repeatBelow, int runs,
    llvm::function_ref<llvm::Expected<std::vector<double>>(int)> take) {
  TimingResult best;
  for (int repeat = 0;; ++repeat) {
    llvm::Expected<std::vector<double>> samples = take(repeat);
    if (!samples)
      return samples.takeError();
    TimingResult result = summarizeSamples(std::move(*samples));
    if (repeat == 0 || result.spread < best.spread)
      best = result;
    best.repeats = repeat;
    best.noisy = best.spread > maxSpread;
    if (!best.noisy || repeat >= maxRepeats ||
        (repeatBelow > 0 && best.minimum > repeatBelow))
      break;
  }
  best.runsPerSample = runs;
  return best;
}

TimingResult pruner::timeCallback(const std::function<void()> &run,
                                  const TimingOptions &options) {
  Sampler sampler(run, options);
  double warm = sampler.warmUp();
  double first = sampler.sample(1);
  // A single slow run may have been interrupted.
  double fastest = std::min(warm, first);
  if (options.censorAbove > 0 && fastest > options.censorAbove)
    return censoredTime(fastest);
  int runs = sampler.batch(fastest);
  bool slow = options.slowAbove > 0 && fastest > options.slowAbove;
  return llvm::cantFail(repeatWhileNoisy(
      options.maxSpread, options.maxRepeats, options.slowAbove, runs,
      [&](int repeat) {
        std::vector<double> samples;
        double seconds = 0;
        // A first run that was timed alone counts as a sample.
        if (repeat == 0 && runs == 1) {
          samples.push_back(first);
          seconds = first;
        }
        int64_t start = options.before ? options.clock() : 0;
        auto wall = [&] {
          return options.before ? double(options.clock() - start) * 1e-9 : 0;
        };
        auto done = [&] {
          return (slow && enoughOfSlow(options, samples)) ||
                 enough(options, samples.size(), seconds, wall());
        };
        while (!done()) {
          samples.push_back(sampler.sample(runs));
          seconds += samples.back() * runs;
        }
        return samples;
      }));
}

llvm::SmallVector<size_t> pruner::interleavedOrder(size_t turn, size_t count) {
  auto order = llvm::to_vector(llvm::seq<size_t>(0, count));
  if (count > 0)
    std::rotate(order.begin(), order.begin() + turn % count, order.end());
  return order;
}
