//===- BoostedTrees.h - evaluation of gradient-boosted trees ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradient-boosted trees as plain arrays, independent of the library that
// trained them. A weight file stores the nodes of all trees one after another,
// each tree starting with its root:
//
//   columns  I32 [1]          numbers of a row
//   base     F32 [1]          the initial value of the sum of the trees
//   offsets  I32 [trees + 1]  the first node of each tree, and the end
//   feature  I32 [nodes]      the column that a node tests; -1: a leaf
//   value    F32 [nodes]      the threshold; of a leaf, its term of the score
//   left     I32 [nodes]      the child for values below the threshold
//   right    I32 [nodes]      the other child; both are -1 in leaves
//   missing  U8  [nodes]      1 if a NaN goes to the left; 0 in leaves
//   members  I32 [members + 1]  the first tree of each member, and the end of
//                             the last; absent if there is only one
//
// Trees of several members are the mean of models that were trained with
// different random numbers: their leaves hold their share of the mean. Trees
// after the last member were trained with the mean and belong to none.
//
// Weight files are untrusted. Before any row is evaluated, these rules are
// checked:
//
//   BT1  the file has exactly these tensors, with these types and shapes;
//   BT2  there are at least one and at most kMaxTrees trees, kMaxTreeNodes
//        nodes and kMaxTreeColumns columns;
//   BT3  the offsets begin with 0, rise, and end with the number of nodes;
//   BT4  a feature is -1 or a column; `missing` is 0 or 1;
//   BT5  both children of a node follow it in its tree, every node but the
//        root is the child of exactly one node, leaves have no children, and no
//        leaf is deeper than kMaxTreeDepth;
//   BT6  every threshold, every leaf and the base are finite;
//   BT7  there are no or 2 to kMaxTreeMembers members, which begin with tree 0,
//        have at least one tree each, and end at most with the last tree.

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
constexpr std::size_t kMaxTreeMembers = 64;

/// The arrays above.
struct BoostedTrees {
  std::int32_t columns = 0;
  float base = 0;
  std::vector<std::int32_t> offsets = {0}, feature, left, right;
  std::vector<float> value;
  std::vector<std::uint8_t> missing;
  std::vector<std::int32_t> members; ///< Empty: one.

  std::size_t trees() const { return offsets.size() - 1; }
  std::size_t nodes() const { return feature.size(); }

  /// Returns an empty string, or the first of the rules BT2 to BT7 that is
  /// violated.
  std::string check() const;
  /// Appends the trees of \p other, which must have passed check(), and adds
  /// its base. They become trees after the last member.
  void append(const BoostedTrees &other);
  /// Returns the mean of \p models as trees with a member for each. All must
  /// have passed check(), have the same columns, and have no members.
  static BoostedTrees mean(const std::vector<BoostedTrees> &models);

  /// Returns the sum of the trees for each of \p rows rows of `columns`
  /// numbers. Adds in the order of the trees, in single precision. Requires a
  /// successful check().
  std::vector<float> predict(const float *values, std::size_t rows) const;
  /// Returns the standard deviation of the members' predictions for each of
  /// \p rows rows; empty if there is only one member. Requires a successful
  /// check().
  std::vector<float> spread(const float *values, std::size_t rows) const;

  /// Replaces the tensors of \p file.
  void write(TensorFile &file) const;
  /// Reads the tensors that write() wrote. Returns an empty string or an error;
  /// nothing changes after an error.
  std::string read(const TensorFile &file);

private:
  /// Adds the leaves of the trees [begin, end) that each row reaches to `sums`.
  void addTrees(std::size_t begin, std::size_t end, const float *values,
                std::vector<float> &sums) const;
};

} // namespace pruner

#endif // PRUNER_COSTMODEL_BOOSTEDTREES_H
