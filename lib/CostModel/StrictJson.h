//===- StrictJson.h - JSON without repeated members -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_STRICTJSON_H
#define PRUNER_LIB_COSTMODEL_STRICTJSON_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace pruner {

/// Parses options of models and headers of weight files. Both are small, so the
/// nesting is limited to 16, and a member that occurs twice is an error:
/// parsers keep either the first or the last one, so two readers could see
/// different weights in one file.
llvm::Expected<llvm::json::Value> parseStrictJson(llvm::StringRef text);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_STRICTJSON_H
