//===- LibraryPeers.cpp - BLAS libraries to compare with ------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

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

LibraryPeers::LibraryPeers(const std::string &openBlas,
                           const std::string &oneDnn, unsigned threads) {
  std::vector<std::string> names;
  for (char **entry = environ; *entry; ++entry)
    for (const char *prefix : {"OPENBLAS_", "DNNL_", "ONEDNN_"})
      if (std::strncmp(*entry, prefix, std::strlen(prefix)) == 0) {
        dropped.push_back(*entry);
        names.emplace_back(*entry, std::strcspn(*entry, "="));
      }
  // This program compares libraries at their best and starts no other that
  // might want these.
  for (const std::string &name : names)
    unsetenv(name.c_str());
  if (!openBlas.empty())
    libraries.push_back(openOpenBlas(openBlas, threads));
  if (!oneDnn.empty())
    libraries.push_back(openOneDnn(oneDnn, threads));
}

LibraryPeers::Library LibraryPeers::openOpenBlas(const std::string &file,
                                                 unsigned threads) {
  Library peer;
  peer.name = "openblas";
  // Its kernels are chosen when it is loaded, by a table of CPU models that may
  // be older than the CPU.
  OpenBlasEnvironment environment(openBlasCoreType(CpuFeatures::host()),
                                  int(threads));
  void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    peer.failure = dlerror();
    return peer;
  }
  // Enumerators of CBLAS: row-major, not transposed.
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
  peer.run = [sgemm](const Shape &shape, const float *a, const float *b,
                     float *c) {
    int m = int(shape.m), n = int(shape.n), k = int(shape.k);
    sgemm(kRowMajor, kNoTrans, kNoTrans, m, n, k, 1.0f, a, k, b, n, 0.0f, c, n);
  };
  return peer;
}

LibraryPeers::Library LibraryPeers::openOneDnn(const std::string &file,
                                               unsigned threads) {
  Library peer;
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
  struct Version { // The start of dnnl_version_t.
    int major, minor, patch;
  };
  peer.detail = "dnnl_sgemm";
  if (auto *version = symbol<const Version *()>(library, "dnnl_version"))
    peer.detail += " of " + std::to_string(version()->major) + "." +
                   std::to_string(version()->minor) + "." +
                   std::to_string(version()->patch);
  peer.threads = threads;
  peer.run = [sgemm](const Shape &shape, const float *a, const float *b,
                     float *c) {
    sgemm('N', 'N', shape.m, shape.n, shape.k, 1.0f, a, shape.k, b, shape.n,
          0.0f, c, shape.n);
  };
  return peer;
}

std::vector<Contender> LibraryPeers::contenders(Operands &operands) const {
  std::vector<Contender> result;
  for (const Library &library : libraries) {
    Contender contender;
    contender.name = library.name;
    contender.detail = library.detail;
    contender.failure = library.failure;
    contender.threads = library.threads;
    if (library.run)
      bindFunction(contender, operands,
                   [run = library.run,
                    shape = operands.shape](const float *a, const float *b,
                                            float *c) { run(shape, a, b, c); });
    result.push_back(std::move(contender));
  }
  return result;
}
