//===- ExchangeTest.cpp - export, import, merge ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Common.h"

#include "pruner/Record/Exchange.h"
#include "pruner/Support/Random.h"

#include <set>

using namespace llvm;
using namespace pruner;
using namespace pruner::test;

static std::string exportText(Database &database) {
  std::string text;
  raw_string_ostream os(text);
  Error error = exportJsonLines(database, os);
  EXPECT_FALSE(bool(error));
  consumeError(std::move(error));
  return text;
}

namespace {
struct ExchangeTest : testing::Test {
  TempDirectory directory;
  std::string file = directory.file("x.jsonl");

  Database fresh(StringRef name) { return openDatabase(directory.file(name)); }

  void fill(Database &database, int count) {
    StoredTask tasks[] = {makeTask("matmul"), makeTask("conv")};
    std::vector<Record> records;
    Random random(4);
    for (int i = 0; i < count; ++i) {
      records.push_back(makeRecord(i, random.uniformReal() + 1e-6));
      if (i % 3 == 1)
        records.back().taskKey = key("conv");
      if (i % 5 == 2)
        records.back() = makeFailure(i, MeasureStatus::RunCrash, "SIG\nSEGV");
      if (i % 7 == 3)
        records.back().score.reset();
      if (i % 11 == 4)
        records.back().runId = "";
    }
    RecordBatch batch;
    batch.tasks = tasks;
    batch.records = records;
    get(database.append(batch));
  }
};
} // namespace

TEST_F(ExchangeTest, RoundTripIsExactAndIdempotent) {
  Database source = fresh("source.db"), copy = fresh("copy.db");
  fill(source, 200);
  std::string text = exportText(source);
  EXPECT_EQ(StringRef(text).count('\n'), 202u);
  writeFile(file, text);
  ImportReport report = get(importJsonLines(copy, file));
  EXPECT_EQ(report.added, 200u);
  EXPECT_EQ(report.tasks, 2u);
  EXPECT_TRUE(report.bad.empty());
  EXPECT_EQ(exportText(copy), text);
  report = get(importJsonLines(copy, file));
  EXPECT_EQ(report.added, 0u);
  EXPECT_EQ(report.duplicates, 200u);
  EXPECT_EQ(exportText(copy), text);
}

TEST_F(ExchangeTest, BadLinesAreReportedGoodOnesKept) {
  Database source = fresh("source.db"), copy = fresh("copy.db");
  fill(source, 4);
  SmallVector<StringRef> lines;
  std::string text = exportText(source);
  StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  ASSERT_EQ(lines.size(), 6u);
  std::string tampered = lines[4].str();
  tampered.replace(tampered.find("\"registers\":128"), 15, "\"registers\":129");
  writeFile(file, (lines[0] + "\n" + "garbage\n" + lines[2] + "\n" + tampered +
                   "\n{}\n" + lines[3] + "\n" + lines[5])
                      .str());
  ImportReport report = get(importJsonLines(copy, file));
  EXPECT_EQ(report.added, 2u);
  ASSERT_EQ(report.bad.size(), 4u);
  EXPECT_EQ(report.bad[0].line, 2u);
  EXPECT_EQ(report.bad[1].line, 4u);
  EXPECT_EQ(StringRef(report.bad[1].reason).take_front(50),
            "the line was changed after it was written: its che");
  EXPECT_EQ(report.bad[2].line, 5u);
  EXPECT_EQ(report.bad[2].reason,
            "not a line of an export: the object 'pruner' is missing");
  EXPECT_EQ(report.bad[3].line, 7u);
  EXPECT_EQ(report.bad[3].reason,
            "the last line has no newline: its writer was interrupted");
  // A record whose task line was lost still names the key of its task.
  EXPECT_EQ(get(copy.tasks()).size(), 2u);
  EXPECT_EQ(get(copy.task(key("conv")))->name, "");
}

// Flipped bits never cause a crash or a wrong record, and undamaged lines
// survive.
TEST_F(ExchangeTest, EveryDamagedLineIsDetected) {
  Database source = fresh("source.db");
  fill(source, 40);
  std::string text = exportText(source);
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::set<std::string> originals(lines.begin(), lines.end());
  Random random(99);
  unsigned noticed = 0, kept = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string line = lines[random.uniform(lines.size())].str();
    switch (random.uniform(4)) {
    case 0:
    case 1:
      line[random.uniform(line.size())] ^= 1 << random.uniform(8);
      break;
    case 2:
      line.resize(random.uniform(line.size()));
      break;
    case 3: {
      std::string other = lines[random.uniform(lines.size())].str();
      line.resize(random.uniform(line.size()));
      line += other.substr(random.uniform(other.size()));
      break;
    }
    }
    // A line that was edited by hand has no check.
    if (!StringRef(line).contains("\"check\":"))
      continue;
    readJsonLines(line + "\n", [&](json::Object object, size_t) -> Error {
      auto entry = fromJson(std::move(object));
      if (!entry) {
        consumeError(entry.takeError());
        ++noticed;
        return Error::success();
      }
      // The damage may not change the meaning.
      std::string again = std::visit(
          [](auto &value) { return toJsonLine(seal(toJson(value))); }, *entry);
      EXPECT_TRUE(originals.count(again)) << line;
      ++kept;
      return Error::success();
    });
  }
  EXPECT_GT(noticed, 1000u);
  EXPECT_LT(kept, 500u);
}

TEST_F(ExchangeTest, UnreadableFileAndFullDatabase) {
  Database source = fresh("source.db");
  fill(source, 5000);
  EXPECT_EQ(errorOf(importJsonLines(source, directory.file("none"))),
            "cannot read '" + directory.file("none") +
                "': No such file or directory");
  writeFile(file, exportText(source));
  DatabaseOptions options;
  options.maxBytes = 1 << 20;
  Database small =
      openDatabase(directory.file("small.db"), OpenMode::Create, options);
  std::string problem = errorOf(importJsonLines(small, file));
  EXPECT_NE(problem.find("database or disk is full"), std::string::npos)
      << problem;
}

TEST_F(ExchangeTest, MergeIsAUnion) {
  Database a = fresh("a.db"), b = fresh("b.db");
  fill(a, 50);
  fill(b, 80);
  Record extra = makeRecord(1000, 1);
  extra.runId = "another run";
  append(b, {extra});
  ImportReport report = get(mergeDatabase(a, b));
  EXPECT_EQ(report.duplicates, 50u);
  EXPECT_EQ(report.added, 31u);
  report = get(mergeDatabase(a, b));
  EXPECT_EQ(report.added, 0u);
  EXPECT_EQ(exportText(a), exportText(b));
  // Merging a database into itself changes nothing.
  Database again = openDatabase(directory.file("a.db"), OpenMode::ReadOnly);
  EXPECT_EQ(get(mergeDatabase(a, again)).added, 0u);
}
