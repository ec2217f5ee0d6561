//===- PrintMachine.cpp - print a machine as a table ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/MachineFile.h"

#include "Fields.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace pruner;
using namespace pruner::detail;

/// `value` with the largest unit that leaves it at least 1.
static std::string scaled(double value, double base,
                          llvm::ArrayRef<const char *> units) {
  size_t n = 0;
  for (; n + 1 < units.size() && value >= base; ++n)
    value /= base;
  return llvm::formatv("{0} {1}", llvm::format("%.4g", value), units[n]).str();
}

static std::string shown(double value, Unit unit) {
  switch (unit) {
  case Unit::Bytes:
    return scaled(value, 1024, {"B", "KiB", "MiB", "GiB", "TiB"});
  case Unit::FlopsPerSecond:
    return scaled(value, 1000,
                  {"FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s"});
  case Unit::BytesPerSecond:
    return scaled(value, 1000, {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"});
  case Unit::Plain:
    return llvm::formatv("{0}", llvm::format("%.4g", value)).str();
  case Unit::MHz:
    return llvm::formatv("{0} MHz", llvm::format("%.0f", value)).str();
  case Unit::None:
    break;
  }
  return llvm::formatv("{0}", static_cast<int64_t>(value)).str();
}

void pruner::printMachine(const Machine &machine, llvm::raw_ostream &os) {
  auto row = [&](llvm::StringRef name, llvm::StringRef value,
                 llvm::StringRef symbol, llvm::StringRef gloss) {
    os << llvm::formatv("  {0,-25} {1,-16} {2,-6} {3}", name, value, symbol,
                        gloss)
              .str()
       << '\n';
  };
  os << machine.name << " (" << (machine.isGpu() ? "GPU" : "CPU") << ", "
     << machine.arch << ")\n";
  for (const auto &field : realFields)
    row(field.name, shown(machine.*field.member, field.unit), field.symbol,
        field.gloss);
  for (const auto &field : integerFields)
    if (int64_t value = machine.*field.member)
      row(field.name, shown(double(value), field.unit), field.symbol,
          field.gloss);
  if (machine.isCpu())
    for (const auto &field : coreFields)
      row(std::string("core.") + field.name,
          shown(machine.core.*field.member, field.unit), "", field.gloss);
  else
    for (const auto &field : smFields)
      row(std::string("sm.") + field.name,
          shown(machine.sm.*field.member, field.unit), "", field.gloss);
  os << "  key: " << machine.key() << '\n';
  for (const std::string &note : machine.notes)
    os << "  note: " << note << '\n';
}
