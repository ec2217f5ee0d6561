//===- InputFileTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/InputFile.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace pruner;

static std::string read(llvm::StringRef path, uint64_t maxBytes) {
  auto buffer = readInputFile(path, maxBytes);
  return buffer ? (*buffer)->getBuffer().str()
                : "error: " + llvm::toString(buffer.takeError());
}

TEST(InputFile, ReadsFilesUpToALimit) {
  llvm::SmallString<128> path;
  int descriptor;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("input", "txt", descriptor, path));
  std::string text(200000, 'x');
  text.back() = '\0';
  {
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    os << text;
  }
  EXPECT_EQ(read(path, text.size()), text);
  EXPECT_EQ(read(path, text.size() - 1),
            "error: larger than the limit of 199999 bytes");
  llvm::sys::fs::remove(path);
  EXPECT_EQ(read(path, 1), "error: No such file or directory");
}

TEST(InputFile, EndsAtDevicesWithoutAnEnd) {
  EXPECT_EQ(read("/dev/null", 0), "");
  EXPECT_EQ(read("/dev/zero", 1 << 20),
            "error: larger than the limit of 1048576 bytes");
}

TEST(InputFile, RejectsDirectories) {
  EXPECT_EQ(read("/", 1 << 20), "error: Is a directory");
}

TEST(InputFile, OpensFilesOfAnySize) {
  auto open = [](llvm::StringRef path) {
    auto buffer = openInputFile(path);
    return buffer ? (*buffer)->getBuffer().str()
                  : llvm::toString(buffer.takeError());
  };
  llvm::SmallString<128> path;
  int descriptor;
  ASSERT_FALSE(
      llvm::sys::fs::createTemporaryFile("input", "txt", descriptor, path));
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << "text";
  EXPECT_EQ(open(path), "text");
  llvm::sys::fs::remove(path);
  EXPECT_EQ(open(path),
            ("cannot read '" + path + "': No such file or directory").str());
  EXPECT_EQ(open("/"), "cannot read '/': Is a directory");
  EXPECT_EQ(open("/dev/null"), "");
}
