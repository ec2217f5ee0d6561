//===- Worker.cpp - the worker's side of the protocol ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Worker/Worker.h"

#include "CrashReporter.h"
#include "LineReader.h"
#include "RunNetwork.h"
#include "RunReplies.h"
#include "mlir/IR/MLIRContext.h"
#include "pruner/Builder/Candidate.h"
#include "pruner/Measure/Protocol.h"
#include "pruner/Pipelines/GeneratorIdentity.h"
#include "pruner/Support/JsonLines.h"
#include "pruner/Verification/Method.h"
#include "pruner/Worker/RunArtifact.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Host.h"
#include <chrono>
#include <map>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

namespace {
class Worker {
public:
  Worker(const WorkerOptions &options, int inputFd, int replyFd)
      : options(options), reader(inputFd, workerMaxLineBytes), replyFd(replyFd),
        context(makeContext()) {}

  int serve();

private:
  struct Task {
    std::string text;
    int64_t seed = 0;
    TaskProgram program;
    std::optional<Reference> reference;
    uint64_t lastUse = 0; ///< Of the reference.
  };

  static std::unique_ptr<mlir::MLIRContext> makeContext() {
    mlir::DialectRegistry registry;
    registerBuilderDialects(registry);
    auto context = std::make_unique<mlir::MLIRContext>(
        registry, mlir::MLIRContext::Threading::DISABLED);
    context->loadAllAvailableDialects();
    return context;
  }

  void send(json::Object reply);
  void replyError(const json::Object *request, const std::string &reason);
  void hello();
  void onTask(const TaskRequest &request);
  void onBuild(const BuildRequest &request);
  void onRun(const RunRequest &request);
  void onNetwork(const NetworkRequest &request) {
    send(toJSON(runNetworks(request)));
  }
  template <typename Request>
  void dispatch(const json::Value &value, StringRef type,
                void (Worker::*handler)(const Request &)) {
    auto request = parseMessage<Request>(value, type);
    if (!request)
      return replyError(value.getAsObject(), toString(request.takeError()));
    (this->*handler)(*request);
  }
  Task *find(const std::string &key) {
    auto found = tasks.find(key);
    return found == tasks.end() ? nullptr : &found->second;
  }
  /// The reference of `task`, computed if it was dropped. Drops the least
  /// recently used references of other tasks if all of them exceed the memory
  /// limit.
  Expected<const Reference *> referenceOf(Task &task);
  void forget(const std::string &key) {
    if (find(key) == operandsOf)
      operandsOf = nullptr;
    tasks.erase(key);
  }
  /// Executes the fault planned for a request, and returns it.
  std::optional<Fault> strike(FaultStage stage, int64_t id);

  const WorkerOptions &options;
  LineReader reader;
  int replyFd;
  std::unique_ptr<mlir::MLIRContext> context;
  std::map<std::string, Task> tasks;
  uint64_t uses = 0; ///< Of references.
  /// Of the last task that was run.
  std::unique_ptr<Operands> operands;
  const Task *operandsOf = nullptr;
  bool wrongId = false;
};
} // namespace

void Worker::send(json::Object reply) {
  if (std::exchange(wrongId, false))
    reply["id"] = reply.getInteger("id").value_or(0) + 1;
  std::string line = toJsonLine(reply) + "\n";
  for (size_t done = 0; done < line.size();) {
    ssize_t n = ::write(replyFd, line.data() + done, line.size() - done);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      std::_Exit(1); // There is no reader.
    done += size_t(n);
  }
}

void Worker::replyError(const json::Object *request,
                        const std::string &reason) {
  json::Object reply{
      {"type", "error"},
      {"reason", json::isUTF8(reason) ? reason : json::fixUTF8(reason)}};
  if (request)
    if (auto id = request->getInteger("id"))
      reply["id"] = *id;
  send(std::move(reply));
}

void Worker::hello() {
  HelloReply reply;
  reply.protocol = workerProtocolVersion;
  reply.pruner = PRUNER_VERSION;
  reply.llvm = LLVM_VERSION_STRING;
  char host[256] = "";
  gethostname(host, sizeof(host) - 1);
  reply.host = host;
  reply.cpu = sys::getHostCPUName().str();
  reply.pid = getpid();
  reply.generator = generatorIdentity().str();
  send(toJSON(reply));
}

std::optional<Fault> Worker::strike(FaultStage stage, int64_t id) {
  auto fault = options.faults.at(stage, id);
  if (fault) {
    commitFault(*fault, replyFd);
    wrongId = *fault == Fault::WrongId;
  }
  return fault;
}

size_t pruner::defaultReferenceBytes() {
  double memory =
      double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
  return size_t(std::clamp(memory / 4, double(256 << 20), 4.0 * (1 << 30)));
}

Expected<const Reference *> Worker::referenceOf(Task &task) {
  task.lastUse = ++uses;
  if (task.reference)
    return &*task.reference;
  auto made =
      makeReference(task.program, task.text, task.seed, options.cacheDir);
  if (!made)
    return made.takeError();
  task.reference.emplace(std::move(*made));
  while (true) {
    size_t bytes = 0;
    Task *oldest = nullptr;
    for (auto &[key, other] : tasks) {
      if (!other.reference)
        continue;
      bytes += other.reference->bytes();
      if (&other != &task && (!oldest || other.lastUse < oldest->lastUse))
        oldest = &other;
    }
    if (!oldest || bytes <= options.referenceBytes)
      return &*task.reference;
    oldest->reference.reset();
  }
}

void Worker::onTask(const TaskRequest &request) {
  auto start = std::chrono::steady_clock::now();
  strike(FaultStage::Task, request.id);
  TaskReply reply;
  reply.id = request.id;
  Task *task = find(request.key);
  // The same task again only requests its reference.
  if (!task || task->text != request.text || task->seed != request.seed) {
    forget(request.key);
    task = nullptr;
    auto program = TaskProgram::parse(*context, request.text);
    if (program) {
      task = &tasks[request.key];
      task->text = request.text;
      task->seed = request.seed;
      task->program = std::move(*program);
    } else {
      reply.status = MeasureStatus::BuildError;
      reply.reason = toString(program.takeError());
    }
  }
  if (task && request.reference) {
    auto made = referenceOf(*task);
    if (made) {
      reply.exact = (*made)->numerics.exact;
      reply.inexactBecause = (*made)->numerics.inexactBecause;
    } else {
      reply.status = MeasureStatus::BuildError;
      reply.reason = "no reference: " + toString(made.takeError());
      forget(request.key);
    }
  }
  reply.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  send(toJSON(reply));
}

void Worker::onBuild(const BuildRequest &request) {
  strike(FaultStage::Build, request.id);
  BuildReply reply;
  reply.id = request.id;
  Task *task = find(request.task);
  if (!task)
    return replyError(nullptr, "unknown task '" + request.task + "'");
  BuildOptions build;
  build.threads = unsigned(std::max<int64_t>(1, request.threads));
  auto built = [&]() -> Expected<BuiltCandidate> {
    auto target = CodeTarget::parse(request.target);
    if (!target)
      return target.takeError();
    return buildCandidate(task->program, request.schedule, *target, build);
  }();
  if (built) {
    reply.format = built->format;
    reply.artifact = std::move(built->artifact);
    reply.entry = built->entry;
    if (request.ptx)
      reply.ptx = std::move(built->ptx);
    reply.stages = toJSON(built->times);
    reply.facts = std::move(built->facts);
  } else {
    reply.status = MeasureStatus::BuildError;
    reply.reason = toString(built.takeError());
  }
  send(toJSON(reply));
}

void Worker::onRun(const RunRequest &request) {
  auto fault = strike(FaultStage::Run, request.id);
  Task *task = find(request.task);
  if (!task)
    return replyError(nullptr, "unknown task '" + request.task + "'");
  RunReply reply;
  reply.id = request.id;
  Laps laps;
  auto made = referenceOf(*task);
  double reference = laps.next();
  if (!made) {
    reply.status = MeasureStatus::RunError;
    reply.reason = "no reference: " + toString(made.takeError());
  } else if (request.format == "object") {
    if (std::exchange(operandsOf, task) != task)
      operands.reset();
    reply = runObject(task->program, **made, request, operands, fault);
  } else if (request.emulate > 0) {
    reply = emulateKernel(task->program, **made, request);
  } else if (request.format == "ptx" || request.format == "cubin") {
    reply = runKernel(task->program, **made, request);
  } else {
    reply.status = MeasureStatus::RunError;
    reply.reason = "unknown artifact format '" + request.format + "'";
  }
  if (reply.spent)
    reply.spent->reference = reference;
  if (reply.verified)
    reply.method = verificationMethod.str();
  send(toJSON(reply));
}

int Worker::serve() {
  while (auto line = reader.next()) {
    if (line->tooLong) {
      replyError(nullptr, "a line is longer than " +
                              std::to_string(workerMaxLineBytes) + " bytes");
      continue;
    }
    if (StringRef(line->text).trim().empty())
      continue;
    // The JSON parser is recursive; readJsonLines bounds the depth and
    // describes errors.
    std::optional<json::Value> value;
    auto bad = readJsonLines(line->text + "\n",
                             [&](json::Object object, size_t) -> Error {
                               value.emplace(std::move(object));
                               return Error::success();
                             });
    if (!bad.empty() || !value) {
      replyError(nullptr, bad.empty() ? "not a request" : bad.front().reason);
      continue;
    }
    const json::Object *object = value->getAsObject();
    StringRef type = object->getString("type").value_or("");
    if (type == "quit")
      return 0;
    if (type == "hello")
      hello();
    else if (type == "task")
      dispatch(*value, type, &Worker::onTask);
    else if (type == "build")
      dispatch(*value, type, &Worker::onBuild);
    else if (type == "run")
      dispatch(*value, type, &Worker::onRun);
    else if (type == "network")
      dispatch(*value, type, &Worker::onNetwork);
    else
      replyError(object, "unknown request type '" + type.str() + "'");
  }
  return 0;
}

int pruner::serveRequests(const WorkerOptions &options, int inputFd,
                          int replyFd) {
  return Worker(options, inputFd, replyFd).serve();
}

int pruner::workerMain(const WorkerOptions &options) {
  installCrashReporter();
  int replyFd = ::dup(1);
  if (replyFd < 0 || ::dup2(2, 1) < 0)
    return 1;
  return serveRequests(options, 0, replyFd);
}
