//===- Winners.cpp - import of kernels that AMD's libraries chose ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These tables have one record per operation: the fastest kernel that a tuner
// found.

#include "AnsorLog.h"
#include "TableReader.h"

#include "pruner/Support/Sizes.h"

using namespace llvm;
using namespace pruner;

/// The largest size in a table. Products of a few sizes stay below 2^63.
static constexpr int64_t kMost = int64_t(1) << 24;

/// Both kernels unroll everything inside a slice of the reduction.
static constexpr int64_t kUnrolled = 512;

static Error leaveOut(ImportSink &sink, const Twine &why) {
  sink.leaveOut(why);
  return Error::success();
}

static Schedule tiledSchedule() {
  Schedule schedule;
  schedule.sketch = SketchId::SimtTile;
  schedule.stages = {StageLevel::Inner, StageLevel::Inner};
  schedule.unroll = kUnrolled;
  return schedule;
}

//===----------------------------------------------------------------------===//
// rocMLIR's convolutions
//===----------------------------------------------------------------------===//

using Factors = SmallVector<int64_t, 4>;

/// Divides a tile of consecutive elements of a flattened dimension among the
/// dimensions that were flattened. `factors` and `extents` are outer to inner;
/// the outermost dimension with more than one iteration takes what remains.
/// Returns nothing if no tiles of these dimensions have the same elements,
/// because a level ends inside of a row.
static std::optional<SmallVector<Factors, 3>>
divideTile(ArrayRef<int64_t> factors, ArrayRef<int64_t> extents) {
  SmallVector<Factors, 3> tiles(extents.size(), Factors(factors.size(), 1));
  size_t outermost = 0;
  while (outermost + 1 < extents.size() && extents[outermost] == 1)
    ++outermost;
  size_t dim = extents.size() - 1;
  int64_t left = extents[dim]; // Iterations of `dim` over those of its tile.
  for (size_t level = factors.size(); level-- > 0;) {
    int64_t factor = factors[level];
    while (factor > 1) {
      while (left == 1 && dim > outermost)
        left = extents[--dim];
      int64_t part = dim == outermost ? factor : std::min(factor, left);
      if (factor % part != 0 || (dim != outermost && left % part != 0))
        return std::nullopt;
      tiles[dim][level] *= part;
      factor /= part;
      if (dim != outermost)
        left /= part;
    }
  }
  return tiles;
}

namespace {
/// The tile of an implicit product: `filters` x `columns` (images, rows and
/// columns of the result) x `slice` (channels and window), outer to inner.
struct ImplicitTile {
  Factors filters, columns;
  int64_t slice = 1;
};
} // namespace

/// How rocMLIR arranges the threads of a block; zeros if it has no such block.
static std::pair<int64_t, int64_t> threadsOf(int64_t block) {
  switch (block) {
  case 256:
    return {16, 16};
  case 128:
    return {16, 8};
  case 64:
    return {8, 8};
  default:
    return {0, 0};
  }
}

/// Nothing if the row has other numbers of threads than rocMLIR uses.
static std::optional<ImplicitTile> readImplicitTile(Row &row) {
  auto [rows, columns] = threadsOf(row.integer("block_size"));
  int64_t m = row.factor("m_per_block"), n = row.factor("n_per_block"),
          ofM = row.factor("m_per_thread"), ofN = row.factor("n_per_thread");
  if (!rows || m % (rows * ofM) != 0 || n % (columns * ofN) != 0)
    return std::nullopt;
  ImplicitTile tile;
  tile.filters = {m / (rows * ofM), rows, 1, ofM};
  tile.columns = {n / (columns * ofN), columns, 1, ofN};
  tile.slice = row.factor("k_per_block");
  return tile;
}

static ConvolutionSizes readSizes(Row &row) {
  ConvolutionSizes sizes;
  sizes.images = row.factor("batch");
  sizes.channels = row.factor("in_channels");
  sizes.height = row.factor("height");
  sizes.width = row.factor("width");
  sizes.filters = row.factor("out_channels");
  sizes.filterHeight = row.factor("filter_h");
  sizes.filterWidth = row.factor("filter_w");
  sizes.strideHeight = row.factor("stride_h");
  sizes.strideWidth = row.factor("stride_w");
  sizes.dilationHeight = row.factor("dilation_h");
  sizes.dilationWidth = row.factor("dilation_w");
  sizes.top = sizes.bottom = row.integer("pad_h");
  sizes.left = sizes.right = row.integer("pad_w");
  return sizes;
}

/// A convolution with one tap per filter, which reads each pixel once, is a
/// product of filters by pixels.
static bool isProduct(const ConvolutionSizes &sizes) {
  return sizes.filterHeight == 1 && sizes.filterWidth == 1 &&
         sizes.strideHeight == 1 && sizes.strideWidth == 1 && sizes.top == 0 &&
         sizes.left == 0;
}

static ProductSizes productSizes(const ConvolutionSizes &sizes) {
  ProductSizes product;
  product.rows = sizes.filters;
  product.columns = mulSizes(sizes.images, mulSizes(sizes.height, sizes.width));
  product.depth = sizes.channels;
  return product;
}

Expected<std::vector<BadLine>>
pruner::importMiopenWinners(StringRef path, StringRef, ImportSink &sink) {
  return readTable(path, "", kMost, [&](Row &row) {
    ConvolutionSizes sizes = readSizes(row);
    std::optional<ImplicitTile> tile = readImplicitTile(row);
    int64_t groups = row.factor("groups");
    DatasetRecord record;
    double milliseconds = 0;
    if (row.text("milliseconds").getAsDouble(milliseconds) ||
        !(milliseconds > 0 && milliseconds < 1e10))
      row.note("expected a positive time");
    record.seconds = {milliseconds / 1e3};
    if (Error error = row.takeError())
      return error;
    if (groups != 1)
      return leaveOut(sink, "a convolution of groups");
    if (!tile)
      return leaveOut(sink, "a tile that is not divided among the threads");
    Schedule schedule = tiledSchedule();
    SmallVector<StringRef> differences = {"vectors of the copies"};
    if (isProduct(sizes)) {
      schedule.tiles = {tile->filters, tile->columns, {tile->slice, 1}};
      if (sizes.images > 1)
        differences.push_back("pixels of several images as columns");
      record.variant = "batch=" + std::to_string(sizes.images);
      OperationShape shape = productShape(productSizes(sizes));
      dropUnitDims(shape, schedule);
      return addRecord(row, shape, std::move(record), schedule, differences,
                       sink);
    }
    OperationShape shape = convolutionShape(sizes);
    if (llvm::any_of(shape.dims,
                     [](const IterDim &dim) { return dim.extent < 1; }))
      return leaveOut(sink, "a window that is larger than the image");
    auto columns =
        divideTile(tile->columns,
                   {sizes.images, sizes.outputHeight(), sizes.outputWidth()});
    if (!columns)
      return leaveOut(sink, "a tile that ends inside of a row of pixels");
    auto slices =
        divideTile({tile->slice, 1},
                   {sizes.channels, sizes.filterHeight, sizes.filterWidth});
    if (!slices && sizes.channels % tile->slice == 0) {
      slices = {{tile->slice, 1}, {1, 1}, {1, 1}};
      differences.push_back("the order of the reduction");
    }
    if (!slices)
      return leaveOut(sink, "a slice that ends inside of a window");
    schedule.tiles = {(*columns)[0], tile->filters, (*columns)[1],
                      (*columns)[2]};
    llvm::append_range(schedule.tiles, *slices);
    dropUnitDims(shape, schedule);
    return addRecord(row, shape, std::move(record), schedule, differences,
                     sink);
  });
}

//===----------------------------------------------------------------------===//
// Tensile's products
//===----------------------------------------------------------------------===//

/// The elements of a thread are vectors of `vector` elements that are one
/// vector of each thread apart, like those of virtual threads.
static Factors threadTile(Row &row, StringRef block, StringRef threads,
                          StringRef thread, int64_t vector) {
  int64_t dim = row.factor(threads), elements = row.factor(thread);
  int64_t width = elements % vector == 0 ? vector : 1;
  if (row.factor(block) != dim * elements)
    return {};
  return {elements / width, dim, 1, width};
}

/// Column-major C[m, n] is row-major [n, m]: the sum of B[n, k] A[k, m], each
/// possibly transposed.
static OperationShape sgemmShape(Row &row) {
  ProductSizes sizes;
  sizes.columns = row.factor("m");
  sizes.rows = row.factor("n");
  sizes.depth = row.factor("k");
  sizes.batch = row.factor("batch");
  StringRef transposes = row.text("transposes");
  if (transposes.size() != 2 ||
      transposes.find_first_not_of("nt") != StringRef::npos)
    row.note("the transposes are not nn, nt, tn or tt");
  sizes.transposedA = transposes.ends_with("t");
  sizes.transposedB = transposes.starts_with("t");
  return productShape(sizes);
}

Expected<std::vector<BadLine>>
pruner::importSgemmWinners(StringRef path, StringRef, ImportSink &sink) {
  return readTable(path, "", kMost, [&](Row &row) {
    OperationShape shape = sgemmShape(row);
    int64_t vector = row.factor("vector"),
            copied = row.factor("global_read_vector"),
            inBlock = row.factor("local_split"),
            inGrid = row.factor("global_split");
    Schedule schedule = tiledSchedule();
    schedule.tiles = {
        {1, 1, 1, 1},
        threadTile(row, "block_n", "work_group_1", "thread_n", vector),
        threadTile(row, "block_m", "work_group_0", "thread_m", vector),
        {row.factor("depth_k"), 1}};
    bool differs = false;
    schedule.vector = commonVector(copied, row.factor("depth_k"), differs);
    double rate = 0; // 10^9 operations per second.
    if (row.text("gflops").getAsDouble(rate) || !(rate >= 0 && rate < 1e9))
      row.note("expected a rate of at least 0");
    if (Error error = row.takeError())
      return error;
    double operations = 2;
    for (const IterDim &dim : shape.dims)
      operations *= double(dim.extent);
    double seconds = operations / (rate * 1e9);
    if (rate == 0)
      return leaveOut(sink, "a rate that was rounded to 0");
    // Tensile's files have shares of the peak for some machines. No kernel
    // takes 100 times as long as at the peak and another millisecond.
    if (seconds > 100 * operations / sink.ofMachine().peakFlops + 1e-3)
      return leaveOut(sink, "a rate that is not 10^9 operations per second");
    if (schedule.tiles[1].empty() || schedule.tiles[2].empty())
      return leaveOut(sink, "a tile that is not divided among the threads");
    if (inBlock > 1)
      return leaveOut(sink, "a reduction that threads of a block share");
    SmallVector<StringRef> differences;
    if (differs)
      differences.push_back("vectors of the copies");
    if (inGrid > 1) {
      schedule.split = {inGrid};
      differences.push_back("how parts of the reduction are added");
    }
    DatasetRecord record;
    record.seconds = {seconds};
    dropUnitDims(shape, schedule);
    return addRecord(row, shape, std::move(record), schedule, differences,
                     sink);
  });
}
