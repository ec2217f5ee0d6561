//===- TargetTable.cpp - times of tasks by target -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TargetTable.h"

#include "pruner/Support/Table.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;

static std::string cell(const TaskOutcome &outcome, bool predicted) {
  const std::optional<double> &seconds =
      predicted ? outcome.predictedSeconds : outcome.bestSeconds;
  if (!seconds)
    return "-";
  return formatSeconds(*seconds) + (outcome.keptDefault ? " untuned" : "");
}

void TargetTable::add(llvm::StringRef target,
                      llvm::ArrayRef<TaskOutcome> outcomes, bool predicted) {
  Column column{target.str() + (predicted ? ", predicted" : ""), {}};
  for (const TaskOutcome &outcome : outcomes)
    column.cells.push_back(cell(outcome, predicted));
  columns.push_back(std::move(column));
}

void TargetTable::print(llvm::raw_ostream &os) const {
  using Align = Table::Align;
  std::vector<Table::Column> titles{{"task", Align::Left}};
  for (const Column &column : columns)
    titles.push_back({column.title, Align::Right});
  Table table(std::move(titles));
  for (auto [n, task] : llvm::enumerate(tasks)) {
    std::vector<std::string> row{task.desc.name};
    for (const Column &column : columns)
      row.push_back(column.cells[n]);
    table.addRow(std::move(row));
  }
  table.print(os);
}
