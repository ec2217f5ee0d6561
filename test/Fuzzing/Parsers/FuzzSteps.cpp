//===- FuzzSteps.cpp - steps of Ansor, and texts of primitives ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The first byte selects the meaning of the rest: Ansor's steps of a program
// for a CPU (c) or a GPU (g), or Pruner's primitives as text.

#include "AnsorPrimitives.h"
#include "pruner/CostModel/Features.h"

#include <cstdlib>

using namespace pruner;

static void require(bool condition) {
  if (!condition)
    std::abort();
}

static std::string toText(const PrimitiveSequence &sequence) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printPrimitives(sequence, os);
  return text;
}

static void readText(llvm::StringRef text) {
  auto sequence = parsePrimitives(text);
  if (!sequence)
    return llvm::consumeError(sequence.takeError());
  auto again = parsePrimitives(toText(*sequence));
  require(again && *again == *sequence);
  if (auto schedule = scheduleOf(*sequence); !schedule)
    llvm::consumeError(schedule.takeError());
}

static void readSteps(llvm::StringRef text, bool gpu) {
  auto sequence = readAnsorPrimitives(text, gpu);
  auto rows = ansorPrimitiveRows(text, gpu);
  require(bool(sequence) == bool(rows));
  if (!sequence) {
    llvm::consumeError(sequence.takeError());
    return llvm::consumeError(rows.takeError());
  }
  require(rows->size() == sequence->size() * kPrimitiveFeatureSize);
  for (const Primitive &primitive : *sequence)
    require(primitive.type < ansorPrimitiveTypes(gpu));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  llvm::StringRef text(reinterpret_cast<const char *>(data + 1), size - 1);
  if (*data == 'c' || *data == 'g')
    readSteps(text, *data == 'g');
  else
    readText(text);
  return 0;
}
