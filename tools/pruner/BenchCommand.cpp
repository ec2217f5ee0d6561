//===- BenchCommand.cpp - pruner bench ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times libraries of networks on random inputs. Several libraries take turns,
// so that other work on the machine disturbs all of them alike.

#include "Arguments.h"
#include "Commands.h"

#include "pruner/Library/LoadedNetwork.h"
#include "pruner/Support/CommandLine.h"
#include "pruner/Support/Random.h"
#include "pruner/Support/StandardStreams.h"
#include "pruner/Support/Table.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstring>

using namespace llvm;
using namespace pruner;

static const char kHelp[] =
    R"(pruner bench: time compiled networks on random inputs

usage:
  pruner bench NET.so... [options]

Several libraries take turns, and the last column is relative to the first. The
libraries run in this process, so time only libraries that you trust.

options:
  --threads=<number>  threads of parallel kernels; 0, the default: as many as help
  --seconds=<number>  time for each library; default: 2
  --format=<name>     table (default), or json
)";

/// The time of one turn of a library, in seconds.
static constexpr double kTurnSeconds = 0.05;
/// A sample is as many runs as take this long, so that the clock does not
/// count.
static constexpr double kSampleSeconds = 1e-4;
/// Above this spread, relative to the median, the times are called noisy.
static constexpr double kNoisy = 0.1;

namespace {
/// Memory that is aligned as libraries require.
class Buffer {
public:
  explicit Buffer(size_t bytes) : memory(bytes + kAlignment) {}
  char *data() {
    return reinterpret_cast<char *>(
        alignAddr(memory.data(), Align(kAlignment)));
  }

private:
  static constexpr size_t kAlignment = 64;
  std::vector<char> memory;
};

/// A library with its arguments and its times.
struct Subject {
  std::string path;
  LoadedNetwork network;
  std::vector<Buffer> buffers;
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  unsigned runsPerSample = 1;
  std::vector<double> samples; ///< Seconds of one run.
};
} // namespace

/// Writes random numbers between -1 and 1; integers are 0, which is a valid
/// index everywhere.
static void fillRandom(char *data, const NetworkTensor &tensor,
                       Random &random) {
  const size_t width = elementBytes(tensor);
  std::memset(data, 0, size_t(tensor.elements()) * width);
  for (int64_t n = 0; n < tensor.elements(); ++n) {
    double value = 2 * random.uniformReal() - 1;
    uint64_t bits = random.next();
    char *element = data + size_t(n) * width;
    auto store = [&](auto number) {
      std::memcpy(element, &number, sizeof number);
    };
    if (tensor.element == "f64")
      store(value);
    else if (tensor.element == "f32")
      store(float(value));
    else if (tensor.element == "f16") // Between 0.5 and 1, of either sign.
      store(uint16_t(0x3800 | (bits & 0x83ff)));
    else if (tensor.element == "bf16")
      store(uint16_t(0x3f00 | (bits & 0x807f)));
    else
      return;
  }
}

static Expected<double> timeRuns(Subject &subject, unsigned runs) {
  auto start = std::chrono::steady_clock::now();
  for (unsigned n = 0; n < runs; ++n)
    if (Error error = subject.network.run(subject.inputs, subject.outputs))
      return std::move(error);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  return seconds.count() / runs;
}

static Expected<Subject> prepare(const std::string &path, unsigned threads) {
  auto network = LoadedNetwork::load(path);
  if (!network)
    return network.takeError();
  Subject subject{path, std::move(*network), {}, {}, {}, 1, {}};
  Random random(0);
  auto add = [&](const NetworkTensor &tensor) {
    subject.buffers.emplace_back(size_t(tensor.elements()) *
                                 elementBytes(tensor));
    return subject.buffers.back().data();
  };
  for (const NetworkTensor &tensor : subject.network.inputs) {
    char *data = add(tensor);
    fillRandom(data, tensor, random);
    subject.inputs.push_back(data);
  }
  for (const NetworkTensor &tensor : subject.network.outputs)
    subject.outputs.push_back(add(tensor));
  subject.network.setThreads(threads);
  // The first run allocates the workspace and starts threads.
  auto first = timeRuns(subject, 1);
  if (!first)
    return first.takeError();
  auto second = timeRuns(subject, 1);
  if (!second)
    return second.takeError();
  subject.runsPerSample =
      unsigned(std::clamp(kSampleSeconds / std::max(*second, 1e-9), 1.0, 1e5));
  return std::move(subject);
}

static Error turn(Subject &subject) {
  // The previous library has filled the caches.
  if (auto warm = timeRuns(subject, 1); !warm)
    return warm.takeError();
  double left = kTurnSeconds;
  do {
    auto seconds = timeRuns(subject, subject.runsPerSample);
    if (!seconds)
      return seconds.takeError();
    subject.samples.push_back(*seconds);
    left -= *seconds * subject.runsPerSample;
  } while (left > 0);
  return Error::success();
}

/// The value below which a share of the sorted samples lies.
static double quantile(ArrayRef<double> sorted, double share) {
  return sorted[size_t(share * double(sorted.size() - 1) + 0.5)];
}

static void print(std::vector<Subject> &subjects, unsigned threads,
                  bool asJson) {
  Table table({{"library"},
               {"median", Table::Align::Right},
               {"quartiles", Table::Align::Right},
               {"least", Table::Align::Right},
               {"samples", Table::Align::Right},
               {"relative", Table::Align::Right}});
  json::Array list;
  double base = 0, worst = 0;
  for (Subject &subject : subjects) {
    std::vector<double> &sorted = subject.samples;
    llvm::sort(sorted);
    double median = quantile(sorted, 0.5), low = quantile(sorted, 0.25),
           high = quantile(sorted, 0.75);
    base = base == 0 ? median : base;
    worst = std::max(worst, (high - low) / median);
    table.addRow({subject.path, formatSeconds(median),
                  formatSeconds(low) + " to " + formatSeconds(high),
                  formatSeconds(sorted.front()), std::to_string(sorted.size()),
                  formatv("{0:F2}", median / base)});
    list.push_back(json::Object{{"library", subject.path},
                                {"median", median},
                                {"lower_quartile", low},
                                {"upper_quartile", high},
                                {"least", sorted.front()},
                                {"samples", int64_t(sorted.size())},
                                {"runs_per_sample", subject.runsPerSample}});
  }
  if (asJson) {
    outs() << formatv(
        "{0:2}\n", json::Value(json::Object{{"threads", threads},
                                            {"libraries", std::move(list)}}));
    return;
  }
  table.print(outs());
  outs() << "one run with "
         << (threads ? std::to_string(threads) : std::string("all useful"))
         << (threads == 1 ? " thread" : " threads")
         << "; caches are warm; inputs are random\n";
  if (worst > kNoisy)
    outs() << formatv("the times vary by {0:F0} % between the quartiles: other "
                      "work disturbs them\n",
                      100 * worst);
}

static int fail(Error error) {
  WithColor::error(errs(), "pruner bench")
      << toString(std::move(error)) << '\n';
  return kExitFailure;
}

int pruner::prunerBenchMain(int argc, char **argv) {
  InitLLVM init(argc, argv);
  ArrayRef<const char *> words(argv + 1, size_t(std::max(argc, 1) - 1));
  if (is_contained(words, StringRef("--help")) ||
      is_contained(words, StringRef("-h"))) {
    outs() << kHelp;
    return finishStdout("pruner bench");
  }
  auto arguments = Arguments::parse(words, {"threads", "seconds", "format"});
  if (!arguments)
    return failUsage("pruner bench", toString(arguments.takeError()));
  auto wrong = [&](StringRef name, const Twine &expected) {
    return failUsage("pruner bench", "option '" + name + "': expected " +
                                         expected + ", but got '" +
                                         arguments->get(name) + "'");
  };
  unsigned threads = 0;
  double seconds = 0;
  if (StringRef(arguments->get("threads", "0")).getAsInteger(0, threads))
    return wrong("threads", "a whole number of at least 0");
  if (StringRef(arguments->get("seconds", "2")).getAsDouble(seconds) ||
      !(seconds > 0 && seconds <= 86400))
    return wrong("seconds", "a number above 0 and at most 86400");
  std::string format = arguments->get("format", "table");
  if (format != "table" && format != "json")
    return wrong("format", "'table' or 'json'");
  if (arguments->files.empty())
    return failUsage("pruner bench", "expected at least one library");
  std::vector<Subject> subjects;
  for (const std::string &path : arguments->files) {
    auto subject = prepare(path, threads);
    if (!subject)
      return fail(subject.takeError());
    subjects.push_back(std::move(*subject));
  }
  const auto turns = unsigned(std::max(2.0, seconds / kTurnSeconds));
  for (unsigned n = 0; n < turns; ++n)
    for (size_t i = 0; i < subjects.size(); ++i)
      if (Error error = turn(subjects[(n + i) % subjects.size()]))
        return fail(std::move(error));
  print(subjects, threads, format == "json");
  return finishStdout("pruner bench");
}
