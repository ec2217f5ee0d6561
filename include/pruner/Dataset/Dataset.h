//===- Dataset.h - measured schedules of tasks as files ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dataset is what somebody measured, for models to be judged by and trained
// on: text as short as that allows, whoever measured it.
// docs/guides/TrainingModels.md has the format. A file is a sequence of parts,
// each of one machine and toolchain; files are joined by `cat`.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DATASET_DATASET_H
#define PRUNER_DATASET_DATASET_H

#include "pruner/Machine/Machine.h"
#include "pruner/Support/JsonLines.h"
#include "pruner/Support/MeasureStatus.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// What the first line of each part holds.
inline constexpr int64_t kDatasetFormat = 1;

/// What all records of a part have in common.
struct DatasetOrigin {
  Machine machine;       ///< That ran the schedules.
  std::string toolchain; ///< What made code of them: "tvm ansor v0.6".
  std::string source;    ///< Where the measurements come from, for people.
};

struct DatasetTask {
  std::string name; ///< For people: "matmul_512x512x512".
  std::string text; ///< The task's IR before scheduling, as in records.
};

struct DatasetRecord {
  unsigned task = 0;    ///< Number of the task in its part.
  std::string schedule; ///< Text of the `#pruner.schedule<...>`.
  /// What tells programs with that schedule apart, of another program's
  /// parameters that schedules do not have: "vectors 4, 1"; mostly empty.
  std::string variant;
  /// Seconds of one run, one for each repetition; none unless status is Ok.
  std::vector<double> seconds;
  MeasureStatus status = MeasureStatus::Ok;
  /// Static facts of the compiled code as the text of a JSON object, or empty.
  std::string facts;
  /// The primitives by which another tuner made the program, as its logs have
  /// them: the text of a JSON list of lists, or empty.
  std::string primitives;
};

/// Writes parts as lines, in the order of the calls.
class DatasetWriter {
public:
  explicit DatasetWriter(llvm::raw_ostream &os) : os(os) {}

  /// Begins a part; the numbers of its tasks begin at 0.
  void begin(const DatasetOrigin &origin);
  /// Returns the number that records know the task by.
  unsigned add(const DatasetTask &task);
  void add(const DatasetRecord &record);

private:
  llvm::raw_ostream &os;
  unsigned tasks = 0;
};

/// Told what stands in a file, in order. An error makes the line a bad one,
/// which the others do not depend on, but for records of a bad task.
class DatasetVisitor {
public:
  virtual ~DatasetVisitor() = default;
  virtual llvm::Error begin(DatasetOrigin origin) = 0;
  virtual llvm::Error add(unsigned number, DatasetTask task) = 0;
  virtual llvm::Error add(DatasetRecord record) = 0;
};

/// Reads a file ("-" is stdin), gzip'd or not. Returns the lines that were left
/// out. Fails if the file cannot be read to its end, or a part does not begin
/// with a line of this format: what follows would mean something else.
llvm::Expected<std::vector<BadLine>> readDataset(llvm::StringRef path,
                                                 DatasetVisitor &visitor);

/// Writes a gzip'd file ("-" is stdout) of what `write` writes. A failure
/// leaves an older file of the name alone.
llvm::Error
writeDatasetFile(llvm::StringRef path,
                 llvm::function_ref<llvm::Error(DatasetWriter &)> write);

} // namespace pruner

#endif // PRUNER_DATASET_DATASET_H
