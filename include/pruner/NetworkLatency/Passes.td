//===- Passes.td - the prediction of networks --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_NETWORKLATENCY_PASSES_TD
#define PRUNER_NETWORKLATENCY_PASSES_TD

include "mlir/Pass/PassBase.td"

def PredictLatencyPass : Pass<"pruner-predict-latency", "::mlir::ModuleOp"> {
  let summary = "Predict the latency of a network on a machine";
  let description = [{
    Nothing is built or run. A learned latency model predicts the time of each
    task of the module (extracted first if it has none). A task has its own
    schedule, or else the best one in the database for the target, or else the
    default schedule. By default, shipped weights are used on the machines that
    they were trained on. On other machines the analytical model replaces the
    learned model.

    Then each public function is replayed (CDMPP, algorithm 2). An operation is
    ready when its operands are computed, and a queue runs the operation that
    was ready first. A machine has one queue, or more with `queues`, which run
    in parallel without slowing each other down.

    The time of an operation outside the tasks is its number of bytes divided by
    the bandwidth of main memory. Shapes, constants and slices take no time.
    Calls of other functions, other control flow and dynamic shapes are not
    counted; a remark names each of them.

    The pass only extracts tasks; it makes no other changes. Remarks give the
    time and the start of each call, and the total of each function:

    ```
    net.mlir:5:10: remark: task_matmul_64x64x64_1f0e2d3c: 12.345 us from 3.210 us, by its schedule
    net.mlir:2:3: remark: 'main' takes 20.123 us on cpu:znver4 by the model 'cdmpp': 2 calls of tasks 18.001 us, 1 operations outside 2.122 us
    ```
  }];
  let options = [
    Option<"weights", "weights", "std::string", "\"auto\"",
           "File of weights (safetensors) of a latency model, such as 'cdmpp'; "
           "auto: shipped weights that were trained on the machine, else the "
           "analytical model; none: the analytical model">,
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

#endif // PRUNER_NETWORKLATENCY_PASSES_TD
