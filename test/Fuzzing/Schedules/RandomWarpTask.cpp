//===- RandomWarpTask.cpp - random tasks for tensor cores -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and convolutions that an instruction of warps computes on the given
// GPU. Extents are seldom whole products, and sums may be shorter than one.

#include "Fuzzing/Schedules/ScheduleFuzz.h"
#include "TaskDraw.h"

#include "pruner/Machine/Instructions.h"
#include "pruner/Program/WarpInstruction.h"

using namespace pruner;

namespace {
struct Factors {
  const char *name; ///< In the tensor.
  ElementType type;
  const char *sum;
};
constexpr Factors kFactors[] = {{"f16", ElementType::F16, "f32"},
                                {"f16", ElementType::F16, "f16"},
                                {"bf16", ElementType::BF16, "f32"},
                                {"i8", ElementType::I8, "i32"},
                                {"f32", ElementType::F32, "f32"}};
} // namespace

static bool multiplies(const Machine &machine, ElementType type) {
  return llvm::any_of(
      allMatrixInstructions(), [&](const MatrixInstruction *each) {
        return WarpInstruction::of(each) && each->operands == type &&
               hasInstruction(machine, *each, each->widths.front().bytes);
      });
}

/// Adds the product of both inputs; f32 is rounded to tf32.
static std::string bodyOf(const Factors &factors, Random &random) {
  if (llvm::StringRef(factors.sum) == "f16")
    return "    %m = arith.mulf %x0, %x1 fastmath<contract> : f16\n"
           "    %r0 = arith.addf %y0, %m fastmath<contract> : f16\n";
  if (factors.type != ElementType::F32)
    return multiplyAddBody(factors.name, factors.sum, random.uniform(2),
                           random.uniform(2));
  std::string body;
  for (std::string n : {"0", "1"})
    body += "    %t" + n + " = arith.truncf %x" + n +
            " to_nearest_away : f32 to tf32\n    %e" + n + " = arith.extf %t" +
            n + " : tf32 to f32\n";
  return body + "    %m = arith.mulf %e0, %e1 : f32\n"
                "    %r0 = arith.addf %y0, %m : f32\n";
}

std::string TaskDraw::warpTask(const Machine &machine) {
  llvm::SmallVector<Factors, 4> able;
  for (const Factors &each : kFactors)
    if (multiplies(machine, each.type))
      able.push_back(each);
  const Factors &factors = able[random.uniform(able.size())];
  std::string body = bodyOf(factors, random);
  return chance(65) ? warpProduct(factors.name, factors.sum, body)
                    : warpConvolution(factors.name, factors.sum, body);
}

int64_t TaskDraw::warpExtent(int64_t least, unsigned more) {
  int64_t extent = least + random.uniform(more);
  return chance(50) ? (extent + 7) / 8 * 8 : extent;
}

std::string TaskDraw::warpProduct(const std::string &type,
                                  const std::string &sum,
                                  const std::string &body) {
  bool batched = chance(30);
  // Few results with long sums are split among blocks.
  bool isLong = chance(20), isSmall = isLong || batched;
  unsigned m = batched, n = m + 1, k = m + 2;
  Shape domain = {warpExtent(2, isSmall ? 40 : 130),
                  warpExtent(2, isSmall ? 40 : 100),
                  isLong       ? warpExtent(200, 800)
                  : chance(25) ? warpExtent(1, 8)
                               : warpExtent(8, 120)};
  if (batched)
    domain.insert(domain.begin(), 1 + random.uniform(4));
  bool whole = chance(50);
  auto operand = [&](Dims dims, bool withBatch, bool moves) {
    dims = maybePermuted(dims, 50);
    if (batched && withBatch)
      dims.insert(chance(15) ? dims.end() : dims.begin(), 0);
    std::vector<bool> free;
    for (unsigned d : dims)
      free.push_back(d != k || moves);
    // A part of a larger tensor may begin anywhere along the sum, which no
    // instruction reads.
    return chance(80)
               ? TextOperand{t.argument(shapeOf(dims, domain), type),
                             dimNames(dims)}
               : argument(shapeOf(dims, domain), type, dimNames(dims), free);
  };
  TextOperand x = operand({m, k}, true, !whole),
              y = operand({k, n}, !chance(20), whole);
  if (chance(15))
    x.tensor = prologue(x.tensor);
  if (chance(15))
    y.tensor = prologue(y.tensor);
  Dims c = maybePermuted({m, n}, 20);
  if (batched)
    c.insert(c.begin(), 0);
  TextTensor result =
      t.generic(batched ? "pppr" : "ppr", {x, y},
                {accumulator(shapeOf(c, domain), sum), dimNames(c)}, body);
  return t.finish(chance(50) ? epilogue(result) : result);
}

std::string TaskDraw::warpConvolution(const std::string &type,
                                      const std::string &sum,
                                      const std::string &body) {
  bool last = chance(65), filtersFirst = chance(50);
  int64_t batch = 1 + random.uniform(3), height = 1 + random.uniform(4),
          width = warpExtent(3, 30), kernel = 1 + random.uniform(3),
          kernelWidth = last ? kernel : 1, stride = 1 + random.uniform(2),
          strideWidth = last ? stride : 1,
          dilation = 1 + random.uniform(chance(30) ? 2 : 1),
          channels = chance(60)   ? 32 * int64_t(1 + random.uniform(2))
                     : chance(50) ? 8 * int64_t(1 + random.uniform(5))
                                  : 1 + int64_t(random.uniform(40)),
          filters = warpExtent(4, 44);
  int64_t in = (height - 1) * stride + (kernel - 1) * dilation + 1,
          inWidth =
              (width - 1) * strideWidth + (kernelWidth - 1) * dilation + 1;
  // Sums that reach beyond the channels cannot be of padded images.
  int64_t pad = chance(channels % 32 == 0 ? 60 : 15)
                    ? std::min<int64_t>(dilation, (in - 1) / 2)
                    : 0,
          padWidth = last ? std::min<int64_t>(pad, (inWidth - 1) / 2) : 0;
  auto image = [&](int64_t h, int64_t w) {
    return last ? Shape{batch, h, w, channels} : Shape{batch, channels, h, w};
  };
  auto along = [&](const char *o, int64_t step, const char *k) {
    return std::string(o) + " * " + std::to_string(step) + " + " + k + " * " +
           std::to_string(dilation);
  };
  // d0: images, d1, d2: pixels, d3: filters, d4: channels, d5, d6: the window.
  std::string h = along("d1", stride, "d5"),
              w = last ? along("d2", strideWidth, "d6") : "d2";
  TextOperand x{t.argument(image(in - 2 * pad, inWidth - 2 * padWidth), type),
                last ? TextMap{"d0", h, w, "d4"} : TextMap{"d0", "d4", h, w}};
  if (chance(10))
    x.tensor = prologue(x.tensor);
  if (pad + padWidth > 0) {
    Shape around =
        last ? Shape{0, pad, padWidth, 0} : Shape{0, 0, pad, padWidth};
    x.tensor = t.pad(x.tensor, around, around, t.constant(zeroOf(type), type));
  }
  Shape shape = filtersFirst ? Shape{filters, channels, kernel}
                             : Shape{kernel, channels, filters};
  TextMap map =
      filtersFirst ? TextMap{"d3", "d4", "d5"} : TextMap{"d5", "d4", "d3"};
  if (last) {
    shape.insert(shape.begin() + (filtersFirst ? 3 : 1), kernelWidth);
    map.insert(map.begin() + (filtersFirst ? 3 : 1), "d6");
  }
  TextTensor f = t.argument(shape, type);
  TextTensor result =
      t.generic(last ? "pppprrr" : "pppprr", {x, {f, map}},
                {accumulator(last ? Shape{batch, height, width, filters}
                                  : Shape{batch, filters, height, width},
                             sum),
                 last ? TextMap{"d0", "d1", "d2", "d3"}
                      : TextMap{"d0", "d3", "d1", "d2"}},
                body);
  return t.finish(chance(40) ? epilogue(result) : result);
}

std::string pruner::randomWarpTask(const Machine &machine, Random &random) {
  return TaskDraw(random).warpTask(machine);
}
