//===- NetworkMetadata.h - the metadata of a library ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_LIBRARY_NETWORKMETADATA_H
#define PRUNER_LIB_LIBRARY_NETWORKMETADATA_H

#include "pruner/Library/LoadedNetwork.h"

namespace pruner {

/// The part of a library's metadata (`pruner_metadata`) that a caller needs.
struct NetworkMetadata {
  std::vector<NetworkTensor> inputs, outputs;
  int64_t workspaceBytes = 0;
  /// Of each call, the key of its task; empty where it has none.
  std::vector<std::string> calls;
};

/// Reads what `NetworkInterface::metadata` writes for a network of static
/// shape.
llvm::Expected<NetworkMetadata> parseNetworkMetadata(llvm::StringRef text);

} // namespace pruner

#endif // PRUNER_LIB_LIBRARY_NETWORKMETADATA_H
