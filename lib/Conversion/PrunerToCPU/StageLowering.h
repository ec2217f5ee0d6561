//===- StageLowering.h - packing loops --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_CONVERSION_PRUNERTOCPU_STAGELOWERING_H
#define PRUNER_LIB_CONVERSION_PRUNERTOCPU_STAGELOWERING_H

#include "CpuLowering.h"

#include "pruner/Program/TiledProgram.h"

namespace pruner {

/// Lowers one `pruner.stage` to loops over the buffer's memory, outermost
/// dimension first. The innermost dimension (a row) is copied in vectors. If
/// the source is contiguous along the dimension around the rows instead,
/// squares are read along that dimension and transposed in registers; rows of a
/// few elements are interleaved.
///
/// In the dialect, positions outside of the tensor hold zero. On CPUs few
/// stored results depend on them: a register tile's place reads only its own
/// rows and columns, and reduction loops end with the domain. Rows that are
/// entirely outside are therefore skipped, and other positions are filled with
/// valid or zero elements. Two kinds of positions matter. If the stage is
/// padded, all are filled with the padding. If sums of a matrix instruction
/// reach beyond the tensor, their terms there are set to zero at the end.
class StageLowering {
public:
  StageLowering(CpuLowering &parent, StageOp op);
  void lower();

private:
  using Forms = llvm::SmallVector<IndexForm>;
  using FormsRef = llvm::ArrayRef<IndexForm>;

  /// The coordinate that a physical dimension moves, and by how much.
  LayoutTerm term(unsigned p);
  bool isCut(unsigned coord);

  // FillBehind.cpp: terms of sums beyond the tensor.
  void fillBehind();
  void zeroFrom(unsigned p, unsigned coord, Forms local);

  // PadStage.cpp: stages with padding.
  /// A row of the buffer and its positions inside the tensor, from `begin` to
  /// below `end`. If a row of the tensor is split into several rows, each
  /// begins with the next element after the previous row's first, `shift`
  /// positions further than the first row.
  struct Row {
    Forms local;
    int64_t shift;
    mlir::Value begin, end;
  };
  void lowerPadded(unsigned p, Forms local);
  bool isInterleaved(unsigned p);
  llvm::SmallVector<Row> rowsAt(int64_t count, int64_t length, FormsRef local);
  Row rowAt(int64_t n, int64_t shift, int64_t length, FormsRef local);
  std::pair<mlir::Value, int64_t> filling(int64_t length);
  void fillRow(const Row &row, int64_t length);
  void fillEnds(const Row &row, int64_t length);
  void copyInside(llvm::ArrayRef<Row> rows, int64_t length);
  void moveRows(llvm::ArrayRef<Row> rows, const IndexForm &along,
                int64_t lanes);
  bool mayLeave(unsigned coord);
  mlir::Value firstPosition(mlir::Value at, int64_t bound, int64_t step,
                            int64_t length);
  void lowerPaddedSquares(unsigned p, FormsRef local, int64_t size);
  void ifInside(FormsRef local, std::optional<unsigned> except,
                llvm::function_ref<void()> copy,
                llvm::function_ref<void()> fill);

  // WindowStage.cpp: windows of an input, which overlap there.
  /// A row of the buffer: its place, its length, and the positions in it that
  /// are inside, from `begin` to below `end`.
  struct Window {
    Forms local;
    int64_t length;
    mlir::Value begin, end;
  };
  std::optional<unsigned> windowCoord(unsigned n);
  bool copiesWindows();
  unsigned rowDims();
  void lowerWindows(unsigned p, Forms local);
  void lowerWindow(Window window);
  void copyWindow(const Window &window);
  bool windowsAreContiguous(FormsRef local, int64_t lanes);
  void moveWindow(const Window &window, const IndexForm &along, int64_t lanes);
  mlir::Value readWindow(unsigned n, const IndexForm &along, FormsRef local,
                         int64_t lanes, mlir::Value mask);

  // LowerStage.cpp: loops and rows.
  mlir::Value dimBound(unsigned p, FormsRef local);
  void lowerDim(unsigned p, Forms local);
  void lowerLoop(unsigned p, const Forms &local, mlir::Value begin,
                 mlir::Value end, int64_t step,
                 llvm::function_ref<void(Forms)> body);
  void ifRowWhole(unsigned p, FormsRef local,
                  llvm::function_ref<void(bool cut)> body);
  void lowerRow(unsigned p, FormsRef local);
  void lowerPieces(int64_t length, FormsRef local, bool cut);
  int64_t loopOverMany(int64_t length, int64_t size,
                       llvm::function_ref<void(const IndexForm &)> piece);
  Forms coordinates(const IndexForm &along, FormsRef local, int64_t lane,
                    bool clamp);
  void move(const IndexForm &along, FormsRef local, int64_t lanes, bool cut);
  mlir::Value read(unsigned n, const IndexForm &along, FormsRef local,
                   int64_t lanes, bool cut);
  bool vectorReads(const IndexForm &along, FormsRef local, int64_t lanes);
  mlir::Value elementsInside(const IndexForm &along, FormsRef local,
                             int64_t stride);
  mlir::Value readStrided(const FlatBuffer &source, mlir::Value at,
                          int64_t lanes, int64_t stride, mlir::Value readable);
  llvm::SmallVector<mlir::Value> readParts(unsigned n, const IndexForm &along,
                                           FormsRef local, int64_t lanes);
  mlir::Value loadVector(const FlatBuffer &source, mlir::Value at,
                         int64_t offset, int64_t lanes,
                         mlir::Value readable = {});
  IndexForm targetAddress(const IndexForm &along, FormsRef local);
  void store(mlir::Value value, const IndexForm &along, FormsRef local);

  mlir::AffineMap inputMap(unsigned n);
  /// The change of each coordinate of input `n` if coordinate `coord` of the
  /// staged tensor moves by `step`.
  llvm::SmallVector<int64_t> moves(unsigned n, std::optional<unsigned> coord,
                                   int64_t step);
  std::optional<int64_t> laneStride(unsigned n, std::optional<unsigned> coord,
                                    int64_t step, FormsRef local,
                                    int64_t lanes);

  // TransposeStage.cpp: squares.
  int64_t squareSize(unsigned p, FormsRef local);
  void lowerSquares(unsigned p, FormsRef local, mlir::Value begin,
                    mlir::Value end, int64_t size);
  void lowerSquareRows(unsigned p, FormsRef local, int64_t size);
  void lowerElements(unsigned p, FormsRef local);
  bool hasShortRows(unsigned p);
  mlir::Value readColumn(const LayoutTerm &t, const IndexForm &along,
                         FormsRef local, int64_t row, int64_t size, bool cut);
  void transposeSquares(const LayoutTerm &t, const IndexForm &along,
                        FormsRef local, int64_t rows, int64_t size,
                        int64_t count, bool cut);
  void interleaveRows(const LayoutTerm &t, FormsRef local, int64_t length,
                      int64_t size, bool cut);

  /// Vectors (or squares) of a row that are expanded without a loop.
  static constexpr int64_t kMaxPieces = 8;
  /// Largest stride of elements that are gathered by vector loads.
  static constexpr int64_t kMaxGatherStride = 4;

  CpuLowering &parent;
  mlir::OpBuilder &builder;
  IndexBuilder &indices;
  mlir::Location loc;
  StageOp op;
  const FlatBuffer &target;
  /// Positions per physical dimension of the buffer that are filled.
  llvm::SmallVector<int64_t> extents;
  /// The start of the box, per coordinate of the staged tensor.
  Forms origin;
  /// The coordinate along a row of the buffer; none for a single element.
  std::optional<unsigned> rowCoord;
  /// The change of the coordinate from one element of a row to the next.
  int64_t rowStep = 1;
};

} // namespace pruner

#endif // PRUNER_LIB_CONVERSION_PRUNERTOCPU_STAGELOWERING_H
