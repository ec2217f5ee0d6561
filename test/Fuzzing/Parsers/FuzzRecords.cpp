//===- FuzzRecords.cpp - lines of exported records and tasks --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Record/RecordJson.h"
#include "pruner/Support/JsonLines.h"

#include <cstdlib>

using namespace pruner;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto visit = [&](llvm::json::Object object, size_t) -> llvm::Error {
    // Without its checksum. Otherwise every altered line would be rejected.
    if (llvm::json::Object *about = object.getObject("pruner"))
      about->erase("check");
    auto entry = fromJson(std::move(object));
    if (!entry)
      return entry.takeError();
    // Records that were read are written, and reading them again gives the
    // same.
    auto line = std::visit(
        [](const auto &value) { return toJsonLine(seal(toJson(value))); },
        *entry);
    auto again = parseJsonObject(line);
    if (!again)
      std::abort();
    auto second = fromJson(std::move(*again));
    if (!second)
      std::abort();
    if (std::visit(
            [](const auto &value) { return toJsonLine(seal(toJson(value))); },
            *second) != line)
      std::abort();
    return llvm::Error::success();
  };
  readJsonLines(text, visit);
  return 0;
}
