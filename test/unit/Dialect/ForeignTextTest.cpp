//===- ForeignTextTest.cpp - text that must not reach the parser ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/IR/ForeignText.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

using namespace pruner;

namespace {
struct ForeignText : testing::Test {
  mlir::MLIRContext context;
  std::string said;
  mlir::ScopedDiagnosticHandler handler{&context, [this](mlir::Diagnostic &d) {
                                          said += d.str();
                                          return mlir::success();
                                        }};
  ForeignText() {
    context.loadDialect<PrunerDialect, mlir::func::FuncDialect>();
  }
};
} // namespace

static std::string repeat(const std::string &text, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i)
    out += text;
  return out;
}

TEST_F(ForeignText, SchedulesParse) {
  const char *text = "#pruner.schedule<cpu_tile, tiles = [[1, 2, 4], [1, 1, 8],"
                     " [8]], stages = [none, none], vector = 8, unroll = 1>";
  ScheduleAttr schedule = parseScheduleText(text, &context);
  ASSERT_TRUE(schedule) << said;
  EXPECT_EQ(schedule.getValue().vector, 8);
  std::string module =
      "func.func private @f(i32) attributes {pruner.schedule = " +
      std::string(text) + "}";
  EXPECT_TRUE(parseModuleText(module, &context, "task")) << said;
}

TEST_F(ForeignText, NothingIsReadBehindTheText) {
  llvm::StringRef longer = "module {}attributes {";
  EXPECT_TRUE(parseModuleText(longer.take_front(9), &context, "task")) << said;
}

TEST_F(ForeignText, OtherTextIsNotASchedule) {
  for (const char *text :
       {"", "42 : i32", "affine_map<(d0) -> (d0)>", "default",
        "#pruner.schedule", "#pruner.schedule<", "#pruner.schedule<cpu_tile> x",
        "#other.schedule<cpu_tile>", "\"#pruner.schedule<\""}) {
    said.clear();
    EXPECT_FALSE(parseScheduleText(text, &context)) << text;
    EXPECT_NE(said, "") << text;
  }
}

TEST_F(ForeignText, DeepTextIsRejected) {
  const size_t many = 300000;
  const std::string arrow = "affine_map<(d0) -> (";
  const std::string deep[] = {
      repeat("[", many),
      "#pruner.schedule<cpu_tile, tiles = " + repeat("[", many),
      arrow + repeat("(", many),
      // Brackets that only appear to close.
      repeat("(->", many), repeat("(>=", many), repeat("(\")\"", many),
      repeat("(// )\n", many),
      // Chains recurse like brackets.
      arrow + repeat("-", many) + "d0)>", arrow + repeat("- ", many) + "d0)>",
      arrow + "d0" + repeat(" + d0", many) + ")>",
      arrow + "d0" + repeat(" mod 2", many) + ")>",
      // The parser is still inside a chain where brackets interrupt it.
      arrow + repeat(repeat("-", 3000) + "(", 100) + "d0" + repeat(")", 101) +
          ">",
      arrow + "d0" + repeat(" + (d0)", many) + ")>",
      arrow + "d0" + repeat(" - (d0) * 2", many) + ")>",
      arrow + "d0" + repeat(" floordiv (2)", many) + ")>"};
  for (const std::string &text : deep) {
    EXPECT_NE(findExcess(text), "") << text.substr(0, 40);
    EXPECT_FALSE(parseScheduleText(text, &context));
    EXPECT_FALSE(parseModuleText(
        "func.func private @f() attributes {a = " + text, &context, "task"));
  }
  EXPECT_EQ(findExcess(repeat("(", 257)), "more than 256 nested brackets");
  EXPECT_EQ(findExcess(repeat("- ", 4097)),
            "more than 4096 consecutive words and operators");
  EXPECT_EQ(findExcess(repeat("- ", 2000) + "(" + repeat("- ", 2097)),
            "more than 4096 consecutive words and operators");
  // A chain ends at a comma and at its bracket.
  EXPECT_EQ(findExcess(repeat("- ", 2000) + "(" + repeat("- ", 2000) + "1, " +
                       repeat("- ", 2000) + "1) 1 " + repeat("- ", 2000)),
            "");
  // The parser reads a shape in time in the square of its rank.
  EXPECT_EQ(findExcess("tensor<" + repeat("1x", 4097) + "f32>"),
            "more than 4096 consecutive words and operators");
  EXPECT_EQ(findExcess("tensor<" + repeat("?x", 4097) + "f32>"),
            "more than 4096 consecutive words and operators");
  EXPECT_EQ(findExcess("tensor<" + repeat("1x", 1000) + "f32>, \"" +
                       repeat("1x", many) + "\""),
            "");
  TextLimits limits;
  limits.maxBytes = 3;
  EXPECT_EQ(findExcess("1234", limits),
            "it has 4 bytes, more than the limit of 3");
}

// Definitions are flat, but their values nest.
TEST_F(ForeignText, DeepAliasesAreRejected) {
  auto chain = [](const std::string &sigil, const std::string &first,
                  const std::string &before, const std::string &after,
                  const std::string &between, unsigned count) {
    std::string text = sigil + "a0 = " + first + between;
    for (unsigned n = 1; n < count; ++n)
      text += sigil + "a" + std::to_string(n) + " = " + before + sigil + "a" +
              std::to_string(n - 1) + after + between;
    std::string last = sigil + "a" + std::to_string(count - 1);
    return text + "module attributes {x.deep = " +
           (sigil == "#" ? last : "tuple<" + last + ">") + "} {}";
  };
  const std::string refused =
      "more than 256 nested brackets with aliases expanded";
  for (const char *between : {"\n", " ", " // [\n"}) {
    EXPECT_EQ(findExcess(chain("#", "[]", "[", "]", between, 100000)), refused);
    EXPECT_EQ(findExcess(chain("#", "[]", "{x = ", "}", between, 300)),
              refused);
    EXPECT_EQ(findExcess(chain("!", "i32", "tuple<", ">", between, 300)),
              refused);
    EXPECT_EQ(
        findExcess(chain("#", "loc(\"f\")", "loc(fused[", "])", between, 300)),
        refused);
    // A value continues if it lacks an operand.
    EXPECT_EQ(
        findExcess(chain("!", "i32", "() ->\n tuple<", ">", between, 300)),
        refused);
    EXPECT_EQ(findExcess(chain("#", "[]", "[", "]", between, 100)), "");
    EXPECT_TRUE(parseModuleText(chain("#", "[]", "[", "]", between, 100),
                                &context, "task"))
        << said;
  }
  // Brackets that only appear to be open must not hide a definition.
  EXPECT_EQ(findExcess("#s = affine_set<(d0) : (d0 <= 5)>\n" +
                       chain("#", "[]", "[", "]", "\n", 300)),
            refused);
  // Locations may be used before they are defined.
  EXPECT_EQ(findExcess("module {} loc(#a299)\n" +
                       chain("#", "loc(\"f\")", "loc(fused[", "])", "\n", 300)),
            refused);
  EXPECT_EQ(findExcess("#a = [#b]\n#b = [#a]\nmodule {}"),
            "the alias '#b' is used in a definition before it is defined");
  // Each value contains the previous one twice. Printed, it would exhaust any
  // memory.
  std::string doubled = "#a0 = [1, 2, 3, 4]\n";
  for (unsigned n = 1; n < 60; ++n) {
    std::string before = "#a" + std::to_string(n - 1);
    doubled +=
        "#a" + std::to_string(n) + " = [" + before + ", " + before + "]\n";
  }
  EXPECT_EQ(findExcess(doubled),
            "more than 268435456 bytes with aliases expanded");
}

TEST_F(ForeignText, AliasesOfPrintedModulesAreFine) {
  const char *text = R"mlir(
    #map = affine_map<(d0, d1) -> (d0 * 2 - d1)>
    #set = affine_set<(d0) : (d0 - 1 >= 0, d0 <= 7)>
    !pair = tuple<i32, tuple<f32>>
    #value = dense<1> : tensor<2xi8>
    #dialect = #builtin<x>
    module attributes {a = #map, b = #set, c = #value} {
      func.func private @f(!pair) -> !pair loc(#loc1)
    }
    #loc = loc("f.mlir":1:2)
    #loc1 = loc(callsite("g" at #loc))
  )mlir";
  EXPECT_EQ(findExcess(text), "");
}

TEST_F(ForeignText, BytecodeIsRejected) {
  EXPECT_FALSE(parseModuleText("ML\xefR\x06MLIR22\0", &context, "task"));
  EXPECT_NE(said.find("cannot parse the module: it is bytecode"),
            std::string::npos)
      << said;
}

TEST_F(ForeignText, WideTextIsFine) {
  EXPECT_EQ(findExcess(repeat("(d0) -> (d0), [1 >= 2] // (((\n", 100000)), "");
  EXPECT_EQ(findExcess("\"" + repeat("([{", 100000) + "\\\"((" + "\""), "");
  EXPECT_EQ(findExcess(repeat("(", 256)), "");
}
