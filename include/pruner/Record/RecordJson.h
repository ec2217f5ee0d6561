//===- RecordJson.h - records and tasks as JSON -----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RECORD_RECORDJSON_H
#define PRUNER_RECORD_RECORDJSON_H

#include "pruner/Record/Record.h"

#include "llvm/Support/JSON.h"

#include <variant>

namespace pruner {

/// The version of the export format, in every line's `pruner.format`.
inline constexpr int64_t kExportFormat = 1;

/// A record as one result of the T4 auto-tuning results schema 1.0.0:
/// `timestamp`, `configuration`, `objectives`, `times` (milliseconds),
/// `invalidity`, `correctness`, `measurements`. T4 has no room for most of what
/// we know and its milliseconds are not exact, so an object `pruner` holds the
/// rest, with times in seconds. Of the T4 fields only `timestamp` and
/// `configuration.schedule` are read back; the others repeat `pruner`.
///
/// The record must be normalised (see normalizeRecord).
llvm::json::Object toJson(const Record &record);

/// A task as a line of its own: {"pruner":{"kind":"task",...}}.
llvm::json::Object toJson(const StoredTask &task);

/// Adds `pruner.check`, the hash of the line without it: damage that leaves a
/// line well-formed is noticed. People who edit a line remove the check.
llvm::json::Object seal(llvm::json::Object object);

/// The inverse of toJson and seal, normalised. The error names the field that
/// is missing or has the wrong type, both versions of a foreign format, or both
/// hashes of a line that was changed.
llvm::Expected<std::variant<StoredTask, Record>>
fromJson(llvm::json::Object object);

} // namespace pruner

#endif // PRUNER_RECORD_RECORDJSON_H
