//===- BoostedTrees.h - regression trees as plain arrays --------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Boosted trees are evaluated here, whoever grew them. In a weight file they
// are arrays, all nodes of all trees one behind another, a tree's root first:
//
//   columns  I32 [1]          numbers of a row
//   base     F32 [1]          what the sum of the trees begins with
//   offsets  I32 [trees + 1]  the first node of each tree, and the end
//   feature  I32 [nodes]      the column that a node asks for; -1: a leaf
//   value    F32 [nodes]      the threshold; of a leaf, what it adds
//   left     I32 [nodes]      the node where the column is below the threshold
//   right    I32 [nodes]      the node elsewhere; -1 in leaves, both
//   missing  U8  [nodes]      1 if a NaN goes to the left; 0 in leaves
//
// A file from a stranger can do no more than be refused. Before any row is
// evaluated it is known that
//
//   BT1  these tensors are there, with these types and shapes, and no others;
//   BT2  there are at least one and at most kMaxTrees trees, kMaxTreeNodes
//        nodes and kMaxTreeColumns columns;
//   BT3  the offsets begin with 0, rise, and end with the number of nodes;
//   BT4  a feature is -1 or a column; `missing` is 0 or 1;
//   BT5  both children of a node stand behind it in its tree, every node but
//        the root is the child of exactly one, leaves have none, and no leaf is
//        deeper than kMaxTreeDepth;
//   BT6  every threshold, leaf and the base is a finite number.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_COSTMODEL_BOOSTEDTREES_H
#define PRUNER_COSTMODEL_BOOSTEDTREES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pruner {

struct TensorFile;

constexpr std::size_t kMaxTrees = 20000;
constexpr std::size_t kMaxTreeNodes = std::size_t(1) << 22;
constexpr std::size_t kMaxTreeColumns = std::size_t(1) << 16;
constexpr int kMaxTreeDepth = 64;

/// The arrays above.
struct BoostedTrees {
  std::int32_t columns = 0;
  float base = 0;
  std::vector<std::int32_t> offsets = {0}, feature, left, right;
  std::vector<float> value;
  std::vector<std::uint8_t> missing;

  std::size_t trees() const { return offsets.size() - 1; }
  std::size_t nodes() const { return feature.size(); }

  /// Returns an empty string, or which of the rules BT2 to BT6 is broken.
  std::string check() const;
  /// Adds \p other, which passed check(), as further trees. Its base is added
  /// to this one.
  void append(const BoostedTrees &other);

  /// The sum of the trees for each of \p rows rows of `columns` numbers, in the
  /// order of the trees, in single precision. Only after check().
  std::vector<float> predict(const float *values, std::size_t rows) const;

  /// Replaces the tensors of \p file.
  void write(TensorFile &file) const;
  /// Reads what write() wrote. Returns an empty string, or which rule is
  /// broken; then nothing has changed.
  std::string read(const TensorFile &file);
};

} // namespace pruner

#endif // PRUNER_COSTMODEL_BOOSTEDTREES_H
