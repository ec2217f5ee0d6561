//===- SimilarTasks.cpp - schedules of similar tasks ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimilarTasks.h"

#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Recognition/TaskText.h"
#include "pruner/Record/Choice.h"
#include "pruner/Record/Database.h"
#include "pruner/TaskRecords/RecordJudge.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace pruner;

/// The number of tasks whose schedules are taken over.
static constexpr size_t kMaxDonors = 2;

/// Adds the distance of two indexing maps to `distance`. Returns false if they
/// read different dimensions.
static bool compareMaps(const AccessMap &a, const AccessMap &b,
                        double &distance) {
  if (a.size() != b.size())
    return false;
  for (auto [left, right] : llvm::zip_equal(a, b))
    for (auto [x, y] : llvm::zip_equal(left.coeffs, right.coeffs)) {
      if ((x == 0) != (y == 0))
        return false;
      distance += x != y;
    }
  return true;
}

std::optional<double> pruner::distanceBetween(const TaskDesc &a,
                                              const TaskDesc &b) {
  const StatementDesc &left = a.anchorStatement(), &right = b.anchorStatement();
  if (a.rows != b.rows || a.dims().size() != b.dims().size() ||
      left.inputs.size() != right.inputs.size() ||
      (a.rows && a.statements.size() != b.statements.size()))
    return std::nullopt;
  double distance = 0;
  for (auto [x, y] : llvm::zip_equal(a.dims(), b.dims())) {
    if (x.reduction != y.reduction)
      return std::nullopt;
    distance += std::abs(std::log2(double(x.extent) / double(y.extent)));
  }
  auto compare = [&](const OperandDesc &x, const OperandDesc &y) {
    const TensorDesc &first = a.tensors[x.tensor],
                     &second = b.tensors[y.tensor];
    distance += first.constant != second.constant;
    return first.type == second.type && compareMaps(x.map, y.map, distance);
  };
  if (!compare(left.output, right.output))
    return std::nullopt;
  for (auto [x, y] : llvm::zip_equal(left.inputs, right.inputs))
    if (!compare(x, y))
      return std::nullopt;
  return distance;
}

namespace {
/// A recorded task and its best schedule.
struct Donor {
  TaskDesc desc;
  Schedule schedule;
};
} // namespace

/// Returns the tasks of `database` with a best schedule in this environment.
static llvm::Expected<std::vector<Donor>>
findDonors(Database &database, const Environment &environment) {
  auto stored = database.tasks();
  if (!stored)
    return stored.takeError();
  std::unique_ptr<mlir::MLIRContext> context = createTaskContext();
  RecordJudge judge;
  std::vector<Donor> donors;
  for (const StoredTask &task : *stored) {
    RecordQuery query;
    query.taskKey = task.key;
    query.target = environment.target.str();
    query.machineKey = environment.machineKey();
    std::vector<BadRow> bad;
    auto settings = database.settings(query, /*counted=*/false, bad);
    if (!settings)
      return settings.takeError();
    llvm::erase_if(*settings, [&](const Setting &setting) {
      return setting.example.pipelineOptions != environment.pipelineOptions();
    });
    auto selection = database.select(
        *settings, /*unmeasured=*/false, [&](const Record &record) {
          return judge.problemOf(record, task).empty();
        });
    if (!selection)
      return selection.takeError();
    std::optional<Record> best = chooseRecord(selection->records).record;
    if (!best)
      continue;
    auto parsed = parseTaskText(task.text, context.get());
    auto schedule = readScheduleText(best->schedule, context.get());
    // The judge checked both texts; skip the task if one does not parse.
    if (!parsed || !schedule) {
      llvm::consumeError(parsed.takeError());
      llvm::consumeError(schedule.takeError());
      continue;
    }
    donors.push_back({std::move(parsed->ir.desc), schedule->getValue()});
  }
  return donors;
}

llvm::Error pruner::findSimilar(llvm::StringRef file,
                                const Environment &environment,
                                std::vector<ModuleTask> &tasks,
                                llvm::raw_ostream &log) {
  auto database = Database::open(file, OpenMode::ReadOnly);
  if (!database)
    return database.takeError();
  auto donors = findDonors(*database, environment);
  if (!donors)
    return donors.takeError();
  unsigned helped = 0;
  for (ModuleTask &task : tasks) {
    std::vector<std::pair<double, const Donor *>> near;
    for (const Donor &donor : *donors)
      if (auto distance = distanceBetween(task.desc, donor.desc);
          distance && *distance <= kFarthest)
        near.push_back({*distance, &donor});
    llvm::stable_sort(near, llvm::less_first());
    for (auto [_, donor] : near) {
      if (task.similar.size() < kMaxDonors &&
          !llvm::is_contained(task.similar, donor->schedule))
        task.similar.push_back(donor->schedule);
    }
    helped += !task.similar.empty();
  }
  log << "pruner-tune: found similar tasks for " << helped << " of "
      << tasks.size() << " tasks among the " << donors->size() << " of '"
      << file << "'\n";
  return llvm::Error::success();
}
