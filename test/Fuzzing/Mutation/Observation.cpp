//===- Observation.cpp - observe the results of a kernel ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Observation.h"

#include "Fuzzing/Schedules/Forked.h"

#include "pruner/Runtime/GuardedBuffer.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace pruner;

static Observation::Result measure(const TensorSpec &spec, const void *data,
                                   const ExpectedOutput &expected) {
  Observation::Result result = {};
  result.element = -1;
  for (int64_t i = 0, e = spec.elements(); i < e; ++i) {
    double got = readElement(data, spec.type, i), want = expected.want[i];
    double bound = expected.bound.empty() ? 0 : expected.bound[i];
    // Any value of this element is accepted.
    if (std::isinf(bound))
      continue;
    if (!expected.others.empty() && contains(expected.others[i], got))
      continue;
    double difference = std::fabs(got - want);
    if (bound == 0 && !expected.integers.empty()) {
      // Doubles would lose the last bits.
      int64_t whole = static_cast<const int64_t *>(data)[i];
      uint64_t less = std::min(whole, expected.integers[i]);
      difference =
          double(uint64_t(std::max(whole, expected.integers[i])) - less);
      if (difference == 0)
        continue;
    } else if (got == want || (std::isnan(got) && std::isnan(want))) {
      continue;
    }
    ++result.differing;
    if (!std::isfinite(difference))
      difference = INFINITY;
    if (result.element >= 0 && difference <= result.difference)
      continue;
    result.difference = difference;
    result.element = i;
    result.got = got;
    result.want = want;
    result.bound = bound;
  }
  result.hash =
      xxh3_64bits(ArrayRef(static_cast<const uint8_t *>(data), spec.bytes()));
  return result;
}

void pruner::observe(KernelCode &code, const TaskProgram &task,
                     const ObservedSets &sets, Observation &seen) {
  std::vector<GuardedBuffer> buffers;
  std::vector<void *> pointers;
  for (auto specs : {task.inputs(), task.outputs()})
    for (const TensorSpec &spec : specs) {
      auto buffer = GuardedBuffer::allocate(spec.bytes());
      if (!buffer)
        return copyText(seen.broken, "no memory for the arguments");
      buffers.push_back(std::move(*buffer));
      pointers.push_back(buffers.back().data());
    }
  size_t numInputs = task.inputs().size();
  for (auto [number, set] : enumerate(sets.sets)) {
    for (auto [n, buffer] : enumerate(buffers))
      if (n >= numInputs)
        buffer.poison();
      else if (buffer.size())
        std::memcpy(buffer.data(), set->inputs[n].data(), buffer.size());
    std::optional<std::string> broken = code.call(pointers);
    for (auto [n, buffer] : enumerate(buffers)) {
      if (broken)
        break;
      if (auto damage = buffer.damage())
        broken = "argument " + std::to_string(n) + ": " + *damage;
      else if (n < numInputs && buffer.size() &&
               std::memcmp(buffer.data(), set->inputs[n].data(),
                           buffer.size()) != 0)
        broken = "input " + std::to_string(n) + " was changed";
    }
    // A difference that only other inputs show is not seen by verification.
    auto &rejection =
        number < sets.checked ? seen.rejected : seen.rejectedElsewhere;
    if (broken) {
      copyText(number < sets.checked ? seen.broken : seen.rejectedElsewhere,
               *broken);
      seen.results[seen.numResults].difference = INFINITY;
      return;
    }
    double errorOverBound = 0;
    for (auto [n, expected] : enumerate(set->outputs)) {
      const TensorSpec &spec = task.outputs()[n];
      const void *data = buffers[numInputs + n].data();
      seen.results[seen.numResults++] = measure(spec, data, expected);
      auto wrong = compareOutput(spec, data, expected, errorOverBound);
      if (wrong && !rejection[0])
        copyText(rejection, "set " + std::to_string(number) + ": " + *wrong);
    }
  }
}
