//===- IreeConfig.cpp - schedules as IREE configurations ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IreeConfig.h"

#include "LoopGroups.h"

#include "pruner/Sketch/Sketch.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace pruner;

llvm::Expected<IreeVersion> IreeVersion::parse(StringRef text) {
  auto [major, rest] = text.split('.');
  unsigned minor = 0;
  StringRef release = rest.split('.').first;
  if (major != "3" || release.getAsInteger(10, minor) || minor < first ||
      minor > last)
    return llvm::createStringError(
        "'" + text.str() + "' is not a supported release; expected 3." +
        std::to_string(first) + " to 3." + std::to_string(last));
  return IreeVersion{minor};
}

namespace {

using Sizes = SmallVector<int64_t>;

/// Computes the levels of one anchor.
class Levels {
public:
  Levels(const Site &site, SmallVector<SmallVector<unsigned, 2>> groups)
      : op(site.anchor), task(site.task->desc), schedule(site.task->schedule),
        groups(std::move(groups)), extents(op.getStaticLoopRanges()) {}

  IreeConfig cpu(IreeVersion version);
  llvm::Expected<IreeConfig> cuda(IreeVersion version);

private:
  bool isReduction(unsigned loop) {
    return op.getIteratorTypesArray()[loop] == utils::IteratorType::reduction;
  }
  bool isReduced(unsigned dim) {
    return task.anchorStatement().dims[dim].reduction;
  }
  /// Tiles of `size(d)` iterations for each dimension that is a reduction
  /// (`reduced`) or is not, as tiles of loops; 0 for the other loops.
  Sizes spread(bool reduced, llvm::function_ref<int64_t(unsigned)> size);
  bool isConvolution();
  bool isWhole(ArrayRef<int64_t> sizes, bool reduced);
  Sizes steps(ArrayRef<int64_t> slices, ArrayRef<int64_t> tile);
  std::string mmaKind();
  llvm::Expected<IreeConfig> tensorCores(StringRef kind, IreeVersion version);
  IreeConfig threads(IreeVersion version);
  void listUnsupported(IreeConfig &config);

  linalg::LinalgOp op;
  const TaskDesc &task;
  const Schedule &schedule;
  const SmallVector<SmallVector<unsigned, 2>> groups;
  const Sizes extents;
};

} // namespace

static std::string level(StringRef name, ArrayRef<int64_t> sizes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << name << " = [";
  llvm::interleaveComma(sizes, os);
  os << ']';
  return text;
}

Sizes Levels::spread(bool reduced, llvm::function_ref<int64_t(unsigned)> size) {
  Sizes sizes(extents.size(), 0);
  // Loops of one iteration belong to no dimension.
  for (unsigned loop = 0; loop < extents.size(); ++loop)
    sizes[loop] = isReduction(loop) == reduced;
  for (unsigned d = 0; d < groups.size(); ++d)
    if (isReduced(d) == reduced)
      spreadTile(size(d), groups[d], extents, sizes);
  return sizes;
}

bool Levels::isWhole(ArrayRef<int64_t> sizes, bool reduced) {
  for (auto [loop, size] : llvm::enumerate(sizes))
    if (isReduction(loop) == reduced && size < extents[loop])
      return false;
  return true;
}

void Levels::listUnsupported(IreeConfig &config) {
  if (llvm::any_of(schedule.stages,
                   [](StageLevel stage) { return stage != StageLevel::None; }))
    config.lost.push_back("buffers of its inputs, which IREE chooses itself");
  if (!schedule.order.empty())
    config.lost.push_back("the order of its loops");
  if (schedule.prefetch)
    config.lost.push_back("prefetching");
  if (schedule.stream)
    config.lost.push_back("non-temporal stores");
  if (schedule.splitsReduction())
    config.lost.push_back("the split of its reduction among blocks");
}

//===----------------------------------------------------------------------===//
// llvm-cpu
//===----------------------------------------------------------------------===//

/// True if the pipeline for convolutions supports the op: it has a window and
/// one line of the result at a time.
bool Levels::isConvolution() {
  auto window = linalg::inferConvolutionDims(op);
  return succeeded(window) && !window->filterLoop.empty();
}

/// The number of unrolled steps for one copy of the schedule's loop. IREE keeps
/// accumulators in registers only within one step of `vector_reduction`, which
/// it unrolls.
static constexpr int64_t kStepsPerCopy = 8;
/// Limit on vector operations in such a step; more take IREE seconds to
/// compile.
static constexpr int64_t kMaxOperations = 512;

/// The steps of `vector_reduction`, unrolled from the innermost loop outward.
/// Loops over a window take one step, because only then do reads through a sum
/// of indices become vectors.
Sizes Levels::steps(ArrayRef<int64_t> slices, ArrayRef<int64_t> tile) {
  Sizes sizes(extents.size(), 0);
  auto window = linalg::inferConvolutionDims(op);
  int64_t elements = 1;
  for (int64_t size : tile)
    elements *= std::max<int64_t>(1, size);
  int64_t operations = int64_t(
      llvm::divideCeil(elements, std::max<int64_t>(1, schedule.vector)));
  int64_t left = std::clamp<int64_t>(kMaxOperations / operations, 1,
                                     kStepsPerCopy * schedule.unroll);
  for (unsigned loop = extents.size(); loop-- > 0;) {
    if (!isReduction(loop))
      continue;
    bool inWindow =
        succeeded(window) && llvm::is_contained(window->filterLoop, loop);
    sizes[loop] = inWindow ? 1 : std::min(slices[loop], left);
    left = std::max<int64_t>(1, left / sizes[loop]);
  }
  return sizes;
}

IreeConfig Levels::cpu(IreeVersion version) {
  unsigned last = sketchOf(schedule).registerLevel();
  auto tiles = [&](unsigned from) {
    return [this, from](unsigned d) { return schedule.tileSize(d, from); };
  };
  // Workgroups are the cache tiles. With another level between them and
  // registers, IREE would compute fused ops in vectors of whole cache tiles.
  Sizes blocks = spread(false, tiles(1));
  Sizes inner = spread(false, tiles(last));
  SmallVector<std::string> levels = {level("distribution", blocks)};
  IreeConfig config;
  if (isConvolution()) {
    // The pipeline makes products of lines of the result.
    auto image = linalg::inferConvolutionDims(op)->outputImage;
    for (unsigned loop : ArrayRef(image).drop_back())
      if (std::exchange(inner[loop], 1) != 1)
        config.lost.push_back("register tiles of more than one line");
  }
  Sizes slices = spread(true, tiles(0));
  if (!isWhole(slices, true))
    config.lost.push_back("slices of its reduction");
  levels.push_back(level("vector_common_parallel", inner));
  if (op.getNumReductionLoops() > 0)
    levels.push_back(level("vector_reduction", steps(slices, inner)));
  std::string pipeline =
      isConvolution() ? "ConvTileAndDecomposeExpert" : "DoubleTilingExpert";
  config.text =
      "#iree_codegen.compilation_info<lowering_config = "
      "#iree_cpu.lowering_config<" +
      llvm::join(levels, ", ") +
      ">, translation_info = #iree_codegen.translation_info<pipeline = " +
      (version.hasPipelineAttributes() ? "#iree_cpu.pipeline<" + pipeline + ">"
                                       : "CPU" + pipeline) +
      ">>";
  listUnsupported(config);
  return config;
}

//===----------------------------------------------------------------------===//
// cuda
//===----------------------------------------------------------------------===//

static constexpr int64_t kWarp = 32, kMaxThreads = 1024;
/// Level of the sketch `simt_tile`.
static constexpr unsigned kThreadLevel = 1;
/// Size of the kinds `NV_MMA_SYNC_*_16x8x16_*`.
static constexpr int64_t kMmaM = 16, kMmaN = 8, kMmaK = 16;

/// The kind of IREE's instructions for the types of a product, or empty.
std::string Levels::mmaKind() {
  if (op.getNumDpsInputs() != 2 || !linalg::isaContractionOpInterface(op))
    return "";
  auto element = [&](OpOperand *operand) {
    return getElementTypeOrSelf(operand->get().getType());
  };
  Type input = element(op.getDpsInputOperand(0)),
       sum = element(op.getDpsInitOperand(0));
  if (input != element(op.getDpsInputOperand(1)))
    return "";
  if (input.isF16() && (sum.isF32() || sum.isF16()))
    return sum.isF32() ? "NV_MMA_SYNC_F32_16x8x16_F16"
                       : "NV_MMA_SYNC_F16_16x8x16_F16";
  if (input.isBF16() && sum.isF32())
    return "NV_MMA_SYNC_F32_16x8x16_BF16";
  return "";
}

static std::string gpuInfo(ArrayRef<std::string> levels, int64_t threads,
                           IreeVersion version) {
  return "#iree_codegen.compilation_info<lowering_config = "
         "#iree_gpu.lowering_config<{" +
         llvm::join(levels, ", ") +
         "}>, translation_info = #iree_codegen.translation_info<pipeline = " +
         (version.hasPipelineAttributes() ? "#iree_gpu.pipeline<TileAndFuse>"
                                          : "LLVMGPUTileAndFuse") +
         " workgroup_size = [" + std::to_string(threads) +
         ", 1, 1] subgroup_size = 32>>";
}

/// Block tiles, rounded to tiles of the instruction. The warps of the block
/// share these along m first. `reduction` and `subgroup` count instructions.
llvm::Expected<IreeConfig> Levels::tensorCores(StringRef kind,
                                               IreeVersion version) {
  auto dims = linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.empty() || dims->n.empty() || dims->k.empty())
    return llvm::createStringError("its loops do not form a matrix product");
  unsigned m = dims->m.back(), n = dims->n.back(), k = dims->k.back();
  auto block = spread(false, [&](unsigned d) { return schedule.tileSize(d); });
  auto slice = spread(true, [&](unsigned d) { return schedule.tileSize(d); });
  Sizes workgroup(block), reduction(extents.size(), 0),
      subgroup(extents.size(), 0);
  for (unsigned loop = 0; loop < extents.size(); ++loop)
    if (!isReduction(loop)) {
      if (loop != m && loop != n)
        workgroup[loop] = 1;
      subgroup[loop] = 1;
    } else {
      reduction[loop] = 1;
    }
  workgroup[m] = int64_t(llvm::alignTo(block[m], kMmaM));
  workgroup[n] = int64_t(llvm::alignTo(block[n], kMmaN));
  reduction[k] = std::max<int64_t>(1, slice[k] / kMmaK);
  // As many warps as the schedule has threads for, in powers of two that divide
  // the number of instruction tiles.
  int64_t rows = workgroup[m] / kMmaM, columns = workgroup[n] / kMmaN;
  int64_t threads = 1;
  for (unsigned d = 0; d < groups.size(); ++d)
    if (!isReduced(d))
      threads *= schedule.tiles[d][kThreadLevel];
  int64_t warps = std::max<int64_t>(1, threads / kWarp), used = 1;
  while (used * 2 <= warps && (rows % 2 == 0 || columns % 2 == 0)) {
    int64_t &along =
        rows % 2 == 0 && (rows >= columns || columns % 2) ? rows : columns;
    along /= 2;
    used *= 2;
  }
  subgroup[m] = rows;
  subgroup[n] = columns;
  IreeConfig config;
  config.text =
      gpuInfo({("mma_kind = #iree_gpu.mma_layout<" + kind + ">").str(),
               "promote_operands = [0, 1]", level("reduction", reduction),
               level("subgroup", subgroup), level("workgroup", workgroup)},
              used * kWarp, version);
  if (workgroup != block)
    config.lost.push_back(
        "tiles of blocks that are not multiples of an instruction");
  listUnsupported(config);
  return config;
}

/// Without tensor cores: tiles of threads, and steps of the reduction.
IreeConfig Levels::threads(IreeVersion version) {
  auto block = spread(false, [&](unsigned d) { return schedule.tileSize(d); });
  // IREE treats virtual threads as elements of a thread.
  auto thread = spread(false, [&](unsigned d) {
    return schedule.tileSize(d) / schedule.tiles[d][kThreadLevel];
  });
  auto slice = spread(true, [&](unsigned d) { return schedule.tileSize(d); });
  int64_t threads = 1;
  for (unsigned loop = 0; loop < extents.size(); ++loop)
    if (!isReduction(loop))
      threads *= int64_t(llvm::divideCeil(block[loop], thread[loop]));
  threads = std::min(int64_t(llvm::alignTo(threads, kWarp)), kMaxThreads);
  SmallVector<std::string> levels;
  if (op.getNumReductionLoops() > 0)
    levels.push_back(level("reduction", slice));
  levels.push_back(level("thread", thread));
  levels.push_back(level("workgroup", block));
  IreeConfig config;
  config.text = gpuInfo(levels, threads, version);
  listUnsupported(config);
  return config;
}

llvm::Expected<IreeConfig> Levels::cuda(IreeVersion version) {
  if (std::string kind = mmaKind(); !kind.empty())
    return tensorCores(kind, version);
  return threads(version);
}

llvm::Expected<IreeConfig>
pruner::ireeConfig(const Site &site, IreeTarget target, IreeVersion version) {
  const Schedule &schedule = site.task->schedule;
  if (site.task->desc.rows)
    return llvm::createStringError("it is a chain over rows");
  if (sketchOf(schedule).gpu != (target == IreeTarget::Cuda))
    return llvm::createStringError(target == IreeTarget::Cuda
                                       ? "its schedule is for a CPU"
                                       : "its schedule is for a GPU");
  if (!sketchOf(schedule).tilesReduction())
    return llvm::createStringError("IREE has no pipeline for its sketch");
  auto groups = groupLoops(site.task->desc, site.anchor);
  if (!groups)
    return llvm::createStringError(
        "the dimensions of its task do not match the loops of the op");
  Levels levels(site, std::move(*groups));
  if (target == IreeTarget::Cuda)
    return levels.cuda(version);
  return levels.cpu(version);
}
