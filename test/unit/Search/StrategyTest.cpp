//===- StrategyTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Strategies/DraftVerify.h"

#include "TaskFixtures.h"

#include "pruner/Analysis/Legality.h"
#include "pruner/CostModel/ModelKind.h"
#include "pruner/Search/Strategy.h"
#include "pruner/Search/Training.h"

#include "gtest/gtest.h"

#include <cmath>
#include <numeric>

using namespace pruner;
using namespace pruner::test;

/// A device that differs from the analytical model: other caches, another
/// clock, a cost of unrolling that the model does not have, and 20 % noise per
/// schedule.
static double fakeDevice(const TaskDesc &task, const Schedule &schedule) {
  Machine other = cpu();
  other.l1Bytes = 48 << 10;
  other.l2Bytes = 512 << 10;
  other.memoryBandwidth = 12e9;
  ProgramSummary summary = summarize(task, buildTiledProgram(task, schedule));
  PsaReport report = analyzePsa(summary, other);
  double seconds = 0;
  for (const StatementPsa &statement : report.statements)
    seconds +=
        std::max(statement.computeSeconds, 1.5 * statement.memorySeconds);
  seconds *= 1 + 0.05 * std::abs(std::log2(double(schedule.unroll) / 4));
  uint64_t hash = 1469598103934665603u;
  for (char c : scheduleKey(schedule))
    hash = (hash ^ uint64_t(uint8_t(c))) * 1099511628211u;
  return seconds * (1 + 0.2 * double(hash % 1024) / 1024);
}

static std::unique_ptr<TaskSearch>
createSearch(llvm::StringRef name, const ScheduleSpace &space, CostModel *model,
             const SearchOptions &options = {}) {
  return findSearchStrategy(name)->createSearch(space, model, options);
}

static Trial trialOf(const Schedule &schedule, std::optional<double> seconds,
                     unsigned task = 0) {
  Trial trial;
  trial.schedule = schedule;
  trial.seconds = seconds;
  trial.task = task;
  return trial;
}

static SearchOptions small(uint64_t seed) {
  SearchOptions options;
  options.seed = seed;
  options.population = 192;
  options.draftSize = 64;
  return options;
}

static std::unique_ptr<CostModel> createLinearModel() {
  return createCostModel("linear").model;
}

/// Returns the best time after `rounds` rounds of 10 on the fake device.
static double tune(llvm::StringRef name, const TaskDesc &task, uint64_t seed,
                   unsigned rounds) {
  ScheduleSpace space(task, cpu());
  std::unique_ptr<CostModel> model = createLinearModel();
  SearchOptions options = small(seed);
  std::unique_ptr<TaskSearch> strategy =
      createSearch(name, space, model.get(), options);
  TrainingData data(model->reads());
  for (unsigned round = 0; round < rounds; ++round) {
    std::vector<Trial> results;
    for (const Trial &candidate : strategy->propose(10))
      results.push_back(
          trialOf(candidate.schedule, fakeDevice(task, candidate.schedule)));
    strategy->observe(results);
    data.add(space, results);
    data.train(*model);
  }
  return *strategy->best()->seconds;
}

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

static double geometricMean(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += std::log(value);
  return std::exp(sum / double(values.size()));
}

TEST(SearchStrategy, NamesAreKnown) {
  ScheduleSpace space(matmul(32, 32, 32), cpu());
  for (const SearchStrategy *strategy : searchStrategies()) {
    llvm::StringRef name = strategy->name();
    EXPECT_EQ(findSearchStrategy(name), strategy);
    EXPECT_TRUE(strategy->createSearch(space, nullptr, {}));
    EXPECT_TRUE(strategyHelp().contains(("\n'" + name + "': ").str()));
    EXPECT_TRUE(strategy->usesModel() || !strategy->needsModel());
  }
  EXPECT_EQ(findSearchStrategy("annealing"), nullptr);
  EXPECT_EQ(strategyNames(" or ", &SearchStrategy::measuresKnown),
            "'draft-verify' or 'draft-only'");
}

TEST(SearchStrategy, ProposalsAreLegalNewAndDeterministic) {
  TaskDesc task = matmul(127, 96, 130);
  ScheduleSpace space(task, cpu());
  for (const SearchStrategy *strategy : searchStrategies()) {
    std::unique_ptr<CostModel> m1 = createLinearModel(),
                               m2 = createLinearModel();
    auto a = strategy->createSearch(space, m1.get(), small(11));
    auto b = strategy->createSearch(space, m2.get(), small(11));
    std::set<std::string> proposed;
    for (unsigned round = 0; round < 3; ++round) {
      std::vector<Trial> first = a->propose(10), second = b->propose(10);
      ASSERT_EQ(first.size(), 10u) << strategy->name().str();
      ASSERT_EQ(second.size(), 10u);
      std::vector<Trial> results;
      for (unsigned i = 0; i < 10; ++i) {
        EXPECT_TRUE(first[i].schedule == second[i].schedule)
            << strategy->name().str();
        EXPECT_FALSE(checkSchedule(task, first[i].schedule, cpu()));
        EXPECT_TRUE(proposed.insert(scheduleKey(first[i].schedule)).second);
        EXPECT_GT(first[i].draftSeconds, 0);
        results.push_back(trialOf(first[i].schedule, 1.0 + i));
      }
      a->observe(results);
      b->observe(results);
    }
  }
}

TEST(SearchStrategy, AnotherSeedProposesOtherSchedules) {
  ScheduleSpace space(matmul(127, 96, 130), cpu());
  auto a = createSearch("draft-verify", space, nullptr, small(1));
  auto b = createSearch("draft-verify", space, nullptr, small(2));
  unsigned same = 0;
  std::vector<Trial> first = a->propose(10), second = b->propose(10);
  for (unsigned i = 0; i < 10; ++i)
    same += first[i].schedule == second[i].schedule;
  EXPECT_LT(same, 10u);
}

// With the same number of trials, children of fast schedules reach faster ones
// than random draws, in the geometric mean of several seeds.
TEST(SearchStrategy, GeneticSearchImprovesOnItsParents) {
  TaskDesc task = matmul(127, 96, 130);
  ScheduleSpace space(task, cpu());
  auto bestOf = [&](const char *strategy, uint64_t seed) {
    auto search = createSearch(strategy, space, nullptr, small(seed));
    for (unsigned round = 0; round < 8; ++round) {
      std::vector<Trial> results;
      for (const Trial &candidate : search->propose(20)) {
        EXPECT_FALSE(candidate.score) << "no model predicts scores";
        results.push_back(
            trialOf(candidate.schedule, fakeDevice(task, candidate.schedule)));
      }
      EXPECT_EQ(results.size(), 20u);
      search->observe(results);
    }
    return *search->best()->seconds;
  };
  double logarithms = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    auto random = createSearch("random", space, nullptr, small(seed));
    std::vector<Trial> results;
    for (const Trial &candidate : random->propose(160))
      results.push_back(
          trialOf(candidate.schedule, fakeDevice(task, candidate.schedule)));
    random->observe(results);
    logarithms += std::log(bestOf("genetic", seed) / *random->best()->seconds);
  }
  EXPECT_LT(std::exp(logarithms / 8), 0.97);
}

// Half of the schedules of a survey are random. The other half is like those of
// a search: faster in the median, and not only the best.
TEST(SearchStrategy, SurveysSpread) {
  TaskDesc task = matmul(127, 96, 130);
  ScheduleSpace space(task, cpu());
  auto survey = createSearch("survey", space, nullptr, small(3));
  std::vector<double> random, searched;
  for (unsigned round = 0; round < 6; ++round) {
    std::vector<Trial> results;
    unsigned randoms = 0;
    for (const Trial &candidate : survey->propose(20)) {
      double seconds = fakeDevice(task, candidate.schedule);
      results.push_back(trialOf(candidate.schedule, seconds));
      (candidate.random ? random : searched).push_back(seconds);
      randoms += candidate.random;
    }
    ASSERT_EQ(results.size(), 20u);
    // Nothing is measured before the first round, so there are no children.
    EXPECT_EQ(randoms, 10u);
    survey->observe(results);
  }
  llvm::sort(random);
  llvm::sort(searched);
  EXPECT_LT(2 * searched[searched.size() / 2], random[random.size() / 2]);
  EXPECT_GT(searched[searched.size() * 3 / 4], 1.3 * searched.front());
}

// An interrupted and resumed run continues as if it had not been interrupted,
// in the middle of a draft period as well as at its start.
TEST(SearchStrategy, ResumedRunsContinueAlike) {
  TaskDesc task = matmul(127, 96, 130);
  ScheduleSpace space(task, cpu());
  for (const SearchStrategy *strategy : searchStrategies())
    for (unsigned cut : {1u, 2u}) {
      std::unique_ptr<CostModel> model = createLinearModel();
      auto whole = strategy->createSearch(space, model.get(), small(5));
      TrainingData data(model->reads());
      for (unsigned round = 0; round < cut; ++round) {
        std::vector<Trial> results;
        for (const Trial &c : whole->propose(10))
          results.push_back(trialOf(c.schedule, fakeDevice(task, c.schedule)));
        results[3].seconds = std::nullopt;
        whole->observe(results);
        data.add(space, results);
        data.train(*model);
      }
      std::unique_ptr<CostModel> again = createLinearModel();
      TrainingData recorded(again->reads());
      recorded.add(space, whole->observed());
      recorded.train(*again);
      auto resumed = strategy->createSearch(space, again.get(), small(5));
      resumed->resume(cut, whole->observed());
      std::vector<Trial> expected = whole->propose(10),
                         found = resumed->propose(10);
      ASSERT_EQ(expected.size(), found.size());
      for (unsigned i = 0; i < found.size(); ++i)
        EXPECT_TRUE(expected[i].schedule == found[i].schedule)
            << strategy->name().str() << " after " << cut;
    }
}

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
  EXPECT_EQ(strategy->lastRound().draftEvaluations, 3 * 192u);
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

/// Returns the number of dimensions with equal factors in both.
static unsigned commonTiles(const Schedule &a, const Schedule &b) {
  unsigned same = 0;
  if (a.sketch == b.sketch)
    for (auto [left, right] : llvm::zip_equal(a.tiles, b.tiles))
      same += left == right;
  return same;
}

// Without a model, children of the fastest schedules take the place of its
// choice; many small batches have as many of them as one large batch.
TEST(SearchStrategy, FastestSchedulesHaveChildren) {
  TaskDesc task = matmul(96, 80, 112);
  ScheduleSpace space(task, cpu());
  Random random(11);
  std::vector<Trial> observed;
  while (observed.size() < 12)
    observed.push_back(trialOf(*space.sample(random), 1.0));
  // A time below every prediction for drafts.
  observed.back().seconds = 1e-9;
  const Schedule &parent = observed.back().schedule;
  for (unsigned batch : {20u, 1u}) {
    SearchOptions options = small(3);
    options.randomShare = 0;
    DraftVerify given;
    given.childrenAfter = unsigned(observed.size());
    given.redraftPeriod = 100;
    auto strategy = given.createSearch(space, nullptr, options);
    strategy->observe(observed);
    unsigned children = 0;
    for (unsigned n = 0; n < 20; n += batch)
      for (const Trial &candidate : strategy->propose(batch))
        children += commonTiles(candidate.schedule, parent) >= 2;
    EXPECT_GE(children, 8u) << batch;
    EXPECT_LE(children, 13u) << batch;
  }
}

TEST(SearchStrategy, ExhaustiveEndsWithEverySchedule) {
  TaskDesc task = elementwise(4, 8);
  ScheduleSpace space(task, cpu());
  auto strategy = createSearch("exhaustive", space, nullptr);
  std::set<std::string> proposed;
  for (std::vector<Trial> batch = strategy->propose(7); !batch.empty();
       batch = strategy->propose(7))
    for (const Trial &candidate : batch)
      EXPECT_TRUE(proposed.insert(scheduleKey(candidate.schedule)).second);
  unsigned legal = 0;
  for (uint64_t i = 0; i < uint64_t(space.size()); ++i)
    legal += bool(space.at(i));
  EXPECT_EQ(proposed.size(), legal);
  // The other strategies end as well, without repetitions.
  auto random = createSearch("random", space, nullptr);
  unsigned total = 0;
  for (unsigned round = 0; round < legal; ++round)
    total += random->propose(7).size();
  EXPECT_LE(total, legal);
  EXPECT_GT(total, legal / 2);
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

TEST(TrainingData, LabelsAreRelativeToTheTasksBest) {
  ScheduleSpace space(matmul(64, 64, 64), cpu());
  Random random(1);
  Schedule s = *space.sample(random);
  TrainingData data({false, false});
  data.add(space, {trialOf(s, 2.0), trialOf(s, std::nullopt)});
  data.add(space, trialOf(s, 8.0, 1));
  EXPECT_EQ(data.labels(), (std::vector<float>{1, 0, 1}));
  data.add(space, trialOf(s, 1.0));
  EXPECT_EQ(data.labels(), (std::vector<float>{0.5, 0, 1, 1}));
}

// With the same 60 trials, drafting finds faster schedules than random search,
// which draws from the same biased space: at least 1.1 times as fast in the
// mean of three tasks and three seeds, and never slower by more than the noise
// of the fake device, which is up to 1.2.
TEST(SearchStrategy, DraftVerifyBeatsRandom) {
  std::vector<double> ratios;
  for (const TaskDesc &task :
       {matmul(511, 513, 509), matmul(65, 1024, 1024), matmul(128, 3072, 768)})
    for (uint64_t seed : {1, 2, 3}) {
      double drafted = tune("draft-verify", task, seed, 6);
      ratios.push_back(tune("random", task, seed, 6) / drafted);
      EXPECT_GT(ratios.back(), 1 / 1.2);
      // Up to 1.2 is noise; the rest is loop starts, edges, packing and memory.
      EXPECT_LT(drafted, 2.2 * task.flops() / cpu().peakFlops);
    }
  EXPECT_GT(geometricMean(ratios), 1.1);
}

// Compared with the Ansor loop with the same model, space and trials.
TEST(SearchStrategy, DraftVerifyBeatsLearnedAllEarly) {
  std::vector<double> ratios;
  TaskDesc task = matmul(511, 513, 509);
  for (uint64_t seed : {1, 2, 3, 4})
    ratios.push_back(tune("learned-all", task, seed, 3) /
                     tune("draft-verify", task, seed, 3));
  EXPECT_GT(geometricMean(ratios), 1.1);
}
