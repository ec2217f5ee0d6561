//===- TorchModel.h - the learned models ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates the learned models. This header does not include LibTorch, because
// the plug-in's C interface includes it.

#ifndef PRUNER_LIB_COSTMODEL_TORCH_TORCHMODEL_H
#define PRUNER_LIB_COSTMODEL_TORCH_TORCHMODEL_H

#include "Options.h"
#include "pruner/CostModel/CostModel.h"

#include <memory>

namespace pruner {

/// \p name "pacm", "tensetmlp", "tlp" or "cdmpp"; null for any other. May
/// throw.
std::unique_ptr<CostModel> createTorchModel(const std::string &name,
                                            const ModelOptions &options);

/// The model "tlp" (TlpNetwork.h). May throw.
std::unique_ptr<CostModel> createTlpModel(const ModelOptions &options);

/// The model "cdmpp" (CdmppNetwork.h). May throw.
std::unique_ptr<CostModel> createCdmppModel(const ModelOptions &options);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_TORCHMODEL_H
