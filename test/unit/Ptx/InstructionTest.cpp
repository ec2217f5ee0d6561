//===- InstructionTest.cpp - results of single instructions ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PtxTest.h"

#include "llvm/ADT/APInt.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace pruner::ptx;
using namespace pruner::ptx::test;

namespace {

uint32_t bits(float value) {
  uint32_t result;
  std::memcpy(&result, &value, 4);
  return result;
}

TEST(PtxInstructionTest, Results) {
  const std::pair<const char *, uint32_t> cases[] = {
      // Integers.
      {"add.s32 %r2, -1, 3;", 2},
      {"sub.u32 %r2, 1, 3;", 0xfffffffe},
      {"add.sat.s32 %r2, 0x7fffffff, 1;", 0x7fffffff},
      {"sub.sat.s32 %r2, 0x80000000, 1;", 0x80000000},
      {"mul.lo.s32 %r2, 0x10001, 0x10001;", 0x20001},
      {"mul.hi.s32 %r2, -1, 2;", 0xffffffff},
      {"mul.hi.u32 %r2, -1, 2;", 1},
      {"mad.lo.u32 %r2, 5, 6, 7;", 37},
      {"mad.hi.u32 %r2, 0x80000000, 4, 1;", 3},
      {"mul.wide.s16 %r2, -2, 3;", 0xfffffffa},
      {"mul.wide.u16 %r2, 0xfffe, 3;", 0x2fffa},
      {"div.s32 %r2, -7, 2;", 0xfffffffd},
      {"div.u32 %r2, -7, 2;", 0x7ffffffc},
      {"div.s32 %r2, 0x80000000, -1;", 0x80000000},
      {"rem.s32 %r2, -7, 2;", 0xffffffff},
      {"rem.u32 %r2, 7, 0;", 7},
      {"min.s32 %r2, -1, 1;", 0xffffffff},
      {"min.u32 %r2, -1, 1;", 1},
      {"max.s32 %r2, -1, 1;", 1},
      {"neg.s32 %r2, 5;", 0xfffffffb},
      {"abs.s32 %r2, -5;", 5},
      {"sad.s32 %r2, -2, 3, 10;", 15},
      {"sad.u32 %r2, 1, 3, 10;", 12},
      // Bits.
      {"and.b32 %r2, 12, 10;", 8},
      {"or.b32 %r2, 12, 10;", 14},
      {"xor.b32 %r2, 12, 10;", 6},
      {"not.b32 %r2, 0;", 0xffffffff},
      {"cnot.b32 %r2, 0;", 1},
      {"shl.b32 %r2, 1, 31;", 0x80000000},
      {"shl.b32 %r2, 1, 32;", 0},
      {"shr.u32 %r2, 0x80000000, 31;", 1},
      {"shr.s32 %r2, 0x80000000, 40;", 0xffffffff},
      {"shr.u32 %r2, 0x80000000, 32;", 0},
      {"shf.l.wrap.b32 %r2, 0x80000000, 1, 33;", 3},
      {"shf.l.clamp.b32 %r2, 0x80000000, 1, 33;", 0x80000000},
      {"shf.r.wrap.b32 %r2, 0x80000000, 1, 1;", 0xc0000000},
      {"shf.r.clamp.b32 %r2, 5, 9, 32;", 9},
      {"popc.b32 %r2, 0xf0f0;", 8},
      {"clz.b32 %r2, 1;", 31},
      {"clz.b32 %r2, 0;", 32},
      {"bfind.u32 %r2, 0x100;", 8},
      {"bfind.u32 %r2, 0;", 0xffffffff},
      {"bfind.s32 %r2, -1;", 0xffffffff},
      {"brev.b32 %r2, 1;", 0x80000000},
      {"bfe.u32 %r2, 0xabcd, 4, 8;", 0xbc},
      {"bfe.s32 %r2, 0xabcd, 4, 8;", 0xffffffbc},
      {"bfe.s32 %r2, 0x80000000, 30, 8;", 0xfffffffe},
      {"bfe.u32 %r2, -1, 40, 8;", 0},
      {"bfe.u32 %r2, -1, 4, 0;", 0},
      {"bfi.b32 %r2, 0xff, 0, 8, 4;", 0xf00},
      {"bfi.b32 %r2, 0xff, 7, 40, 4;", 7},
      {"prmt.b32 %r2, 0x03020100, 0x07060504, 0x5410;", 0x05040100},
      {"prmt.b32 %r2, 0x03028100, 0, 0x9990;", 0xffffff00},
      {"lop3.b32 %r2, 0xf0, 0xcc, 0xaa, 0x80;", 0x80},
      {"lop3.b32 %r2, 0xf0, 0xcc, 0xaa, 0x96;", 0xf0 ^ 0xcc ^ 0xaa},
      {"dp4a.s32.s32 %r2, 0xff020304, 0x01020304, 100;", 100 - 1 + 4 + 9 + 16},
      {"dp4a.u32.u32 %r2, 0xff000000, 0x02000000, 1;", 511},
      {"dp4a.u32.s32 %r2, 0xff000000, 0xff000000, 0;", uint32_t(-255)},
      // Comparisons.
      {"setp.lt.s32 %p1, -1, 1; selp.b32 %r2, 1, 0, %p1;", 1},
      {"setp.lt.u32 %p1, -1, 1; selp.b32 %r2, 1, 0, %p1;", 0},
      {"setp.hs.u32 %p1, 1, 1; selp.b32 %r2, 1, 0, %p1;", 1},
      {"setp.lt.f32 %p1, 0f7FC00000, 0f00000000; selp.b32 %r2, 1, 0, %p1;", 0},
      {"setp.ltu.f32 %p1, 0f7FC00000, 0f00000000; selp.b32 %r2, 1, 0, %p1;", 1},
      {"setp.ne.f32 %p1, 0f7FC00000, 0f00000000; selp.b32 %r2, 1, 0, %p1;", 0},
      {"setp.neu.f32 %p1, 0f7FC00000, 0f00000000; selp.b32 %r2, 1, 0, %p1;", 1},
      {"setp.nan.f32 %p1, 0f7FC00000, 0f00000000; selp.b32 %r2, 1, 0, %p1;", 1},
      {"setp.num.f32 %p1, 0f7FC00000, 0f00000000; selp.b32 %r2, 1, 0, %p1;", 0},
      {"setp.eq.f32 %p1, 0f80000000, 0f00000000; selp.b32 %r2, 1, 0, %p1;", 1},
      {"setp.eq.b32 %p1, 0, 0; setp.eq.and.b32 %p1, 1, 2, %p1; selp.b32 %r2, "
       "1, 0, %p1;",
       0},
      {"setp.eq.b32 %p1, 0, 1; setp.eq.or.b32 %p1, 1, 2, !%p1; selp.b32 %r2, "
       "1, 0, %p1;",
       1},
      {"mov.pred %p1, -1; not.pred %p2, %p1; or.pred %p3, %p1, %p2; "
       "selp.b32 %r2, 1, 0, %p3;",
       1},
      {"slct.b32.s32 %r2, 5, 6, -1;", 6},
      {"slct.b32.f32 %r2, 5, 6, 0f80000000;", 5},
      // Floats.
      {"add.f32 %r2, 0f3F800000, 0f33800000;", bits(1.0f)},
      {"fma.rn.f32 %r2, 0f3F800001, 0f3F800001, 0fBF800002;", bits(0x1p-46f)},
      {"add.ftz.f32 %r2, 0f00000001, 0f00000001;", 0},
      {"add.sat.f32 %r2, 0f3F800000, 0f3F800000;", bits(1.0f)},
      {"mul.sat.f32 %r2, 0f7FC00000, 0f3F800000;", 0},
      {"min.f32 %r2, 0f7FC00000, 0f3F800000;", bits(1.0f)},
      {"max.NaN.f32 %r2, 0f7FC00001, 0f3F800000;", 0x7fffffff},
      {"add.f32 %r2, 0fFFC00001, 0f3F800000;", 0x7fffffff},
      {"sqrt.rn.f32 %r2, 0fBF800000;", 0x7fffffff},
      {"rsqrt.approx.f32 %r2, 0fBF800000;", 0x7fffffff},
      {"fma.rn.f32 %r2, 0f7F800000, 0f00000000, 0f3F800000;", 0x7fffffff},
      {"max.f32 %r2, 0f80000000, 0f00000000;", 0},
      {"min.f32 %r2, 0f00000000, 0f80000000;", 0x80000000},
      {"neg.f32 %r2, 0f7FC00000;", 0xffc00000},
      {"abs.f32 %r2, 0fBF800000;", bits(1.0f)},
      {"copysign.f32 %r2, 0f80000000, 0f3F800000;", bits(-1.0f)},
      {"rcp.rn.f32 %r2, 0f40400000;", bits(1.0f / 3.0f)},
      {"sqrt.rn.f32 %r2, 0f40000000;", bits(std::sqrt(2.0f))},
      {"div.rn.f32 %r2, 0f3F800000, 0f40400000;", bits(1.0f / 3.0f)},
      {"ex2.approx.ftz.f32 %r2, 0f40400000;", bits(8.0f)},
      {"lg2.approx.f32 %r2, 0f41000000;", bits(3.0f)},
      {"rsqrt.approx.f32 %r2, 0f40800000;", bits(0.5f)},
      {"tanh.approx.f32 %r2, 0f7F800000;", bits(1.0f)},
      {"sin.approx.f32 %r2, 0f00000000;", 0},
      {"rcp.approx.ftz.f32 %r2, 0f00000001;", bits(INFINITY)},
      {"div.full.f32 %r2, 0f3F800000, 0f40000000;", bits(0.5f)},
      // Conversions.
      {"cvt.rn.f32.s32 %r2, -3;", bits(-3.0f)},
      {"cvt.rn.f32.u32 %r2, 0xffffffff;", bits(0x1p32f)},
      {"cvt.rzi.s32.f32 %r2, 0fC0200000;", uint32_t(-2)},
      {"cvt.rni.s32.f32 %r2, 0f40200000;", 2},
      {"cvt.rmi.s32.f32 %r2, 0fC0200000;", uint32_t(-3)},
      {"cvt.rpi.s32.f32 %r2, 0fC0200000;", uint32_t(-2)},
      {"cvt.rzi.s32.f32 %r2, 0f7F800000;", 0x7fffffff},
      {"cvt.rzi.u32.f32 %r2, 0fBF800000;", 0},
      {"cvt.rzi.s32.f32 %r2, 0f7FC00000;", 0},
      {"cvt.rni.f32.f32 %r2, 0f40200000;", bits(2.0f)},
      {"cvt.s32.s8 %r2, 0x1ff;", 0xffffffff},
      {"cvt.u32.u8 %r2, 0x1ff;", 0xff},
      {"cvt.sat.s8.s32 %r2, 300;", 127},
      {"cvt.sat.u8.s32 %r2, -300;", 0},
      {"cvt.sat.f32.f32 %r2, 0f40000000;", bits(1.0f)},
      {"cvt.rn.f16x2.f32 %r2, 0f3F800000, 0fC0000000;", 0x3c00c000},
      {"cvt.rn.bf16x2.f32 %r2, 0f3F800000, 0fC0000000;", 0x3f80c000},
      {"cvt.rn.f16.f32 %h1, 0f3F802000; cvt.f32.f16 %r2, %h1;",
       bits(1.0009765625f)},
      {"cvt.rn.bf16.f32 %h1, 0f3F808000; cvt.f32.bf16 %r2, %h1;", bits(1.0f)},
      {"cvt.rz.f32.f64 %r2, 0d3FF0000010000000;", bits(1.0f)},
      {"cvt.rp.f32.f64 %r2, 0d3FF0000000000001;", bits(0x1.000002p0f)},
      {"mov.b32 %r3, 0x12345678; mov.b32 {%h1, %h2}, %r3; mov.b32 %r2, {%h2, "
       "%h1};",
       0x56781234},
      // Packed.
      {"add.rn.f16x2 %r2, 0x3c00bc00, 0x3c003c00;", 0x40000000},
      {"fma.rn.bf16x2 %r2, 0x3f804000, 0x40003f80, 0x3f800000;", 0x40404000},
      {"neg.f16x2 %r2, 0x3c00bc00;", 0xbc003c00},
      {"max.bf16x2 %r2, 0x3f80bf80, 0x00007fc0;", 0x3f80bf80},
      {"fma.rn.relu.f16x2 %r2, 0x3c00bc00, 0x3c003c00, 0;", 0x3c000000},
      // Lanes.
      {"vote.sync.all.pred %p1, 1, 1; selp.b32 %r2, 1, 0, %p1;", 1},
      {"redux.sync.add.s32 %r2, 5, 1;", 5},
      {"activemask.b32 %r2;", 1},
      {"shfl.sync.idx.b32 %r2, 7, 0, 31, 1;", 7},
      {"mov.u32 %r2, %ntid.x;", 1},
  };
  for (auto [body, expected] : cases)
    EXPECT_EQ(compute(body), expected) << body;
}

/// Two sums of f32 in one instruction.
TEST(PtxInstructionTest, PairsOfWords) {
  // 1 and -2, 4 and 0.5.
  std::string operands = "mov.b64 %rd6, {0f3f800000, 0fc0000000};\n"
                         "mov.b64 %rd7, {0f40800000, 0f3f000000};\n";
  auto words = [](float low, float high) {
    return uint64_t(bits(high)) << 32 | bits(low);
  };
  const std::pair<const char *, uint64_t> cases[] = {
      {"add.rn.f32x2 %rd5, %rd6, %rd7;", words(5, -1.5f)},
      {"sub.rn.f32x2 %rd5, %rd6, %rd7;", words(-3, -2.5f)},
      {"mul.rn.f32x2 %rd5, %rd6, %rd7;", words(4, -1)},
      {"fma.rn.f32x2 %rd5, %rd6, %rd7, %rd6;", words(5, -3)},
      {"fma.rn.ftz.f32x2 %rd5, %rd6, %rd7, %rd6;", words(5, -3)},
  };
  for (auto [body, expected] : cases)
    EXPECT_EQ(compute(operands + body, /*is64=*/true, "sm_100"), expected)
        << body;
  // Only the half that depends on an undefined word is undefined.
  Outcome outcome = run("mov.b64 %rd6, {0f3f800000, %r5};\n"
                        "add.rn.f32x2 %rd5, %rd6, %rd6;\n"
                        "mov.b64 {%r2, %r3}, %rd5;\n"
                        "st.global.b32 [%rd2], %r2;",
                        1, "", {}, 0, "sm_100");
  EXPECT_EQ(outcome.message, "");
  EXPECT_EQ(outcome.out[0], bits(2));
}

/// Sums in f32 with operands of 16 bits.
TEST(PtxInstructionTest, MixedSums) {
  const std::pair<const char *, uint32_t> cases[] = {
      {"fma.rn.f32.f16 %r2, 0x4200, 0xc400, 0f3f000000;", bits(-11.5f)},
      {"fma.rn.f32.bf16 %r2, 0x4040, 0xc080, 0f3f000000;", bits(-11.5f)},
      // (1 + 2^-10)^2 + 2^24 is rounded once.
      {"fma.rn.f32.f16 %r2, 0x3c01, 0x3c01, 0f4b800000;", 0x4b800001},
      {"fma.rn.sat.f32.f16 %r2, 0x4200, 0x4200, 0f00000000;", bits(1)},
      {"add.rn.f32.f16 %r2, 0x4200, 0f3f000000;", bits(3.5f)},
      {"sub.rn.f32.bf16 %r2, 0x4040, 0f3f000000;", bits(2.5f)},
      {"sub.f32.f16 %r2, 0x7c00, 0f7f800000;", 0x7fffffff},
  };
  for (auto [body, expected] : cases)
    EXPECT_EQ(compute(body, /*is64=*/false, "sm_100"), expected) << body;
  const std::pair<const char *, const char *> errors[] = {
      {"fma.rn.f32.f16 %r2, %h1, %h2, %r1;",
       "needs sm_100, but the module is for sm_80"},
      {"mul.rn.f32.f16 %r2, %h1, %r1;",
       "operand '%h1' has 16 bits, expected 32"},
  };
  for (auto [body, message] : errors)
    EXPECT_NE(run(body).message.find(message), std::string::npos)
        << run(body).message;
}

TEST(PtxInstructionTest, Results64) {
  const std::pair<const char *, uint64_t> cases[] = {
      {"mul.wide.s32 %rd5, -2, 3;", uint64_t(-6)},
      {"mul.wide.u32 %rd5, -1, 2;", 0x1fffffffe},
      {"mad.wide.u32 %rd5, -1, 2, 2;", 0x200000000},
      {"mul.hi.u64 %rd5, -1, 16;", 15},
      {"mul.hi.s64 %rd5, -1, 16;", uint64_t(-1)},
      {"shl.b64 %rd5, 1, 40;", uint64_t(1) << 40},
      {"shr.s64 %rd5, -256, 4;", uint64_t(-16)},
      {"cvt.s64.s32 %rd5, -5;", uint64_t(-5)},
      {"cvt.u64.u32 %rd5, -5;", 0xfffffffb},
      {"mov.b64 %rd5, {1, 2};", 0x200000001},
      {"mov.b64 {%r2, %r3}, 0x200000001; cvt.u64.u32 %rd5, %r3;", 2},
      {"add.f64 %rd5, 0d3FF0000000000000, 0d3FF0000000000000;",
       0x4000000000000000},
      {"fma.rn.f64 %rd5, 0d4000000000000000, 0d4000000000000000, "
       "0d3FF0000000000000;",
       0x4014000000000000},
      {"cvt.f64.f32 %rd5, 0f3F800000;", 0x3ff0000000000000},
      {"cvt.rn.f64.s64 %rd5, -1;", 0xbff0000000000000},
      {"popc.b64 %r3, -1; cvt.u64.u32 %rd5, %r3;", 64},
      {"bfe.u64 %rd5, 0xff00000000, 32, 4;", 15},
  };
  for (auto [body, expected] : cases)
    EXPECT_EQ(compute(body, true), expected) << body;
}

TEST(PtxInstructionTest, ProductsAgainstAPInt) {
  std::mt19937_64 random(1);
  for (unsigned n = 0; n != 50; ++n) {
    uint64_t a = random() >> random() % 60, b = random() >> random() % 60;
    if (random() % 2)
      a = -a;
    llvm::APInt x(64, a), y(64, b);
    auto run64 = [&](const char *name) {
      return compute(llvm::formatv("{0} %rd5, {1}, {2};", name, a, b).str(),
                     true);
    };
    EXPECT_EQ(run64("mul.hi.u64"),
              (x.zext(128) * y.zext(128)).lshr(64).trunc(64).getZExtValue());
    EXPECT_EQ(run64("mul.hi.s64"),
              (x.sext(128) * y.sext(128)).lshr(64).trunc(64).getZExtValue());
    EXPECT_EQ(run64("mul.lo.s64"), (x * y).getZExtValue());
    EXPECT_EQ(run64("min.s64"), (x.slt(y) ? x : y).getZExtValue());
    if (b) {
      EXPECT_EQ(run64("div.s64"), x.sdiv(y).getZExtValue());
      EXPECT_EQ(run64("rem.u64"), x.urem(y).getZExtValue());
    }
    llvm::APInt u = x.trunc(16), v = y.trunc(16);
    auto run16 = [&](const char *name, const char *extend) {
      return compute(llvm::formatv("mov.b16 %h1, {1}; {0} %h2, %h1, {2}; "
                                   "cvt.{3} %r2, %h2;",
                                   name, u.getZExtValue(), v.getZExtValue(),
                                   extend)
                         .str());
    };
    EXPECT_EQ(run16("mul.hi.u16", "u32.u16"),
              (u.zext(32) * v.zext(32)).lshr(16).getZExtValue());
    EXPECT_EQ(run16("mul.hi.s16", "u32.u16"),
              (u.sext(32) * v.sext(32)).lshr(16).getZExtValue());
    EXPECT_EQ(run16("max.s16", "s32.s16"),
              (u.sgt(v) ? u : v).sext(32).getZExtValue());
    EXPECT_EQ(run16("sub.s16", "u32.u16"), (u - v).getZExtValue());
  }
}

/// Loads and stores of all widths, in vectors and with extension.
TEST(PtxInstructionTest, Memory) {
  const char *variables =
      ".shared .align 16 .b8 s[64];\n.const .align 4 .b8 c[4] = {1, 255, 3, "
      "4};\n.global .align 8 .u32 g[2] = {5, 6};";
  const std::pair<const char *, uint32_t> cases[] = {
      {"st.shared.b32 [s], 0xff80ff80; ld.shared.s8 %r2, [s];", 0xffffff80},
      {"st.shared.b32 [s], 0xff80ff80; ld.shared.u8 %r2, [s+1];", 0xff},
      {"st.shared.b32 [s], 0xff80ff80; ld.shared.s16 %r2, [s+2];", 0xffffff80},
      {"st.shared.v4.b32 [s], {1, 2, 3, 4}; ld.shared.v2.b32 {_, %r2}, "
       "[s+8];",
       4},
      {"mov.b16 %h1, 0x1234; st.shared.b8 [s], %h1; st.shared.b8 [s+1], %h1; "
       "ld.shared.b16 %h2, [s]; cvt.u32.u16 %r2, %h2;",
       0x3434},
      {"ld.const.b8 %h1, [c+1]; cvt.u32.u16 %r2, %h1;", 255},
      {"ld.const.b32 %r2, [c];", 0x0403ff01},
      {"ld.global.v2.b32 {%r3, %r4}, [g]; add.s32 %r2, %r3, %r4;", 11},
      {"mov.b64 %rd5, s; cvta.shared.u64 %rd6, %rd5; st.b32 [%rd6+4], 9; "
       "ld.shared.b32 %r2, [s+4];",
       9},
      {"st.shared.b32 [s], 4; atom.shared.add.u32 %r3, [s], 5; "
       "ld.shared.b32 %r4, [s]; mad.lo.s32 %r2, %r3, 100, %r4;",
       409},
      {"st.shared.b32 [s], 4; atom.shared.cas.b32 %r3, [s], 4, 8; "
       "ld.shared.b32 %r2, [s];",
       8},
      {"st.shared.b32 [s], 4; red.shared.max.s32 [s], -8; "
       "ld.shared.b32 %r2, [s];",
       4},
      {"st.shared.b32 [s], 4; atom.shared.inc.u32 %r3, [s], 4; "
       "ld.shared.b32 %r2, [s];",
       0},
      // Addresses in registers of 32 bits.
      {"mov.u32 %r3, s; st.shared.b32 [%r3+8], 7; ld.shared.b32 %r2, [s+8];",
       7},
      {"mov.u32 %r3, s; add.u32 %r3, %r3, 16; st.shared.b32 [%r3+-4], 7; "
       "ld.shared.b32 %r2, [s+12];",
       7},
      {"mov.u32 %r3, s; st.shared.b32 [s], 4; "
       "atom.shared.add.u32 %r4, [%r3], 5; ld.shared.b32 %r2, [%r3];",
       9},
      {"mov.u32 %r3, s; cp.async.ca.shared.global [%r3+4], [%rd1+8], 4; "
       "cp.async.wait_all; ld.shared.b32 %r2, [s+4];",
       2},
      {"st.shared.b32 [s], 0f3F800000; red.shared.add.f32 [s], 0f3F800000; "
       "ld.shared.b32 %r2, [s];",
       0x40000000},
  };
  for (auto [body, expected] : cases) {
    Outcome outcome =
        run(std::string(body) + "\nst.global.b32 [%rd2], %r2;", 1, variables);
    EXPECT_EQ(outcome.message, "") << body;
    EXPECT_EQ(outcome.out[0], expected) << body;
  }
}

TEST(PtxInstructionTest, ClocksAdvance) {
  // Eight instructions are between the first two reads, and one is a loop that
  // waits for the clock.
  EXPECT_EQ(compute("mov.u64 %rd6, %clock64; mov.u32 %r3, %clock;\n"
                    "add.u32 %r4, %r3, 1; add.u32 %r4, %r4, 1;\n"
                    "add.u32 %r4, %r4, 1; add.u32 %r4, %r4, 1;\n"
                    "mov.u32 %r4, %clock_hi; mov.u32 %r5, %globaltimer_lo;\n"
                    "mov.u64 %rd7, %clock64; sub.u64 %rd5, %rd7, %rd6;",
                    true),
            8u);
  EXPECT_GE(compute("mov.u64 %rd6, %clock64;\n"
                    "loop: mov.u64 %rd7, %clock64; sub.u64 %rd5, %rd7, %rd6;\n"
                    "setp.lt.u64 %p1, %rd5, 100; @%p1 bra loop;",
                    true),
            100u);
  EXPECT_EQ(compute("mov.u32 %r3, %clock; mov.u64 %rd6, %globaltimer;\n"
                    "cvt.u32.u64 %r4, %rd6; sub.u32 %r3, %r4, %r3;\n"
                    "mov.u32 %r4, %clock_hi; add.u32 %r2, %r3, %r4;"),
            1u);
}

TEST(PtxInstructionTest, LocalMemoryIsPerThread) {
  Outcome outcome = run(R"(
    .local .align 8 .b8 depot[16];
    mov.b64 %rd5, depot;
    cvta.local.u64 %rd6, %rd5;
    st.local.b32 [%rd5+8], %r1;
    ld.b32 %r2, [%rd6+8];
    st.global.b32 [%rd4], %r2;)");
  EXPECT_EQ(outcome.message, "");
  for (unsigned n = 0; n != 32; ++n)
    EXPECT_EQ(outcome.out[n], n);
}

} // namespace
