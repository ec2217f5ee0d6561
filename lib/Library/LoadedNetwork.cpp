//===- LoadedNetwork.cpp - load and run libraries of networks -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Library/LoadedNetwork.h"

#include "NetworkMetadata.h"
#include "OpenLibrary.h"
#include "pruner/Support/JsonLines.h"
#include "pruner/Support/Sizes.h"

#include "llvm/ADT/StringSwitch.h"

#include <dlfcn.h>

using namespace llvm;
using namespace pruner;

/// The supported format of metadata, and that of a dimension of several sizes.
static constexpr int64_t kFormat = 1, kSizedFormat = 2;

size_t pruner::elementBytes(const NetworkTensor &tensor) {
  return StringSwitch<size_t>(tensor.element)
      .Cases("f64", "i64", "ui64", "si64", "index", 8)
      .Cases("f32", "i32", "ui32", "si32", 4)
      .Cases("f16", "bf16", "i16", "ui16", "si16", 2)
      .Cases("i8", "ui8", "si8", "i1", 1)
      .Default(0);
}

template <typename Function>
static bool find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

/// Returns false if the list does not contain tensors.
static bool readTensors(const json::Object &metadata, StringRef key,
                        std::vector<NetworkTensor> &tensors) {
  const json::Array *list = metadata.getArray(key);
  if (!list)
    return false;
  for (const json::Value &value : *list) {
    const json::Object *entry = value.getAsObject();
    const json::Array *shape = entry ? entry->getArray("shape") : nullptr;
    if (!shape)
      return false;
    NetworkTensor &tensor = tensors.emplace_back();
    tensor.name = entry->getString("name").value_or("").str();
    tensor.kind = entry->getString("kind").value_or("").str();
    tensor.element = entry->getString("dtype").value_or("").str();
    for (const json::Value &extent : *shape)
      tensor.shape.push_back(extent.getAsInteger().value_or(-1));
    if (!elementBytes(tensor) ||
        any_of(tensor.shape, [](int64_t extent) { return extent < 0; }) ||
        mulSizes(tensor.elements(), int64_t(elementBytes(tensor))) >
            kMaxTensorBytes)
      return false;
  }
  return true;
}

static bool readCalls(const json::Object &metadata,
                      std::vector<std::string> &calls) {
  const json::Array *kernels = metadata.getArray("kernels");
  const json::Array *list = metadata.getArray("calls");
  if (!kernels || !list)
    return false;
  for (const json::Value &call : *list) {
    auto number = call.getAsUINT64();
    if (!number || *number >= kernels->size())
      return false;
    const json::Object *kernel = (*kernels)[*number].getAsObject();
    calls.push_back(kernel ? kernel->getString("key").value_or("").str() : "");
  }
  return true;
}

Expected<NetworkMetadata> pruner::parseNetworkMetadata(StringRef text) {
  auto object = parseJsonObject(text);
  if (!object)
    return object.takeError();
  if (object->getInteger("format") == kSizedFormat)
    return createStringError("it has a dimension of several sizes, expected "
                             "static shapes");
  NetworkMetadata metadata;
  if (object->getInteger("format") != kFormat ||
      !readTensors(*object, "inputs", metadata.inputs) ||
      !readTensors(*object, "outputs", metadata.outputs) ||
      !readCalls(*object, metadata.calls))
    return createStringError("its metadata are of another format");
  metadata.workspaceBytes = object->getInteger("workspace_bytes").value_or(0);
  if (metadata.workspaceBytes < 0)
    return createStringError("its metadata have a workspace of " +
                             Twine(metadata.workspaceBytes) + " bytes");
  return std::move(metadata);
}

Expected<LoadedNetwork> LoadedNetwork::load(StringRef path) {
  LoadedNetwork network;
  network.path = path.str();
  Expected<void *> opened = openLibrary(path);
  if (!opened)
    return opened.takeError();
  void *library = *opened;
  const char *metadata = nullptr;
  if (!find(library, "pruner_run", network.runFunction) ||
      !find(library, "pruner_error", network.errorFunction) ||
      !find(library, "pruner_set_threads", network.setThreadsFunction) ||
      !find(library, "pruner_profile", network.profileFunction) ||
      !find(library, "pruner_profile_read", network.readFunction) ||
      !find(library, "pruner_metadata", metadata))
    return createStringError(path + " is not a library of a network");
  Expected<NetworkMetadata> read = parseNetworkMetadata(metadata);
  if (!read)
    return createStringError(path + ": " + toString(read.takeError()));
  network.inputs = std::move(read->inputs);
  network.outputs = std::move(read->outputs);
  network.workspaceBytes = read->workspaceBytes;
  network.calls = std::move(read->calls);
  return network;
}

Error LoadedNetwork::run(ArrayRef<const void *> inputs,
                         ArrayRef<void *> outputs) const {
  if (runFunction(inputs.data(), outputs.data()) != 0)
    return createStringError(path + ": " + errorFunction());
  return Error::success();
}

void LoadedNetwork::setThreads(unsigned threads) const {
  setThreadsFunction(int(threads));
}

Error LoadedNetwork::startProfile() const {
  if (profileFunction(1) != 0)
    return createStringError(path + ": no memory for a profile");
  return Error::success();
}

Expected<NetworkTimes> LoadedNetwork::times(size_t n) const {
  NetworkTimes times;
  if (readFunction(int64_t(n), &times) != 0)
    return createStringError(path + ": there is no profile of call " +
                             Twine(n));
  return times;
}
