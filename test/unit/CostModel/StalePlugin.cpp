//===- StalePlugin.cpp - a plug-in of another version ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/PluginAbi.h"

extern "C" {
extern const char marker[];
__attribute__((used)) const char marker[] =
    PRUNER_COSTMODEL_PLUGIN_MARKER "internal;torch=9.9+system;";
int prunerCostModelPluginAbi() { return 999; }
pruner::CostModel *prunerCreateCostModel(const char *, const char *, char *,
                                         std::size_t) {
  return nullptr;
}
}
