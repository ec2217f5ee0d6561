//===- ParserTest.cpp - diagnostics of the parser and the decoder ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxTest.h"

using namespace pruner::ptx;
using namespace pruner::ptx::test;

namespace {

std::string parseError(llvm::StringRef text) {
  auto module = parse(text);
  return module ? "" : llvm::toString(module.takeError());
}

/// Of a body of kernelText, whose first line counts as line 1.
std::string bodyError(llvm::StringRef body, llvm::StringRef variables = "") {
  auto message = [](llvm::Error error) {
    std::string text = llvm::toString(std::move(error));
    auto [line, rest] = llvm::StringRef(text).split(':');
    unsigned number = 0;
    if (line.getAsInteger(10, number) || number < kBodyLine)
      return text;
    return (llvm::Twine(number - kBodyLine + 1) + ":" + rest).str();
  };
  auto module = parse(kernelText(body, variables));
  if (!module)
    return message(module.takeError());
  auto program = Program::decode(*module, "k");
  return program ? "" : message(program.takeError());
}

TEST(PtxParserTest, ModuleAndKernel) {
  auto module = parse(R"(//
.version 7.8
.target sm_90a, debug
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.const .align 4 .b32 table[4] = {1, -1, 0f3F800000, 0x10};
.visible .entry first(
  .param .u64 .ptr .global .align 16 first_param_0,
  .param .align 4 .b8 first_param_1[12]
)
.maxntid 128, 2
.minnctapersm 1
{
  .reg .b32 %r<4>;
  .shared .align 4 .f32 own[8];
  .pragma "nounroll";
  /* a comment */
  { .reg .b32 %r<2>; mov.b32 %r1, 7; }
  mov.b32 %r1, %tid.x; $L_end: ld.shared.b32 %r2, [own+4];
  bra.uni $L_end;
}
.entry second() { ret; }
)");
  ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
  EXPECT_EQ(module->version, 78u);
  EXPECT_EQ(module->target, "sm_90a");
  ASSERT_EQ(module->kernels.size(), 2u);
  const Kernel &kernel = module->kernels[0];
  EXPECT_EQ(kernel.name, "first");
  ASSERT_EQ(kernel.numParameters, 2u);
  EXPECT_TRUE(kernel.variables[0].isPointer);
  EXPECT_EQ(kernel.variables[0].pointerAlign, 16u);
  EXPECT_EQ(kernel.variables[1].bytes, 12u);
  ASSERT_TRUE(kernel.maxThreads);
  EXPECT_EQ((*kernel.maxThreads)[1], 2u);
  // The registers of the inner and of the outer scope are different.
  ASSERT_EQ(kernel.registers.size(), 3u);
  ASSERT_EQ(kernel.instructions.size(), 4u);
  EXPECT_EQ(kernel.instructions[2].opcode, "ld");
  EXPECT_EQ(kernel.instructions[2].modifiers.back(), "b32");
  EXPECT_EQ(kernel.instructions[2].location.line, 19u);
  EXPECT_EQ(kernel.instructions[3].operands[0].index, 2u);
  EXPECT_NE(module->find("second"), nullptr);
  EXPECT_EQ(module->find("third"), nullptr);
}

TEST(PtxParserTest, Diagnostics) {
  const std::pair<const char *, const char *> cases[] = {
      {"nop", "1:1: expected a directive but got 'nop'"},
      {".version x", "1:10: expected a version but got 'x'"},
      {".func f;", "1:1: directive '.func' is not supported"},
      {".address_size 32", "1:1: addresses must have 64 bits"},
      {".entry k {", "1:11: expected an instruction but got the end"},
      {".entry k { .reg .b33 x; }", "1:17: expected a type but got '.b33'"},
      {".entry k { mov.b32 x, 1; }", "1:20: unknown name 'x'"},
      {".entry k { .reg .b32 x; .reg .b32 x; }",
       "1:35: register 'x' is declared twice"},
      {".entry k { @x ret; }", "1:13: 'x' is not a predicate"},
      {".entry k { a: a: }", "1:15: label 'a' is defined twice"},
      {".entry k { bra b; }", "1:16: unknown name 'b'"},
      {".entry k { ret }", "1:16: expected an operand but got '}'"},
      {".entry k { } .entry k { }", "1:21: kernel 'k' is defined twice"},
      {".entry k { /* ", "1:12: expected an instruction but got '/'"},
      {".entry k { call f, (x); }", "1:20: expected an operand but got '('"},
      {".shared .b8 x[99999999999];",
       "1:15: a number of elements is larger than 4194304"},
      {".global .b8 x[];", "1:1: only shared arrays may have no size"},
      {".shared .b8 x = 1;",
       "1:17: only global and const variables may be initialized"},
      {".global .b8 x[1] = {1, 2};",
       "1:24: too many elements for the variable"},
      {".entry k { mov.b32 [[[[x]]]], 1; }",
       "1:23: expected an operand but got '['"},
  };
  for (auto [text, message] : cases)
    EXPECT_EQ(parseError(text), message) << text;
}

TEST(PtxParserTest, InstructionsAreNeverSkipped) {
  const std::pair<const char *, const char *> cases[] = {
      {"nosuch.b32 %r2, %r1;", "1:1: unknown instruction 'nosuch.b32'"},
      {"\n  wgmma.fence;", "2:3: unknown instruction 'wgmma.fence'"},
      {"add.f80 %r2, %r1, %r1;",
       "1:1: 'add.f80': modifier '.f80' is not supported"},
      {"add.rz.f32 %r2, %r1, %r1;",
       "1:1: 'add.rz.f32': modifier '.rz' is not supported"},
      {"add.s32.extra %r2, %r1, %r1;",
       "1:1: 'add.s32.extra': modifier '.extra' is not supported"},
      {"add.s32 %r2, %rd1, %r1;",
       "1:14: 'add.s32': operand '%rd1' has 64 bits, expected 32"},
      {"shl %r2, %r1, 1;", "1:1: 'shl': expected a type"},
      {"add.s32 %r2, %r1;", "1:1: 'add.s32': expected more operands"},
      {"add.s32 %r2, %r1, %r1, %r1;", "1:1: 'add.s32': too many operands"},
      {"add.f32 %r2, %r1, 1;",
       "1:19: 'add.f32': an integer is not expected here"},
      {"mov.u32 %r2, %smid;", "1:14: 'mov.u32': unknown register '%smid'"},
      {"mov.u32 %r2, %clock64;", "1:1: 'mov.u32': '%clock64' has 64 bits"},
      {"mov.u64 %rd5, %clock;", "1:1: 'mov.u64': '%clock' has 32 bits"},
      {"sub.u64 %rd5, %clock64, %rd5;",
       "1:15: 'sub.u64': only mov reads '%clock64'"},
      {"ld.global.b32 %r2, [%r1];",
       "1:21: 'ld.global.b32': operand '%r1' has 32 bits, expected 64"},
      {"ld.b32 %r2, [%r1];",
       "1:14: 'ld.b32': operand '%r1' has 32 bits, expected 64"},
      {"cp.async.ca.shared.global [%r1], [%r2], 4;",
       "1:35: 'cp.async.ca.shared.global': operand '%r2' has 32 bits, expected "
       "64"},
      {"mov.u32 %tid.x, %r2;",
       "1:9: 'mov.u32': '%tid.x' is read-only or not declared"},
      {"mov.u64 %rd5, in;",
       "1:15: 'mov.u64': the address of a parameter is not supported"},
      {"ld.global.v8.b64 {%rd1, %rd2}, [%rd3];",
       "1:1: 'ld.global.v8.b64': accesses of more than 16 bytes are not "
       "supported"},
      {"ld.global.v2.b32 %r2, [%rd3];",
       "1:1: 'ld.global.v2.b32': expected a vector of 2 operands"},
      {"ld.param.b64 %rd5, [in+4];",
       "1:1: 'ld.param.b64': the access is outside of parameter 'in'"},
      {"cp.async.ca.shared.global [%rd1], [%rd2], 3;",
       "1:1: 'cp.async.ca.shared.global': copies have 4, 8 or 16 bytes"},
      {"setp.gt.b32 %p1, %r1, %r1;",
       "1:1: 'setp.gt.b32': type '.b32' is not supported"},
  };
  for (auto [body, message] : cases)
    EXPECT_EQ(bodyError(body), message) << body;
  EXPECT_EQ(bodyError("mov.u32 %r2, c;", ".const .b32 c[1] = {1};"),
            "1:14: 'mov.u32': the address of 'c' has 64 bits");
  EXPECT_EQ(bodyError("ret;", ".shared .b8 x[999999];"), "");
  EXPECT_EQ(bodyError("mov.u64 %rd5, x;", ".shared .b8 x[999999];"),
            "5:17: kernel 'k': too much shared memory");
}

} // namespace
