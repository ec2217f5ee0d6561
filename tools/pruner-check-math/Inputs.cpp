//===- Inputs.cpp - arguments of a tested function ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Inputs.h"

#include <cmath>
#include <limits>

using namespace pruner::checkmath;

Inputs::Inputs(const Function &function, const Format &format, uint64_t stride,
               uint64_t count, uint64_t seed)
    : format(format), arity(function.arity), stride(stride), seed(seed) {
  enumerate = arity == 1 && format.width <= 32;
  uint64_t sign = uint64_t(1) << (format.width - 1);
  uint64_t one = roundTo(format, 1),
           infinity =
               roundTo(format, std::numeric_limits<long double>::infinity());
  uint64_t normal = uint64_t(1) << (format.precision - 1);
  // Quiet NaNs, one with a payload.
  std::vector<uint64_t> sizes = {0,
                                 1,
                                 2,
                                 normal - 1,
                                 normal,
                                 normal + 1,
                                 one - 1,
                                 one,
                                 one + 1,
                                 infinity,
                                 infinity - 1,
                                 infinity | (normal >> 1),
                                 infinity | (normal >> 1) | 1};
  for (long double value :
       {0.25L,     0.5L,         0.75L,       1.5L,      2.0L,      2.5L,
        3.0L,      4.0L,         5.0L,        7.0L,      8.0L,      10.0L,
        15.0L,     16.0L,        17.0L,       64.0L,     88.0L,     89.0L,
        100.0L,    104.0L,       127.0L,      128.0L,    149.0L,    150.0L,
        151.0L,    709.0L,       746.0L,      1023.0L,   1024.0L,   1074.0L,
        1075.0L,   1e-5L,        0.7L,        1.25L,     1e10L,     1e-10L,
        1e30L,     1e-30L,       0x1p22L,     0x1p23L,   0x1p24L,   0x1p24L + 2,
        0x1p52L,   0x1p53L,      0x1p53L + 2, M_PIl,     M_PIl / 2, M_PIl / 4,
        21279.58L, 910036416.0L, 131071.99L,  131072.0L, 131072.01L}) {
    uint64_t bits = roundTo(format, value);
    for (uint64_t near : {bits - 1, bits, bits + 1})
      if (near < infinity)
        sizes.push_back(near);
  }
  for (uint64_t size : sizes) {
    special.push_back(size);
    special.push_back(size | sign);
  }
  pairs = arity == 2 ? special.size() * special.size() : special.size();
  rest = enumerate ? ((uint64_t(1) << format.width) - 1) / stride + 1 : count;
}

/// splitmix64, by number.
static uint64_t hash(uint64_t n) {
  n += 0x9e3779b97f4a7c15;
  n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9;
  n = (n ^ (n >> 27)) * 0x94d049bb133111eb;
  return n ^ (n >> 31);
}

uint64_t Inputs::draw(uint64_t key) const {
  uint64_t random = hash(key ^ hash(seed)), more = hash(random);
  uint64_t bits = random >> (64 - format.width);
  uint64_t quietBit = uint64_t(1) << (format.precision - 2);
  long double sign = more & 1 ? -1 : 1;
  long double fraction = std::ldexp(static_cast<long double>(random), -64);
  switch ((more >> 8) % 8) {
  case 0:
  case 1:
    // For two arguments, the result of a signaling NaN is unspecified (pow(1,
    // y)).
    return isNan(format, bits) ? bits | quietBit : bits;
  case 2: // Any size up to 2^12.
    return roundTo(
        format, sign * std::ldexp(1 + fraction, int((more >> 16) % 64) - 52));
  case 3: // Up to 10, evenly.
    return roundTo(format, sign * fraction * 10);
  case 4: // Up to 800, evenly.
    return roundTo(format, sign * fraction * 800);
  case 5: // Next to 1, or to -1.
    return roundTo(format,
                   sign * (1 + (fraction - 0.5L) *
                                   std::ldexp(1.0L, -int((more >> 16) % 50))));
  case 6: { // Integers, halves, and their neighbors.
    long double value = std::floor(fraction * 2000) / 2;
    return roundTo(format, sign * value) + int((more >> 16) % 3) - 1;
  }
  default: { // Multiples of pi/2, and their neighbors.
    long double n = std::floor(std::ldexp(1 + fraction, (more >> 16) % 30));
    return roundTo(format, sign * n * (M_PIl / 2)) + int((more >> 24) % 3) - 1;
  }
  }
}

void Inputs::get(uint64_t number, uint64_t &x, uint64_t &y) const {
  y = 0;
  if (number < pairs) {
    x = special[number % special.size()];
    y = special[arity == 2 ? number / special.size() : 0];
  } else if (enumerate) {
    x = (number - pairs) * stride;
  } else {
    x = draw(2 * number);
    y = draw(2 * number + 1);
  }
}
