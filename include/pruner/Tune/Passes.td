//===- Passes.td - passes that tune and apply schedules ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TUNE_PASSES_TD
#define PRUNER_TUNE_PASSES_TD

include "mlir/Pass/PassBase.td"

def TunePass : Pass<"pruner-tune", "::mlir::ModuleOp"> {
  let summary = "Search, measure and apply the best schedule of every task";
  let description = [{
    The pass normalizes the module, extracts its tasks (both steps are skipped
    for a module that has tasks already), searches for a schedule of each task,
    and applies the best verified one. Every trial is stored in the database.
    The same command therefore continues an earlier run, and
    `pruner-apply-best` makes the same module from the database alone.

    Trials are shared between the tasks by the gradient of the network's
    latency. `pruner-worker` processes build and run the candidates. Without a
    device for the target nothing is measured: the analytical model ranks the
    candidates, the best are compiled, and their static facts are recorded.

    Stdout receives the tuned module. With `lower=true` the tuned kernels are
    in upstream dialects, which upstream tools can read. With `lower=false`
    tasks keep `#pruner.schedule` attributes and, as `pruner.seconds`, the
    median time of the record; nothing else changes. Progress, remarks and the
    final table go to stderr.

    `targets=cpu,nvidia:sm_80` tunes the same tasks for one target after the
    other. Each target is tuned like in a run for it alone, with the same
    trials and the same database. The module then has the schedules of all
    targets in `pruner.schedules`, a dictionary from target to `schedule` and
    `seconds`. `pruner-select-target` keeps those of one target. A module cannot
    be lowered for several targets, so `targets` needs `lower=false`.

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
               "Several targets instead of one, tuned one after the other; needs "
               "lower=false">,
    Option<"trials", "trials", "unsigned", "64",
           "Measurements in total for each target, shared between the tasks; "
           "recorded trials of the same run count">,
    Option<"db", "db", "std::string", "\"\"",
           "Tuning database (SQLite), created if missing; empty: records are "
           "lost at the end of the run">,
    Option<"similar", "similar", "std::string", "\"\"",
           "Tuning database whose best schedules of similar tasks are measured "
           "first; it is only read">,
    Option<"seed", "seed", "uint64_t", "0", "Seed of every random choice">,
    Option<"threads", "threads", "unsigned", "0",
           "CPU threads of a tuned kernel; 0: all cores that this process may "
           "use">,
    Option<"caches", "caches", "std::string", "\"network\"",
           "CPUs: the cache state in which tasks are timed: as when the network "
           "calls them ('network'), or as if called repeatedly ('warm')">,
    Option<"only", "only", "std::string", "\"\"",
           "Tune only tasks whose name matches this regular expression">,
    Option<"strategy", "strategy", "std::string", "\"draft-verify\"",
           "How candidates are proposed; `pruner-opt --help` lists the "
           "strategies",
           "::llvm::cl::desc(strategyHelp())">,
    Option<"model", "model", "std::string", "\"auto\"",
           "Learned model: 'pacm', 'tensetmlp', 'tlp', 'cdmpp', 'xgboost', "
           "'linear', 'random' or 'none'; 'moa': pacm with adapt=moa; 'auto': "
           "the model of 'weights' if given, else xgboost with the shipped "
           "weights on the CPUs and GPUs that they were trained on, else pacm, "
           "else none with a warning">,
    Option<"weights", "weights", "std::string", "\"\"",
           "File of weights (safetensors) from which the model starts">,
    Option<"adapt", "adapt", "std::string", "\"auto\"",
           "How the weights change during the run: 'none' (not at all), "
           "'fine-tune', 'moa' or 'moses', and 'scratch' without weights; "
           "'auto': fine-tune or scratch">,
    Option<"transferable", "transferable", "double", "0",
           "adapt=moses: the share of the parameters that is trained; 0: half">,
    Option<"endVariation", "end-variation", "double", "0",
           "Stop tuning a task once the model's predictions for its last "
           "batches vary by less than this (standard deviation over mean); 0: "
           "never">,
    Option<"endBatches", "end-batches", "unsigned", "3",
           "Number of batches over which 'end-variation' is computed">,
    Option<"modelDevice", "model-device", "std::string", "\"cpu\"",
           "Where the learned model is computed: 'cpu', 'cuda' (the first GPU "
           "that LibTorch can use), or 'auto': cuda if available, else cpu">,
    Option<"batch", "batch", "unsigned", "10", "Measurements per round">,
    Option<"runner", "runner", "std::string", "\"local\"",
           "'local', or 'exec:<command>' for a program that speaks the worker "
           "protocol">,
    Option<"runners", "runners", "unsigned", "1",
           "How many runners measure at the same time, each started by the "
           "command; they must be machines of the same kind, or parts of one "
           "machine that do not disturb each other. Head-to-head comparisons "
           "use one of them">,
    Option<"builder", "builder", "std::string", "\"local\"",
           "'local', or 'exec:<command>' for a builder that speaks the worker "
           "protocol. Its greeting states whether it is this code generator on "
           "another machine, or another compiler, which needs 'lower=false'">,
    Option<"builders", "builders", "unsigned", "0",
           "How many builders work at the same time; 0: two, on GPU targets one "
           "per core">,
    Option<"worker", "worker", "std::string", "\"\"",
           "Path of the pruner-worker that builds and, with runner=local, "
           "measures; empty: the one next to the program or library that "
           "contains this pass">,
    Option<"trialsPerTask", "trials-per-task", "unsigned", "0",
           "Measurements of each task, in rotation, up to 'trials' in total; 0: "
           "shared by the gradient of the network's latency">,
    Option<"finals", "finals", "bool", "true",
           "Compare the untuned default and the best schedules of each task at "
           "the end; 'false' also turns off the comparison in the network">,
    Option<"timeLimit", "time-limit", "double", "0",
           "Seconds after which no trial starts; 0: no limit">,
    Option<"network", "network", "bool", "true",
           "CPUs: at the end compare the best schedules inside the compiled "
           "network, and report its time; needs runner=local and exactly one "
           "public function that calls two tasks or more">,
    Option<"lower", "lower", "bool", "true",
           "Lower the tuned tasks to upstream dialects">,
    Option<"lowerable", "check-lowerable", "bool", "true",
           "Refuse what cannot be lowered, at the operation "
           "(pruner-check-lowerable), before anything is measured: for CPUs "
           "the module, for GPUs the tasks; 'false' where something else "
           "lowers what is around the tasks">,
    Option<"verboseRemarks", "verbose-remarks", "bool", "false",
           "Emit one remark for each unchanged operation or task, instead of "
           "one for all with the same reason">,
  ];
  let statistics = [
    Statistic<"numTasks", "num-tasks", "Number of tasks">,
    Statistic<"numTrials", "num-trials", "Number of trials of this run">,
    Statistic<"numFailed", "num-failed", "Number of trials that failed">,
    Statistic<"numApplied", "num-applied", "Number of tasks with a schedule">,
  ];
}

def ApplyBestPass : Pass<"pruner-apply-best", "::mlir::ModuleOp"> {
  let summary = "Apply the best recorded schedule of every task";
  let description = [{
    The pass does what `pruner-tune` does at its end, from the database alone.
    It does not search, and it needs no device. It applies records that were
    measured on a machine of the same key and verified. With `unmeasured=true`,
    and for a GPU target without a device, it also applies the best predicted
    records. Tasks without a record keep their linalg form, with a remark.

    A record of another build of the code generator, of another LLVM version or
    of another verification method only suggests a schedule; it does not vouch
    for the code. If a task has no other records, a worker on this machine
    builds the best of these schedules, compares it with the reference, times
    it, and stores the new record. If it fails, the next best follows, up to
    three. A remark reports this. `reverify=false` ignores such records. For a
    GPU without a device they are applied like predicted ones.

    Damaged rows, and records that cannot be true (an illegal schedule, a time
    that no machine can reach, a time stamp in the future), are reported by
    warnings and not used.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "As in pruner-tune">,
    Option<"db", "db", "std::string", "\"\"", "Tuning database; must exist">,
    Option<"threads", "threads", "unsigned", "0", "As in pruner-tune">,
    Option<"caches", "caches", "std::string", "\"network\"",
           "As in pruner-tune; records of this cache state are preferred">,
    Option<"lower", "lower", "bool", "true", "As in pruner-tune">,
    Option<"unmeasured", "unmeasured", "bool", "false",
           "Also apply schedules that were only predicted">,
    Option<"reverify", "reverify", "bool", "true",
           "Build and verify the best records of other builds again; 'false' "
           "ignores them">,
    Option<"worker", "worker", "std::string", "\"\"",
           "As in pruner-tune, for records that are verified again">,
    Option<"verboseRemarks", "verbose-remarks", "bool", "false",
           "Emit one remark for each unchanged operation or task, instead of "
           "one for all with the same reason">,
  ];
  let statistics = [
    Statistic<"numApplied", "num-applied", "Number of tasks with a schedule">,
  ];
}

def DraftPass : Pass<"pruner-draft", "::mlir::ModuleOp"> {
  let summary = "Give every task the schedule that the analytical model prefers";
  let description = [{
    The pass normalizes the module and extracts tasks like `pruner-tune`. For
    each task it then drafts one round with the strategy `draft-only`: random
    schedules evolve under the analytical model. The task gets the best of them,
    or the default schedule if the model predicts that to be as fast. Nothing is
    built, measured or verified, and no database is read, so a network takes
    seconds. The schedules are legal, but their code is not checked. Tasks that
    have a schedule keep it.

    A task without a legal schedule is left unchanged, with a remark.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "As in pruner-tune">,
    Option<"threads", "threads", "unsigned", "0", "As in pruner-tune">,
    Option<"seed", "seed", "uint64_t", "0", "Seed of the draws">,
    Option<"population", "population", "unsigned", "512",
           "Schedules in each of the three generations">,
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
    `pruner.range` lists sizes, these are taken.

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
           "How much slower a call may be than a function of its exact size, as "
           "a fraction">,
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

def PredictLatencyPass : Pass<"pruner-predict-latency", "::mlir::ModuleOp"> {
  let summary = "Predict the latency of a network on a machine";
  let description = [{
    Nothing is built or run. A learned latency model predicts the time of each
    task of the module (extracted first if it has none). The schedule of a
    task is the one that it has, else the best one in the database for the
    target, else the default schedule. Without weights the analytical model
    takes the place of the learned model.

    Then each public function is replayed (CDMPP, algorithm 2). An operation is
    ready when its operands are computed, and a queue runs the operation that
    was ready first. A machine has one queue, or more with `queues`, which run
    in parallel without slowing each other down.

    The time of an operation outside the tasks is its number of bytes divided by
    the bandwidth of main memory. Shapes, constants and slices take no time.
    Calls of other functions, other control flow and dynamic shapes are not
    counted; a remark names each of them.

    The pass changes nothing but to extract tasks. Remarks give the time and the
    start of each call, and the total of each function:

    ```
    net.mlir:5:10: remark: task_matmul_64x64x64_1f0e2d3c: 12.345 us from 3.210 us, by its schedule
    net.mlir:2:3: remark: 'main' takes 20.123 us on cpu:znver4 by the model 'cdmpp': 2 calls of tasks 18.001 us, 1 operations outside 2.122 us
    ```
  }];
  let options = [
    Option<"weights", "weights", "std::string", "\"\"",
           "File of weights (safetensors) of a latency model, such as 'cdmpp'; "
           "empty: the analytical model">,
    Option<"target", "target", "std::string", "\"cpu\"", "As in pruner-tune">,
    Option<"threads", "threads", "unsigned", "0", "As in pruner-tune">,
    Option<"db", "db", "std::string", "\"\"",
           "Tuning database with schedules for tasks that have none; records of "
           "other builds are used, too">,
    Option<"queues", "queues", "unsigned", "1",
           "Number of queues of the machine, such as streams of a GPU">,
    Option<"gap", "gap", "double", "0",
           "Microseconds for which a queue is idle after each call of a task, "
           "such as the time of a launch">,
    Option<"trace", "trace", "std::string", "\"\"",
           "File for the timeline, in the trace format of Chrome and Perfetto">,
  ];
  let statistics = [
    Statistic<"numTasks", "num-tasks", "Number of tasks">,
    Statistic<"numNetworks", "num-networks", "Number of functions replayed">,
  ];
}

def SamplePass : Pass<"pruner-sample", "::mlir::ModuleOp"> {
  let summary = "Write random legal schedules of every task to a file";
  let description = [{
    For each task of the module (extracted first if it has none) the pass
    draws `count` distinct schedules like the strategy `random` of
    `pruner-tune`, or fewer if the space has no more. The file has one line of
    JSON for the task, in the format of `pruner-db export` and with the fields of
    a record that do not depend on the schedule, then one line for each
    schedule. The pass changes nothing but to extract tasks.

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
