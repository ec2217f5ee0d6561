//===- OutputFileTest.cpp - what is written, and what stays ---------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Support/OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

static std::string contents(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "nothing";
}

TEST(OutputFile, AFailureLeavesAnOlderFileAlone) {
  SmallString<128> path;
  ASSERT_FALSE(sys::fs::createTemporaryFile("output", "txt", path));
  auto good = [](raw_ostream &os) {
    os << "first";
    return Error::success();
  };
  EXPECT_FALSE(bool(writeOutputFile(path, good)));
  Error error = writeOutputFile(path, [](raw_ostream &os) {
    os << "second";
    return createStringError("no more");
  });
  EXPECT_EQ(toString(std::move(error)), "no more");
  EXPECT_EQ(contents(path), "first");
  sys::fs::remove(path);
}

// Put in place by renaming, a file took the place of pipes and devices.
TEST(OutputFile, APipeIsWrittenToAndStaysOne) {
  SmallString<128> path;
  ASSERT_FALSE(sys::fs::getPotentiallyUniqueTempFileName("output", "", path));
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_FALSE(bool(writeOutputFile(path, [](raw_ostream &os) {
    os << "text";
    return Error::success();
  })));
  struct stat status;
  ASSERT_EQ(stat(path.c_str(), &status), 0);
  EXPECT_TRUE(S_ISFIFO(status.st_mode));
  char text[8];
  EXPECT_EQ(read(reader, text, sizeof(text)), 4);
  close(reader);
  sys::fs::remove(path);
}
