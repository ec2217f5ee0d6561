//===- X86Code.cpp - decode x86-64 objects with LLVM MC -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "X86Code.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/TargetSelect.h"

using namespace pruner;
using namespace llvm;

extern "C" {
void LLVMInitializeX86TargetInfo();
void LLVMInitializeX86TargetMC();
void LLVMInitializeX86Disassembler();
}

namespace {
/// The MC objects that decoding needs.
struct Decoder {
  std::unique_ptr<MCRegisterInfo> registers;
  std::unique_ptr<MCAsmInfo> asmInfo;
  std::unique_ptr<MCInstrInfo> opcodes;
  std::unique_ptr<MCSubtargetInfo> subtarget;
  std::unique_ptr<MCContext> context;
  std::unique_ptr<MCDisassembler> disassembler;
  std::unique_ptr<MCInstrAnalysis> analysis;

  static Expected<std::unique_ptr<Decoder>> create();
};
} // namespace

Expected<std::unique_ptr<Decoder>> Decoder::create() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86Disassembler();
  Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return createStringError("this LLVM has no x86 target: " + error);
  auto decoder = std::make_unique<Decoder>();
  decoder->registers.reset(target->createMCRegInfo(triple));
  decoder->asmInfo.reset(
      target->createMCAsmInfo(*decoder->registers, triple, MCTargetOptions()));
  decoder->opcodes.reset(target->createMCInstrInfo());
  decoder->subtarget.reset(target->createMCSubtargetInfo(triple, "", ""));
  decoder->context = std::make_unique<MCContext>(triple, decoder->asmInfo.get(),
                                                 decoder->registers.get(),
                                                 decoder->subtarget.get());
  decoder->disassembler.reset(
      target->createMCDisassembler(*decoder->subtarget, *decoder->context));
  decoder->analysis.reset(
      target->createMCInstrAnalysis(decoder->opcodes.get()));
  return decoder;
}

/// Counts multiply-adds. LLVM's opcode names contain the operation, the element
/// type and the encoding: VFMADD231PSYr, VFMADD213PSZ256m, VFNMADD132SDr,
/// VFMADD231PSZmbk.
static void countFma(StringRef opcode, CodeFacts &facts) {
  if (!opcode.consume_front("VFMADD") && !opcode.consume_front("VFMSUB") &&
      !opcode.consume_front("VFNMADD") && !opcode.consume_front("VFNMSUB"))
    return;
  if (!opcode.consume_front("132") && !opcode.consume_front("213") &&
      !opcode.consume_front("231"))
    return; // VFMADDSUB and similar are not plain multiply-adds.
  if (opcode.starts_with("S")) {
    ++facts.scalarFmas;
    return;
  }
  opcode = opcode.drop_front(2); // PS, PD or PH.
  if (opcode.starts_with("Z256") || opcode.starts_with("Y"))
    ++facts.fmaYmm;
  else if (opcode.starts_with("Z") && !opcode.starts_with("Z128"))
    ++facts.fmaZmm;
  else
    ++facts.fmaXmm;
}

static void countOther(StringRef opcode, CodeFacts &facts) {
  if (opcode.starts_with("VGATHER") || opcode.starts_with("VPGATHER") ||
      opcode.starts_with("VSCATTER") || opcode.starts_with("VPSCATTER"))
    ++facts.gathers;
  StringRef plain = opcode;
  plain.consume_front("V");
  for (StringRef name : {"DIVP", "DIVS", "SQRTP", "SQRTS"})
    if (plain.starts_with(name))
      ++facts.divides;
}

/// The index of the first of the five operands of a memory reference (base,
/// scale, index, displacement, segment), if there is one.
static std::optional<unsigned> memoryOperand(const MCInstrDesc &description,
                                             const MCInst &inst) {
  for (auto [n, operand] : llvm::enumerate(description.operands()))
    if (operand.OperandType == MCOI::OPERAND_MEMORY &&
        n + 5 <= inst.getNumOperands() && inst.getOperand(n).isReg())
      return n;
  return std::nullopt;
}

static void countMemory(const Decoder &decoder, const MCInst &inst,
                        const DenseSet<unsigned> &framePointers,
                        CodeFacts &facts) {
  const MCInstrDesc &description = decoder.opcodes->get(inst.getOpcode());
  bool isCall = description.isCall();
  auto first = memoryOperand(description, inst);
  // Pushes, pops and calls access the stack by convention, not because of
  // register allocation. Prefetches are marked with both effects and have
  // neither.
  if (!first || isCall ||
      decoder.opcodes->getName(inst.getOpcode()).contains("PREFETCH"))
    return;
  facts.loads += description.mayLoad();
  facts.stores += description.mayStore();
  if (!description.mayLoad() && !description.mayStore())
    return;
  unsigned base = inst.getOperand(*first).getReg().id();
  if (!framePointers.contains(base))
    return;
  ++facts.stackAccesses;
  if (inst.getOperand(*first + 2).getReg().isValid())
    ++facts.indexedStack;
}

/// Offsets of bytes in the section that the linker will fill in. A branch over
/// such bytes leaves the function, whatever its displacement is now.
///
/// By ELFFile: SectionRef::relocations() ends the process where a header is
/// damaged.
static Expected<DenseSet<uint64_t>>
relocatedBytes(const object::ELF64LEObjectFile &object,
               const object::SectionRef &section) {
  const object::ELF64LEFile &file = object.getELFFile();
  DenseSet<uint64_t> offsets;
  if (file.getHeader().e_type != ELF::ET_REL)
    return std::move(offsets);
  // Offsets outside of the section concern no instruction, and a set cannot
  // hold every number.
  auto add = [&](auto relocations) -> Error {
    if (!relocations)
      return relocations.takeError();
    for (const auto &relocation : *relocations)
      if (relocation.r_offset < section.getSize())
        offsets.insert(relocation.r_offset);
    return Error::success();
  };
  auto sections = file.sections();
  if (!sections)
    return sections.takeError();
  for (const auto &candidate : *sections) {
    if (candidate.sh_info != section.getIndex())
      continue;
    if (candidate.sh_type == ELF::SHT_RELA) {
      if (Error error = add(file.relas(candidate)))
        return std::move(error);
    } else if (candidate.sh_type == ELF::SHT_REL) {
      if (Error error = add(file.rels(candidate)))
        return std::move(error);
    }
  }
  return std::move(offsets);
}

static Error decodeFunction(const Decoder &decoder, ArrayRef<uint8_t> bytes,
                            uint64_t sectionOffset,
                            const DenseSet<uint64_t> &relocated,
                            X86Function &function) {
  DenseSet<unsigned> framePointers;
  for (unsigned reg = 1; reg < decoder.registers->getNumRegs(); ++reg)
    if (StringRef(decoder.registers->getName(reg)) == "RSP")
      framePointers.insert(reg);

  for (uint64_t offset = 0; offset < bytes.size();) {
    MCInst inst;
    uint64_t size = 0;
    if (decoder.disassembler->getInstruction(inst, size, bytes.slice(offset),
                                             offset, nulls()) !=
        MCDisassembler::Success)
      return createStringError("cannot decode function '" + function.name +
                               "' at offset " + Twine(offset));
    const MCInstrDesc &description = decoder.opcodes->get(inst.getOpcode());
    StringRef opcode = decoder.opcodes->getName(inst.getOpcode());
    // A copy of the stack pointer becomes a frame or base pointer, which may
    // also address spill slots.
    if (opcode.starts_with("MOV64rr") &&
        framePointers.contains(inst.getOperand(1).getReg().id()))
      framePointers.insert(inst.getOperand(0).getReg().id());

    X86Instruction result;
    result.offset = offset;
    result.size = size;
    result.facts.instructions = 1;
    result.facts.calls = description.isCall();
    countFma(opcode, result.facts);
    countOther(opcode, result.facts);
    countMemory(decoder, inst, framePointers, result.facts);
    result.isTerminator = description.isTerminator() || description.isReturn();
    result.fallsThrough = !description.isBarrier() && !description.isReturn() &&
                          !description.isTrap();
    bool external = false;
    for (uint64_t byte = 0; byte < size; ++byte)
      external |= relocated.contains(sectionOffset + offset + byte);
    uint64_t target = 0;
    if (description.isBranch() && !external &&
        decoder.analysis->evaluateBranch(inst, offset, size, target) &&
        target < bytes.size())
      result.target = target;
    function.code.push_back(result);
    offset += size;
  }
  return Error::success();
}

Expected<std::vector<X86Function>>
pruner::decodeObject(ArrayRef<char> contents) {
  auto object = object::ObjectFile::createObjectFile(MemoryBufferRef(
      StringRef(contents.data(), contents.size()), "object code"));
  if (!object)
    return object.takeError();
  auto *elf = dyn_cast<object::ELF64LEObjectFile>(object->get());
  if (!elf || elf->getArch() != Triple::x86_64)
    return createStringError("expected an x86-64 ELF object, but got " +
                             (*object)->getFileFormatName());
  auto decoder = Decoder::create();
  if (!decoder)
    return decoder.takeError();

  std::vector<X86Function> functions;
  for (const object::ELFSymbolRef symbol : elf->symbols()) {
    auto type = symbol.getType();
    if (!type)
      return type.takeError();
    auto section = symbol.getSection();
    if (!section)
      return section.takeError();
    if (*type != object::SymbolRef::ST_Function ||
        *section == elf->section_end())
      continue;
    auto name = symbol.getName();
    auto address = symbol.getValue();
    auto bytes = (*section)->getContents();
    if (!name)
      return name.takeError();
    if (!address)
      return address.takeError();
    if (!bytes)
      return bytes.takeError();
    uint64_t size = symbol.getSize();
    if (*address > bytes->size() || size > bytes->size() - *address)
      return createStringError("function '" + *name +
                               "' reaches past the end of its section");
    X86Function function;
    function.name = name->str();
    function.sizeBytes = size;
    auto relocated = relocatedBytes(*elf, **section);
    if (!relocated)
      return relocated.takeError();
    if (Error error = decodeFunction(
            **decoder, arrayRefFromStringRef(bytes->substr(*address, size)),
            *address, *relocated, function))
      return error;
    functions.push_back(std::move(function));
  }
  return functions;
}
