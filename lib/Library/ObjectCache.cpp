//===- ObjectCache.cpp - objects that libraries share ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Library/ObjectCache.h"

#include "pruner/Dialect/Pruner/IR/WholeText.h"
#include "pruner/Support/Hashing.h"

#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pruner;

std::string ObjectCache::key(mlir::ModuleOp module, const CpuOptions &options) {
  std::string text, rest;
  raw_string_ostream stream(text);
  module->print(stream, wholeText().printGenericOpForm());
  raw_string_ostream(rest) << options.optLevel << ' ' << options.slpVectorize
                           << ' ' << options.loopVectorize << ' '
                           << options.preferVectorWidth;
  return contentHash(
      {text, options.cpu, options.features, options.triple, rest});
}

void ObjectCache::compile(const std::string &key, mlir::ModuleOp module,
                          const CpuOptions &options) {
  Entry *entry;
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto [place, isNew] = entries.try_emplace(key);
    if (!isNew) {
      ++numShared;
      return;
    }
    entry = &place->second; // Entries do not move.
  }
  auto object = compileToObject(module, options);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (object)
      entry->object = std::move(*object);
    else
      entry->problem = toString(object.takeError());
    entry->done = true;
  }
  ready.notify_all();
}

Expected<const ObjectCode &> ObjectCache::get(StringRef key) {
  std::unique_lock<std::mutex> lock(mutex);
  const Entry &entry = entries.find(key)->second;
  ready.wait(lock, [&] { return entry.done; });
  if (!entry.problem.empty())
    return createStringError(entry.problem);
  return entry.object;
}

unsigned ObjectCache::compiled() const {
  std::lock_guard<std::mutex> lock(mutex);
  return entries.size();
}

unsigned ObjectCache::shared() const {
  std::lock_guard<std::mutex> lock(mutex);
  return numShared;
}
