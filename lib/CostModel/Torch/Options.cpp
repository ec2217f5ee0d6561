//===- Options.cpp - options of the learned models ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Options.h"
#include "pruner/CostModel/OptionRules.h"

using namespace pruner;

ModelOptions pruner::defaultOptions(const std::string &model) {
  ModelOptions options;
  if (model == "tlp") {
    options.loss = "lambda";
    options.dropout = 0;
  }
  if (model == "cdmpp") {
    options.terms = "no";
    options.dropout = 0;
    options.batch = 256;
    options.steps = 1000;
  }
  return options;
}

std::string pruner::parseModelOptions(const std::string &json,
                                      ModelOptions &options) {
  ModelOptions result = options;
  using R = OptionRule;
  std::string error = readOptions(
      json, {
                R::word("device", result.device, {"cpu", "cuda", "auto"}),
                R::word("kernels", result.kernels, {"fused", "plain"}),
                R::integer("threads", result.threads, 1, 1024),
                R::integer("seed", result.seed, 0, 9e18),
                R::integer("epochs", result.epochs, 1, 100000),
                R::integer("batch", result.batch, 2, 65536),
                R::integer("steps", result.steps, 0, 1e9),
                R::integer("list-size", result.listSize, 2, 65536),
                R::integer("lists-per-task", result.listsPerTask, 0, 65536),
                R::word("list", result.list, {"batch", "task"}),
                R::word("loss", result.loss, {"pairs", "lambda"}),
                R::word("optimizer", result.optimizer, {"adam", "sgd"}),
                R::real("learning-rate", result.learningRate, 0, 10),
                R::word("schedule", result.schedule, {"cosine", "constant"}),
                R::real("weight-decay", result.weightDecay, 0, 10),
                R::real("clip", result.clip, 0, 1e30),
                R::real("dropout", result.dropout, 0, 0.9),
                R::integer("patience", result.patience, 0, 100000),
                R::word("branches", result.branches,
                        {"both", "statements", "dataflow"}),
                R::word("terms", result.terms, {"yes", "no"}),
                R::real("prior", result.prior, 0, 100),
                R::word("scaling", result.scaling, {"standard", "maximum"}),
                R::word("adapt", result.adapt,
                        {"auto", "scratch", "fine-tune", "moa", "moses"}),
                R::word("normalization", result.normalization,
                        {"auto", "recompute", "keep"}),
                R::word("batch-norm", result.batchNorm, {"running", "batch"}),
                R::real("momentum", result.momentum, 0, 1),
                R::integer("period", result.period, 1, 100000),
                R::real("transferable", result.transferable, 0, 1),
                R::word("boundary", result.boundary, {"tensor", "network"}),
                R::real("decay", result.decay, 0, 1000),
                R::real("adversary", result.adversary, 0, 1000),
                R::integer("width", result.width, 32, 1024),
                R::word("language", result.language, {"schedule", "recorded"}),
                R::integer("sequence", result.sequence, 1, 256),
                R::word("numbers", result.numbers, {"log", "raw"}),
                R::word("heads", result.heads, {"platform", "one"}),
                R::word("trunk", result.trunk, {"train", "keep"}),
                R::integer("layers", result.layers, 0, 64),
                R::integer("feed-forward", result.feedForward, 1, 8192),
                R::integer("encoder-width", result.encoderWidth, 1, 8192),
                R::integer("embedding", result.embedding, 1, 8192),
                R::integer("decoder-width", result.decoderWidth, 1, 8192),
                R::real("percentage", result.percentage, 0, 1000),
                R::real("alpha", result.alpha, 0, 1000),
            });
  if (error.empty() && result.width % 32)
    error = "option 'width' must be a multiple of 32";
  if (error.empty())
    options = result;
  return error;
}
