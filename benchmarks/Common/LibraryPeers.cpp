//===- LibraryPeers.cpp - BLAS libraries to compare with ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryPeers.h"

#include "pruner/CostModel/BlasSetup.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

extern char **environ;

using namespace pruner;
using namespace pruner::bench;

template <typename Function>
static Function *symbol(void *library, const char *name) {
  return reinterpret_cast<Function *>(dlsym(library, name));
}

void bench::setOpenMPThreads(unsigned threads) {
  for (const char *name : {"libgomp.so.1", "libomp.so.5", "libiomp5.so"})
    if (void *runtime = dlopen(name, RTLD_NOW | RTLD_NOLOAD))
      if (auto *set = symbol<void(int)>(runtime, "omp_set_num_threads"))
        set(int(threads));
}

static LibraryPeer openOpenBlas(const std::string &file, unsigned threads) {
  LibraryPeer peer;
  peer.name = "openblas";
  // OpenBLAS chooses its kernels when it is loaded, by a table of CPU models
  // that may be older than the CPU.
  OpenBlasEnvironment environment(openBlasCoreType(CpuFeatures::host()),
                                  int(threads));
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    peer.failure = dlerror();
    return peer;
  }
  // Constants of CBLAS: row-major, not transposed.
  constexpr int kRowMajor = 101, kNoTrans = 111;
  using Sgemm = void(int, int, int, int, int, int, float, const float *, int,
                     const float *, int, float, float *, int);
  auto *sgemm = symbol<Sgemm>(library, "cblas_sgemm");
  if (!sgemm) {
    peer.failure = "no cblas_sgemm in " + file;
    return peer;
  }
  if (auto *core = symbol<char *()>(library, "openblas_get_corename"))
    peer.detail = std::string(core()) + " kernels";
  if (auto *config = symbol<char *()>(library, "openblas_get_config"))
    peer.detail += std::string(", ") + config();
  auto *parallel = symbol<int()>(library, "openblas_get_parallel");
  if (threads > 1 && parallel && parallel() == 0)
    peer.detail += ", a serial build";
  else if (auto *set = symbol<void(int)>(library, "openblas_set_num_threads")) {
    set(int(threads));
    peer.threads = threads;
  }
  peer.run = [sgemm](int64_t m, int64_t n, int64_t k, const float *a,
                     const float *b, float *c) {
    sgemm(kRowMajor, kNoTrans, kNoTrans, int(m), int(n), int(k), 1.0f, a,
          int(k), b, int(n), 0.0f, c, int(n));
  };
  return peer;
}

static LibraryPeer openOneDnn(const std::string &file, unsigned threads) {
  LibraryPeer peer;
  peer.name = "onednn";
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    peer.failure = dlerror();
    return peer;
  }
  // Row-major; 0 is success.
  using Sgemm = int(char, char, int64_t, int64_t, int64_t, float, const float *,
                    int64_t, const float *, int64_t, float, float *, int64_t);
  auto *sgemm = symbol<Sgemm>(library, "dnnl_sgemm");
  if (!sgemm) {
    peer.failure = "no dnnl_sgemm in " + file;
    return peer;
  }
  struct Version { // The first members of dnnl_version_t.
    int major, minor, patch;
  };
  peer.detail = "dnnl_sgemm";
  if (auto *version = symbol<const Version *()>(library, "dnnl_version"))
    peer.detail += " of " + std::to_string(version()->major) + "." +
                   std::to_string(version()->minor) + "." +
                   std::to_string(version()->patch);
  peer.threads = threads;
  peer.run = [sgemm](int64_t m, int64_t n, int64_t k, const float *a,
                     const float *b, float *c) {
    sgemm('N', 'N', m, n, k, 1.0f, a, k, b, n, 0.0f, c, n);
  };
  return peer;
}

LibraryPeers::LibraryPeers(const std::string &openBlas,
                           const std::string &oneDnn, unsigned threads) {
  std::vector<std::string> names;
  for (char **entry = environ; *entry; ++entry)
    for (const char *prefix :
         {"OPENBLAS_", "GOTO_", "MKL_", "DNNL_", "ONEDNN_", "KMP_"})
      if (std::strncmp(*entry, prefix, std::strlen(prefix)) == 0) {
        dropped.push_back(*entry);
        names.emplace_back(*entry, std::strcspn(*entry, "="));
      }
  // The libraries are compared at their best, and no child process needs these
  // variables.
  for (const std::string &name : names)
    unsetenv(name.c_str());
  if (!openBlas.empty())
    libraries.push_back(openOpenBlas(openBlas, threads));
  if (!oneDnn.empty())
    libraries.push_back(openOneDnn(oneDnn, threads));
}
