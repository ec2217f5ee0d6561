// The examples. All of their matrix products must be in tasks.
//
// RUN: pruner-opt %pruner_src/examples/matmul_1024.mlir --pruner-normalize --pruner-extract-tasks --pruner-list-tasks -o /dev/null 2>&1 | FileCheck %s --check-prefix=MATMUL
// RUN: pruner-opt %pruner_src/examples/mlp.mlir --pruner-normalize --pruner-extract-tasks --pruner-list-tasks -o /dev/null 2>&1 | FileCheck %s --check-prefix=MLP
// RUN: pruner-opt %pruner_src/examples/bert_layer.mlir --pruner-normalize --pruner-extract-tasks --pruner-list-tasks -o /dev/null 2>&1 | FileCheck %s --check-prefix=BERT
// RUN: pruner-opt %pruner_src/examples/bert_layer.mlir --pruner-normalize --pruner-extract-tasks 2>/dev/null | FileCheck %s --check-prefix=BODY
// RUN: pruner-opt %pruner_src/examples/bert_layer.mlir --pruner-normalize --pruner-extract-tasks 2>/dev/null | mlir-opt -o /dev/null

// 2 * 1024^3 = 2147483648 flops; three matrices of 4 MiB.
// MATMUL: task_matmul_1024x1024x1024_{{[0-9a-f]+}} 1 2.147484 12.5829 100.00% 1024x1024 1024x1024 -> 1024x1024 f32
// MATMUL: 1 distinct tasks, 1 calls
// MATMUL-NOT: outside

// MLP: task_matmul_256x512x784_{{.*}} 256x784 784x512 512 -> 256x512 f32
// MLP: task_matmul_256x512x512_{{.*}} 256x512 512x512 512 -> 256x512 f32
// MLP: task_matmul_256x10x512_{{.*}} 256x512 512x10 10 -> 256x10 f32
// MLP: 3 distinct tasks, 3 calls
// MLP-NOT: outside

// Query, key and value are one task. The scores include scale and mask, both
// residuals are epilogues, no op only transposes, and the norms and the softmax
// are chains over rows.
// BERT: task_matmul_128x3072x768_{{[0-9a-f]+}} 1 {{.*}} 128x768 3072x768 3072 -> 128x3072 f32
// BERT: task_matmul_128x768x3072_{{[0-9a-f]+}} 1 {{.*}} 128x3072 768x3072 768 128x768 -> 128x768 f32
// BERT: task_matmul_128x768x768_{{[0-9a-f]+}} 3 {{.*}} 128x768 768x768 768 -> 128x768 f32
// BERT: task_matmul_128x768x768_{{[0-9a-f]+}} 1 {{.*}} 128x768 768x768 768 128x768 -> 128x768 f32
// BERT: task_batch_matmul_12x128x128x64_{{[0-9a-f]+}} 1 {{.*}} 128x12x64 128x12x64 128 -> 12x128x128 f32
// BERT: task_batch_matmul_12x128x64x128_{{[0-9a-f]+}} 1 {{.*}} 12x128x128 128x12x64 -> 128x12x64 f32
// BERT: task_rows_128x768_{{[0-9a-f]+}} 2 {{.*}} 128x768 768 768 -> 128x768 f32
// BERT: task_rows_12x128x128_{{[0-9a-f]+}} 1 {{.*}} 12x128x128 -> 12x128x128 f32
// BERT: products and convolutions: {{[0-9]+}} distinct in 6 tasks, 8 calls, 1.862271 GFLOP
// BERT-NEXT: in tasks: 100.00% of
// BERT-NOT: outside

// BODY: func.func @main
// BODY-NOT: linalg.matmul
// BODY-NOT: linalg.transpose
// BODY-NOT: linalg.batch_matmul
// BODY: func.func private
// BODY: linalg.matmul
// BODY: math.erf
// BODY: return
