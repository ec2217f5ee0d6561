//===- RoundsTest.cpp - interrupt and continue rounds ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rounds.h"
#include "Strategies/DraftVerify.h"

#include "RecordFixtures.h"

#include "pruner/Support/Hashing.h"

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

namespace {

/// A model whose scores depend on its last training or, if updates continue, on
/// all trainings. Some trainings fail.
class ScriptedModel : public CostModel {
public:
  explicit ScriptedModel(bool fromScratch) : fromScratch(fromScratch) {}

  std::string name() const override { return "scripted"; }
  FeatureParts reads() const override { return {true, false}; }
  std::vector<float>
  predict(const std::vector<ProgramFeatures> &programs) override {
    std::vector<float> scores;
    for (const ProgramFeatures &program : programs) {
      double sum = 0;
      for (float feature : program.statements)
        sum += feature;
      scores.push_back(float(std::fmod(sum * state, 1.0)));
    }
    return scores;
  }
  TrainingReport update(const std::vector<ProgramFeatures> &programs,
                        const std::vector<float> &labels,
                        const std::vector<int> &groups) override {
    EXPECT_EQ(programs.size(), labels.size());
    EXPECT_EQ(programs.size(), groups.size());
    asked.push_back(programs.size());
    TrainingReport report;
    report.trained = programs.size() % 5 != 4;
    if (!report.trained)
      return report;
    ++trained;
    double sum = 0.1 * double(programs.size());
    for (size_t i = 0; i < labels.size(); ++i)
      sum += labels[i] * (1 + groups[i]) / double(i + 1);
    state = fromScratch ? 1 + sum : std::fmod(1.7 * state + sum, 97);
    return report;
  }
  bool updatesFromScratch() const override { return fromScratch; }
  std::string save(TensorFile &) const override { return "no"; }
  std::string load(const TensorFile &) override { return "no"; }
  std::string describe() const override { return "scripted"; }

  std::vector<size_t> asked; ///< Measurements of each training.
  unsigned trained = 0;

private:
  bool fromScratch;
  double state = 1;
};

/// A tiny product whose space has 72 points.
const char *const kTiny = R"mlir(
  func.func @tiny(%x: tensor<1x1xf32>, %y: tensor<1x1xf32>) -> tensor<1x1xf32> {
    %zero = arith.constant 0.0 : f32
    %g = tensor.empty() : tensor<1x1xf32>
    %k = linalg.fill ins(%zero : f32) outs(%g : tensor<1x1xf32>)
           -> tensor<1x1xf32>
    %0 = linalg.matmul ins(%x, %y : tensor<1x1xf32>, tensor<1x1xf32>)
           outs(%k : tensor<1x1xf32>) -> tensor<1x1xf32>
    return %0 : tensor<1x1xf32>
  })mlir";

enum class Model { None, Scratch, Memory };

struct Case {
  const char *strategy;
  Model model;
  StringLiteral tasks; ///< a and b are the products, t and u tiny ones.
  unsigned batch;
  size_t trials = 22;
  bool ahead = false;
  double end = 0; ///< CertaintyOptions::below
  unsigned trustAfter = 6;
};

struct RoundsTest : ProductsFixture, testing::WithParamInterface<Case> {
  TimeSplit times;
  std::optional<double> end; ///< Replaces that of the parameter.
  DraftVerify draftVerify;

  void SetUp() override {
    draftVerify.trustAfter = GetParam().trustAfter;
    draftVerify.childrenAfter = 3;
    ASSERT_NO_FATAL_FAILURE(load(kTiny));
    ASSERT_EQ(tasks.size(), 3u);
    std::vector<ModuleTask> found = std::move(tasks);
    found.push_back(found.back());
    tasks.clear();
    for (char letter : GetParam().tasks)
      tasks.push_back(found[StringRef("abtu").find(letter)]);
  }

  std::unique_ptr<Rounds> makeRounds(CostModel *model, unsigned batch = 0) {
    RoundsOptions options;
    options.batch = batch ? batch : GetParam().batch;
    options.strategy = findSearchStrategy(GetParam().strategy);
    if (options.strategy == &strategies::draftVerify())
      options.strategy = &draftVerify;
    options.search.population = 24;
    options.search.draftSize = 12;
    options.search.pretrained = GetParam().trustAfter == 0;
    options.prefetch = GetParam().ahead;
    options.certainty = {end.value_or(GetParam().end), 2};
    return std::make_unique<Rounds>(tasks, environment.machine, model, options,
                                    times);
  }

  static std::unique_ptr<ScriptedModel> makeModel() {
    Model kind = GetParam().model;
    if (kind == Model::None)
      return nullptr;
    return std::make_unique<ScriptedModel>(kind == Model::Scratch);
  }
};

/// Adds a result that depends only on the schedule.
void measure(Trial &trial) {
  uint64_t number = 0;
  StringRef(
      contentHash(std::to_string(trial.task) + scheduleKey(trial.schedule)))
      .take_front(8)
      .getAsInteger(16, number);
  if (number % 7 != 0)
    trial.seconds = 1e-6 * (1 + double(number % 1000) / 1000);
  trial.verified = trial.seconds && number % 11 != 0;
}

/// Continues until there are `total` trials. With `partly` the results of the
/// last candidates never arrive, as if a runner were lost. Prefetches whenever
/// the number of trials is a multiple of `ahead`.
void drive(Rounds &rounds, std::vector<Trial> &trials, size_t total,
           bool partly = false, unsigned ahead = 1) {
  for (size_t turn = 0; trials.size() < total; ++turn) {
    std::vector<Trial> candidates =
        rounds.next(unsigned(total - trials.size()));
    if (trials.size() % ahead == 0)
      rounds.prefetchRound();
    if (candidates.empty())
      return;
    ASSERT_LE(candidates.size(), total - trials.size());
    if (partly && turn % 3 != 2)
      candidates.resize(turn % 3 == 0 ? 0 : (candidates.size() + 1) / 2);
    for (Trial &trial : candidates) {
      measure(trial);
      rounds.add(trial);
      trials.push_back(std::move(trial));
    }
  }
}

/// Returns (task, round, schedule) of each trial.
std::vector<std::string> sequenceOf(ArrayRef<Trial> trials) {
  std::vector<std::string> lines;
  for (const Trial &trial : trials)
    lines.push_back(std::to_string(trial.task) + " " +
                    std::to_string(trial.round) + " " +
                    scheduleKey(trial.schedule));
  return lines;
}

TEST_P(RoundsTest, ResumedRunsContinueAlike) {
  const Case &of = GetParam();
  auto model = makeModel();
  std::vector<Trial> whole;
  auto uncut = makeRounds(model.get());
  drive(*uncut, whole, of.trials);
  std::vector<std::string> expected = sequenceOf(whole);
  // Two tiny spaces are exhausted before the trials are used up.
  if (of.end > 0)
    ASSERT_LE(whole.size(), of.trials);
  else if (of.trials < 1000)
    ASSERT_EQ(whole.size(), of.trials);
  else
    ASSERT_GE(whole.size(), 100u);
  // Each training has more measurements than the one before.
  if (model)
    ASSERT_EQ(llvm::adjacent_find(model->asked, std::greater_equal<>()),
              model->asked.end());
  for (size_t cut = 0; cut <= whole.size(); ++cut) {
    auto later = makeModel();
    auto rounds = makeRounds(later.get());
    std::vector<Trial> trials(whole.begin(), whole.begin() + cut);
    for (const Trial &trial : trials)
      rounds->add(trial);
    // Replayed trials train the model only when it is needed.
    if (later)
      EXPECT_TRUE(later->asked.empty());
    drive(*rounds, trials, of.trials);
    ASSERT_EQ(sequenceOf(trials), expected) << "cut after " << cut;
    for (unsigned n = 0; n < tasks.size(); ++n)
      EXPECT_EQ(rounds->best(n), uncut->best(n));
    if (of.model == Model::Memory && cut < whole.size())
      EXPECT_EQ(later->asked, model->asked) << "cut after " << cut;
    if (of.model == Model::Scratch)
      EXPECT_LE(later->trained, model->trained) << "cut after " << cut;
  }
}

TEST_P(RoundsTest, RepeatsLostCandidates) {
  const Case &of = GetParam();
  auto model = makeModel(), other = makeModel();
  std::vector<Trial> whole, trials;
  drive(*makeRounds(model.get()), whole, of.trials);
  drive(*makeRounds(other.get()), trials, of.trials, /*partly=*/true);
  // Every candidate comes once; those of a round stay together.
  std::set<std::string> seen;
  for (const std::string &line : sequenceOf(trials))
    EXPECT_TRUE(seen.insert(line).second) << line;
  EXPECT_EQ(sequenceOf(trials), sequenceOf(whole));
}

// Prefetching does not change the candidates.
TEST_P(RoundsTest, PrefetchingChangesNothing) {
  const Case &of = GetParam();
  std::vector<Trial> whole;
  auto model = makeModel();
  drive(*makeRounds(model.get()), whole, of.trials);
  for (unsigned ahead : {2u, 3u, 1000u}) {
    auto other = makeModel();
    std::vector<Trial> trials;
    drive(*makeRounds(other.get()), trials, of.trials, false, ahead);
    ASSERT_EQ(sequenceOf(trials), sequenceOf(whole)) << ahead;
  }
}

// A task whose last batches have equal predictions gets no more rounds.
TEST_P(RoundsTest, CertainTasksEnd) {
  const Case &of = GetParam();
  if (of.end == 0)
    return;
  auto lastRounds = [&] {
    auto model = makeModel();
    std::vector<Trial> trials;
    drive(*makeRounds(model.get()), trials, of.trials);
    std::vector<unsigned> last(tasks.size());
    for (const Trial &trial : trials)
      last[trial.task] = std::max(last[trial.task], trial.round);
    return std::pair(trials.size(), last);
  };
  auto [trials, rounds] = lastRounds();
  // With a large bound every task ends after two batches, and so does the run.
  end = 1e9;
  auto [fewest, first] = lastRounds();
  EXPECT_LT(fewest, of.trials);
  EXPECT_LT(fewest, trials);
  for (unsigned last : first)
    EXPECT_GE(last, 1u);
  end = 0;
  auto [most, all] = lastRounds();
  EXPECT_EQ(most, of.trials);
  EXPECT_NE(rounds, all);
}

std::string nameOf(const testing::TestParamInfo<Case> &info) {
  const Case &of = info.param;
  std::string name = of.strategy;
  llvm::replace(name, '-', '_');
  const char *const models[] = {"", "_scratch", "_memory"};
  return name + models[int(of.model)] + "_" + of.tasks.str() + "x" +
         std::to_string(of.batch) + (of.ahead ? "_ahead" : "") +
         (of.end > 0 ? "_ends" : "") + (of.trustAfter == 0 ? "_judged" : "");
}

INSTANTIATE_TEST_SUITE_P(
    Of, RoundsTest,
    testing::Values(
        Case{"random", Model::None, "a", 3},
        Case{"random", Model::None, "abt", 4},
        Case{"random", Model::None, "ab", 1},
        Case{"exhaustive", Model::None, "abt", 5},
        Case{"exhaustive", Model::None, "a", 4},
        Case{"draft-only", Model::None, "ab", 3},
        Case{"draft-only", Model::None, "abt", 10},
        Case{"draft-verify", Model::None, "abt", 3},
        Case{"draft-verify", Model::Scratch, "a", 2},
        Case{"draft-verify", Model::Scratch, "abt", 3},
        Case{"draft-verify", Model::Memory, "ab", 4},
        Case{"draft-verify", Model::Memory, "abt", 1},
        Case{"learned-all", Model::Scratch, "ab", 3},
        Case{"learned-all", Model::Memory, "abt", 4},
        Case{"draft-verify", Model::Memory, "tu", 20, 1000},
        Case{"exhaustive", Model::None, "ut", 10, 1000},
        Case{"draft-verify", Model::Memory, "at", 30, 120},
        Case{"random", Model::None, "a", 3, 22, true},
        Case{"random", Model::None, "ab", 1, 40, true},
        Case{"draft-verify", Model::None, "abt", 2, 40, true},
        Case{"draft-verify", Model::None, "ab", 3, 40, true},
        Case{"draft-verify", Model::Scratch, "abt", 2, 40, true},
        Case{"draft-verify", Model::Memory, "ab", 2, 40, true},
        Case{"learned-all", Model::Memory, "abt", 4, 40, true},
        Case{"draft-verify", Model::Memory, "tu", 20, 1000, true},
        Case{"exhaustive", Model::None, "ut", 10, 1000, true},
        Case{"draft-verify", Model::Scratch, "abt", 3, 50, false, 0.02},
        Case{"draft-verify", Model::Memory, "ab", 2, 50, false, 0.02},
        Case{"draft-verify", Model::Memory, "abt", 2, 50, true, 0.02},
        Case{"learned-all", Model::Scratch, "ab", 3, 50, true, 0.01},
        Case{"draft-verify", Model::Memory, "ab", 4, 50, false, 0, 0},
        Case{"draft-verify", Model::Memory, "abt", 3, 50, true, 0, 0}),
    nameOf);

struct RoundsOrder : RoundsTest {};

INSTANTIATE_TEST_SUITE_P(Of, RoundsOrder,
                         testing::Values(Case{"random", Model::Scratch, "ba",
                                              4}));

// One candidate of each task, largest share first, then more.
TEST_P(RoundsOrder, FirstRoundsAreInterleaved) {
  auto rounds = makeRounds(nullptr);
  std::vector<Trial> trials;
  drive(*rounds, trials, 8);
  std::vector<unsigned> order;
  for (const Trial &trial : trials)
    order.push_back(trial.task);
  EXPECT_EQ(order, (std::vector<unsigned>{1, 0, 1, 0, 1, 1, 0, 0}));
}

TEST_P(RoundsOrder, NextIsStableUntilResults) {
  auto rounds = makeRounds(nullptr);
  auto candidates = rounds->next(10), again = rounds->next(10);
  ASSERT_EQ(candidates.size(), again.size());
  for (auto [first, second] : llvm::zip_equal(candidates, again)) {
    EXPECT_EQ(first.task, second.task);
    EXPECT_EQ(first.schedule, second.schedule);
  }
}

// Several tasks at once in the first rounds, one task at a time afterwards.
TEST_P(RoundsOrder, SeveralTasksAtOnce) {
  auto rounds = makeRounds(nullptr);
  auto sizes = [&](unsigned most) {
    std::vector<std::pair<unsigned, size_t>> result;
    for (const Trial &candidate : rounds->next(most)) {
      if (result.empty() || result.back().first != candidate.task)
        result.push_back({candidate.task, 0});
      ++result.back().second;
    }
    return result;
  };
  using Sizes = std::vector<std::pair<unsigned, size_t>>;
  EXPECT_EQ(sizes(100),
            (Sizes{{1, 1}, {0, 1}, {1, 1}, {0, 1}, {1, 2}, {0, 2}}));
  EXPECT_EQ(sizes(5), (Sizes{{1, 1}, {0, 1}, {1, 1}, {0, 1}, {1, 1}}));
  std::vector<Trial> trials;
  drive(*rounds, trials, 8);
  EXPECT_EQ(sizes(100), (Sizes{{1, 4}}));
}

// Rounds of another batch size are complete, and later ones have the new size.
TEST_P(RoundsOrder, AnotherBatchSize) {
  std::vector<Trial> trials;
  drive(*makeRounds(nullptr), trials, 10);
  for (unsigned batch : {3u, 6u}) {
    auto rounds = makeRounds(nullptr, batch);
    std::vector<Trial> more = trials;
    for (const Trial &trial : more)
      rounds->add(trial);
    drive(*rounds, more, 25);
    std::map<std::pair<unsigned, unsigned>, unsigned> sizes;
    std::set<std::string> seen;
    for (const Trial &trial : more) {
      ++sizes[{trial.task, trial.round}];
      EXPECT_TRUE(
          seen.insert(std::to_string(trial.task) + scheduleKey(trial.schedule))
              .second);
    }
    EXPECT_EQ((sizes[{0, 0}]), 4u);
    EXPECT_EQ((sizes[{1, 0}]), 4u);
    // The interrupted round.
    unsigned cut = trials.back().task;
    EXPECT_EQ((sizes[{cut, 1}]), batch);
  }
}

// If a database has rounds of one task only, nothing waits for the first round
// of the other task, and the model trains on all of them.
TEST_P(RoundsOrder, TrialsOfOneTaskAlone) {
  std::vector<Trial> trials;
  drive(*makeRounds(nullptr), trials, 40);
  llvm::erase_if(trials, [](const Trial &trial) {
    return trial.task != 1 || trial.round > 2;
  });
  ASSERT_EQ(trials.size(), 12u);
  trials.pop_back();
  auto model = makeModel();
  auto rounds = makeRounds(model.get());
  for (const Trial &trial : trials)
    rounds->add(trial);
  std::vector<Trial> candidates = rounds->next(10);
  ASSERT_EQ(candidates.size(), 1u);
  EXPECT_EQ(candidates.front().task, 1u);
  EXPECT_EQ(candidates.front().round, 2u);
  EXPECT_EQ(model->asked, (std::vector<size_t>{8}));
}

// Two processes that continue the same run leave more trials of a round than it
// has candidates. All of them count for the best time, and none is proposed
// again.
TEST_P(RoundsOrder, TrialsOfAPastRound) {
  auto model = makeModel();
  auto rounds = makeRounds(model.get());
  std::vector<Trial> trials;
  drive(*rounds, trials, 12);
  Trial late = trials.front();
  late.round = 0;
  late.seconds = 1e-9;
  late.verified = true;
  rounds->add(late);
  EXPECT_EQ(rounds->best(late.task), 1e-9);
  drive(*rounds, trials, 20);
  EXPECT_EQ(trials.size(), 20u);
  std::set<std::string> seen;
  for (const std::string &line : sequenceOf(trials))
    EXPECT_TRUE(seen.insert(line).second) << line;
}

} // namespace
