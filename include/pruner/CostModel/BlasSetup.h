//===- BlasSetup.h - selection of a fast BLAS -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debian's LibTorch calls the system's libblas.so.3, whatever that is. In three
// cases it is slower by a factor of ten or more, without any report:
//
//  * libblas.so.3 is the reference implementation even though OpenBLAS is
//    installed, because the system's "alternatives" select it;
//  * OpenBLAS does not know the CPU and falls back to SSE3 kernels: version
//    0.3.21 does so on Intel family 6 model 207 and on newer CPUs;
//  * the environment contains OPENBLAS_CORETYPE, OPENBLAS_L2_SIZE or similar
//    variables for another machine.
//
// All three must be fixed before the library initializes itself in its
// constructor, during dlopen(). This code therefore chooses the kernels from
// cpuid, sets the environment, opens the right library so that its symbols take
// precedence, and restores the environment.

#ifndef PRUNER_COSTMODEL_BLASSETUP_H
#define PRUNER_COSTMODEL_BLASSETUP_H

#include <string>
#include <utility>
#include <vector>

namespace pruner {

/// The vector extensions that decide which kernels can run, as enabled by the
/// operating system.
struct CpuFeatures {
  bool isAmd = false;
  bool avx = false;
  bool avx2Fma = false;
  /// F, CD, BW, DQ and VL.
  bool avx512 = false;
  bool avx512Bf16 = false;

  /// The features of the host CPU; all false if it is not x86.
  static CpuFeatures host();
};

/// The OPENBLAS_CORETYPE for a CPU. Empty if OpenBLAS should decide (no AVX, or
/// not x86). The choice depends on instruction sets and not on model numbers,
/// so that CPUs newer than the library also get fast kernels.
std::string openBlasCoreType(const CpuFeatures &features);

/// Replaces all OPENBLAS_* variables during its lifetime.
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

/// Ensures that the next library with undefined BLAS symbols is bound to a fast
/// BLAS. If libblas.so.3 is neither OpenBLAS nor another optimized library,
/// opens OpenBLAS with RTLD_GLOBAL, so that it is searched first. Requires a
/// live OpenBlasEnvironment. Returns warnings.
std::vector<std::string> prepareSharedBlas();

} // namespace pruner

#endif // PRUNER_COSTMODEL_BLASSETUP_H
