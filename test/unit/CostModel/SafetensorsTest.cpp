//===- SafetensorsTest.cpp - valid and invalid weight files ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/Safetensors.h"
#include "Models.h"
#include "TestData.h"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace pruner;
using namespace pruner_test;

/// A file with this header and this many bytes of data.
static std::string content(const std::string &header, std::size_t dataBytes) {
  std::string text;
  for (int i = 0; i < 8; ++i)
    text += char(header.size() >> (8 * i) & 0xFF);
  return text + header + std::string(dataBytes, 'x');
}

static TensorFile example() {
  TensorFile file;
  file.metadata = {{"model", "test \"quoted\""}};
  file.tensors = {{"a", "F32", {2, 1}, {0, 0, 128, 63, 0, 0, 0, 64}},
                  {"empty", "F32", {0, 3}, {}},
                  {"scalar", "I64", {}, {1, 2, 3, 4, 5, 6, 7, 8}}};
  return file;
}

TEST(Safetensors, RoundTripsThroughMemoryAndDisk) {
  std::string error;
  std::string text = formatSafetensors(example(), error);
  ASSERT_EQ("", error);
  TensorFile read;
  ASSERT_EQ("", parseSafetensors(text, read));
  EXPECT_EQ(example().metadata, read.metadata);
  ASSERT_EQ(3u, read.tensors.size());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(example().tensors[i].name, read.tensors[i].name);
    EXPECT_EQ(example().tensors[i].dtype, read.tensors[i].dtype);
    EXPECT_EQ(example().tensors[i].shape, read.tensors[i].shape);
    EXPECT_EQ(example().tensors[i].bytes, read.tensors[i].bytes);
  }
  pruner_test::TemporaryFile file("tensors");
  ASSERT_EQ("", writeSafetensors(file.path, example()));
  TensorFile fromDisk;
  ASSERT_EQ("", readTensors(file.path, fromDisk));
  EXPECT_EQ(read.tensors[2].bytes, fromDisk.tensors[2].bytes);
}

TEST(Safetensors, RejectsEveryTruncationAndAppendedByte) {
  std::string error;
  std::string text = formatSafetensors(example(), error);
  for (std::size_t length = 0; length < text.size(); ++length) {
    TensorFile file;
    EXPECT_NE("", parseSafetensors(text.substr(0, length), file)) << length;
    EXPECT_TRUE(file.tensors.empty());
  }
  TensorFile file;
  EXPECT_EQ("ST6: the tensors end at byte 16, but there are 17 bytes of data",
            parseSafetensors(text + "x", file));
}

TEST(Safetensors, NamesTheViolatedRule) {
  const std::string two = R"("dtype":"F32","shape":[2])";
  struct {
    std::string header;
    std::size_t bytes;
    const char *message;
  } cases[] = {
      {"[]", 0, "ST2: the header is not a JSON object"},
      {"{", 0, "ST2: not JSON: [1:1, byte=1]: Expected object key"},
      {R"({"a":{)" + two + R"(,"data_offsets":[0,8]},"a":{}})", 8,
       "ST2: an object has two members of the same name"},
      {R"({"__metadata__":{"a":1}})", 0,
       "ST2: __metadata__ 'a' is not a string"},
      {R"({"a":{)" + two + "}}", 8,
       "ST3: tensor 'a' must have exactly dtype, shape and data_offsets"},
      {R"({"a":{)" + two + R"(,"data_offsets":[0,8],"more":1}})", 8,
       "ST3: tensor 'a' must have exactly dtype, shape and data_offsets"},
      {R"({"a":{"dtype":"F31","shape":[2],"data_offsets":[0,8]}})", 8,
       "ST4: tensor 'a' has the unknown dtype 'F31'"},
      {R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8,
       "ST4: a size of tensor 'a' is not a non-negative integer"},
      {R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})",
       8, "ST4: the size of tensor 'a' overflows"},
      {R"({"a":{)" + two + R"(,"data_offsets":[0,12]}})", 8,
       "ST5: tensor 'a' is at 0 to 12, but there are 8 bytes of data"},
      {R"({"a":{)" + two + R"(,"data_offsets":[8,0]}})", 8,
       "ST5: tensor 'a' is at 8 to 0, but there are 8 bytes of data"},
      {R"({"a":{)" + two + R"(,"data_offsets":[0,4]}})", 8,
       "ST5: tensor 'a' has 4 bytes, but its dtype and shape need 8"},
      {R"({"a":{)" + two + R"(,"data_offsets":[0,8]},"b":{)" + two +
           R"(,"data_offsets":[4,12]}})",
       12, "ST6: tensor 'b' begins at byte 4, but the one before it ends at 8"},
      {R"({"a":{)" + two + R"(,"data_offsets":[4,12]}})", 12,
       "ST6: tensor 'a' begins at byte 4, but the one before it ends at 0"},
  };
  for (const auto &test : cases) {
    TensorFile file;
    EXPECT_EQ(test.message,
              parseSafetensors(content(test.header, test.bytes), file))
        << test.header;
  }
  TensorFile file;
  std::string huge(8, '\xff');
  EXPECT_EQ("ST1: the header claims 18446744073709551615 bytes, but at most 4 "
            "are possible",
            parseSafetensors(huge + "{}  ", file));
}

TEST(Safetensors, SurvivesFlippedBits) {
  std::string error;
  const std::string text = formatSafetensors(example(), error);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    std::string broken = text;
    broken[bit / 8] = char(broken[bit / 8] ^ (1 << bit % 8));
    TensorFile file;
    if (!parseSafetensors(broken, file).empty())
      continue;
    // Accepted files are consistent.
    for (const TensorData &tensor : file.tensors) {
      std::size_t elements = 1;
      for (std::int64_t size : tensor.shape)
        elements *= std::size_t(size);
      EXPECT_EQ(elements * tensorElementSize(tensor.dtype),
                tensor.bytes.size());
    }
  }
}

TEST(Safetensors, WriterRejectsInvalidTensors) {
  TensorFile file = example();
  file.tensors[0].bytes.pop_back();
  std::string error;
  formatSafetensors(file, error);
  EXPECT_EQ("tensor 'a' has a dtype or shape that does not fit its bytes",
            error);
  file = example();
  file.tensors[1].name = "a";
  formatSafetensors(file, error);
  EXPECT_EQ("tensor name 'a' is already used", error);
}

TEST(Safetensors, FileErrorsNameThePath) {
  TensorFile file;
  EXPECT_EQ("/nonexistent/w: cannot open the weight file: No such file or "
            "directory",
            readTensors("/nonexistent/w", file));
  EXPECT_NE(std::string::npos, writeSafetensors("/nonexistent/w", example())
                                   .find("cannot create the weight file"));
}

TEST(Safetensors, LinksAtPredictableNamesAreNotFollowed) {
  pruner_test::TemporaryFile weights("linked-weights.safetensors");
  pruner_test::TemporaryFile victim("victim");
  std::ofstream(victim.path) << "precious";
  // Names that were used before, and names that others use.
  std::vector<std::string> links = {
      weights.path + ".tmp", weights.path + "." + std::to_string(getpid()),
      weights.path + "." + std::to_string(getpid()) + ".tmp"};
  for (const std::string &link : links)
    ASSERT_EQ(0, symlink(victim.path.c_str(), link.c_str()));
  EXPECT_EQ("", writeSafetensors(weights.path, example()));
  for (const std::string &link : links)
    std::remove(link.c_str());
  std::string text;
  std::ifstream kept(victim.path);
  std::getline(kept, text);
  EXPECT_EQ("precious", text);
  TensorFile file;
  EXPECT_EQ("", readTensors(weights.path, file));
}
