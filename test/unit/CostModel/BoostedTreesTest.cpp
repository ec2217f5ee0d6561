//===- BoostedTreesTest.cpp - evaluation and validation of trees ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/BoostedTrees.h"
#include "Models.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

using namespace pruner;
using namespace pruner_test;

/// Two trees over two columns: one of five nodes, and a leaf.
static BoostedTrees twoTrees() {
  BoostedTrees trees;
  trees.columns = 2;
  trees.base = 0.5f;
  trees.offsets = {0, 5, 6};
  trees.feature = {1, 0, -1, -1, -1, -1};
  trees.value = {2, -1, 10, 20, 30, 100};
  trees.left = {1, 3, -1, -1, -1, -1};
  trees.right = {2, 4, -1, -1, -1, -1};
  trees.missing = {1, 0, 0, 0, 0, 0};
  return trees;
}

TEST(BoostedTrees, AddUpInOrder) {
  BoostedTrees trees = twoTrees();
  ASSERT_EQ(trees.check(), "");
  float nan = std::nanf("");
  std::vector<float> rows = {0,   3,   // Right of the root.
                             -2,  1,   // Left, left.
                             -1,  1,   // Left, and not below the threshold.
                             0,   2,   // Not below that of the root.
                             0,   nan, // A NaN goes left at the root,
                             nan, 1};  // and right below it.
  EXPECT_EQ(
      trees.predict(rows.data(), 6),
      (std::vector<float>{110.5f, 120.5f, 130.5f, 110.5f, 130.5f, 130.5f}));
  BoostedTrees twice = trees;
  twice.append(trees);
  ASSERT_EQ(twice.check(), "");
  EXPECT_EQ(twice.trees(), 4u);
  EXPECT_EQ(twice.predict(rows.data(), 1), std::vector<float>{221});
}

// Four members that differ in one leaf: their mean, and the standard deviation
// of 110.5, 114.5, 118.5 and 122.5.
TEST(BoostedTrees, MeanAndSpreadOfMembers) {
  std::vector<BoostedTrees> models(4, twoTrees());
  for (int member = 0; member < 4; ++member)
    models[member].value[2] += 4 * float(member);
  BoostedTrees mean = BoostedTrees::mean(models);
  ASSERT_EQ(mean.check(), "");
  EXPECT_EQ(mean.members, (std::vector<std::int32_t>{0, 2, 4, 6, 8}));
  std::vector<float> rows = {0, 3, -2, 1};
  EXPECT_EQ(mean.predict(rows.data(), 2), (std::vector<float>{116.5f, 120.5f}));
  std::vector<float> spread = mean.spread(rows.data(), 2);
  ASSERT_EQ(spread.size(), 2u);
  EXPECT_FLOAT_EQ(spread[0], std::sqrt(20.0f));
  EXPECT_EQ(spread[1], 0);
  // Trees that were trained with the mean change the prediction alone.
  mean.append(twoTrees());
  ASSERT_EQ(mean.check(), "");
  EXPECT_EQ(mean.predict(rows.data(), 1), std::vector<float>{227});
  EXPECT_FLOAT_EQ(mean.spread(rows.data(), 1)[0], std::sqrt(20.0f));
  // One model has no spread.
  EXPECT_TRUE(BoostedTrees::mean({twoTrees()}).members.empty());
  EXPECT_TRUE(twoTrees().spread(rows.data(), 1).empty());
}

static void expectSameAfterFile(const BoostedTrees &trees) {
  BoostedTrees again;
  TensorFile file;
  trees.write(file);
  std::string error, content = formatSafetensors(file, error);
  ASSERT_EQ(error, "");
  TensorFile read;
  ASSERT_EQ(parseSafetensors(content, read), "");
  ASSERT_EQ(again.read(read), "");
  TensorFile second;
  again.write(second);
  EXPECT_EQ(formatSafetensors(second, error), content);
}

TEST(BoostedTrees, RoundTripThroughAFile) {
  expectSameAfterFile(twoTrees());
  expectSameAfterFile(BoostedTrees::mean({twoTrees(), twoTrees()}));
}

// One change for each rule, with the expected message.
TEST(BoostedTrees, NamesViolatedRules) {
  struct Case {
    std::function<void(BoostedTrees &)> change;
    const char *problem;
  };
  const Case cases[] = {
      {[](BoostedTrees &t) { t.columns = 0; },
       "BT2: 0 columns, expected 1 to 65536"},
      {[](BoostedTrees &t) { t.columns = -7; },
       "BT2: 0 columns, expected 1 to 65536"},
      {[](BoostedTrees &t) { t.offsets = {0}; },
       "BT2: 0 trees, expected 1 to 20000"},
      {[](BoostedTrees &t) { t.offsets.assign(20002, 0); },
       "BT2: 20001 trees, expected 1 to 20000"},
      {[](BoostedTrees &t) { t.left.pop_back(); },
       "BT1: the arrays of nodes have different lengths"},
      {[](BoostedTrees &t) { t.base = std::nanf(""); },
       "BT6: the base is not finite"},
      {[](BoostedTrees &t) { t.offsets = {0, 5, 7}; },
       "BT3: the offsets run from 0 to 7, expected 0 to 6"},
      {[](BoostedTrees &t) { t.offsets = {1, 5, 6}; },
       "BT3: the offsets run from 1 to 6, expected 0 to 6"},
      {[](BoostedTrees &t) { t.offsets = {0, 7, 6}; },
       "BT3: tree 1 has no node"},
      {[](BoostedTrees &t) { t.offsets = {0, 0, 6}; },
       "BT3: tree 0 has no node"},
      {[](BoostedTrees &t) { t.feature[1] = 2; },
       "BT4: node 1 of tree 0 tests column 2 of 2"},
      {[](BoostedTrees &t) { t.feature[5] = -2; },
       "BT4: node 0 of tree 1 tests column -2 of 2"},
      {[](BoostedTrees &t) { t.missing[0] = 2; },
       "BT4: node 0 of tree 0 has the flag 2"},
      {[](BoostedTrees &t) { t.missing[3] = 1; },
       "BT4: node 3 of tree 0 has the flag 1"},
      {[](BoostedTrees &t) { t.left[0] = 0; },
       "BT5: node 0 of tree 0 has the child 0, which does not follow it "
       "in its tree"},
      {[](BoostedTrees &t) { t.right[1] = 5; },
       "BT5: node 1 of tree 0 has the child 5, which does not follow it "
       "in its tree"},
      {[](BoostedTrees &t) { t.left[1] = -1; },
       "BT5: node 1 of tree 0 has the child -1, which does not follow it "
       "in its tree"},
      {[](BoostedTrees &t) { t.right[0] = 1; },
       "BT5: node 0 of tree 0 shares its child 1"},
      {[](BoostedTrees &t) { t.feature[1] = -1, t.left[1] = t.right[1] = -1; },
       "BT5: node 3 of tree 0 is not the child of any node"},
      {[](BoostedTrees &t) { t.left[4] = 5; },
       "BT5: node 4 of tree 0 is a leaf with a child"},
      {[](BoostedTrees &t) {
         t.value[2] = std::numeric_limits<float>::infinity();
       },
       "BT6: node 2 of tree 0 has a value that is not finite"},
      {[](BoostedTrees &t) { t.members = {0, 2}; },
       "BT7: 1 members, expected 2 to 64"},
      {[](BoostedTrees &t) { t.members = {1, 1, 2}; },
       "BT7: the members run from tree 1 to 2, expected 0 to at most 2"},
      {[](BoostedTrees &t) { t.members = {0, 1, 3}; },
       "BT7: the members run from tree 0 to 3, expected 0 to at most 2"},
      {[](BoostedTrees &t) { t.members = {0, 0, 2}; },
       "BT7: member 0 has no tree"},
      {[](BoostedTrees &t) { t.members = {0, 2, 2}; },
       "BT7: member 1 has no tree"}};
  for (const Case &each : cases) {
    BoostedTrees trees = twoTrees();
    each.change(trees);
    EXPECT_EQ(trees.check(), each.problem);
    // Loading a file with these trees gives the same message.
    TensorFile file;
    trees.write(file);
    BoostedTrees read = twoTrees();
    EXPECT_EQ(read.read(file), each.problem);
    EXPECT_EQ(read.check(), "");
  }
}

TEST(BoostedTrees, DeepTreesAreRejected) {
  BoostedTrees trees;
  trees.columns = 1;
  for (int n = 0; n <= kMaxTreeDepth; ++n) {
    std::int32_t node = 2 * n;
    trees.feature.insert(trees.feature.end(), {0, -1});
    trees.value.insert(trees.value.end(), {0, 1});
    trees.left.insert(trees.left.end(), {node + 1, -1});
    trees.right.insert(trees.right.end(), {node + 2, -1});
    trees.missing.insert(trees.missing.end(), {0, 0});
  }
  trees.feature.push_back(-1);
  trees.value.push_back(7);
  trees.left.push_back(-1);
  trees.right.push_back(-1);
  trees.missing.push_back(0);
  trees.offsets.push_back(std::int32_t(trees.nodes()));
  EXPECT_EQ(trees.check(), "BT5: node 129 of tree 0 is deeper than 64");
}

TEST(BoostedTrees, TensorsMustMatch) {
  auto problemOf = [](auto change) {
    TensorFile file;
    twoTrees().write(file);
    change(file);
    return BoostedTrees().read(file);
  };
  EXPECT_EQ(problemOf([](TensorFile &f) { f.tensors[3].name = "bush"; }),
            "BT1: expected one tensor 'feature' of I32 with one dimension");
  EXPECT_EQ(problemOf([](TensorFile &f) { f.tensors[4].dtype = "I32"; }),
            "BT1: expected one tensor 'value' of F32 with one dimension");
  EXPECT_EQ(problemOf([](TensorFile &f) { f.tensors[3].shape = {2, 3}; }),
            "BT1: expected one tensor 'feature' of I32 with one dimension");
  EXPECT_EQ(problemOf([](TensorFile &f) { f.tensors.emplace_back(); }),
            "BT1: expected eight tensors, or nine with 'members'; 'columns' "
            "and 'base' with one number");
  EXPECT_EQ(problemOf([](TensorFile &f) {
              f.tensors[0].bytes.clear();
              f.tensors[0].shape = {0};
            }),
            "BT1: expected eight tensors, or nine with 'members'; 'columns' "
            "and 'base' with one number");
}

// With any changed bytes, trees are either rejected or can be evaluated.
TEST(BoostedTrees, DamagedFilesAreRejectedOrEvaluated) {
  TensorFile file;
  BoostedTrees::mean({twoTrees(), twoTrees()}).write(file);
  std::string error;
  const std::string sound = formatSafetensors(file, error);
  std::mt19937 random(7);
  const std::vector<float> rows = {0, 3, -2, 1, std::nanf(""), 1};
  unsigned refused = 0;
  for (unsigned turn = 0; turn < 20000; ++turn) {
    std::string content = sound;
    for (unsigned n = 0; n < 1 + turn % 2; ++n)
      content[random() % content.size()] = char(random());
    TensorFile damaged;
    BoostedTrees trees;
    std::string problem = parseSafetensors(content, damaged);
    if (problem.empty())
      problem = trees.read(damaged);
    refused += !problem.empty();
    if (problem.empty() && trees.columns <= 2)
      for (float sum : trees.predict(rows.data(), trees.columns == 2 ? 3 : 6))
        EXPECT_FALSE(std::isnan(sum));
    if (problem.empty() && trees.columns <= 2)
      trees.spread(rows.data(), trees.columns == 2 ? 3 : 6);
  }
  EXPECT_GT(refused, 10000u);
  EXPECT_LT(refused, 20000u);
}

// The shipped trees can be read without the plug-in and without warnings.
TEST(BoostedTrees, ShippedTreesAreValid) {
  for (const char *kind : {"cpu", "gpu"}) {
    std::string path =
        std::string(PRUNER_PRETRAINED) + "/" + kind + ".safetensors";
    TensorFile file;
    ASSERT_EQ(readTensors(path, file), "");
    BoostedTrees trees;
    EXPECT_EQ(trees.read(file), "");
    EXPECT_GE(trees.trees(), 100u);
    CostModelOrError made = createModel("xgboost");
    ASSERT_TRUE(made.model) << made.error;
    EXPECT_EQ(loadWeights(*made.model, path), "");
  }
}
