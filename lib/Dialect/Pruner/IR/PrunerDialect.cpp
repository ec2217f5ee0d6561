//===- PrunerDialect.cpp - the tiling dialect -----------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace pruner;

#include "pruner/Dialect/Pruner/IR/PrunerDialect.cpp.inc"
#include "pruner/Dialect/Pruner/IR/PrunerEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "pruner/Dialect/Pruner/IR/PrunerAttrs.cpp.inc"

void PrunerDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "pruner/Dialect/Pruner/IR/PrunerAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "pruner/Dialect/Pruner/IR/PrunerOps.cpp.inc"
      >();
}

/// `pruner.task = {key = "...", weight = 1 : i64, flops = 2 : i64, bytes = 3 :
/// i64}`: what is left out counts as unknown, what is there has its type.
static LogicalResult verifyTask(Operation *op, Attribute value) {
  auto dict = dyn_cast<DictionaryAttr>(value);
  if (!dict)
    return op->emitOpError() << "'pruner.task' must be a dictionary";
  auto key = dict.get("key");
  if (!key || !isa<StringAttr>(key))
    return op->emitOpError() << "'pruner.task' needs a string 'key'";
  for (StringRef name : {"weight", "flops", "bytes"})
    if (Attribute number = dict.get(name); number && !isa<IntegerAttr>(number))
      return op->emitOpError()
             << "'pruner.task': '" << name << "' must be an integer";
  return success();
}

LogicalResult PrunerDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                      unsigned argument,
                                                      NamedAttribute attr) {
  if (attr.getName() == getConstantAttrName() &&
      !isa<UnitAttr>(attr.getValue()))
    return op->emitOpError() << "'pruner.constant' of argument #" << argument
                             << " must be a unit attribute";
  return success();
}

LogicalResult PrunerDialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute attr) {
  if (attr.getName() == getTaskAttrName() ||
      attr.getName() == getScheduleAttrName() ||
      attr.getName() == getPackAttrName()) {
    if (!isa<FunctionOpInterface>(op))
      return op->emitOpError()
             << "'" << attr.getName().getValue() << "' belongs on a function";
    if (attr.getName() == getTaskAttrName())
      return verifyTask(op, attr.getValue());
    if (attr.getName() == getPackAttrName())
      return isa<UnitAttr>(attr.getValue())
                 ? success()
                 : op->emitOpError()
                       << "'pruner.pack' must be a unit attribute";
    if (!isa<ScheduleAttr>(attr.getValue()))
      return op->emitOpError()
             << "'pruner.schedule' must be a #pruner.schedule attribute";
  }
  return success();
}
