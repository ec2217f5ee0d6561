//===- WorkerProcess.cpp - the tuner's side of one worker -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Measure/WorkerProcess.h"

#include "CheckReply.h"
#include "CoreWait.h"
#include "pruner/Support/JsonLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <thread>

using namespace llvm;
using namespace pruner;

Expected<WorkerCommand> pruner::parseRunner(StringRef text, WorkerCommand local,
                                            StringRef what) {
  if (text == "local")
    return local;
  if (text.consume_front("exec:") && !text.trim().empty()) {
    local.exec = text.trim().str();
    return local;
  }
  return createStringError(
      "unknown %s '%s'; expected 'local' or 'exec:<command>'",
      what.str().c_str(), text.str().c_str());
}

/// Interval of checks for a stop, seconds.
static constexpr double kPoll = 0.1;
/// How long a worker that closed its input may take to die, seconds.
static constexpr double kClosedInputSeconds = 1;

/// "8 GiB", "1.5 GiB" or "100 MiB".
static std::string formatBytes(uint64_t bytes) {
  double gib = double(bytes) / (1ull << 30);
  if (gib >= 1)
    return formatv(gib == uint64_t(gib) ? "{0:f0} GiB" : "{0:f1} GiB", gib);
  return formatv("{0:f0} MiB", double(bytes) / (1ull << 20));
}

/// The last line of the worker's stderr, shortened. Assertions, fatal errors
/// and the crash reporter write there.
static std::string lastStderrLine(StringRef text) {
  text = text.rtrim();
  if (text.empty())
    return "";
  StringRef line = text.substr(text.rfind('\n') + 1).trim().take_front(300);
  std::string words = ": ";
  for (char c : line)
    words += isPrint(c) ? c : '?';
  return words;
}

WorkerProcess::~WorkerProcess() { stop(); }

void WorkerProcess::stop() {
  if (!process)
    return;
  process->closeInput();
  if (!process->wait(Subprocess::in(0.5)))
    process->killAndWait();
  process.reset();
  forgetTasks();
}

void WorkerProcess::retire() {
  if (greeting && greeting->relay)
    return forgetTasks();
  stop();
}

void WorkerProcess::forgetTasks() {
  tasks.clear();
  lastTask.clear();
}

WorkerProcess::Result WorkerProcess::fail(Failure failure, std::string reason) {
  if (process)
    process->killAndWait();
  process.reset();
  forgetTasks();
  return {std::nullopt, failure, std::move(reason)};
}

std::optional<WorkerProcess::Result> WorkerProcess::start() {
  double pause = command.startPause;
  for (unsigned attempt = 1;; ++attempt, pause *= 3) {
    auto failed = startOnce();
    if (!failed || failed->failure == Failure::Stopped ||
        failed->failure == Failure::NoWorker ||
        attempt >= command.startAttempts)
      return failed;
    // A shortage of memory or processes may be temporary.
    auto until = Subprocess::in(pause);
    while (Subprocess::Clock::now() < until && !stopAsked())
      std::this_thread::sleep_until(std::min(until, Subprocess::in(kPoll)));
  }
}

/// Why records of this worker would have the wrong identity; empty if they
/// would not.
static std::string mismatchOf(const HelloReply &hello,
                              const WorkerCommand &command) {
  if (!command.machine.empty() && hello.machine != command.machine) {
    // Without a machine in its greeting, a command is trusted; its author chose
    // the machine.
    if (!hello.machine.empty())
      return "the worker measures on '" + plainReason(hello.machine) +
             "', the target is '" + command.machine + "'";
    if (hello.relay)
      return "the relay does not report the machine of its worker";
  }
  if (!command.generator.empty() && hello.codeGenerator() != command.generator)
    return "the worker builds with '" + plainReason(hello.codeGenerator()) +
           "', this run with '" + command.generator + "'";
  return "";
}

std::optional<WorkerProcess::Result> WorkerProcess::startOnce() {
  if (stopAsked())
    return fail(Failure::Stopped, "stopped");
  SubprocessOptions options;
  options.maxLineBytes = workerMaxLineBytes;
  options.cpus = command.cpus;
  options.program = command.program;
  options.guarded = true;
  if (command.exec.empty()) {
    options.arguments = {workerGuardedFlag.str()};
    append_range(options.arguments, command.arguments);
    options.addressSpaceBytes = command.addressSpaceBytes;
  } else {
    options.arguments = {workerGuardedCommandFlag.str(), command.exec};
  }
  if (!command.temporaryDirectory.empty())
    options.environment.emplace_back("TMPDIR", command.temporaryDirectory);
  auto started = Subprocess::start(options);
  if (!started)
    return fail(Failure::CannotStart,
                "cannot start the worker: " + toString(started.takeError()));
  process.emplace(std::move(*started));
  answered.clear();
  greeting.reset();
  ++numStarts;
  json::Object request{{"type", "hello"}, {"id", -1}};
  if (!command.machine.empty())
    request["machine"] = command.machine;
  Result result =
      exchange(request, command.exec.empty() ? command.helloSeconds
                                             : command.helloSecondsExec);
  if (!result.reply && result.failure == Failure::Stopped)
    return result;
  if (!result.reply)
    return fail(result.failure == Failure::NoWorker ? Failure::NoWorker
                                                    : Failure::CannotStart,
                "the worker did not greet: " + result.reason);
  auto hello = parseMessage<HelloReply>(*result.reply, "hello");
  if (!hello)
    return fail(Failure::CannotStart, "the worker's greeting is malformed: " +
                                          toString(hello.takeError()));
  if (hello->protocol != workerProtocolVersion)
    return fail(Failure::CannotStart,
                formatv("the worker speaks protocol {0}, this tuner {1}",
                        hello->protocol, workerProtocolVersion));
  std::string mismatch = mismatchOf(*hello, command);
  if (!mismatch.empty())
    return fail(Failure::CannotStart, mismatch);
  greeting = std::move(*hello);
  return std::nullopt;
}

Expected<HelloReply> WorkerProcess::greet() {
  if (!process)
    if (auto failed = start())
      return createStringError(failed->reason);
  return *greeting;
}

WorkerProcess::Result WorkerProcess::call(const json::Object &request,
                                          double deadlineSeconds) {
  if (stopAsked())
    return {std::nullopt, Failure::Stopped, "stopped"};
  if (!process)
    if (auto failed = start())
      return *failed;
  // Other problems show in the exchange.
  discardExtraReplies();
  return exchange(request, deadlineSeconds);
}

/// Reads all lines of the worker since its last reply. Returns false if they do
/// not end, or if the worker has ended.
bool WorkerProcess::discardExtraReplies() {
  for (int line = 0; line < 1000; ++line) {
    auto read = process->readLine(Subprocess::in(0));
    if (read.status == Subprocess::IoStatus::Timeout)
      return true;
    if (read.status != Subprocess::IoStatus::Ok)
      return false;
  }
  return false;
}

/// Reads a line; gives up early if a stop is requested.
Subprocess::ReadResult WorkerProcess::read(Subprocess::Deadline deadline) {
  for (bool stopping = false;;) {
    auto slice = std::min(deadline, Subprocess::in(kPoll));
    auto line = process->readLine(command.stopAsked ? slice : deadline);
    if (line.status != Subprocess::IoStatus::Timeout ||
        Subprocess::Clock::now() >= deadline)
      return line;
    if (!stopping && stopAsked()) {
      stopping = true;
      deadline = std::min(deadline, Subprocess::in(command.stopSeconds));
    }
  }
}

WorkerProcess::Result WorkerProcess::exchange(const json::Object &request,
                                              double deadlineSeconds) {
  if (greeting && greeting->relay)
    return exchangeWithRelay(request, deadlineSeconds);
  return exchangeOnce(request, deadlineSeconds);
}

WorkerProcess::Result WorkerProcess::exchangeWithRelay(json::Object request,
                                                       double deadlineSeconds) {
  request["deadline"] = deadlineSeconds;
  Result result = exchangeOnce(request, deadlineSeconds + command.relaySeconds);
  // The candidate cannot have ended the relay, because it runs elsewhere.
  if (!result.reply && !process && result.failure != Failure::Stopped) {
    result.failure = Failure::Lost;
    result.reason = "the relay was lost: " + result.reason;
  }
  numLost += !result.reply && result.failure == Failure::Lost;
  return result;
}

WorkerProcess::Result WorkerProcess::exchangeOnce(const json::Object &request,
                                                  double deadlineSeconds) {
  auto deadline = Subprocess::in(deadlineSeconds);
  // With a guard in between, the process that works is another one. Its number
  // is known after the greeting.
  std::optional<CoreWait> coreWait;
  if (command.exec.empty() && greeting)
    coreWait.emplace(greeting->pid);
  auto sent = process->writeLine(toJsonLine(request), deadline);
  if (sent == Subprocess::IoStatus::Timeout)
    return tooLate(deadlineSeconds);
  // A worker that closed its input has ended or will end soon; a read gives the
  // reason. If it lives on, it will never receive the request.
  bool inputClosed = sent != Subprocess::IoStatus::Ok;
  if (inputClosed)
    deadline = std::min(deadline, Subprocess::in(kClosedInputSeconds));
  while (true) {
    auto line = read(deadline);
    while (line.status == Subprocess::IoStatus::Timeout && coreWait &&
           !inputClosed && !stopAsked()) {
      double waited = std::min(coreWait->seconds(),
                               (command.starvedFactor - 1) * deadlineSeconds);
      auto later =
          deadline + std::chrono::duration_cast<Subprocess::Clock::duration>(
                         std::chrono::duration<double>(waited));
      if (later <= Subprocess::Clock::now())
        break;
      line = read(later);
    }
    if (inputClosed && line.status == Subprocess::IoStatus::Timeout)
      return fail(Failure::BadReply, "the worker closed its input");
    if (line.status != Subprocess::IoStatus::Ok)
      return failedRead(line, deadlineSeconds);
    if (auto result = takeReply(request, line.line))
      return std::move(*result);
  }
}

/// The result of a request whose reply could not be read.
WorkerProcess::Result
WorkerProcess::failedRead(const Subprocess::ReadResult &read,
                          double deadlineSeconds) {
  switch (read.status) {
  case Subprocess::IoStatus::Timeout:
    return tooLate(deadlineSeconds);
  case Subprocess::IoStatus::TooLong:
    return fail(Failure::BadReply, "the worker's reply is longer than " +
                                       formatBytes(workerMaxLineBytes));
  case Subprocess::IoStatus::Ok:
  case Subprocess::IoStatus::Error:
    return fail(Failure::Died, "cannot read from the worker: " + read.line);
  case Subprocess::IoStatus::Eof:
    break;
  }
  // It may have closed its stdout without ending.
  auto exit = process->wait(Subprocess::in(0.2));
  if (!exit)
    return fail(Failure::BadReply, "the worker closed its output");
  std::string words = lastStderrLine(process->stderrTail());
  if (exit->code == workerOutOfMemoryExit && !exit->signal)
    return fail(Failure::OutOfMemory,
                command.addressSpaceBytes && command.exec.empty()
                    ? "address space limit of " +
                          formatBytes(command.addressSpaceBytes)
                    : std::string("out of memory"));
  return fail(Failure::Died, exit->text() + words);
}

WorkerProcess::Result WorkerProcess::tooLate(double deadlineSeconds) {
  if (stopAsked())
    return fail(Failure::Stopped, "stopped");
  return fail(Failure::Timeout,
              formatv("deadline of {0:f1} s exceeded", deadlineSeconds));
}

WorkerProcess::Result WorkerProcess::ensureTask(TaskRequest request,
                                                double deadlineSeconds) {
  if (stopAsked())
    return {std::nullopt, Failure::Stopped, "stopped"};
  // A worker that died since its last reply, or that keeps writing unrequested
  // lines, is useless. This candidate did not cause that.
  if (process && !discardExtraReplies())
    fail(Failure::BadReply, "");
  if (!process)
    if (auto failed = start())
      return *failed;
  std::string known = request.key + '\n' + std::to_string(request.seed);
  bool isKnown = is_contained(tasks, known);
  if (isKnown && (!request.reference || lastTask == known))
    return {json::Value(nullptr), Failure::Died, ""};
  // Several tasks of one batch may be registered under the id of one candidate.
  while (answered.count({"task", request.id}))
    ++request.id;
  Result result = exchange(toJSON(request), deadlineSeconds);
  if (!result.reply)
    return result;
  if (!isKnown)
    tasks.push_back(known);
  if (request.reference)
    lastTask = std::move(known);
  return result;
}
