//===- BorderSearch.cpp - find changes of decisions -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BorderSearch.h"

#include "pruner/Builder/TaskProgram.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;
using namespace pruner;

//===----------------------------------------------------------------------===//
// NumberLine
//===----------------------------------------------------------------------===//

NumberLine::NumberLine(mlir::Type type) : type(type) {
  if (auto real = dyn_cast<mlir::FloatType>(type)) {
    APFloat largest = APFloat::getLargest(real.getFloatSemantics());
    bool ignored;
    largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &ignored);
    most = placeOf(Scalar::of(largest.convertToDouble()));
    least = -most;
    return;
  }
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  least = width == 1 ? 0 : INT64_MIN >> (64 - width);
  most = width == 1 ? 1 : INT64_MAX >> (64 - width);
}

// The bits of positive numbers, without the sign, are in order.

int64_t NumberLine::placeOf(Scalar value) const {
  if (!isa<mlir::FloatType>(type))
    return value.integer;
  double size = std::fabs(value.real);
  int64_t bits;
  if (type.isF64()) {
    bits = bit_cast<int64_t>(size);
  } else if (type.isF32()) {
    bits = bit_cast<int32_t>(float(size));
  } else {
    uint16_t narrow = 0;
    writeElement(&narrow, *elementTypeOf(type), 0, size);
    bits = narrow;
  }
  return value.real < 0 ? -bits : bits;
}

Scalar NumberLine::at(int64_t place) const {
  if (!isa<mlir::FloatType>(type))
    return Scalar::of(place);
  int64_t bits = place < 0 ? -place : place;
  double size;
  if (type.isF64()) {
    size = bit_cast<double>(bits);
  } else if (type.isF32()) {
    size = bit_cast<float>(int32_t(bits));
  } else {
    auto narrow = uint16_t(bits);
    size = readElement(&narrow, *elementTypeOf(type), 0);
  }
  return Scalar::of(place < 0 ? -size : size);
}

SmallVector<int64_t> NumberLine::spread(double reach,
                                        ElementStream &random) const {
  SmallVector<int64_t> places{0};
  bool real = isa<mlir::FloatType>(type);
  int first = real ? (type.isF16() ? -14 : -64) : 0;
  int last = real ? (type.isF16() ? 16 : 64) : 63;
  for (int power = first; power < last; power += real ? 3 : 1) {
    double size =
        std::ldexp(1 + double(random.uniform(1 << 20)) * 0x1p-20, power);
    for (double value : {-size, size}) {
      int64_t place = real ? placeOf(narrowed(Scalar::of(value), type))
                           : int64_t(std::clamp(value, -0x1p62, 0x1p62));
      if (size <= reach && place > least && place < most)
        places.push_back(place);
    }
  }
  // The ends of integer types are ordinary numbers.
  if (!real)
    for (int64_t end : {least, most})
      if (std::fabs(double(end)) <= reach)
        places.push_back(end);
  return places;
}

//===----------------------------------------------------------------------===//
// BorderSearch
//===----------------------------------------------------------------------===//

int64_t BorderSearch::between(int64_t low, int64_t high) {
  uint64_t span = uint64_t(high) - uint64_t(low) + 1;
  uint64_t draw = random.next();
  return int64_t(uint64_t(low) + (span ? draw % span : draw));
}

std::optional<int64_t> BorderSearch::bisect(int64_t low, int64_t high,
                                            int toward) {
  std::optional<uint64_t> below = decisionAt(low), above = decisionAt(high);
  for (unsigned step = 0; uint64_t(high) - uint64_t(low) > 1; ++step) {
    int64_t middle =
        toward == 0 && step < 3
            ? between(low + 1, high - 1)
            : int64_t(uint64_t(low) + (uint64_t(high) - uint64_t(low)) / 2);
    std::optional<uint64_t> here = decisionAt(middle);
    if (!here)
      return std::nullopt;
    bool keepLower = here == above;
    if (here != above && here != below)
      keepLower = toward < 0 || (toward == 0 && (random.next() & 1));
    (keepLower ? high : low) = middle;
    (keepLower ? above : below) = here;
  }
  return low;
}

Scalar BorderSearch::beside(int64_t border) {
  int64_t by = random.uniform(4) ? random.between(0, 1) : random.between(-1, 2);
  // So that the sum is a place.
  int64_t from = std::clamp(border, line.lowest() - std::min<int64_t>(by, 0),
                            line.highest() - std::max<int64_t>(by, 0));
  return line.at(from + by);
}

int64_t BorderSearch::inside(int64_t low, int64_t high) {
  if (line.isIntegers())
    return between(low, high);
  double a = line.at(low).real, b = line.at(high).real,
         share = double(random.next() >> 11) * 0x1p-53;
  return line.placeOf(Scalar::of(a + share * (b - a)));
}

Scalar BorderSearch::beyond(int64_t low, int64_t high, bool above) {
  // With 256 steps between two clamps, the next step after a clamp is a 256th
  // of their distance away.
  double share = std::ldexp(1 + double(random.uniform(1024)) / 1024,
                            -int(random.between(0, 10)));
  if (line.isIntegers()) {
    double far = share * (double(high) - double(low)) + 1;
    double end = above ? double(high) + far : double(low) - far;
    if (end <= double(line.lowest()) || end >= double(line.highest()))
      return line.at(above ? line.highest() : line.lowest());
    return line.at(int64_t(end));
  }
  double a = line.at(low).real, b = line.at(high).real, far = share * (b - a);
  int64_t place = line.placeOf(Scalar::of(above ? b + far : a - far));
  return line.at(std::clamp(place, line.lowest(), line.highest()));
}

std::optional<Scalar> BorderSearch::find(int64_t n) {
  if (n % 6 == 5 && line.highest() == INT64_MAX && !others.empty()) {
    int64_t other = others[random.uniform(others.size())].integer;
    return Scalar::of(
        int64_t(uint64_t(other) + (uint64_t(random.between(-3, 3)) << 32)));
  }
  SmallVector<int64_t> places = line.spread(reach, random);
  // Equality holds at a single place.
  for (Scalar other : others) {
    int64_t place = line.placeOf(other);
    if (place > line.lowest() && place < line.highest())
      places.append({place - 1, place, place + 1});
  }
  llvm::sort(places);
  places.erase(llvm::unique(places), places.end());
  SmallVector<std::pair<int64_t, uint64_t>> known;
  for (int64_t place : places)
    if (auto decision = decisionAt(place))
      known.emplace_back(place, *decision);
  SmallVector<size_t> changes;
  for (size_t i = 0; i + 1 < known.size(); ++i)
    if (known[i].second != known[i + 1].second)
      changes.push_back(i);
  if (changes.empty())
    return std::nullopt;
  auto bisectAt = [&](size_t i, int toward) {
    return bisect(known[i].first, known[i + 1].first, toward);
  };
  auto lowest = bisectAt(changes.front(), -1),
       highest = bisectAt(changes.back(), 1);
  if (!lowest || !highest)
    return std::nullopt;
  switch (n % 6) {
  case 0:
    return random.next() & 1 ? beside(*lowest)
                             : beyond(*lowest, *highest + 1, false);
  case 1:
    return random.next() & 1 ? beside(*highest)
                             : beyond(*lowest, *highest + 1, true);
  case 3:
    for (unsigned attempt = 0; attempt < 4; ++attempt) {
      int64_t a = inside(*lowest, *highest + 1),
              b = inside(*lowest, *highest + 1);
      if (a > b)
        std::swap(a, b);
      auto first = decisionAt(a), second = decisionAt(b);
      if (!first || !second || first == second)
        continue;
      if (auto border = bisect(a, b, 0))
        return beside(*border);
    }
    break;
  case 4:
    return line.at(inside(*lowest, *highest + 1));
  default:
    break;
  }
  auto border = bisectAt(changes[random.uniform(changes.size())], 0);
  return border ? std::optional(beside(*border)) : std::nullopt;
}
