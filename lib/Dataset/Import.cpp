//===- Import.cpp - import of other tuners' records -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Import.h"
#include "TaskBuilder.h"

#include "pruner/Dataset/DatasetView.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Recognition/TaskText.h"

using namespace llvm;
using namespace pruner;

Expected<unsigned> ImportSink::addTask(const OperationShape &shape) {
  auto [entry, isNew] = numbers.try_emplace(shape.key(), 0);
  if (!isNew)
    return entry->second;
  Expected<BuiltTask> built = buildTask(shape, &context);
  if (!built) {
    numbers.erase(entry);
    return built.takeError();
  }
  ++all.tasks;
  descs.push_back(std::move(built->desc));
  return entry->second = writer.add(built->task);
}

Expected<unsigned> ImportSink::addTask(const DatasetTask &task) {
  auto [entry, isNew] = numbers.try_emplace(task.text, 0);
  if (!isNew)
    return entry->second;
  Expected<ParsedTask> parsed = parseTaskText(task.text, &context);
  if (!parsed) {
    numbers.erase(entry);
    return parsed.takeError();
  }
  ++all.tasks;
  descs.push_back(std::move(parsed->ir.desc));
  return entry->second = writer.add(task);
}

void ImportSink::addRecord(DatasetRecord record, const Schedule &schedule,
                           ArrayRef<StringRef> differences) {
  if (MaybeViolation broken =
          checkProgramExists(descs[record.task], schedule, machine))
    return leaveOut("the schedule violates " + broken->rule);
  ++all.read;
  ++all.written;
  for (StringRef difference : differences)
    ++all.approximated[difference.str()];
  raw_string_ostream os(record.schedule);
  os << ScheduleAttr::get(&context, schedule);
  writer.add(record);
}

void ImportSink::leaveOut(const Twine &why) {
  ++all.read;
  ++all.leftOut[why.str()];
}

ArrayRef<ImportFormat> pruner::importFormats() {
  static constexpr ImportFormat formats[] = {
      {"pruner", "output of pruner db export", "pruner", importExported},
      {"ansor", "Ansor (TVM) tuning logs, record version v0.6",
       "tvm ansor v0.6", importAnsor},
      {"clblast", "a table of CLBlast's SGEMM parameters, 4096^3",
       "clblast sgemm", importClblast},
      {"kernel-tuner-convolution",
       "a table of Kernel Tuner's convolution parameters, 4096^2",
       "kernel-tuner convolution", importConvolution},
      {"miopen-winners", "a table of the tiles that rocMLIR's tuner chose",
       "rocmlir", importMiopenWinners},
      {"sgemm-winners", "a table of the kernels that rocBLAS chooses",
       "tensile sgemm", importSgemmWinners},
  };
  return formats;
}
