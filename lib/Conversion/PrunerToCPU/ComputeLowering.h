//===- ComputeLowering.h - statements on register tiles ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOCPU_COMPUTELOWERING_H
#define PRUNER_LIB_CONVERSION_PRUNERTOCPU_COMPUTELOWERING_H

#include "CpuLowering.h"

#include "pruner/Program/MatrixInstruction.h"

#include <map>
#include <memory>

namespace pruner {

/// Lowers one `pruner.compute`. The register tile is expanded into places
/// (`offsets`). Each place is a vector of `lanes` lanes along `laneDim`.
class ComputeLowering {
public:
  ComputeLowering(CpuLowering &parent, ComputeOp op);
  void lower();

  /// Whether `init` only clears the accumulators of the update after it, which
  /// then clears tile registers instead.
  static bool clearsTiles(ComputeOp init);

private:
  /// Loads that places of one reduction step share, by operand and offset.
  using Cache = std::map<llvm::SmallVector<int64_t>, mlir::Value>;

  /// A range of a buffer that an update prefetches: it starts at element
  /// `begin` and advances by a number of elements with each reduction step.
  struct Stream {
    const FlatBuffer *buffer;
    mlir::Value begin;
    int64_t elementsPerStep;
  };

  void layOut(llvm::ArrayRef<unsigned> looped);
  void orderPlaces();
  bool isRegisterTile(unsigned n);
  llvm::SmallVector<unsigned> loopsOverPlaces();
  void lowerTile();
  void findCutDims();
  void emit(bool cut);
  // Prefetch.cpp
  void prefetch();
  void startStreams();
  void fetchStreams(llvm::ArrayRef<IndexForm> outer, const IndexForm &position,
                    int64_t count);
  bool isNontemporal(const IndexForm &address);
  mlir::Value operand(unsigned n);
  mlir::AffineMap mapInside(unsigned n);
  mlir::Value vectorOf(mlir::Value value);
  mlir::Value roundByInstruction(mlir::Value value);
  // FillBehind.cpp
  mlir::Value zeroBehind(llvm::ArrayRef<int64_t> offset, mlir::Value value);
  mlir::Value point(llvm::ArrayRef<int64_t> offset,
                    llvm::ArrayRef<IndexForm> extra, mlir::Value accumulator,
                    Cache &cache);
  llvm::SmallVector<mlir::Value>
  reduce(unsigned loop, llvm::ArrayRef<mlir::Value> accumulators,
         llvm::ArrayRef<IndexForm> extra);
  int64_t maxCopies(unsigned dim, int64_t step, int64_t steps);
  llvm::SmallVector<int64_t> loadKey(unsigned n,
                                     llvm::ArrayRef<int64_t> offset);
  // ReduceLanes.cpp: vectors along a reduction dimension.
  mlir::Value neutralLanes();
  mlir::Value combineLanes(mlir::Value accumulator, mlir::Value lanes);
  mlir::Value combineHalves(
      mlir::Value lanes,
      llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> combine);
  llvm::SmallVector<mlir::Value>
  setsOf(llvm::ArrayRef<mlir::Value> accumulators, int64_t copies);
  llvm::SmallVector<mlir::Value> combineSets(llvm::ArrayRef<mlir::Value> sets,
                                             size_t size);
  mlir::Value wholeSteps(int64_t trips, const IndexForm &extra);
  llvm::SmallVector<mlir::Value> addTail(llvm::ArrayRef<mlir::Value> sums,
                                         llvm::ArrayRef<IndexForm> extra,
                                         mlir::Value whole, int64_t trips);
  mlir::Value onlyTail(mlir::Value value, mlir::Value accumulator);

  // DotProducts.cpp
  llvm::SmallVector<mlir::Value>
  reduceByInstruction(llvm::ArrayRef<mlir::Value> accumulators);
  llvm::SmallVector<mlir::Value>
  multiply(llvm::ArrayRef<mlir::Value> accumulators,
           llvm::ArrayRef<IndexForm> extra);
  mlir::Value loadNeighbors(unsigned n, llvm::ArrayRef<int64_t> offset,
                            llvm::ArrayRef<IndexForm> extra, int64_t count);
  mlir::Value extendFactors(mlir::Value operands, bool isSigned);
  mlir::Value loadShared(llvm::ArrayRef<int64_t> offset,
                         llvm::ArrayRef<IndexForm> extra);
  mlir::Value multiplyAdd(mlir::Value sum, mlir::Value a, mlir::Value b);
  // TileProducts.cpp
  struct TileRows {
    mlir::Value pointer, stride;
  };
  mlir::Value callTile(llvm::StringRef intrinsic, mlir::ValueRange operands);
  mlir::Value tileSize(int64_t value);
  TileRows tileRowsAt(unsigned n, llvm::ArrayRef<int64_t> offset,
                      llvm::ArrayRef<IndexForm> extra, unsigned dim,
                      int64_t step, int64_t rows);
  mlir::Value loadTile(unsigned n, llvm::ArrayRef<int64_t> offset,
                       llvm::ArrayRef<IndexForm> extra);
  std::unique_ptr<ComputeLowering> copyOfTiles();
  void updateTiles();
  llvm::SmallVector<mlir::Value>
  multiplyTiles(llvm::ArrayRef<mlir::Value> accumulators,
                llvm::ArrayRef<IndexForm> extra);

  // TransposeTile.cpp: results that are contiguous along another dimension.
  int findRowDim();
  std::optional<int64_t> strideAlong(unsigned n, unsigned dim,
                                     llvm::ArrayRef<int64_t> offset,
                                     int64_t count);
  bool masksAreCheap();
  void emitTransposed();
  mlir::Value rowMask(int64_t first, int64_t count, int64_t size);
  void loadRows(unsigned n, llvm::SmallVector<int64_t> offset, int64_t count,
                Cache &cache);
  void storeRows(llvm::ArrayRef<int64_t> offset,
                 llvm::SmallVector<mlir::Value> rows);

  static constexpr int kNoDim = -1;
  llvm::SmallVector<IndexForm> place(llvm::ArrayRef<int64_t> offset,
                                     llvm::ArrayRef<IndexForm> extra,
                                     int64_t lane, bool clamp, int unclamped);
  llvm::SmallVector<int64_t> laneMoves(mlir::AffineMap map);
  bool lanesAreCut();
  mlir::Value laneMask(llvm::ArrayRef<int64_t> offset);
  bool movesAsVector(mlir::Type element, bool cut);
  mlir::Value load(unsigned n, llvm::ArrayRef<int64_t> offset,
                   llvm::ArrayRef<IndexForm> extra);
  // PaddedLoads.cpp: inputs that may be read outside of their tensors.
  bool isPadded(unsigned n);
  void forEachWindow(
      llvm::function_ref<void(const IndexForm &, const IndexForm &, int64_t)>
          test);
  bool mayLeaveTensors();
  mlir::Value areWindowsInside();
  mlir::Value clampToTensor(unsigned n, llvm::MutableArrayRef<IndexForm> coords,
                            std::optional<unsigned> except);
  mlir::Value lanesInTensor(unsigned n, unsigned coord, const IndexForm &first);
  mlir::Value padding(unsigned n, mlir::Type type);
  mlir::Value orPadding(unsigned n, mlir::Value inside, mlir::Value value);
  // SkipPadding.cpp: points that need not be computed.
  void
  forEachPlace(std::optional<unsigned> loop, llvm::ArrayRef<IndexForm> outer,
               llvm::function_ref<void(const IndexForm &, const IndexForm &,
                                       int64_t, int64_t)>
                   test);
  mlir::Value isAnyPointInside();
  std::pair<mlir::Value, mlir::Value>
  iterationsInside(unsigned loop, llvm::ArrayRef<IndexForm> outer,
                   mlir::Value bound);
  // StoreTile.cpp: stores results inside of the domain.
  void store(llvm::ArrayRef<int64_t> offset, mlir::Value value);
  bool scatter(const LaneAddress &where, llvm::ArrayRef<int64_t> offset,
               mlir::Value value);
  mlir::Value isInside(llvm::ArrayRef<int64_t> offset, int masked);
  void ifLane(llvm::ArrayRef<int64_t> offset, int64_t lane,
              llvm::function_ref<void()> body);
  mlir::Value address(unsigned n, llvm::ArrayRef<IndexForm> place);
  mlir::Value addressOf(unsigned n, llvm::ArrayRef<IndexForm> coords);

  CpuLowering &parent;
  mlir::OpBuilder &builder;
  IndexBuilder &indices;
  mlir::Location loc;
  ComputeOp op;
  KernelOp kernel;
  /// Position of the tile, per dimension of the domain.
  llvm::SmallVector<IndexForm> base;
  /// Extent of the tile per dimension.
  llvm::SmallVector<int64_t> box;
  /// Serial loops of the statement (their numbers), outermost first.
  llvm::SmallVector<unsigned> serial;
  /// Places of the register tile, as offsets per dimension.
  llvm::SmallVector<llvm::SmallVector<int64_t>> offsets;
  int laneDim = kNoDim;
  int64_t lanes = 1;
  /// Lanes run along a reduction dimension. Each accumulates separately, from
  /// the neutral element, and they are combined at the end.
  bool reducesLanes = false;
  /// In the last, incomplete step along such a dimension: a mask of the lanes
  /// inside.
  mlir::Value tailMask;
  /// The dimension along which results are contiguous, if not along the lanes.
  int rowDim = kNoDim;
  /// One map per operand, relative to the start of staged buffers.
  llvm::SmallVector<mlir::AffineMap> maps;
  /// Dimensions along which loops over places end at the end of the domain.
  llvm::SmallVector<unsigned> insideDims;
  /// Dimensions along which the border of the domain may cut the tile, and
  /// whether the current code is the version for cut tiles.
  llvm::SmallVector<unsigned> cutDims;
  bool guarded = false;
  llvm::SmallVector<Stream> streams;
  /// The matrix instruction of an update, or null; the inputs that provide its
  /// a and b, and their signs; and for each place the number of its vector of
  /// b.
  const MatrixInstruction *instruction = nullptr;
  unsigned aInput = 0, bInput = 1;
  bool aSigned = true, bSigned = true;
  MatrixInstruction::Factors factors;
  llvm::SmallVector<unsigned> bVectors;
  /// Tiles: the dimension along their rows and the rows; the dimension of the
  /// sum and the terms of a product. Rows of b and of the result have 64 bytes.
  unsigned tileDim = 0, dotDim = 0;
  int64_t tileHeight = 1, tileTerms = 1;
  static constexpr int64_t kTileRowBytes = 64;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOCPU_COMPUTELOWERING_H
