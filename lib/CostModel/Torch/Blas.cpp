//===- Blas.cpp - the BLAS that LibTorch calls ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Blas.h"
#include "pruner/CostModel/BlasSetup.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace pruner;

// Weak symbols, because they are undefined if LibTorch contains its own BLAS.
extern "C" {
__attribute__((weak)) void sgemm_(...);
__attribute__((weak)) char *openblas_get_corename(void);
__attribute__((weak)) char *openblas_get_config(void);
}

static std::string fileOf(void *address) {
  Dl_info info;
  if (address && dladdr(address, &info) && info.dli_fname)
    return info.dli_fname;
  return {};
}

/// Resolves the chain of links of the "alternatives" system to the file of the
/// implementation.
static std::string resolved(const std::string &path) {
  char buffer[4096];
  return realpath(path.c_str(), buffer) ? buffer : path;
}

std::string pruner::describeBlas() {
  if (!sgemm_)
    return {};
  std::string file = resolved(fileOf(reinterpret_cast<void *>(&sgemm_)));
  // Some builds of LibTorch export the symbols of their internal MKL.
  if (file.find("libtorch") != std::string::npos)
    return {};
  if (!openblas_get_corename || file.find("openblas") == std::string::npos)
    return "BLAS " + file;
  // The configuration reads "OpenBLAS 0.3.21 NO_LAPACKE ...".
  std::string config = openblas_get_config ? openblas_get_config() : "OpenBLAS";
  std::size_t end = config.find(' ', config.find(' ') + 1);
  return config.substr(0, end) + " with " + openblas_get_corename() +
         " kernels (" + file + ")";
}

std::string pruner::blasWarning() {
  if (!sgemm_)
    return {};
  std::string file = resolved(fileOf(reinterpret_cast<void *>(&sgemm_)));
  if (file.find("/blas/") != std::string::npos)
    return "LibTorch is bound to the reference BLAS " + file +
           ": learned cost models run more than ten times slower. Install "
           "libopenblas0-serial.";
  if (!openblas_get_corename || file.find("openblas") == std::string::npos)
    return {};
  CpuFeatures cpu = CpuFeatures::host();
  std::string core = openblas_get_corename(), wanted = openBlasCoreType(cpu);
  if (core == wanted || wanted.empty())
    return {};
  // Kernel names differ within a family (Zen uses Haswell's kernels). Only an
  // older generation of vector registers costs a large factor.
  auto generation = [](const std::string &name) {
    if (name == "SkylakeX" || name == "Cooperlake" || name == "Sapphirerapids")
      return 3;
    if (name == "Haswell" || name == "Zen" || name == "Excavator")
      return 2;
    if (name == "Sandybridge" || name == "Bulldozer" || name == "Piledriver" ||
        name == "Steamroller")
      return 1;
    return 0;
  };
  if (generation(core) >= generation(wanted))
    return {};
  return "OpenBLAS was initialized with " + core +
         " kernels although this CPU "
         "runs " +
         wanted +
         " ones: learned cost models run several times "
         "slower. Load the cost model before anything else that uses OpenBLAS, "
         "or start with OPENBLAS_CORETYPE=" +
         wanted + ".";
}
