//===- TaskFixtures.h - tasks and machines for tests ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_ANALYSIS_TASKFIXTURES_H
#define PRUNER_TEST_UNIT_ANALYSIS_TASKFIXTURES_H

#include "pruner/Machine/Machine.h"
#include "pruner/Program/Summary.h"
#include "pruner/Program/Task.h"
#include "pruner/Sketch/Resources.h"
#include "gtest/gtest.h"

#include <initializer_list>

namespace pruner::test {

inline LinearExpr
expr(unsigned rank, std::initializer_list<std::pair<unsigned, int64_t>> terms,
     int64_t constant = 0) {
  LinearExpr e;
  e.coeffs.assign(rank, 0);
  for (auto [dim, coeff] : terms)
    e.coeffs[dim] = coeff;
  e.constant = constant;
  return e;
}

/// Compares the closed form of a kernel's resources with the counts of its
/// summary.
inline void assertEqual(const ScheduleResources &used,
                        const KernelShape &kernel) {
  // Values that threads of several warps exchange are in no buffer.
  if (used.rowThreads == 1) {
    ASSERT_EQ(used.sharedBytes, kernel.sharedBytes);
  }
  ASSERT_EQ(used.localBytes, kernel.localBytes);
  ASSERT_EQ(used.grid, kernel.grid);
  ASSERT_EQ(used.threads, kernel.block);
  ASSERT_EQ(used.vthreads, kernel.vthreads);
  ASSERT_EQ(used.accumulators, kernel.accumulators);
}

inline int addTensor(TaskDesc &task, const char *name,
                     llvm::SmallVector<int64_t, 4> shape, int argument,
                     ElementType type = ElementType::F32) {
  task.tensors.push_back({name, std::move(shape), type, argument});
  return int(task.tensors.size()) - 1;
}

/// C[b, m, n] += A[b, m, k] * B[b, k, n]; batch 0 = no batch dimension.
inline TaskDesc matmul(int64_t m, int64_t n, int64_t k, bool transposeA = false,
                       bool transposeB = false, int64_t batch = 0,
                       ElementType type = ElementType::F32) {
  TaskDesc task;
  task.name = batch ? "batch_matmul" : "matmul";
  StatementDesc s;
  unsigned b = batch ? 1 : 0, rank = 3 + b, M = b, N = b + 1, K = b + 2;
  if (batch)
    s.dims.push_back({batch, false});
  s.dims.push_back({m, false});
  s.dims.push_back({n, false});
  s.dims.push_back({k, true});
  auto shape = [&](int64_t x, int64_t y, bool swap) {
    llvm::SmallVector<int64_t, 4> result;
    if (batch)
      result.push_back(batch);
    result.push_back(swap ? y : x);
    result.push_back(swap ? x : y);
    return result;
  };
  auto map = [&](unsigned x, unsigned y, bool swap) {
    AccessMap result;
    if (batch)
      result.push_back(expr(rank, {{0, 1}}));
    result.push_back(expr(rank, {{swap ? y : x, 1}}));
    result.push_back(expr(rank, {{swap ? x : y, 1}}));
    return result;
  };
  int ta = addTensor(task, "A", shape(m, k, transposeA), 0, type);
  int tb = addTensor(task, "B", shape(k, n, transposeB), 1, type);
  int tc = addTensor(task, "C", shape(m, n, false), 2, type);
  s.inputs.push_back({ta, map(M, K, transposeA)});
  s.inputs.push_back({tb, map(K, N, transposeB)});
  s.output = {tc, map(M, N, false)};
  s.ops.floatMul = s.ops.floatAddSub = 1;
  s.associative = true;
  s.combiner.floatAddSub = 1;
  task.statements.push_back(std::move(s));
  task.prologues.assign(2, -1);
  return task;
}

/// Adds bias[n] and a ReLU after a matmul without batch.
inline TaskDesc withBiasRelu(TaskDesc task) {
  TensorDesc &old = task.tensors[2];
  old.argument = -1;
  llvm::SmallVector<int64_t, 4> shape = old.shape;
  int bias = addTensor(task, "bias", {shape[1]}, 2);
  int out = addTensor(task, "D", shape, 3);
  StatementDesc s;
  s.dims.push_back({shape[0], false});
  s.dims.push_back({shape[1], false});
  s.inputs.push_back({2, identityMap(2)});
  s.inputs.push_back({bias, AccessMap{expr(2, {{1, 1}})}});
  s.output = {out, identityMap(2)};
  s.ops.floatAddSub = s.ops.floatCmp = 1;
  task.epilogue = int(task.statements.size());
  task.statements.push_back(std::move(s));
  return task;
}

/// Computes the first operand of a matmul without batch elementwise from
/// another tensor.
inline TaskDesc withPrologue(TaskDesc task) {
  task.tensors[0].argument = -1;
  llvm::SmallVector<int64_t, 4> shape = task.tensors[0].shape;
  int in = addTensor(task, "X", shape, 0);
  StatementDesc s;
  s.dims.push_back({shape[0], false});
  s.dims.push_back({shape[1], false});
  s.inputs.push_back({in, identityMap(2)});
  s.output = {0, identityMap(2)};
  s.ops.floatCmp = 1;
  task.prologues[0] = int(task.statements.size());
  task.statements.push_back(std::move(s));
  return task;
}

/// out[i, j] = f(x[i, j], y[i, j]).
inline TaskDesc elementwise(int64_t rows, int64_t columns) {
  TaskDesc task;
  task.name = "add";
  addTensor(task, "X", {rows, columns}, 0);
  addTensor(task, "Y", {rows, columns}, 1);
  addTensor(task, "Z", {rows, columns}, 2);
  StatementDesc s;
  s.dims = {{rows, false}, {columns, false}};
  s.inputs.push_back({0, identityMap(2)});
  s.inputs.push_back({1, identityMap(2)});
  s.output = {2, identityMap(2)};
  s.ops.floatAddSub = 1;
  task.statements.push_back(std::move(s));
  task.prologues.assign(2, -1);
  return task;
}

/// The sum of all elements: an output without coordinates.
inline TaskDesc fullReduction(int64_t extent) {
  TaskDesc task;
  task.name = "sum";
  addTensor(task, "X", {extent}, 0);
  addTensor(task, "S", {}, 1);
  StatementDesc s;
  s.dims = {{extent, true}};
  s.inputs.push_back({0, identityMap(1)});
  s.output = {1, {}};
  s.ops.floatAddSub = 1;
  task.statements.push_back(std::move(s));
  task.prologues.assign(1, -1);
  return task;
}

/// NHWC convolution with an f x f kernel (dimensions n, y, x, f | r, s, c);
/// depthwise: one filter per channel (n, y, x, c | r, s).
inline TaskDesc conv2d(int64_t size, int64_t channels, int64_t filters,
                       int64_t kernel, int64_t stride = 1,
                       bool depthwise = false) {
  TaskDesc task;
  task.name = depthwise ? "depthwise_conv2d" : "conv2d";
  int64_t in = (size - 1) * stride + kernel;
  int64_t out = depthwise ? channels : filters;
  addTensor(task, "X", {1, in, in, channels}, 0);
  if (depthwise)
    addTensor(task, "W", {kernel, kernel, channels}, 1);
  else
    addTensor(task, "W", {kernel, kernel, channels, filters}, 1);
  addTensor(task, "Y", {1, size, size, out}, 2);
  unsigned rank = depthwise ? 6 : 7;
  StatementDesc s;
  s.dims = {{1, false}, {size, false}, {size, false}, {out, false}};
  s.dims.push_back({kernel, true});
  s.dims.push_back({kernel, true});
  if (!depthwise)
    s.dims.push_back({channels, true});
  unsigned channel = depthwise ? 3 : 6;
  AccessMap x{expr(rank, {{0, 1}}), expr(rank, {{1, stride}, {4, 1}}),
              expr(rank, {{2, stride}, {5, 1}}), expr(rank, {{channel, 1}})};
  AccessMap w{expr(rank, {{4, 1}}), expr(rank, {{5, 1}})};
  if (!depthwise)
    w.push_back(expr(rank, {{6, 1}}));
  w.push_back(expr(rank, {{3, 1}}));
  AccessMap y{expr(rank, {{0, 1}}), expr(rank, {{1, 1}}), expr(rank, {{2, 1}}),
              expr(rank, {{3, 1}})};
  s.inputs.push_back({0, x});
  s.inputs.push_back({1, w});
  s.output = {2, y};
  s.ops.floatMul = s.ops.floatAddSub = 1;
  s.associative = true;
  s.combiner.floatAddSub = 1;
  task.statements.push_back(std::move(s));
  task.prologues.assign(2, -1);
  return task;
}

/// A core with `registers` SIMD registers of `bytes` bytes at 3 GHz, two FMA
/// ports, 32 KiB of L1, 1 MiB of L2 and 32 MiB of L3.
inline Machine cpu(int64_t bytes = 32, int64_t registers = 16,
                   int64_t cores = 1) {
  Machine m;
  m.name = "cpu:test";
  m.kind = Machine::Kind::Cpu;
  m.arch = "generic";
  m.clockMHz = 3000;
  m.lanes = bytes / 4;
  m.peakFlops = 4.0 * double(m.lanes) * 3e9;
  m.memoryBandwidth = 20e9;
  m.units = cores;
  m.schedulersPerUnit = 1;
  m.registersPerThread = m.maxRegistersPerThread = m.registersPerUnit =
      registers * m.lanes;
  m.maxThreadsPerBlock = m.maxThreadsPerUnit = m.maxBlocksPerUnit = 1;
  m.activeBlocksPerUnit = m.activeWarpsPerUnit = m.maxVirtualThreads = 1;
  m.transactionBytes = 64;
  m.l1Bytes = 32 << 10;
  m.l2Bytes = 1 << 20;
  m.l3Bytes = 32 << 20;
  m.vectorRegisters = registers;
  m.vectorBytes = bytes;
  m.memoryBytes = int64_t(8) << 30;
  return m;
}

/// The device of the released code's worked figures (table entry a100_40).
inline Machine gpu() {
  Machine m;
  m.name = "nvidia:a100-40";
  m.kind = Machine::Kind::Gpu;
  m.arch = "sm_80";
  m.clockMHz = 1410;
  m.peakFlops = 19490e9;
  m.memoryBandwidth = 1555e9;
  m.units = 108;
  m.schedulersPerUnit = 4;
  m.lanes = 32;
  m.registersPerThread = 128;
  m.maxRegistersPerThread = 255;
  m.registersPerUnit = 65536;
  m.sharedBytesPerBlock = 48 << 10;
  m.sharedBytesPerBlockOptIn = 163 << 10;
  m.sharedBytesPerUnit = 164 << 10;
  m.maxThreadsPerBlock = 1024;
  m.maxThreadsPerUnit = 2048;
  m.maxBlocksPerUnit = 32;
  m.activeBlocksPerUnit = 1;
  m.activeWarpsPerUnit = 4;
  m.maxVirtualThreads = 8;
  m.transactionBytes = 32;
  m.l1Bytes = 192 << 10;
  m.l2Bytes = 40 << 20;
  m.vectorBytes = 16;
  m.memoryBytes = int64_t(40) << 30;
  return m;
}

} // namespace pruner::test

#endif // PRUNER_TEST_UNIT_ANALYSIS_TASKFIXTURES_H
