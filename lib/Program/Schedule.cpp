//===- Schedule.cpp - a schedule as plain data ----------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Program/Schedule.h"

#include "llvm/ADT/StringSwitch.h"

using namespace pruner;

llvm::StringRef pruner::variantName(Variant variant) {
  switch (variant) {
  case Variant::CpuTile:
    return "cpu_tile";
  case Variant::CpuMap:
    return "cpu_map";
  case Variant::CpuRow:
    return "cpu_row";
  case Variant::SimtTile:
    return "simt_tile";
  case Variant::SimtMap:
    return "simt_map";
  case Variant::SimtRow:
    return "simt_row";
  }
  return "";
}

llvm::StringRef pruner::stageLevelName(StageLevel level) {
  switch (level) {
  case StageLevel::None:
    return "none";
  case StageLevel::Inner:
    return "inner";
  case StageLevel::Outer:
    return "outer";
  case StageLevel::Ahead:
    return "ahead";
  }
  return "";
}

std::optional<Variant> pruner::parseVariant(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Variant>>(name)
      .Case("cpu_tile", Variant::CpuTile)
      .Case("cpu_map", Variant::CpuMap)
      .Case("cpu_row", Variant::CpuRow)
      .Case("simt_tile", Variant::SimtTile)
      .Case("simt_map", Variant::SimtMap)
      .Case("simt_row", Variant::SimtRow)
      .Default(std::nullopt);
}

bool pruner::isGpu(Variant variant) {
  return variant == Variant::SimtTile || variant == Variant::SimtMap ||
         variant == Variant::SimtRow;
}

unsigned pruner::innerTileLevels(Variant variant, bool reduction) {
  switch (variant) {
  case Variant::CpuTile:
    return reduction ? 1 : 3;
  case Variant::CpuRow:
    return reduction ? 1 : 2;
  case Variant::SimtTile:
    return reduction ? 2 : 4;
  case Variant::SimtRow:
    return 2;
  case Variant::CpuMap:
  case Variant::SimtMap:
    return reduction ? 0 : 2;
  }
  return 0;
}

int64_t Schedule::tileSize(unsigned dim, unsigned from) const {
  int64_t product = 1;
  for (unsigned level = from; level < tiles[dim].size(); ++level)
    product *= tiles[dim][level];
  return product;
}

bool Schedule::operator==(const Schedule &other) const {
  return variant == other.variant && tiles == other.tiles &&
         stages == other.stages && vector == other.vector &&
         vectorDim == other.vectorDim && unroll == other.unroll &&
         pad == other.pad && order == other.order && split == other.split &&
         prefetch == other.prefetch;
}
