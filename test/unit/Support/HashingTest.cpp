//===- HashingTest.cpp - content hashes and status names ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Support/Hashing.h"
#include "pruner/Support/MeasureStatus.h"

#include "gtest/gtest.h"

#include <set>

using namespace pruner;

namespace {

// Every later version must find stored keys. The first two digests are the
// published ones of XXH3_128bits with seed 0.
TEST(Hashing, ValuesAreFixed) {
  EXPECT_EQ(contentHash(llvm::StringRef("")),
            "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(contentHash(llvm::StringRef("abc")),
            "06b05ab6733a618578af5f94892f3950");
  EXPECT_EQ(contentHash({llvm::StringRef("ab"), llvm::StringRef("c")}),
            contentHash(llvm::StringRef("2:ab1:c")));
}

TEST(Hashing, PartsDoNotRunTogether) {
  using Parts = std::vector<llvm::StringRef>;
  std::set<std::string> hashes;
  for (const Parts &parts :
       {Parts{"ab", "c"}, Parts{"a", "bc"}, Parts{"abc"}, Parts{"abc", ""},
        Parts{"", "abc"}, Parts{}, Parts{""}, Parts{"2:ab1:c"}})
    hashes.insert(contentHash(llvm::ArrayRef<llvm::StringRef>(parts)));
  EXPECT_EQ(hashes.size(), 8u);
}

TEST(Hashing, EveryBitCounts) {
  std::string text(300, 'x');
  std::set<std::string> hashes = {contentHash(llvm::StringRef(text))};
  for (size_t bit = 0; bit < text.size() * 8; ++bit) {
    text[bit / 8] ^= 1 << bit % 8;
    hashes.insert(contentHash(llvm::StringRef(text)));
    text[bit / 8] ^= 1 << bit % 8;
  }
  EXPECT_EQ(hashes.size(), 300u * 8 + 1);
}

TEST(Hashing, RecognizesItsForm) {
  EXPECT_TRUE(isContentHash(contentHash(llvm::StringRef("x"))));
  EXPECT_FALSE(isContentHash(""));
  EXPECT_FALSE(isContentHash(std::string(31, 'a')));
  EXPECT_FALSE(isContentHash(std::string(32, 'A')));
  EXPECT_FALSE(isContentHash(std::string(32, 'g')));
}

TEST(MeasureStatus, NamesRoundTrip) {
  std::set<std::string> names;
  for (MeasureStatus status : allMeasureStatuses()) {
    names.insert(stringifyMeasureStatus(status).str());
    EXPECT_EQ(symbolizeMeasureStatus(stringifyMeasureStatus(status)), status);
  }
  EXPECT_EQ(names.size(), 10u);
  EXPECT_EQ(symbolizeMeasureStatus("OK"), std::nullopt);
  EXPECT_EQ(symbolizeMeasureStatus(""), std::nullopt);
}

} // namespace
