//===- JsonTest.cpp - the strict JSON reader ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/Json.h"

#include <gtest/gtest.h>

using namespace pruner;

TEST(CostModelJson, ReadsEveryKind) {
  JsonValue value;
  ASSERT_EQ("", parseJson(R"( {"a": [1, -2.5e1, true, false, null],
                               "b": {"c": "x\n\u00e9\ud83d\ude00\/"}} )",
                          value));
  ASSERT_EQ(JsonValue::Object, value.kind);
  const JsonValue *a = value.find("a");
  ASSERT_TRUE(a && a->array.size() == 5);
  EXPECT_EQ(JsonValue::Integer, a->array[0].kind);
  EXPECT_EQ(1, a->array[0].integer);
  EXPECT_EQ(JsonValue::Real, a->array[1].kind);
  EXPECT_EQ(-25.0, a->array[1].number);
  EXPECT_TRUE(a->array[2].kind == JsonValue::Bool && a->array[2].boolean);
  EXPECT_TRUE(a->array[3].kind == JsonValue::Bool && !a->array[3].boolean);
  EXPECT_EQ(JsonValue::Null, a->array[4].kind);
  EXPECT_EQ("x\n\xC3\xA9\xF0\x9F\x98\x80/", value.find("b")->find("c")->string);
  EXPECT_EQ(nullptr, value.find("d"));
}

TEST(CostModelJson, IntegersAreExactOrReal) {
  JsonValue value;
  ASSERT_EQ("", parseJson("9223372036854775807", value));
  EXPECT_EQ(JsonValue::Integer, value.kind);
  EXPECT_EQ(INT64_MAX, value.integer);
  ASSERT_EQ("", parseJson("9223372036854775808", value));
  EXPECT_EQ(JsonValue::Real, value.kind);
}

TEST(CostModelJson, RejectsWithPositionAndReason) {
  const std::pair<const char *, const char *> cases[] = {
      {"", "JSON error at byte 0: expected a value"},
      {"{", "JSON error at byte 1: expected a member name in quotes"},
      {R"({"a":1,"a":2})",
       "JSON error at byte 10: the member 'a' occurs twice"},
      {R"({"a" 1})", "JSON error at byte 5: expected ':'"},
      {"[1 2]", "JSON error at byte 3: expected ',' or ']'"},
      {"[1,]", "JSON error at byte 3: expected a value"},
      {"01", "JSON error at byte 2: a number starts with 0"},
      {"1.", "JSON error at byte 2: expected digits after '.'"},
      {"1e", "JSON error at byte 2: expected digits in the exponent"},
      {"[-1e999]", "JSON error at byte 7: a number is too large"},
      {"1 x", "JSON error at byte 2: unexpected text after the value"},
      {"\"a", "JSON error at byte 2: unterminated string"},
      {"\"\n\"", "JSON error at byte 1: control character in a string"},
      {R"("\q")", "JSON error at byte 3: unknown escape in a string"},
      {R"("\ud800")", "JSON error at byte 7: incomplete surrogate pair"},
      {"[[[[[[[[[[[[[[[[[[[[", "JSON error at byte 17: nested deeper than 16"},
  };
  for (const auto &[text, message] : cases) {
    JsonValue value;
    EXPECT_EQ(message, parseJson(text, value)) << text;
  }
}

TEST(CostModelJson, QuotingRoundTrips) {
  std::string text = "a\"b\\c\n\x01 \xC3\xA9";
  JsonValue value;
  ASSERT_EQ("", parseJson(quoteJson(text), value));
  EXPECT_EQ(text, value.string);
}
