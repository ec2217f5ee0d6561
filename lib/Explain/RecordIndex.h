//===- RecordIndex.h - records by schedule ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_EXPLAIN_RECORDINDEX_H
#define PRUNER_LIB_EXPLAIN_RECORDINDEX_H

#include "pruner/Explain/Explain.h"

#include "llvm/ADT/StringMap.h"

namespace pruner {

/// The records of a subject by schedule. Schedules are compared by value,
/// because records of other versions may print them differently.
class RecordIndex {
public:
  explicit RecordIndex(const Subject &subject);

  struct Entry {
    Schedule schedule;
    std::vector<const Record *> records;
    /// Its record in the deciding comparison.
    const Record *final = nullptr;
  };

  llvm::ArrayRef<Entry> entries() const { return list; }
  const Entry *find(const Schedule &schedule) const;
  Measured measured(const Schedule &schedule) const;
  /// The strategy of the deciding comparison; empty if there was none.
  llvm::StringRef decisive() const { return strategy; }

private:
  std::vector<Entry> list;
  llvm::StringMap<size_t> numbers;
  std::string strategy;
};

/// Returns the least median of a schedule's verified trials; null if none.
const Record *fastestTrial(const RecordIndex::Entry &entry);

} // namespace pruner

#endif // PRUNER_LIB_EXPLAIN_RECORDINDEX_H
