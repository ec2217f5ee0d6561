//===- FloatBuffer.h - aligned operands -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_COMMON_FLOATBUFFER_H
#define PRUNER_BENCHMARKS_COMMON_FLOATBUFFER_H

#include "llvm/Support/Error.h"

#include <cstdlib>
#include <memory>
#include <string>

namespace pruner::bench {

/// f32 elements with an alignment of 64 bytes, initialized to zero, so that no
/// contender pays for page faults.
class FloatBuffer {
public:
  explicit FloatBuffer(size_t elements);

  float *data() { return memory.get(); }
  const float *data() const { return memory.get(); }
  size_t size() const { return count; }
  float *begin() { return data(); }
  float *end() { return data() + count; }
  const float *begin() const { return data(); }
  const float *end() const { return data() + count; }
  float &operator[](size_t i) { return memory.get()[i]; }
  float operator[](size_t i) const { return memory.get()[i]; }

private:
  struct Free {
    void operator()(float *p) const { std::free(p); }
  };
  size_t count;
  std::unique_ptr<float, Free> memory;
};

/// Writes raw elements of the host's byte order.
llvm::Error writeRaw(const std::string &path, const void *data, size_t bytes);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMMON_FLOATBUFFER_H
