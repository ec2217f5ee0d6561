// DEFINE: %{machine} = target=file:%S/../Dialect/Pruner/Inputs/cpu.json threads=1
// RUN: pruner-opt %s --pruner-predict-latency='%{machine} trace=%t.json' 2> %t.remarks | FileCheck %s --check-prefix=IR
// RUN: FileCheck %s --input-file=%t.remarks
// RUN: FileCheck %s --check-prefix=TRACE --input-file=%t.json
// RUN: pruner-opt %s --pruner-predict-latency='%{machine} queues=2 gap=1000' -o /dev/null 2>&1 | FileCheck %s --check-prefix=QUEUES
// The output is a valid input and gives the same answer.
// RUN: pruner-opt %s --pruner-predict-latency='%{machine}' 2> %t.first | pruner-opt --pruner-predict-latency='%{machine}' -o %t.again 2> %t.second
// RUN: sed 's/.*remark: //' %t.first | grep . > %t.a
// RUN: sed 's/.*remark: //' %t.second | grep . > %t.b
// RUN: grep takes %t.a > %t.total && grep takes %t.b | diff %t.total -

// Nothing is run; only the tasks are extracted.
// IR: func.func @diamond
// IR-COUNT-3: call @task_matmul_64x64x64_
// IR-NOT: pruner.schedule
// IR-NOT: pruner.seconds

// Two independent products and one that needs both; operations outside by the
// bytes that they read and write (two rows each); and the total.
// CHECK: remark: task_matmul_64x64x64_[[T:[0-9a-f]+]]: [[ONE:[0-9.]+ [mun]?s]] from 0{{.*}}s, by the default schedule
// CHECK: remark: task_matmul_64x64x64_[[T]]: [[ONE]] from [[ONE]], by the default schedule
// CHECK: remark: task_matmul_64x64x64_{{.*}} from {{.*}}, by the default schedule
// CHECK: remark: linalg.generic: 65.0 ns from {{.*}} us, by its bytes and the memory's bandwidth
// CHECK: remark: 'func.call' is not counted: it calls a function that is not a task
// CHECK: remark: 'diamond' takes {{[0-9.]+ [mu]s}} on cpu:round by the model 'psa': 3 calls of tasks {{.*}}, 1 operations outside {{.*}}, 1 not counted

// TRACE: "displayTimeUnit": "ms"
// TRACE: "name": "diamond"
// TRACE: "by": "the default schedule"
// TRACE: "cat": "task"
// TRACE: "dur": [[D:[0-9.e+-]+]]
// TRACE: "ph": "X"
// TRACE: "tid": 0
// TRACE: "ts": 0
// TRACE: "dur": [[D]]
// TRACE: "bytes": 1040
// TRACE: "cat": "outside"

// Two queues, with a gap of a millisecond after each call.
// QUEUES: remark: task_matmul_64x64x64_{{.*}} from 0{{.*}}s in queue 0, by
// QUEUES: remark: task_matmul_64x64x64_{{.*}} from 0{{.*}}s in queue 1, by
// QUEUES: remark: task_matmul_64x64x64_{{.*}} from 1.{{[0-9]+}} ms in queue
// QUEUES: remark: 'diamond' takes 2.{{[0-9]+}} ms on

func.func private @foreign(tensor<64x64xf32>) -> tensor<64x64xf32>

func.func @diamond(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %i: tensor<2x1xindex>) -> (tensor<64x64xf32>, tensor<2x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %l = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = linalg.matmul ins(%b, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %both = linalg.matmul ins(%l, %r : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %g = tensor.gather %both[%i] gather_dims([0]) : (tensor<64x64xf32>, tensor<2x1xindex>) -> tensor<2x64xf32>
  %c = func.call @foreign(%both) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c, %g : tensor<64x64xf32>, tensor<2x64xf32>
}
