//===- Table.h - aligned text tables ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_TABLE_H
#define PRUNER_SUPPORT_TABLE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace pruner {

/// A table of text for terminals: a header, a rule and rows. Columns are two
/// spaces apart and as wide as their widest cell. Control characters in a cell
/// are shown as '?'.
class Table {
public:
  enum class Align { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Left;
  };

  explicit Table(std::vector<Column> columns) : columns(std::move(columns)) {}

  /// Adds a row. Missing cells are empty; surplus cells are dropped.
  void addRow(std::vector<std::string> cells);

  size_t rows() const { return cells.size(); }
  void print(llvm::raw_ostream &os) const;

private:
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> cells;
};

/// A time with three significant digits and its unit: 0.000123 is "123 us".
std::string formatSeconds(double seconds);

} // namespace pruner

#endif // PRUNER_SUPPORT_TABLE_H
