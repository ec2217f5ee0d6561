//===- PrunerDialect.cpp - the tiling dialect -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "Ranges.h"

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

/// Verifies `pruner.task = {key = "...", weight = 1 : i64, flops = 2 : i64,
/// bytes = 3 : i64}`, and `pruner.work` without a key. Entries may be missing,
/// but those that are there must have these types.
static LogicalResult verifyWork(Operation *op, NamedAttribute attr) {
  StringRef name = attr.getName().getValue();
  auto dict = dyn_cast<DictionaryAttr>(attr.getValue());
  if (!dict)
    return op->emitOpError() << "'" << name << "' must be a dictionary";
  if (name == PrunerDialect::getTaskAttrName() &&
      !isa_and_nonnull<StringAttr>(dict.get("key")))
    return op->emitOpError() << "'" << name << "' needs a string 'key'";
  for (StringRef fact : {"weight", "flops", "bytes"}) {
    Attribute value = dict.get(fact);
    if (!value)
      continue;
    auto number = dyn_cast<IntegerAttr>(value);
    if (!number)
      return op->emitOpError()
             << "'" << name << "': '" << fact << "' must be an integer";
    if (!number.getType().isSignlessIntOrIndex() ||
        number.getValue().getBitWidth() > 64)
      return op->emitOpError() << "'" << name << "': '" << fact
                               << "' must be a signless integer of at most 64 "
                                  "bits, but has type "
                               << number.getType();
  }
  return success();
}

LogicalResult PrunerDialect::verifyRegionArgAttribute(Operation *op, unsigned,
                                                      unsigned argument,
                                                      NamedAttribute attr) {
  if (attr.getName() == getConstantAttrName() &&
      !isa<UnitAttr>(attr.getValue()))
    return op->emitOpError() << "'pruner.constant' of argument #" << argument
                             << " must be a unit attribute";
  if (attr.getName() == getRangeAttrName())
    return verifyRange(op, argument, attr.getValue());
  return success();
}

static bool isPositive(Attribute attr) {
  auto seconds = dyn_cast_or_null<FloatAttr>(attr);
  return seconds && seconds.getValue().isFiniteNonZero() &&
         !seconds.getValue().isNegative();
}

/// Verifies the dictionary that has, for each target, a schedule and perhaps
/// its time.
static LogicalResult verifySchedules(Operation *op, Attribute attr) {
  auto isEntry = [](NamedAttribute target) {
    auto entry = dyn_cast<DictionaryAttr>(target.getValue());
    if (!entry || !isa_and_present<ScheduleAttr>(entry.get("schedule")))
      return false;
    Attribute seconds = entry.get("seconds");
    return entry.size() == (seconds ? 2 : 1) &&
           (!seconds || isPositive(seconds));
  };
  auto targets = dyn_cast<DictionaryAttr>(attr);
  if (targets && llvm::all_of(targets, isEntry))
    return success();
  return op->emitOpError()
         << "'pruner.schedules' must be a dictionary that maps each target to "
            "a "
            "dictionary with 'schedule', a #pruner.schedule attribute, and "
            "optionally 'seconds', a positive float";
}

LogicalResult PrunerDialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute attr) {
  if (llvm::is_contained({getTaskAttrName(), getWorkAttrName(),
                          getSecondsAttrName(), getScheduleAttrName(),
                          getSchedulesAttrName(), getPackAttrName(),
                          getPlanAttrName()},
                         attr.getName().getValue())) {
    if (!isa<FunctionOpInterface>(op))
      return op->emitOpError() << "'" << attr.getName().getValue()
                               << "' is only allowed on a function";
    if (attr.getName() == getTaskAttrName() ||
        attr.getName() == getWorkAttrName())
      return verifyWork(op, attr);
    if (attr.getName() == getSecondsAttrName()) {
      return isPositive(attr.getValue())
                 ? success()
                 : op->emitOpError()
                       << "'pruner.seconds' must be a positive float";
    }
    if (attr.getName() == getPlanAttrName())
      return isa<PlanAttr>(attr.getValue())
                 ? success()
                 : op->emitOpError()
                       << "'pruner.plan' must be a #pruner.plan attribute";
    if (attr.getName() == getSchedulesAttrName())
      return verifySchedules(op, attr.getValue());
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
