//===- ElementData.h - buffers of any element type --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_VERIFICATION_ELEMENTDATA_H
#define PRUNER_VERIFICATION_ELEMENTDATA_H

#include "pruner/Program/Task.h"
#include <cstdint>
#include <cstring>
#include <vector>

namespace pruner {

/// For types other than F32.
double readOtherElement(const void *data, ElementType type, int64_t index);
void writeOtherElement(void *data, ElementType type, int64_t index,
                       double value);

/// Element `index` of a buffer as a double. Exact for every type but I64
/// beyond 2^53.
inline double readElement(const void *data, ElementType type, int64_t index) {
  if (type != ElementType::F32)
    return readOtherElement(data, type, index);
  float value;
  std::memcpy(&value, static_cast<const float *>(data) + index, sizeof(value));
  return value;
}

/// Writes `value`, which must be representable in `type`.
inline void writeElement(void *data, ElementType type, int64_t index,
                         double value) {
  if (type != ElementType::F32)
    return writeOtherElement(data, type, index, value);
  float narrow = float(value);
  std::memcpy(static_cast<float *>(data) + index, &narrow, sizeof(narrow));
}

/// Reads and writes elements of integer types without loss, sign-extended; i1
/// is 0 or 1. Bits for which the type has no room are dropped.
int64_t readInteger(const void *data, ElementType type, int64_t index);
void writeInteger(void *data, ElementType type, int64_t index, int64_t value);

/// Random numbers for large amounts of data: SplitMix64 (Steele, Lea and Flood,
/// OOPSLA 2014), which is much faster than the generator that seeds it.
class ElementStream {
public:
  explicit ElementStream(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t x = state += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }
  /// An integer in [0, n) for n at most 2^32, uniform up to 2^-32.
  uint64_t uniform(uint64_t n) { return ((next() >> 32) * n) >> 32; }
  /// An integer in [low, high], likewise.
  int64_t between(int64_t low, int64_t high) {
    return low + int64_t(uniform(uint64_t(high - low) + 1));
  }

private:
  uint64_t state;
};

bool isFloat(ElementType type);

/// Significand bits of a floating-point type, including the implicit one.
/// Integers up to 2^bits are exact in it. 63 for integer types, which never
/// round.
int precisionBits(ElementType type);

/// Half the distance from 1 to the next number: u = 2^-bits.
double unitRoundoff(ElementType type);

/// The smallest normal number.
double smallestNormal(ElementType type);

/// The range of random input values.
struct InputRange {
  /// Floats and integers are integers in [-magnitude, magnitude] ...
  int64_t magnitude = 8;
  /// ... and zero except for about one in `sparsity`.
  int64_t sparsity = 1;
  /// Integers in [0, indexBelow) instead, when positive: they address a tensor.
  int64_t indexBelow = 0;
};

/// Fills `count` elements with random integers in `range`.
void fillIntegers(void *data, ElementType type, int64_t count,
                  const InputRange &range, ElementStream &random);

/// An integer of at most `bits` bits and a sign. All widths are about equally
/// frequent, except that the full width is more frequent. Sometimes an end of
/// the range, or a number that differs from others only in bits 32 and above.
int64_t drawInteger(int bits, ElementStream &random);

/// Fills floats with random multiples of the unit roundoff of `type` in [-1,
/// 1), which are exact in `type` and have full significands. Fills integers
/// with values of their full width (or below range.indexBelow).
void fillReals(void *data, ElementType type, int64_t count,
               const InputRange &range, ElementStream &random);

} // namespace pruner

#endif // PRUNER_VERIFICATION_ELEMENTDATA_H
