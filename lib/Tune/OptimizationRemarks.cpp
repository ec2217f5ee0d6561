//===- OptimizationRemarks.cpp - optimization remarks about tasks ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Tune/OptimizationRemarks.h"

#include "pruner/Analysis/DraftModel.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/Format.h"

#include <map>

using namespace mlir;
using namespace pruner;

using Arg = remark::detail::Remark::Arg;

/// The remark streamer writes lines only for plain file locations.
static Location placeOf(Location location) {
  std::optional<Location> place;
  location->walk([&](Location inner) {
    if (!isa<FileLineColLoc>(inner))
      return WalkResult::advance();
    place = inner;
    return WalkResult::interrupt();
  });
  return place.value_or(location);
}

static bool hasRemarkEngine(const ModuleTask &task) {
  func::FuncOp function = task.function;
  return function->getContext()->getRemarkEngine() != nullptr;
}

static remark::RemarkOpts options(const RemarkSource &source,
                                  llvm::StringRef name) {
  func::FuncOp function = source.task.function;
  return remark::RemarkOpts::name(name)
      .category(source.pass)
      .function(function.getName());
}

static Location placeOf(const ModuleTask &task) {
  func::FuncOp function = task.function;
  return placeOf(function.getLoc());
}

static Arg quantity(llvm::StringRef key, double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", value);
  return Arg(key, std::move(text));
}

static void remarkLimits(const RemarkSource &source, const Schedule &schedule) {
  const Machine &machine = source.environment.machine;
  PsaOptions psa = psaOptions(source.environment, source.task);
  DraftModel model(source.task.desc, machine, psa);
  const ProgramSummary &program = model.summaryOf(schedule);
  PsaReport report = analyzePsa(program, machine, psa);
  for (auto [statement, part] :
       llvm::zip_equal(program.statements, report.statements)) {
    std::string what = (statementKindName(statement.kind) + " " +
                        program.buffers[statement.written().buffer].name)
                           .str();
    remark::analysis(placeOf(source.task), options(source, "StatementLimit"))
        << Arg("Statement", what) << " is predicted to take "
        << quantity("PredictedSeconds", part.seconds) << " s, limited by "
        << Arg("Limit", explainLimit(part, machine));
  }
}

void RemarkSource::scheduled(const Record &record,
                             std::optional<double> defaultSeconds) const {
  if (!hasRemarkEngine(task))
    return;
  std::optional<double> seconds = medianTime(record);
  {
    auto remark =
        remark::passed(placeOf(task), options(*this, "TaskScheduled"));
    remark << Arg("Task", task.desc.name) << " for "
           << Arg("Target", environment.target.str()) << ", called "
           << Arg("Calls", int64_t(task.weight)) << " times, runs under "
           << Arg("Schedule", record.schedule);
    if (seconds)
      remark << ": " << quantity("Seconds", *seconds) << " s";
    else if (record.psaLatency)
      remark << ": predicted "
             << quantity("PredictedSeconds", *record.psaLatency) << " s";
    if (seconds && defaultSeconds)
      remark << ", untuned " << quantity("DefaultSeconds", *defaultSeconds)
             << " s, speed-up "
             << quantity("SpeedUp", *defaultSeconds / *seconds);
  }
  // readTaskRecords() checked that the schedule parses.
  if (ScheduleAttr schedule = parseScheduleText(
          record.schedule, func::FuncOp(task.function)->getContext()))
    remarkLimits(*this, schedule.getValue());
}

void RemarkSource::untuned(llvm::StringRef reason) const {
  if (!hasRemarkEngine(task))
    return;
  remark::missed(placeOf(task), options(*this, "TaskUntuned"))
      << Arg("Task", task.desc.name) << " for "
      << Arg("Target", environment.target.str())
      << " is left unchanged: " << Arg("Reason", reason);
}

void RemarkSource::failures(
    const std::map<MeasureStatus, uint64_t> &trials) const {
  if (!hasRemarkEngine(task))
    return;
  std::map<llvm::StringRef, int64_t> counts;
  int64_t all = 0;
  for (auto [status, count] : trials) {
    all += int64_t(count);
    if (status != MeasureStatus::Ok && status != MeasureStatus::Unmeasured)
      counts[stringifyMeasureStatus(status)] = int64_t(count);
  }
  for (auto [status, count] : counts)
    remark::analysis(placeOf(task), options(*this, "FailedTrials"))
        << Arg("Task", task.desc.name) << ": " << Arg("Count", count) << " of "
        << Arg("Records", all) << " records ended as " << Arg("Status", status);
}

void pruner::remarkForms(llvm::ArrayRef<FormTimes> all, llvm::StringRef pass) {
  for (FormTimes times : all) {
    if (!times.op.getChosenAttr())
      continue;
    auto function = times.op->getParentOfType<func::FuncOp>();
    remark::passed(placeOf(times.op.getLoc()),
                   remark::RemarkOpts::name("FormChosen")
                       .category(pass)
                       .function(function.getName()))
        << "the form " << Arg("Form", *times.op.getChosen())
        << " is executed: " << Arg("Times", times.str());
  }
}
