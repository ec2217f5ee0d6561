//===- RandomTasks.cpp - small tasks and their results --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RandomTasks.h"

#include "Fuzzing/Text/LinalgWriter.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::test;

static int64_t randomExtent(Random &random, int64_t most) {
  // Round numbers allow vectors; the others have edges.
  if (random.uniform(2))
    return std::min<int64_t>(most, int64_t(4) << random.uniform(4));
  return 1 + random.uniform(most);
}

static Shape shapeOf(llvm::ArrayRef<unsigned> dims,
                     llvm::ArrayRef<int64_t> extents) {
  Shape shape;
  for (unsigned dim : dims)
    shape.push_back(extents[dim]);
  return shape;
}

static RandomTask contraction(Random &random) {
  bool batch = random.uniform(3) == 0, half = random.uniform(4) == 0;
  bool prologue = random.uniform(4) == 0, epilogue = random.uniform(3) == 0;
  int64_t b = 1 + random.uniform(4), m = randomExtent(random, 23),
          n = randomExtent(random, 23), k = randomExtent(random, 19);
  // The dimensions are m, n, k, or b, m, n, k.
  std::vector<unsigned> lhs{0, 2}, rhs{2, 1}, out{0, 1};
  std::vector<int64_t> extents{m, n, k};
  for (auto *dims : {&lhs, &rhs, &out})
    if (random.uniform(2))
      std::swap((*dims)[0], (*dims)[1]);
  if (batch) {
    extents.insert(extents.begin(), b);
    for (auto *dims : {&lhs, &rhs, &out}) {
      for (unsigned &dim : *dims)
        ++dim;
      dims->insert(dims->begin(), 0);
    }
  }
  std::string type = half ? "f16" : "f32";
  LinalgWriter w;
  TextTensor x = w.argument(shapeOf(lhs, extents), type),
             y = w.argument(shapeOf(rhs, extents), type), bias;
  Shape shape = shapeOf(out, extents);
  if (epilogue)
    bias = w.argument({shape.back()});
  TextMap all = allDims(out.size());
  std::string elementwise(out.size(), 'p');
  std::string zero = w.constant("0.0"), one = w.constant("1.0", type);
  TextTensor init = w.fill(w.empty(shape), zero);
  if (prologue)
    x = w.generic(elementwise, {{x, all}}, {w.empty(x.shape, type), all},
                  bodyLine("%r0", "arith.addf", "%x0, " + one, type));
  TextTensor result =
      w.generic(elementwise + "r", {{x, dimNames(lhs)}, {y, dimNames(rhs)}},
                {init, dimNames(out)}, multiplyAddBody(type, "f32"));
  if (epilogue)
    result =
        w.generic(elementwise, {{result, all}, {bias, {all.back()}}},
                  {w.empty(shape), all},
                  "    %t = arith.addf %x0, %x1 : f32\n" +
                      bodyLine("%r0", "arith.maximumf", "%t, " + zero, "f32"));

  RandomTask task;
  task.text = w.finish(result);
  if (prologue)
    task.prologues.push_back(
        [](llvm::ArrayRef<float> in) { return in[0] + 1; });
  task.anchor = [](llvm::ArrayRef<float> in) { return in[2] + in[0] * in[1]; };
  task.epilogue = [](llvm::ArrayRef<float> in) {
    return std::max(in[0] + in[1], 0.0f);
  };
  return task;
}

/// Maxima over k of negative numbers: the zeros in staged buffers beyond the
/// end must not affect the result.
static RandomTask rowMaxima(Random &random) {
  int64_t m = randomExtent(random, 37), k = randomExtent(random, 61);
  bool transposed = random.uniform(2);
  LinalgWriter w;
  TextOperand x = transposed ? TextOperand{w.argument({k, m}), {"d1", "d0"}}
                             : TextOperand{w.argument({m, k}), {"d0", "d1"}};
  std::string low = w.constant("-1.0e+30");
  TextTensor init = w.fill(w.empty({m}), low);
  RandomTask task;
  task.text = w.finish(w.generic("pr", {x}, {init, {"d0"}},
                                 "    %r0 = arith.maximumf %y0, %x0 : f32\n"));
  task.anchor = [](llvm::ArrayRef<float> in) { return std::max(in[0], in[1]); };
  task.init = -1.0e+30f;
  task.least = -9;
  task.most = -1;
  return task;
}

static RandomTask elementwise(Random &random) {
  std::vector<int64_t> sizes = {1 + int64_t(random.uniform(5)),
                                randomExtent(random, 45),
                                randomExtent(random, 45)};
  std::vector<unsigned> first{0, 1, 2}, second(first);
  random.shuffle(first);
  random.shuffle(second);
  second.resize(1 + random.uniform(3));
  LinalgWriter w;
  TextTensor a = w.argument(shapeOf(first, sizes)),
             b = w.argument(shapeOf(second, sizes));
  RandomTask task;
  task.text =
      w.finish(w.generic("ppp", {{a, dimNames(first)}, {b, dimNames(second)}},
                         {w.empty(sizes), allDims(3)},
                         "    %p = arith.mulf %x0, %x1 : f32\n"
                         "    %r0 = arith.subf %p, %x0 : f32\n"));
  task.anchor = [](llvm::ArrayRef<float> in) { return in[0] * in[1] - in[0]; };
  return task;
}

RandomTask test::randomTask(Random &random) {
  switch (random.uniform(6)) {
  case 0:
    return rowMaxima(random);
  case 1:
    return elementwise(random);
  default:
    return contraction(random);
  }
}

static int64_t addressOf(const TensorDesc &tensor, const AccessMap &map,
                         llvm::ArrayRef<int64_t> point) {
  int64_t address = 0;
  for (size_t r = 0; r < map.size(); ++r) {
    int64_t coord = map[r].constant;
    for (size_t d = 0; d < point.size(); ++d)
      coord += map[r].coeffs[d] * point[d];
    address = address * tensor.shape[r] + coord;
  }
  return address;
}

static void execute(const TaskDesc &desc, const StatementDesc &statement,
                    const Body &body, std::vector<std::vector<float>> &values) {
  bool reduces = llvm::any_of(statement.dims,
                              [](const IterDim &dim) { return dim.reduction; });
  llvm::SmallVector<int64_t, 6> point(statement.dims.size(), 0);
  auto &output = values[statement.output.tensor];
  for (;;) {
    llvm::SmallVector<float, 4> in;
    for (const OperandDesc &input : statement.inputs)
      in.push_back(values[input.tensor][addressOf(desc.tensors[input.tensor],
                                                  input.map, point)]);
    float &out = output[addressOf(desc.tensors[statement.output.tensor],
                                  statement.output.map, point)];
    if (reduces)
      in.push_back(out);
    out = body(in);
    size_t d = point.size();
    while (d > 0 && ++point[d - 1] == statement.dims[d - 1].extent)
      point[--d] = 0;
    if (d == 0)
      return;
  }
}

std::vector<std::vector<float>>
test::evaluate(const TaskDesc &desc, const RandomTask &task,
               const std::vector<std::vector<float>> &arguments) {
  std::vector<std::vector<float>> values;
  for (const TensorDesc &tensor : desc.tensors)
    values.emplace_back(tensor.elements(), task.init);
  for (size_t t = 0; t < desc.tensors.size(); ++t)
    if (int argument = desc.tensors[t].argument;
        argument >= 0 && int(t) != desc.outputTensor())
      values[t] = arguments[argument];
  size_t next = 0;
  for (int prologue : desc.prologues)
    if (prologue >= 0)
      execute(desc, desc.statements[prologue], task.prologues[next++], values);
  execute(desc, desc.anchorStatement(), task.anchor, values);
  if (desc.epilogue >= 0)
    execute(desc, desc.statements[desc.epilogue], task.epilogue, values);
  return values;
}
