//===- BlasSetup.h - the right BLAS, before it is loaded --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Debian's LibTorch calls whatever libblas.so.3 is. That can be slow by a
// factor of ten or more in three ways, none of which is reported anywhere:
//
//  * libblas.so.3 is the reference implementation, although OpenBLAS may be
//    installed too (whichever the "alternatives" point at wins);
//  * OpenBLAS does not know the CPU and falls back to SSE3 kernels: 0.3.21 does
//    so on Intel family 6 model 207 (seen) and everything younger than itself;
//  * the environment carries OPENBLAS_CORETYPE, OPENBLAS_L2_SIZE and the like,
//    meant for another machine.
//
// All three must be put right before the library initialises itself, which is
// in its constructor, that is during dlopen(). Hence: choose the kernels from
// cpuid, set the environment, open the right library so that its symbols come
// first, restore the environment.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_BLASSETUP_H
#define PRUNER_COSTMODEL_BLASSETUP_H

#include <string>
#include <utility>
#include <vector>

namespace pruner {

/// Vector extensions that decide which kernels can run, as the operating
/// system lets us use them.
struct CpuFeatures {
  bool isAmd = false;
  bool avx = false;
  bool avx2Fma = false;
  /// F, CD, BW, DQ and VL together.
  bool avx512 = false;
  bool avx512Bf16 = false;

  /// Of the CPU this runs on; all false off x86.
  static CpuFeatures host();
};

/// The OPENBLAS_CORETYPE for a CPU, "" when OpenBLAS should decide (no AVX, or
/// not x86). Chosen by what can run, not by model numbers, so that a CPU that
/// is younger than the library gets its kernels too.
std::string openBlasCoreType(const CpuFeatures &features);

/// Replaces all OPENBLAS_* variables by ours while it lives.
class OpenBlasEnvironment {
public:
  OpenBlasEnvironment(const std::string &coreType, int threads);
  ~OpenBlasEnvironment();
  OpenBlasEnvironment(const OpenBlasEnvironment &) = delete;
  OpenBlasEnvironment &operator=(const OpenBlasEnvironment &) = delete;

private:
  void clear();
  std::vector<std::pair<std::string, std::string>> saved;
};

/// Makes sure that the next library with undefined BLAS symbols gets fast ones:
/// if libblas.so.3 is neither OpenBLAS nor another tuned library, OpenBLAS is
/// opened with RTLD_GLOBAL, so that it is searched first. Call it with an
/// OpenBlasEnvironment alive. Returns warnings.
std::vector<std::string> prepareSharedBlas();

} // namespace pruner

#endif // PRUNER_COSTMODEL_BLASSETUP_H
