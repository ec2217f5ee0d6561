//===- Reference.cpp - expected results of a task -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Verification/Reference.h"

#include "BoundedTask.h"
#include "MaskedInputs.h"
#include "ReferenceCache.h"
#include "SlicedTask.h"
#include "pruner/Builder/Candidate.h"
#include "pruner/Recognition/ScalarOps.h"
#include "pruner/Support/Hashing.h"
#include "pruner/Target/InvokeKernel.h"
#include "pruner/Target/JitModule.h"
#include "pruner/Verification/Method.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace pruner;

StringRef pruner::patternName(InputPattern pattern) {
  switch (pattern) {
  case InputPattern::Integers:
    return "integers";
  case InputPattern::Balanced:
    return "balanced";
  case InputPattern::Shifted:
    return "shifted";
  case InputPattern::Scaled:
    return "scaled";
  case InputPattern::EqualRows:
    return "equal rows";
  case InputPattern::Ascending:
    return "ascending";
  case InputPattern::Descending:
    return "descending";
  case InputPattern::Specials:
    return "specials";
  case InputPattern::Magnitudes:
    return "magnitudes";
  case InputPattern::Reals:
    return "reals";
  case InputPattern::Saturated:
    return "saturated";
  case InputPattern::Undefined:
    return "undefined";
  case InputPattern::Masked:
    return "masked";
  case InputPattern::Dominant:
    return "dominant";
  case InputPattern::Borders:
    return "borders";
  }
  llvm_unreachable("covered switch");
}

size_t Reference::bytes() const {
  size_t bytes = 0;
  for (const std::vector<uint8_t> &input : plainReals)
    bytes += input.size();
  for (const ReferenceSet &set : sets) {
    for (const std::vector<uint8_t> &input : set.inputs)
      bytes += input.size();
    for (const ExpectedOutput &output : set.outputs)
      bytes += sizeof(double) * (output.want.size() + output.bound.size() +
                                 output.integers.size()) +
               output.others.size();
  }
  return bytes;
}

using Buffers = std::vector<std::vector<uint8_t>>;

namespace {
/// The compiled bounded form of a task.
class PlainCode {
public:
  static Expected<PlainCode>
  compile(const TaskProgram &task, const BoundedTask &bounded, double points) {
    // A million iterations take milliseconds in any code, whereas unrolling
    // small loops completely can take LLVM seconds.
    auto object = compileReference(*bounded.module, /*brief=*/points < 1e6);
    if (!object)
      return object.takeError();
    PlainCode code(task, bounded);
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

  /// The results for `inputs`; those of a sliced task for all of its parts.
  std::vector<ExpectedOutput> run(const Buffers &inputs,
                                  const SlicedTask *sliced) {
    std::vector<std::unique_ptr<double[]>> memory;
    std::vector<void *> arguments;
    auto place = [&](const TensorSpec &spec, ElementType type) {
      // The compiled code may rely on 64-byte alignment of its arguments.
      size_t bytes = spec.elements() * byteWidth(type) + 64;
      memory.emplace_back(new double[(bytes + 7) / 8 + 8]);
      auto address = reinterpret_cast<uintptr_t>(memory.back().get());
      arguments.push_back(reinterpret_cast<void *>((address + 63) & ~63ull));
      return arguments.back();
    };
    for (const TensorSpec &spec : task.inputs())
      place(spec, typeOf(spec));
    std::vector<void *> results, errors, others;
    for (const TensorSpec &spec : task.outputs())
      results.push_back(place(spec, typeOf(spec)));
    for (auto [spec, hasErrors] : zip(task.outputs(), bounded.hasErrors))
      errors.push_back(hasErrors ? place(spec, ElementType::F64) : nullptr);
    for (auto [spec, hasOthers] : zip(task.outputs(), bounded.hasOthers))
      others.push_back(hasOthers ? place(spec, ElementType::I8) : nullptr);

    std::vector<ExpectedOutput> outputs(task.outputs().size());
    for (int64_t part = 0, e = sliced ? sliced->parts : 1; part < e; ++part) {
      for (auto [n, input] : enumerate(inputs)) {
        bool moves = sliced && sliced->slicesInput[n];
        if (part == 0 || moves)
          copyInput(task.inputs()[n], input, moves ? part : 0, arguments[n]);
      }
      invokeKernel(function, arguments);
      for (auto [n, output] : enumerate(outputs))
        append(output, task.outputs()[n], results[n], errors[n], others[n]);
    }
    // Few sets of inputs overflow.
    for (ExpectedOutput &output : outputs)
      if (all_of(output.others, [](uint8_t set) { return set == 0; }))
        output.others.clear();
    return outputs;
  }

private:
  PlainCode(const TaskProgram &task, const BoundedTask &bounded)
      : task(task), bounded(bounded) {}
  static ElementType typeOf(const TensorSpec &spec) {
    return isFloat(spec.type) ? ElementType::F64 : spec.type;
  }

  /// Converts part number `part` of `input`, which has the size of `spec`.
  static void copyInput(const TensorSpec &spec, ArrayRef<uint8_t> input,
                        int64_t part, void *data) {
    if (input.empty())
      return;
    const uint8_t *from = input.data() + part * int64_t(spec.bytes());
    if (isFloat(spec.type))
      for (int64_t i = 0, e = spec.elements(); i < e; ++i)
        static_cast<double *>(data)[i] = readElement(from, spec.type, i);
    else
      std::memcpy(data, from, spec.bytes());
  }

  static void append(ExpectedOutput &output, const TensorSpec &spec,
                     const void *data, const void *error, const void *other) {
    int64_t count = spec.elements();
    auto add = [&](auto &to, auto *values) {
      to.insert(to.end(), values, values + count);
    };
    if (isFloat(spec.type))
      add(output.want, static_cast<const double *>(data));
    else
      for (int64_t i = 0; i < count; ++i)
        output.want.push_back(readElement(data, spec.type, i));
    if (spec.type == ElementType::I64)
      add(output.integers, static_cast<const int64_t *>(data));
    if (error)
      add(output.bound, static_cast<const double *>(error));
    if (other)
      add(output.others, static_cast<const uint8_t *>(other));
  }

  const TaskProgram &task;
  const BoundedTask &bounded;
  std::unique_ptr<JitModule> jit;
  void *function = nullptr;
};
} // namespace

static bool isAllZero(ArrayRef<double> values) {
  return all_of(values, [](double value) { return value == 0; });
}

/// Fails if too many elements of results are undecided by all sets of inputs,
/// so that any value would be accepted.
static Error checkDecided(const Reference &reference) {
  for (size_t n = 0; n < reference.sets.front().outputs.size(); ++n) {
    size_t count = reference.sets.front().outputs[n].want.size(), open = 0;
    for (size_t i = 0; i < count; ++i)
      open += all_of(reference.sets, [&](const ReferenceSet &set) {
        const std::vector<double> &bound = set.outputs[n].bound;
        return !bound.empty() && std::isinf(bound[i]);
      });
    if (double(open) > 0.01 * double(count))
      return createStringError("%zu of %zu elements of result %zu cannot be "
                               "checked: rounding errors permit any value",
                               open, count, n);
  }
  return Error::success();
}

/// Iterations of all loops.
static double pointsOf(const TaskProgram &task) {
  double points = 0;
  task.module().walk(
      [&](mlir::linalg::LinalgOp op) { points += double(numPoints(op)); });
  return points;
}

/// Computes everything except the inputs, which are already set.
static Error computeOutputs(const TaskProgram &task, double points,
                            int64_t mostBytes, Reference &reference) {
  TaskNumerics &numerics = reference.numerics;
  std::optional<SlicedTask> sliced = sliceTask(task, mostBytes);
  const TaskProgram &part = sliced ? sliced->task : task;
  auto bounded = boundTask(part);
  if (!bounded)
    return bounded.takeError();
  auto code = PlainCode::compile(part, *bounded, points);
  if (!code)
    return code.takeError();
  for (auto [n, set] : enumerate(reference.sets)) {
    set.outputs = code->run(set.inputs, sliced ? &*sliced : nullptr);
    if (n > 0 || !numerics.exact)
      continue;
    for (ExpectedOutput &output : set.outputs)
      if (numerics.exactIfMagnitudeFits &&
          !(isAllZero(output.bound) && output.others.empty()))
        numerics.exact = false;
    if (!numerics.exact)
      numerics.inexactBecause = "the sums exceed the exact range of their type";
    else
      for (ExpectedOutput &output : set.outputs)
        output.bound.clear();
  }
  return checkDecided(reference);
}

Expected<Reference> pruner::makeReference(const TaskProgram &task,
                                          StringRef text, int64_t seed,
                                          StringRef cacheDir,
                                          int64_t mostBytes) {
  if (task.inputs().size() + task.outputs().size() > maxKernelArguments)
    return createStringError(
        "the task has %zu arguments; at most %zu can be passed",
        task.inputs().size() + task.outputs().size(), maxKernelArguments);
  Reference reference;
  reference.numerics = analyzeNumerics(task);
  double points = pointsOf(task);
  Random random{uint64_t(seed)};
  std::vector<ArgumentDomain> domains = argumentDomains(task);
  std::vector<ArgumentBoxes> boxes = argumentBoxes(task);
  for (InputChoice choice :
       chooseInputs(task, reference.numerics, boxes, points)) {
    ReferenceSet &set = reference.sets.emplace_back();
    set.pattern = choice.pattern;
    Random stream = random.fork(choice.stream());
    set.inputs =
        makeInputs(task, reference.numerics, domains, boxes, choice, stream);
    Buffers plain;
    if (choice.pattern == InputPattern::Reals)
      plain = set.inputs;
    bool masked = choice.pattern == InputPattern::Reals &&
                  maskRows(task, domains, boxes, stream, set.inputs);
    if (moveToBorders(task, domains, boxes, choice, stream, set.inputs) ||
        masked)
      reference.plainReals = std::move(plain);
  }
  ReferenceCache cache(
      cacheDir, contentHash({text, std::to_string(seed), verificationMethod}));
  if (cache.load(task, reference))
    return reference;
  if (Error error = computeOutputs(task, points, mostBytes, reference))
    return error;
  cache.store(reference);
  return reference;
}
