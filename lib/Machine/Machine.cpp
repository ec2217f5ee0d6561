//===- Machine.cpp - comparison, key and rules of a machine ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/Machine.h"

#include "Fields.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cmath>

using namespace pruner;
using namespace pruner::detail;

bool pruner::operator==(const Machine &a, const Machine &b) {
  if (a.kind != b.kind || a.notes != b.notes ||
      a.unknownFeatures != b.unknownFeatures)
    return false;
  for (const auto &field : textFields)
    if (a.*field.member != b.*field.member)
      return false;
  for (const auto &field : realFields)
    if (a.*field.member != b.*field.member)
      return false;
  for (const auto &field : integerFields)
    if (a.*field.member != b.*field.member)
      return false;
  for (const auto &field : coreFields)
    if (a.core.*field.member != b.core.*field.member)
      return false;
  for (const auto &field : smFields)
    if (a.sm.*field.member != b.sm.*field.member)
      return false;
  return true;
}

bool Machine::copiesAsynchronously() const {
  llvm::StringRef version(arch);
  unsigned number = 0;
  return version.consume_front("sm_") && !version.consumeInteger(10, number) &&
         number >= 80;
}

std::string Machine::key() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << name << ';' << arch;
  if (!features.empty())
    os << ";features="
       << llvm::format_hex_no_prefix(llvm::xxh3_64bits(features), 16);
  for (const auto &field : integerFields)
    if ((field.inKey == InKey::Always ||
         (field.inKey == InKey::OnCpus && isCpu())) &&
        this->*field.member != 0)
      os << ';' << field.name << '=' << this->*field.member;
  return text;
}

namespace {
/// A relation between two fields that holds on every machine.
struct Relation {
  const char *smaller;
  int64_t Machine::*a;
  const char *larger;
  int64_t Machine::*b;
};

constexpr Relation relations[] = {
    {"registersPerThread", &Machine::registersPerThread,
     "maxRegistersPerThread", &Machine::maxRegistersPerThread},
    {"maxRegistersPerThread", &Machine::maxRegistersPerThread,
     "registersPerUnit", &Machine::registersPerUnit},
    {"sharedBytesPerBlock", &Machine::sharedBytesPerBlock,
     "sharedBytesPerBlockOptIn", &Machine::sharedBytesPerBlockOptIn},
    {"sharedBytesPerBlockOptIn", &Machine::sharedBytesPerBlockOptIn,
     "sharedBytesPerUnit", &Machine::sharedBytesPerUnit},
    {"maxThreadsPerBlock", &Machine::maxThreadsPerBlock, "maxThreadsPerUnit",
     &Machine::maxThreadsPerUnit},
    {"lanes", &Machine::lanes, "registersPerUnit", &Machine::registersPerUnit},
};

/// Fields that are positive on every machine.
constexpr int64_t Machine::*positive[] = {
    &Machine::units,
    &Machine::schedulersPerUnit,
    &Machine::lanes,
    &Machine::registersPerThread,
    &Machine::maxThreadsPerBlock,
    &Machine::maxBlocksPerUnit,
    &Machine::activeBlocksPerUnit,
    &Machine::activeWarpsPerUnit,
    &Machine::maxVirtualThreads,
    &Machine::transactionBytes,
    &Machine::vectorBytes,
};
} // namespace

/// Describes the first invalid number of `model`.
template <typename Model, size_t N>
static bool invalidModel(const char *name, const Model &model,
                         const ModelField<Model> (&fields)[N],
                         llvm::raw_ostream &os) {
  for (const auto &field : fields) {
    double value = model.*field.member;
    if (std::isfinite(value) &&
        (value > 0 || (value == 0 && field.mayBeZero))) {
      if (value <= field.most)
        continue;
      os << "'" << name << "." << field.name << "' must be at most "
         << llvm::format("%g", field.most) << ", but is "
         << llvm::format("%g", value);
      return true;
    }
    os << "'" << name << "." << field.name << "' must be "
       << (field.mayBeZero ? "finite and not negative" : "positive and finite")
       << ", but is " << llvm::format("%g", value);
    return true;
  }
  return false;
}

std::optional<std::string> Machine::invalid() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (name.empty() || arch.empty())
    return "'name' and 'arch' must not be empty";
  for (const auto &field : realFields) {
    double value = this->*field.member;
    if (!std::isfinite(value) || value <= 0) {
      os << "'" << field.name << "' must be positive and finite, but is "
         << llvm::format("%g", value);
      return text;
    }
    if (value > field.most) {
      os << "'" << field.name << "' must be at most "
         << llvm::format("%g", field.most) << ", but is "
         << llvm::format("%g", value);
      return text;
    }
  }
  if (invalidModel("core", core, coreFields, os) ||
      invalidModel("sm", sm, smFields, os))
    return text;
  for (const auto &field : integerFields) {
    int64_t least = 0;
    for (int64_t Machine::*member : positive)
      if (member == field.member)
        least = 1;
    if (this->*field.member < least) {
      os << "'" << field.name << "' must be at least " << least << ", but is "
         << this->*field.member;
      return text;
    }
    if (this->*field.member > field.most) {
      os << "'" << field.name << "' must be at most " << field.most
         << ", but is " << this->*field.member;
      return text;
    }
  }
  for (const Relation &r : relations) {
    if (this->*r.a > this->*r.b) {
      os << "'" << r.smaller << "' is " << this->*r.a << ", more than '"
         << r.larger << "', which is " << this->*r.b;
      return text;
    }
  }
  if (transactionBytes & (transactionBytes - 1)) {
    os << "'transactionBytes' must be a power of two, but is "
       << transactionBytes;
    return text;
  }
  if (isCpu() && vectorRegisters < 1) {
    os << "'vectorRegisters' must be at least 1 on a CPU, but is "
       << vectorRegisters;
    return text;
  }
  return std::nullopt;
}
