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
//   done
//                    by this library, on CPUs; "plain": by theirs, as on other
//                    devices (fused)
//   threads          threads of LibTorch and OpenBLAS (1)
//   seed             of the initial weights and of the shuffling (0)
//   epochs           most epochs of one update (50)
//   batch            programs of one step (512)
//   optimizer        "adam", or "sgd" without momentum (adam)
//   learning-rate    (7e-4)
//   weight-decay     (1e-6)
//   clip             largest norm of the gradient, 0 = unlimited (0.5)
//   patience         epochs without a better smoothed training loss before an
//                    update ends, 0 = never (16)
//   list             what is ranked as one list: "batch", tasks mixed as in the
//                    papers, or "task" (batch)
//   start            weights that an update starts from: "fresh" random ones,
//                    "continue" with the present ones, or "auto": continue if
//                    weights were loaded, else fresh (auto)
//   normalization    column maxima of the features: "recompute" at every
//                    update, "keep" those of the weights, or "auto": keep if
//                    weights were loaded, else recompute (auto)
//   batch-norm       statistics that scoring normalises with: "running" ones,
//                    or those of the "batch" that is scored, as the published
//                    code does during its search (running)
//   momentum         moa: share of the Siamese weights that an update keeps
//                    (0.99)
//   period           moa: calls of update() per training (4)
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
  std::int64_t epochs = 50;
  std::int64_t batch = 512;
  std::string optimizer = "adam";
  double learningRate = 7e-4;
  double weightDecay = 1e-6;
  double clip = 0.5;
  std::int64_t patience = 16;
  std::string list = "batch";
  std::string start = "auto";
  std::string normalization = "auto";
  std::string batchNorm = "running";
  double momentum = 0.99;
  std::int64_t period = 4;
};

/// Reads \p json. Returns an empty string, or which option is wrong and what it
/// may be.
std::string parseModelOptions(const std::string &json, ModelOptions &options);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_OPTIONS_H
