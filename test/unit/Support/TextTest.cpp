//===- TextTest.cpp - tables and progress ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Progress.h"
#include "pruner/Support/Table.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace llvm;
using namespace pruner;

namespace {

TEST(Table, AlignsColumns) {
  Table table({{"task"}, {"time", Table::Align::Right}, {"note"}});
  table.addRow({"matmul", "1.25 ms", "ok"});
  table.addRow({"\xc3\xa9t\xc3\xa9", "7 us"});
  table.addRow({"x\ny", "", "tab\t", "dropped"});
  std::string text;
  raw_string_ostream os(text);
  table.print(os);
  EXPECT_EQ(text, "task       time  note\n"
                  "------  -------  ----\n"
                  "matmul  1.25 ms  ok\n"
                  "\xc3\xa9t\xc3\xa9        7 us\n"
                  "x?y              tab?\n");
  EXPECT_EQ(table.rows(), 3u);
}

TEST(Table, FormatsSeconds) {
  EXPECT_EQ(formatSeconds(1.5), "1.50 s");
  EXPECT_EQ(formatSeconds(123.4), "123 s");
  EXPECT_EQ(formatSeconds(0.0123), "12.3 ms");
  EXPECT_EQ(formatSeconds(0.000123), "123 us");
  EXPECT_EQ(formatSeconds(0.00099999), "1.00 ms");
  EXPECT_EQ(formatSeconds(4.2e-9), "4.20 ns");
  EXPECT_EQ(formatSeconds(0), "0.00 ns");
  EXPECT_EQ(formatSeconds(std::nan("")), "-");
}

struct Recorded {
  std::string text;
  raw_string_ostream os{text};
  double now = 0;
  Progress::Options options(bool terminal) {
    Progress::Options options;
    options.os = &os;
    options.terminal = terminal;
    options.clock = [this] { return now; };
    return options;
  }
};

TEST(Progress, LogsGetFewPlainLines) {
  Recorded recorded;
  {
    Progress progress("tuning", 100, recorded.options(false));
    for (int step = 1; step <= 90; ++step) {
      recorded.now += 0.3; // 27 s in all.
      progress.update(step, "best 1.0 ms");
    }
  }
  EXPECT_EQ(recorded.text, "tuning: 34/100, 00:10, 00:19 left, best 1.0 ms\n"
                           "tuning: 68/100, 00:20, 00:09 left, best 1.0 ms\n"
                           "tuning: 90/100, 00:27, 00:03 left, best 1.0 ms\n");
}

TEST(Progress, TerminalsGetABar) {
  Recorded recorded;
  {
    Progress progress("tuning", 4, recorded.options(true));
    progress.update(2);
    recorded.now = 0.01; // Too soon to draw again.
    progress.update(3);
    progress.clear();
  }
  EXPECT_EQ(recorded.text,
            "\r\033[Ktuning [============            ] 2/4, 00:00, 00:00 left"
            "\r\033[K"
            "\r\033[Ktuning [==================      ] 3/4, 00:00, 00:00 left"
            "\n");
}

TEST(Progress, UnknownTotalAndSurplusSteps) {
  Recorded recorded;
  {
    Progress unknown("read", 0, recorded.options(false));
    unknown.update(5000);
  }
  {
    Progress surplus("read", 3, recorded.options(false));
    surplus.update(9);
    surplus.finish();
    surplus.update(1);
  }
  EXPECT_EQ(recorded.text, "read: 5000, 00:00\nread: 3/3, 00:00\n");
}

TEST(Progress, NothingIsWrittenForNothing) {
  Recorded recorded;
  {
    Progress progress("idle", 3, recorded.options(false));
  }
  {
    Progress progress("idle", 3, recorded.options(true));
  }
  EXPECT_EQ(recorded.text, "");
}

TEST(Progress, NeverWritesToStdout) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  {
    Progress progress("tuning", 3);
    progress.update(3);
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "tuning: 3/3, 00:00\n");
}

} // namespace
