//===- X86Loops.cpp - natural loops of a decoded function -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "X86Code.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace pruner;

namespace {
/// A basic block: instructions [begin, end).
struct Block {
  size_t begin = 0, end = 0;
  std::vector<size_t> successors, predecessors;
};
} // namespace

/// Splits at branch targets and after terminators, then adds the edges.
static std::vector<Block> buildGraph(const X86Function &function) {
  std::map<uint64_t, size_t> indexOf; // Offset -> instruction.
  for (auto [n, inst] : llvm::enumerate(function.code))
    indexOf[inst.offset] = n;
  std::set<size_t> leaders = {0};
  for (auto [n, inst] : llvm::enumerate(function.code)) {
    if (inst.target && indexOf.count(*inst.target))
      leaders.insert(indexOf[*inst.target]);
    if (inst.isTerminator && n + 1 < function.code.size())
      leaders.insert(n + 1);
  }
  std::vector<Block> blocks;
  std::map<size_t, size_t> blockAt; // First instruction -> block.
  for (auto it = leaders.begin(); it != leaders.end(); ++it) {
    blockAt[*it] = blocks.size();
    Block block;
    block.begin = *it;
    block.end =
        std::next(it) == leaders.end() ? function.code.size() : *std::next(it);
    blocks.push_back(block);
  }
  for (auto [n, block] : llvm::enumerate(blocks)) {
    const X86Instruction &last = function.code[block.end - 1];
    if (last.fallsThrough && n + 1 < blocks.size())
      block.successors.push_back(n + 1);
    if (last.target) {
      auto target = indexOf.find(*last.target);
      if (target != indexOf.end())
        block.successors.push_back(blockAt[target->second]);
    }
  }
  for (auto [n, block] : llvm::enumerate(blocks))
    for (size_t successor : block.successors)
      blocks[successor].predecessors.push_back(n);
  return blocks;
}

/// dominators[b] = the blocks on every path from the entry to b, by the usual
/// fixed point. Blocks that are only reached through jump tables count as
/// entries, because their predecessors are unknown.
static std::vector<llvm::BitVector>
findDominators(const std::vector<Block> &blocks) {
  size_t count = blocks.size();
  std::vector<llvm::BitVector> dominators(count, llvm::BitVector(count, true));
  auto isEntry = [&](size_t n) {
    return n == 0 || blocks[n].predecessors.empty();
  };
  for (size_t n = 0; n < count; ++n)
    if (isEntry(n)) {
      dominators[n].reset();
      dominators[n].set(n);
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = 0; n < count; ++n) {
      if (isEntry(n))
        continue;
      llvm::BitVector next(count, true);
      for (size_t predecessor : blocks[n].predecessors)
        next &= dominators[predecessor];
      next.set(n);
      if (next != dominators[n]) {
        dominators[n] = std::move(next);
        changed = true;
      }
    }
  }
  return dominators;
}

std::vector<NaturalLoop> pruner::findLoops(const X86Function &function) {
  if (function.code.empty())
    return {};
  std::vector<Block> blocks = buildGraph(function);
  std::vector<llvm::BitVector> dominators = findDominators(blocks);

  std::map<size_t, llvm::BitVector> bodies; // Header -> blocks.
  for (auto [n, block] : llvm::enumerate(blocks)) {
    for (size_t header : block.successors) {
      if (!dominators[n].test(header))
        continue;
      llvm::BitVector &body = bodies[header];
      body.resize(blocks.size());
      body.set(header);
      std::vector<size_t> worklist = {n};
      while (!worklist.empty()) {
        size_t next = worklist.back();
        worklist.pop_back();
        if (body.test(next))
          continue;
        body.set(next);
        llvm::append_range(worklist, blocks[next].predecessors);
      }
    }
  }

  std::vector<NaturalLoop> loops;
  for (const auto &[header, body] : bodies) {
    NaturalLoop loop;
    for (const auto &[otherHeader, other] : bodies)
      if (otherHeader != header && body.test(otherHeader))
        loop.innermost = false;
    for (unsigned n : body.set_bits())
      for (size_t i = blocks[n].begin; i < blocks[n].end; ++i)
        loop.instructions.push_back(i);
    loops.push_back(std::move(loop));
  }
  return loops;
}
