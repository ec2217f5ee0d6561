//===- AnsorProgram.cpp - Ansor programs as schedules ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AnsorLog.h"

#include "pruner/Support/Sizes.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace pruner;

static Error cannot(const Twine &why) { return createStringError(why); }

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {
/// Reads the arguments of a workload. Remembers whether any of them was
/// unexpected.
class Arguments {
public:
  explicit Arguments(const json::Array &workload) : workload(workload) {}

  int64_t next() {
    std::optional<int64_t> value =
        at < workload.size() ? workload[at].getAsInteger() : std::nullopt;
    ++at;
    // The limit keeps products of sizes far from overflowing 64 bits.
    if (!value || *value < 1 || *value > (int64_t(1) << 24)) {
      bad = true;
      return 1;
    }
    return *value;
  }
  const json::Value *value() {
    ++at;
    bad |= at > workload.size();
    return bad ? nullptr : &workload[at - 1];
  }
  /// Zero padding before and after a window of `size`, as TVM defines it.
  std::pair<int64_t, int64_t> padding(const json::Value *value, int64_t size) {
    if (!value)
      return {0, 0};
    if (std::optional<int64_t> both = value->getAsInteger()) {
      bad |= *both < 0 || *both > (1 << 20);
      return {*both, *both};
    }
    std::optional<StringRef> text = value->getAsString();
    if (text == StringRef("SAME"))
      return {size / 2, size - 1 - size / 2};
    bad |= text != StringRef("VALID");
    return {0, 0};
  }
  bool complete() const { return !bad && at == workload.size(); }

private:
  const json::Array &workload;
  size_t at = 1;
  bool bad = false;
};
} // namespace

static OperationShape readProduct(Arguments &arguments, bool batched) {
  ProductSizes sizes;
  if (batched)
    sizes.batch = arguments.next() * arguments.next();
  for (int64_t *size : {&sizes.rows, &sizes.depth, &sizes.columns})
    *size = arguments.next();
  return productShape(sizes);
}

static OperationShape readConvolution(Arguments &arguments, bool depthwise) {
  ConvolutionSizes sizes;
  sizes.depthwise = depthwise;
  for (int64_t *size :
       {&sizes.images, &sizes.channels, &sizes.height, &sizes.width})
    *size = arguments.next();
  if (!depthwise)
    sizes.filters = arguments.next();
  for (int64_t *size :
       {&sizes.filterHeight, &sizes.filterWidth, &sizes.strideHeight})
    *size = arguments.next();
  sizes.strideWidth = sizes.strideHeight;
  const json::Value *padding = arguments.value();
  std::tie(sizes.top, sizes.bottom) =
      arguments.padding(padding, sizes.filterHeight);
  std::tie(sizes.left, sizes.right) =
      arguments.padding(padding, sizes.filterWidth);
  return convolutionShape(sizes);
}

/// One dimension over all elements, because Ansor's threads iterate over the
/// flattened tensor.
static OperationShape readRelu(Arguments &arguments) {
  int64_t elements = 1;
  for (int i = 0; i < 4; ++i)
    elements = mulSizes(elements, arguments.next());
  return reluShape(elements);
}

/// A sum over the last dimensions, leaving `rows` rows: ["reduction_layer",
/// shape, the first reduced dimension or a list of them, whether they are
/// kept].
static Expected<OperationShape> readReduction(const json::Array &workload) {
  const json::Array *sizes =
      workload.size() == 4 ? workload[1].getAsArray() : nullptr;
  if (!sizes || sizes->empty() || sizes->size() > 8)
    return cannot("unexpected arguments of the workload");
  SmallVector<int64_t> axes;
  if (const json::Array *list = workload[2].getAsArray())
    for (const json::Value &axis : *list)
      axes.push_back(axis.getAsInteger().value_or(-1));
  else
    axes.push_back(workload[2].getAsInteger().value_or(-1));
  for (auto [n, axis] : llvm::enumerate(axes))
    if (axis != int64_t(sizes->size() - axes.size() + n))
      return cannot("a reduction over dimensions other than the last ones");
  int64_t rows = 1, length = 1;
  for (auto [n, size] : llvm::enumerate(*sizes)) {
    int64_t extent = size.getAsInteger().value_or(0);
    if (extent < 1)
      return cannot("unexpected arguments of the workload");
    int64_t &product = n < sizes->size() - axes.size() ? rows : length;
    product = mulSizes(product, extent);
  }
  return rowSumShape(rows, length);
}

//===----------------------------------------------------------------------===//
// Multi-level tiles
//===----------------------------------------------------------------------===//

int64_t pruner::commonVector(ArrayRef<int64_t> vectors,
                             ArrayRef<int64_t> elements, bool &differs) {
  size_t most = 0;
  for (size_t i = 1; i < vectors.size(); ++i)
    if (elements[i] > elements[most])
      most = i;
  int64_t vector = 1;
  while (vector < 4 && vectors[most] % (2 * vector) == 0)
    vector *= 2;
  differs = llvm::any_of(vectors, [&](int64_t v) { return v != vector; });
  return vector;
}

namespace {
/// Consumes steps from the front of a list.
class StepReader {
public:
  explicit StepReader(ArrayRef<AnsorStep> steps) : steps(steps) {}

  bool done() const { return steps.empty(); }
  StringRef peek() const { return done() ? "" : steps.front().name; }
  const AnsorStep &take() {
    const AnsorStep &step = steps.front();
    steps = steps.drop_front();
    return step;
  }
  /// Consumes all leading steps with these names. Returns how many there were.
  unsigned skip(ArrayRef<StringRef> names) {
    unsigned count = 0;
    for (; llvm::is_contained(names, peek()); ++count)
      take();
    return count;
  }

private:
  ArrayRef<AnsorStep> steps;
};
} // namespace

/// The iterator order after Ansor's tiling structure SSSRRSRS: `spatial`
/// dimensions are split into five loops each and `reductions` into three.
static SmallVector<int64_t> tiledOrder(unsigned spatial, unsigned reductions) {
  SmallVector<int64_t> order;
  auto level = [&](bool reduction, unsigned n) {
    for (unsigned d = 0; d < (reduction ? reductions : spatial); ++d)
      order.push_back(reduction ? 5 * spatial + 3 * d + n : 5 * d + n);
  };
  for (unsigned n : {0, 1, 2})
    level(false, n);
  level(true, 0);
  level(true, 1);
  level(false, 3);
  level(true, 2);
  level(false, 4);
  return order;
}

/// Reads the operations fused after stage `tiled`; `behind` is the stage of
/// the last one. A relu is in the next stage. An addition is two stages later,
/// because its other operand is a stage too. For a relu of an addition the
/// inlined addition moves the relu to the third stage.
static Error readEpilogue(OperationShape &shape, int64_t tiled, int64_t behind,
                          ArrayRef<int64_t> inlined) {
  int64_t distance = behind - tiled;
  shape.adds = distance == 2 || distance == 3;
  shape.rectifies = distance == 1 || distance == 3;
  bool known = distance == 3 ? inlined == ArrayRef(tiled + 2)
                             : inlined.empty() && distance > 0 && distance < 3;
  return known ? Error::success() : cannot("an unknown fused operation");
}

static Error readTiles(ArrayRef<AnsorStep> list, AnsorProgram &program) {
  OperationShape &shape = program.shape;
  Schedule &schedule = program.schedule;
  StepReader steps(list);
  schedule.sketch = SketchId::SimtTile;
  bool cached = steps.peek() == "CHW";
  if (cached)
    steps.take();
  SmallVector<int64_t> inlined;
  while (steps.peek() == "CI")
    inlined.push_back(steps.take().integer(1).value_or(-1));
  int64_t tiledStage = -1;
  unsigned reductions = 0;
  for (const IterDim &dim : shape.dims) {
    if (steps.done())
      return cannot("fewer splits than dimensions");
    const AnsorStep &step = steps.take();
    AnsorSplit split = step.split();
    if (split.extent == 0 || split.lengths.size() != (dim.reduction ? 2 : 4))
      return cannot("unexpected tile levels for a GPU");
    if (split.extent != dim.extent)
      return cannot("extents that differ from the workload");
    tiledStage = step.integer(1).value_or(-1);
    schedule.tiles.emplace_back(split.lengths);
    reductions += dim.reduction;
  }
  if (steps.peek() != "RE" ||
      steps.take().integers(2) !=
          tiledOrder(shape.dims.size() - reductions, reductions))
    return cannot("an unexpected loop order");
  if (steps.peek() != "FSP")
    return cannot("unexpected tile levels for a GPU");
  int64_t behind = steps.take().integer(1).value_or(-1);
  steps.skip({"FSP"});
  if (!cached)
    if (Error error = readEpilogue(shape, tiledStage, behind, inlined))
      return error;
  steps.skip({"RE", "CA"});
  unsigned staged = 0;
  while (unsigned copies = steps.skip({"CHR"})) {
    staged += copies;
    steps.skip({"CA"});
  }
  if (staged != shape.inputs.size())
    return cannot("an operand without a staged copy");
  schedule.stages.assign(staged, StageLevel::Inner);
  steps.skip({"CI", "FU", "AN"});
  SmallVector<int64_t> vectors, elements;
  while (steps.peek() == "SP") {
    AnsorSplit split = steps.take().split();
    if (split.lengths.size() != 1)
      return cannot("an unexpected form of copies");
    vectors.push_back(split.lengths[0]);
    elements.push_back(split.extent);
    steps.skip({"AN", "FFSP", "FU"});
  }
  if (vectors.size() != staged)
    return cannot("an unexpected form of copies");
  bool differs = false;
  schedule.vector = commonVector(vectors, elements, differs);
  if (differs) {
    program.differences.push_back("vectors of the copies");
    program.variant = "vectors";
    for (int64_t vector : vectors)
      program.variant += " " + std::to_string(vector);
  }
  std::optional<int64_t> unroll =
      steps.done() ? std::nullopt : steps.take().unroll();
  if (!unroll || !steps.done())
    return cannot("unexpected steps");
  schedule.unroll = *unroll;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// One loop over threads
//===----------------------------------------------------------------------===//

/// All parallel dimensions are fused and distributed over threads: FU SP AN AN,
/// where the split's length is the number of threads per block. Also reads
/// reductions with threads along the row: (FU) SP AN (FU) AN with the row
/// split.
static Error readThreads(ArrayRef<AnsorStep> list, AnsorProgram &program) {
  const OperationShape &shape = program.shape;
  Schedule &schedule = program.schedule;
  bool reduces = shape.body == OperationShape::Body::Sum;
  StepReader steps(list);
  steps.skip({"FU"});
  AnsorSplit split = steps.peek() == "SP" ? steps.take().split() : AnsorSplit();
  if (split.lengths.size() != 1)
    return cannot("more than one loop over threads");
  // ["AN", stage, iterator, annotation]: an iterator is bound to blocks and
  // then to threads, or first to the threads along the row.
  constexpr int64_t kThreads = 6;
  bool along =
      reduces && steps.peek() == "AN" && steps.take().integer(3) == kThreads;
  steps.skip({"FU"});
  steps.skip({"AN"});
  if (split.extent != shape.dims[along].extent)
    return cannot("more than one loop over threads");
  std::optional<int64_t> unroll = 0;
  if (!steps.done())
    unroll = steps.take().unroll();
  if (!unroll || !steps.done())
    return cannot("unexpected steps");
  int64_t threads = split.lengths[0];
  schedule.sketch = reduces ? SketchId::SimtRow : SketchId::SimtMap;
  schedule.tiles.push_back({along ? 1 : threads, 1});
  if (reduces)
    schedule.tiles.push_back({along ? threads : 1, 1});
  schedule.stages.assign(shape.inputs.size(), StageLevel::None);
  schedule.unroll = *unroll;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

Expected<AnsorProgram> pruner::readAnsorProgram(const json::Array &workload,
                                                ArrayRef<AnsorStep> steps) {
  AnsorProgram program;
  std::optional<StringRef> name =
      workload.empty() ? std::nullopt : workload[0].getAsString();
  if (!name)
    return cannot("a workload without a name");
  if (*name == "pool_layer")
    return cannot("pooling: threads iterate over fused rows and images");
  Arguments arguments(workload);
  bool tiled = true;
  if (*name == "matmul_layer" || *name == "batch_matmul_layer") {
    program.shape = readProduct(arguments, *name == "batch_matmul_layer");
  } else if (*name == "conv2d_layer" || *name == "depthwise_conv2d_layer") {
    program.shape =
        readConvolution(arguments, *name == "depthwise_conv2d_layer");
  } else if (*name == "relu_layer") {
    program.shape = readRelu(arguments);
    tiled = false;
  } else if (*name == "reduction_layer") {
    Expected<OperationShape> shape = readReduction(workload);
    if (!shape)
      return shape.takeError();
    program.shape = std::move(*shape);
    tiled = false;
  } else {
    return cannot("an unknown workload");
  }
  bool complete = *name == "reduction_layer" || arguments.complete();
  if (!complete || llvm::any_of(program.shape.dims, [](const IterDim &dim) {
        return dim.extent < 1;
      }))
    return cannot("unexpected arguments of the workload");
  if (Error error =
          tiled ? readTiles(steps, program) : readThreads(steps, program))
    return std::move(error);
  if (!tiled)
    return std::move(program);
  dropUnitDims(program.shape, program.schedule);
  return std::move(program);
}
