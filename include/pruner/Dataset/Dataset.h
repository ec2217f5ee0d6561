//===- Dataset.h - datasets of measured schedules ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dataset is a compact text file of measured schedules, from any tuner.
// Models are evaluated and trained on datasets. A file is a sequence of parts,
// each for one machine and toolchain; `cat` joins files.
// docs/guides/TrainingModels.md describes the format.

#ifndef PRUNER_DATASET_DATASET_H
#define PRUNER_DATASET_DATASET_H

#include "pruner/Machine/Machine.h"
#include "pruner/Support/JsonLines.h"
#include "pruner/Support/MeasureStatus.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace pruner {

/// The format version in the first line of each part.
inline constexpr int64_t kDatasetFormat = 1;

/// Properties that all records of a part share.
struct DatasetOrigin {
  Machine machine;       ///< The machine that ran the schedules.
  std::string toolchain; ///< The compiler of the schedules: "tvm ansor v0.6".
  std::string source;    ///< Origin of the measurements, for readers.
};

struct DatasetTask {
  std::string name; ///< For readers: "matmul_512x512x512".
  std::string text; ///< The task's IR before scheduling, as in records.
};

struct DatasetRecord {
  unsigned task = 0;    ///< Index of the task in its part.
  std::string schedule; ///< Text of the `#pruner.schedule<...>`.
  /// Distinguishes programs of another tuner that have the same schedule here,
  /// by parameters that schedules cannot express: "vectors 4, 1". Usually
  /// empty.
  std::string variant;
  /// Seconds per run, one for each repetition. Empty unless status is Ok.
  std::vector<double> seconds;
  MeasureStatus status = MeasureStatus::Ok;
  /// Static facts about the compiled code as a JSON object, or empty.
  std::string facts;
  /// The primitives by which another tuner made the program, as its logs have
  /// them: a JSON list of lists, or empty.
  std::string primitives;
};

/// Writes the parts of a dataset as lines, in the order of the calls.
class DatasetWriter {
public:
  explicit DatasetWriter(llvm::raw_ostream &os) : os(os) {}

  /// Begins a part. Its tasks are numbered from 0.
  void begin(const DatasetOrigin &origin);
  /// Returns the number by which records refer to the task.
  unsigned add(const DatasetTask &task);
  void add(const DatasetRecord &record);

private:
  llvm::raw_ostream &os;
  unsigned tasks = 0;
};

/// Receives the content of a file in order. If a method returns an error, the
/// line is reported as bad and skipped. Other lines are unaffected, except
/// records of a bad task.
class DatasetVisitor {
public:
  virtual ~DatasetVisitor() = default;
  virtual llvm::Error begin(DatasetOrigin origin) = 0;
  virtual llvm::Error add(unsigned number, DatasetTask task) = 0;
  virtual llvm::Error add(DatasetRecord record) = 0;
};

/// Reads a file ("-" is stdin), which may be gzip'd. Returns the skipped lines.
/// Fails if the file cannot be read completely, or if a part does not begin
/// with a valid header: the lines after it would be attributed to the wrong
/// machine.
llvm::Expected<std::vector<BadLine>> readDataset(llvm::StringRef path,
                                                 DatasetVisitor &visitor);

/// Writes a gzip'd file ("-" is stdout) with the output of `write`. After a
/// failure an existing file is unchanged.
llvm::Error
writeDatasetFile(llvm::StringRef path,
                 llvm::function_ref<llvm::Error(DatasetWriter &)> write);

} // namespace pruner

#endif // PRUNER_DATASET_DATASET_H
