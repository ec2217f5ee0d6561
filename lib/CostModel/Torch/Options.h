//===- Options.h - options of the learned models ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of the learned models in one struct, read from a flat JSON
// object. Defaults are in parentheses.
//
//   device           "cpu", "cuda" (the first GPU that LibTorch can use), or
//                    "auto": cuda if available, else cpu (cpu)
//   kernels          "fused": this library replaces slow operations of LibTorch
//                    on CPUs; "plain": LibTorch's operations only, as on
//                    other devices (fused)
//   threads          threads of LibTorch and OpenBLAS (1)
//   seed             seed of the initial weights and of the shuffling (0)
//   epochs           passes of one update, each over lists-per-task lists of
//                    every task (20)
//   steps            minimum number of steps of one update; with little data
//                    there are more epochs (200)
//   batch            minimum number of programs of one step; whole lists (128)
//   list-size        maximum number of programs ranked as one list (32)
//   lists-per-task   lists of a task in an epoch; the epochs cycle through the
//                    programs of the task; 0: all of its programs (2)
//   list             what a list is drawn from: a "task", or the whole data, as
//                    a "batch" with its tasks mixed, as in the papers (task)
//   loss             "pairs": the logistic loss of all pairs of a list,
//                    "lambda": LambdaRank, as in the papers (pairs; of tlp
//                    lambda)
//   optimizer        "adam", with decoupled weight decay, or "sgd" without
//                    momentum (adam)
//   learning-rate    maximum learning rate (1e-3)
//   schedule         of the learning rate: "cosine" decay to 0 after a linear
//                    warm-up over a twentieth of the steps, or "constant"
//                    (cosine)
//   weight-decay     (1e-2)
//   clip             maximum norm of the gradient, 0 = unlimited (0.5)
//   width            tlp: width of the network after its first layers, a
//                    multiple of 32 (256, as published)
//   language         tlp: language of the schedules: Pruner's primitives,
//                    "schedule", or those of the tuner that measured the
//                    records, "recorded" (schedule)
//   sequence         tlp: maximum number of primitives of a schedule; the rest
//                    is cropped (25, as published)
//   numbers          tlp: parameters of primitives unchanged, "raw", or
//                    their logarithms, "log" (log)
//   heads            tlp: one for each "platform", or "one" for all (platform)
//   trunk            tlp: "train" the layers that the heads share, or "keep"
//                    them as loaded (train)
//   layers           cdmpp: of the transformer's encoder (2; published: 11)
//   feed-forward     cdmpp: width inside of each of them (256; 2048)
//   encoder-width    cdmpp: of the linear layers after them (256; 985)
//   embedding        cdmpp: width of the latent representation (64; 69)
//   decoder-width    cdmpp: of the linear layers of the decoder (256; 930)
//   percentage       cdmpp: weight of the relative error of seconds, relative
//                    to the squared error of labels (1e-3, as published)
//   alpha            cdmpp: weight of the central moment discrepancy between
//                    the target domain and the others (1, as published)
//   dropout          dropout probability of the fused activations (0.2)
//   patience         epochs without a better smoothed training loss before an
//                    update ends, 0 = never (0)
//   branches         pacm: the features to read, "both", "statements" or
//                    "dataflow"; the output of an absent branch is 0 (both)
//   terms            "yes": the network also reads the terms of the analytical
//                    model, "no": only the inputs of the papers' networks (yes;
//                    of cdmpp no)
//   prior            weight of the analytical model's prediction in the score,
//                    per factor of two in time (0)
//   scaling          "standard": normalize features to mean 0 and variance 1,
//                    "maximum": divide them by their maxima (standard)
//   adapt            what an update starts from and what it trains
//                    (CostModel/Adaptation.h): "scratch", "fine-tune", "moa",
//                    "moses", or "auto": fine-tune if weights were loaded, else
//                    scratch (auto)
//   normalization    scaling of the features: "recompute" it at every update,
//                    "keep" that of the weights, or "auto": keep if weights
//                    were loaded, else recompute (auto)
//   batch-norm       statistics for scoring: "running" ones, or those of the
//                    scored "batch", as in the published code during its search
//                    (running)
//   momentum         moa: share of the Siamese weights that an update keeps
//                    (0.99)
//   period           moa: calls of update() per training (4)
//   transferable     moses: share of the parameters that take gradient steps
//                    (0.5, as published)
//   boundary         moses: whether the share applies to each "tensor" or to
//   the
//                    whole "network" (tensor)
//   decay            moses: decay of the other parameters in a step, times the
//                    learning rate (1)
//   adversary        moses: maximum weight of the domain classifier's reversed
//                    gradient; 0: none (0.1)
//
// With batch-norm "running", the score of a program does not depend on the
// programs that are scored with it. With "batch" it does; a call with one
// program then uses "running", where the published code fails.

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

/// The defaults of a model.
ModelOptions defaultOptions(const std::string &model);

/// Reads \p json into \p options, which hold the defaults. Returns an empty
/// string, or an error that names the option and its permitted values.
std::string parseModelOptions(const std::string &json, ModelOptions &options);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_OPTIONS_H
