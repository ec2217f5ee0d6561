//===- Tables.cpp - import of CLBlast and Kernel Tuner tables -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of the parameters follows the sources of both kernels. The search
// spaces have no other parameters than those below. Columns with other names
// are ignored.

#include "AnsorLog.h"
#include "TableReader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace pruner;

/// The extent of each dimension of the problem that both tables measured.
static constexpr int64_t kExtent = 4096;

/// Adds a row. A failed configuration has text instead of a time. `variant`
/// names the parameters that the schedule cannot express.
static Error addTimed(Row &row, const OperationShape &shape,
                      const Schedule &schedule, ArrayRef<StringRef> variant,
                      ArrayRef<StringRef> differences, ImportSink &sink) {
  DatasetRecord record;
  for (StringRef name : variant)
    record.variant += (record.variant.empty() ? "" : " ") + name.str() + "=" +
                      json::fixUTF8(row.text(name));
  double milliseconds = 0;
  if (row.text("milliseconds").getAsDouble(milliseconds))
    record.status = MeasureStatus::RunError;
  else if (milliseconds > 0 && milliseconds < 1e10)
    record.seconds = {milliseconds / 1e3};
  else
    row.note("expected a positive time");
  return addRecord(row, shape, std::move(record), schedule, differences, sink);
}

//===----------------------------------------------------------------------===//
// CLBlast
//===----------------------------------------------------------------------===//

/// Matrices are column-major and B is transposed: C'[n, m] is the sum of B[k,
/// n] A[k, m], with m contiguous.
static OperationShape sgemm() {
  ProductSizes sizes;
  sizes.rows = sizes.columns = sizes.depth = kExtent;
  sizes.transposedA = true;
  return productShape(sizes);
}

/// The MWG elements of a block are shared by MDIMC threads. Each has MWG /
/// MDIMC contiguous elements or, with STRM, vectors of VWM elements that are
/// MDIMC vectors apart.
static SmallVector<int64_t, 4> sgemmTile(Row &row, StringRef block,
                                         StringRef threads, StringRef vector,
                                         StringRef strided) {
  int64_t dim = row.factor(threads), width = row.factor(vector),
          whole = row.factor(block);
  if (whole % (dim * width) != 0)
    row.note("the " + block + " is not a multiple of " + threads + " times " +
             vector);
  int64_t elements = std::max<int64_t>(1, whole / dim);
  if (row.integer(strided))
    return {std::max<int64_t>(1, elements / width), dim, 1, width};
  return {1, dim, 1, elements};
}

Expected<std::vector<BadLine>>
pruner::importClblast(StringRef path, StringRef device, ImportSink &sink) {
  OperationShape shape = sgemm();
  return readTable(path, device, kExtent, [&](Row &row) {
    Schedule schedule;
    schedule.sketch = SketchId::SimtTile;
    int64_t slice = row.factor("KWG"), step = row.factor("KWI");
    if (slice % step != 0)
      row.note("the KWG is not a multiple of KWI");
    schedule.tiles = {sgemmTile(row, "NWG", "NDIMC", "VWN", "STRN"),
                      sgemmTile(row, "MWG", "MDIMC", "VWM", "STRM"),
                      {std::max<int64_t>(1, slice / step), step}};
    auto level = [&](StringRef name) {
      return row.integer(name) ? StageLevel::Inner : StageLevel::None;
    };
    schedule.stages = {level("SB"), level("SA")};
    SmallVector<int64_t> vectors, elements;
    for (auto [stage, vector, block] :
         {std::tuple("SB", "VWN", "NWG"), std::tuple("SA", "VWM", "MWG")})
      if (row.integer(stage)) {
        vectors.push_back(row.factor(vector));
        elements.push_back(row.factor(block) * slice);
      }
    bool differs = false;
    if (!vectors.empty())
      schedule.vector = commonVector(vectors, elements, differs);
    SmallVector<StringRef> differences;
    if (differs)
      differences.push_back("vectors of the copies");
    // Loops over registers are unrolled; loops over a slice are not.
    schedule.unroll = 16;
    return addTimed(row, shape, schedule, {"MDIMA", "NDIMB", "VWM", "VWN"},
                    differences, sink);
  });
}

//===----------------------------------------------------------------------===//
// Kernel Tuner's convolution
//===----------------------------------------------------------------------===//

Expected<std::vector<BadLine>>
pruner::importConvolution(StringRef path, StringRef device, ImportSink &sink) {
  return readTable(path, device, kExtent, [&](Row &row) {
    int64_t height = row.factor("filter_height"),
            width = row.factor("filter_width");
    OperationShape shape;
    shape.dims = {
        {kExtent, false}, {kExtent, false}, {height, true}, {width, true}};
    auto at = [&](unsigned d) { return shape.coordinate({{d, 1}}); };
    // The image has a border, so the result has 4096^2 elements.
    shape.inputs = {{{kExtent + height - 1, kExtent + width - 1},
                     {shape.coordinate({{0, 1}, {2, 1}}),
                      shape.coordinate({{1, 1}, {3, 1}})}},
                    {{height, width}, {at(2), at(3)}}};
    Schedule schedule;
    schedule.sketch = SketchId::SimtTile;
    // The elements of a thread are one block of threads apart.
    schedule.tiles = {
        {row.factor("tile_size_y"), row.factor("block_size_y"), 1, 1},
        {row.factor("tile_size_x"), row.factor("block_size_x"), 1, 1},
        {height, 1},
        {width, 1}};
    // The filter is in constant memory. A block copies the part of the image
    // that it needs once.
    if (row.integer("use_shmem")) {
      schedule.stages = {StageLevel::Outer, StageLevel::None};
      schedule.pad = row.integer("use_padding") ? 1 : 0;
    } else {
      schedule.stages = {StageLevel::None, StageLevel::None};
    }
    schedule.unroll = 512;
    SmallVector<StringRef> differences = {"the filter in constant memory"};
    if (row.integer("read_only"))
      differences.push_back("loads through the read-only cache");
    return addTimed(row, shape, schedule, {"read_only"}, differences, sink);
  });
}
