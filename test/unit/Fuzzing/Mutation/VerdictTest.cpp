//===- VerdictTest.cpp - classification of mutants ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verdict.h"

#include "Fuzzing/Schedules/Forked.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace pruner;

namespace {

/// The observation of a kernel that ran to its end, with one output per set.
Observation seen(std::vector<std::pair<double, int64_t>> results,
                 uint64_t hash = 1) {
  Observation observation;
  observation.state = Observation::State::Done;
  for (auto [difference, differing] : results) {
    Observation::Result result = {};
    result.difference = difference;
    result.differing = differing;
    result.hash = hash;
    observation.results[observation.numResults++] = result;
  }
  return observation;
}

/// Two correct kernels on two sets of the verification and another one.
class VerdictTest : public testing::Test {
protected:
  VerdictTest() : kernels(2, {0x1p-24}) {
    kernels.add(seen({{0, 0}, {1e-6, 10}, {1e-6, 10}}));
    kernels.add(seen({{0, 0}, {2e-6, 7}, {1e-6, 10}}));
  }

  Verdict of(const Observation &mutant) {
    return judge(mutant, {1, 1, 1}, kernels);
  }
  static Observation rejected(Observation observation) {
    copyText(observation.rejected, "1 of 10 elements differ");
    return observation;
  }

  RightKernels kernels;
};

TEST_F(VerdictTest, TheSameBitsAreEquivalent) {
  EXPECT_EQ(of(seen({{0, 0}, {2e-6, 7}, {1e-6, 10}}, /*hash=*/1)),
            Verdict::Equivalent);
}

TEST_F(VerdictTest, EightTimesTheSpreadIsNear) {
  EXPECT_EQ(of(seen({{0, 0}, {16e-6, 99}, {1e-6, 10}}, 2)), Verdict::Near);
  EXPECT_EQ(of(seen({{0, 0}, {17e-6, 1}, {1e-6, 10}}, 2)), Verdict::Survived);
}

TEST_F(VerdictTest, AnyDifferenceCountsWhereRightKernelsAgree) {
  EXPECT_EQ(of(seen({{1e-30, 1}, {0, 0}, {0, 0}}, 2)), Verdict::Survived);
}

TEST_F(VerdictTest, RandomAccuracyOfCorrectKernelsDoesNotCount) {
  // A result near 1 that correct kernels happen to reach within a 100th of an
  // ulp.
  RightKernels lucky(1, {0x1p-24});
  lucky.add(seen({{0x1p-30, 7}}));
  Observation next = seen({{0x1p-23, 7}}, 2);
  next.results[0].want = 1;
  EXPECT_EQ(judge(next, {1}, lucky), Verdict::Near);
  next.results[0].difference = 0x1p-20;
  EXPECT_EQ(judge(next, {1}, lucky), Verdict::Survived);
}

TEST_F(VerdictTest, NotANumberIsWrong) {
  EXPECT_EQ(of(seen({{0, 0}, {INFINITY, 1}, {0, 0}}, 2)), Verdict::Survived);
}

TEST_F(VerdictTest, MutantsThatTheCheckRejectsAreRejected) {
  EXPECT_EQ(of(rejected(seen({{0, 0}, {1, 1}, {0, 0}}, 2))), Verdict::Rejected);
}

TEST_F(VerdictTest, FaultsThatOnlyOtherInputsShowAreUnseen) {
  EXPECT_EQ(of(seen({{0, 0}, {0, 0}, {1, 1}}, 2)), Verdict::Unseen);
  // Rejected, but not certainly wrong.
  EXPECT_EQ(of(rejected(seen({{0, 0}, {0, 0}, {1, 1}}, 2))), Verdict::Near);
}

TEST_F(VerdictTest, AFaultEndsAMutant) {
  Observation crashed = seen({{0, 0}});
  crashed.state = Observation::State::Running;
  EXPECT_EQ(of(crashed), Verdict::Rejected);
  // After the sets of the verification.
  Observation late = seen({{0, 0}, {0, 0}});
  late.state = Observation::State::Running;
  EXPECT_EQ(of(late), Verdict::Unseen);
}

TEST_F(VerdictTest, UnbuiltMutantsDoNotCount) {
  Observation none;
  none.state = Observation::State::Unbuilt;
  EXPECT_EQ(of(none), Verdict::Unbuilt);
}

TEST_F(VerdictTest, IntegersThatRoundAreCounted) {
  // No further off than correct kernels, but in many more elements.
  RightKernels rounding(1, {0}); // Integers.
  rounding.add(seen({{1, 2}}));
  EXPECT_EQ(judge(seen({{1, 16}}, 2), {1}, rounding), Verdict::Near);
  EXPECT_EQ(judge(seen({{1, 17}}, 2), {1}, rounding), Verdict::Survived);
}

TEST_F(VerdictTest, TheWorstOfTheChecksOwnSetsIsShown) {
  EXPECT_EQ(kernels.wrongResult(seen({{0, 0}, {1, 1}, {9, 9}})), 1u);
  EXPECT_EQ(kernels.wrongResult(seen({{0, 0}, {0, 0}, {9, 9}})), 2u);
  EXPECT_EQ(kernels.wrongResult(seen({{0, 0}, {0, 0}, {0, 0}})), std::nullopt);
}

} // namespace
