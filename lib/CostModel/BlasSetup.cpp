//===- BlasSetup.cpp - selection of a fast BLAS ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/BlasSetup.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

extern char **environ;

using namespace pruner;

CpuFeatures CpuFeatures::host() {
  CpuFeatures features;
#if defined(__x86_64__)
  unsigned eax, ebx, ecx, edx;
  if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
    return features;
  features.isAmd = ebx == signature_AMD_ebx && ecx == signature_AMD_ecx;
  // This builtin also checks that the operating system saves the registers,
  // which the cpuid bits alone do not show.
  __builtin_cpu_init();
  features.avx = __builtin_cpu_supports("avx");
  features.avx2Fma =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  features.avx512 =
      __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  features.avx512Bf16 = features.avx512 && __builtin_cpu_supports("avx512bf16");
#endif
  return features;
}

std::string pruner::openBlasCoreType(const CpuFeatures &features) {
  if (features.avx512)
    return features.avx512Bf16 ? "Cooperlake" : "SkylakeX";
  if (features.avx2Fma)
    return features.isAmd ? "Zen" : "Haswell";
  return features.avx ? "Sandybridge" : "";
}

OpenBlasEnvironment::OpenBlasEnvironment(const std::string &coreType,
                                         int threads) {
  for (char **entry = environ; *entry; ++entry) {
    const char *equals = std::strchr(*entry, '=');
    if (equals && std::strncmp(*entry, "OPENBLAS_", 9) == 0)
      saved.emplace_back(std::string(*entry, equals - *entry), equals + 1);
  }
  clear();
  if (!coreType.empty())
    setenv("OPENBLAS_CORETYPE", coreType.c_str(), 1);
  // The pthread variant would start a thread per core for each of LibTorch's
  // threads.
  setenv("OPENBLAS_NUM_THREADS", std::to_string(threads).c_str(), 1);
}

void OpenBlasEnvironment::clear() {
  for (const auto &variable : saved)
    unsetenv(variable.first.c_str());
}

OpenBlasEnvironment::~OpenBlasEnvironment() {
  unsetenv("OPENBLAS_CORETYPE");
  unsetenv("OPENBLAS_NUM_THREADS");
  for (const auto &variable : saved)
    setenv(variable.first.c_str(), variable.second.c_str(), 1);
}

/// Whether a library that dlsym() can search is an optimized BLAS.
static bool isTuned(void *library) {
  for (const char *symbol :
       {"openblas_get_corename", "bli_info_get_version_str",
        "mkl_get_version_string", "MKL_Get_Version_String"})
    if (dlsym(library, symbol))
      return true;
  return false;
}

std::vector<std::string> pruner::prepareSharedBlas() {
  // The host program already loaded it, so nothing can be changed.
  if (dlopen("libopenblas.so.0", RTLD_NOW | RTLD_NOLOAD))
    return {};
  void *blas = dlopen("libblas.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!blas || isTuned(blas))
    return {}; // Not found. Opening the plug-in gives a better message.
  // The dynamic linker searches the executable and globally opened libraries
  // first, then the dependencies of the library being opened. This OpenBLAS
  // therefore takes precedence over the libblas.so.3 that LibTorch names.
  if (dlopen("libopenblas.so.0", RTLD_NOW | RTLD_GLOBAL))
    return {};
  return {"libblas.so.3 is the reference BLAS and OpenBLAS is "
          "not installed: learned cost models run more than ten times slower. "
          "Install libopenblas0-serial."};
}
