//===- Throughput.cpp - compare times with vector libraries ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Throughput.h"

#include "Kernel.h"
#include "pruner/Runtime/Timer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"

#include <functional>

#include <dlfcn.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace pruner;
using namespace pruner::checkmath;

namespace {
struct Row {
  const char *name;
  float low, high; ///< Range of the arguments.
  const char *libmvec, *sleef;
};
using Call = std::function<void()>;
alignas(64) float x[kBlock], y[kBlock], z[kBlock];
} // namespace

const Row kRows[] = {
    {"exp", -80, 80, "_ZGVeN16v_expf", "Sleef_expf16_u10"},
    {"exp2", -100, 100, "_ZGVeN16v_exp2f", "Sleef_exp2f16_u10"},
    {"expm1", -10, 10, "_ZGVeN16v_expm1f", "Sleef_expm1f16_u10"},
    {"log", 0, 100, "_ZGVeN16v_logf", "Sleef_logf16_u10"},
    {"log2", 0, 100, "_ZGVeN16v_log2f", "Sleef_log2f16_u10"},
    {"log10", 0, 100, "_ZGVeN16v_log10f", "Sleef_log10f16_u10"},
    {"log1p", 0, 100, "_ZGVeN16v_log1pf", "Sleef_log1pf16_u10"},
    {"sin", -100, 100, "_ZGVeN16v_sinf", "Sleef_sinf16_u10"},
    {"cos", -100, 100, "_ZGVeN16v_cosf", "Sleef_cosf16_u10"},
    {"tan", -100, 100, "_ZGVeN16v_tanf", "Sleef_tanf16_u10"},
    {"asin", -1, 1, "_ZGVeN16v_asinf", "Sleef_asinf16_u10"},
    {"acos", -1, 1, "_ZGVeN16v_acosf", "Sleef_acosf16_u10"},
    {"atan", -50, 50, "_ZGVeN16v_atanf", "Sleef_atanf16_u10"},
    {"sinh", -10, 10, "_ZGVeN16v_sinhf", "Sleef_sinhf16_u10"},
    {"cosh", -10, 10, "_ZGVeN16v_coshf", "Sleef_coshf16_u10"},
    {"tanh", -4, 4, "_ZGVeN16v_tanhf", "Sleef_tanhf16_u10"},
    {"asinh", -10, 10, "_ZGVeN16v_asinhf", "Sleef_asinhf16_u10"},
    {"acosh", 1, 10, "_ZGVeN16v_acoshf", "Sleef_acoshf16_u10"},
    {"atanh", -1, 1, "_ZGVeN16v_atanhf", "Sleef_atanhf16_u10"},
    {"erf", -3, 3, "_ZGVeN16v_erff", "Sleef_erff16_u10"},
    {"erfc", -3, 8, "_ZGVeN16v_erfcf", "Sleef_erfcf16_u15"},
    {"rsqrt", 0.1f, 100, nullptr, nullptr},
    {"cbrt", 0.1f, 10, "_ZGVeN16v_cbrtf", "Sleef_cbrtf16_u10"},
    {"powf", 0.1f, 10, "_ZGVeN16vv_powf", "Sleef_powf16_u10"},
    {"atan2", 0.1f, 10, "_ZGVeN16vv_atan2f", "Sleef_atan2f16_u10"},
};

#ifdef __x86_64__
__attribute__((target("avx512f"))) static void callUnary(void *address) {
  auto *function = reinterpret_cast<__m512 (*)(__m512)>(address);
  for (size_t n = 0; n < kBlock; n += 16)
    _mm512_store_ps(z + n, function(_mm512_load_ps(x + n)));
}
__attribute__((target("avx512f"))) static void callBinary(void *address) {
  auto *function = reinterpret_cast<__m512 (*)(__m512, __m512)>(address);
  for (size_t n = 0; n < kBlock; n += 16)
    _mm512_store_ps(z + n,
                    function(_mm512_load_ps(x + n), _mm512_load_ps(y + n)));
}
#endif

/// Returns an empty call if the library lacks the function or the CPU lacks
/// AVX-512.
static Call peer(void *library, const char *symbol, unsigned arity) {
#ifdef __x86_64__
  void *address = library && symbol && __builtin_cpu_supports("avx512f")
                      ? dlsym(library, symbol)
                      : nullptr;
  if (address && arity == 1)
    return [address] { callUnary(address); };
  if (address)
    return [address] { callBinary(address); };
#endif
  return {};
}

/// Measures the calls in interleaved rounds. Returns the median nanoseconds per
/// element of each call.
static std::vector<double> measure(llvm::ArrayRef<Call> calls) {
  constexpr unsigned kRounds = 51, kRepeats = 30;
  std::vector<std::vector<double>> times(calls.size());
  for (unsigned round = 0; round < kRounds; ++round)
    for (size_t n : interleavedOrder(round, calls.size())) {
      if (!calls[n])
        continue;
      int64_t start = nowNanoseconds();
      for (unsigned i = 0; i < kRepeats; ++i)
        calls[n]();
      times[n].push_back(double(nowNanoseconds() - start) / kRepeats / kBlock);
    }
  std::vector<double> medians;
  for (std::vector<double> &sample : times)
    medians.push_back(summarizeSamples(std::move(sample)).median);
  return medians;
}

/// Returns the function `pruner_peer` of `directory`/`function`.so, if any.
static Call givenPeer(const std::string &directory, const char *function) {
  std::string path = directory + "/" + function + ".so";
  if (!llvm::sys::fs::exists(path))
    return {};
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *address = library ? dlsym(library, "pruner_peer") : nullptr;
  if (!address) {
    llvm::errs() << "warning: " << dlerror() << "\n";
    return {};
  }
  auto *call =
      reinterpret_cast<void (*)(const float *, const float *, float *)>(
          address);
  return [call] { call(x, y, z); };
}

bool pruner::checkmath::printThroughput(mlir::MLIRContext &context,
                                        llvm::ArrayRef<std::string> names,
                                        llvm::ArrayRef<std::string> peers) {
  void *libmvec = dlopen("libmvec.so.1", RTLD_NOW);
  void *sleef = dlopen("libsleef.so.3", RTLD_NOW);
  std::string header = "| function | arguments | pruner | libmvec | SLEEF |";
  for (llvm::StringRef given : peers)
    header += " " + given.split('=').first.str() + " |";
  llvm::outs() << header << "\n|"
               << llvm::join(std::vector<std::string>(5 + peers.size(), "---"),
                             "|")
               << "|\n";
  for (const Row &row : kRows) {
    if (!names.empty() && !llvm::is_contained(names, row.name))
      continue;
    const checkmath::Function &function =
        *llvm::find_if(allFunctions(), [&](const checkmath::Function &f) {
          return llvm::StringRef(f.name) == row.name;
        });
    auto kernel = Kernel::compile(context, function, *formatOf("f32"), {});
    if (!kernel) {
      llvm::logAllUnhandledErrors(kernel.takeError(), llvm::errs(), "error: ");
      return false;
    }
    for (size_t n = 0; n < kBlock; ++n) {
      float part = (n * 2654435761u % kBlock + 0.5f) / kBlock;
      x[n] = row.low + (row.high - row.low) * part;
      y[n] = 0.5f + (n % 37) * 0.1f;
    }
    std::vector<Call> calls = {[&] { (*kernel)(x, y, z); },
                               peer(libmvec, row.libmvec, function.arity),
                               peer(sleef, row.sleef, function.arity)};
    for (llvm::StringRef given : peers)
      calls.push_back(givenPeer(given.split('=').second.str(), row.name));
    std::vector<double> times = measure(calls);
    llvm::outs() << "| " << row.name << " | "
                 << llvm::format("%g to %g", row.low, row.high) << " |";
    for (double time : times)
      if (time == 0)
        llvm::outs() << " |";
      else
        llvm::outs() << llvm::format(" %.3f |", time);
    llvm::outs() << "\n";
    llvm::outs().flush();
  }
  return true;
}
