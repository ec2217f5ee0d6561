//===- Passes.td - passes that tune and apply schedules ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TUNE_PASSES_TD
#define PRUNER_TUNE_PASSES_TD

include "mlir/Pass/PassBase.td"
include "pruner/Conversion/ExtractTasks/JoinProducts.td"

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
    other. Each target is tuned as in a separate run, with the same trials and
    the same database. The module then has the schedules of all targets in
    `pruner.schedules`, a dictionary from target to `schedule` and `seconds`.
    `pruner-select-target` keeps those of one target. A module cannot be lowered
    for several targets, so `targets` needs `lower=false`.

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
    JoinProductsOption<"Large", "; all but never: CPUs, one target, and this code generator">,
    Option<"similar", "similar", "std::string", "\"\"",
           "Tuning database whose best schedules of similar tasks are measured "
           "first; it is only read">,
    Option<"accuracy", "accuracy", "std::string", "\"\"",
           "Permitted changes of results, in addition to the order of sums",
           "::llvm::cl::desc(accuracyHelp())">,
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
           "Learned model that 'pruner model options' lists, or 'none'; 'moa': "
           "pacm with adapt=moa; 'auto': the model of 'weights' if given, else "
           "xgboost with the shipped weights on CPUs and on the GPUs that they "
           "were trained on, else pacm, else none with a warning">,
    Option<"weights", "weights", "std::string", "\"\"",
           "File of weights (safetensors) from which the model starts">,
    Option<"adapt", "adapt", "std::string", "\"auto\"",
           "How the weights change during the run: 'none' (not at all), or "
           "another adaptation that 'pruner model options' lists; 'auto': "
           "fine-tune, or scratch without weights">,
    Option<"transferable", "transferable", "double", "0",
           "adapt=moses: the share of the parameters that is trained; 0: half">,
    Option<"endVariation", "end-variation", "double", "0",
           "Stop tuning a task once the model's predictions for its last "
           "batches vary by less than this (standard deviation over mean); 0: "
           "never">,
    Option<"endBatches", "end-batches", "unsigned", "3",
           "Number of batches over which 'end-variation' is computed">,
    Option<"modelDevice", "model-device", "std::string", "\"cpu\"",
           "Device that computes the learned model: 'cpu', 'cuda' (the first GPU "
           "that LibTorch can use), or 'auto': cuda if available, else cpu">,
    Option<"batch", "batch", "unsigned", "10", "Measurements per round">,
    Option<"runner", "runner", "std::string", "\"local\"",
           "'local', or 'exec:<command>' for a program that speaks the worker "
           "protocol">,
    Option<"runners", "runners", "unsigned", "1",
           "Number of runners that measure at the same time, each started by the "
           "command; they must be machines of the same kind, or parts of one "
           "machine that do not disturb each other. Head-to-head comparisons "
           "use one of them">,
    Option<"builder", "builder", "std::string", "\"local\"",
           "'local', or 'exec:<command>' for a builder that speaks the worker "
           "protocol. Its greeting states whether it is this code generator on "
           "another machine, or another compiler, which needs 'lower=false'">,
    Option<"builders", "builders", "unsigned", "0",
           "Number of builders that work at the same time; 0: two, on GPU targets one "
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
    Option<"emulate", "emulate", "int64_t", "4000000",
           "GPUs without a device: compare the results of each candidate in the "
           "PTX machine with the reference, with at most about this many "
           "instructions of warps; 0: do not">,
    Option<"timeLimit", "time-limit", "double", "0",
           "Seconds after which no trial starts; 0: no limit">,
    Option<"network", "network", "bool", "true",
           "CPUs: at the end compare the best schedules inside the compiled "
           "network, and report its time; needs runner=local and exactly one "
           "public function that calls two tasks or more">,
    Option<"lower", "lower", "bool", "true",
           "Lower the tuned tasks to upstream dialects">,
    Option<"lowerable", "check-lowerable", "bool", "true",
           "Reject operations that cannot be lowered (pruner-check-lowerable) "
           "before anything is measured: in the module for CPUs, in the tasks "
           "for GPUs; 'false' if another compiler lowers the code around the "
           "tasks">,
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
    records. Tasks without a record keep their linalg form, with a remark. With
    `draft=true`, they get the schedules that `pruner-draft` chooses, and a
    warning says how many.

    A record of another build of the code generator, of another LLVM version or
    of another verification method only suggests a schedule; it does not prove
    that the code is correct. If a task has no other records, a worker on this
    machine builds the best of these schedules, compares it with the reference,
    times it, and stores the new record. If it fails, the next best follows, up
    to three. A remark reports this. `reverify=false` ignores such records. For
    a GPU without a device they are applied like predicted ones.

    Damaged rows, and records that cannot be true (an illegal schedule, a time
    that no machine can reach, a time stamp in the future), are reported by
    warnings and not used.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"cpu\"", "As in pruner-tune">,
    Option<"db", "db", "std::string", "\"\"", "Tuning database; must exist">,
    Option<"threads", "threads", "unsigned", "0", "As in pruner-tune">,
    Option<"accuracy", "accuracy", "std::string", "\"\"",
           "As in the run of pruner-tune that made the records">,
    JoinProductsOption<"Large", "; as in pruner-tune">,
    Option<"caches", "caches", "std::string", "\"network\"",
           "As in pruner-tune; records of this cache state are preferred">,
    Option<"lower", "lower", "bool", "true", "As in pruner-tune">,
    Option<"unmeasured", "unmeasured", "bool", "false",
           "Also apply schedules that were only predicted">,
    Option<"draft", "draft", "bool", "false",
           "Choose schedules as pruner-draft does for tasks without a record">,
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

#endif // PRUNER_TUNE_PASSES_TD
