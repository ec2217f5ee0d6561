//===- ChooseSizes.cpp - choose the sizes for which a network is tuned ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Draft/Draft.h"

#include "pruner/Conversion/Normalize/Accuracy.h"
#include "pruner/Conversion/SpecializeShapes/Specialize.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Draft/Passes.h"
#include "pruner/Library/EmitLibrary.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

namespace pruner {
#define GEN_PASS_DEF_CHOOSESIZESPASS
#include "pruner/Draft/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

/// The time of a function without tasks.
static constexpr double kUnknownSeconds = 1e-6;

namespace {
struct ChooseSizesPass
    : public pruner::impl::ChooseSizesPassBase<ChooseSizesPass> {
  using ChooseSizesPassBase::ChooseSizesPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerLibraryDialects(registry);
  }
  void runOnOperation() override {
    if (failed(choose()))
      signalPassFailure();
  }

private:
  LogicalResult fail(const Twine &message) {
    return emitError(getOperation().getLoc(), "pruner-choose-sizes: ")
           << message;
  }

  LogicalResult choose() {
    if (!(waste >= 0) || population == 0)
      return fail("option 'waste' must not be negative, and option "
                  "'population' must be at least 1");
    auto made = Environment::create(target, threads);
    if (!made)
      return fail(llvm::toString(made.takeError()));
    FailureOr<func::FuncOp> function = findRanged(getOperation(), entry);
    if (failed(function))
      return failure();
    FailureOr<RangeAttr> range = rangeOf(*function);
    if (failed(range))
      return failure();
    for (int64_t size : candidates)
      if (size < 1 || size > range->getMax())
        return fail("option 'candidates': " + Twine(size) +
                    " is not between 1 and " + Twine(range->getMax()));

    bool independent = true;
    std::vector<double> seconds(range->getMax() + 1);
    SmallVector<int64_t> known = grid(*range);
    for (int64_t size : known)
      if (failed(predict(*function, *range, size, *made, seconds[size],
                         independent)))
        return failure();
    // Small sizes may have no tasks. They are not predicted to be faster than
    // the next size that has. Without any task, no size is better than another.
    llvm::erase_if(known, [&](int64_t size) { return seconds[size] == 0; });
    if (known.empty() || known.back() != range->getMax()) {
      emitRemark(function->getLoc())
          << "the function for " << range->getName() << " = " << range->getMax()
          << " has no task whose time could be predicted; it is used for all "
             "sizes";
      known = {range->getMax()};
      seconds[range->getMax()] = kUnknownSeconds;
    }
    interpolate(known, seconds);
    SmallVector<int64_t> chosen;
    if (range->getSizes().empty())
      chosen = chooseSizes(*range, independent, known, seconds, waste);
    else
      chosen.assign(range->getSizes().begin(), range->getSizes().end());
    attachSizes(*function, *range, independent, chosen, seconds);
    return success();
  }

  /// Returns the sizes to predict, always with the greatest.
  SmallVector<int64_t> grid(RangeAttr range) {
    SmallVector<int64_t> sizes(candidates.begin(), candidates.end());
    if (sizes.empty() && !range.getSizes().empty())
      llvm::append_range(sizes, range.getSizes());
    // Start at 1, because pieces of a call may be smaller than every call.
    for (int64_t n = 1;
         candidates.empty() && range.getSizes().empty() && n < range.getMax();
         n += llvm::bit_floor<uint64_t>(std::max<int64_t>(1, n / 12)))
      sizes.push_back(n);
    sizes.push_back(range.getMax());
    llvm::sort(sizes);
    sizes.erase(llvm::unique(sizes), sizes.end());
    return sizes;
  }

  /// Predicts the total time of the tasks of the function for `size`; 0 if it
  /// has none.
  LogicalResult predict(func::FuncOp function, RangeAttr range, int64_t size,
                        const Environment &environment, double &seconds,
                        bool &independent) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
    auto copy = cast<func::FuncOp>(function->clone());
    module->push_back(copy);
    if (Attribute accuracy = function->getParentOp()->getAttr(kAccuracyAttr))
      (*module)->setAttr(kAccuracyAttr, accuracy);
    SmallVector<int64_t> calls = callsUpTo(size);
    FailureOr<StaticFunction> made =
        specializeFunction(copy, range, size, calls);
    if (failed(made))
      return failure();
    // A call of size 1 cannot be split, so it shows nothing.
    independent &= made->independent || calls.size() == 1;
    copy.erase();
    // Suppress remarks about operations outside the tasks.
    ScopedDiagnosticHandler quiet(&getContext(), [](Diagnostic &diagnostic) {
      return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
    });
    FailureOr<std::vector<ModuleTask>> tasks =
        collectTasks(*module, {false, "", {environment.machine}});
    if (failed(tasks))
      return failure();
    seconds = 0;
    for (const ModuleTask &task : *tasks) {
      double &own = predicted[task.key];
      if (own == 0)
        // No cache state: the caches hold no data of the next piece.
        draftSchedule(task.desc, std::nullopt, environment, population, seed,
                      &own);
      seconds += task.weight * own;
    }
    ++numPredicted;
    return success();
  }

  /// Interpolates the times between the known sizes. No time exceeds that of a
  /// larger size, because padding to the larger size would be faster.
  static void interpolate(ArrayRef<int64_t> known,
                          std::vector<double> &seconds) {
    for (size_t k = known.size(); k-- > 1;)
      seconds[known[k - 1]] =
          std::min(seconds[known[k - 1]], seconds[known[k]]);
    for (int64_t n = 1; n < known.front(); ++n)
      seconds[n] = seconds[known.front()];
    for (size_t k = 1; k < known.size(); ++k) {
      const int64_t from = known[k - 1], to = known[k];
      for (int64_t n = from + 1; n < to; ++n)
        seconds[n] = seconds[from] + (seconds[to] - seconds[from]) *
                                         double(n - from) / double(to - from);
    }
  }

  void attachSizes(func::FuncOp function, RangeAttr range, bool independent,
                   ArrayRef<int64_t> chosen,
                   const std::vector<double> &seconds) {
    SmallVector<double> times = llvm::map_to_vector(
        chosen, [&](int64_t size) { return seconds[size]; });
    Builder builder(&getContext());
    function->setAttr(
        "pruner.representatives",
        builder.getDictionaryAttr(
            {builder.getNamedAttr("seconds",
                                  builder.getDenseF64ArrayAttr(times)),
             builder.getNamedAttr("sizes",
                                  builder.getDenseI64ArrayAttr(chosen))}));
    numChosen += chosen.size();
    std::vector<double> planned =
        plannedSeconds(range, independent, chosen, times);
    double worst = 0, sum = 0;
    int64_t count = 0, where = 0;
    for (int64_t n = range.getMin(); n <= range.getMax(); ++n) {
      if (!range.contains(n))
        continue;
      double ratio = planned[n] / seconds[n];
      sum += ratio;
      ++count;
      if (ratio > worst) {
        worst = ratio;
        where = n;
      }
    }
    InFlightDiagnostic remark = emitRemark(function.getLoc());
    remark << "'" << range.getName() << "' of @" << function.getName()
           << (independent ? ", in pieces: " : ": ");
    llvm::interleaveComma(chosen, remark);
    remark << llvm::formatv("; predicted time relative to code for the exact "
                            "size: {0:f2} on average, {1:f2} at most (for "
                            "size {2})",
                            sum / double(count), worst, where)
                  .str();
  }

  /// Predicted seconds by task key.
  std::map<std::string, double> predicted;
};
} // namespace
