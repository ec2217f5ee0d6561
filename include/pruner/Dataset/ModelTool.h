//===- ModelTool.h - the pruner model command -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DATASET_MODELTOOL_H
#define PRUNER_DATASET_MODELTOOL_H

namespace pruner {

/// Runs `pruner model`; see its --help. Tables and JSON go to stdout, problems
/// to stderr. Returns 0 on success, 1 after an error or bad lines, 2 for an
/// invalid command line.
int prunerModelMain(int argc, char **argv);

} // namespace pruner

#endif // PRUNER_DATASET_MODELTOOL_H
