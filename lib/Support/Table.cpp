//===- Table.cpp - aligned text tables ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Table.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"

#include <cmath>

using namespace llvm;
using namespace pruner;

/// The number of columns that `text` takes on a terminal.
static size_t widthOf(StringRef text) {
  int width = sys::unicode::columnWidthUTF8(text);
  return width < 0 ? text.size() : width;
}

static std::string printable(std::string text) {
  for (char &c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = '?';
  return text;
}

void Table::addRow(std::vector<std::string> row) {
  row.resize(columns.size());
  for (std::string &cell : row)
    cell = printable(std::move(cell));
  cells.push_back(std::move(row));
}

void Table::print(raw_ostream &os) const {
  std::vector<size_t> widths;
  for (auto [n, column] : enumerate(columns)) {
    widths.push_back(widthOf(column.title));
    for (const std::vector<std::string> &row : cells)
      widths.back() = std::max(widths.back(), widthOf(row[n]));
  }
  auto printLine = [&](auto cellAt) {
    std::string line;
    for (auto [n, column] : enumerate(columns)) {
      std::string cell = cellAt(n);
      std::string pad(widths[n] - widthOf(cell), ' ');
      line += n ? "  " : "";
      line += column.align == Align::Right ? pad + cell : cell + pad;
    }
    os << StringRef(line).rtrim(' ') << '\n';
  };
  printLine([&](size_t n) { return columns[n].title; });
  printLine([&](size_t n) { return std::string(widths[n], '-'); });
  for (const std::vector<std::string> &row : cells)
    printLine([&](size_t n) { return row[n]; });
}

std::string pruner::formatSeconds(double seconds) {
  if (!std::isfinite(seconds))
    return "-";
  static const std::pair<double, const char *> units[] = {
      {1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  std::string text;
  raw_string_ostream os(text);
  for (auto [scale, unit] : units) {
    // 0.9995 of a unit would be printed as 1.00 of that unit.
    if (std::fabs(seconds) < 0.9995 * scale && scale != 1e-9)
      continue;
    double value = seconds / scale;
    int decimals = std::fabs(value) < 9.995 ? 2 : std::fabs(value) < 99.95;
    os << format("%.*f ", decimals, value) << unit;
    break;
  }
  return text;
}
