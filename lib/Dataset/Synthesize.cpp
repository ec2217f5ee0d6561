//===- Synthesize.cpp - schedules with predicted times --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Synthesize.h"
#include "TaskBuilder.h"

#include "pruner/Analysis/DraftModel.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Support/Progress.h"
#include "pruner/Support/Random.h"

#include <cmath>
#include <set>

using namespace llvm;
using namespace pruner;

/// Random schedules of a task for each one that is written.
static constexpr size_t kPool = 4;
/// The largest number of drawn shapes in succession that are not tasks, such as
/// too large ones.
static constexpr unsigned kMostFailures = 1000;

namespace {
/// Draws operations. Extents are as in networks: powers of two, multiples of
/// eight and others, between limits on a logarithmic scale.
class ShapeDrawer {
public:
  explicit ShapeDrawer(Random random) : random(std::move(random)) {}

  OperationShape draw() {
    OperationShape shape = drawKind();
    bool alone = shape.body != OperationShape::Body::Product;
    shape.adds = !alone && random.uniform(4) == 0;
    shape.rectifies = !alone && random.uniform(4) == 0;
    shape.dropUnitDims();
    return shape;
  }

private:
  int64_t extent(int64_t least, int64_t most) {
    double drawn = std::exp2(std::log2(double(least)) +
                             random.uniformReal() *
                                 std::log2(double(most) / double(least)));
    auto number = int64_t(std::llround(drawn));
    uint64_t form = random.uniform(4);
    if (form < 2 && number >= 8)
      number = number / 8 * 8;
    if (form == 0)
      number = int64_t(1) << int64_t(std::llround(std::log2(drawn)));
    return std::clamp(number, least, most);
  }

  OperationShape drawKind() {
    switch (random.uniform(8)) {
    case 0:
    case 1:
      return product(/*batch=*/1);
    case 2:
      return product(extent(2, 4096));
    case 3:
    case 4:
      return convolution(/*depthwise=*/false);
    case 5:
      return convolution(/*depthwise=*/true);
    case 6:
      return elementwise();
    default:
      return sum();
    }
  }

  OperationShape product(int64_t batch) {
    bool batched = batch > 1;
    ProductSizes sizes;
    sizes.batch = batch;
    sizes.rows = extent(16, batched ? 1024 : 65536);
    sizes.columns = extent(16, batched ? 1024 : 8192);
    sizes.depth = extent(16, batched ? 1024 : 8192);
    return productShape(sizes);
  }

  /// NCHW images.
  OperationShape convolution(bool depthwise) {
    static constexpr int64_t windows[] = {1, 1, 3, 3, 5, 7};
    int64_t window = windows[random.uniform(std::size(windows))];
    if (depthwise)
      window = std::max<int64_t>(window, 3);
    int64_t stride = 1 + int64_t(random.uniform(3) == 0);
    int64_t images = extent(1, 256), filters = extent(16, 2048),
            size = extent(7, 224),
            channels = depthwise ? filters : extent(3, 2048);
    ConvolutionSizes sizes;
    sizes.images = images;
    sizes.channels = channels;
    sizes.filters = filters;
    sizes.depthwise = depthwise;
    // Without padding.
    sizes.height = sizes.width = (size - 1) * stride + window;
    sizes.filterHeight = sizes.filterWidth = window;
    sizes.strideHeight = sizes.strideWidth = stride;
    return convolutionShape(sizes);
  }

  OperationShape elementwise() { return reluShape(extent(1 << 16, 1 << 28)); }

  OperationShape sum() {
    int64_t rows = extent(16, 1 << 19);
    return rowSumShape(rows, extent(16, 4096));
  }

  Random random;
};
} // namespace

/// Half of the result are the first of the pool, which is random; the others
/// are the fastest of the rest.
static std::vector<std::pair<Schedule, double>>
drawSchedules(const TaskDesc &task, const Machine &machine, size_t count,
              Random &random) {
  std::vector<std::pair<Schedule, double>> pool;
  DraftModel seconds(task, machine);
  ScheduleSpace(task, machine)
      .sampleDistinct(kPool * count, random, [&](const Schedule &schedule) {
        if (double predicted = seconds(schedule); std::isfinite(predicted))
          pool.emplace_back(schedule, predicted);
      });
  if (pool.size() <= count)
    return pool;
  auto rest = pool.begin() + std::ptrdiff_t((count + 1) / 2);
  std::stable_sort(rest, pool.end(), [](const auto &a, const auto &b) {
    return a.second < b.second;
  });
  pool.erase(pool.begin() + std::ptrdiff_t(count), pool.end());
  return pool;
}

size_t pruner::synthesize(const Machine &machine,
                          const SynthesisOptions &options,
                          DatasetWriter &writer) {
  writer.begin({machine, kPredictedToolchain,
                "random tasks, seed " + std::to_string(options.seed)});
  Random random(options.seed);
  ShapeDrawer shapes(random.fork(0));
  std::set<std::string> known;
  size_t tasks = 0, records = 0;
  Progress progress("tasks", options.tasks);
  for (unsigned failures = 0;
       tasks < options.tasks && failures < kMostFailures;) {
    ++failures;
    OperationShape shape = shapes.draw();
    if (!known.insert(shape.key()).second)
      continue;
    // A context keeps all attributes that were made in it.
    std::unique_ptr<mlir::MLIRContext> context = createTaskContext();
    Expected<BuiltTask> built = buildTask(shape, context.get());
    if (!built) {
      consumeError(built.takeError());
      continue;
    }
    Random ofTask = random.fork(tasks + 1);
    auto drawn = drawSchedules(built->desc, machine, options.schedules, ofTask);
    if (drawn.size() < 2)
      continue;
    failures = 0;
    unsigned number = writer.add(built->task);
    for (auto &[schedule, seconds] : drawn) {
      DatasetRecord record;
      record.task = number;
      raw_string_ostream(record.schedule)
          << ScheduleAttr::get(context.get(), schedule);
      record.seconds = {seconds};
      writer.add(record);
    }
    records += drawn.size();
    progress.update(++tasks, built->task.name);
  }
  progress.finish();
  return records;
}
