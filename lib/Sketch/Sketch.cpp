//===- Sketch.cpp - a fixed nesting of tile levels ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Sketch/Sketch.h"
#include "Registry.h"
#include "ResourceCounter.h"
#include "pruner/Sketch/TaskForms.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;
using detail::broken;
using detail::text;

llvm::ArrayRef<const Sketch *> pruner::allSketches() {
  static const Sketch *const all[] = {&cpuTile(),  &cpuMap(),  &cpuRow(),
                                      &simtTile(), &simtMap(), &simtRow(),
                                      &cpuChain()};
  return all;
}

const Sketch &pruner::sketchOf(const Schedule &schedule) {
  return *allSketches()[unsigned(schedule.sketch)];
}

const Sketch *pruner::findSketch(llvm::StringRef name) {
  for (const Sketch *sketch : allSketches())
    if (sketch->name == name)
      return sketch;
  return nullptr;
}

namespace {
/// Records the whole program.
class Recorder final : public ProgramSink {
public:
  void begin() override {}
  void beginKernel() override { bodies = {&program.kernels.emplace_back()}; }
  void beginBand(LoopLevel level, llvm::ArrayRef<BandLoop> loops) override {
    open.push_back({level, {loops.begin(), loops.end()}, {}});
    bodies.push_back(&open.back().body);
  }
  void endBand() override {
    bodies.pop_back();
    BandNode band = std::move(open.back());
    open.pop_back();
    bodies.back()->push_back({std::move(band)});
  }
  void add(const AllocNode &node) override { bodies.back()->push_back({node}); }
  void add(const StageNode &node) override { bodies.back()->push_back({node}); }
  void add(const ComputeNode &node) override {
    bodies.back()->push_back({node});
  }

private:
  /// The bands around the current position, which receive its nodes.
  std::deque<BandNode> open;
  llvm::SmallVector<std::vector<Node> *, 8> bodies;
};
} // namespace

TiledProgram pruner::buildTiledProgram(const TaskDesc &task,
                                       const Schedule &schedule) {
  auto forms = std::make_shared<TaskForms>(task);
  Recorder recorder;
  sketchOf(schedule).build(*forms, schedule, recorder);
  recorder.program.maps.push_back(std::move(forms));
  return std::move(recorder.program);
}

ScheduleResources pruner::resourcesOf(const TaskDesc &task,
                                      const Schedule &schedule) {
  ResourceCounter counter(task, schedule);
  sketchOf(schedule).count(counter);
  return counter.used;
}

llvm::SmallVector<int64_t, 6>
Sketch::registerTile(const TaskDesc &task, const Schedule &schedule) const {
  llvm::SmallVector<int64_t, 6> tile;
  for (unsigned d : task.outputDims())
    tile.push_back(schedule.tiles[d][registerLevel()]);
  return tile;
}

MaybeViolation Sketch::fitsRows(const TaskDesc &task, bool rows) const {
  if (rows && task.joinsProducts())
    return broken(1, "variant " + name.str() +
                         " has no products, but the task is a chain between "
                         "products");
  if (rows == task.rows)
    return std::nullopt;
  return broken(1, "variant " + name.str() + " is " +
                       (rows ? "only " : "not ") +
                       "for chains over rows, but the task is " +
                       (rows ? "not one" : "one"));
}

MaybeViolation Sketch::fitsAnchor(const TaskDesc &task, bool reduction) const {
  if (MaybeViolation result = fitsRows(task, false))
    return result;
  if (reduction != task.hasReduction())
    return broken(1, "variant " + name.str() + " needs an anchor " +
                         (reduction ? "with" : "without") +
                         " reduction dimensions, but the task has " +
                         (reduction ? "none" : "some"));
  if (!reduction && (task.epilogue >= 0 || task.hasPrologue()))
    return broken(1, "variant " + name.str() +
                         " runs one statement, the task has " +
                         text(task.statements.size()));
  return std::nullopt;
}
