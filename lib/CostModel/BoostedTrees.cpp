//===- BoostedTrees.cpp - evaluation of gradient-boosted trees ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/BoostedTrees.h"
#include "pruner/CostModel/Safetensors.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace pruner;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static std::string outside(const char *what, std::size_t count,
                           std::size_t most) {
  return "BT2: " + std::to_string(count) + " " + what + ", expected 1 to " +
         std::to_string(most);
}

/// Checks the nodes [begin, end) of one tree. `depth` holds the depth of each
/// node, or -1 before its parent is seen.
static std::string checkTree(const BoostedTrees &trees, std::size_t tree,
                             std::vector<int> &depth) {
  std::int32_t begin = trees.offsets[tree], end = trees.offsets[tree + 1];
  depth.assign(std::size_t(end - begin), -1);
  depth[0] = 0;
  for (std::int32_t node = begin; node < end; ++node) {
    auto fail = [&](const char *rule, const std::string &what) {
      return std::string(rule) + ": node " + std::to_string(node - begin) +
             " of tree " + std::to_string(tree) + " " + what;
    };
    std::int32_t feature = trees.feature[node];
    std::int32_t children[] = {trees.left[node], trees.right[node]};
    if (feature < -1 || feature >= trees.columns)
      return fail("BT4", "tests column " + std::to_string(feature) + " of " +
                             std::to_string(trees.columns));
    if (trees.missing[node] > (feature >= 0 ? 1 : 0))
      return fail("BT4", "has the flag " + std::to_string(trees.missing[node]));
    if (!std::isfinite(trees.value[node]))
      return fail("BT6", "has a value that is not finite");
    int own = depth[std::size_t(node - begin)];
    if (own < 0)
      return fail("BT5", "is not the child of any node");
    if (own > kMaxTreeDepth)
      return fail("BT5", "is deeper than " + std::to_string(kMaxTreeDepth));
    for (std::int32_t child : children) {
      if (feature < 0 && child == -1)
        continue;
      if (feature < 0)
        return fail("BT5", "is a leaf with a child");
      if (child <= node || child >= end)
        return fail("BT5", "has the child " + std::to_string(child - begin) +
                               ", which does not follow it in its tree");
      int &below = depth[std::size_t(child - begin)];
      if (below >= 0)
        return fail("BT5", "shares its child " + std::to_string(child - begin));
      below = own + 1;
    }
  }
  return {};
}

static std::string checkMembers(const BoostedTrees &trees) {
  const std::vector<std::int32_t> &first = trees.members;
  if (first.empty())
    return {};
  if (first.size() < 3 || first.size() > kMaxTreeMembers + 1)
    return "BT7: " + std::to_string(first.size() - 1) +
           " members, expected 2 to " + std::to_string(kMaxTreeMembers);
  if (first.front() != 0 || std::size_t(first.back()) > trees.trees())
    return "BT7: the members run from tree " + std::to_string(first.front()) +
           " to " + std::to_string(first.back()) + ", expected 0 to at most " +
           std::to_string(trees.trees());
  for (std::size_t member = 0; member + 1 < first.size(); ++member)
    if (first[member] >= first[member + 1])
      return "BT7: member " + std::to_string(member) + " has no tree";
  return {};
}

std::string BoostedTrees::check() const {
  std::size_t count = nodes();
  if (columns < 1 || std::size_t(columns) > kMaxTreeColumns)
    return outside("columns", std::size_t(std::max(columns, 0)),
                   kMaxTreeColumns);
  if (offsets.size() < 2 || trees() > kMaxTrees)
    return outside("trees", offsets.empty() ? 0 : trees(), kMaxTrees);
  if (count < 1 || count > kMaxTreeNodes)
    return outside("nodes", count, kMaxTreeNodes);
  if (value.size() != count || left.size() != count || right.size() != count ||
      missing.size() != count)
    return "BT1: the arrays of nodes have different lengths";
  if (!std::isfinite(base))
    return "BT6: the base is not finite";
  if (offsets.front() != 0 || std::size_t(offsets.back()) != count)
    return "BT3: the offsets run from " + std::to_string(offsets.front()) +
           " to " + std::to_string(offsets.back()) + ", expected 0 to " +
           std::to_string(count);
  for (std::size_t tree = 0; tree < trees(); ++tree)
    if (offsets[tree] >= offsets[tree + 1])
      return "BT3: tree " + std::to_string(tree) + " has no node";
  std::vector<int> depth;
  for (std::size_t tree = 0; tree < trees(); ++tree)
    if (std::string problem = checkTree(*this, tree, depth); !problem.empty())
      return problem;
  return checkMembers(*this);
}

void BoostedTrees::append(const BoostedTrees &other) {
  auto shift = std::int32_t(nodes());
  columns = std::max(columns, other.columns);
  base += other.base;
  auto add = [](auto &to, const auto &from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (std::size_t tree = 1; tree < other.offsets.size(); ++tree)
    offsets.push_back(other.offsets[tree] + shift);
  add(feature, other.feature);
  add(value, other.value);
  add(missing, other.missing);
  for (std::size_t node = 0; node < other.nodes(); ++node) {
    bool leaf = other.feature[node] < 0;
    left.push_back(leaf ? -1 : other.left[node] + shift);
    right.push_back(leaf ? -1 : other.right[node] + shift);
  }
}

BoostedTrees BoostedTrees::mean(const std::vector<BoostedTrees> &models) {
  if (models.size() == 1)
    return models.front();
  BoostedTrees result;
  const float share = 1 / float(models.size());
  for (BoostedTrees model : models) {
    model.base *= share;
    for (std::size_t node = 0; node < model.nodes(); ++node)
      if (model.feature[node] < 0)
        model.value[node] *= share;
    result.members.push_back(std::int32_t(result.trees()));
    result.append(model);
  }
  result.members.push_back(std::int32_t(result.trees()));
  return result;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

void BoostedTrees::addTrees(std::size_t begin, std::size_t end,
                            const float *values,
                            std::vector<float> &sums) const {
  // A block of rows stays in the cache while the nodes of a tree are read.
  constexpr std::size_t kRows = 64;
  std::size_t rows = sums.size();
  for (std::size_t first = 0; first < rows; first += kRows) {
    std::size_t last = std::min(rows, first + kRows);
    for (std::size_t tree = begin; tree < end; ++tree)
      for (std::size_t row = first; row < last; ++row) {
        const float *numbers = values + row * std::size_t(columns);
        std::int32_t node = offsets[tree];
        while (feature[node] >= 0) {
          float number = numbers[feature[node]];
          bool goesLeft =
              std::isnan(number) ? missing[node] != 0 : number < value[node];
          node = goesLeft ? left[node] : right[node];
        }
        sums[row] += value[node];
      }
  }
}

std::vector<float> BoostedTrees::predict(const float *values,
                                         std::size_t rows) const {
  std::vector<float> sums(rows, base);
  addTrees(0, trees(), values, sums);
  return sums;
}

std::vector<float> BoostedTrees::spread(const float *values,
                                        std::size_t rows) const {
  if (members.empty())
    return {};
  const std::size_t count = members.size() - 1;
  std::vector<std::vector<float>> predictions;
  for (std::size_t member = 0; member < count; ++member) {
    predictions.emplace_back(rows, 0);
    addTrees(std::size_t(members[member]), std::size_t(members[member + 1]),
             values, predictions.back());
  }
  std::vector<float> result(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0, squares = 0;
    for (const std::vector<float> &each : predictions) {
      sum += each[row];
      squares += double(each[row]) * each[row];
    }
    // Leaves hold a share of the mean: a member's own prediction is `count`
    // times its sum, up to the base that all have in common.
    double variance =
        squares / double(count) - std::pow(sum / double(count), 2);
    result[row] = float(double(count) * std::sqrt(std::max(variance, 0.0)));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Elements of one or four bytes, little-endian in the file.
template <typename T>
static TensorData pack(const char *name, const char *type,
                       const std::vector<T> &elements) {
  TensorData tensor;
  tensor.name = name;
  tensor.dtype = type;
  tensor.shape = {std::int64_t(elements.size())};
  for (const T &element : elements) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &element, sizeof(T));
    for (std::size_t byte = 0; byte < sizeof(T); ++byte)
      tensor.bytes.push_back(static_cast<unsigned char>(bits >> (8 * byte)));
  }
  return tensor;
}

template <typename T>
static std::string unpack(const TensorFile &file, const char *name,
                          const char *type, std::vector<T> &elements) {
  const TensorData *tensor = file.find(name);
  if (!tensor || tensor->dtype != type || tensor->shape.size() != 1)
    return "BT1: expected one tensor '" + std::string(name) + "' of " + type +
           " with one dimension";
  elements.resize(tensor->bytes.size() / sizeof(T));
  const unsigned char *from = tensor->bytes.data();
  for (T &element : elements) {
    std::uint32_t bits = 0;
    for (std::size_t byte = 0; byte < sizeof(T); ++byte)
      bits |= std::uint32_t(*from++) << (8 * byte);
    std::memcpy(&element, &bits, sizeof(T));
  }
  return {};
}

void BoostedTrees::write(TensorFile &file) const {
  file.tensors = {pack("columns", "I32", std::vector<std::int32_t>{columns}),
                  pack("base", "F32", std::vector<float>{base}),
                  pack("offsets", "I32", offsets),
                  pack("feature", "I32", feature),
                  pack("value", "F32", value),
                  pack("left", "I32", left),
                  pack("right", "I32", right),
                  pack("missing", "U8", missing)};
  if (!members.empty())
    file.tensors.push_back(pack("members", "I32", members));
}

std::string BoostedTrees::read(const TensorFile &file) {
  BoostedTrees next;
  std::vector<std::int32_t> columnCount;
  std::vector<float> bases;
  for (const std::string &problem :
       {unpack(file, "columns", "I32", columnCount),
        unpack(file, "base", "F32", bases),
        unpack(file, "offsets", "I32", next.offsets),
        unpack(file, "feature", "I32", next.feature),
        unpack(file, "value", "F32", next.value),
        unpack(file, "left", "I32", next.left),
        unpack(file, "right", "I32", next.right),
        unpack(file, "missing", "U8", next.missing)})
    if (!problem.empty())
      return problem;
  bool several = file.find("members");
  if (several)
    if (std::string problem = unpack(file, "members", "I32", next.members);
        !problem.empty())
      return problem;
  if (file.tensors.size() != (several ? 9 : 8) || columnCount.size() != 1 ||
      bases.size() != 1)
    return "BT1: expected eight tensors, or nine with 'members'; 'columns' and "
           "'base' with one number";
  if (several && next.members.empty())
    return "BT7: 'members' is empty";
  next.columns = columnCount.front();
  next.base = bases.front();
  if (std::string problem = next.check(); !problem.empty())
    return problem;
  *this = std::move(next);
  return {};
}
