//===- NetworkOptions.cpp - options that networks share -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/Models/NetworkOptions.h"

using namespace pruner;

void NetworkOptions::declare(OptionTable &table) {
  table.word(
      "device", device, {"cpu", "cuda", "auto"},
      "device that computes the model; cuda: the first GPU that LibTorch "
      "can use, auto: cuda if available, else cpu");
  table.integer("threads", threads, 1, 1024,
                "threads of LibTorch and OpenBLAS");
  table.integer("seed", seed, 0, 9e18,
                "seed of the initial weights and of the shuffling");
  table.integer("epochs", epochs, 1, 100000, "passes of one update");
  table.integer("steps", steps, 0, 1e9,
                "minimum number of steps of one update; with little data there "
                "are more epochs");
  table.integer("batch", batch, 2, 65536,
                "minimum number of programs of one step; whole lists");
  table.word("optimizer", optimizer, {"adam", "sgd"},
             "adam with decoupled weight decay, or sgd without momentum");
  table.real("learning-rate", learningRate, 0, 10, "maximum learning rate");
  table.word("schedule", schedule, {"cosine", "constant"},
             "of the learning rate; cosine: decay to 0 after a linear warm-up "
             "over a twentieth of the steps");
  table.real("weight-decay", weightDecay, 0, 10, "decay of the weights");
  table.real("clip", clip, 0, 1e30,
             "maximum norm of the gradient; 0: unlimited");
  table.real("dropout", dropout, 0, 0.9,
             "dropout probability of the activations");
  table.word("scaling", scaling, {"standard", "maximum"},
             "normalize features to mean 0 and variance 1, or divide them by "
             "their maxima");
  table.word("normalization", normalization, {"auto", "recompute", "keep"},
             "recompute the scaling at every update, keep that of the weights, "
             "or keep it if weights were loaded");
  std::vector<std::string> words = {"auto"};
  for (const std::unique_ptr<Adaptation> &each : adaptations())
    if (each->trains())
      words.push_back(each->name());
  table.word("adapt", adapt, words,
             "how an update uses the weights; auto: fine-tune if weights were "
             "loaded, else scratch");
}

void RankingOptions::declare(OptionTable &table) {
  NetworkOptions::declare(table);
  table.integer("list-size", listSize, 2, 65536,
                "maximum number of programs ranked as one list");
  table.integer("lists-per-task", listsPerTask, 0, 65536,
                "lists of a task in an epoch; the epochs cycle through the "
                "programs of the task; 0: all of its programs");
  table.word(
      "list", list, {"batch", "task"},
      "task: a list has programs of one task; batch: of all tasks, as in "
      "the papers");
  table.integer(
      "early-trials", earlyTrials, 0, 1e9,
      "number of a task's first programs from which half of its lists "
      "are drawn, and the others from the rest; 0: one kind of list; "
      "needs list=task");
  table.word("loss", loss, {"pairs", "lambda"},
             "the logistic loss of all pairs of a list, or LambdaRank, as in "
             "the papers");
  table.integer("patience", patience, 0, 100000,
                "epochs without a better smoothed training loss before an "
                "update ends; 0: never");
}
