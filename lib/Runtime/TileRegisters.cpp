//===- TileRegisters.cpp - permission to use tile registers ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/TileRegisters.h"

extern "C" int pruner_network_request_tiles(void);

bool pruner::requestTileRegisters() {
  return pruner_network_request_tiles() == 0;
}
