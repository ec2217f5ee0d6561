//===- TableReader.cpp - tables of other tuners' parameters ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TableReader.h"
#include "Gzip.h"

using namespace llvm;
using namespace pruner;

StringRef Row::text(StringRef name) {
  auto column = llvm::find(names, name);
  if (column == names.end()) {
    note("missing column '" + name + "'");
    return "";
  }
  return cells[column - names.begin()];
}

int64_t Row::integer(StringRef name) {
  int64_t value = 0;
  if (text(name).getAsInteger(10, value) || value < 0 || value > most) {
    note("the " + name + " is not an integer from 0 to " + Twine(most));
    return 0;
  }
  return value;
}

int64_t Row::factor(StringRef name) {
  int64_t value = integer(name);
  if (value < 1)
    note("the " + name + " is less than 1");
  return std::max<int64_t>(1, value);
}

void Row::note(const Twine &what) {
  if (problem.empty())
    problem = what.str();
}

Error Row::takeError() const {
  return problem.empty() ? Error::success() : createStringError(problem);
}

Expected<std::vector<BadLine>>
pruner::readTable(StringRef path, StringRef device, int64_t most,
                  function_ref<Error(Row &)> read) {
  std::vector<std::string> names;
  std::vector<BadLine> bad;
  Error error = readLines(path, [&](StringRef line, size_t number) {
    SmallVector<StringRef> cells;
    line.split(cells, ',');
    if (number == 1) {
      for (StringRef cell : cells)
        names.push_back(cell.trim().str());
      return Error::success();
    }
    if (line.trim().empty())
      return Error::success();
    if (cells.size() != names.size()) {
      bad.push_back({number, std::to_string(cells.size()) +
                                 " cells instead of " +
                                 std::to_string(names.size())});
      return Error::success();
    }
    Row row(names, cells, most);
    if (device.empty() || row.text("device") == device)
      if (Error error = read(row))
        bad.push_back({number, toString(std::move(error))});
    return Error::success();
  });
  if (error)
    return std::move(error);
  return std::move(bad);
}

Error pruner::addRecord(Row &row, const OperationShape &shape,
                        DatasetRecord record, const Schedule &schedule,
                        ArrayRef<StringRef> differences, ImportSink &sink) {
  if (Error error = row.takeError())
    return error;
  Expected<unsigned> task = sink.addTask(shape);
  if (!task) {
    sink.leaveOut("no task: " + toString(task.takeError()));
    return Error::success();
  }
  record.task = *task;
  sink.addRecord(std::move(record), schedule, differences);
  return Error::success();
}
