//===- NetworkFuzz.cpp - test random networks end to end ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fuzzing/Networks/NetworkFuzz.h"

#include "Cases.h"
#include "DynamicDraw.h"
#include "Fuzzing/Schedules/Forked.h"
#include "NetworkDraw.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace pruner;

static CaseProgress *shared = nullptr;

/// The options that decide what a case is.
static std::string caseOptions(const NetworkFuzzOptions &options) {
  std::string text;
  for (const auto &kind : options.without)
    text += (text.empty() ? " --without=" : ",") + kind.getKey().str();
  if (!options.chip.empty())
    text += " --chip=" + options.chip;
  if (!options.accuracy.empty())
    text += " --accuracy=" + options.accuracy;
  if (options.dynamic)
    text += " --dynamic";
  return text;
}

static std::string repeat(const NetworkFuzzOptions &options, uint64_t n) {
  return formatv("  repeat with: pruner-fuzz networks --seed={0} --first={1} "
                 "--count=1{2}\n",
                 options.seed, n, caseOptions(options));
}

static std::string drawCase(mlir::MLIRContext &context,
                            const NetworkFuzzOptions &options, uint64_t n) {
  NetworkChoices choices = choicesOf(options, n, 0, "");
  Random random = Random(options.seed).fork(2 * n).fork(1);
  if (options.dynamic) {
    std::string text = DynamicDraw(std::move(random)).draw();
    if (!parseModuleText(text, &context, "drawn")) {
      errs() << "the drawn program is not valid:\n" << text;
      std::abort();
    }
    return text;
  }
  return NetworkDraw(context, std::move(random), choices.inputSeed,
                     options.without)
      .draw();
}

static void keep(const NetworkFuzzOptions &options, uint64_t n, StringRef text,
                 StringRef why, raw_ostream &log) {
  if (options.directory.empty())
    return;
  std::string path = options.directory + "/seed" +
                     std::to_string(options.seed) + "-case" +
                     std::to_string(n) + ".mlir";
  std::error_code error;
  raw_fd_ostream os(path, error);
  if (error) {
    log << "cannot write " << path << ": " << error.message() << "\n";
    return;
  }
  SmallVector<StringRef> lines;
  why.split(lines, '\n');
  for (StringRef line : lines)
    os << "// " << line << "\n";
  os << formatv("// pruner-fuzz networks --check={0} --seed={1} --first={2}\n",
                path, options.seed, n)
     << text;
}

static void count(NetworkFuzzReport &report, const NetworkVerdict &verdict) {
  ++report.ran;
  report.skipped += !verdict.skipped.empty();
  report.wrong += !verdict.wrong.empty();
  report.tasks += verdict.tasks;
  report.scheduled += verdict.scheduled;
  report.elements += verdict.elements;
  report.undecided += verdict.undecided;
}

/// Runs one case in this process.
static void runCase(const NetworkFuzzOptions &options, uint64_t n,
                    const std::string &directory, raw_ostream &log) {
  limitTime(options.timeout);
  // Contexts grow with the types that they have seen.
  mlir::MLIRContext context(networkDialects(),
                            mlir::MLIRContext::Threading::DISABLED);
  auto say = [](StringRef stage) { copyText(shared->stage, stage); };
  say("drawing");
  std::string text = drawCase(context, options, n);
  if (options.dump)
    log << "// case " << n << "\n" << text;
  NetworkVerdict verdict =
      checkNetwork(context, text, choicesOf(options, n, 0, directory), say);
  if ((shared->replaced = executableIsReplaced()))
    return;
  count(shared->report, verdict);
  if (!verdict.wrong.empty()) {
    std::string why =
        formatv("case {0}, {1}: {2}", n, verdict.stage, verdict.wrong);
    log << "WRONG " << why << "\n" << repeat(options, n);
    keep(options, n, text, why, log);
  } else if (options.verbose) {
    log << formatv("{0} {1}: {2} tasks, {3} scheduled, {4} elements, {5} "
                   "undecided{6}\n",
                   verdict.skipped.empty() ? "right" : "skipped", n,
                   verdict.tasks, verdict.scheduled, verdict.elements,
                   verdict.undecided,
                   verdict.skipped.empty() ? "" : ": " + verdict.skipped);
  }
  log.flush();
}

NetworkFuzzReport pruner::runNetworkFuzz(const NetworkFuzzOptions &options,
                                         raw_ostream &log) {
  NetworkFuzzReport failure;
  failure.wrong = 1;
  TemporaryDirectory directory;
  shared = shareProgress();
  if (!shared || directory.path.empty()) {
    log << "cannot start: no shared memory or no temporary directory\n";
    return failure;
  }
  StopOnSignals signals(shared->stop);
  (void)networkDialects(); // Once, for all children.
  uint64_t next = options.first, end = options.first + options.count;
  while (next < end && !shared->stop && !shared->replaced) {
    uint64_t stop = std::min(end, next + 10);
    log.flush();
    ChildEnd how = runChild([&] {
      for (uint64_t n = next; n < stop && !shared->stop && !shared->replaced;
           ++n) {
        shared->current = n;
        runCase(options, n, directory.path, log);
      }
    });
    next = stop;
    if (how.crashed && executableIsReplaced())
      shared->replaced = true;
    if (!how.crashed || shared->replaced)
      continue;
    uint64_t n = shared->current;
    next = n + 1;
    ++shared->report.ran;
    ++shared->report.crashed;
    ++shared->report.wrong;
    std::string why = formatv("case {0}, {1}: {2}", n, shared->stage, how.how);
    log << "WRONG " << why << "\n" << repeat(options, n);
    // Draw the network again to write it.
    runChild([&] {
      mlir::MLIRContext context(networkDialects(),
                                mlir::MLIRContext::Threading::DISABLED);
      keep(options, n, drawCase(context, options, n), why, log);
    });
  }
  NetworkFuzzReport report = shared->report;
  report.interrupted = shared->stop && report.ran < options.count;
  report.replaced = shared->replaced;
  return report;
}

NetworkFuzzReport pruner::checkNetworkFile(const NetworkFuzzOptions &options,
                                           const std::string &file,
                                           raw_ostream &log) {
  NetworkFuzzReport failure;
  failure.wrong = 1;
  auto buffer = MemoryBuffer::getFile(file);
  TemporaryDirectory directory;
  shared = shareProgress();
  if (!buffer || !shared || directory.path.empty()) {
    log << file << ": "
        << (buffer ? "no temporary directory" : buffer.getError().message())
        << "\n";
    return failure;
  }
  for (uint64_t n = 0; n < options.count; ++n) {
    ChildEnd how = runChild([&] {
      limitTime(options.timeout);
      mlir::MLIRContext context(networkDialects(),
                                mlir::MLIRContext::Threading::DISABLED);
      NetworkVerdict verdict =
          checkNetwork(context, (*buffer)->getBuffer(),
                       choicesOf(options, options.first, n, directory.path),
                       [](StringRef stage) { copyText(shared->stage, stage); });
      if ((shared->replaced = executableIsReplaced()))
        return;
      count(shared->report, verdict);
      if (!verdict.wrong.empty())
        log << formatv("WRONG schedules {0}, {1}: {2}\n{3}", n, verdict.stage,
                       verdict.wrong, options.verbose ? verdict.how : "");
      if (!verdict.skipped.empty())
        log << "skipped: " << verdict.skipped << "\n";
      log.flush();
    });
    if (shared->replaced || (how.crashed && executableIsReplaced())) {
      shared->report.replaced = true;
      break;
    }
    if (!how.crashed)
      continue;
    ++shared->report.ran;
    ++shared->report.crashed;
    ++shared->report.wrong;
    log << formatv("WRONG schedules {0}, {1}: {2}\n", n, shared->stage,
                   how.how);
  }
  return shared->report;
}
