//===- Passes.td - passes that choose without measuring ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_DRAFT_PASSES_TD
#define PRUNER_DRAFT_PASSES_TD

include "mlir/Pass/PassBase.td"

def DraftPass : Pass<"pruner-draft", "::mlir::ModuleOp"> {
  let summary = "Give every task the schedule that the analytical model prefers";
  let description = [{
    The pass normalizes the module and extracts tasks like `pruner-tune`. For
    each task it then drafts one round with the strategy `draft-only`: random
    schedules evolve under the analytical model, and the best of them and the
    default schedule are improved by steepest descent. The task gets the best of
    all. Nothing is built, measured or verified, and no database is read, so a
    network takes seconds. The schedules are legal, but their code is not
    checked. Tasks that have a schedule keep it.

    A task without a legal schedule is left unchanged, with a remark.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "As in pruner-tune">,
    Option<"threads", "threads", "unsigned", "0", "As in pruner-tune">,
    Option<"accuracy", "accuracy", "std::string", "\"\"", "As in pruner-tune">,
    Option<"seed", "seed", "uint64_t", "0", "Seed of the draws">,
    Option<"population", "population", "unsigned", "512",
           "Schedules in each of the three generations; four times as many for "
           "tasks of more than seven dimensions">,
    Option<"lower", "lower", "bool", "true", "As in pruner-tune">,
    Option<"verboseRemarks", "verbose-remarks", "bool", "false",
           "As in pruner-tune">,
  ];
  let statistics = [
    Statistic<"numTasks", "num-tasks", "Number of tasks">,
    Statistic<"numDrafted", "num-drafted", "Number of tasks given a schedule">,
  ];
}

def ChooseSizesPass : Pass<"pruner-choose-sizes", "::mlir::ModuleOp"> {
  let summary = "Choose the sizes for which a dynamic network is tuned";
  let description = [{
    For the function with `pruner.range`, the pass predicts the time of a call
    of each size with the analytical model. It makes the function static for
    some sizes, drafts schedules for the tasks as in `pruner-draft`, and adds up
    their times, weighted by their number of calls. Times between these sizes
    are interpolated.

    The pass then chooses the smallest set of sizes such that no call takes
    longer than 1 + `waste` times its own prediction. A call is padded to the
    next chosen size or, if calls may be split, run as a sum of chosen sizes. If
    `pruner.range` lists sizes, these are taken. A size without tasks counts as
    the next size that has tasks; if no size has tasks, the greatest is chosen.

    The sizes and their times become the function's `pruner.representatives`,
    for `pruner-specialize-shapes`. A remark lists them.

    ```mlir
    func.func @main(%x: tensor<?x64xf32> {pruner.range = [#pruner.range<n, 1 to 64>]}) ...
        attributes {pruner.representatives = {
            sizes = array<i64: 1, 4, 16>, seconds = array<f64: 1.0e-6, 2.1e-6, 7.5e-6>}}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "As in pruner-tune">,
    Option<"threads", "threads", "unsigned", "0", "As in pruner-tune">,
    Option<"waste", "waste", "double", "0.1",
           "Largest permitted slowdown of a call, relative to a function of its "
           "exact size, as a fraction">,
    Option<"entry", "entry", "std::string", "\"\"",
           "Name of the function; empty: the only public one with pruner.range">,
    Option<"seed", "seed", "uint64_t", "0", "Seed of the draws">,
    Option<"population", "population", "unsigned", "64",
           "As in pruner-draft">,
    ListOption<"candidates", "candidates", "int64_t",
               "Sizes to predict and to choose from; default: all up to 24, then "
               "every 2nd, 4th, 8th, ..., about a twelfth apart">,
  ];
  let statistics = [
    Statistic<"numPredicted", "num-predicted", "Number of sizes predicted">,
    Statistic<"numChosen", "num-chosen", "Number of sizes chosen">,
  ];
}

def ListSketchesPass : Pass<"pruner-list-sketches", "::mlir::ModuleOp"> {
  let summary = "Print the schedule space of every task";
  let description = [{
    For each task of the module (extracted first if it has none) the pass
    prints all sketches for CPUs or for GPUs, according to the target. A sketch
    that fits is printed with its knobs, their values, the number of schedules,
    and the share of random draws that are legal; the rules that the other draws
    violate follow. A sketch that does not fit is printed with the rule that it
    violates. The text goes to stderr, the module to stdout.

    ```
    task_matmul_128x512x512_0a1b2c3d
      cpu_tile: 3.4e+12 schedules, 61 % of 1000 draws legal (R11 30 %, R4 9 %)
        tile d0 cache: 1 2 4 ...
      cpu_map: R1: variant cpu_map needs an anchor without reduction dimensions, ...
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "As in pruner-tune">,
    Option<"draws", "draws", "unsigned", "1000",
           "Number of random draws for the share of legal schedules">,
  ];
  let statistics = [
    Statistic<"numSpaces", "num-spaces", "Number of tasks with a sketch">,
    Statistic<"numDrawn", "num-drawn", "Number of schedules drawn">,
    Statistic<"numLegal", "num-legal", "Number of legal schedules drawn">,
  ];
}

def SamplePass : Pass<"pruner-sample", "::mlir::ModuleOp"> {
  let summary = "Write random legal schedules of every task to a file";
  let description = [{
    For each task of the module (extracted first if it has none) the pass
    draws `count` distinct schedules like the strategy `random` of
    `pruner-tune`, or fewer if the space has no more. The file has one line of
    JSON for the task, in the format of `pruner db export` and with the fields of
    a record that do not depend on the schedule, then one line for each
    schedule. The pass only extracts tasks; it makes no other changes.

    ```
    {"pruner":{"environment":{"machine":...,"target":"nvidia:sm_90a",...},"key":"0a1b...","kind":"task","text":"module ...",...}}
    {"key":"0a1b...","schedule":"#pruner.schedule<simt_tile, tiles = ...>"}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "As in pruner-tune">,
    Option<"threads", "threads", "unsigned", "0", "As in pruner-tune">,
    Option<"count", "count", "unsigned", "100", "Schedules per task">,
    Option<"seed", "seed", "uint64_t", "0", "Seed of the draws">,
    Option<"output", "out", "std::string", "\"\"", "The file to write">,
  ];
  let statistics = [
    Statistic<"numTasks", "num-tasks", "Number of tasks">,
    Statistic<"numSchedules", "num-schedules", "Number of schedules written">,
  ];
}

#endif // PRUNER_DRAFT_PASSES_TD
