//===- FuzzMetadata.cpp - metadata of libraries ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkInterface.h"
#include "NetworkMetadata.h"

#include <cstdlib>

using namespace pruner;

static bool same(llvm::ArrayRef<NetworkTensor> a,
                 llvm::ArrayRef<NetworkTensor> b) {
  return llvm::equal(a, b, [](const NetworkTensor &a, const NetworkTensor &b) {
    return a.name == b.name && a.kind == b.kind && a.element == b.element &&
           a.shape == b.shape;
  });
}

/// A caller allocates buffers of these sizes.
static void checkSizes(llvm::ArrayRef<NetworkTensor> tensors) {
  for (const NetworkTensor &tensor : tensors)
    if (tensor.elements() < 0 || elementBytes(tensor) == 0 ||
        tensor.elements() > (int64_t(1) << 62) / int64_t(elementBytes(tensor)))
      std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto metadata = parseNetworkMetadata(text);
  if (!metadata) {
    llvm::consumeError(metadata.takeError());
    return 0;
  }
  checkSizes(metadata->inputs);
  checkSizes(metadata->outputs);
  if (metadata->workspaceBytes < 0)
    std::abort();
  // Metadata that were read are written, and reading them again gives the same.
  NetworkInterface interface;
  interface.inputs = metadata->inputs;
  interface.outputs = metadata->outputs;
  interface.workspaceBytes = metadata->workspaceBytes;
  for (const std::string &key : metadata->calls) {
    interface.calls.push_back(int64_t(interface.kernels.size()));
    interface.kernels.push_back(llvm::json::Object{{"key", key}});
  }
  auto again =
      parseNetworkMetadata(interface.metadata("cpu", "+avx2,-avx512f"));
  if (!again || !same(again->inputs, metadata->inputs) ||
      !same(again->outputs, metadata->outputs) ||
      again->workspaceBytes != metadata->workspaceBytes ||
      again->calls != metadata->calls)
    std::abort();
  return 0;
}
