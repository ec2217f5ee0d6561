//===- DatabaseTool.h - the pruner db command -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RECORD_DATABASETOOL_H
#define PRUNER_RECORD_DATABASETOOL_H

namespace pruner {

class Judge;

/// `pruner db check|export|import|list|merge|repair|show`; see its --help. Data
/// and tables are written to stdout, everything else to stderr. `judge` decides
/// which records imports and merges leave out. Returns 0; 1 after an error or
/// if lines or rows were left out; 2 for an invalid command line.
int prunerDbMain(int argc, char **argv, Judge &judge);

} // namespace pruner

#endif // PRUNER_RECORD_DATABASETOOL_H
