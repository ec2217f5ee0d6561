//===- Schema.h - the tables of a tuning database ---------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_RECORD_SCHEMA_H
#define PRUNER_LIB_RECORD_SCHEMA_H

#include "Sqlite.h"

namespace pruner {

/// Makes sure that the connection leads to a tuning database of our version.
/// With `create`, an empty file becomes one; two processes may do so at once.
llvm::Error prepareSchema(Connection &connection, bool create);

/// Turns on the write-ahead log and the durability that appending promises.
llvm::Error prepareWriting(Connection &connection, int busySeconds);

} // namespace pruner

#endif // PRUNER_LIB_RECORD_SCHEMA_H
