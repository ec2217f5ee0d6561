//===- TaskDraw.h - draw random tasks ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_SCHEDULES_TASKDRAW_H
#define PRUNER_FUZZING_SCHEDULES_TASKDRAW_H

#include "Fuzzing/Text/LinalgWriter.h"
#include "pruner/Machine/Machine.h"
#include "pruner/Support/Random.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace pruner {

/// Draws one task (ScheduleFuzz.h, randomTask).
class TaskDraw {
public:
  explicit TaskDraw(Random &random) : random(random) {}

  std::string draw();
  /// A chain between two products, such as attention.
  std::string joinedProducts();
  /// A product with weights of bytes or halves of bytes, with scales and zero
  /// points of groups.
  std::string weightOnly();
  /// A product or convolution for the tensor cores of `machine`.
  std::string warpTask(const Machine &machine);

  using Dims = std::vector<unsigned>;

private:
  bool chance(unsigned percent) { return random.uniform(100) < percent; }
  template <typename T, size_t N> T pick(const T (&values)[N]) {
    return values[random.uniform(N)];
  }

  /// An extent of at most `limit`: ones, primes, tiles and tiles +-1.
  int64_t extent(int64_t limit) {
    static const int64_t values[] = {
        1,  2,  3,  4,   5,   7,   8,   9,   11,  12,  13, 15, 16,
        17, 24, 31, 32,  33,  37,  47,  48,  49,  53,  63, 64, 65,
        96, 97, 99, 101, 127, 128, 129, 192, 255, 256, 257};
    return drawExtent(random, values, limit);
  }

  /// One extent per dimension, their product at most `points`.
  Shape extents(unsigned rank, int64_t points) {
    Shape shape(rank);
    Dims order = iota(rank);
    random.shuffle(order);
    for (unsigned d : order) {
      shape[d] = extent(std::max<int64_t>(1, points));
      points /= shape[d];
    }
    return shape;
  }

  static Dims iota(unsigned count) {
    Dims dims(count);
    for (unsigned d = 0; d < count; ++d)
      dims[d] = d;
    return dims;
  }

  Dims maybePermuted(Dims dims, unsigned percent) {
    if (chance(percent))
      random.shuffle(dims);
    return dims;
  }

  static Shape shapeOf(const Dims &dims, const Shape &domain) {
    Shape shape;
    for (unsigned d : dims)
      shape.push_back(domain[d]);
    return shape;
  }

  /// An argument of `shape` that is read at the coordinates `map`, sometimes as
  /// part of a larger tensor: at an offset, with a stride, or in one of several
  /// blocks. A coordinate that is a plain loop determines the extent of that
  /// loop; only those in `free` may be another expression.
  TextOperand argument(Shape shape, const std::string &element, TextMap map,
                       const std::vector<bool> &free = {}) {
    bool within = chance(30);
    for (size_t r = 0; within && r < map.size(); ++r) {
      if (!chance(35) || (!free.empty() && !free[r]))
        continue;
      int64_t stride = chance(25) ? 2 + random.uniform(2) : 1;
      // The elements before and after determine the alignment of vectors.
      int64_t offset =
          chance(50) ? 1 + random.uniform(9) : int64_t(4) << random.uniform(4);
      if (stride > 1 && chance(50))
        offset = 0;
      shape[r] = (shape[r] - 1) * stride + 1 + offset + random.uniform(6);
      if (stride > 1)
        map[r] = "(" + map[r] + ") * " + std::to_string(stride);
      if (offset > 0)
        map[r] += " + " + std::to_string(offset);
    }
    if (within && chance(40)) {
      int64_t blocks = 1 + random.uniform(4),
              r = random.uniform(1 + map.size());
      shape.insert(shape.begin() + r, blocks);
      map.insert(map.begin() + r, std::to_string(random.uniform(blocks)));
    }
    return {t.argument(std::move(shape), element), std::move(map)};
  }

  //===--- tensor cores (RandomWarpTask.cpp) -----------------------------===//

  /// An extent of at least `least`; half of them are multiples of 8, so that
  /// copies can move whole chunks.
  int64_t warpExtent(int64_t least, unsigned more);
  /// The types of factors and of the sum, and the body that adds a product.
  std::string warpProduct(const std::string &type, const std::string &sum,
                          const std::string &body);
  /// Channels last with a window along both coordinates, or channels first with
  /// a window along the rows of the image, whose columns are then those of a
  /// product.
  std::string warpConvolution(const std::string &type, const std::string &sum,
                              const std::string &body);

  //===--- contractions --------------------------------------------------===//

  std::string contraction();
  /// Zero, another constant, or an argument.
  TextTensor accumulator(Shape shape, const std::string &element);
  /// A producer: the operand times a vector along one coordinate, or plus
  /// itself, written in the operand's order or in another one.
  TextTensor prologue(const TextTensor &x);
  TextTensor epilogue(const TextTensor &c);
  std::string reduction();
  /// A tensor with channels last or first over which a window slides, with
  /// stride, dilation and often padding: `size` positions of `kernel` elements
  /// along two coordinates, d1 and d2 by d4 and d5. The other coordinates have
  /// extents `n` and `c` and expressions d0 and `channel`.
  TextOperand window(int64_t size, int64_t kernel, bool last, int64_t n,
                     int64_t c, const std::string &channel,
                     const std::string &element, const std::string &outside);
  /// Channels last or first. Every output channel reads all input channels, or
  /// its own (depthwise).
  std::string convolution();
  /// The window's tensor is only used for its extents.
  std::string pooling();
  /// A chain like softmax or a norm: a reduction of rows, a second reduction
  /// that uses its result, and an elementwise op that uses both.
  std::string rowChain();
  std::string plainRows();
  std::string softmaxRows();
  std::string normRows();
  /// A layer norm with its variance in f64; the bodies of its sums extend,
  /// center and square the elements.
  std::string exportedNormRows();
  /// The dimensions of a chain that run along its rows, the layouts of its
  /// tensors, and the iterator types of its ops.
  struct RowShape {
    Shape domain;
    Dims rows, columns, in, out;
    std::string kinds, all;
  };
  RowShape rowShape();
  /// The sums of rows of `x`, in f64 between two conversions.
  TextTensor wideSum(const TextOperand &x, const std::string &kinds,
                     const Dims &rows, const Shape &domain);
  /// Up to three operands, each with some of the dimensions in any order.
  std::string elementwise();
  TextOperand operand(const Shape &domain, const std::string &element,
                      bool whole);

  Random &random;
  TaskWriter t;
};

} // namespace pruner

#endif // PRUNER_FUZZING_SCHEDULES_TASKDRAW_H
