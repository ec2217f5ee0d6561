//===- MutationReport.cpp - tables of mutants -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Mutation/MutationTest.h"
#include "pruner/Support/Table.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace pruner;

MutantCounts &MutantCounts::operator+=(const MutantCounts &other) {
  made += other.made;
  unbuilt += other.unbuilt;
  equivalent += other.equivalent;
  near += other.near;
  relevant += other.relevant;
  rejected += other.rejected;
  unseen += other.unseen;
  return *this;
}

MutantCounts MutationTestReport::total() const {
  MutantCounts sum;
  for (const auto &[key, counts] : mutants)
    sum += counts;
  return sum;
}

RightCounts MutationTestReport::totalRight() const {
  RightCounts sum;
  for (const auto &[key, counts] : right) {
    sum.ran += counts.ran;
    sum.rejected += counts.rejected;
  }
  return sum;
}

bool MutationTestReport::good() const {
  MutantCounts sum = total();
  return failedTasks == 0 && totalRight().rejected == 0 && sum.relevant > 0 &&
         sum.survivors() == 0;
}

MutationTestReport &
MutationTestReport::operator+=(const MutationTestReport &other) {
  for (const auto &[key, counts] : other.mutants)
    mutants[key] += counts;
  for (const auto &[key, counts] : other.right) {
    right[key].ran += counts.ran;
    right[key].rejected += counts.rejected;
  }
  failedTasks += other.failedTasks;
  interrupted |= other.interrupted;
  next = other.next;
  return *this;
}

static std::vector<Table::Column> columns(StringRef first) {
  std::vector<Table::Column> list{{first.str()}};
  for (const char *title : {"made", "unbuilt", "equivalent", "near", "relevant",
                            "rejected", "survivors", "unseen"})
    list.push_back({title, Table::Align::Right});
  return list;
}

static std::vector<std::string> row(std::string first,
                                    const MutantCounts &counts) {
  std::vector<std::string> cells{std::move(first)};
  for (uint64_t number :
       {counts.made, counts.unbuilt, counts.equivalent, counts.near,
        counts.relevant, counts.rejected, counts.survivors(), counts.unseen})
    cells.push_back(std::to_string(number));
  return cells;
}

void MutationTestReport::print(raw_ostream &os) const {
  std::map<std::pair<std::string, std::string>, MutantCounts> byTask;
  std::map<MutationKind, MutantCounts> byMutation;
  for (const auto &[key, counts] : mutants) {
    byTask[{std::get<0>(key), std::get<1>(key)}] += counts;
    byMutation[std::get<2>(key)] += counts;
  }
  std::vector<Table::Column> taskColumns = columns("task");
  for (const char *title : {"right", "right rejected"})
    taskColumns.push_back({title, Table::Align::Right});
  Table tasks(std::move(taskColumns));
  for (const auto &[key, counts] : right) {
    auto cells = row(key.first + " " + key.second, byTask[key]);
    cells.push_back(std::to_string(counts.ran));
    cells.push_back(std::to_string(counts.rejected));
    tasks.addRow(std::move(cells));
  }
  auto cells = row("all", total());
  cells.push_back(std::to_string(totalRight().ran));
  cells.push_back(std::to_string(totalRight().rejected));
  tasks.addRow(std::move(cells));
  tasks.print(os);
  os << "\n";
  Table kinds(columns("mutation"));
  for (const auto &[kind, counts] : byMutation)
    kinds.addRow(row(nameOf(kind).str(), counts));
  kinds.addRow(row("all", total()));
  kinds.print(os);
  // Task, type and mutation of every survivor.
  Table missed(columns("survivors of"));
  for (const auto &[key, counts] : mutants)
    if (counts.survivors() || counts.unseen)
      missed.addRow(row(std::get<0>(key) + " " + std::get<1>(key) + ", " +
                            nameOf(std::get<2>(key)).str(),
                        counts));
  if (missed.rows()) {
    os << "\n";
    missed.print(os);
  }
  MutantCounts sum = total();
  if (sum.relevant)
    os << formatv(
        "\n{0:f3} % of the relevant mutants rejected; with those that "
        "only other inputs show wrong, {1:f3} %\n",
        100.0 * double(sum.rejected) / double(sum.relevant),
        100.0 * double(sum.rejected) / double(sum.relevant + sum.unseen));
  if (failedTasks)
    os << failedTasks << " tasks failed\n";
}
