//===- RecordJudge.cpp - find records that cannot be true -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/TaskRecords/RecordJudge.h"

#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Recognition/TaskText.h"

using namespace llvm;
using namespace pruner;

RecordJudge::RecordJudge() = default;
RecordJudge::~RecordJudge() = default;

mlir::MLIRContext &RecordJudge::context() {
  if (!owned)
    owned = createTaskContext();
  return *owned;
}

const RecordJudge::JudgedTask &RecordJudge::judgedTask(const StoredTask &task) {
  auto [entry, first] = tasks.insert({task.key, {}});
  JudgedTask &known = entry->second;
  if (!first && known.text == task.text)
    return known;
  known = {task.text, "", {}};
  llvm::Expected<ParsedTask> parsed = parseTaskText(task.text, &context());
  if (!parsed)
    known.problem = toString(parsed.takeError());
  else if (parsed->key != task.key)
    known.problem = "the key of the task is " + task.key +
                    ", but its text hashes to " + parsed->key;
  else
    known.desc = std::move(parsed->ir.desc);
  return known;
}

/// Returns true if the counts of `task` are those of older versions, which
/// counted no integer operations and all bytes of every argument.
static bool hasOlderCounts(const StoredTask &task, const TaskDesc &desc) {
  double flops = 0, bytes = 0;
  for (const StatementDesc &statement : desc.statements)
    flops += statement.points() * double(statement.ops.floatTotal());
  for (const TensorDesc &tensor : desc.tensors)
    if (tensor.argument >= 0)
      bytes += double(tensor.elements()) * double(byteWidth(tensor.type));
  return task.flops == flops && task.bytes == bytes;
}

std::string RecordJudge::problemOf(const StoredTask &task) {
  if (task.text.empty())
    return ""; // Known by its key alone.
  const JudgedTask &known = judgedTask(task);
  if (!known.problem.empty())
    return known.problem;
  if ((task.flops != known.desc.flops() || task.bytes != known.desc.bytes()) &&
      !hasOlderCounts(task, known.desc))
    return "the task has " + std::to_string(int64_t(known.desc.flops())) +
           " operations and " + std::to_string(int64_t(known.desc.bytes())) +
           " bytes, but its record states other counts";
  return "";
}

std::string RecordJudge::problemOf(const Record &record,
                                   const StoredTask &task) {
  if (task.text.empty())
    return "the task " + record.taskKey +
           " is unknown, so the record cannot be checked; import the task with "
           "it";
  const JudgedTask &known = judgedTask(task);
  if (!known.problem.empty())
    return known.problem;
  if (!check)
    check.emplace(context());
  return check->problemOf(record, known.desc);
}
