//===- PackedArguments.cpp - constants in a kernel's own layout -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Builder/PackedArguments.h"

#include "pruner/Support/Sizes.h"
#include "pruner/Target/InvokeKernel.h"

using namespace llvm;
using namespace pruner;

json::Array pruner::toJSON(ArrayRef<ArgumentPack> packs) {
  json::Array array;
  for (const ArgumentPack &pack : packs)
    array.push_back(json::Object{{"argument", int64_t(pack.argument)},
                                 {"entry", pack.entry},
                                 {"bytes", pack.bytes}});
  return array;
}

Expected<std::vector<ArgumentPack>> pruner::readPacks(const json::Object &facts,
                                                      size_t numInputs) {
  std::vector<ArgumentPack> packs;
  const json::Array *array = facts.getArray("packs");
  if (!array)
    return packs;
  for (const json::Value &value : *array) {
    const json::Object *object = value.getAsObject();
    auto argument = object ? object->getInteger("argument") : std::nullopt;
    auto entry = object ? object->getString("entry") : std::nullopt;
    auto bytes = object ? object->getInteger("bytes") : std::nullopt;
    if (!argument || *argument < 0 || *argument >= int64_t(numInputs) ||
        !entry || !bytes || *bytes < 0 || *bytes > kMaxTensorBytes)
      return createStringError("facts.packs does not describe packed inputs");
    packs.push_back({unsigned(*argument), entry->str(), *bytes});
  }
  return packs;
}

Expected<PackedArguments>
PackedArguments::create(JitModule &module, ArrayRef<ArgumentPack> packs) {
  PackedArguments result;
  for (const ArgumentPack &pack : packs) {
    auto function = module.lookup(pack.entry);
    if (!function)
      return function.takeError();
    auto memory = GuardedBuffer::allocate(pack.bytes);
    if (!memory)
      return createStringError("no memory for a packed argument");
    result.slots.push_back({pack.argument, *function, std::move(*memory)});
  }
  return result;
}

std::vector<void *> PackedArguments::pack(ArrayRef<void *> plain) {
  std::vector<void *> arguments(plain.begin(), plain.end());
  for (Slot &slot : slots) {
    slot.memory.poison();
    invokeKernel(slot.function, {plain[slot.argument], slot.memory.data()});
    arguments[slot.argument] = slot.memory.data();
  }
  return arguments;
}

std::optional<size_t> PackedArguments::bytes(size_t argument) const {
  for (const Slot &slot : slots)
    if (slot.argument == argument)
      return slot.memory.size();
  return std::nullopt;
}

void PackedArguments::open(OpenFences &fences) {
  for (Slot &slot : slots)
    fences.of(slot.memory);
}

std::optional<std::string> PackedArguments::damage() const {
  for (const Slot &slot : slots)
    if (auto found = slot.memory.damage())
      return "packed argument " + std::to_string(slot.argument) + ": " + *found;
  return std::nullopt;
}
