//===- ModelVerdict.cpp - the limit of a schedule -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelVerdict.h"

#include "pruner/Analysis/Psa.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Sketch/BuildProgram.h"

using namespace pruner;
using namespace pruner::bench;

llvm::Expected<ModelVerdict>
bench::explainSchedule(mlir::MLIRContext &context,
                       const Environment &environment, const ModuleTask &task,
                       llvm::StringRef schedule) {
  ScheduleAttr attribute = parseScheduleText(schedule, &context);
  if (!attribute)
    return llvm::createStringError("'%s' is not a schedule",
                                   schedule.str().c_str());
  ProgramSummary summary =
      summarize(task.desc, buildTiledProgram(task.desc, attribute.getValue()));
  PsaOptions options;
  options.threads = environment.threads;
  PsaReport psa = analyzePsa(summary, environment.machine, options);
  ModelVerdict verdict;
  verdict.seconds = psa.seconds;
  verdict.report = toJson(summary, psa);
  if (psa.slowest >= 0) {
    const StatementSummary &statement = summary.statements[psa.slowest];
    verdict.limit =
        (llvm::Twine(statementKindName(statement.kind)) + " " +
         summary.buffers[statement.written().buffer].name + ": " +
         explainLimit(psa.statements[psa.slowest], environment.machine))
            .str();
  }
  return verdict;
}
