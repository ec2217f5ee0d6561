//===- JsonLinesTest.cpp - files of one JSON object per line --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/JsonLines.h"
#include "pruner/Support/Random.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

namespace {
struct Reading {
  std::vector<size_t> lines;
  std::vector<std::string> objects;
  std::vector<BadLine> bad;
};
} // namespace

static Reading read(StringRef text, const JsonLinesLimits &limits = {}) {
  Reading reading;
  reading.bad = readJsonLines(
      text,
      [&](json::Object object, size_t line) -> Error {
        if (object.get("reject"))
          return createStringError("rejected");
        reading.lines.push_back(line);
        reading.objects.push_back(toJsonLine(object));
        return Error::success();
      },
      limits);
  return reading;
}

namespace {
struct TempFile {
  SmallString<128> path;
  TempFile() {
    EXPECT_FALSE(sys::fs::createTemporaryFile("pruner", "jsonl", path));
  }
  ~TempFile() { sys::fs::remove(path); }
  std::string text() const {
    return (*MemoryBuffer::getFile(path))->getBuffer().str();
  }
};
} // namespace

TEST(JsonLines, KeepsGoodLinesAndNamesBadOnes) {
  Reading reading = read("{\"a\":1}\n"
                         "\n"
                         "{\"a\":\n"
                         "[1]\n"
                         "{\"b\":[2,{}]}\r\n"
                         "{\"reject\":1}\n"
                         "{} {}\n"
                         "{\"c\":\"\xff\"}\n"
                         "{\"d\":4}\n"
                         "{\"e\":5}");
  EXPECT_EQ(reading.lines, (std::vector<size_t>{1, 5, 9}));
  EXPECT_EQ(reading.objects, (std::vector<std::string>{
                                 "{\"a\":1}", "{\"b\":[2,{}]}", "{\"d\":4}"}));
  ASSERT_EQ(reading.bad.size(), 6u);
  std::vector<size_t> bad;
  for (const BadLine &line : reading.bad)
    bad.push_back(line.line);
  EXPECT_EQ(bad, (std::vector<size_t>{3, 4, 6, 7, 8, 10}));
  EXPECT_EQ(StringRef(reading.bad[0].reason).substr(0, 10), "not JSON: ");
  EXPECT_EQ(reading.bad[1].reason, "not a JSON object");
  EXPECT_EQ(reading.bad[2].reason, "rejected");
  EXPECT_EQ(reading.bad[5].reason,
            "the last line has no newline: its writer was interrupted");
}

TEST(JsonLines, DeepNestingAndLongLinesAreBadNotFatal) {
  std::string deep = "{\"a\":" + std::string(1 << 20, '[') + "\n{}\n";
  Reading reading = read(deep);
  ASSERT_EQ(reading.bad.size(), 1u);
  EXPECT_EQ(reading.bad[0].reason, "more than 128 nested arrays and objects");
  EXPECT_EQ(reading.lines, std::vector<size_t>{2});
  // Brackets in strings do not nest.
  EXPECT_TRUE(
      read("{\"a\":\"\\\"" + std::string(1000, '[') + "\"}\n").bad.empty());
  JsonLinesLimits limits;
  limits.maxLineBytes = 10;
  reading = read("{\"a\":12345}\n{\"a\":1234}\n", limits);
  ASSERT_EQ(reading.bad.size(), 1u);
  EXPECT_EQ(reading.bad[0].reason,
            "the line has 11 bytes, more than the limit of 10");
}

TEST(JsonLines, NumberOfValuesIsBounded) {
  auto reason = [](StringRef text) -> std::string {
    auto value = parseJson(text);
    return value ? "" : toString(value.takeError());
  };
  EXPECT_EQ(reason("[1, {\"a\": \"[[,\"}]"), "");
  EXPECT_EQ(reason(std::string(300000, '[')),
            "more than 128 nested arrays and objects");
  // Many small values take far more memory than their text.
  std::string wide = "[";
  for (int i = 0; i < 1 << 20; ++i)
    wide += "[],";
  EXPECT_EQ(reason(wide), "more than 1048576 values");
  EXPECT_EQ(reason(std::string((64 << 20) + 1, ' ')),
            "the text has 67108865 bytes, more than the limit of 67108864");
  EXPECT_NE(reason("\"\xff\""), "");
}

// Wherever the text is cut, exactly the complete lines are read.
TEST(JsonLines, EveryPrefixGivesTheCompleteLines) {
  std::string text;
  std::vector<size_t> ends = {0};
  for (int i = 0; i < 200; ++i) {
    json::Object object{{"i", i}, {"s", std::string(i % 17, 'x')}};
    text += toJsonLine(object) + "\n";
    ends.push_back(text.size());
  }
  for (size_t size = 0; size <= text.size(); ++size) {
    Reading reading = read(StringRef(text).take_front(size));
    size_t complete = llvm::upper_bound(ends, size) - ends.begin() - 1;
    ASSERT_EQ(reading.lines.size(), complete) << size;
    ASSERT_EQ(reading.bad.size(), size == ends[complete] ? 0u : 1u) << size;
  }
}

// Random damage never stops the reader, and undamaged lines survive.
TEST(JsonLines, DamageIsContained) {
  std::vector<std::string> lines;
  for (int i = 0; i < 50; ++i)
    lines.push_back(toJsonLine(
        json::Object{{"i", i}, {"a", json::Array{i, "t\"[{", nullptr}}}));
  Random random(42);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> damaged = lines;
    std::vector<bool> touched(lines.size());
    for (uint64_t n = random.uniform(5) + 1; n; --n) {
      size_t line = random.uniform(lines.size());
      touched[line] = true;
      std::string &text = damaged[line];
      size_t at = random.uniform(text.size());
      char flipped = text[at] ^ (1 << random.uniform(8));
      text[at] = flipped == '\n' ? '#' : flipped;
    }
    std::string text;
    for (const std::string &line : damaged)
      text += line + "\n";
    Reading reading = read(text);
    ASSERT_LE(reading.lines.size() + reading.bad.size(), lines.size());
    for (size_t i = 0; i < lines.size(); ++i) {
      if (!touched[i]) {
        ASSERT_TRUE(is_contained(reading.lines, i + 1));
      }
    }
  }
}

TEST(JsonLines, MissingFileIsAnError) {
  auto bad =
      readJsonLinesFile("/nonexistent/file.jsonl",
                        [](json::Object, size_t) { return Error::success(); });
  ASSERT_FALSE(!!bad);
  EXPECT_EQ(toString(bad.takeError()), "cannot read '/nonexistent/file.jsonl': "
                                       "No such file or directory");
}

TEST(JsonLines, WriterClosesATornLine) {
  TempFile file;
  {
    std::error_code code;
    raw_fd_ostream os(file.path, code);
    os << "{\"a\":1}\n{\"b\"";
  }
  auto writer = JsonLinesWriter::open(file.path);
  ASSERT_TRUE(!!writer);
  ASSERT_FALSE(!!writer->append(json::Object{{"c", 3}}));
  ASSERT_FALSE(!!writer->append(json::Object{{"d", 4}}));
  EXPECT_EQ(file.text(), "{\"a\":1}\n{\"b\"\n{\"c\":3}\n{\"d\":4}\n");
}

TEST(JsonLines, WriterReportsErrors) {
  auto missing = JsonLinesWriter::open("/nonexistent/x.jsonl");
  ASSERT_FALSE(!!missing);
  EXPECT_EQ(toString(missing.takeError()),
            "cannot open '/nonexistent/x.jsonl' for appending: No such file or "
            "directory");
  auto full = JsonLinesWriter::open("/dev/full");
  ASSERT_TRUE(!!full);
  EXPECT_EQ(toString(full->append(json::Object{})),
            "cannot append to '/dev/full': No space left on device");
}

TEST(JsonLines, ConcurrentWritersDoNotInterleave) {
  TempFile file;
  constexpr int kWriters = 4, kLines = 500;
  std::vector<pid_t> children;
  for (int w = 0; w < kWriters; ++w) {
    pid_t pid = fork();
    if (pid == 0) {
      auto writer = JsonLinesWriter::open(file.path);
      for (int i = 0; writer && i < kLines; ++i)
        if (writer->append(json::Object{
                {"w", w}, {"i", i}, {"pad", std::string(i * 7 % 5000, 'x')}}))
          _exit(1);
      _exit(0);
    }
    children.push_back(pid);
  }
  for (pid_t pid : children) {
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::vector<int64_t> next(kWriters);
  auto bad = readJsonLinesFile(file.path, [&](json::Object object, size_t) {
    EXPECT_EQ(*object.getInteger("i"), next[*object.getInteger("w")]++);
    return Error::success();
  });
  ASSERT_TRUE(!!bad);
  EXPECT_TRUE(bad->empty());
  EXPECT_EQ(next, std::vector<int64_t>(kWriters, kLines));
}
