//===- Cdmpp.cpp - description of the model "cdmpp" -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/Models/Cdmpp.h"
#include "../TypedKind.h"
#include "Models.h"

using namespace pruner;

void CdmppOptions::declare(OptionTable &table) {
  NetworkOptions::declare(table);
  table.word("terms", terms, {"yes", "no"},
             "whether the network also reads the terms of the analytical "
             "model");
  table.integer("layers", layers, 0, 64,
                "layers of the transformer's encoder; published: 11");
  table.integer("feed-forward", feedForward, 1, 8192,
                "width inside of each of them; published: 2048");
  table.integer("encoder-width", encoderWidth, 1, 8192,
                "width of the linear layers after them; published: 985");
  table.integer("embedding", embedding, 1, 8192,
                "width of the latent representation; published: 69");
  table.integer("decoder-width", decoderWidth, 1, 8192,
                "width of the linear layers of the decoder; published: 930");
  table.real("percentage", percentage, 0, 1000,
             "weight of the relative error of seconds, relative to the squared "
             "error of labels; published: 1e-3");
  table.real("alpha", alpha, 0, 1000,
             "weight of the central moment discrepancy between the target "
             "domain and the others; published: 1");
}

namespace {
class CdmppKind : public NetworkKind<CdmppOptions> {
  std::string name() const override { return "cdmpp"; }
  std::string summary() const override {
    return "a transformer over the leaves of the loop tree, which predicts "
           "seconds (CDMPP)";
  }
  std::string lacks(Ability ability) const override {
    return ability == Ability::ChangesSteps
               ? "cdmpp has its own adaptation, the central moment discrepancy "
                 "between platforms, which is part of fine-tune"
               : "";
  }
  const char *entry() const override { return "prunerCreateCdmpp"; }
};
} // namespace

const ModelKind &pruner::cdmppKind() {
  static const CdmppKind kind;
  return kind;
}
