//===- TableReader.h - tables of other tuners' parameters -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_DATASET_TABLEREADER_H
#define PRUNER_LIB_DATASET_TABLEREADER_H

#include "Import.h"
#include "TaskBuilder.h"

namespace pruner {

/// One row of a table. Cells are accessed by column name. The first problem is
/// kept; the accessors then return values that are safe to compute with.
class Row {
public:
  /// Integers are at most `most`.
  Row(llvm::ArrayRef<std::string> names, llvm::ArrayRef<llvm::StringRef> cells,
      int64_t most)
      : names(names), cells(cells), most(most) {}

  llvm::StringRef text(llvm::StringRef name);
  int64_t integer(llvm::StringRef name);
  /// An integer of at least 1, such as a factor of a tile.
  int64_t factor(llvm::StringRef name);
  void note(const llvm::Twine &what);
  llvm::Error takeError() const;

private:
  llvm::ArrayRef<std::string> names;
  llvm::ArrayRef<llvm::StringRef> cells;
  int64_t most;
  std::string problem;
};

/// Reads a comma-separated file whose first line has the names of the columns,
/// and calls `read` for each row of `device`, or for all rows if it is empty.
/// Integers in the table are at most `most`. Returns the malformed lines.
llvm::Expected<std::vector<BadLine>>
readTable(llvm::StringRef path, llvm::StringRef device, int64_t most,
          llvm::function_ref<llvm::Error(Row &)> read);

/// Adds the record of a row to `sink`, or counts the reason why it is not a
/// task there. Fails if the row has a problem.
llvm::Error addRecord(Row &row, const OperationShape &shape,
                      DatasetRecord record, const Schedule &schedule,
                      llvm::ArrayRef<llvm::StringRef> differences,
                      ImportSink &sink);

} // namespace pruner

#endif // PRUNER_LIB_DATASET_TABLEREADER_H
