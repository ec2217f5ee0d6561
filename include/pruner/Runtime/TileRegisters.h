//===- TileRegisters.h - permission to use tile registers -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RUNTIME_TILEREGISTERS_H
#define PRUNER_RUNTIME_TILEREGISTERS_H

namespace pruner {

/// Asks the operating system for the tile registers of AMX, for all threads of
/// the process. Returns false if it does not grant them, or the CPU has none.
/// May be repeated. Network libraries do the same when they are loaded.
bool requestTileRegisters();

} // namespace pruner

#endif // PRUNER_RUNTIME_TILEREGISTERS_H
