//===- Options.h - options of the learned models ----------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options of the learned models, one struct, read from a flat JSON object:
//
//   device           "cpu", "cuda" (the first GPU that LibTorch can use), or
//                    "auto": cuda if it is there, else cpu (cpu)
//   kernels          "fused": what LibTorch's own operations are slow at is
//                    done by this library, on CPUs; "plain": by theirs, as on
//                    other devices (fused)
//   threads          threads of LibTorch and OpenBLAS (1)
//   seed             of the initial weights and of the shuffling (0)
//   epochs           passes of one update, each over so many lists of every
//                    task as lists-per-task says (20)
//   steps            least steps of one update: of little data there are more
//                    epochs (200)
//   batch            least programs of one step; whole lists (128)
//   list-size        most programs that are ranked as one list (32)
//   lists-per-task   lists of a task in an epoch, of programs that come by
//                    turns over the epochs; 0: all of its programs (2)
//   list             what a list is drawn from: a "task", or the whole data, as
//                    a "batch" with its tasks mixed, as in the papers (task)
//   loss             "pairs": the logistic loss of all pairs of a list,
//                    "lambda": LambdaRank, as in the papers (pairs; of tlp
//                    lambda)
//   optimizer        "adam", with weights that decay by themselves, or "sgd"
//                    without momentum (adam)
//   learning-rate    the highest (1e-3)
//   schedule         of the learning rate: "cosine" from there to 0 after a
//                    twentieth of the steps in which it rises, or "constant"
//                    (cosine)
//   weight-decay     (1e-2)
//   clip             largest norm of the gradient, 0 = unlimited (0.5)
//   width            tlp: of the network behind its first layers, a multiple of
//                    32 (256, as published)
//   language         tlp: what it reads schedules in: Pruner's primitives,
//                    "schedule", or those of the tuner that the records are of,
//                    "recorded" (schedule)
//   sequence         tlp: most primitives of a schedule, the first (25, as
//                    published)
//   numbers          tlp: parameters of primitives as they stand, "raw", or
//                    their logarithms, "log" (log)
//   heads            tlp: one for each "platform", or "one" for all (platform)
//   trunk            tlp: what the heads share is trained as well, "train", or
//                    stays as it was loaded, "keep" (train)
//   layers           cdmpp: of the transformer's encoder (2; published: 11)
//   feed-forward     cdmpp: width inside of each of them (256; 2048)
//   encoder-width    cdmpp: of the linear layers behind them (256; 985)
//   embedding        cdmpp: width of the latent representation (64; 69)
//   decoder-width    cdmpp: of the linear layers of the decoder (256; 930)
//   percentage       cdmpp: weight of the relative error of seconds beside the
//                    squared error of labels (1e-3, as published)
//   alpha            cdmpp: weight of the central moment discrepancy between
//                    the target domain and the others (1, as published)
//   dropout          share of the fused activations that a step leaves out
//                    (0.2)
//   patience         epochs without a better smoothed training loss before an
//                    update ends, 0 = never (0)
//   branches         pacm: the features that it reads, "both", or only the
//                    "statements" or the "dataflow"; 0 stands for the output
//                    of the other branch (both)
//   terms            "yes": the network reads the terms of the analytical model
//                    as well, "no": what the papers' networks read (yes; of
//                    cdmpp no)
//   prior            what the analytical model predicts is added to what the
//                    network says: so much for each factor of two (0)
//   scaling          features get mean 0 and variance 1, "standard", or are
//                    divided by their maxima, "maximum" (standard)
//   adapt            what an update starts from and what it trains
//                    (CostModel/Adaptation.h): "scratch", "fine-tune", "moa",
//                    "moses", or "auto": fine-tune if weights were loaded, else
//                    scratch (auto)
//   normalization    of the features' scaling: "recompute" at every
//                    update, "keep" those of the weights, or "auto": keep if
//                    weights were loaded, else recompute (auto)
//   batch-norm       statistics that scoring normalises with: "running" ones,
//                    or those of the "batch" that is scored, as the published
//                    code does during its search (running)
//   momentum         moa: share of the Siamese weights that an update keeps
//                    (0.99)
//   period           moa: calls of update() per training (4)
//   transferable     moses: share of the parameters that take gradient steps
//                    (0.5, as published)
//   boundary         moses: what the share is of: each "tensor", or the
//                    "network" (tensor)
//   decay            moses: the others lose this times the learning rate of
//                    themselves in a step (1)
//   adversary        moses: the highest weight of the domain classifier's
//                    reversed gradient; 0: none (0.1)
//
// With batch-norm "running" the score of a program does not depend on the
// programs that are scored with it; with "batch" it does, and a call with one
// program falls back to "running", where the published code fails.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_OPTIONS_H
#define PRUNER_LIB_COSTMODEL_TORCH_OPTIONS_H

#include <cstdint>
#include <string>

namespace pruner {

/// See the top of this file.
struct ModelOptions {
  std::string device = "cpu";
  std::string kernels = "fused";
  std::int64_t threads = 1;
  std::int64_t seed = 0;
  std::int64_t epochs = 20;
  std::int64_t steps = 200;
  std::int64_t batch = 128;
  std::int64_t listSize = 32;
  std::int64_t listsPerTask = 2;
  std::string list = "task";
  std::string loss = "pairs";
  std::string optimizer = "adam";
  double learningRate = 1e-3;
  std::string schedule = "cosine";
  double weightDecay = 1e-2;
  double clip = 0.5;
  double dropout = 0.2;
  std::int64_t patience = 0;
  std::string branches = "both";
  std::string terms = "yes";
  double prior = 0;
  std::string scaling = "standard";
  std::string adapt = "auto";
  std::string normalization = "auto";
  std::string batchNorm = "running";
  double momentum = 0.99;
  std::int64_t period = 4;
  double transferable = 0.5;
  std::string boundary = "tensor";
  double decay = 1;
  double adversary = 0.1;
  std::int64_t width = 256;
  std::string language = "schedule";
  std::int64_t sequence = 25;
  std::string numbers = "log";
  std::string heads = "platform";
  std::string trunk = "train";
  std::int64_t layers = 2;
  std::int64_t feedForward = 256;
  std::int64_t encoderWidth = 256;
  std::int64_t embedding = 64;
  std::int64_t decoderWidth = 256;
  double percentage = 1e-3;
  double alpha = 1;
};

/// What the options of that model are where nothing is asked for.
ModelOptions defaultOptions(const std::string &model);

/// Reads \p json into \p options, which hold the defaults. Returns an empty
/// string, or which option is wrong and what it may be.
std::string parseModelOptions(const std::string &json, ModelOptions &options);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_OPTIONS_H
