//===- Lanes.h - functions of one lane to functions of a warp ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_PTX_INSTRUCTIONS_LANES_H
#define PRUNER_LIB_PTX_INSTRUCTIONS_LANES_H

#include "../Execution.h"
#include "Registry.h"

#include <type_traits>

namespace pruner::ptx {

/// Values of different types share the memory of a slot.
template <class T> struct Aliased {
  typedef T type __attribute__((may_alias));
};

/// A value of a slot as seen by a function of one lane. bool stands for a
/// predicate, whose 32 lanes are one mask.
template <class T> struct Reader {
  Reader(Warp &warp, Slot slot)
      : values(warp.lanes<typename Aliased<T>::type>(slot)) {}
  T operator[](unsigned lane) const { return values[lane]; }
  const typename Aliased<T>::type *values;
};
template <> struct Reader<bool> {
  Reader(Warp &warp, Slot slot) : mask(warp.mask(slot)) {}
  bool operator[](unsigned lane) const { return mask >> lane & 1; }
  uint32_t mask;
};

template <class F, class D, class... S, size_t... N>
inline void computeLanes(Warp &warp, const Op &op, uint32_t active,
                         std::index_sequence<N...>) {
  std::tuple<Reader<S>...> sources{Reader<S>(warp, warp.source(op, N))...};
  if constexpr (std::is_same_v<D, bool>) {
    uint32_t &result = warp.mask(warp.result(op));
    uint32_t computed = 0;
    forLanes(active, [&](unsigned lane) {
      computed |= uint32_t(F::apply(std::get<N>(sources)[lane]...)) << lane;
    });
    result = (result & ~active) | computed;
  } else {
    auto *result = warp.lanes<typename Aliased<D>::type>(warp.result(op));
    if (active == ~0u) {
      for (unsigned lane = 0; lane != kWarpSize; ++lane)
        result[lane] = F::apply(std::get<N>(sources)[lane]...);
    } else {
      forLanes(active, [&](unsigned lane) {
        result[lane] = F::apply(std::get<N>(sources)[lane]...);
      });
    }
  }
}

/// Computes D F::apply(S...) in each lane.
template <class F, class D, class... S>
void lanewise(Warp &warp, const Op &op, uint32_t active) {
  computeLanes<F, D, S...>(warp, op, active, std::index_sequence_for<S...>());
}

template <class T> struct TypeTag {
  using type = T;
};

/// Calls `function` with the C++ type of an integer type of 16, 32 or 64 bits.
/// Bits are unsigned. Returns nullptr for other types.
template <class F> Execute forInteger(Type type, F function) {
  if (!type.isInteger())
    return nullptr;
  switch (type.bits) {
  case 16:
    return type.isSigned() ? function(TypeTag<int16_t>())
                           : function(TypeTag<uint16_t>());
  case 32:
    return type.isSigned() ? function(TypeTag<int32_t>())
                           : function(TypeTag<uint32_t>());
  case 64:
    return type.isSigned() ? function(TypeTag<int64_t>())
                           : function(TypeTag<uint64_t>());
  default:
    return nullptr;
  }
}

/// F applied to N sources of type T; the result is a T.
template <class F, unsigned N, class T> Execute sameTypes() {
  if constexpr (N == 1)
    return lanewise<F, T, T>;
  else if constexpr (N == 2)
    return lanewise<F, T, T, T>;
  else
    return lanewise<F, T, T, T, T>;
}

/// F applied to N sources of an integer type.
template <class F, unsigned N> Execute integerFunction(Type type) {
  return forInteger(type, [](auto tag) -> Execute {
    return sameTypes<F, N, typename decltype(tag)::type>();
  });
}

/// The unsigned type in which sums and products of T wrap.
template <class T>
using Wrapping =
    std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

/// Takes `.sync.aligned` of an instruction that all lanes of a warp execute
/// together.
inline void beginWarpInstruction(Decoder &d) {
  d.op.flow = Flow::Converge;
  d.op.isAligned = true;
  if (!d.take("sync") || !d.take("aligned"))
    d.fail("expected '.sync.aligned'");
}

} // namespace pruner::ptx

#endif // PRUNER_LIB_PTX_INSTRUCTIONS_LANES_H
