//===- ObjectFacts.cpp - static facts about object code -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/ObjectFacts.h"

#include "X86Code.h"

#include <tuple>

using namespace pruner;
using namespace llvm;

static void add(CodeFacts &sum, const CodeFacts &facts) {
  sum.instructions += facts.instructions;
  sum.fmaXmm += facts.fmaXmm;
  sum.fmaYmm += facts.fmaYmm;
  sum.fmaZmm += facts.fmaZmm;
  sum.scalarFmas += facts.scalarFmas;
  sum.loads += facts.loads;
  sum.stores += facts.stores;
  sum.stackAccesses += facts.stackAccesses;
  sum.indexedStack += facts.indexedStack;
  sum.calls += facts.calls;
  sum.gathers += facts.gathers;
  sum.divides += facts.divides;
}

static FunctionFacts summarize(const X86Function &function) {
  FunctionFacts facts;
  facts.name = function.name;
  facts.sizeBytes = function.sizeBytes;
  for (const X86Instruction &inst : function.code)
    add(facts.code, inst.facts);

  for (const NaturalLoop &loop : findLoops(function)) {
    ++facts.loops;
    if (!loop.innermost)
      continue;
    ++facts.innermostLoops;
    LoopFacts candidate;
    const X86Instruction &last = function.code[loop.instructions.back()];
    candidate.begin = function.code[loop.instructions.front()].offset;
    candidate.end = last.offset + last.size;
    for (size_t n : loop.instructions)
      add(candidate.code, function.code[n].facts);
    auto heat = [](const CodeFacts &code) {
      return std::make_tuple(code.packedFmas(), code.scalarFmas,
                             code.instructions);
    };
    if (!facts.hotLoop || heat(candidate.code) > heat(facts.hotLoop->code))
      facts.hotLoop = candidate;
  }
  facts.stackAccessesElsewhere =
      facts.code.stackAccesses -
      (facts.hotLoop ? facts.hotLoop->code.stackAccesses : 0);
  return facts;
}

const FunctionFacts *ObjectFacts::find(StringRef name) const {
  for (const FunctionFacts &function : functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

Expected<ObjectFacts> pruner::readObjectFacts(ArrayRef<char> object) {
  auto functions = decodeObject(object);
  if (!functions)
    return functions.takeError();
  ObjectFacts facts;
  for (const X86Function &function : *functions)
    facts.functions.push_back(summarize(function));
  return facts;
}

json::Value pruner::toJSON(const CodeFacts &facts) {
  return json::Object{{"instructions", facts.instructions},
                      {"fma_xmm", facts.fmaXmm},
                      {"fma_ymm", facts.fmaYmm},
                      {"fma_zmm", facts.fmaZmm},
                      {"scalar_fmas", facts.scalarFmas},
                      {"loads", facts.loads},
                      {"stores", facts.stores},
                      {"stack_accesses", facts.stackAccesses},
                      {"indexed_stack", facts.indexedStack},
                      {"calls", facts.calls},
                      {"gathers", facts.gathers},
                      {"divides", facts.divides}};
}

json::Value pruner::toJSON(const FunctionFacts &facts) {
  json::Object object{
      {"name", json::fixUTF8(facts.name)},
      {"size_bytes", facts.sizeBytes},
      {"code", toJSON(facts.code)},
      {"loops", facts.loops},
      {"innermost_loops", facts.innermostLoops},
      {"stack_accesses_elsewhere", facts.stackAccessesElsewhere}};
  if (facts.hotLoop) {
    json::Value loop = toJSON(facts.hotLoop->code);
    (*loop.getAsObject())["begin"] = facts.hotLoop->begin;
    (*loop.getAsObject())["end"] = facts.hotLoop->end;
    object["hot_loop"] = std::move(loop);
  }
  return object;
}

json::Value pruner::toJSON(const ObjectFacts &facts) {
  json::Array functions;
  for (const FunctionFacts &function : facts.functions)
    functions.push_back(toJSON(function));
  return json::Object{{"functions", std::move(functions)}};
}
