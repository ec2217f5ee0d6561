//===- SpecialInputs.cpp - rows of NaN, infinities and extremes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpecialInputs.h"

#include <cmath>

using namespace llvm;
using namespace pruner;

static double largestOf(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return 0x1.fffffffffffffp+1023;
  case ElementType::F16:
    return 65504;
  case ElementType::BF16:
    return 0x1.fep+127;
  default:
    return 0x1.fffffep+127;
  }
}

namespace {
/// Writes into one box.
class BoxWriter {
public:
  BoxWriter(void *data, ElementType type, ArrayRef<int64_t> places, bool adds,
            ElementStream &random)
      : data(data), type(type), places(places), adds(adds), random(random) {}

  void special(int64_t kind) {
    const double nan = NAN, inf = INFINITY;
    const size_t last = places.size() - 1, any = place();
    const double tiny = smallestNormal(type);
    switch (kind % numSpecialBoxes) {
    case 0:
      return all(-inf);
    case 1:
      return put(last, nan);
    case 2:
      return put(0, nan);
    case 3: {
      double kept = readElement(data, type, places[any]);
      all(-inf);
      return put(any, kept);
    }
    case 4:
      return all(inf);
    case 5:
      return put(last / 2, nan);
    case 6:
      return some(nan, 4);
    case 7:
      return put(any, inf);
    case 8:
      all(0);
      return some(-0.0, 2);
    case 9:
      return all(nan);
    case 10:
      return put(any, -inf);
    case 11:
      return some(-inf, 2);
    case 12:
      return all(adds ? -1.0 : -largestOf(type));
    case 13: { // Sums overflow to the one infinity, some orders to NaN.
      double sign = random.uniform(2) ? 1 : -1, large = 0.75 * largestOf(type);
      for (size_t n = 0; n < places.size(); ++n)
        put(n, random.uniform(4) ? -sign * large : sign * large);
      return put(any, sign * inf);
    }
    case 14:
      return all(0.75 * largestOf(type));
    default:
      // Many CPUs take a hundred cycles to multiply such numbers.
      if (!adds)
        all(tiny);
      put(any, tiny);
      return put(last, tiny * unitRoundoff(type) * 2);
    }
  }

  void single(int64_t kind) {
    const double tiny = smallestNormal(type), largest = largestOf(type);
    const double values[] = {NAN, INFINITY, -INFINITY, -0.0,    0.0,  tiny,
                             1.0, -largest, -tiny,     largest, -1.0, tiny / 2};
    put(0, values[kind % int64_t(std::size(values))]);
  }

  void put(size_t n, double value) {
    writeElement(data, type, places[n], value);
  }

private:
  size_t place() { return size_t(random.uniform(places.size())); }
  void all(double value) {
    for (size_t n = 0; n < places.size(); ++n)
      put(n, value);
  }
  /// One in `among`, at least two if there are as many, so that some follow one
  /// another.
  void some(double value, uint64_t among) {
    for (size_t n = 0; n < places.size(); ++n)
      if (random.uniform(among) == 0)
        put(n, value);
    put(place(), value);
    put(place(), value);
  }

  void *data;
  ElementType type;
  ArrayRef<int64_t> places;
  bool adds;
  ElementStream &random;
};
} // namespace

void pruner::placeSpecials(void *data, const TensorSpec &spec,
                           const ArgumentBoxes &boxes, int64_t repetition,
                           bool minor, bool adds, ElementStream &random) {
  int64_t count = boxes.count();
  if (spec.elements() == 0)
    return;
  SmallVector<int64_t> places;
  auto make = [&](int64_t box, int64_t kind) {
    boxes.elements(box, places);
    BoxWriter writer(data, spec.type, places, adds, random);
    if (places.size() > 1)
      writer.special(kind);
    else
      writer.single(kind);
  };
  if (count == 1) {
    if (!minor || repetition % 3 == 2)
      make(0, minor ? repetition / 3 : repetition);
    return;
  }
  if (count < 4 * numSpecialBoxes) {
    int64_t step = minor ? std::min<int64_t>(count, 8) : 2;
    int64_t made = (count - repetition % step + step - 1) / step;
    int64_t kind = repetition * made;
    for (int64_t box = repetition % step; box < count; box += step)
      make(box, kind++);
    return;
  }
  int64_t more = boxes.reduced() ? std::min<int64_t>(count / 8, 64)
                                 : count / (minor ? 64 : 16);
  for (int64_t n = 0; n < 2 * numSpecialBoxes + more; ++n)
    make(int64_t(random.next() % uint64_t(count)), n);
}

/// The element of a box of `length` elements that dominates in the `n`th box.
static int64_t dominantPlace(int64_t n, int64_t length, ElementStream &random) {
  SmallVector<int64_t> edges{length - 1, 0, length / 2};
  for (int64_t tile = 4; tile < length && tile <= 64; tile *= 2) {
    int64_t tail = (length - 1) / tile * tile; // The last tile begins here.
    edges.append({tail, tail - 1, tile - 1, tile});
  }
  if (n < int64_t(edges.size()))
    return edges[n];
  // Then every position, if there are enough boxes, with edges in between.
  n -= int64_t(edges.size());
  return n % 4 == 3 ? edges[random.uniform(edges.size())]
                    : (n - n / 4) % length;
}

void pruner::fillDominant(void *data, const TensorSpec &spec,
                          const ArgumentBoxes &boxes, int64_t repetition,
                          ElementStream &random) {
  bool real = isFloat(spec.type);
  for (int64_t i = 0, e = spec.elements(); i < e; ++i)
    writeElement(data, spec.type, i, double(random.between(-4, 4)));
  if (spec.elements() == 0)
    return;
  unsigned width = unsigned(byteWidth(spec.type)) * 8;
  SmallVector<int64_t> places;
  for (int64_t box = 0, count = boxes.count(); box < count; ++box) {
    boxes.elements(box, places);
    if (places.size() < 2)
      continue;
    int64_t n = repetition * count + box, length = int64_t(places.size());
    int64_t most = places[dominantPlace(n, length, random)],
            least = places[dominantPlace(n + 1, length, random)];
    if (real) {
      // Some tasks scale what they compare, and f16 ends at 65504.
      double size = std::ldexp(1.0, 10 + 2 * int(random.uniform(3)));
      writeElement(data, spec.type, least, -size);
      writeElement(data, spec.type, most, size);
    } else {
      writeInteger(data, spec.type, least, INT64_MIN >> (64 - width));
      writeInteger(data, spec.type, most, INT64_MAX >> (64 - width));
    }
  }
}
