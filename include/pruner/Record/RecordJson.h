//===- RecordJson.h - records and tasks as JSON -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RECORD_RECORDJSON_H
#define PRUNER_RECORD_RECORDJSON_H

#include "pruner/Record/Record.h"

#include "llvm/Support/JSON.h"

#include <variant>

namespace pruner {

/// The version of the export format; every line has it as `pruner.format`.
inline constexpr int64_t kExportFormat = 1;

/// A record as one result of the T4 auto-tuning results schema 1.0.0:
/// `timestamp`, `configuration`, `objectives`, `times` (milliseconds),
/// `invalidity`, `correctness`, `measurements`. T4 lacks fields for most of our
/// data, and its milliseconds are not exact. An object `pruner` therefore holds
/// everything else, with times in seconds. Only the T4 fields `timestamp` and
/// `configuration.schedule` are read back; the others repeat data of `pruner`.
///
/// The record must be normalized (see normalizeRecord).
llvm::json::Object toJson(const Record &record);

/// A task as a separate line: {"pruner":{"kind":"task",...}}.
llvm::json::Object toJson(const StoredTask &task);

/// Adds `pruner.check`, the hash of the line without it, which detects damage
/// that leaves a line well-formed. To edit a line by hand, remove the check.
llvm::json::Object seal(llvm::json::Object object);

/// The inverse of toJson and seal, normalized. The error names the field that
/// is missing or has the wrong type, both versions of an unknown format, or
/// both hashes of a line that was changed.
llvm::Expected<std::variant<StoredTask, Record>>
fromJson(llvm::json::Object object);

} // namespace pruner

#endif // PRUNER_RECORD_RECORDJSON_H
