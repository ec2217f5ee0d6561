//===- JitModule.cpp - load object code into the process ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/JitModule.h"

#include "pruner/Runtime/KernelTeam.h"
#include "pruner/Runtime/TileRegisters.h"

#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/TargetSelect.h"

using namespace pruner;
using namespace llvm;

JitModule::JitModule() = default;
JitModule::~JitModule() = default;

/// Calls `visit(name, offset, section size)` for each defined function.
static Error
forFunctions(const object::ObjectFile &object,
             function_ref<void(StringRef, uint64_t, uint64_t)> visit) {
  for (const object::SymbolRef &symbol : object.symbols()) {
    auto type = symbol.getType();
    if (!type)
      return type.takeError();
    if (*type != object::SymbolRef::ST_Function)
      continue;
    auto section = symbol.getSection();
    if (!section)
      return section.takeError();
    auto name = symbol.getName();
    if (!name)
      return name.takeError();
    auto offset = symbol.getValue();
    if (!offset)
      return offset.takeError();
    if (*section != object.section_end())
      visit(*name, *offset, (*section)->getSize());
  }
  return Error::success();
}

/// Makes parallel code run on the threads of KernelTeam.h, independent of other
/// OpenMP runtimes in the process.
static Error addThreads(orc::LLJIT &jit) {
  orc::SymbolMap symbols;
  for (auto [name, address] : kernelThreadSymbols())
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                          JITSymbolFlags::Exported |
                                              JITSymbolFlags::Callable};
  return jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols)));
}

Expected<std::unique_ptr<JitModule>> pruner::loadObject(ArrayRef<char> bytes) {
  static const bool initialized = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    requestTileRegisters();
    return true;
  }();
  (void)initialized;

  StringRef contents(bytes.data(), bytes.size());
  auto object =
      object::ObjectFile::createObjectFile(MemoryBufferRef(contents, "kernel"));
  if (!object)
    return object.takeError();

  std::unique_ptr<JitModule> module(new JitModule());
  auto note = [&](StringRef name, uint64_t offset, uint64_t size) {
    module->positions[name] = {offset, size};
  };
  if (Error error = forFunctions(**object, note))
    return error;
  auto jit = orc::LLJITBuilder().create();
  if (!jit)
    return jit.takeError();
  module->jit = std::move(*jit);
  // The session reports the missing symbols, but the failed lookup only reports
  // that some are missing. Keep the first report for the second.
  std::string &errors = module->errors;
  module->jit->getExecutionSession().setErrorReporter([&errors](Error error) {
    errors += (errors.empty() ? "" : "; ") + toString(std::move(error));
  });
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      module->jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  module->jit->getMainJITDylib().addGenerator(std::move(*process));
  if (Error error = addThreads(*module->jit))
    return error;
  if (Error error = module->jit->addObjectFile(
          MemoryBuffer::getMemBufferCopy(contents, "kernel")))
    return error;
  return module;
}

Expected<void *> JitModule::lookup(StringRef name) {
  auto address = jit->lookup(name);
  if (address)
    return address->toPtr<void *>();
  std::string text = toString(address.takeError());
  if (!errors.empty())
    text += ": " + std::exchange(errors, {});
  return createStringError("cannot load '" + name + "': " + text);
}

Expected<ArrayRef<uint8_t>> JitModule::sectionOf(StringRef function) {
  auto address = lookup(function);
  if (!address)
    return address.takeError();
  Position position = positions.lookup(function);
  return ArrayRef(static_cast<uint8_t *>(*address) - position.offset,
                  position.section);
}
