//===- RunPtx.cpp - run a kernel of a PTX file ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunPtx.h"

#include "pruner/Support/InputFile.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace llvm;
using namespace pruner;

bool pruner::parseArgument(StringRef text, mlir::MLIRContext &context,
                           EmulatedArgument &argument) {
  mlir::Builder builder(&context);
  auto [type, count] = text.split('x');
  argument.element = StringSwitch<mlir::Type>(type)
                         .Case("f64", builder.getF64Type())
                         .Case("f32", builder.getF32Type())
                         .Case("f16", builder.getF16Type())
                         .Case("bf16", builder.getBF16Type())
                         .Case("i64", builder.getI64Type())
                         .Case("i32", builder.getI32Type())
                         .Case("i16", builder.getIntegerType(16))
                         .Case("i8", builder.getI8Type())
                         .Default(nullptr);
  argument.scalar = !text.contains('x');
  if (!argument.scalar && count.getAsInteger(10, argument.count))
    return false;
  return argument.element && argument.count > 0 &&
         argument.count <= int64_t(1) << 30;
}

static Expected<ptx::Counts>
launch(const ptx::Program &program, const PtxRun &run,
       const std::vector<EmulatedArgument> &arguments,
       const ptx::LaunchOptions &options) {
  std::vector<ptx::Argument> bound;
  for (auto [n, argument] : enumerate(arguments)) {
    ptx::Argument one;
    one.data = argument.bytes.get();
    one.bytes = argument.size();
    one.isValue = argument.scalar;
    one.isUninitialized = is_contained(run.poisoned, n);
    bound.push_back(one);
  }
  return program.launch(bound, options);
}

static Error writeCounts(StringRef file, const ptx::Counts &counts) {
  std::error_code code;
  raw_fd_ostream os(file, code);
  if (code)
    return createStringError("cannot open '" + file + "': " + code.message());
  os << formatv("{0:2}\n", json::Value(ptx::toJSON(counts)));
  return Error::success();
}

Error pruner::runPtx(const PtxRun &run,
                     std::vector<EmulatedArgument> &arguments) {
  auto text = readInputFile(run.file, ptx::kMaxTextBytes);
  if (!text)
    return createStringError("cannot read '" + run.file +
                             "': " + toString(text.takeError()));
  auto module = ptx::parse((*text)->getBuffer());
  if (!module)
    return createStringError(run.file + ":" + toString(module.takeError()));
  if (!module->find(run.kernel))
    return createStringError("no kernel named '" + run.kernel + "' in " +
                             run.file);
  auto program = ptx::Program::decode(*module, run.kernel);
  if (!program)
    return createStringError(run.file + ":" + toString(program.takeError()));
  const ptx::Kernel &kernel = (*program)->kernel();
  ptx::LaunchOptions options = run.options;
  if (run.block)
    options.block = *run.block;
  else if (kernel.requiredThreads)
    options.block = *kernel.requiredThreads;
  else if (kernel.maxThreads)
    options.block = *kernel.maxThreads;

  // What the arguments are before the launch, and after the first one.
  bool hasCopies = any_of(kernel.instructions, [](const auto &instruction) {
    return instruction.opcode == "cp";
  });
  std::vector<std::string> before, early;
  auto save = [&](std::vector<std::string> &to) {
    for (const EmulatedArgument &argument : arguments)
      to.emplace_back(argument.bytes.get(), argument.size());
  };
  if (hasCopies) {
    save(before);
    options.copies = ptx::CopyTiming::AtIssue;
    auto counts = launch(**program, run, arguments, options);
    if (!counts)
      return counts.takeError();
    save(early);
    for (auto [argument, bytes] : zip_equal(arguments, before))
      std::memcpy(argument.bytes.get(), bytes.data(), bytes.size());
  }
  options.copies = ptx::CopyTiming::AtWait;
  auto counts = launch(**program, run, arguments, options);
  if (!counts)
    return counts.takeError();
  for (auto [n, bytes] : enumerate(early))
    if (std::memcmp(arguments[n].bytes.get(), bytes.data(), bytes.size()) != 0)
      return createStringError("argument " + Twine(n) +
                               " depends on when asynchronous copies happen");
  return run.counts.empty() ? Error::success()
                            : writeCounts(run.counts, *counts);
}
