//===- FindProgramTest.cpp - look up programs in PATH ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/FindProgram.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

// A program in the current directory is only found by an absolute entry of
// PATH.
TEST(FindProgram, RelativeDirectoriesAreSkipped) {
  SmallString<128> directory, here;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("find", directory));
  ASSERT_FALSE(sys::fs::current_path(here));
  std::string path = (directory + "/bin").str(), file = path + "/mine";
  ASSERT_FALSE(sys::fs::create_directory(path));
  for (const std::string &name : {file, (directory + "/mine").str()}) {
    int fd = -1;
    ASSERT_FALSE(sys::fs::openFileForWrite(name, fd));
    close(fd);
    ASSERT_EQ(chmod(name.c_str(), 0755), 0);
  }
  const char *before = std::getenv("PATH");
  std::string saved = before ? before : "";
  ASSERT_EQ(chdir(directory.c_str()), 0);
  auto restore = make_scope_exit([&] {
    setenv("PATH", saved.c_str(), 1);
    EXPECT_EQ(chdir(here.c_str()), 0);
    sys::fs::remove_directories(directory);
  });
  for (const char *entries :
       {"", ":", ".", "bin", "./bin::", ":/nonexistent"}) {
    setenv("PATH", entries, 1);
    EXPECT_FALSE(findProgram("mine")) << entries;
  }
  unsetenv("PATH");
  EXPECT_FALSE(findProgram("mine"));
  setenv("PATH", ("bin:" + path).c_str(), 1);
  EXPECT_EQ(findProgram("mine").value_or(""), file);
  EXPECT_EQ(findProgram("bin/mine").value_or(""), "bin/mine");
  EXPECT_FALSE(findProgram("bin/other"));
  EXPECT_FALSE(findProgram(""));
}
