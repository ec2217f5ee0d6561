//===- pruner-check-math.cpp - check generated math functions -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Check.h"
#include "Throughput.h"

#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Support/CommandLine.h"
#include "pruner/Support/JsonLines.h"
#include "pruner/Support/StandardStreams.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

using namespace llvm;
using namespace pruner;
using namespace pruner::checkmath;

static cl::OptionCategory category("pruner-check-math options");
static cl::list<std::string> functionNames("functions",
                                           cl::desc("Functions (default: all)"),
                                           cl::CommaSeparated,
                                           cl::cat(category));
static cl::list<std::string>
    typeNames("types", cl::desc("f32, f64, f16, bf16 (default: all)"),
              cl::CommaSeparated, cl::cat(category));
static cl::opt<uint64_t>
    stride("stride", cl::init(1), cl::cat(category),
           cl::desc("For functions of one f32, f16 or bf16: check every n-th "
                    "number (default: 1, all of them)"));
static cl::opt<uint64_t>
    drawn("count", cl::init(100000000), cl::cat(category),
          cl::desc("For other functions: number of random arguments"));
static cl::opt<uint64_t> seed("seed", cl::init(1), cl::cat(category),
                              cl::desc("Seed of the random arguments"));
static cl::opt<std::string>
    state("state", cl::cat(category), cl::value_desc("file"),
          cl::desc("Append a JSON line per 2^26 arguments to this file, and "
                   "continue after those that it has"));
static cl::opt<std::string> cpuName("mcpu", cl::init("host"), cl::cat(category),
                                    cl::desc("CPU to generate code for"));
static cl::opt<bool>
    throughput("throughput", cl::cat(category),
               cl::desc("Instead of errors, print the times of f32 functions, "
                        "and those of libmvec and SLEEF if available"));

static cl::list<std::string>
    peers("peer", cl::cat(category), cl::value_desc("name=directory"),
          cl::desc("With --throughput, one more column: <function>.so in the "
                   "directory exports pruner_peer(const float *x, const float "
                   "*y, float *z) for 4096 numbers"));

static json::Object toJson(StringRef key, const Tally &t) {
  return json::Object{{"key", key},
                      {"done", int64_t(t.done)},
                      {"worst", t.worst},
                      {"worst_x", utohexstr(t.worstX)},
                      {"worst_y", utohexstr(t.worstY)},
                      {"neighbours", int64_t(t.neighbors)},
                      {"beyond", int64_t(t.beyond)},
                      {"special", int64_t(t.special)},
                      {"first_x", utohexstr(t.firstX)},
                      {"first_y", utohexstr(t.firstY)}};
}

static std::map<std::string, Tally> readState() {
  std::map<std::string, Tally> known;
  auto file = MemoryBuffer::getFile(state);
  if (state.empty() || !file)
    return known;
  SmallVector<StringRef> lines;
  (*file)->getBuffer().split(lines, '\n');
  for (StringRef line : lines) {
    auto value = parseJsonObject(line);
    if (!value) { // The last line of a run that was ended.
      consumeError(value.takeError());
      continue;
    }
    const json::Object &o = *value;
    auto hex = [&](StringRef name) {
      uint64_t bits = 0;
      o.getString(name).value_or("0").getAsInteger(16, bits);
      return bits;
    };
    auto number = [&](StringRef name) {
      return uint64_t(o.getInteger(name).value_or(0));
    };
    Tally &t = known[o.getString("key").value_or("").str()];
    t = {number("done"),       o.getNumber("worst").value_or(0),
         hex("worst_x"),       hex("worst_y"),
         number("neighbours"), number("beyond"),
         number("special"),    hex("first_x"),
         hex("first_y")};
  }
  return known;
}

static void printRow(const checkmath::Function &function, const Format &format,
                     const Tally &t) {
  auto arguments = [&](uint64_t x, uint64_t y) {
    std::string text;
    raw_string_ostream os(text);
    os << llvm::format("%.9g", double(valueOf(format, x)));
    if (function.arity == 2)
      os << llvm::format(", %.9g", double(valueOf(format, y)));
    return text;
  };
  outs() << formatv("| {0} | {1} | {2} | {3:f3} | {4} | {5} | {6} | {7} |",
                    function.name, format.name, t.done, t.worst,
                    t.worst > 0 ? arguments(t.worstX, t.worstY) : "-",
                    t.neighbors, t.beyond, t.special);
  if (t.beyond + t.special != 0)
    outs() << " first: " << arguments(t.firstX, t.firstY);
  outs() << "\n";
  outs().flush();
}

/// Whether all results were right.
static Expected<bool> check(mlir::MLIRContext &context,
                            const checkmath::Function &function,
                            const Format &format,
                            std::map<std::string, Tally> &known) {
  CpuOptions cpu;
  cpu.cpu = cpuName;
  auto kernel = Kernel::compile(context, function, format, cpu);
  if (!kernel)
    return kernel.takeError();
  Inputs inputs(function, format, stride, drawn, seed);
  Check run(function, format, inputs, std::move(*kernel));
  std::string key =
      formatv("{0} {1} stride {2} seed {3} size {4}", function.name,
              format.name, stride, seed, inputs.size());
  Tally &tally = known[key];
  std::error_code failed;
  raw_fd_ostream log(state.empty() ? "/dev/null" : StringRef(state), failed,
                     sys::fs::CD_OpenAlways, sys::fs::FA_Write,
                     sys::fs::OF_Append);
  if (failed)
    return createStringError(failed, "%s", state.c_str());
  while (tally.done < inputs.size()) {
    run.run(tally, uint64_t(1) << 26);
    log << json::Value(toJson(key, tally)) << "\n";
    log.flush();
  }
  printRow(function, format, tally);
  return tally.beyond + tally.special == 0;
}

int main(int argc, char **argv) {
  pruner::prepareProgram();
  InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  parseCommandLine(
      argc, argv,
      "Compares every function that generated code computes with the correctly "
      "rounded result, for all arguments of short types.\n");
  auto chosen = [](const cl::list<std::string> &names, StringRef name) {
    return names.empty() || is_contained(names, name);
  };
  for (const std::string &name : typeNames)
    if (!formatOf(name.c_str())) {
      errs() << "error: no type '" << name << "'\n";
      return 1;
    }
  for (const std::string &name : functionNames)
    if (none_of(allFunctions(),
                [&](const checkmath::Function &f) { return f.name == name; })) {
      errs() << "error: no function '" << name << "'\n";
      return 1;
    }
  mlir::DialectRegistry registry;
  registerPipelineDialects(registry);
  registerTargetDialects(registry);
  mlir::MLIRContext context(registry);
  context.disableMultithreading();

  if (throughput)
    return printThroughput(context, functionNames, peers) ? 0 : 1;
  std::map<std::string, Tally> known = readState();
  outs() << "| function | type | arguments | worst ulp | at | one off | more "
            "off | wrong specials |\n|---|---|---|---|---|---|---|---|\n";
  bool right = true;
  for (const char *type : {"f32", "bf16", "f16", "f64"}) {
    const Format &format = *formatOf(type);
    for (const checkmath::Function &function : allFunctions()) {
      if (!chosen(typeNames, type) || !chosen(functionNames, function.name) ||
          (function.onlyType && StringRef(function.onlyType) != type) ||
          (function.resultType &&
           formatOf(function.resultType)->width >= format.width))
        continue;
      auto result = check(context, function, format, known);
      if (!result) {
        logAllUnhandledErrors(result.takeError(), errs(), "error: ");
        right = false;
        continue;
      }
      right &= *result;
    }
  }
  return right ? 0 : 1;
}
