//===- BuildBuffers.cpp - buffers of a tiled program --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramBuilder.h"
#include "WindowView.h"

using namespace pruner;

/// The buffers of the tensors. An argument that is packed ahead of time has the
/// layout of the stage that would otherwise pack it, for the whole tensor.
void ProgramBuilder::addTensors() {
  // A sink that is reused has them from the previous program.
  if (program.buffers.empty())
    program.buffers = forms.buffers;
  else
    program.buffers.resize(forms.buffers.size());
  for (unsigned i = 0; i < anchor.inputs.size(); ++i) {
    if (!forms.inputs[i].mayPackAhead)
      continue;
    unsigned tensor = anchor.inputs[i].tensor;
    BufferDesc &buffer = program.buffers[tensor];
    if (i >= schedule.stages.size() ||
        schedule.stages[i] != StageLevel::Ahead) {
      buffer.shape = forms.buffers[tensor].shape;
      buffer.layout = forms.buffers[tensor].layout;
      continue;
    }
    StageLayout memory = stageLayout(task, schedule, i);
    buffer.shape = std::move(memory.shape);
    buffer.layout = std::move(memory.layout);
  }
}

BufferDesc ProgramBuilder::accumulator(MemoryLevel level) const {
  const TensorDesc &tensor = task.tensors[anchor.output.tensor];
  BufferDesc buffer;
  buffer.name = "acc";
  buffer.level = level;
  buffer.type = tensor.type;
  buffer.tensorShape = tensor.shape;
  buffer.at = acrossRow;
  return buffer;
}

/// Register tiles of `output`, `tilesOf(d)` along dimension d, one after the
/// other, each contiguous along vectors, which run along dimension `along`.
int ProgramBuilder::registerTiles(
    const OperandDesc &output, std::optional<unsigned> along,
    llvm::function_ref<int64_t(unsigned)> tilesOf) {
  BufferDesc buffer = accumulator(MemoryLevel::Local);
  buffer.type = task.tensors[output.tensor].type;
  buffer.tensorShape = task.tensors[output.tensor].shape;
  llvm::SmallVector<std::pair<unsigned, unsigned>, 6> coords;
  for (bool last : {false, true})
    for (unsigned r = 0; r < output.map.size(); ++r)
      if (std::optional<unsigned> d = output.map[r].singleDim();
          d && (d == along) == last)
        coords.push_back({r, *d});
  for (auto [r, d] : coords) {
    if (tilesOf(d) == 1)
      continue;
    buffer.shape.push_back(tilesOf(d));
    buffer.layout.push_back({r, schedule.tiles[d].back(), 0});
  }
  for (auto [r, d] : coords)
    addWithin(buffer, r, schedule.tiles[d].back(),
              tilesOf(d) > 1 ? schedule.tiles[d].back() : 0);
  return addAlloc(std::move(buffer));
}

int ProgramBuilder::addAlloc(BufferDesc buffer) {
  int index = program.buffers.size();
  program.buffers.push_back(std::move(buffer));
  sink.add(AllocNode{index});
  return index;
}

/// The position of coordinate `coord` inside a block. Blocks of one element
/// have none: `d mod 1` is the constant zero.
void ProgramBuilder::addWithin(BufferDesc &buffer, unsigned coord,
                               int64_t extent, int64_t mod) {
  if (mod == 1)
    return;
  buffer.shape.push_back(extent);
  buffer.layout.push_back({coord, 1, mod});
}

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

/// The view of anchor input `input` that its copy holds, or null.
const TaskForms::Input::Windows *
ProgramBuilder::windowsOf(unsigned input) const {
  std::optional<InstructionUse> use = instructionUse(task, schedule);
  if (!use || !copiesWindows(task, *use, input))
    return nullptr;
  for (const TaskForms::Input::Windows &windows : forms.inputs[input].windows)
    if (windows.dim == use->sumDim)
      return &windows;
  return nullptr;
}

void ProgramBuilder::stageAll(StageLevel where) {
  for (unsigned i = 0; i < anchor.inputs.size(); ++i)
    if (schedule.stages[i] == where)
      stage(i);
}

void ProgramBuilder::stage(unsigned input) {
  const OperandDesc &operand = anchor.inputs[input];
  const TensorDesc &tensor = task.tensors[operand.tensor];
  StageLayout memory = stageLayout(task, schedule, input);
  StageNode node;
  node.input = input;
  node.statement = task.prologues[input];
  const TaskForms::Input::Windows *windows = windowsOf(input);
  node.map = windows ? windows->map : &operand.map;
  node.padded = operand.padded;
  node.at = program.gpu ? sharedOrigin : enclosing;
  node.threads = stagingThreads();
  node.box = std::move(memory.box);
  node.vector = schedule.vector;
  auto [buffers, async] = copyAhead(task, schedule, input);
  node.buffers = buffers;
  node.async = async;
  node.reads = windows ? windows->copied : forms.inputs[input].copied;

  BufferDesc buffer;
  buffer.name = tensor.name + (program.gpu ? ".shared" : ".packed");
  buffer.level = program.gpu ? MemoryLevel::Shared : MemoryLevel::Local;
  buffer.type = stagedType(task, schedule, input);
  buffer.tensorShape = windows ? windows->shape : tensor.shape;
  buffer.at = node.at;
  buffer.shape = std::move(memory.shape);
  buffer.layout = std::move(memory.layout);
  node.buffer = program.buffers.size();
  operandBuffer[input] = node.buffer;
  program.buffers.push_back(std::move(buffer));
  sink.add(node);
}
