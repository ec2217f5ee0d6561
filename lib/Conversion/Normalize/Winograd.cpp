//===- Winograd.cpp - convolutions by transformed tiles -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Winograd.h"

#include "ToomCook.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pruner;
using presburger::Fraction;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

WinogradTiles::WinogradTiles(const Convolution &conv, ArrayRef<int64_t> results)
    : m(results), numRows(conv.extent(conv.rows)) {
  for (auto [slide, extent] : llvm::zip_equal(conv.slides, m)) {
    int64_t whole = conv.extent(slide.loop);
    r.push_back(conv.extent(slide.window));
    counts.push_back(llvm::divideCeil(whole, extent));
    numRows = numRows / whole * counts.back();
    cropped |= whole % extent != 0;
  }
}

int64_t WinogradTiles::results() const { return llvm::product_of(m); }

int64_t WinogradTiles::window() const { return llvm::product_of(r); }

int64_t WinogradTiles::elements() const {
  int64_t product = 1;
  for (unsigned slide = 0; slide < slides(); ++slide)
    product *= elements(slide);
  return product;
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// The f32 nearest to `value`. Its numerator and denominator are so small that
/// the quotient in f64 is not a tie of f32 unless `value` is one.
static float nearest(const Fraction &value) {
  return float(double(int64_t(value.num)) / double(int64_t(value.den)));
}

/// The Kronecker product of matrices, whose rows are one dimension and whose
/// columns are one each.
static Value kronecker(OpBuilder &builder, Location loc,
                       ArrayRef<ToomCook::Matrix> factors) {
  SmallVector<int64_t> shape{1};
  std::vector<std::vector<Fraction>> rows{{Fraction(1)}};
  for (const ToomCook::Matrix &factor : factors) {
    shape[0] *= factor.size();
    shape.push_back(factor[0].size());
    std::vector<std::vector<Fraction>> next;
    for (const std::vector<Fraction> &row : rows)
      for (const std::vector<Fraction> &other : factor) {
        std::vector<Fraction> &product = next.emplace_back();
        for (const Fraction &a : row)
          for (const Fraction &b : other)
            product.push_back(a * b);
      }
    rows = std::move(next);
  }
  SmallVector<float> values;
  for (const std::vector<Fraction> &row : rows)
    for (const Fraction &entry : row)
      values.push_back(nearest(entry));
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  return arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<float>(values)));
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

namespace {
/// Numbers the loops of a sum of products.
class Loops {
public:
  explicit Loops(MLIRContext *context) : context(context) {}

  /// A new loop of that extent.
  AffineExpr add(int64_t extent) {
    extents.push_back(extent);
    return getAffineDimExpr(extents.size() - 1, context);
  }
  AffineMap map(ArrayRef<AffineExpr> coordinates) const {
    return AffineMap::get(extents.size(), 0, coordinates, context);
  }

  MLIRContext *context;
  SmallVector<int64_t> extents;
};

/// Writes the program for one convolution.
class Writer {
public:
  Writer(RewriterBase &rewriter, const Convolution &conv,
         const WinogradTiles &tiles)
      : rewriter(rewriter), loc(conv.op->getLoc()), conv(conv), tiles(tiles) {
    for (unsigned slide = 0; slide < tiles.slides(); ++slide)
      matrices.push_back(
          ToomCook::create(tiles.results(slide), tiles.window(slide)));
  }

  Value write() {
    Value product = multiply(transformImage(), transformFilter());
    return crop(transformResult(product));
  }

private:
  Value constant(ToomCook::Matrix ToomCook::*matrix) {
    SmallVector<ToomCook::Matrix> factors;
    for (const ToomCook &each : matrices)
      factors.push_back(each.*matrix);
    return kronecker(rewriter, loc, factors);
  }

  unsigned slideNumber(unsigned loop) const {
    return conv.slideOf(loop) - conv.slides.begin();
  }

  /// The extent of a loop of `conv` over tiles.
  int64_t tiledExtent(unsigned loop) const {
    return conv.slideOf(loop) ? tiles.count(slideNumber(loop))
                              : conv.extent(loop);
  }

  SmallVector<int64_t> tiledExtents(ArrayRef<unsigned> loops) const {
    return llvm::map_to_vector(
        loops, [&](unsigned loop) { return tiledExtent(loop); });
  }

  Value zeros(ArrayRef<int64_t> shape) {
    Type type = rewriter.getF32Type();
    Value zero =
        arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    Value empty = tensor::EmptyOp::create(rewriter, loc, shape, type);
    return linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  }

  /// The sum of the products of `a` and `b` at these coordinates. The result
  /// has the first `rank` loops.
  Value sumProducts(const Loops &loops, unsigned rank, Value a,
                    ArrayRef<AffineExpr> aAt, Value b,
                    ArrayRef<AffineExpr> bAt) {
    SmallVector<utils::IteratorType> kinds(loops.extents.size(),
                                           utils::IteratorType::reduction);
    std::fill_n(kinds.begin(), rank, utils::IteratorType::parallel);
    Value init = zeros(ArrayRef(loops.extents).take_front(rank));
    AffineMap result = AffineMap::getMultiDimIdentityMap(loops.extents.size(),
                                                         rewriter.getContext())
                           .getMajorSubMap(rank);
    return linalg::GenericOp::create(
               rewriter, loc, init.getType(), ValueRange{a, b}, init,
               ArrayRef<AffineMap>{loops.map(aAt), loops.map(bAt), result},
               kinds,
               [](OpBuilder &builder, Location loc, ValueRange elements) {
                 Value factor = elements[1];
                 if (!factor.getType().isF32())
                   factor = arith::ExtFOp::create(
                       builder, loc, elements[0].getType(), factor);
                 Value product =
                     arith::MulFOp::create(builder, loc, elements[0], factor);
                 Value sum =
                     arith::AddFOp::create(builder, loc, elements[2], product);
                 linalg::YieldOp::create(builder, loc, sum);
               })
        .getResult(0);
  }

  /// The image with zeros after it where tiles exceed it, or with more of its
  /// own padding.
  Value paddedImage() {
    Value image = conv.image();
    auto type = cast<RankedTensorType>(image.getType());
    SmallVector<int64_t> low(type.getRank(), 0), high = low,
                                                 shape(type.getShape());
    for (auto [dim, coordinate] : llvm::enumerate(conv.imageMap.getResults()))
      for (auto [number, slide] : llvm::enumerate(conv.slides))
        if (coordinate.isFunctionOfDim(slide.loop)) {
          int64_t whole = tiles.count(number) * tiles.results(number) +
                          tiles.window(number) - 1;
          high[dim] = whole - shape[dim];
          shape[dim] = whole;
        }
    if (llvm::all_of(high, [](int64_t n) { return n == 0; }))
      return image;
    Value padding;
    if (auto pad = image.getDefiningOp<tensor::PadOp>();
        pad && pad.getConstantPaddingValue() &&
        !ShapedType::isDynamicShape(pad.getStaticLow()) &&
        !ShapedType::isDynamicShape(pad.getStaticHigh())) {
      image = pad.getSource();
      padding = pad.getConstantPaddingValue();
      low.assign(pad.getStaticLow().begin(), pad.getStaticLow().end());
      for (auto [more, own] : llvm::zip_equal(high, pad.getStaticHigh()))
        more += own;
    } else {
      padding = arith::ConstantOp::create(
          rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
    }
    auto attributes = [&](ArrayRef<int64_t> amounts) {
      return getAsIndexOpFoldResult(rewriter.getContext(), amounts);
    };
    return tensor::PadOp::create(rewriter, loc, type.clone(shape), image,
                                 attributes(low), attributes(high), padding);
  }

  /// V: t x groups x rows x channels.
  Value transformImage() {
    Loops loops(rewriter.getContext());
    AffineExpr element = loops.add(tiles.elements());
    llvm::SmallDenseMap<unsigned, AffineExpr> at;
    for (ArrayRef<unsigned> part :
         {ArrayRef(conv.groups), ArrayRef(conv.rows), ArrayRef(conv.channels)})
      for (unsigned loop : part)
        at[loop] = loops.add(tiledExtent(loop));
    unsigned rank = loops.extents.size();
    SmallVector<AffineExpr> matrixAt{element}, imageAt;
    for (unsigned slide = 0; slide < tiles.slides(); ++slide)
      matrixAt.push_back(loops.add(tiles.elements(slide)));
    for (AffineExpr coordinate : conv.imageMap.getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(coordinate)) {
        imageAt.push_back(at[dim.getPosition()]);
        continue;
      }
      for (auto [number, slide] : llvm::enumerate(conv.slides))
        if (coordinate.isFunctionOfDim(slide.loop))
          imageAt.push_back(at[slide.loop] * tiles.results(number) +
                            matrixAt[1 + number]);
    }
    return sumProducts(loops, rank, constant(&ToomCook::input), matrixAt,
                       paddedImage(), imageAt);
  }

  /// U: t x groups x channels x filters.
  Value transformFilter() {
    Loops loops(rewriter.getContext());
    AffineExpr element = loops.add(tiles.elements());
    llvm::SmallDenseMap<unsigned, AffineExpr> at;
    for (ArrayRef<unsigned> part :
         {ArrayRef(conv.groups), ArrayRef(conv.channels),
          ArrayRef(conv.filters)})
      for (unsigned loop : part)
        at[loop] = loops.add(conv.extent(loop));
    unsigned rank = loops.extents.size();
    SmallVector<AffineExpr> matrixAt{element}, filterAt;
    for (const Convolution::Slide &slide : conv.slides) {
      AffineExpr window = loops.add(conv.extent(slide.window));
      at[slide.window] = window;
      matrixAt.push_back(window);
    }
    for (AffineExpr coordinate : conv.filterMap.getResults())
      filterAt.push_back(at[cast<AffineDimExpr>(coordinate).getPosition()]);
    return sumProducts(loops, rank, constant(&ToomCook::filter), matrixAt,
                       conv.filter(), filterAt);
  }

  /// Groups of `counts` dimensions each.
  static SmallVector<ReassociationIndices> group(ArrayRef<size_t> counts) {
    SmallVector<ReassociationIndices> groups;
    int64_t next = 0;
    for (size_t count : counts) {
      groups.emplace_back();
      for (size_t n = 0; n < count; ++n)
        groups.back().push_back(next++);
    }
    return groups;
  }

  /// M: t x groups x rows x filters.
  Value multiply(Value image, Value filter) {
    size_t batch = 1 + conv.groups.size();
    Value a = tensor::CollapseShapeOp::create(
        rewriter, loc, image,
        group({batch, conv.rows.size(), conv.channels.size()}));
    Value b = tensor::CollapseShapeOp::create(
        rewriter, loc, filter,
        group({batch, conv.channels.size(), conv.filters.size()}));
    int64_t batches = tiles.elements() * conv.extent(conv.groups);
    Value init = zeros({batches, tiles.rows(), conv.extent(conv.filters)});
    Value product = linalg::BatchMatmulOp::create(rewriter, loc, init.getType(),
                                                  ValueRange{a, b}, init)
                        .getResult(0);
    SmallVector<int64_t> shape{tiles.elements()};
    for (ArrayRef<unsigned> part :
         {ArrayRef(conv.groups), ArrayRef(conv.rows), ArrayRef(conv.filters)})
      llvm::append_range(shape, tiledExtents(part));
    return tensor::ExpandShapeOp::create(
        rewriter, loc, RankedTensorType::get(shape, rewriter.getF32Type()),
        product, group({batch, conv.rows.size(), conv.filters.size()}));
  }

  /// The result with whole tiles.
  Value transformResult(Value product) {
    Loops loops(rewriter.getContext());
    llvm::SmallDenseMap<unsigned, AffineExpr> at;
    SmallVector<AffineExpr> within(tiles.slides());
    SmallVector<size_t> counts;
    for (AffineExpr coordinate : conv.resultMap.getResults()) {
      unsigned loop = cast<AffineDimExpr>(coordinate).getPosition();
      at[loop] = loops.add(tiledExtent(loop));
      counts.push_back(1);
      if (conv.slideOf(loop)) {
        unsigned number = slideNumber(loop);
        within[number] = loops.add(tiles.results(number));
        counts.back() = 2;
      }
    }
    unsigned rank = loops.extents.size();
    AffineExpr element = loops.add(tiles.elements());
    SmallVector<AffineExpr> matrixAt{element}, productAt{element};
    llvm::append_range(matrixAt, within);
    for (ArrayRef<unsigned> part :
         {ArrayRef(conv.groups), ArrayRef(conv.rows), ArrayRef(conv.filters)})
      for (unsigned loop : part)
        productAt.push_back(at[loop]);
    Value result = sumProducts(loops, rank, constant(&ToomCook::output),
                               matrixAt, product, productAt);
    return tensor::CollapseShapeOp::create(rewriter, loc, result,
                                           group(counts));
  }

  /// The part of `result` that the convolution computes.
  Value crop(Value result) {
    auto type = cast<RankedTensorType>(conv.op->getResult(0).getType());
    if (result.getType() == type)
      return result;
    MLIRContext *context = rewriter.getContext();
    SmallVector<OpFoldResult> zeros(type.getRank(), rewriter.getIndexAttr(0)),
        ones(type.getRank(), rewriter.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(
        rewriter, loc, type, result, zeros,
        getAsIndexOpFoldResult(context, type.getShape()), ones);
  }

  RewriterBase &rewriter;
  Location loc;
  const Convolution &conv;
  const WinogradTiles &tiles;
  SmallVector<ToomCook> matrices;
};
} // namespace

Value pruner::createWinograd(RewriterBase &rewriter, const Convolution &conv,
                             const WinogradTiles &tiles) {
  rewriter.setInsertionPoint(conv.op);
  return Writer(rewriter, conv, tiles).write();
}
