//===- WinogradProfit.cpp - when transformed tiles are faster -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WinogradProfit.h"

#include "ToomCook.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir;
using namespace pruner;

/// Convolutions with fewer points take less time than the calls of four tasks.
static constexpr double kLeastPoints = 1 << 20;
/// Windows of two elements save a third of the products at most; larger ones
/// than seven need points with large powers.
static constexpr int64_t kLeastWindow = 3, kMostWindow = 7;
/// The most elements of a tile: those of F(4x4, 3x3). The bound on the error
/// grows with the product of the slides' norms.
static constexpr int64_t kMostElements = 36;

namespace {
/// Seconds of one core.
class Clock {
public:
  explicit Clock(const Machine &machine) : machine(machine) {}

  void multiplyAdd(double count) { seconds += 2 * count / machine.peakFlops; }
  /// Moves a tensor of `elements` numbers in f32 `times` times.
  void move(double elements, double times) {
    double bytes = 4 * elements;
    double rate = machine.core.l2BytesPerCycle * machine.clockMHz * 1e6;
    if (bytes > double(machine.l2Bytes))
      rate = bytes <= double(machine.l3Bytes) && machine.core.l3Bandwidth > 0
                 ? machine.core.l3Bandwidth
                 : machine.memoryBandwidth;
    seconds += times * bytes / rate;
  }

  double seconds = 0;

private:
  const Machine &machine;
};
} // namespace

/// The extents of `conv` that decide about its cost.
static double filterElements(const Convolution &conv) {
  return double(conv.extent(conv.groups)) * double(conv.extent(conv.channels)) *
         double(conv.extent(conv.filters));
}

static double windowOf(const Convolution &conv) {
  double product = 1;
  for (const Convolution::Slide &slide : conv.slides)
    product *= double(conv.extent(slide.window));
  return product;
}

static double directTime(const Convolution &conv, const Machine &machine) {
  Clock clock(machine);
  double filter = filterElements(conv) * windowOf(conv);
  clock.multiplyAdd(filter * double(conv.extent(conv.rows)));
  clock.move(filter, 1);
  return clock.seconds;
}

static double tiledTime(const Convolution &conv, const WinogradTiles &tiles,
                        const Machine &machine) {
  Clock clock(machine);
  double elements = double(tiles.elements()), rows = double(tiles.rows()),
         groups = double(conv.extent(conv.groups)),
         image = elements * groups * rows * double(conv.extent(conv.channels)),
         product = elements * groups * rows * double(conv.extent(conv.filters)),
         filter = elements * filterElements(conv);
  clock.multiplyAdd(elements * image);
  clock.multiplyAdd(filter * rows);
  clock.multiplyAdd(double(tiles.results()) * product);
  clock.move(filter, 1);
  clock.move(image, 2);
  clock.move(product, 2);
  if (tiles.exceeds())
    clock.move(product / elements * double(tiles.results()), 2);
  return clock.seconds;
}

/// All tiles of two or four results per slide that are small enough.
static SmallVector<WinogradTiles> possibleTiles(const Convolution &conv) {
  SmallVector<SmallVector<int64_t, 2>> choices{{}};
  for (const Convolution::Slide &slide : conv.slides) {
    int64_t window = conv.extent(slide.window);
    SmallVector<SmallVector<int64_t, 2>> longer;
    for (const SmallVector<int64_t, 2> &choice : choices)
      for (int64_t results : {2, 4})
        if (window >= kLeastWindow && window <= kMostWindow &&
            results + window - 1 <= ToomCook::kMostProducts) {
          longer.push_back(choice);
          longer.back().push_back(results);
        }
    choices = std::move(longer);
  }
  SmallVector<WinogradTiles> all;
  for (const SmallVector<int64_t, 2> &choice : choices)
    if (WinogradTiles tiles(conv, choice); tiles.elements() <= kMostElements)
      all.push_back(tiles);
  return all;
}

/// The multiplications of the batched product.
static int64_t products(const WinogradTiles &tiles) {
  return tiles.elements() * tiles.rows();
}

std::optional<WinogradProfit> pruner::bestTiles(const Convolution &conv,
                                                ArrayRef<Machine> machines) {
  SmallVector<WinogradTiles> all = possibleTiles(conv);
  if (all.empty())
    return std::nullopt;
  if (machines.empty())
    return WinogradProfit{
        *llvm::min_element(
            all, [](auto &a, auto &b) { return products(a) < products(b); }),
        0};
  if (filterElements(conv) * windowOf(conv) * double(conv.extent(conv.rows)) <
          kLeastPoints ||
      !llvm::all_of(machines, [](const Machine &machine) {
        return machine.isCpu() && machine.peakFlops > 0;
      }))
    return std::nullopt;
  auto total = [&](const WinogradTiles &tiles) {
    double seconds = 0;
    for (const Machine &machine : machines)
      seconds += tiledTime(conv, tiles, machine);
    return seconds;
  };
  const WinogradTiles &best = *llvm::min_element(
      all, [&](auto &a, auto &b) { return total(a) < total(b); });
  double share = 0;
  for (const Machine &machine : machines)
    share = std::max(share, tiledTime(conv, best, machine) /
                                directTime(conv, machine));
  return WinogradProfit{best, share};
}
