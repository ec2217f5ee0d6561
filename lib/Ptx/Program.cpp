//===- Program.cpp - launches of decoded kernels --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execution.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace llvm;
using namespace pruner::ptx;

char Fault::ID;
Program::~Program() = default;

/// Of all threads of a block.
static constexpr uint64_t kMaxLocalBytes = uint64_t(256) << 20;

namespace {
class DecodedProgram : public Program {
public:
  DecodedProgram(const Module &module, const Kernel &from) : text(from) {
    // Instructions refer to the text of the module.
    source = *module.text;
    const char *old = module.text->data();
    auto move = [&](StringRef &ref) {
      if (ref.data() >= old && ref.data() <= old + module.text->size())
        ref = StringRef(source.data() + (ref.data() - old), ref.size());
    };
    for (Instruction &instruction : text.instructions) {
      move(instruction.name);
      move(instruction.opcode);
      for (StringRef &modifier : instruction.modifiers)
        move(modifier);
      instruction.operands.clear();
    }
    code.kernel = &text;
  }
  Expected<Counts> launch(ArrayRef<Argument> arguments,
                          const LaunchOptions &options) const override;
  const Kernel &kernel() const override { return text; }

  DecodedKernel code;

private:
  void bindArguments(Launch &launch, ArrayRef<Argument> arguments) const;
  Counts summarize(const Launch &launch) const;

  Kernel text;
  std::string source;
};
} // namespace

Expected<std::unique_ptr<Program>> Program::decode(const Module &module,
                                                   StringRef name) {
  const Kernel *kernel = module.find(name);
  if (!kernel)
    return createStringError("no kernel named '" + name + "'");
  auto program = std::make_unique<DecodedProgram>(module, *kernel);
  DecodedKernel code;
  if (Error error = Decoder(module, *kernel, code).decode())
    return error;
  // Variables are those of the program's own copy of the kernel.
  auto adopt = [&](std::vector<PlacedVariable> &placed) {
    for (PlacedVariable &one : placed)
      one.variable =
          &program->kernel().variables[one.variable - kernel->variables.data()];
  };
  adopt(code.shared);
  adopt(code.local);
  adopt(code.global);
  code.kernel = &program->kernel();
  program->code = std::move(code);
  return program;
}

void DecodedProgram::bindArguments(Launch &launch,
                                   ArrayRef<Argument> arguments) const {
  const LaunchOptions &options = launch.options;
  launch.parameters.resize(code.parameterBytes);
  auto shadow = [&](Region &region) {
    region.granule = code.globalGranule;
    if (options.checkGlobalRaces)
      region.shadow.resize(divideCeil(region.bytes, region.granule));
  };
  for (auto [n, argument] : enumerate(arguments)) {
    const Variable &parameter = text.variables[n];
    launch.buffers.emplace_back();
    Region &region = launch.buffers.back();
    uint8_t *value = launch.parameters.data() + code.parameterOffsets[n];
    if (argument.isValue) {
      if (argument.bytes != parameter.bytes)
        return launch.fault(Violation::Launch,
                            "parameter '" + parameter.name + "' has " +
                                Twine(parameter.bytes) + " bytes, but got " +
                                Twine(argument.bytes));
      std::memcpy(value, argument.data, argument.bytes);
      continue;
    }
    if (parameter.bytes != 8)
      return launch.fault(Violation::Launch, "parameter '" + parameter.name +
                                                 "' is not an address");
    if (options.addressOffset % parameter.pointerAlign != 0)
      return launch.fault(Violation::Launch, "parameter '" + parameter.name +
                                                 "' needs " +
                                                 Twine(parameter.pointerAlign) +
                                                 " bytes of alignment");
    region.address = bufferAddress(n) + options.addressOffset;
    region.bytes = argument.bytes;
    region.data = static_cast<uint8_t *>(argument.data);
    region.isReadOnly = argument.isReadOnly;
    region.name = parameter.name;
    shadow(region);
    region.defined = argument.written;
    if (!argument.written && argument.isUninitialized) {
      launch.storage.emplace_back(argument.bytes);
      region.defined = launch.storage.back().data();
    }
    std::memcpy(value, &region.address, 8);
  }
  for (const PlacedVariable &placed : code.global) {
    launch.buffers.emplace_back();
    Region &region = launch.buffers.back();
    region.address = placed.address;
    region.bytes = placed.variable->bytes;
    launch.storage.emplace_back(placed.variable->initializer);
    launch.storage.back().resize(region.bytes);
    region.data = launch.storage.back().data();
    region.isReadOnly = placed.variable->space == Space::Const;
    region.name = placed.variable->name;
    shadow(region);
  }
}

Expected<Counts> DecodedProgram::launch(ArrayRef<Argument> arguments,
                                        const LaunchOptions &options) const {
  Launch launch(code, options);
  uint64_t threads = 1, blocks = 1;
  for (unsigned n = 0; n != 3; ++n) {
    threads = SaturatingMultiply<uint64_t>(threads, options.block[n]);
    blocks = SaturatingMultiply<uint64_t>(blocks, options.grid[n]);
  }
  auto exceeds = [&](const std::optional<std::array<unsigned, 3>> &limit,
                     bool exactly) {
    if (!limit)
      return false;
    uint64_t allowed = uint64_t((*limit)[0]) * (*limit)[1] * (*limit)[2];
    return exactly ? *limit != options.block : threads > allowed;
  };
  if (threads == 0 || threads > 1024 || blocks == 0 || blocks > UINT32_MAX)
    launch.fault(Violation::Launch,
                 "a launch has 1 to 1024 threads and 1 to 2^32-1 blocks");
  else if (exceeds(text.maxThreads, false) ||
           exceeds(text.requiredThreads, true))
    launch.fault(Violation::Launch, "the kernel does not accept blocks of " +
                                        Twine(threads) + " threads");
  else if (arguments.size() != text.numParameters)
    launch.fault(Violation::Launch, "expected " + Twine(text.numParameters) +
                                        " arguments but got " +
                                        Twine(arguments.size()));
  else if (options.dynamicSharedBytes > 256 << 10)
    launch.fault(Violation::Launch, "too much dynamic shared memory");
  else if (SaturatingMultiply<uint64_t>(code.localBytes, threads) >
           kMaxLocalBytes)
    launch.fault(Violation::Launch, "too much local memory");
  else if (any_of(options.blocks, [&](uint32_t n) { return n >= blocks; }))
    launch.fault(Violation::Launch,
                 "the grid has " + Twine(blocks) + " blocks");
  else if (options.addressOffset >= 512)
    launch.fault(Violation::Launch, "the offset of addresses is not below 512");
  else
    bindArguments(launch, arguments);
  launch.counts.resize(code.ops.size());
  if (!launch.violation) {
    Block block(launch, code);
    auto run = [&](uint64_t number) {
      const auto &grid = options.grid;
      block.run(uint32_t(number), {unsigned(number % grid[0]),
                                   unsigned(number / grid[0] % grid[1]),
                                   unsigned(number / grid[0] / grid[1])});
      return !launch.violation;
    };
    if (options.blocks.empty()) {
      for (uint64_t number = 0; number != blocks && run(number); ++number)
        ;
    } else {
      for (uint32_t number : options.blocks)
        if (!run(number))
          break;
      blocks = options.blocks.size();
    }
  }
  if (launch.violation)
    return make_error<Fault>(std::move(*launch.violation));
  Counts counts = summarize(launch);
  counts.blocks = blocks;
  counts.threads = blocks * threads;
  return counts;
}

Counts DecodedProgram::summarize(const Launch &launch) const {
  Counts counts;
  for (const PlacedVariable &placed : code.shared)
    counts.sharedBytes += placed.variable->bytes;
  counts.sharedBytes += launch.options.dynamicSharedBytes;
  for (const PlacedVariable &placed : code.local)
    counts.localBytes += placed.variable->bytes;
  counts.barriers = launch.barriers;
  counts.steps = launch.steps;
  for (auto [n, instruction] : enumerate(text.instructions)) {
    const Op &op = code.ops[n];
    const OpCounts &of = launch.counts[n];
    std::string name = instruction.name.str();
    ++counts.instructions;
    ++counts.pipes[unsigned(op.pipe)];
    ++counts.opcodes[name];
    counts.executed += of.executed;
    counts.executedPipes[unsigned(op.pipe)] += of.executed;
    counts.executedOpcodes[name] += of.executed;
    if (instruction.opcode == "shfl")
      counts.shuffles += of.executed.warps;
    bool isStore = instruction.opcode == "st" || instruction.opcode == "red" ||
                   instruction.opcode == "atom";
    if (instruction.opcode == "cp")
      counts.asyncCopies += of.memory;
    else if (of.memory.sectors == 0)
      (isStore ? counts.sharedStores : counts.sharedLoads) += of.memory;
    else
      (isStore ? counts.globalStores : counts.globalLoads) += of.memory;
    counts.globalLoads += of.source;
  }
  return counts;
}
