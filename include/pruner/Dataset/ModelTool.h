//===- ModelTool.h - the pruner-model command -------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_DATASET_MODELTOOL_H
#define PRUNER_DATASET_MODELTOOL_H

namespace pruner {

/// `pruner-model evaluate`: see its --help. Tables and JSON go to stdout,
/// problems to stderr. Returns 0, 1 after an error or when lines were bad, 2
/// for a command line that it does not understand.
int prunerModelMain(int argc, char **argv);

} // namespace pruner

#endif // PRUNER_DATASET_MODELTOOL_H
