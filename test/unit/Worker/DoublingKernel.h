//===- DoublingKernel.h - a small kernel of PTX -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_TEST_UNIT_WORKER_DOUBLINGKERNEL_H
#define PRUNER_TEST_UNIT_WORKER_DOUBLINGKERNEL_H

#include <string>

/// Computes y[i] = 2 x[i], or 3 x[i].
inline std::string kernel(const char *factor) {
  return std::string(R"(.version 6.3
.target sm_75
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y) {
  .reg .u64 %rd<6>;
  .reg .u32 %r<2>;
  .reg .f32 %f<3>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd1, %rd3;
  add.u64 %rd5, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4];
  mul.f32 %f2, %f1, )") +
         factor + ";\n  st.global.f32 [%rd5], %f2;\n  ret;\n}\n";
}

#endif // PRUNER_TEST_UNIT_WORKER_DOUBLINGKERNEL_H
