//===- FloatFunctions.h - functions with modifiers of floats ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_PTX_INSTRUCTIONS_FLOATFUNCTIONS_H
#define PRUNER_LIB_PTX_INSTRUCTIONS_FLOATFUNCTIONS_H

#include "HalfFloat.h"
#include "Lanes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pruner::ptx {

/// Denormal operands and results become zero.
template <class F> struct Flushed {
  static float flush(float a) {
    return std::fabs(a) < std::numeric_limits<float>::min()
               ? std::copysign(0.0f, a)
               : a;
  }
  template <class... T> static float apply(T... a) {
    return flush(F::apply(flush(a)...));
  }
};
template <class F> struct Saturated {
  template <class... T> static auto apply(T... a) {
    auto value = F::apply(a...);
    using V = decltype(value);
    return std::isnan(value) ? V(0) : std::clamp(value, V(0), V(1));
  }
};

/// F for a half format. Packed values are two in one register.
template <class Format, class F> struct OfHalf {
  template <class... T> static uint16_t apply(T... a) {
    return Format::encode(F::apply(Format::decode(a)...));
  }
};
template <class F> struct OfPair {
  template <class... T> static uint32_t apply(T... a) {
    return F::apply(uint16_t(a)...) | uint32_t(F::apply(uint16_t(a >> 16)...))
                                          << 16;
  }
};

template <class F, unsigned N> Execute halfBits(Type type) {
  return type.isPacked ? sameTypes<OfPair<F>, N, uint32_t>()
                       : sameTypes<F, N, uint16_t>();
}
template <class F, unsigned N> Execute halfFunction(Type type) {
  return type.kind == TypeClass::BFloat ? halfBits<OfHalf<BFloat, F>, N>(type)
                                        : halfBits<OfHalf<Half, F>, N>(type);
}

template <class F> struct Canonical {
  template <class... T> static auto apply(T... a) {
    return canonical(F::apply(a...));
  }
};

/// F for f32 with modifiers, or f64.
template <class F, unsigned N>
Execute floatFunction(Type type, bool flush, bool saturate) {
  if (type.bits == 64)
    return sameTypes<F, N, double>();
  if (saturate)
    return flush ? sameTypes<Saturated<Flushed<F>>, N, float>()
                 : sameTypes<Saturated<F>, N, float>();
  return flush ? sameTypes<Canonical<Flushed<F>>, N, float>()
               : sameTypes<Canonical<F>, N, float>();
}

} // namespace pruner::ptx

#endif // PRUNER_LIB_PTX_INSTRUCTIONS_FLOATFUNCTIONS_H
