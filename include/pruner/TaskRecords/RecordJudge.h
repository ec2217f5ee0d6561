//===- RecordJudge.h - find records that cannot be true ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TASKRECORDS_RECORDJUDGE_H
#define PRUNER_TASKRECORDS_RECORDJUDGE_H

#include "pruner/Program/Task.h"
#include "pruner/Record/Exchange.h"
#include "pruner/TaskRecords/RecordCheck.h"

#include <map>
#include <memory>

namespace pruner {

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
  std::optional<RecordCheck> check;
  std::map<std::string, JudgedTask> tasks;
};

} // namespace pruner

#endif // PRUNER_TASKRECORDS_RECORDJUDGE_H
