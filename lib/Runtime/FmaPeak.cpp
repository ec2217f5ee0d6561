//===- FmaPeak.cpp - measured rooflines of one core -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Runtime/FmaPeak.h"

#include "Probe.h"
#include "VectorProbes.h"

#include <cstdlib>
#include <cstring>

using namespace pruner;

const char *pruner::fmaPeakVariant() {
  const char *name = vectorProbes().name;
  return std::strcmp(name, "avx2") ? name : "avx2+fma";
}

double pruner::measureFmaPeak(double seconds) {
  const VectorProbes &v = vectorProbes();
  Probe peak([&](int64_t rounds) { sink = v.fma(rounds, scaleSource); },
             /*chunk=*/500000);
  interleave({&peak}, seconds);
  return v.flopsPerRound / peak.seconds();
}

double pruner::measureReadBandwidth(size_t bytes, double seconds) {
  constexpr size_t piece = 4096;
  bytes = std::max(piece, (bytes + piece - 1) / piece * piece);
  auto *data = static_cast<float *>(std::aligned_alloc(piece, bytes));
  if (!data)
    return 0;
  std::fill(data, data + bytes / sizeof(float), 1.0f);
  Probe pass([&](int64_t passes) {
    for (int64_t p = 0; p < passes; ++p)
      sink = vectorProbes().read(data, bytes / sizeof(float));
  });
  interleave({&pass}, seconds);
  std::free(data);
  return double(bytes) / pass.seconds();
}
