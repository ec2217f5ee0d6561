//===- InsideBoxTest.cpp - points that read no padding --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Program/TiledProgram.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace pruner;

/// The share of the executions of a tile of `rows` results that reach into the
/// image, for a window of `taps`, by counting.
static double counted(int64_t image, int64_t results, int64_t rows,
                      int64_t taps, int64_t stride, int64_t dilation,
                      int64_t low) {
  int64_t executed = 0, all = 0;
  for (int64_t tile = 0; tile < results; tile += rows)
    for (int64_t tap = 0; tap < taps; ++tap) {
      ++all;
      int64_t first = tile * stride + tap * dilation - low;
      int64_t last = first + (rows - 1) * stride;
      executed += last >= 0 && first < image;
    }
  return double(executed) / double(all);
}

TEST(InsideBox, CountsExecutionsWithPointsInTheImage) {
  for (int64_t image : {1, 4, 7, 14})
    for (int64_t taps : {1, 3, 7})
      for (int64_t stride : {1, 2})
        for (int64_t dilation : {1, 4})
          for (int64_t low : {0, 1, 3, 12})
            for (int64_t rows : {1, 2, 5}) {
              int64_t padded = image + 2 * low;
              int64_t reach = (taps - 1) * dilation + 1;
              if (padded < reach)
                continue;
              int64_t results = (padded - reach) / stride + 1;
              // h * stride + i * dilation - low, and a coordinate w.
              InsideBox box;
              box.map = {{{stride, 0, dilation}, -low}, {{0, 1, 0}, 0}};
              box.shape = {image, 6};
              llvm::SmallVector<IterDim> dims = {
                  {results, false}, {6, false}, {taps, true}};
              llvm::SmallVector<BoxLoop> tile = {
                  {2, taps, 1, LoopLevel::Serial},
                  {0, rows, 1, LoopLevel::Unroll},
                  {1, 6, 1, LoopLevel::Vector}};
              EXPECT_DOUBLE_EQ(
                  box.share(dims, tile, 1),
                  counted(image, results, rows, taps, stride, dilation, low))
                  << image << " " << taps << " " << stride << " " << dilation
                  << " " << low << " " << rows;
            }
}

TEST(InsideBox, CoordinatesAreIndependent) {
  // A window of 3x3 over 4x4 results, padded by one: ten of twelve rows and
  // columns of taps remain where the tile has one result.
  InsideBox box;
  box.map = {{{1, 0, 1, 0}, -1}, {{0, 1, 0, 1}, -1}};
  box.shape = {4, 4};
  llvm::SmallVector<IterDim> dims = {
      {4, false}, {4, false}, {3, true}, {3, true}};
  llvm::SmallVector<BoxLoop> one = {{0, 1, 1, LoopLevel::Unroll},
                                    {1, 1, 1, LoopLevel::Unroll}};
  EXPECT_DOUBLE_EQ(box.share(dims, one, 4), 100.0 / 144);
  llvm::SmallVector<BoxLoop> row = {{0, 1, 1, LoopLevel::Unroll},
                                    {1, 4, 1, LoopLevel::Vector}};
  EXPECT_DOUBLE_EQ(box.share(dims, row, 1), 10.0 / 12);
}

TEST(InsideBox, UnrolledStepsAreWhole) {
  InsideBox box;
  box.map = {{{1, 0, 1, 0}, -1}, {{0, 1, 0, 1}, -1}};
  box.shape = {4, 4};
  llvm::SmallVector<IterDim> dims = {
      {4, false}, {4, false}, {3, true}, {3, true}};
  llvm::SmallVector<BoxLoop> tile = {{2, 3, 1, LoopLevel::Serial},
                                     {3, 3, 1, LoopLevel::Serial},
                                     {0, 1, 1, LoopLevel::Unroll},
                                     {1, 1, 1, LoopLevel::Unroll}};
  EXPECT_DOUBLE_EQ(box.share(dims, tile, 1), 100.0 / 144);
  EXPECT_DOUBLE_EQ(box.share(dims, tile, 2), 10.0 / 12);
}
