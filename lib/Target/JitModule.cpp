//===- JitModule.cpp - object code made callable --------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Target/JitModule.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/TargetSelect.h"

using namespace pruner;
using namespace llvm;

JitModule::JitModule() = default;
JitModule::~JitModule() = default;

/// True when the object refers to libomp's entry points.
static Expected<bool> needsOpenMP(const object::ObjectFile &object) {
  for (const object::SymbolRef &symbol : object.symbols()) {
    auto flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    if (!(*flags & object::SymbolRef::SF_Undefined))
      continue;
    auto name = symbol.getName();
    if (!name)
      return name.takeError();
    if (name->starts_with("__kmpc_") || name->starts_with("omp_"))
      return true;
  }
  return false;
}

/// Calls `visit(name, offset, section size)` for each function that is defined.
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

static Error addOpenMP(orc::LLJIT &jit) {
  char prefix = jit.getDataLayout().getGlobalPrefix();
  std::string reasons;
  // First as the dynamic loader finds it, then beside the LLVM this was built
  // with.
  for (const char *name :
       {"libomp.so.5", "libomp.so", PRUNER_LLVM_LIBRARY_DIR "/libomp.so.5"}) {
    auto generator = orc::DynamicLibrarySearchGenerator::Load(name, prefix);
    if (generator) {
      jit.getMainJITDylib().addGenerator(std::move(*generator));
      return Error::success();
    }
    reasons += "\n  " + toString(generator.takeError());
  }
  return createStringError(
      "the code is parallel, but the OpenMP runtime libomp was not found "
      "(Debian and Ubuntu: package libomp5-22):" +
      reasons);
}

Expected<std::unique_ptr<JitModule>> pruner::loadObject(ArrayRef<char> bytes) {
  static const bool initialized = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;

  StringRef contents(bytes.data(), bytes.size());
  auto object =
      object::ObjectFile::createObjectFile(MemoryBufferRef(contents, "kernel"));
  if (!object)
    return object.takeError();
  auto parallel = needsOpenMP(**object);
  if (!parallel)
    return parallel.takeError();

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
  // The session reports the missing symbols, the failed lookup only that some
  // are; keep the first for the second.
  std::string &errors = module->errors;
  module->jit->getExecutionSession().setErrorReporter([&errors](Error error) {
    errors += (errors.empty() ? "" : "; ") + toString(std::move(error));
  });
  auto process = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      module->jit->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  module->jit->getMainJITDylib().addGenerator(std::move(*process));
  if (*parallel)
    if (Error error = addOpenMP(*module->jit))
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
