//===- ReplayTest.cpp - replays of small graphs ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Analysis/Replay.h"

#include "gtest/gtest.h"

using namespace pruner;

static ReplayNode node(double seconds,
                       std::initializer_list<unsigned> after = {},
                       std::optional<unsigned> device = 0, double gap = 0) {
  return {seconds, gap, after, device};
}

static ReplayResult replayed(const std::vector<ReplayNode> &nodes,
                             unsigned devices) {
  llvm::Expected<ReplayResult> result = replayGraph(nodes, devices);
  EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
  return *result;
}

static std::vector<double> starts(const ReplayResult &result) {
  std::vector<double> times;
  for (const ReplayedNode &node : result.nodes)
    times.push_back(node.start);
  return times;
}

TEST(Replay, OneQueueAddsUp) {
  ReplayResult result = replayed({node(1), node(2, {0}), node(4)}, 1);
  EXPECT_EQ(result.seconds, 7);
  // The second was ready at 1, the third at 0.
  EXPECT_EQ(starts(result), (std::vector<double>{0, 5, 1}));
  EXPECT_EQ(replayed({}, 1).seconds, 0);
}

TEST(Replay, GapsKeepDeviceAndSuccessorsWaiting) {
  ReplayResult result =
      replayed({node(1, {}, 0, 0.5), node(1, {0}, 1), node(1, {}, 0)}, 2);
  EXPECT_EQ(starts(result), (std::vector<double>{0, 1.5, 1.5}));
  EXPECT_EQ(replayed({node(1, {}, 0, 0.5)}, 1).seconds, 1.5);
}

// A diamond whose branches run concurrently on two devices.
TEST(Replay, DevicesRunConcurrently) {
  std::vector<ReplayNode> diamond = {node(1), node(5, {0}), node(3, {0}, 1),
                                     node(1, {1, 2})};
  ReplayResult result = replayed(diamond, 2);
  EXPECT_EQ(starts(result), (std::vector<double>{0, 1, 1, 6}));
  EXPECT_EQ(result.seconds, 7);
  diamond[2].device = 0;
  EXPECT_EQ(replayed(diamond, 2).seconds, 10);
}

// A node does not delay one that was ready earlier.
TEST(Replay, EarliestReadyNodeRunsFirst) {
  ReplayResult result = replayed(
      {node(3), node(1, {}, 1), node(2, {1}, 1), node(1, {0}), node(1, {1})},
      2);
  // Node 4 is ready at 1, node 3 at 3, when the device becomes free.
  EXPECT_EQ(starts(result), (std::vector<double>{0, 0, 1, 4, 3}));
  EXPECT_EQ(result.seconds, 5);
}

TEST(Replay, NodesWithoutADeviceTakeTheFirstFreeOne) {
  ReplayResult result = replayed({node(4, {}, {}), node(1, {}, {}),
                                  node(1, {}, {}), node(1, {0, 1, 2}, {})},
                                 2);
  EXPECT_EQ(starts(result), (std::vector<double>{0, 0, 1, 4}));
  EXPECT_EQ(result.nodes[1].device, 1u);
  EXPECT_EQ(result.nodes[2].device, 1u);
  EXPECT_EQ(result.seconds, 5);
}

static std::string problem(const std::vector<ReplayNode> &nodes,
                           unsigned devices) {
  llvm::Expected<ReplayResult> result = replayGraph(nodes, devices);
  return result ? "" : llvm::toString(result.takeError());
}

TEST(Replay, RejectsInvalidGraphs) {
  EXPECT_EQ(problem({node(1)}, 0),
            "node 0 runs on device 0, but there are only 0");
  EXPECT_EQ(problem({node(1, {}, {})}, 0), "expected at least one device");
  EXPECT_EQ(problem({node(1, {1}), node(1, {0})}, 1), "the graph has a cycle");
  EXPECT_EQ(problem({node(1, {7})}, 1),
            "node 0 needs node 7, but there are only 1");
  EXPECT_EQ(problem({node(1, {}, 2)}, 1),
            "node 0 runs on device 2, but there are only 1");
}
