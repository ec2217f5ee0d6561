//===- TileRegisters.h - permission to use tile registers -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RUNTIME_TILEREGISTERS_H
#define PRUNER_RUNTIME_TILEREGISTERS_H

namespace pruner {

/// Asks the operating system for the tile registers of AMX, for all threads of
/// the process. Has no effect on CPUs without them, or when it is repeated.
/// Network libraries do the same when they are loaded.
void requestTileRegisters();

} // namespace pruner

#endif // PRUNER_RUNTIME_TILEREGISTERS_H
