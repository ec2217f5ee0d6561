// RUN: pruner-opt %s --pruner-predict-latency='target=file:%S/../Dialect/Pruner/Inputs/cpu.json threads=1' --split-input-file --verify-diagnostics
// DEFINE: %{run} = not pruner-opt %S/../Tune/Inputs/two.mlir -o /dev/null --pruner-predict-latency
// RUN: %{run}=target=tpu 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: %{run}='threads=1 queues=0' 2>&1 | FileCheck %s --check-prefix=QUEUES
// RUN: %{run}='threads=1 gap=-1' 2>&1 | FileCheck %s --check-prefix=GAP
// RUN: %{run}='threads=1 db=%t.none' 2>&1 | FileCheck %s --check-prefix=DB
// RUN: %{run}='threads=1 weights=%t.none' 2>&1 | FileCheck %s --check-prefix=WEIGHTS
// RUN: %{run}='threads=1 weights=%S/../Tune/Inputs/two.mlir' 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: rm -rf %t && mkdir %t
// RUN: %{run}='threads=1 trace=%t/none/x' 2>&1 | FileCheck %s --check-prefix=TRACE
// TARGET: error: pruner-predict-latency: unknown target 'tpu'; allowed: cpu,
// QUEUES: error: pruner-predict-latency: option 'queues' must be at least 1
// GAP: error: pruner-predict-latency: option 'gap' must not be negative
// DB: error: pruner-predict-latency: option 'db': {{.*}}none
// WEIGHTS: error: pruner-predict-latency: option 'weights': {{.*}}none: {{.*}}No such file
// FORMAT: error: pruner-predict-latency: option 'weights': {{.*}}two.mlir: {{.*}}ST
// TRACE: error: pruner-predict-latency: option 'trace': {{.*}}none/x{{.*}}No such file

// A schedule for another kind of machine.
// expected-warning-re @below {{the task was changed after it was extracted: its key is {{[0-9a-f]+}}, not KEY}}
// expected-error-re @below {{the schedule breaks rule R1 on cpu:round: {{.+}}}}
func.func private @gpu(%a: tensor<64xf32>) -> tensor<64xf32> attributes {
    pruner.task = {key = "KEY"},
    pruner.schedule = #pruner.schedule<simt_map, tiles = [[64, 1]], vector = 1>} {
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.exp ins(%a : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// -----

// expected-error @below {{pruner-predict-latency: the network has more than one block; branches are not replayed}}
func.func @branches(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  cf.br ^end(%a : tensor<64xf32>)
^end(%c: tensor<64xf32>):
  return %c : tensor<64xf32>
}

// -----

// Dynamic shapes are not counted.
// expected-remark-re @below {{'dynamic' takes 0{{.*}} on cpu:round by the model 'psa': 0 calls of tasks {{.*}}, 0 operations outside {{.*}}, 1 not counted}}
func.func @dynamic(%a: tensor<?x24xf32>, %b: tensor<24x40xf32>, %c: tensor<?x40xf32>) -> tensor<?x40xf32> {
  // expected-remark @below {{'linalg.matmul' stays outside the tasks: dynamic shape 'tensor<?x24xf32>' cannot be tuned}}
  // expected-remark @below {{'linalg.matmul' is not counted: its shape is dynamic}}
  %r = linalg.matmul ins(%a, %b : tensor<?x24xf32>, tensor<24x40xf32>) outs(%c : tensor<?x40xf32>) -> tensor<?x40xf32>
  return %r : tensor<?x40xf32>
}
