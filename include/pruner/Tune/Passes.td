//===- Passes.td - tuning and applying what was found -*- tablegen -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_TUNE_PASSES_TD
#define PRUNER_TUNE_PASSES_TD

include "mlir/Pass/PassBase.td"

def PrunerTune : Pass<"pruner-tune", "::mlir::ModuleOp"> {
  let summary = "Search, measure and apply the best schedule of every task";
  let description = [{
    Brings the module into normal form, extracts its tasks (both are skipped
    for a module that has tasks already), searches a schedule for each, and
    applies the best verified one. Every trial goes to the database, so the same
    command continues where an earlier run stopped, and `pruner-apply-best`
    makes the same module from the database alone.

    Trials are shared between the tasks by the gradient of the model's latency.
    Candidates are built and run by `pruner-worker` processes. Without a device
    for the target nothing is measured: the analytical model ranks, the best
    candidates are compiled, and their static facts are recorded.

    stdout carries the tuned module. With `lower=true` the tuned kernels are in
    upstream dialects, which stock tools read; with `lower=false` tasks carry
    `#pruner.schedule` attributes and, as `pruner.seconds`, the median time of
    the record; nothing else changes. Progress, remarks and the final table go
    to stderr.

    `targets=cpu,nvidia:sm_80` tunes the same tasks for one target after the
    other, each as a run for it alone would: the same trials, in the same
    database. The module then has the schedules of all, `pruner.schedules`, a
    dictionary by target of `schedule` and `seconds`, from which
    `pruner-select-target` takes those of one. It cannot be lowered for all of
    them at once, so `lower=false` must be said.

    Before:

    ```mlir
    %0 = linalg.matmul ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>)
                       outs(%zero : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    ```

    After (`lower=false`):

    ```mlir
    %0 = call @task_matmul_1024x1024x1024_...(%a, %b) : ...
    ...
    func.func private @task_matmul_1024x1024x1024_...(...) attributes {
      pruner.schedule = #pruner.schedule<cpu_tile, tiles = [[1, 16, 6], [1, 8, 16], [256]],
                                         stages = [none, inner], vector = 8, unroll = 4>, ...}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"",
           "'cpu' (this host), 'nvidia:<arch or name>' or 'file:<machine.json>'">,
    ListOption<"targets", "targets", "std::string",
               "Several targets in place of one, each tuned as it would be "
               "alone; needs lower=false">,
    Option<"trials", "trials", "unsigned", "64",
           "Measurements in all, shared between the tasks (of each target); "
           "earlier ones in the database count">,
    Option<"db", "db", "std::string", "\"\"",
           "Tuning database (SQLite); created if missing. Empty: in memory of "
           "this run only">,
    Option<"similar", "similar", "std::string", "\"\"",
           "A tuning database whose best schedules of similar tasks are "
           "measured first; it is only read">,
    Option<"seed", "seed", "uint64_t", "0", "Seed of every random choice">,
    Option<"threads", "threads", "unsigned", "0",
           "CPU threads of a tuned kernel; 0: all cores this process may use">,
    Option<"caches", "caches", "std::string", "\"network\"",
           "CPUs: time tasks with what the caches hold when the network calls "
           "them ('network'), or as if called over and over ('warm')">,
    Option<"only", "only", "std::string", "\"\"",
           "Tune only tasks whose name has a match of this regular expression">,
    Option<"strategy", "strategy", "std::string", "\"draft-verify\"",
           "'draft-verify', 'learned-all', 'draft-only', 'random', "
           "'exhaustive' or 'survey'">,
    Option<"model", "model", "std::string", "\"auto\"",
           "Cost model: 'pacm', 'tensetmlp', 'tlp', 'cdmpp', 'xgboost', "
           "'linear', 'random', 'none'; 'moa': pacm with adapt=moa; "
           "'auto': xgboost with the pretrained weights for GPUs that these "
           "were trained by; for other machines, and without the file or the "
           "plug-in, pacm; without that none, with a warning; of given weights "
           "the model that they are of">,
    Option<"weights", "weights", "std::string", "\"\"",
           "File (safetensors) that the model starts from">,
    Option<"adapt", "adapt", "std::string", "\"auto\"",
           "What becomes of the weights: 'none' (they stay), 'fine-tune', "
           "'moa' or 'moses'; without weights 'scratch'; 'auto': fine-tune or "
           "scratch">,
    Option<"transferable", "transferable", "double", "0",
           "adapt=moses: the share of the parameters that learns; 0: half">,
    Option<"endVariation", "end-variation", "double", "0",
           "Measure a task no more when what the model predicts of its last "
           "batches varies less (standard deviation over mean); 0: never">,
    Option<"endBatches", "end-batches", "unsigned", "3",
           "How many batches 'end-variation' is about">,
    Option<"modelDevice", "model-device", "std::string", "\"cpu\"",
           "Where the model is computed: 'cpu', 'cuda' (the first GPU that "
           "LibTorch can use), or 'auto': cuda if it is there, else cpu">,
    Option<"batch", "batch", "unsigned", "10", "Measurements per round">,
    Option<"runner", "runner", "std::string", "\"local\"",
           "'local', or 'exec:<command>' that speaks the worker protocol">,
    Option<"runners", "runners", "unsigned", "1",
           "Runners behind a command that measure at the same time, each started "
           "by it; they must be machines of the same kind, or parts of one that "
           "do not disturb each other. Finals have one of them">,
    Option<"builder", "builder", "std::string", "\"local\"",
           "'local', or 'exec:<command>' that speaks the worker protocol and "
           "builds. Its greeting tells whether that is this code generator on "
           "another machine, or another compiler: schedules are left as "
           "attributes then (with 'lower=false')">,
    Option<"builders", "builders", "unsigned", "0",
           "How many build at a time; 0: two, on GPU targets one for each core">,
    Option<"worker", "worker", "std::string", "\"\"",
           "Path of the pruner-worker that builds and, with a local runner, "
           "measures; empty: the one beside the program or library that holds "
           "this pass">,
    Option<"trialsPerTask", "trials-per-task", "unsigned", "0",
           "Measurements of each task, all tasks in turns, as many as 'trials' "
           "allows; 0: shared by what the network gains">,
    Option<"finals", "finals", "bool", "true",
           "At the end time the untuned default and the best schedules of each "
           "task; without that there is none in the network either">,
    Option<"timeLimit", "time-limit", "double", "0",
           "Start no trial after so many seconds; 0: no limit">,
    Option<"network", "network", "bool", "true",
           "CPUs: at the end let the best schedules compete in the compiled "
           "network, and report what it takes; only with a local runner, for "
           "one public function that calls two tasks or more">,
    Option<"lower", "lower", "bool", "true",
           "Lower the tuned tasks to upstream dialects">,
    Option<"lowerable", "check-lowerable", "bool", "true",
           "CPUs: refuse a module that cannot become a library, at the "
           "operation (pruner-check-lowerable), before anything is measured; "
           "'false' where something else lowers what is around the tasks">,
    Option<"verboseRemarks", "verbose-remarks", "bool", "false",
           "One remark for every operation or task that is left as it was, "
           "not one for all with the same reason">,
  ];
  let statistics = [
    Statistic<"numTasks", "num-tasks", "Number of tasks">,
    Statistic<"numTrials", "num-trials", "Number of trials of this run">,
    Statistic<"numFailed", "num-failed", "Number of trials that failed">,
    Statistic<"numApplied", "num-applied", "Number of tasks with a schedule">,
  ];
}

def PrunerApplyBest : Pass<"pruner-apply-best", "::mlir::ModuleOp"> {
  let summary = "Apply the best recorded schedule of every task";
  let description = [{
    What `pruner-tune` does at its end, from the database alone: nothing is
    searched and no device is needed. Only records that were measured on a
    machine of the same key and verified are applied, unless `unmeasured=true`
    admits the best predicted ones (always the case for a GPU target whose
    device is not here). Tasks without a record keep their linalg form, with a
    remark.

    Records of another build of the code generator, of another LLVM or of
    another way of verifying speak for schedules whose code was never seen.
    Where a task has no others, the best of them is built, compared with the
    reference and timed once more, by a worker on this machine, and stored; if
    it fails the next best, up to three. A remark says so. `reverify=false`
    applies none of them. For a GPU without a device they are applied like
    predicted ones.

    Rows that are damaged, and records that cannot be true (an illegal schedule,
    a time that no machine reaches, a time stamp in the future) are named by
    warnings and not used.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "As in pruner-tune">,
    Option<"db", "db", "std::string", "\"\"", "Tuning database; must exist">,
    Option<"threads", "threads", "unsigned", "0", "As in pruner-tune">,
    Option<"caches", "caches", "std::string", "\"network\"",
           "As in pruner-tune: which records speak of a task first">,
    Option<"lower", "lower", "bool", "true", "As in pruner-tune">,
    Option<"unmeasured", "unmeasured", "bool", "false",
           "Also apply schedules that were only predicted">,
    Option<"reverify", "reverify", "bool", "true",
           "Build and verify the best records of other builds again; 'false' "
           "leaves them out">,
    Option<"worker", "worker", "std::string", "\"\"",
           "As in pruner-tune, for what is verified again">,
    Option<"verboseRemarks", "verbose-remarks", "bool", "false",
           "One remark for every operation or task that is left as it was, "
           "not one for all with the same reason">,
  ];
  let statistics = [
    Statistic<"numApplied", "num-applied", "Number of tasks with a schedule">,
  ];
}

def PrunerDraft : Pass<"pruner-draft", "::mlir::ModuleOp"> {
  let summary = "Give every task the schedule that the analytical model prefers";
  let description = [{
    Normal form and tasks as in `pruner-tune`, then for every task one round of
    the strategy `draft-only`: schedules are drawn, evolve under the analytical
    model, and the best of them, or the default schedule if the model takes that
    for faster, is put on the task. Nothing is built, measured or verified, and
    no database is read: seconds for a network, and results right as far as all
    legal schedules are. Schedules that are there stay.

    A task for which there is no legal schedule is left as it was, with a remark.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "As in pruner-tune">,
    Option<"threads", "threads", "unsigned", "0", "As in pruner-tune">,
    Option<"seed", "seed", "uint64_t", "0", "Seed of the draws">,
    Option<"population", "population", "unsigned", "512",
           "Schedules of a generation, of which there are three">,
    Option<"lower", "lower", "bool", "true", "As in pruner-tune">,
    Option<"verboseRemarks", "verbose-remarks", "bool", "false",
           "As in pruner-tune">,
  ];
  let statistics = [
    Statistic<"numTasks", "num-tasks", "Number of tasks">,
    Statistic<"numDrafted", "num-drafted", "Number of those given a schedule">,
  ];
}

def PrunerChooseSizes : Pass<"pruner-choose-sizes", "::mlir::ModuleOp"> {
  let summary = "Choose the sizes that a network of dynamic shape is tuned for";
  let description = [{
    For the function with `pruner.range` the analytical model predicts what a
    call of each size takes: the function is made static for some sizes, its
    tasks get drafted schedules as in `pruner-draft`, and their times, by how
    often they are called, are added; in between times are interpolated. Of
    these sizes the fewest are chosen by which no call takes longer than 1 +
    `waste` times its own prediction, padded to the next of them or, where calls
    may be made in pieces, as a sum of them. A list of sizes is taken as it is.

    The sizes and their times become the function's `pruner.representatives`,
    for `pruner-specialize-shapes`; a remark says what was chosen.

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
           "By how much a call may be slower than by a function of its size">,
    Option<"entry", "entry", "std::string", "\"\"",
           "The function; empty: the only public one with pruner.range">,
    Option<"seed", "seed", "uint64_t", "0", "Seed of the draws">,
    Option<"population", "population", "unsigned", "64",
           "As in pruner-draft">,
    ListOption<"candidates", "candidates", "int64_t",
               "Sizes to predict and to choose from; by default all up to 24, and "
               "then every 2nd, 4th, 8th, ..., about a twelfth apart">,
  ];
  let statistics = [
    Statistic<"numPredicted", "num-predicted", "Number of sizes predicted">,
    Statistic<"numChosen", "num-chosen", "Number of sizes chosen">,
  ];
}

def PrunerListSketches : Pass<"pruner-list-sketches", "::mlir::ModuleOp"> {
  let summary = "Print the schedule space of every task";
  let description = [{
    For every task of the module (extracted first if there are none) all
    sketches for the target's kind of machine: the one that fits with its knobs,
    their values, the number of schedules and the share of random draws that are
    legal, with the rules that the others broke; for each other one the rule by
    which it does not apply. The text goes to stderr, the module to stdout.

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
           "Random schedules drawn for the share of legal ones">,
  ];
  let statistics = [
    Statistic<"numSpaces", "num-spaces", "Number of tasks with a sketch">,
    Statistic<"numDrawn", "num-drawn", "Number of schedules drawn">,
    Statistic<"numLegal", "num-legal", "Number of those that were legal">,
  ];
}

def PrunerPredictLatency : Pass<"pruner-predict-latency", "::mlir::ModuleOp"> {
  let summary = "Predict how long a network takes on a machine";
  let description = [{
    Nothing is built or run. Each task of the module (extracted first if there
    are none) gets a time by a trained model of latency, under the schedule that
    it has, or else the best that the database has for the target, or else the
    default one. Then each public function is replayed (CDMPP, algorithm 2): an
    operation is ready when what it needs is done, and a queue takes the one
    that was ready first. A machine has one queue, or more with `queues`, which
    run side by side without slowing each other down.

    Operations outside the tasks take as long as their bytes do at the bandwidth
    of the main memory; shapes, constants and slices take nothing. What is left
    (calls of other functions, other control flow, dynamic shapes) is named by a
    remark and not counted. Without weights the analytical model stands in for
    the trained one.

    The module is left as it is, but for tasks that were extracted. Remarks say
    what each call takes and when it begins, and the total of each function:

    ```
    net.mlir:5:10: remark: task_matmul_64x64x64_1f0e2d3c: 12.345 us from 3.210 us, by its schedule
    net.mlir:2:3: remark: 'main' takes 20.123 us on cpu:znver4 by the model 'cdmpp': 2 calls of tasks 18.001 us, 1 operations outside 2.122 us
    ```
  }];
  let options = [
    Option<"weights", "weights", "std::string", "\"\"",
           "File (safetensors) of a model of latency, such as 'cdmpp'; empty: "
           "the analytical model">,
    Option<"target", "target", "std::string", "\"cpu\"", "As in pruner-tune">,
    Option<"threads", "threads", "unsigned", "0", "As in pruner-tune">,
    Option<"db", "db", "std::string", "\"\"",
           "Tuning database with schedules for tasks that have none; records of "
           "other builds count as well">,
    Option<"queues", "queues", "unsigned", "1",
           "Queues of the machine, such as streams of a GPU">,
    Option<"gap", "gap", "double", "0",
           "Microseconds after each call of a task in which its queue does "
           "nothing, such as a launch">,
    Option<"trace", "trace", "std::string", "\"\"",
           "File for the timeline, in the trace format that Chrome and Perfetto "
           "show">,
  ];
  let statistics = [
    Statistic<"numTasks", "num-tasks", "Number of tasks">,
    Statistic<"numNetworks", "num-networks", "Number of functions replayed">,
  ];
}

def PrunerSample : Pass<"pruner-sample", "::mlir::ModuleOp"> {
  let summary = "Write random legal schedules of every task to a file";
  let description = [{
    For every task of the module (extracted first if there are none) `count`
    distinct schedules, drawn as the strategy `random` of `pruner-tune` draws
    them; fewer if the space has no more. The file has a line of JSON for the
    task, as `pruner-db export` writes it and with the fields of a record that
    do not depend on the schedule, then one for each schedule. The module is
    left as it is.

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

#endif // PRUNER_TUNE_PASSES_TD
