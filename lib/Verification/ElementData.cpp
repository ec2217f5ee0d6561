//===- ElementData.cpp - buffers of any element type ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Verification/ElementData.h"

#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <cstring>

using namespace pruner;

template <typename T> static T load(const void *data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * sizeof(T),
              sizeof(T));
  return value;
}
template <typename T> static void store(void *data, int64_t index, T value) {
  std::memcpy(static_cast<char *>(data) + index * sizeof(T), &value, sizeof(T));
}

/// A 16-bit IEEE-style number: 5 exponent bits for f16, 8 for bf16.
static double decode16(uint16_t bits, int exponentBits) {
  int mantissaBits = 15 - exponentBits;
  int exponent = (bits >> mantissaBits) & ((1 << exponentBits) - 1);
  int mantissa = bits & ((1 << mantissaBits) - 1);
  int bias = (1 << (exponentBits - 1)) - 1;
  double magnitude;
  if (exponent == (1 << exponentBits) - 1)
    magnitude = mantissa ? NAN : INFINITY;
  else if (exponent == 0)
    magnitude = std::ldexp(mantissa, 1 - bias - mantissaBits);
  else
    magnitude = std::ldexp(mantissa + (1 << mantissaBits),
                           exponent - bias - mantissaBits);
  return bits >> 15 ? -magnitude : magnitude;
}

static uint16_t encode16(double value, int exponentBits) {
  int mantissaBits = 15 - exponentBits;
  int bias = (1 << (exponentBits - 1)) - 1;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  uint16_t infinity = ((1 << exponentBits) - 1) << mantissaBits;
  if (std::isnan(value))
    return sign | infinity | 1 << (mantissaBits - 1);
  double magnitude = std::fabs(value);
  if (magnitude == 0)
    return sign;
  int exponent;
  std::frexp(magnitude, &exponent); // magnitude in [2^(exponent-1), 2^exponent)
  int lowest = 1 - bias;
  int unit = std::max(exponent - 1, lowest) - mantissaBits;
  // Round to even. A carry into the exponent field gives the right result.
  double units = std::nearbyint(std::ldexp(magnitude, -unit));
  if (!(units < std::ldexp(1.0, mantissaBits + 40)))
    return sign | infinity;
  int64_t encoded = int64_t(units);
  if (exponent - 1 >= lowest)
    encoded += int64_t(exponent - 1 - lowest) << mantissaBits;
  return sign | uint16_t(std::min<int64_t>(encoded, infinity));
}

double pruner::readOtherElement(const void *data, ElementType type,
                                int64_t index) {
  switch (type) {
  case ElementType::F64:
    return load<double>(data, index);
  case ElementType::F32:
    return load<float>(data, index);
  case ElementType::F16:
    return decode16(load<uint16_t>(data, index), 5);
  case ElementType::BF16:
    return decode16(load<uint16_t>(data, index), 8);
  case ElementType::I64:
    return double(load<int64_t>(data, index));
  case ElementType::I32:
    return load<int32_t>(data, index);
  case ElementType::I16:
    return load<int16_t>(data, index);
  case ElementType::I8:
    return load<int8_t>(data, index);
  case ElementType::I1:
    return load<uint8_t>(data, index);
  }
  llvm_unreachable("covered switch");
}

void pruner::writeOtherElement(void *data, ElementType type, int64_t index,
                               double value) {
  switch (type) {
  case ElementType::F64:
    return store(data, index, value);
  case ElementType::F32:
    return store(data, index, float(value));
  case ElementType::F16:
    return store(data, index, encode16(value, 5));
  case ElementType::BF16:
    return store(data, index, encode16(value, 8));
  case ElementType::I64:
    return store(data, index, int64_t(value));
  case ElementType::I32:
    return store(data, index, int32_t(value));
  case ElementType::I16:
    return store(data, index, int16_t(value));
  case ElementType::I8:
    return store(data, index, int8_t(value));
  case ElementType::I1:
    return store(data, index, uint8_t(value != 0));
  }
}

int64_t pruner::readInteger(const void *data, ElementType type, int64_t index) {
  switch (byteWidth(type)) {
  case 8:
    return load<int64_t>(data, index);
  case 4:
    return load<int32_t>(data, index);
  case 2:
    return load<int16_t>(data, index);
  default:
    return type == ElementType::I1 ? load<uint8_t>(data, index)
                                   : load<int8_t>(data, index);
  }
}

void pruner::writeInteger(void *data, ElementType type, int64_t index,
                          int64_t value) {
  switch (byteWidth(type)) {
  case 8:
    return store(data, index, value);
  case 4:
    return store(data, index, int32_t(value));
  case 2:
    return store(data, index, int16_t(value));
  default:
    return store(data, index,
                 int8_t(type == ElementType::I1 ? value & 1 : value));
  }
}

bool pruner::isFloat(ElementType type) {
  return type == ElementType::F64 || type == ElementType::F32 ||
         type == ElementType::F16 || type == ElementType::BF16;
}

int pruner::precisionBits(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return 53;
  case ElementType::F32:
    return 24;
  case ElementType::F16:
    return 11;
  case ElementType::BF16:
    return 8;
  default:
    return 63;
  }
}

double pruner::unitRoundoff(ElementType type) {
  return isFloat(type) ? std::ldexp(1.0, -precisionBits(type)) : 0;
}

double pruner::smallestNormal(ElementType type) {
  if (!isFloat(type))
    return 0;
  if (type == ElementType::F64)
    return std::ldexp(1.0, -1022);
  return std::ldexp(1.0, type == ElementType::F16 ? -14 : -126);
}

void pruner::fillIntegers(void *data, ElementType type, int64_t count,
                          const InputRange &range, ElementStream &random) {
  bool index = range.indexBelow > 0 && !isFloat(type);
  for (int64_t i = 0; i < count; ++i) {
    double value = 0;
    if (index)
      value = double(random.between(0, range.indexBelow - 1));
    else if (type == ElementType::I1)
      value = double(random.next() & 1);
    else if (range.sparsity <= 1 || random.uniform(range.sparsity) == 0)
      value = double(random.between(-range.magnitude, range.magnitude));
    writeElement(data, type, i, value);
  }
}

int64_t pruner::drawInteger(int bits, ElementStream &random) {
  uint64_t kind = random.uniform(32);
  if (kind == 0) {
    int64_t end = int64_t((uint64_t(1) << bits) - 1); // 2^bits - 1, or -2^bits.
    return random.next() & 1 ? end : ~end;
  }
  if (kind <= 2 && bits > 32) {
    auto high = uint64_t(int64_t(random.next()) >> (63 - bits));
    return int64_t(high << 32 | random.uniform(4));
  }
  int width = kind < 12 ? bits : int(random.between(0, bits));
  // The top bits of a 64-bit number, as a signed number of width + 1 bits.
  return int64_t(random.next()) >> (63 - width);
}

void pruner::fillReals(void *data, ElementType type, int64_t count,
                       const InputRange &range, ElementStream &random) {
  if (!isFloat(type)) {
    bool index = range.indexBelow > 0;
    int bits = type == ElementType::I1 ? 0 : int(byteWidth(type)) * 8 - 1;
    for (int64_t i = 0; i < count; ++i)
      writeInteger(data, type, i,
                   index ? random.between(0, range.indexBelow - 1)
                         : int64_t(random.next()) >> (63 - bits));
    return;
  }
  int bits = precisionBits(type);
  const double unit = std::ldexp(1.0, -bits);
  for (int64_t i = 0; i < count; ++i)
    writeElement(data, type, i,
                 double(int64_t(random.next()) >> (63 - bits)) * unit);
}
