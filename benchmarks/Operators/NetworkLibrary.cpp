//===- NetworkLibrary.cpp - a compiled module in this process -------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NetworkLibrary.h"

#include "pruner/Support/JsonLines.h"

#include "llvm/Support/ErrorHandling.h"

#include <dlfcn.h>

using namespace pruner;
using namespace pruner::bench;

static std::vector<NetworkLibrary::Tensor>
readTensors(const llvm::json::Object &metadata, llvm::StringRef list) {
  std::vector<NetworkLibrary::Tensor> tensors;
  const llvm::json::Array *array = metadata.getArray(list);
  for (const llvm::json::Value &value : array ? *array : llvm::json::Array()) {
    NetworkLibrary::Tensor tensor;
    if (const llvm::json::Object *object = value.getAsObject()) {
      tensor.name = object->getString("name").value_or("").str();
      if (const llvm::json::Array *shape = object->getArray("shape"))
        for (const llvm::json::Value &extent : *shape)
          tensor.elements *= extent.getAsInteger().value_or(0);
    }
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

llvm::Expected<NetworkLibrary> NetworkLibrary::open(const std::string &path,
                                                    int threads) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return llvm::createStringError(std::string(dlerror()));
  NetworkLibrary result;
  result.handle.reset(library, [](void *handle) { dlclose(handle); });
  result.function = reinterpret_cast<Run *>(dlsym(library, "pruner_run"));
  auto *setThreads =
      reinterpret_cast<void (*)(int)>(dlsym(library, "pruner_set_threads"));
  auto *text = static_cast<const char *>(dlsym(library, "pruner_metadata"));
  if (!result.function || !setThreads || !text)
    return llvm::createStringError("'%s' is no library of a network",
                                   path.c_str());
  setThreads(threads);
  auto metadata = parseJson(text);
  if (!metadata)
    return metadata.takeError();
  if (const llvm::json::Object *object = metadata->getAsObject()) {
    result.workspace = object->getInteger("workspace_bytes").value_or(0);
    result.arguments = readTensors(*object, "inputs");
    result.results = readTensors(*object, "outputs");
  }
  return result;
}

void NetworkLibrary::run(const void *const *inputs,
                         void *const *outputs) const {
  if (function(inputs, outputs))
    llvm::report_fatal_error("pruner_run failed");
}
