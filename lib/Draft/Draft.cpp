//===- Draft.cpp - pruner-draft -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Draft/Draft.h"

#include "pruner/Draft/Passes.h"
#include "pruner/ModuleTasks/ModuleTask.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Library/EmitLibrary.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Search/Strategy.h"

namespace pruner {
#define GEN_PASS_DEF_DRAFTPASS
#include "pruner/Draft/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

/// Dimensions of tasks for which the population suffices. With 512 schedules,
/// drafts of 3-D convolutions are predicted up to 10 % slower than with 2,048,
/// and networks of 2-D convolutions up to 1 %.
static constexpr size_t kDraftDims = 7;

std::optional<Schedule>
pruner::draftSchedule(const TaskDesc &task,
                      const std::optional<CacheState> &caches,
                      const Environment &environment, unsigned population,
                      uint64_t seed, double *seconds) {
  ScheduleSpace space(task, environment.machine);
  SearchOptions options;
  options.seed = seed;
  size_t dims = task.statements[task.anchor].dims.size();
  options.population = dims > kDraftDims ? 4 * population : population;
  options.draftSize = 1;
  options.randomShare = 0;
  options.psa.threads = environment.threads;
  options.psa.caches = caches;
  std::vector<Trial> drafts =
      strategies::draftOnly().createSearch(space, nullptr, options)->propose(1);
  if (drafts.empty())
    return std::nullopt;
  if (seconds)
    *seconds = drafts.front().draftSeconds;
  return std::move(drafts.front().schedule);
}

namespace {
struct DraftPass : public pruner::impl::DraftPassBase<DraftPass> {
  using DraftPassBase::DraftPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerLibraryDialects(registry);
  }
  void runOnOperation() override {
    if (failed(draftAll()))
      signalPassFailure();
  }

private:
  LogicalResult fail(const Twine &message) {
    return emitError(getOperation().getLoc(), "pruner-draft: ") << message;
  }

  LogicalResult draftAll() {
    if (population == 0)
      return fail("option 'population' must be at least 1");
    auto environment = Environment::create(target, threads);
    if (!environment)
      return fail(llvm::toString(environment.takeError()));
    FailureOr<std::vector<ModuleTask>> tasks = collectTasks(
        getOperation(), {verboseRemarks, accuracy, {environment->machine}});
    if (failed(tasks))
      return failure();
    if (llvm::Error error =
            findCacheStates(getOperation(), *environment, "network", *tasks))
      return fail(llvm::toString(std::move(error)));
    for (ModuleTask &task : *tasks) {
      ++numTasks;
      StringRef attribute = PrunerDialect::getScheduleAttrName();
      if (task.function->hasAttr(attribute))
        continue;
      std::optional<Schedule> schedule = draftSchedule(
          task.desc, task.cacheState, *environment, population, seed);
      if (!schedule) {
        emitRemark(task.function.getLoc(), "pruner-draft: '")
            << task.desc.name << "' has no legal schedule for '" << target
            << "'";
        continue;
      }
      task.function->setAttr(attribute,
                             ScheduleAttr::get(&getContext(), *schedule));
      ++numDrafted;
    }
    return lower ? lowerScheduled(getOperation(), *environment) : success();
  }
};
} // namespace
