//===- StrategyModelsTest.cpp - strategies and their models ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Strategies/DraftVerify.h"

#include "StrategyFixtures.h"

#include "gtest/gtest.h"

using namespace pruner;
using namespace pruner::test;

namespace {
/// A model that does not learn and has no file.
struct FixedModel : CostModel {
  FeatureParts reads() const override { return {true, false}; }
  TrainingReport update(const std::vector<ProgramFeatures> &,
                        const std::vector<float> &,
                        const std::vector<int> &) override {
    return {};
  }
  std::string save(TensorFile &) const override { return "no"; }
  std::string load(const TensorFile &) override { return "no"; }
  std::string describe() const override { return name(); }
};
} // namespace

// Without training, the first batch is in the order of the analytical model,
// except for the random share.
TEST(SearchStrategy, FirstBatchIsTheDraftOrder) {
  TaskDesc task = matmul(256, 256, 256);
  ScheduleSpace space(task, cpu());
  std::unique_ptr<CostModel> model = createLinearModel();
  auto strategy = createSearch("draft-verify", space, model.get(), small(1));
  std::vector<Trial> batch = strategy->propose(10);
  ASSERT_EQ(batch.size(), 10u);
  for (unsigned i = 1; i < 9; ++i) {
    EXPECT_FALSE(batch[i].random);
    EXPECT_GE(batch[i].draftSeconds, batch[i - 1].draftSeconds * (1 - 1e-6));
  }
  EXPECT_TRUE(batch[9].random);
  // No neighbor of the first draft is predicted to be faster.
  DraftModel drafting(task, space.machine(), {});
  for (const Schedule &neighbor : space.neighbors(batch.front().schedule))
    EXPECT_GE(drafting(neighbor), batch.front().draftSeconds * (1 - 1e-6));
  EXPECT_GT(strategy->lastRound().draftEvaluations, 3 * 192u);
  EXPECT_EQ(strategy->lastRound().modelEvaluations, 64u + 192 + 192 + 10);
  // The drafts are used for a second round.
  strategy->propose(10);
  EXPECT_EQ(strategy->lastRound().draftEvaluations, 0u);
}

// A model with the reverse order of the analytical model has no influence at
// first, half of a batch after `trustAfter` measurements, and, if trusted from
// the start, all of it except the share of drafts.
TEST(SearchStrategy, TrustInTheModelGrows) {
  struct Contrary : FixedModel {
    std::string name() const override { return "contrary"; }
    std::vector<float>
    predict(const std::vector<ProgramFeatures> &programs) override {
      std::vector<float> scores;
      for (size_t i = 0; i < programs.size(); ++i)
        scores.push_back(float(i)); // Prefers the last draft.
      return scores;
    }
  } contrary;
  TaskDesc task = matmul(256, 256, 256);
  ScheduleSpace space(task, cpu());
  // Counts how many of a batch of ten are among the ten best remaining drafts.
  auto drafts = [&](unsigned trustAfter, unsigned measured,
                    double draftShare = 0) {
    SearchOptions options = small(1);
    options.randomShare = 0;
    options.pretrained = trustAfter == 0;
    DraftVerify given;
    given.trustAfter = trustAfter;
    given.childrenAfter = 1u << 30; // Drafts only.
    auto strategy = given.createSearch(space, &contrary, options);
    auto reference = given.createSearch(space, nullptr, options);
    Random random(7);
    std::vector<Trial> observed;
    for (unsigned n = 0; n < measured; ++n)
      observed.push_back(trialOf(*space.sample(random), 1.0));
    reference->observe(observed);
    strategy->observe(observed);
    strategy->setDraftShare(draftShare);
    std::set<std::string> best;
    for (const Trial &candidate : reference->propose(10))
      best.insert(scheduleKey(candidate.schedule));
    unsigned count = 0;
    for (const Trial &candidate : strategy->propose(10))
      count += best.count(scheduleKey(candidate.schedule));
    return count;
  };
  EXPECT_EQ(drafts(20, 0), 10u);
  EXPECT_EQ(drafts(20, 20), 5u);
  EXPECT_EQ(drafts(0, 20), 0u);
  EXPECT_EQ(drafts(0, 20, 0.4), 4u);
  EXPECT_EQ(drafts(0, 20, 1), 10u);
}

// Random candidates and given schedules have scores, too.
TEST(SearchStrategy, EveryCandidateIsScored) {
  struct Constant : FixedModel {
    std::string name() const override { return "constant"; }
    std::vector<float>
    predict(const std::vector<ProgramFeatures> &programs) override {
      return std::vector<float>(programs.size(), 3);
    }
  } model;
  TaskDesc task = matmul(64, 64, 64);
  ScheduleSpace space(task, cpu());
  for (llvm::StringRef name : {"draft-verify", "learned-all"}) {
    SearchOptions options = small(1);
    options.randomShare = 0.5;
    auto strategy = createSearch(name, space, &model, options);
    unsigned random = 0;
    for (const Trial &candidate : strategy->propose(10)) {
      EXPECT_EQ(candidate.score, 3);
      random += candidate.random;
    }
    EXPECT_EQ(random, 5u);
    EXPECT_EQ(strategy->judge(*space.defaultSchedule()).score, 3);
  }
  auto unlearned = createSearch("draft-verify", space, nullptr, small(1));
  for (const Trial &candidate : unlearned->propose(4)) {
    EXPECT_EQ(candidate.score, std::nullopt);
    EXPECT_GT(candidate.draftSeconds, 0);
  }
}

// Of the random picks, those are proposed that the model is least certain of:
// here the last ones, and the first ones of a model that cannot tell.
TEST(SearchStrategy, RandomCandidatesAreTheLeastCertain) {
  struct Doubtful : FixedModel {
    bool tells = false;
    size_t asked = 0;
    std::string name() const override { return "doubtful"; }
    bool hasSpread() const override { return true; }
    std::vector<float>
    predict(const std::vector<ProgramFeatures> &programs) override {
      return std::vector<float>(programs.size(), 3);
    }
    std::vector<float>
    spread(const std::vector<ProgramFeatures> &programs) override {
      asked = programs.size();
      std::vector<float> result;
      for (size_t i = 0; tells && i < programs.size(); ++i)
        result.push_back(float(i));
      return result;
    }
  };
  TaskDesc task = matmul(64, 64, 64);
  ScheduleSpace space(task, cpu());
  SearchOptions options = small(1);
  options.randomShare = 0.5;
  auto randoms = [&](bool tells) {
    Doubtful model;
    model.tells = tells;
    std::vector<std::string> found;
    auto strategy = createSearch("draft-verify", space, &model, options);
    for (const Trial &candidate : strategy->propose(10))
      if (candidate.random)
        found.push_back(scheduleKey(candidate.schedule));
    EXPECT_EQ(model.asked, 30u);
    return found;
  };
  std::vector<std::string> first = randoms(false), last = randoms(true);
  EXPECT_EQ(first.size(), 5u);
  EXPECT_EQ(last.size(), 5u);
  for (const std::string &key : last)
    EXPECT_FALSE(llvm::is_contained(first, key));
}

TEST(SearchStrategy, FailedModelsDoNotStopTheSearch) {
  struct Broken : FixedModel {
    std::string name() const override { return "broken"; }
    std::vector<float>
    predict(const std::vector<ProgramFeatures> &programs) override {
      return std::vector<float>(programs.size(),
                                -std::numeric_limits<float>::infinity());
    }
    std::string lastError() const override { return "out of memory"; }
  } broken;
  ScheduleSpace space(matmul(64, 64, 64), cpu());
  auto strategy = createSearch("draft-verify", space, &broken, small(1));
  EXPECT_EQ(strategy->propose(10).size(), 10u);
  EXPECT_EQ(strategy->lastRound().modelError, "out of memory");
}

// Inputs that a model does not read are not computed, for candidates and for
// training.
TEST(SearchStrategy, ModelsGetTheirInputs) {
  struct Reader : FixedModel {
    explicit Reader(FeatureParts parts) : parts(parts) {}
    std::string name() const override { return "reader"; }
    FeatureParts reads() const override { return parts; }
    std::vector<float>
    predict(const std::vector<ProgramFeatures> &programs) override {
      check(programs);
      return std::vector<float>(programs.size(), 0);
    }
    TrainingReport update(const std::vector<ProgramFeatures> &programs,
                          const std::vector<float> &,
                          const std::vector<int> &) override {
      check(programs);
      return {};
    }
    void check(const std::vector<ProgramFeatures> &programs) {
      for (const ProgramFeatures &program : programs) {
        EXPECT_TRUE(program.isValid(parts));
        EXPECT_EQ(program.statements.empty(), !parts.statements);
        EXPECT_EQ(program.terms.empty(), !parts.terms);
        EXPECT_EQ(program.primitives.empty(), !parts.primitives);
        EXPECT_EQ(program.platform, parts.primitives ? "cpu:test" : "");
      }
      checked += programs.size();
    }
    FeatureParts parts;
    size_t checked = 0;
  };
  ScheduleSpace space(matmul(64, 64, 64), cpu());
  for (FeatureParts parts : {FeatureParts{true, false},
                             {false, true},
                             {true, true},
                             {false, false, true},
                             {true, false, true}}) {
    Reader reader(parts);
    auto strategy = createSearch("draft-verify", space, &reader, small(1));
    std::vector<Trial> candidates = strategy->propose(4);
    size_t scored = reader.checked;
    EXPECT_GT(scored, 0u);
    // A program is built and summarized only for a model that reads it.
    EXPECT_EQ(strategy->lastRound().summaries > 0, parts.ofPrograms());
    TrainingData data(reader.reads());
    for (const Trial &candidate : candidates)
      data.add(space, trialOf(candidate.schedule, 1.0));
    data.train(reader);
    EXPECT_EQ(reader.checked, scored + candidates.size());
  }
}
