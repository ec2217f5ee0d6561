//===- Memory.cpp - ld, st, atom, red -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HalfFloat.h"
#include "Lanes.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace pruner::ptx;

namespace {

/// The addresses of a request, which it counts.
class Request {
public:
  Request(Warp &warp, const Op &op, uint32_t active, unsigned addressSource = 0)
      : space(op.space) {
    Slot slot = warp.source(op, addressSource);
    if (!warp.requireDefined(op, slot, active, "an address"))
      return;
    valid = true;
    warp.addresses(slot, op.immediate, op.isShortAddress, addresses);
    unsigned first = __builtin_ctz(active);
    if (space == Space::Generic)
      space = addresses[first] & kGenericShared  ? Space::Shared
              : addresses[first] & kGenericLocal ? Space::Local
                                                 : Space::Global;
    MemoryCounts &counts = warp.block.launch.counts[warp.opNumber(op)].memory;
    unsigned bytes = op.bytes();
    if (space == Space::Shared) {
      counts.wavefronts += countWavefronts(addresses, active, bytes);
      counts.idealWavefronts += countIdealWavefronts(active, bytes);
    } else if (space != Space::Local) {
      counts.sectors += countSectors(addresses, active, bytes);
    } else {
      return;
    }
    ++counts.requests;
    counts.bytes += uint64_t(llvm::popcount(active)) * bytes;
  }

  uint64_t addresses[kWarpSize];
  Space space;
  bool valid = false;
};

} // namespace

template <class E, class R>
static void load(Warp &warp, const Op &op, uint32_t active) {
  Request request(warp, op, active);
  if (!request.valid)
    return;
  uint32_t known[16] = {};
  // Lanes with some undefined bytes, which are rare.
  struct Partial {
    uint8_t element, lane, bytes;
  };
  llvm::SmallVector<Partial> partial;
  constexpr uint8_t all = (1u << sizeof(E)) - 1;
  for (uint32_t left = active; left; left &= left - 1) {
    unsigned lane = __builtin_ctz(left);
    Region *region;
    const uint8_t *data =
        warp.access(op, lane, op.space, request.addresses[lane], op.bytes(),
                    AccessKind::Load, region);
    if (!data)
      return;
    for (unsigned n = 0; n != op.elements; ++n) {
      E value;
      std::memcpy(&value, data + n * sizeof(E), sizeof(E));
      warp.lanes<R>(warp.result(op, n))[lane] = R(value);
      uint8_t bytes = all;
      if (region->defined)
        for (unsigned byte = 0; byte != sizeof(E); ++byte)
          if (!region->defined[data - region->data + n * sizeof(E) + byte])
            bytes &= ~(1u << byte);
      if (bytes == all)
        known[n] |= uint32_t(1) << lane;
      else
        partial.push_back({uint8_t(n), uint8_t(lane), bytes});
    }
  }
  for (unsigned n = 0; n != op.elements; ++n)
    warp.define(warp.result(op, n), active, known[n]);
  for (const Partial &some : partial) {
    // Bytes above the element are copies of its sign, or 0.
    bool top = !std::is_signed_v<E> || (some.bytes >> (sizeof(E) - 1) & 1);
    warp.defineBytes(warp.result(op, some.element), some.lane,
                     top ? some.bytes | uint8_t(~0u << sizeof(E)) : some.bytes);
  }
}

/// Op::immediate: bytes into the parameters.
template <class E, class R>
static void loadParameter(Warp &warp, const Op &op, uint32_t active) {
  const auto &parameters = warp.block.launch.parameters;
  for (unsigned n = 0; n != op.elements; ++n) {
    E value;
    std::memcpy(&value, parameters.data() + op.immediate + n * sizeof(E),
                sizeof(E));
    R *result = warp.lanes<R>(warp.result(op, n));
    forLanes(active, [&](unsigned lane) { result[lane] = R(value); });
    warp.define(warp.result(op, n), active, ~0u);
  }
}

template <class E, class R>
static void store(Warp &warp, const Op &op, uint32_t active) {
  Request request(warp, op, active);
  if (!request.valid)
    return;
  constexpr uint8_t all = (1u << sizeof(E)) - 1;
  for (uint32_t left = active; left; left &= left - 1) {
    unsigned lane = __builtin_ctz(left);
    Region *region;
    uint8_t *data = warp.access(op, lane, op.space, request.addresses[lane],
                                op.bytes(), AccessKind::Store, region);
    if (!data)
      return;
    for (unsigned n = 0; n != op.elements; ++n) {
      E value = E(warp.lanes<R>(warp.source(op, 1 + n))[lane]);
      std::memcpy(data + n * sizeof(E), &value, sizeof(E));
      uint8_t bytes = warp.definedBytes(warp.source(op, 1 + n), lane);
      // A value that a kernel stores for other threads must be defined.
      if (request.space == Space::Global && (bytes & all) != all)
        return warp.fault(op, lane, Violation::Undefined,
                          "a result in global memory depends on a value that "
                          "was never written");
      if (region->defined)
        for (unsigned byte = 0; byte != sizeof(E); ++byte)
          region->defined[data - region->data + n * sizeof(E) + byte] =
              bytes >> byte & 1;
    }
  }
}

/// Instances for elements of a type in registers of some bits. `Of` is
/// Load, LoadParameter or Store.
template <class Of, class E> static Execute forRegister(unsigned bits) {
  if (bits == 16) {
    if constexpr (sizeof(E) <= 2)
      return Of::template get<E, uint16_t>();
  } else if (bits == 32) {
    if constexpr (sizeof(E) <= 4)
      return Of::template get<E, uint32_t>();
  } else if (bits == 64) {
    return Of::template get<E, uint64_t>();
  }
  return nullptr;
}
template <class Of> static Execute forElement(Type type, unsigned bits) {
  bool isSigned = type.isSigned();
  switch (type.bits) {
  case 8:
    return isSigned ? forRegister<Of, int8_t>(bits)
                    : forRegister<Of, uint8_t>(bits);
  case 16:
    return isSigned ? forRegister<Of, int16_t>(bits)
                    : forRegister<Of, uint16_t>(bits);
  case 32:
    return isSigned ? forRegister<Of, int32_t>(bits)
                    : forRegister<Of, uint32_t>(bits);
  case 64:
    return forRegister<Of, uint64_t>(bits);
  default:
    return nullptr;
  }
}
namespace {
struct Load {
  template <class E, class R> static Execute get() { return load<E, R>; }
};
struct LoadParameter {
  template <class E, class R> static Execute get() {
    return loadParameter<E, R>;
  }
};
struct Store {
  template <class E, class R> static Execute get() { return store<E, R>; }
};
} // namespace

/// `.weak`, `.relaxed.gpu`, `.volatile` and so on.
static void takeSemantics(Decoder &d) {
  if (!d.takeOne({"volatile", "relaxed", "acquire", "release", "acq_rel"})
           .empty())
    d.op.isStrong = true;
  else
    d.take("weak");
  d.takeOne({"cta", "cluster", "gpu", "sys"});
}

static Space takeSpace(Decoder &d) {
  llvm::StringRef name =
      d.takeOne({"param", "global", "const", "shared", "shared::cta", "local"});
  return name == "param"              ? Space::Param
         : name == "global"           ? Space::Global
         : name == "const"            ? Space::Const
         : name == "local"            ? Space::Local
         : name.starts_with("shared") ? Space::Shared
                                      : Space::Generic;
}

/// Hints to caches change no result.
static void takeCacheHints(Decoder &d) {
  d.takeOne({"ca", "cg", "cs", "lu", "cv", "wb", "wt"});
  while (!d.takeOne({"L1::evict_normal", "L1::evict_unchanged",
                     "L1::evict_first", "L1::evict_last", "L1::no_allocate",
                     "L2::64B", "L2::128B", "L2::256B"})
              .empty())
    ;
}

static Type takeAccessType(Decoder &d) {
  d.op.pipe = Pipe::Lsu;
  d.op.elements = d.take("v2") ? 2 : d.take("v4") ? 4 : d.take("v8") ? 8 : 1;
  Type type = d.type();
  if (type.kind == TypeClass::Pred || type.isPacked)
    d.unsupportedType(type);
  d.op.elementBytes = std::max(type.bits / 8, 1u);
  if (d.op.bytes() > 16)
    d.fail("accesses of more than 16 bytes are not supported");
  return type;
}

static void decodeLd(Decoder &d) {
  takeSemantics(d);
  d.op.space = takeSpace(d);
  takeCacheHints(d);
  d.op.isNonCoherent = d.take("nc");
  takeCacheHints(d);
  Type type = takeAccessType(d);
  d.op.tracksDefined = true;
  unsigned bits = d.results(type, d.op.elements, /*mayBeWider=*/true);
  if (d.op.space != Space::Param) {
    d.op.execute = forElement<Load>(type, bits);
    d.op.immediate = d.address();
  } else {
    d.op.execute = forElement<LoadParameter>(type, bits);
    d.op.immediate = d.parameterAddress(d.op.bytes());
  }
  if (!d.op.execute)
    d.unsupportedType(type);
}

static void decodeSt(Decoder &d) {
  takeSemantics(d);
  d.op.space = takeSpace(d);
  takeCacheHints(d);
  Type type = takeAccessType(d);
  if (d.op.space == Space::Param || d.op.space == Space::Const)
    d.fail("the space is read-only");
  d.op.immediate = d.address();
  unsigned bits = d.sources(type, d.op.elements, /*mayBeWider=*/true);
  d.op.execute = forElement<Store>(type, bits);
  if (!d.op.execute)
    d.unsupportedType(type);
}

namespace {
enum class Atomic : uint64_t {
  Add,
  Min,
  Max,
  And,
  Or,
  Xor,
  Exchange,
  CompareSwap,
  Increment,
  Decrement,
};
} // namespace

template <class T> static T combineAtomic(Atomic kind, T old, T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return kind == Atomic::Add ? old + a : a;
  } else {
    switch (kind) {
    case Atomic::Add:
      return T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(a));
    case Atomic::Min:
      return std::min(old, a);
    case Atomic::Max:
      return std::max(old, a);
    case Atomic::And:
      return old & a;
    case Atomic::Or:
      return old | a;
    case Atomic::Xor:
      return old ^ a;
    case Atomic::Exchange:
      return a;
    case Atomic::CompareSwap:
      return old == a ? b : old;
    case Atomic::Increment:
      return old >= a ? T(0) : T(old + 1);
    case Atomic::Decrement:
      return old == 0 || old > a ? a : T(old - 1);
    }
    return old;
  }
}

/// Lanes in ascending order; another order is also possible on a device.
template <class T>
static void atomic(Warp &warp, const Op &op, uint32_t active) {
  Request request(warp, op, active);
  if (!request.valid)
    return;
  using A = typename Aliased<T>::type;
  Atomic kind = Atomic(op.immediate2);
  Slot a = warp.source(op, 1);
  Slot b = warp.source(op, op.numSources > 2 ? 2 : 1);
  uint32_t known = warp.definedLanes(a) & warp.definedLanes(b), results = 0;
  if (request.space == Space::Global &&
      !(warp.requireDefined(op, a, active, "an atomic operation") &&
        warp.requireDefined(op, b, active, "an atomic operation")))
    return;
  for (uint32_t left = active; left; left &= left - 1) {
    unsigned lane = __builtin_ctz(left);
    Region *region;
    uint8_t *data = warp.access(op, lane, op.space, request.addresses[lane],
                                sizeof(T), AccessKind::Atomic, region);
    if (!data)
      return;
    T old;
    std::memcpy(&old, data, sizeof(T));
    T updated = combineAtomic<T>(kind, old, warp.lanes<A>(a)[lane],
                                 warp.lanes<A>(b)[lane]);
    std::memcpy(data, &updated, sizeof(T));
    bool wasDefined = true;
    if (region->defined)
      for (unsigned byte = 0; byte != sizeof(T); ++byte) {
        uint8_t &flag = region->defined[data - region->data + byte];
        wasDefined &= flag != 0;
        flag = (kind == Atomic::Exchange || wasDefined) && (known >> lane & 1);
      }
    if (op.numResults)
      warp.lanes<A>(warp.result(op))[lane] = old;
    results |= uint32_t(wasDefined) << lane;
  }
  if (op.numResults)
    warp.define(warp.result(op), active, results);
}

template <bool HasResult> static void decodeAtomic(Decoder &d) {
  takeSemantics(d);
  d.op.space = takeSpace(d);
  static constexpr llvm::StringLiteral names[] = {
      "add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"};
  unsigned kind = 0;
  while (kind != std::size(names) && !d.take(names[kind]))
    ++kind;
  if (kind == std::size(names))
    return d.fail("the operation is not supported");
  Type type = d.type();
  Atomic operation = Atomic(kind);
  d.op.pipe = Pipe::Lsu;
  d.op.isStrong = d.op.tracksDefined = true;
  d.op.elementBytes = type.bits / 8;
  d.op.immediate2 = kind;
  bool wraps = operation == Atomic::Increment || operation == Atomic::Decrement;
  if (type.isFloat() && operation == Atomic::Add && !type.isPacked)
    d.op.execute = type.bits == 32   ? atomic<float>
                   : type.bits == 64 ? atomic<double>
                                     : nullptr;
  else if (!wraps || (type.bits == 32 && !type.isSigned()))
    d.op.execute = forInteger(type, [](auto tag) -> Execute {
      using T = typename decltype(tag)::type;
      if constexpr (sizeof(T) == 2)
        return nullptr;
      else
        return atomic<T>;
    });
  if (!d.op.execute)
    return d.unsupportedType(type);
  if (HasResult)
    d.result(type);
  d.op.immediate = d.address();
  d.source(type);
  if (operation == Atomic::CompareSwap)
    d.source(type);
}

llvm::ArrayRef<InstructionClass> pruner::ptx::memoryInstructions() {
  static const InstructionClass list[] = {
      {"ld", decodeLd},
      {"st", decodeSt},
      {"atom", decodeAtomic<true>},
      {"red", decodeAtomic<false>},
  };
  return list;
}
