//===- AnsorPrimitives.cpp - Ansor's steps as rows of numbers -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AnsorPrimitives.h"

#include "pruner/Analysis/PrimitiveFeatures.h"
#include "pruner/Support/JsonLines.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace pruner;

/// The order of the published one-hot vectors. Neither list contains Ansor's
/// storage_align (SA).
static constexpr StringLiteral kCpuSteps[] = {
    "CI", "RE", "AN", "RF", "CHW", "SP", "CR", "CA", "FU", "FSP", "PR"};
static constexpr StringLiteral kGpuSteps[] = {
    "AN", "CHR", "CHW", "CI", "CA", "FFSP", "SP", "FU", "RE", "PR", "FSP"};
static constexpr StringLiteral kScopes[] = {"local", "shared", "global"};
static constexpr int64_t kCpuUnrolls[] = {16, 0, 512, 64};
static constexpr int64_t kGpuUnrolls[] = {0, 16, 64, 512, 1024};

/// Returns the token of a word, or 0 if the word is unknown.
static int64_t tokenOf(StringRef word, bool gpu) {
  if (const auto *scope = llvm::find(kScopes, word); scope != std::end(kScopes))
    return scope - kScopes + 1;
  int64_t limit = 0;
  if (!word.consume_front("auto_unroll_max_step$") ||
      word.getAsInteger(10, limit))
    return 0;
  ArrayRef<int64_t> known = gpu ? ArrayRef(kGpuUnrolls) : ArrayRef(kCpuUnrolls);
  const auto *found = llvm::find(known, limit);
  return found == known.end() ? 0 : found - known.begin() + 1;
}

/// Appends the parameters that a value of a step stands for. Returns false if
/// the value is invalid.
static bool appendParameters(const json::Value &value, bool gpu,
                             SmallVectorImpl<int64_t> &parameters) {
  // An extent or a length that was never filled in.
  if (value.getAsNull()) {
    parameters.push_back(0);
    return true;
  }
  if (std::optional<int64_t> number = value.getAsInteger()) {
    parameters.push_back(*number);
    return true;
  }
  if (std::optional<StringRef> word = value.getAsString()) {
    parameters.push_back(tokenOf(*word, gpu));
    return parameters.back() != 0;
  }
  const json::Array *list = value.getAsArray();
  return list && llvm::all_of(*list, [&](const json::Value &each) {
           return !each.getAsArray() && appendParameters(each, gpu, parameters);
         });
}

static ArrayRef<StringLiteral> typesOf(bool gpu) {
  return gpu ? ArrayRef(kGpuSteps) : ArrayRef(kCpuSteps);
}

Expected<PrimitiveSequence> pruner::readAnsorPrimitives(StringRef text,
                                                        bool gpu) {
  JsonLinesLimits limits = {size_t(1) << 20, 8, size_t(1) << 16};
  Expected<json::Value> steps = parseJson(text, limits);
  if (!steps)
    return steps.takeError();
  const json::Array *list = steps->getAsArray();
  if (!list || list->empty())
    return createStringError("expected a non-empty list of primitives");
  ArrayRef<StringLiteral> types = typesOf(gpu);
  PrimitiveSequence sequence;
  for (auto [n, value] : llvm::enumerate(*list)) {
    const json::Array *step = value.getAsArray();
    std::optional<StringRef> name =
        step && !step->empty() ? step->front().getAsString() : std::nullopt;
    if (!name)
      return createStringError("expected primitive " + Twine(n + 1) +
                               " to be a list that starts with a name");
    const auto *type = llvm::find(types, *name);
    if (type == types.end())
      return createStringError("primitive " + Twine(n + 1) +
                               ": unknown type '" + *name + "' for " +
                               (gpu ? "GPUs" : "CPUs"));
    Primitive &primitive = sequence.emplace_back();
    primitive.type = unsigned(type - types.begin());
    for (const json::Value &parameter : llvm::drop_begin(*step))
      if (!appendParameters(parameter, gpu, primitive.parameters))
        return createStringError("primitive " + Twine(n + 1) +
                                 ": unknown parameter of '" + *name + "'");
  }
  return std::move(sequence);
}

unsigned pruner::ansorPrimitiveTypes(bool gpu) {
  return unsigned(typesOf(gpu).size());
}

Expected<std::vector<float>> pruner::ansorPrimitiveRows(StringRef text,
                                                        bool gpu) {
  Expected<PrimitiveSequence> sequence = readAnsorPrimitives(text, gpu);
  if (!sequence)
    return sequence.takeError();
  std::vector<float> rows;
  for (const Primitive &primitive : *sequence)
    appendPrimitiveRow(primitive.type, ansorPrimitiveTypes(gpu),
                       primitive.parameters, rows);
  return std::move(rows);
}
