//===- TaskInfo.cpp - the pruner.task attribute ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Recognition/TaskInfo.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/IR/WholeText.h"
#include "pruner/Recognition/TaskFromIR.h"

#include "mlir/IR/AsmState.h"

#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace pruner;

std::string pruner::taskKey(func::FuncOp func) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags = wholeText();
  flags.printGenericOpForm().useLocalScope().enableDebugInfo(false);
  AsmState state(func, flags);
  os << func.getFunctionType() << "\n";
  if (ArrayAttr attributes = func.getArgAttrsAttr())
    os << attributes << "\n";
  for (Operation &op : func.getBody().front()) {
    op.print(os, state);
    os << "\n";
  }
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef(text));
  return llvm::utohexstr(hash.high64, /*LowerCase=*/true, /*Width=*/16) +
         llvm::utohexstr(hash.low64, /*LowerCase=*/true, /*Width=*/16);
}

TaskInfo TaskInfo::of(func::FuncOp function) {
  auto attr =
      function->getAttrOfType<DictionaryAttr>(PrunerDialect::getTaskAttrName());
  TaskInfo info;
  info.key = attr.getAs<StringAttr>("key").str();
  auto read = [&](StringRef name, int64_t &number) {
    auto value = attr.getAs<IntegerAttr>(name);
    if (value)
      number = value.getInt();
    return bool(value);
  };
  read("weight", info.weight);
  bool hasFlops = read("flops", info.flops),
       hasBytes = read("bytes", info.bytes);
  Obstacle unused;
  if (hasFlops && hasBytes)
    return info;
  FailureOr<TaskIR> task = recognizeTask(function, unused);
  if (succeeded(task) && !hasFlops)
    info.flops = int64_t(task->desc.flops());
  if (succeeded(task) && !hasBytes)
    info.bytes = int64_t(task->desc.bytes());
  return info;
}

void TaskInfo::attachTo(func::FuncOp function) const {
  StringRef name = PrunerDialect::getTaskAttrName();
  Builder builder(function.getContext());
  NamedAttrList entries;
  if (auto old = function->getAttrOfType<DictionaryAttr>(name))
    entries = old;
  entries.set("key", builder.getStringAttr(key));
  entries.set("weight", builder.getI64IntegerAttr(weight));
  entries.set("flops", builder.getI64IntegerAttr(flops));
  entries.set("bytes", builder.getI64IntegerAttr(bytes));
  function->setAttr(name, entries.getDictionary(function.getContext()));
}
