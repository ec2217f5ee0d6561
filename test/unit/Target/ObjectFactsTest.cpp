//===- ObjectFactsTest.cpp - facts about hand-written assembly ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/ObjectFacts.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace pruner;

/// Assembles functions written in AT&T syntax, each a `name:` and a body. The
/// expected counts are visible in the text.
static llvm::SmallVector<char, 0> assemble(llvm::StringRef name,
                                           llvm::StringRef body) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, "skylake-avx512", "", llvm::TargetOptions(), llvm::Reloc::PIC_));
  llvm::LLVMContext context;
  llvm::Module module("m", context);
  module.setTargetTriple(triple);
  module.setDataLayout(machine->createDataLayout());
  module.setModuleInlineAsm((".text\n.globl " + name + "\n.type " + name +
                             ",@function\n" + name + ":\n" + body + "\n.size " +
                             name + ", .-" + name + "\n")
                                .str());
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager passes;
  machine->addPassesToEmitFile(passes, stream, nullptr,
                               llvm::CodeGenFileType::ObjectFile);
  passes.run(module);
  return bytes;
}

static FunctionFacts factsOf(llvm::StringRef body) {
  auto facts = readObjectFacts(assemble("f", body));
  if (!facts) {
    ADD_FAILURE() << llvm::toString(facts.takeError());
    return {};
  }
  const FunctionFacts *function = facts->find("f");
  EXPECT_TRUE(function);
  return function ? *function : FunctionFacts();
}

TEST(ObjectFacts, CountsTheHotInnermostLoop) {
  FunctionFacts facts = factsOf(R"(
    pushq %rbx
    subq $128, %rsp
    vmovups %zmm9, (%rsp)                    # spill in front of the loops
    vfmadd213ps %ymm1, %ymm2, %ymm3          # outside every loop
outer:
    vmovups %ymm0, 64(%rsp)                  # spill in the outer loop
cold:                                        # innermost, but no FMAs
    addss (%rdi), %xmm1
    decq %rdx
    jne cold
hot:
    vfmadd231ps (%rsi), %zmm1, %zmm2         # load
    vfmadd231ps 4(%rsi){1to16}, %zmm1, %zmm3 # broadcasting load
    vfnmadd132pd %zmm4, %zmm5, %zmm6
    vfmsub213ps %ymm4, %ymm5, %ymm6
    vfmadd132ps %xmm4, %xmm5, %xmm6
    vfmadd231ss %xmm4, %xmm5, %xmm6
    vfmadd231ps %zmm17, %zmm18, %zmm19 {%k1}
    vmovups 8(%rsp), %xmm7                   # reload
    vmovups %xmm7, 16(%rsp,%rcx,4)           # array on the stack
    vaddps 32(%rsp), %xmm7, %xmm7            # reload inside an add
    vmovups %xmm7, (%rdi)
    leaq 8(%rsp), %rax                       # an address, no access
    prefetcht0 (%rsp)
    vdivps %xmm1, %xmm2, %xmm3
    vgatherdps (%rdi,%zmm1,4), %zmm2 {%k1}
    incq %rcx
    cmpq %r8, %rcx
    jne hot
    callq other@PLT
    decq %rbx
    jne outer
    addq $128, %rsp
    popq %rbx
    retq
  )");
  EXPECT_EQ(facts.loops, 3u);
  EXPECT_EQ(facts.innermostLoops, 2u);
  ASSERT_TRUE(facts.hotLoop);
  const CodeFacts &loop = facts.hotLoop->code;
  EXPECT_EQ(loop.instructions, 18u);
  EXPECT_EQ(loop.fmaZmm, 4u);
  EXPECT_EQ(loop.fmaYmm, 1u);
  EXPECT_EQ(loop.fmaXmm, 1u);
  EXPECT_EQ(loop.scalarFmas, 1u);
  EXPECT_EQ(loop.packedFmas(), 6u);
  EXPECT_EQ(loop.loads, 5u);
  EXPECT_EQ(loop.stores, 2u);
  EXPECT_EQ(loop.stackAccesses, 3u);
  EXPECT_EQ(loop.indexedStack, 1u);
  EXPECT_EQ(loop.spills(), 2u);
  EXPECT_EQ(loop.divides, 1u);
  EXPECT_EQ(loop.gathers, 1u);
  EXPECT_EQ(loop.calls, 0u);
  EXPECT_EQ(facts.code.calls, 1u);
  EXPECT_EQ(facts.code.fmaYmm, 2u);
  EXPECT_EQ(facts.stackAccessesElsewhere, 2u);
}

TEST(ObjectFacts, FramePointerOnlyWhenItIsOne) {
  // rbp is an ordinary register here ...
  EXPECT_EQ(factsOf(R"(
    movq %rdi, %rbp
again:
    vmovups (%rbp), %ymm0
    vfmadd231ps 32(%rbp), %ymm0, %ymm1
    decq %rsi
    jne again
    retq
  )")
                .code.stackAccesses,
            0u);
  // ... and the frame pointer here.
  FunctionFacts facts = factsOf(R"(
    pushq %rbp
    movq %rsp, %rbp
again:
    vfmadd231ps -32(%rbp), %ymm0, %ymm1
    decq %rsi
    jne again
    popq %rbp
    retq
  )");
  EXPECT_EQ(facts.code.stackAccesses, 1u);
  EXPECT_EQ(facts.hotLoop->code.spills(), 1u);
}

TEST(ObjectFacts, JumpsWithoutLoops) {
  // A forward branch, and a tail call whose displacement is not yet known and
  // looks like a backward jump.
  FunctionFacts facts = factsOf(R"(
    testq %rdi, %rdi
    je skip
    vfmadd231ps %ymm0, %ymm1, %ymm2
skip:
    jmp other@PLT
  )");
  EXPECT_EQ(facts.loops, 0u);
  EXPECT_FALSE(facts.hotLoop);
  EXPECT_EQ(facts.code.fmaYmm, 1u);
  EXPECT_EQ(facts.code.instructions, 4u);
}

TEST(ObjectFacts, LoopEnteredAtItsTest) {
  // The entry jumps to the test at the bottom; the body is before it. A second
  // back edge makes one loop with two latches, not two loops.
  FunctionFacts facts = factsOf(R"(
    jmp test
body:
    vfmadd231pd %zmm0, %zmm1, %zmm2
    testq %rsi, %rsi
    je test
    vfmadd231pd %zmm0, %zmm1, %zmm3
test:
    decq %rdi
    jne body
    retq
  )");
  EXPECT_EQ(facts.loops, 1u);
  ASSERT_TRUE(facts.hotLoop);
  EXPECT_EQ(facts.hotLoop->code.fmaZmm, 2u);
  EXPECT_EQ(facts.hotLoop->code.instructions, 6u);
}

// Relocations may name any offset, also one that no set can hold.
TEST(ObjectFacts, RelocationsOutsideOfTheSectionAreIgnored) {
  llvm::SmallVector<char, 0> bytes = assemble("f", "call g@PLT\nret");
  // The offset is the first field of the only relocation: 1, of type 4, with
  // the addend -4.
  llvm::StringRef wanted("\1\0\0\0\0\0\0\0\4\0\0\0", 12);
  size_t at = llvm::StringRef(bytes.data(), bytes.size()).rfind(wanted);
  ASSERT_NE(llvm::StringRef::npos, at);
  for (unsigned char last : {0xff, 0xfe}) {
    std::fill_n(bytes.begin() + at, 8, char(0xff));
    bytes[at] = char(last);
    auto facts = readObjectFacts(bytes);
    ASSERT_TRUE(bool(facts)) << llvm::toString(facts.takeError());
    EXPECT_EQ(1, facts->find("f")->code.calls);
  }
}

TEST(ObjectFacts, DamagedRelocationsAreErrors) {
  llvm::SmallVector<char, 0> bytes = assemble("f", "call g@PLT\nret");
  llvm::object::ELF64LE::Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  for (unsigned n = 0; n < header.e_shnum; ++n) {
    llvm::object::ELF64LE::Shdr section;
    char *at = bytes.data() + header.e_shoff + n * sizeof(section);
    std::memcpy(&section, at, sizeof(section));
    if (section.sh_type != llvm::ELF::SHT_RELA)
      continue;
    section.sh_offset = bytes.size();
    std::memcpy(at, &section, sizeof(section));
  }
  auto facts = readObjectFacts(bytes);
  ASSERT_FALSE(bool(facts));
  llvm::consumeError(facts.takeError());
}

TEST(ObjectFacts, RefusesOtherBytes) {
  std::string garbage = "this is not an object file";
  auto facts = readObjectFacts({garbage.data(), garbage.size()});
  ASSERT_FALSE(facts);
  EXPECT_NE(llvm::toString(facts.takeError()), "");
  // A truncated object must not be read beyond its end.
  auto object = assemble("f", "retq");
  for (size_t size = 0; size < object.size(); size += 7)
    llvm::consumeError(readObjectFacts({object.data(), size}).takeError());
}
