//===- DatabaseTool.h - the pruner-db command -------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_RECORD_DATABASETOOL_H
#define PRUNER_RECORD_DATABASETOOL_H

namespace pruner {

/// `pruner-db export|import|list|merge`: see its --help. Data and tables go to
/// stdout, everything else to stderr. Returns 0, 1 after an error or when lines
/// were left out, 2 for a command line that it does not understand.
int prunerDbMain(int argc, char **argv);

} // namespace pruner

#endif // PRUNER_RECORD_DATABASETOOL_H
