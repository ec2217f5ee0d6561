//===- DatasetTool.h - the pruner dataset command ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DATASET_DATASETTOOL_H
#define PRUNER_DATASET_DATASETTOOL_H

namespace pruner {

/// Runs `pruner dataset import|describe`; see its --help. Tables go to stdout,
/// counts and problems to stderr. Returns 0 on success, 1 after an error or bad
/// lines, 2 for an invalid command line.
int prunerDatasetMain(int argc, char **argv);

} // namespace pruner

#endif // PRUNER_DATASET_DATASETTOOL_H
