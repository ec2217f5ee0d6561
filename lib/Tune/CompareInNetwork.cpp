//===- CompareInNetwork.cpp - compare schedules in the network ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BuildNetwork.h"
#include "Interrupt.h"
#include "Stopwatch.h"

#include "pruner/ModuleTasks/Forms.h"
#include "pruner/Record/Choice.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Support/Table.h"
#include "pruner/Tune/Tuner.h"

#include "llvm/ADT/StringSet.h"

using namespace pruner;

/// The largest number of schedules of a task in the comparison. The first is
/// the one that is applied; the others are within kNear of the fastest. Times
/// alone and in the network differ by about as much.
static constexpr size_t kMaxFinalists = 3;
static constexpr double kNear = 1.3;
/// The largest number of forms of a part that are compared with the chosen one.
static constexpr size_t kMaxOtherForms = 2;
/// Tasks with a smaller share of the total time have only one finalist. They
/// could gain little, and the times of short calls vary most.
static constexpr double kLeastShare = 0.02;
/// The number of interleaved turns. In 77 comparisons of eight turns, five or
/// six turns chose no faster schedules than four, according to the other turns.
static constexpr int64_t kTurns = 4;

namespace {
/// The schedules that may be applied to a task, best first, after the
/// comparison of the task alone; empty if the untuned default is kept.
struct NetworkFinalists {
  std::vector<Record> records;
  double seconds = 0; ///< Of one call of the applied schedule.
  bool known = false; ///< These were compared in the network before.
};
} // namespace

static NetworkFinalists networkFinalistsOf(llvm::ArrayRef<Record> records) {
  NetworkFinalists finalists;
  Choice choice = chooseRecord(records);
  finalists.seconds = choice.seconds.value_or(0);
  if (!choice.record)
    return finalists;
  finalists.records.push_back(*choice.record);
  std::vector<Record> others = latestFinal(records, kFinalStrategy);
  llvm::erase_if(others, [&](const Record &r) {
    return r.status != MeasureStatus::Ok || !r.verified || r.times.empty() ||
           !isScheduleText(r.schedule);
  });
  llvm::sort(others, [](const Record &a, const Record &b) {
    return std::pair(*medianTime(a), a.schedule) <
           std::pair(*medianTime(b), b.schedule);
  });
  for (const Record &other : others)
    if (finalists.records.size() < kMaxFinalists &&
        other.schedule != choice.record->schedule &&
        *medianTime(other) <= kNear * *medianTime(others.front()))
      finalists.records.push_back(other);
  std::vector<std::string> schedules;
  for (const Record &record : finalists.records)
    schedules.push_back(record.schedule);
  finalists.known = hadFinal(records, kNetworkFinalStrategy, schedules);
  return finalists;
}

/// Returns the finalist of a task in library n: the nth one, or the first if
/// there are fewer; null if there is none.
static const Record *finalistIn(size_t n, llvm::ArrayRef<Record> finalists) {
  return finalists.empty() ? nullptr : &finalists[n < finalists.size() ? n : 0];
}

/// Whether any form of a part calls one of these tasks.
static bool callsAny(AlternativesOp op, const llvm::StringSet<> &names) {
  return op
      ->walk([&](mlir::func::CallOp call) {
        return names.contains(call.getCallee()) ? mlir::WalkResult::interrupt()
                                                : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// The forms of libraries in which parts do not have the form that this run
/// chose: the nth has the nth fastest other form of each part, if it is near
/// the chosen one. A part that was compared in a network before is compared
/// again only if schedules of its tasks are.
std::vector<std::vector<std::string>>
Tuner::otherForms(llvm::ArrayRef<std::vector<Record>> finalists) {
  llvm::StringSet<> compared;
  for (auto [task, of] : llvm::zip_equal(tasks, finalists))
    if (of.size() > 1)
      compared.insert(mlir::func::FuncOp(task.function).getName());
  auto module = tasks.front().function->getParentOfType<mlir::ModuleOp>();
  const std::vector<std::string> chosen = chosenForms(module);
  std::vector<std::vector<std::string>> all;
  for (auto [part, times] :
       llvm::enumerate(timeForms(module, tasks, callTimes(results)))) {
    if (!llvm::is_contained(ownForms, times.op) ||
        (times.inNetwork && !callsAny(times.op, compared)))
      continue;
    const unsigned own = times.op.getChosenIndex();
    std::vector<std::pair<double, std::string>> others;
    for (auto [n, seconds] : llvm::enumerate(times.seconds))
      if (n != own && seconds <= kNear * times.seconds[own])
        others.push_back(
            {seconds, mlir::cast<mlir::StringAttr>(times.op.getNames()[n])
                          .getValue()
                          .str()});
    llvm::sort(others);
    if (others.size() > kMaxOtherForms)
      others.resize(kMaxOtherForms);
    for (auto [n, other] : llvm::enumerate(others)) {
      if (n == all.size())
        all.push_back(chosen);
      all[n][part] = other.second;
    }
  }
  return all;
}

/// The variant in which each task has its nth finalist.
NetworkVariant Tuner::variantOf(size_t n,
                                llvm::ArrayRef<std::vector<Record>> finalists,
                                std::vector<std::string> forms) {
  NetworkVariant variant{{}, std::move(forms)};
  for (auto [task, of] : llvm::zip_equal(tasks, finalists))
    if (const Record *record = finalistIn(n, of))
      variant.schedules[mlir::func::FuncOp(task.function).getName()] =
          record->schedule;
  return variant;
}

/// The names of the tasks of parts that have different forms in `variants`.
static llvm::StringSet<>
tasksOfComparedForms(mlir::ModuleOp module,
                     llvm::ArrayRef<NetworkVariant> variants) {
  llvm::StringSet<> names;
  size_t part = 0;
  module.walk([&](AlternativesOp op) {
    const size_t n = part++;
    if (llvm::any_of(variants, [&](const NetworkVariant &variant) {
          return variant.forms[n] != variants.front().forms[n];
        }))
      op.walk([&](mlir::func::CallOp call) { names.insert(call.getCallee()); });
  });
  return names;
}

/// The variants to compare: all finalists with the chosen forms, and those of
/// the tasks of compared forms with the other forms.
std::vector<NetworkVariant>
Tuner::networkVariants(llvm::ArrayRef<std::vector<Record>> finalists) {
  auto module = tasks.front().function->getParentOfType<mlir::ModuleOp>();
  const std::vector<std::string> chosen = chosenForms(module);
  std::vector<NetworkVariant> variants;
  for (const std::vector<Record> &of : finalists)
    while (variants.empty() || variants.size() < of.size())
      variants.push_back(variantOf(variants.size(), finalists, chosen));
  for (const std::vector<std::string> &forms : otherForms(finalists)) {
    const llvm::StringSet<> names = tasksOfComparedForms(
        module, {variants.front(), variantOf(0, finalists, forms)});
    size_t count = 1;
    for (auto [task, of] : llvm::zip_equal(tasks, finalists))
      if (names.contains(mlir::func::FuncOp(task.function).getName()))
        count = std::max(count, of.size());
    for (size_t n = 0; n < count; ++n)
      variants.push_back(variantOf(n, finalists, forms));
  }
  return variants;
}

/// Stores the times of the tasks with more than one finalist, and of those
/// whose forms are compared. All have the same run id, so that the times of
/// different tasks can be compared.
llvm::Error
Tuner::storeNetworkComparison(llvm::ArrayRef<NetworkVariant> variants,
                              llvm::ArrayRef<std::vector<Record>> finalists,
                              const NetworkReply &reply) {
  auto module = tasks.front().function->getParentOfType<mlir::ModuleOp>();
  const llvm::StringSet<> ofForms = tasksOfComparedForms(module, variants);
  const std::string finalId = contentHash(runId + "\nnetwork-final\n" +
                                          std::to_string(Stopwatch::now()));
  for (size_t n = 0; n < finalists.size(); ++n) {
    const std::vector<Record> &of = finalists[n];
    const llvm::StringRef name =
        mlir::func::FuncOp(tasks[n].function).getName();
    if (of.size() < 2 && !ofForms.contains(name))
      continue;
    std::vector<Record> stored;
    for (const Record &finalist : of) {
      // The first library that calls the task with this schedule. The network
      // does not call tasks that depend on constants alone.
      const std::vector<double> *seconds = nullptr;
      for (auto [variant, library] : llvm::zip(variants, reply.libraries)) {
        auto times = llvm::find_if(library.tasks, [&](const auto &task) {
          return task.key == tasks[n].key;
        });
        if (!seconds && times != library.tasks.end() &&
            variant.schedules.lookup(name) == finalist.schedule)
          seconds = &times->seconds;
      }
      if (!seconds)
        break;
      Record record = blankRecord(tasks[n], finalist.schedule);
      record.runId = finalId;
      record.strategy = kNetworkFinalStrategy.str();
      record.trial = -1 - int64_t(stored.size());
      record.status = MeasureStatus::Ok;
      record.times = *seconds;
      record.verified = finalist.verified;
      record.verification = finalist.verification;
      makeStorable(record);
      stored.push_back(std::move(record));
    }
    if (stored.empty() || stored.size() < of.size())
      continue;
    if (llvm::Error error = append(n, stored))
      return error;
  }
  return llvm::Error::success();
}

/// Chooses the forms again that this run chose, by the times in the network.
llvm::Error Tuner::chooseFormsAgain() {
  for (AlternativesOp op : ownForms)
    op.removeChosenAttr();
  if (llvm::Error error = readOutcomes())
    return error;
  auto module = tasks.front().function->getParentOfType<mlir::ModuleOp>();
  ownForms = chooseForms(module, tasks, callTimes(results));
  return llvm::Error::success();
}

/// The records of each task that are compared inside the network, the fastest
/// one first. Adds the seconds of all calls of tasks to `total`.
llvm::Expected<std::vector<std::vector<Record>>>
Tuner::networkFinalists(double &total) {
  auto module = tasks.front().function->getParentOfType<mlir::ModuleOp>();
  std::vector<NetworkFinalists> all;
  const std::vector<double> alone = secondsAlone(results);
  for (auto [task, count] :
       llvm::zip_equal(tasks, readNetwork(module, tasks).fastestCalls(alone))) {
    auto records = readTaskRecords(database, environment, task);
    if (!records)
      return records.takeError();
    all.push_back(networkFinalistsOf(records->current));
    total += count * all.back().seconds;
  }
  // The calls of the forms that are compared.
  auto isNear = [&](const NetworkPart::Forms &forms, unsigned n) {
    return forms[n].seconds(alone) <=
           kNear * forms[NetworkPart::fastest(forms, alone)].seconds(alone);
  };
  std::vector<std::vector<Record>> finalists;
  for (auto [count, of] :
       llvm::zip_equal(calls.countCalls(tasks.size(), isNear), all)) {
    if ((of.known || count * of.seconds < kLeastShare * total) &&
        of.records.size() > 1)
      of.records.resize(1);
    finalists.push_back(std::move(of.records));
  }
  return finalists;
}

/// The record of each task that is applied, or none.
llvm::Expected<std::vector<std::vector<Record>>> Tuner::bestRecords() {
  std::vector<std::vector<Record>> best;
  for (const ModuleTask &task : tasks) {
    auto record = bestRecord(database, environment, task, false);
    if (!record)
      return record.takeError();
    best.emplace_back();
    if (*record)
      best.back().push_back(std::move(**record));
  }
  return best;
}

static NetworkOutcome outcomeOf(const NetworkLibraryTimes &times) {
  NetworkOutcome outcome;
  Record whole;
  whole.times = times.seconds;
  outcome.seconds = *medianTime(whole);
  for (const NetworkTaskTimes &task : times.tasks) {
    whole.times = task.seconds;
    outcome.taskSeconds += double(task.calls) * *medianTime(whole);
  }
  return outcome;
}

/// Compares the best schedules of the heaviest tasks, and the forms of parts
/// with several, inside the compiled network, and times the network. If the
/// network cannot be built or run, a warning says so.
llvm::Error Tuner::compareInNetwork() {
  auto module = tasks.front().function->getParentOfType<mlir::ModuleOp>();
  mlir::func::FuncOp network = findNetwork(module);
  if (!network || pool.filesDirectory().empty())
    return llvm::Error::success();
  double total = 0;
  auto finalists = networkFinalists(total);
  if (!finalists)
    return finalists.takeError();
  Stopwatch watch(split.network);
  NetworkRequest request;
  request.threads = environment.threads;
  request.turns = kTurns;
  Progress progress("the network", 0, progressOptions());
  ObjectCache objects;
  // Libraries are built and timed, and sometimes once more with the winners.
  unsigned steps = 0, allSteps = 2;
  auto step = [&](llvm::StringRef note) {
    progress.update(steps, note);
    reportStatus("network", steps, allSteps);
    ++steps;
  };
  std::vector<NetworkVariant> variants = networkVariants(*finalists);
  auto time = [&]() -> llvm::Expected<NetworkReply> {
    step("is built");
    if (interrupted())
      return llvm::createStringError("interrupted");
    auto libraries = buildNetworks(network, variants, environment,
                                   pool.filesDirectory(), objects, interrupted);
    if (!libraries)
      return libraries.takeError();
    if (libraries->size() < variants.size())
      return llvm::createStringError("interrupted");
    request.libraries = std::move(*libraries);
    step("is timed");
    if (interrupted())
      return llvm::createStringError("interrupted");
    double visits = double(request.turns) * double(request.libraries.size());
    return pool.runNetworks(request, 60 + 20 * visits *
                                              (request.minSeconds + 2 * total));
  };
  auto reply = time();
  size_t winner = 0;
  if (reply && request.libraries.size() > 1) {
    if (llvm::Error error =
            storeNetworkComparison(variants, *finalists, *reply))
      return error;
    if (llvm::Error error = chooseFormsAgain())
      return error;
    auto winners = bestRecords();
    if (!winners)
      return winners.takeError();
    // Build and time the network with all winners, unless it was one of the
    // libraries.
    const NetworkVariant best = variantOf(0, *winners, chosenForms(module));
    winner = llvm::find(variants, best) - variants.begin();
    if (winner == variants.size()) {
      variants = {best};
      winner = 0;
      allSteps = 4;
      reply = time();
    }
  }
  if (reply)
    reportStatus("network", allSteps, allSteps);
  if (!reply) {
    std::string reason = llvm::toString(reply.takeError());
    if (!interrupted())
      *options.hooks.log
          << "pruner-tune: warning: the network could not be timed (" << reason
          << ")\n";
    return llvm::Error::success();
  }
  networkTimes = outcomeOf(reply->libraries[winner]);
  return readOutcomes();
}
