//===- MachineKey.cpp - a machine from its key ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/CodeTarget.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Machine/Machine.h"

#include "Fields.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

using namespace pruner;
using namespace pruner::detail;

/// A machine with placeholders for the fields that keys leave out but the rules
/// require.
static Machine blankMachine(llvm::StringRef name) {
  if (consumeNvidia(name) || name.starts_with("amd:")) {
    if (auto known = knownMachine(name))
      return *known;
    else
      llvm::consumeError(known.takeError());
  }
  return Machine();
}

std::optional<Machine> Machine::fromKey(const std::string &key) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(key).split(parts, ';');
  if (parts.size() < 3)
    return std::nullopt;
  Machine m = blankMachine(parts[0]);
  m.name = parts[0].str();
  m.arch = parts[1].str();
  m.kind = parts[0].starts_with("cpu:") ? Kind::Cpu : Kind::Gpu;
  m.features.clear();
  m.notes.clear();
  // A number that is 0 is left out of the key.
  for (const auto &field : integerFields)
    if (field.inKey == InKey::Always ||
        (field.inKey == InKey::OnCpus && m.isCpu()))
      m.*field.member = 0;
  std::string features;
  for (llvm::StringRef part : llvm::ArrayRef(parts).drop_front(2)) {
    auto [name, value] = part.split('=');
    if (name == "features") {
      features = (";" + part).str();
      m.unknownFeatures = true;
      continue;
    }
    for (const auto &field : integerFields)
      if (name == field.name && value.getAsInteger(10, m.*field.member))
        return std::nullopt;
  }
  if (m.isCpu()) {
    m.schedulersPerUnit = m.activeBlocksPerUnit = m.activeWarpsPerUnit = 1;
    m.maxVirtualThreads = 1;
    m.registersPerThread = m.maxRegistersPerThread;
  } else if (m.maxVirtualThreads == 0) {
    m.schedulersPerUnit = 4; // Values of the released Pruner code.
    m.activeBlocksPerUnit = 1;
    m.activeWarpsPerUnit = 4;
    m.maxVirtualThreads = m.lanes / 4;
    m.registersPerThread = m.maxRegistersPerThread;
  }
  // Detects text that is unknown, duplicated or out of order.
  std::string again = m.key();
  again.insert(m.name.size() + 1 + m.arch.size(), features);
  if (again != key)
    return std::nullopt;
  // A key has no rates; all other fields must be valid.
  Machine complete = m;
  for (const auto &field : realFields)
    if (complete.*field.member <= 0)
      complete.*field.member = 1;
  if (complete.invalid())
    return std::nullopt;
  return m;
}
