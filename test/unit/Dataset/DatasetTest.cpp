//===- DatasetTest.cpp - writing and reading of datasets ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dataset/Dataset.h"
#include "Gzip.h"

#include "pruner/Machine/KnownMachines.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace llvm;
using namespace pruner;

namespace {
/// What was read, as lines.
class Log : public DatasetVisitor {
public:
  Error begin(DatasetOrigin origin) override {
    lines.push_back(origin.machine.name + "|" + origin.toolchain + "|" +
                    origin.source);
    return Error::success();
  }
  Error add(unsigned number, DatasetTask task) override {
    lines.push_back(std::to_string(number) + "|" + task.name + "|" + task.text);
    return Error::success();
  }
  Error add(DatasetRecord record) override {
    std::string line = std::to_string(record.task) + "|" + record.schedule +
                       "|" + record.variant + "|" +
                       stringifyMeasureStatus(record.status).str() + "|" +
                       record.facts;
    for (double seconds : record.seconds)
      line += "|" + std::to_string(seconds);
    lines.push_back(line);
    return Error::success();
  }
  std::vector<std::string> lines;
};

class DatasetTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createTemporaryFile("dataset", "gz", path));
  }
  void TearDown() override { sys::fs::remove(path); }

  void write(StringRef text) {
    std::error_code code;
    raw_fd_ostream os(path, code);
    os << text;
  }
  std::string contents() {
    auto buffer = MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  void writeOne(StringRef toolchain) {
    Error error = writeDatasetFile(path, [&](DatasetWriter &writer) {
      writer.begin({cantFail(knownMachine("v100")), toolchain.str(), "here"});
      unsigned a = writer.add(DatasetTask{"a", "text of a"});
      unsigned b = writer.add(DatasetTask{"b", "text of \"b\""});
      DatasetRecord good;
      good.task = b;
      good.schedule = "s";
      good.seconds = {0.25, 0.5};
      writer.add(good);
      writer.add(DatasetRecord{
          a, "t", "v", {}, MeasureStatus::RunTimeout, "{\"registers\":8}", {}});
      return Error::success();
    });
    EXPECT_FALSE(bool(error)) << toString(std::move(error));
  }

  SmallString<128> path;
};
} // namespace

static const std::vector<std::string> kOne = {
    "nvidia:v100|one|here", "0|a|text of a", "1|b|text of \"b\"",
    "1|s||ok||0.250000|0.500000", "0|t|v|run-timeout|{\"registers\":8}"};

TEST_F(DatasetTest, RoundTrips) {
  writeOne("one");
  Log log;
  auto bad = readDataset(path, log);
  ASSERT_TRUE(bool(bad)) << toString(bad.takeError());
  EXPECT_TRUE(bad->empty());
  EXPECT_EQ(log.lines, kOne);
  std::string first = contents();
  writeOne("one");
  EXPECT_EQ(first, contents());
}

TEST_F(DatasetTest, FilesCanBeConcatenated) {
  writeOne("two");
  std::string two = contents();
  writeOne("one");
  write(contents() + two);
  Log log;
  auto bad = readDataset(path, log);
  ASSERT_TRUE(bool(bad)) << toString(bad.takeError());
  std::vector<std::string> expected = kOne;
  expected.insert(expected.end(), kOne.begin(), kOne.end());
  expected[kOne.size()] = "nvidia:v100|two|here";
  EXPECT_EQ(log.lines, expected);
}

TEST_F(DatasetTest, TruncatedFilesAreNamed) {
  writeOne("one");
  std::string text = contents();
  write(StringRef(text).drop_back(9));
  Log log;
  auto bad = readDataset(path, log);
  ASSERT_FALSE(bool(bad));
  EXPECT_NE(toString(bad.takeError()).find("unexpected end of file"),
            std::string::npos);
}

TEST_F(DatasetTest, FailureKeepsAnOldFile) {
  writeOne("one");
  std::string before = contents();
  Error error = writeDatasetFile(path, [&](DatasetWriter &writer) {
    writer.begin({cantFail(knownMachine("v100")), "two", ""});
    return createStringError("no more");
  });
  EXPECT_EQ(toString(std::move(error)), "no more");
  EXPECT_EQ(contents(), before);
}

TEST_F(DatasetTest, OverlongLinesAreRejected) {
  {
    std::error_code code;
    raw_fd_ostream os(path, code);
    GzipStream packed(os);
    packed << std::string(kMaxLineBytes + (1 << 20), ' ');
    packed.finish();
  }
  Log log;
  auto bad = readDataset(path, log);
  ASSERT_FALSE(bool(bad));
  EXPECT_NE(toString(bad.takeError()).find("line 1 exceeds 16 MiB"),
            std::string::npos);
}
