//===- OutputFileTest.cpp - written and replaced files --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/OutputFile.h"
#include "pruner/Support/UniqueFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
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

// LLVM's functions for unique names put random digits in place of each '%'.
TEST(OutputFile, PercentSignsOfDirectoriesStay) {
  SmallString<128> directory;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("output", directory));
  sys::path::append(directory, "50%% off");
  ASSERT_FALSE(sys::fs::create_directory(directory));
  std::string path = (directory + "/a%.txt").str();
  EXPECT_FALSE(bool(writeOutputFile(path, [](raw_ostream &os) {
    os << "text";
    return Error::success();
  })));
  EXPECT_EQ(contents(path), "text");

  SmallString<128> other, another;
  int fd = -1, second = -1;
  ASSERT_FALSE(createUniqueFile(path + ".", ".tmp", fd, other, 0600));
  ASSERT_FALSE(createUniqueFile(path + ".", ".tmp", second, another, 0600));
  EXPECT_TRUE(other.starts_with(path + ".") && other.ends_with(".tmp"));
  EXPECT_NE(other, another);
  close(fd), close(second);
  EXPECT_TRUE(createUniqueFile(directory + "/none/", "", fd, other, 0600) ==
              std::errc::no_such_file_or_directory);
  sys::fs::remove_directories(sys::path::parent_path(directory));
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

TEST(OutputFile, LinksAndPermissionsStay) {
  SmallString<128> directory;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("output", directory));
  std::string file = (directory + "/file").str(), link = file + ".link";
  auto write = [](raw_ostream &os) {
    os << "text";
    return Error::success();
  };
  EXPECT_FALSE(bool(writeOutputFile(file, write)));
  ASSERT_EQ(chmod(file.c_str(), 0640), 0);
  ASSERT_EQ(symlink("file", link.c_str()), 0);
  EXPECT_FALSE(bool(writeOutputFile(link, [](raw_ostream &os) {
    os << "new";
    return Error::success();
  })));
  EXPECT_EQ(contents(file), "new");
  struct stat status;
  ASSERT_EQ(lstat(link.c_str(), &status), 0);
  EXPECT_TRUE(S_ISLNK(status.st_mode));
  ASSERT_EQ(stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
  sys::fs::remove_directories(directory);
}

// For output of another program: the older file exists until the new one is
// complete, and nothing else is left behind.
TEST(OutputFile, AProgramWritesBesideTheOlderFile) {
  SmallString<128> directory;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("output", directory));
  std::string file = (directory + "/net.so").str();
  auto write = [&](StringRef text, bool fails) {
    return replaceOutputFile(file, [&](StringRef path) -> Error {
      EXPECT_NE(path, file);
      std::error_code code;
      raw_fd_ostream(path, code) << text;
      EXPECT_FALSE(code);
      return fails ? createStringError("the disk is full") : Error::success();
    });
  };
  EXPECT_FALSE(bool(write("first", false)));
  EXPECT_EQ(toString(write("sec", true)), "the disk is full");
  EXPECT_EQ(contents(file), "first");
  EXPECT_FALSE(bool(write("third", false)));
  EXPECT_EQ(contents(file), "third");
  std::error_code code;
  int files = 0;
  for (sys::fs::directory_iterator entry(directory, code), end;
       entry != end && !code; entry.increment(code))
    ++files;
  EXPECT_EQ(files, 1);
  EXPECT_EQ(toString(replaceOutputFile((directory + "/none/x").str(),
                                       [](StringRef) -> Error {
                                         ADD_FAILURE();
                                         return Error::success();
                                       })),
            "cannot write: No such file or directory");
  sys::fs::remove_directories(directory);
}

TEST(OutputFile, AFullDiskLeavesAnOlderFileAlone) {
  SmallString<128> path;
  ASSERT_FALSE(sys::fs::createTemporaryFile("output", "txt", path));
  EXPECT_FALSE(bool(writeOutputFile(path, [](raw_ostream &os) {
    os << "first";
    return Error::success();
  })));
  // A limit on the size of files fails like a full disk.
  rlimit before, limit = {1 << 16, 1 << 16};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  limit.rlim_max = before.rlim_max;
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  Error error = writeOutputFile(path, [](raw_ostream &os) {
    os << std::string(1 << 20, 'x');
    return Error::success();
  });
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(toString(std::move(error)), "cannot write: File too large");
  EXPECT_EQ(contents(path), "first");
  sys::fs::remove(path);
}

// Names of files that are there, that are not, and of no file.
TEST(OutputFile, NamesOfOneFile) {
  SmallString<128> directory;
  ASSERT_FALSE(sys::fs::createUniqueDirectory("same", directory));
  std::string file = (directory + "/file").str();
  std::string link = (directory + "/link").str();
  EXPECT_TRUE(isSameFile(file, (directory + "/./file").str()));
  EXPECT_TRUE(isSameFile(
      file,
      (directory + "/../" + sys::path::filename(directory) + "/file").str()));
  EXPECT_FALSE(isSameFile(file, link));
  ASSERT_EQ(symlink("file", link.c_str()), 0);
  EXPECT_FALSE(bool(writeOutputFile(file, [](raw_ostream &os) {
    os << "text";
    return Error::success();
  })));
  EXPECT_TRUE(isSameFile(file, link));
  EXPECT_FALSE(isSameFile("/dev/null", "/dev/null"));
  sys::fs::remove_directories(directory);
}
