//===- TaskBuilder.cpp - tasks of imported records ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TaskBuilder.h"

#include "pruner/Recognition/Operands.h"
#include "pruner/Recognition/TaskInfo.h"
#include "pruner/Recognition/TaskText.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace pruner;

LinearExpr OperationShape::coordinate(
    llvm::ArrayRef<std::pair<unsigned, int64_t>> terms) const {
  LinearExpr expr;
  expr.coeffs.assign(dims.size(), 0);
  for (auto [dim, coefficient] : terms)
    expr.coeffs[dim] += coefficient;
  return expr;
}

llvm::SmallVector<bool, 8> OperationShape::dropUnitDims() {
  llvm::SmallVector<bool, 8> kept;
  for (const IterDim &dim : dims)
    kept.push_back(dim.extent > 1);
  llvm::erase_if(dims, [](const IterDim &dim) { return dim.extent == 1; });
  for (auto [number, input] : llvm::enumerate(inputs)) {
    Input old = std::move(input);
    input = {};
    llvm::SmallVector<int64_t, 4> newLow, newHigh;
    bool padded = number == 0 && !low.empty();
    for (auto [r, expr] : llvm::enumerate(old.map)) {
      LinearExpr now;
      for (auto [d, coefficient] : llvm::enumerate(expr.coeffs))
        if (kept[d])
          now.coeffs.push_back(coefficient);
      if (old.shape[r] == 1 &&
          llvm::all_of(now.coeffs, [](int64_t c) { return c == 0; }) &&
          !(padded && (low[r] || high[r])))
        continue;
      input.shape.push_back(old.shape[r]);
      input.map.push_back(std::move(now));
      if (padded) {
        newLow.push_back(low[r]);
        newHigh.push_back(high[r]);
      }
    }
    if (padded) {
      low = std::move(newLow);
      high = std::move(newHigh);
    }
  }
  return kept;
}

void pruner::dropUnitDims(OperationShape &shape, Schedule &schedule) {
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 8> tiles;
  for (auto [kept, factors] :
       llvm::zip_equal(shape.dropUnitDims(), schedule.tiles))
    if (kept)
      tiles.push_back(std::move(factors));
  schedule.tiles = std::move(tiles);
}

/// The positions of a window of `taps` elements, `dilation` apart.
static int64_t positions(int64_t size, int64_t taps, int64_t dilation,
                         int64_t stride) {
  int64_t window = dilation * (taps - 1) + 1;
  return size < window ? 0 : (size - window) / stride + 1;
}

int64_t ConvolutionSizes::outputHeight() const {
  return positions(height + top + bottom, filterHeight, dilationHeight,
                   strideHeight);
}

int64_t ConvolutionSizes::outputWidth() const {
  return positions(width + left + right, filterWidth, dilationWidth,
                   strideWidth);
}

OperationShape pruner::convolutionShape(const ConvolutionSizes &sizes) {
  OperationShape shape;
  bool depthwise = sizes.depthwise;
  shape.dims = {{sizes.images, false},
                {depthwise ? sizes.channels : sizes.filters, false},
                {sizes.outputHeight(), false},
                {sizes.outputWidth(), false}};
  if (!depthwise)
    shape.dims.push_back({sizes.channels, true});
  shape.dims.push_back({sizes.filterHeight, true});
  shape.dims.push_back({sizes.filterWidth, true});
  unsigned rows = depthwise ? 4 : 5;
  auto at = [&](unsigned d) { return shape.coordinate({{d, 1}}); };
  shape.inputs.push_back(
      {{sizes.images, sizes.channels, sizes.height, sizes.width},
       {at(0), at(depthwise ? 1 : 4),
        shape.coordinate(
            {{2, sizes.strideHeight}, {rows, sizes.dilationHeight}}),
        shape.coordinate(
            {{3, sizes.strideWidth}, {rows + 1, sizes.dilationWidth}})}});
  if (depthwise)
    shape.inputs.push_back(
        {{sizes.channels, sizes.filterHeight, sizes.filterWidth},
         {at(1), at(4), at(5)}});
  else
    shape.inputs.push_back(
        {{sizes.filters, sizes.channels, sizes.filterHeight, sizes.filterWidth},
         {at(1), at(4), at(5), at(6)}});
  shape.low = {0, 0, sizes.top, sizes.left};
  shape.high = {0, 0, sizes.bottom, sizes.right};
  return shape;
}

OperationShape pruner::productShape(const ProductSizes &sizes) {
  OperationShape shape;
  if (sizes.batch)
    shape.dims.push_back({*sizes.batch, false});
  unsigned rows = shape.dims.size(), columns = rows + 1, depth = rows + 2;
  shape.dims.append(
      {{sizes.rows, false}, {sizes.columns, false}, {sizes.depth, true}});
  auto addInput = [&](unsigned outer, unsigned inner, bool transposed) {
    if (transposed)
      std::swap(outer, inner);
    OperationShape::Input &input = shape.inputs.emplace_back();
    auto addCoordinate = [&](unsigned dim) {
      input.shape.push_back(shape.dims[dim].extent);
      input.map.push_back(shape.coordinate({{dim, 1}}));
    };
    if (sizes.batch)
      addCoordinate(0);
    addCoordinate(outer);
    addCoordinate(inner);
  };
  addInput(rows, depth, sizes.transposedA);
  addInput(depth, columns, sizes.transposedB);
  return shape;
}

OperationShape pruner::reluShape(int64_t elements) {
  OperationShape shape;
  shape.body = OperationShape::Body::Relu;
  shape.dims = {{elements, false}};
  shape.inputs = {{{elements}, {shape.coordinate({{0, 1}})}}};
  return shape;
}

OperationShape pruner::rowSumShape(int64_t rows, int64_t length) {
  OperationShape shape;
  shape.body = OperationShape::Body::Sum;
  shape.dims = {{rows, false}, {length, true}};
  shape.inputs = {{{rows, length},
                   {shape.coordinate({{0, 1}}), shape.coordinate({{1, 1}})}}};
  return shape;
}

std::string OperationShape::key() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto list = [&](llvm::ArrayRef<int64_t> numbers) {
    for (int64_t number : numbers)
      os << number << ',';
    os << ';';
  };
  os << int(body) << adds << rectifies << ';';
  for (const IterDim &dim : dims)
    os << dim.extent << (dim.reduction ? "r" : "p");
  for (const Input &input : inputs) {
    list(input.shape);
    for (const LinearExpr &expr : input.map)
      list(expr.coeffs);
  }
  list(low);
  list(high);
  return text;
}

namespace {
class Writer {
public:
  Writer(const OperationShape &shape, MLIRContext *context)
      : shape(shape), builder(context), loc(builder.getUnknownLoc()),
        f32(builder.getF32Type()) {}

  llvm::Expected<BuiltTask> write() {
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    builder.setInsertionPointToEnd(module->getBody());
    SmallVector<int64_t> result;
    for (const IterDim &dim : shape.dims)
      if (!dim.reduction)
        result.push_back(dim.extent);
    resultType = RankedTensorType::get(result, f32);
    SmallVector<Type> arguments;
    for (const OperationShape::Input &input : shape.inputs)
      arguments.push_back(RankedTensorType::get(input.shape, f32));
    if (shape.adds)
      arguments.push_back(resultType);
    func = func::FuncOp::create(
        builder, loc, "task", builder.getFunctionType(arguments, {resultType}));
    builder.setInsertionPointToStart(func.addEntryBlock());
    zero = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0));
    Value value = writeEpilogue(writeAnchor());
    func::ReturnOp::create(builder, loc, value);
    return finish(*module);
  }

private:
  Value writePad(Value source) {
    if (llvm::all_of(shape.low, [](int64_t n) { return n == 0; }) &&
        llvm::all_of(shape.high, [](int64_t n) { return n == 0; }))
      return source;
    SmallVector<int64_t> padded;
    SmallVector<OpFoldResult> low, high;
    for (unsigned r = 0; r < shape.low.size(); ++r) {
      padded.push_back(shape.inputs[0].shape[r] + shape.low[r] + shape.high[r]);
      low.push_back(builder.getIndexAttr(shape.low[r]));
      high.push_back(builder.getIndexAttr(shape.high[r]));
    }
    return tensor::PadOp::create(builder, loc,
                                 RankedTensorType::get(padded, f32), source,
                                 low, high, zero);
  }

  Value writeAnchor() {
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    unsigned rank = shape.dims.size();
    for (auto [n, input] : llvm::enumerate(shape.inputs)) {
      inputs.push_back(n == 0 ? writePad(func.getArgument(0))
                              : Value(func.getArgument(n)));
      maps.push_back(toAffineMap(input.map, rank, builder.getContext()));
    }
    SmallVector<utils::IteratorType> iterators;
    SmallVector<AffineExpr> results;
    bool reduces = false;
    for (auto [d, dim] : llvm::enumerate(shape.dims)) {
      iterators.push_back(dim.reduction ? utils::IteratorType::reduction
                                        : utils::IteratorType::parallel);
      if (!dim.reduction)
        results.push_back(builder.getAffineDimExpr(d));
      reduces |= dim.reduction;
    }
    maps.push_back(AffineMap::get(rank, 0, results, builder.getContext()));
    Value init = makeEmpty();
    if (reduces)
      init = linalg::FillOp::create(builder, loc, zero, init).getResult(0);
    // The names that normalization gives to these two.
    auto is = [&](ArrayRef<AffineMap> named) {
      return shape.body == OperationShape::Body::Product &&
             ArrayRef<AffineMap>(maps) == named;
    };
    MLIRContext *context = builder.getContext();
    TypeRange types(resultType);
    if (is(linalg::MatmulOp::getDefaultIndexingMaps(context)))
      return linalg::MatmulOp::create(builder, loc, types, inputs,
                                      ValueRange(init))
          .getResult(0);
    if (is(linalg::BatchMatmulOp::getDefaultIndexingMaps(context)))
      return linalg::BatchMatmulOp::create(builder, loc, types, inputs,
                                           ValueRange(init))
          .getResult(0);
    return writeGeneric(
        inputs, init, maps, iterators,
        [&](OpBuilder &b, ValueRange in) -> Value {
          switch (shape.body) {
          case OperationShape::Body::Product:
            return arith::AddFOp::create(
                b, loc, in[2], arith::MulFOp::create(b, loc, in[0], in[1]));
          case OperationShape::Body::Sum:
            return arith::AddFOp::create(b, loc, in[0], in[1]);
          case OperationShape::Body::Relu:
            return arith::MaximumFOp::create(b, loc, in[0], zero);
          }
          llvm_unreachable("covered");
        });
  }

  Value writeEpilogue(Value anchor) {
    if (!shape.adds && !shape.rectifies)
      return anchor;
    SmallVector<Value> inputs = {anchor};
    if (shape.adds)
      inputs.push_back(func.getArguments().back());
    unsigned rank = resultType.getRank();
    SmallVector<AffineMap> maps(inputs.size() + 1,
                                builder.getMultiDimIdentityMap(rank));
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    return writeGeneric(
        inputs, makeEmpty(), maps, iterators, [&](OpBuilder &b, ValueRange in) {
          Value value = in[0];
          if (shape.adds)
            value = arith::AddFOp::create(b, loc, value, in[1]);
          if (shape.rectifies)
            value = arith::MaximumFOp::create(b, loc, value, zero);
          return value;
        });
  }

  Value makeEmpty() {
    return tensor::EmptyOp::create(builder, loc, resultType.getShape(), f32);
  }

  Value writeGeneric(ValueRange inputs, Value init, ArrayRef<AffineMap> maps,
                     ArrayRef<utils::IteratorType> iterators,
                     function_ref<Value(OpBuilder &, ValueRange)> body) {
    return linalg::GenericOp::create(
               builder, loc, TypeRange(resultType), inputs, ValueRange(init),
               maps, iterators,
               [&](OpBuilder &b, Location, ValueRange arguments) {
                 linalg::YieldOp::create(b, loc, body(b, arguments));
               })
        .getResult(0);
  }

  llvm::Expected<BuiltTask> finish(ModuleOp module) {
    Obstacle obstacle;
    FailureOr<TaskIR> ir = recognizeTask(func, obstacle);
    if (failed(ir))
      return llvm::createStringError(obstacle.category);
    TaskInfo info = {taskKey(func), 1, int64_t(ir->desc.flops()),
                     int64_t(ir->desc.bytes())};
    std::string stem = taskStem(*ir);
    func.setName((stem + "_" + StringRef(info.key).take_front(8)).str());
    info.attachTo(func);
    BuiltTask built;
    built.task.name = StringRef(stem).drop_front(strlen("task_")).str();
    llvm::raw_string_ostream os(built.task.text);
    module.print(os);
    built.desc = std::move(ir->desc);
    return std::move(built);
  }

  const OperationShape &shape;
  OpBuilder builder;
  Location loc;
  Type f32;
  RankedTensorType resultType;
  func::FuncOp func;
  Value zero;
};
} // namespace

llvm::Expected<BuiltTask> pruner::buildTask(const OperationShape &shape,
                                            MLIRContext *context) {
  return Writer(shape, context).write();
}
