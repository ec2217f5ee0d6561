//===- WorkerProcess.cpp - one worker, seen by the tuner ------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Measure/WorkerProcess.h"

#include "CoreWait.h"
#include "pruner/Support/JsonLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace pruner;

Expected<WorkerCommand> pruner::parseRunner(StringRef text,
                                            WorkerCommand local) {
  if (text == "local")
    return local;
  if (text.consume_front("exec:") && !text.trim().empty()) {
    local.exec = text.trim().str();
    return local;
  }
  return createStringError("runner '%s' is neither 'local' nor "
                           "'exec:<command>'",
                           text.str().c_str());
}

/// "8 GiB", "1.5 GiB" or "100 MiB".
static std::string formatBytes(uint64_t bytes) {
  double gib = double(bytes) / (1ull << 30);
  if (gib >= 1)
    return formatv(gib == uint64_t(gib) ? "{0:f0} GiB" : "{0:f1} GiB", gib);
  return formatv("{0:f0} MiB", double(bytes) / (1ull << 20));
}

/// What the worker said last on stderr, which is where assertions, fatal
/// errors and the crash reporter speak. One line, and not a long one.
static std::string lastWords(StringRef text) {
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
  tasks.clear();
}

WorkerProcess::Result WorkerProcess::fail(Failure failure, std::string reason) {
  if (process)
    process->killAndWait();
  process.reset();
  tasks.clear();
  return {std::nullopt, failure, std::move(reason)};
}

std::optional<WorkerProcess::Result> WorkerProcess::start() {
  SubprocessOptions options;
  options.maxLineBytes = workerMaxLineBytes;
  options.cpus = command.cpus;
  if (command.exec.empty()) {
    options.program = command.program;
    options.arguments = command.arguments;
    options.addressSpaceBytes = command.addressSpaceBytes;
  } else {
    options.program = "/bin/sh";
    options.arguments = {"-c", command.exec};
  }
  auto started = Subprocess::start(options);
  if (!started)
    return fail(Failure::CannotStart,
                "cannot start the worker: " + toString(started.takeError()));
  process.emplace(std::move(*started));
  ++numStarts;
  Result result = exchange(json::Object{{"type", "hello"}, {"id", -1}},
                           command.helloSeconds);
  if (!result.reply)
    return fail(Failure::CannotStart,
                "the worker did not greet: " + result.reason);
  auto hello = parseMessage<HelloReply>(*result.reply, "hello");
  if (!hello)
    return fail(Failure::CannotStart, "the worker's greeting is malformed: " +
                                          toString(hello.takeError()));
  if (hello->protocol != workerProtocolVersion)
    return fail(Failure::CannotStart,
                formatv("the worker speaks protocol {0}, this tuner {1}",
                        hello->protocol, workerProtocolVersion));
  greeting = std::move(*hello);
  return std::nullopt;
}

WorkerProcess::Result WorkerProcess::call(const json::Object &request,
                                          double deadlineSeconds) {
  if (!process)
    if (auto failed = start())
      return *failed;
  return exchange(request, deadlineSeconds);
}

WorkerProcess::Result WorkerProcess::exchange(const json::Object &request,
                                              double deadlineSeconds) {
  auto deadline = Subprocess::in(deadlineSeconds);
  std::string tooLate =
      formatv("deadline of {0:f1} s exceeded", deadlineSeconds);
  // With a command in between the process that works is another one.
  std::optional<CoreWait> coreWait;
  if (command.exec.empty())
    coreWait.emplace(process->pid());
  auto sent = process->writeLine(toJsonLine(request), deadline);
  if (sent == Subprocess::IoStatus::Timeout)
    return fail(Failure::Timeout, tooLate);
  // A worker that closed its input has died or is about to; reading tells how.
  auto read = process->readLine(deadline);
  while (read.status == Subprocess::IoStatus::Timeout && coreWait) {
    double waited = std::min(coreWait->seconds(),
                             (command.starvedFactor - 1) * deadlineSeconds);
    auto later =
        deadline + std::chrono::duration_cast<Subprocess::Clock::duration>(
                       std::chrono::duration<double>(waited));
    if (later <= Subprocess::Clock::now())
      break;
    read = process->readLine(later);
  }
  switch (read.status) {
  case Subprocess::IoStatus::Ok:
    break;
  case Subprocess::IoStatus::Timeout:
    return fail(Failure::Timeout, tooLate);
  case Subprocess::IoStatus::TooLong:
    return fail(Failure::BadReply, "the worker's reply is longer than " +
                                       formatBytes(workerMaxLineBytes));
  case Subprocess::IoStatus::Error:
    return fail(Failure::Died, "cannot read from the worker: " + read.line);
  case Subprocess::IoStatus::Eof: {
    // It may have closed its stdout and live on.
    auto exit = process->wait(Subprocess::in(0.2));
    if (!exit)
      return fail(Failure::BadReply, "the worker closed its output");
    std::string words = lastWords(process->stderrTail());
    if (exit->code == workerOutOfMemoryExit && !exit->signal)
      return fail(Failure::OutOfMemory,
                  command.addressSpaceBytes && command.exec.empty()
                      ? "address space limit of " +
                            formatBytes(command.addressSpaceBytes)
                      : std::string("out of memory"));
    return fail(Failure::Died, exit->text() + words);
  }
  }
  auto value = parseJson(read.line);
  const json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object) {
    if (!value)
      consumeError(value.takeError());
    std::string shown;
    for (char c : StringRef(read.line).take_front(80))
      shown += isPrint(c) ? c : '?';
    return fail(Failure::BadReply,
                "the worker answered '" + shown + "', which is not a reply");
  }
  auto type = object->getString("type");
  if (type == "error")
    return fail(Failure::BadReply,
                "the worker refused the request: " +
                    object->getString("reason").value_or("no reason").str());
  auto id = object->getInteger("id");
  if (type != request.getString("type") ||
      (type != "hello" && id != request.getInteger("id")))
    return fail(Failure::BadReply,
                "the worker answered a request that was not made");
  return {std::move(*value), Failure::Died, ""};
}

WorkerProcess::Result WorkerProcess::ensureTask(const TaskRequest &request,
                                                double deadlineSeconds) {
  if (!process)
    if (auto failed = start())
      return *failed;
  std::string known = request.key + '\n' + std::to_string(request.seed);
  if (is_contained(tasks, known))
    return {json::Value(nullptr), Failure::Died, ""};
  Result result = exchange(toJSON(request), deadlineSeconds);
  if (result.reply)
    tasks.push_back(known);
  return result;
}
