//===- FuzzPrimitives.cpp - sequences of a schedule --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The input is a sequence of primitives: a byte with the type, a byte with the
// number of parameters, and the parameters. A parameter has one byte, or eight
// bytes after a byte 255.

#include "pruner/Sketch/Primitives.h"

#include <cstdlib>
#include <cstring>

using namespace pruner;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  PrimitiveSequence sequence;
  for (const uint8_t *at = data, *end = data + size; end - at >= 2;) {
    Primitive primitive;
    primitive.type = *at++;
    unsigned count = *at++;
    for (; count > 0 && at < end; --count) {
      int64_t value = int8_t(*at++);
      if (value == -1 && end - at >= 8) {
        std::memcpy(&value, at, 8);
        at += 8;
      }
      primitive.parameters.push_back(value);
    }
    sequence.push_back(std::move(primitive));
  }
  auto schedule = scheduleOf(sequence);
  if (!schedule) {
    llvm::consumeError(schedule.takeError());
    return 0;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  printPrimitives(sequence, os);
  return 0;
}
