//===- Reference.cpp - what a task should compute -------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Measure/Reference.h"

#include "ReferenceCache.h"
#include "pruner/Measure/Candidate.h"
#include "pruner/Measure/WidenTask.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Target/JitModule.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <cmath>

using namespace llvm;
using namespace pruner;

using Buffers = std::vector<std::vector<uint8_t>>;

/// The inputs of `task`, each from a stream of its own.
static Buffers makeInputs(const TaskProgram &task, const InputRange &range,
                          bool integers, const Random &random) {
  Buffers inputs;
  for (const TensorSpec &spec : task.inputs()) {
    Random stream = random.fork(inputs.size());
    inputs.emplace_back(spec.bytes());
    if (integers)
      fillIntegers(inputs.back().data(), spec.type, spec.elements(), range,
                   stream);
    else
      fillReals(inputs.back().data(), spec.type, spec.elements(), range,
                stream);
  }
  return inputs;
}

namespace {
/// The plain code of a form of the task: as it is, or with every float an f64.
class PlainCode {
public:
  static Expected<PlainCode> compile(const TaskProgram &task,
                                     mlir::ModuleOp module, bool wide,
                                     double points) {
    // A million iterations take milliseconds in any code; unrolling small
    // loops completely can take LLVM seconds.
    auto object = compileReference(module, /*brief=*/points < 1e6);
    if (!object)
      return object.takeError();
    PlainCode code(task, wide);
    auto loaded = loadObject(ArrayRef<char>(object->data(), object->size()));
    if (!loaded)
      return loaded.takeError();
    code.jit = std::move(*loaded);
    auto address = code.jit->lookup(task.entry());
    if (!address)
      return address.takeError();
    code.function = *address;
    return code;
  }

  /// The results as doubles; with `absolute` for the inputs' absolute values.
  std::vector<std::vector<double>> run(const Buffers &inputs, bool absolute) {
    std::vector<std::vector<double>> memory;
    std::vector<void *> arguments;
    auto place = [&](const TensorSpec &spec) {
      // The plain code may rely on 64-byte alignment of its arguments.
      size_t bytes = spec.elements() * byteWidth(typeOf(spec)) + 64;
      memory.emplace_back((bytes + 7) / 8 + 8);
      auto address = reinterpret_cast<uintptr_t>(memory.back().data());
      arguments.push_back(reinterpret_cast<void *>((address + 63) & ~63ull));
      return arguments.back();
    };
    for (auto [spec, input] : zip(task.inputs(), inputs)) {
      void *data = place(spec);
      for (int64_t i = 0, e = spec.elements(); i < e; ++i) {
        double value = readElement(input.data(), spec.type, i);
        if (absolute && isFloat(spec.type))
          value = std::fabs(value);
        writeElement(data, typeOf(spec), i, value);
      }
    }
    std::vector<void *> results;
    for (const TensorSpec &spec : task.outputs())
      results.push_back(place(spec));
    invokeKernel(function, arguments);
    std::vector<std::vector<double>> outputs;
    for (auto [spec, data] : zip(task.outputs(), results)) {
      outputs.emplace_back(spec.elements());
      for (int64_t i = 0, e = spec.elements(); i < e; ++i)
        outputs.back()[i] = readElement(data, typeOf(spec), i);
    }
    return outputs;
  }

private:
  PlainCode(const TaskProgram &task, bool wide) : task(task), wide(wide) {}
  ElementType typeOf(const TensorSpec &spec) const {
    return wide && isFloat(spec.type) ? ElementType::F64 : spec.type;
  }

  const TaskProgram &task;
  bool wide;
  std::unique_ptr<JitModule> jit;
  void *function = nullptr;
};
} // namespace

/// Componentwise bounds for results `want` with magnitudes `sums`.
static std::vector<double> linearBound(const TaskNumerics &numerics,
                                       ElementType type,
                                       const std::vector<double> &want,
                                       const std::vector<double> &sums) {
  double nu = (numerics.terms + 2) * numerics.accumulatorRoundoff +
              (numerics.otherOps + 2) * numerics.otherRoundoff;
  // Past the point where Higham's gamma makes sense, n u itself.
  double gamma = nu < 0.5 ? nu / (1 - nu) : nu;
  std::vector<double> bound(want.size());
  double tiny = (numerics.terms + numerics.otherOps) * smallestNormal(type);
  for (size_t i = 0; i < want.size(); ++i)
    bound[i] = gamma * std::fabs(sums[i]) +
               2 * unitRoundoff(type) * std::fabs(want[i]) + tiny;
  return bound;
}

/// The stated bound for tasks with functions that round in their own way.
static std::vector<double> generalBound(const TaskNumerics &numerics,
                                        ElementType type,
                                        const std::vector<double> &want) {
  double squares = 0;
  for (double value : want)
    if (std::isfinite(value))
      squares += value * value;
  double scale = std::sqrt(squares / std::max<size_t>(1, want.size()));
  double u = std::max(numerics.otherRoundoff, unitRoundoff(type));
  double relative = 16 * ((numerics.terms + 2) * numerics.accumulatorRoundoff +
                          16 * (numerics.otherOps + 2) * u);
  relative = std::min(relative, 0.5);
  std::vector<double> bound(want.size());
  for (size_t i = 0; i < want.size(); ++i)
    bound[i] = relative * (std::fabs(want[i]) + scale) + smallestNormal(type);
  return bound;
}

/// Computes everything but the inputs, which are already there.
static Error computeOutputs(const TaskProgram &task, Reference &reference) {
  TaskNumerics &numerics = reference.numerics;
  bool wide = true;
  auto module = widenTask(task);
  if (!module) {
    // As it is written, then; its own rounding doubles the bound.
    consumeError(module.takeError());
    wide = numerics.exact = numerics.linear = false;
    module = task.clone();
  }
  mlir::OwningOpRef<mlir::ModuleOp> magnitudes =
      cast<mlir::ModuleOp>(module->get()->clone());
  double points = 0;
  module->get()->walk([&](mlir::linalg::LinalgOp op) {
    double product = 1;
    for (int64_t trips : op.getStaticLoopRanges())
      product *= trips;
    points += product;
  });
  auto code = PlainCode::compile(task, **module, wide, points);
  if (!code)
    return code.takeError();
  bool anyFloat = any_of(task.outputs(), [](const TensorSpec &spec) {
    return isFloat(spec.type);
  });
  std::optional<PlainCode> sums;
  if (numerics.linear && wide && anyFloat) {
    if (Error error = makeMagnitudes(*magnitudes))
      return error;
    auto compiled = PlainCode::compile(task, *magnitudes, wide, points);
    if (!compiled)
      return compiled.takeError();
    sums.emplace(std::move(*compiled));
  }

  for (auto [n, set] : enumerate(reference.sets)) {
    auto want = code->run(set.inputs, /*absolute=*/false);
    bool exact = n == 0 && numerics.exact;
    std::vector<std::vector<double>> sum;
    if (sums && (!exact || numerics.exactIfMagnitudeFits))
      sum = sums->run(set.inputs, /*absolute=*/true);
    if (exact && numerics.exactIfMagnitudeFits && !sum.empty())
      for (const auto &values : sum)
        for (double value : values)
          if (!(std::ldexp(value, numerics.fraction) *
                    numerics.largestRoundoff() <=
                1))
            exact = false;
    if (n == 0 && numerics.exact && !exact) {
      numerics.exact = false;
      numerics.inexactBecause = "the sums outgrow the type they add in";
    }
    for (auto [k, spec] : enumerate(task.outputs())) {
      ExpectedOutput output;
      output.want = std::move(want[k]);
      if (!exact && isFloat(spec.type))
        output.bound =
            sums ? linearBound(numerics, spec.type, output.want, sum[k])
                 : generalBound(numerics, spec.type, output.want);
      set.outputs.push_back(std::move(output));
    }
  }
  return Error::success();
}

Expected<Reference> pruner::makeReference(const TaskProgram &task,
                                          StringRef text, int64_t seed,
                                          StringRef cacheDir) {
  if (task.inputs().size() + task.outputs().size() > maxKernelArguments)
    return createStringError(
        "the task has %zu arguments; at most %zu can be passed",
        task.inputs().size() + task.outputs().size(), maxKernelArguments);
  Reference reference;
  reference.numerics = analyzeNumerics(task);
  reference.sets.resize(2);
  Random random{uint64_t(seed)};
  reference.sets[0].inputs = makeInputs(
      task, reference.numerics.range, reference.numerics.exact, random.fork(0));
  reference.sets[1].inputs = makeInputs(task, reference.numerics.range,
                                        /*integers=*/false, random.fork(1));
  ReferenceCache cache(cacheDir,
                       contentHash({text, std::to_string(seed), "v2"}));
  if (cache.load(task, reference))
    return reference;
  if (Error error = computeOutputs(task, reference))
    return error;
  cache.store(reference);
  return reference;
}
