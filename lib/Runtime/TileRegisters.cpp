//===- TileRegisters.cpp - permission to use tile registers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/TileRegisters.h"

extern "C" void pruner_network_request_tiles(void);

void pruner::requestTileRegisters() { pruner_network_request_tiles(); }
