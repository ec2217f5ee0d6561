//===- NamedFilesTest.cpp - the files of a command line -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/NamedFiles.h"

#include <gtest/gtest.h>

using namespace pruner;

TEST(NamedFiles, AResultReplacesNoOtherFile) {
  EXPECT_EQ(findOverwrite({{"input", "a"}, {"output", "b"}, {"header", "c"}}),
            "");
  EXPECT_EQ(findOverwrite({{"input", "a"}, {"output", "./a"}}),
            "the output './a' is the input");
  EXPECT_EQ(findOverwrite({{"input", "a"}, {"output", "b"}, {"header", "b"}}),
            "the header 'b' is the output");
}

TEST(NamedFiles, StreamsAndDevicesAreShared) {
  EXPECT_EQ(findOverwrite({{"input", "-"}, {"output", "-"}}), "");
  EXPECT_EQ(findOverwrite({{"output", ""}, {"header", ""}}), "");
  EXPECT_EQ(findOverwrite({{"output", "/dev/null"}, {"header", "/dev/null"}}),
            "");
}
