//===- FuzzPtx.cpp - PTX text in the PTX machine --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Ptx/Machine.h"

#include <cstdint>

using namespace pruner::ptx;

/// Launches one block of two warps, the second of which is not complete, with
/// small buffers for all parameters.
static void launch(const Program &program) {
  std::vector<std::vector<uint8_t>> data;
  std::vector<Argument> arguments;
  const Kernel &kernel = program.kernel();
  for (unsigned n = 0; n != kernel.numParameters; ++n) {
    const Variable &parameter = kernel.variables[n];
    Argument argument;
    argument.isValue = parameter.bytes != 8;
    argument.bytes = argument.isValue ? parameter.bytes : 64;
    data.emplace_back(argument.bytes, uint8_t(n));
    argument.data = data.back().data();
    arguments.push_back(argument);
  }
  LaunchOptions options;
  options.block = {48, 1, 1};
  options.stepLimit = 1000;
  options.copies =
      kernel.numParameters % 2 ? CopyTiming::AtIssue : CopyTiming::AtWait;
  if (auto counts = program.launch(arguments, options))
    toJSON(*counts);
  else
    llvm::consumeError(counts.takeError());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto module = parse({reinterpret_cast<const char *>(data), size});
  if (!module) {
    llvm::consumeError(module.takeError());
    return 0;
  }
  for (const Kernel &kernel : module->kernels)
    if (auto program = Program::decode(*module, kernel.name))
      launch(**program);
    else
      llvm::consumeError(program.takeError());
  return 0;
}
