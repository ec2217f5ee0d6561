//===- RecordJudge.h - find records that cannot be true ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TASKRECORDS_RECORDJUDGE_H
#define PRUNER_TASKRECORDS_RECORDJUDGE_H

#include "pruner/ModuleTasks/Environment.h"
#include "pruner/Program/Task.h"
#include "pruner/Record/Exchange.h"

#include "mlir/IR/MLIRContext.h"

#include <map>
#include <memory>

namespace pruner {

/// Describes why a record of the task `desc` cannot be true; empty if it passes
/// these checks:
///
/// * Its machine key describes a machine, its target is the target of that
///   machine, and its number of threads does not exceed the machine's cores.
/// * Its schedule is `default`, or parses and satisfies the rules R1 to R27 of
///   Analysis/Legality.h for the task on that machine.
/// * No time is below `leastSeconds` if its status claims a correct result.
/// * Its time stamp has the format that Pruner writes and is at most a day
///   (clocks differ) after `now`, in seconds since 1970.
///
/// A record that passes may still be false; only measuring can tell.
///
/// A key does not name the features of a CPU, so an instruction that the
/// machine may lack is not a problem. With `environment`, records with the key
/// of its machine are checked with the features of that machine.
std::string problemOf(const Record &record, const TaskDesc &desc,
                      mlir::MLIRContext &context, int64_t now,
                      const Environment *environment = nullptr);

/// Checks imported tasks and records. For a task, the key must be the hash of
/// the text, and the counts of operations and bytes must match the text. Counts
/// of older versions, which counted floating-point operations only, are
/// accepted.
class RecordJudge : public Judge {
public:
  RecordJudge();
  ~RecordJudge() override;
  std::string problemOf(const StoredTask &task) override;
  std::string problemOf(const Record &record, const StoredTask &task) override;

private:
  struct JudgedTask {
    std::string text, problem;
    TaskDesc desc;
  };
  const JudgedTask &judgedTask(const StoredTask &task);

  /// Created on first use, because most commands check nothing.
  mlir::MLIRContext &context();
  std::unique_ptr<mlir::MLIRContext> owned;
  std::map<std::string, JudgedTask> tasks;
};

} // namespace pruner

#endif // PRUNER_TASKRECORDS_RECORDJUDGE_H
