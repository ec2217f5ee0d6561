//===- PythonPeers.cpp - peers that are Python packages -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PythonPeers.h"

#include "pruner/Support/JsonLines.h"
#include "pruner/Support/Subprocess.h"

#include <map>

using namespace pruner;
using namespace pruner::bench;
namespace json = llvm::json;

PythonPeers::PythonPeers() = default;
PythonPeers::PythonPeers(PythonPeers &&) = default;
PythonPeers::~PythonPeers() {
  if (!child)
    return;
  child->closeInput();
  if (!child->wait(Subprocess::in(5)))
    child->killAndWait();
}

llvm::Error PythonPeers::launch() {
  SubprocessOptions process;
  process.program = options.python;
  std::string count = std::to_string(options.threads);
  process.arguments = {"-u",  PRUNER_BENCH_PEERS, "--threads",
                       count, "--only",           options.only};
  process.cpus = options.cpus;
  // Must be set before a library reads them. The allocator's variables keep
  // large temporaries from being returned to the system and faulted in again at
  // every call.
  process.environment = {{"OMP_NUM_THREADS", count},
                         {"MKL_NUM_THREADS", count},
                         {"OPENBLAS_NUM_THREADS", count},
                         {"TORCHINDUCTOR_COMPILE_THREADS", "1"},
                         {"PYTHONDONTWRITEBYTECODE", "1"},
                         {"MALLOC_MMAP_THRESHOLD_", "33554432"},
                         {"MALLOC_TRIM_THRESHOLD_", "4294967296"}};
  auto started = Subprocess::start(process);
  if (!started)
    return started.takeError();
  child = std::make_unique<Subprocess>(std::move(*started));
  auto hello = ask(json::Object{{"op", "hello"}}, 300);
  if (!hello)
    return hello.takeError();
  if (const json::Object *versions = hello->getObject("versions"))
    found = *versions;
  if (const json::Array *packages = hello->getArray("packages"))
    names = packages->size();
  return llvm::Error::success();
}

std::optional<PythonPeers> PythonPeers::startOrExplain(Options options) {
  if (options.python.empty())
    return std::nullopt;
  auto peers = start(std::move(options));
  if (!peers) {
    llvm::errs() << "no Python peers: " << llvm::toString(peers.takeError())
                 << "\n";
    return std::nullopt;
  }
  for (const auto &entry : peers->versions())
    llvm::errs() << "python: " << entry.first << " "
                 << entry.second.getAsString().value_or("") << "\n";
  if (peers->empty())
    return std::nullopt;
  return std::move(*peers);
}

llvm::Expected<PythonPeers> PythonPeers::start(Options options) {
  PythonPeers peers;
  peers.options = std::move(options);
  if (llvm::Error error = peers.launch())
    return error;
  return peers;
}

llvm::Expected<json::Object> PythonPeers::ask(json::Object request,
                                              double seconds) {
  if (!child)
    return llvm::createStringError("the Python process has ended");
  auto deadline = Subprocess::in(seconds);
  auto status = child->writeLine(toJsonLine(request), deadline);
  Subprocess::ReadResult reply{status, ""};
  if (status == Subprocess::IoStatus::Ok)
    reply = child->readLine(deadline);
  if (reply.status != Subprocess::IoStatus::Ok) {
    std::string what = reply.status == Subprocess::IoStatus::Timeout
                           ? "did not answer in time"
                           : "ended";
    std::string tail = child->stderrTail().take_back(600).str();
    child.reset();
    return llvm::createStringError("the Python process %s: %s", what.c_str(),
                                   tail.c_str());
  }
  auto object = parseJsonObject(reply.line);
  if (!object)
    return object.takeError();
  if (auto error = object->getString("error"))
    return llvm::createStringError("%s", error->str().c_str());
  return object;
}

Contender PythonPeers::contender(const json::Object &peer) {
  Contender contender;
  contender.name = peer.getString("name").value_or("?").str();
  contender.role =
      peer.getBoolean("packed").value_or(false) ? Role::Packed : Role::Peer;
  contender.threads = options.threads;
  contender.verify = [this, name = contender.name]() -> llvm::Error {
    auto reply = ask(json::Object{{"op", "verify"}, {"peer", name}}, 120);
    return reply ? llvm::Error::success() : reply.takeError();
  };
  contender.time =
      [this, name = contender.name](
          const TimeRequest &request) -> llvm::Expected<std::vector<Batch>> {
    auto reply = ask(json::Object{{"op", "time"},
                                  {"peer", name},
                                  {"seconds", request.seconds},
                                  {"batch_seconds", request.batchSeconds},
                                  {"watch_threads", request.watchThreads},
                                  {"cold_bytes", int64_t(request.coldBytes)}},
                     60 + 20 * request.seconds);
    if (!reply)
      return reply.takeError();
    std::vector<Batch> batches;
    const json::Array *list = reply->getArray("batches");
    for (const json::Value &value : list ? *list : json::Array()) {
      const json::Array *row = value.getAsArray();
      if (!row || row->size() != 4)
        continue;
      Batch batch;
      batch.runs = (*row)[0].getAsInteger().value_or(0);
      batch.wall = (*row)[1].getAsNumber().value_or(0);
      batch.cpu = (*row)[2].getAsNumber().value_or(0);
      batch.waited = (*row)[3].getAsNumber().value_or(-1);
      if (batch.runs > 0 && batch.wall > 0)
        batches.push_back(batch);
    }
    return batches;
  };
  return contender;
}

std::vector<Contender> PythonPeers::contenders(const json::Object &problem) {
  // By name: what killed the child; not tried again.
  std::map<std::string, std::string> fatal;
  auto failed = [](llvm::Error error) {
    Contender contender;
    contender.name = "python";
    contender.failure = llvm::toString(std::move(error));
    return std::vector<Contender>{std::move(contender)};
  };
  while (true) {
    if (!child)
      if (llvm::Error error = launch())
        return failed(std::move(error));
    json::Object request = problem;
    request["op"] = "prepare";
    auto reply = ask(std::move(request), 300);
    if (!reply)
      return failed(reply.takeError());
    std::vector<Contender> result;
    const json::Array *peers = reply->getArray("peers");
    for (const json::Value &value : peers ? *peers : json::Array()) {
      const json::Object *peer = value.getAsObject();
      if (!peer)
        continue;
      result.push_back(contender(*peer));
      Contender &contender = result.back();
      if (auto known = fatal.find(contender.name); known != fatal.end()) {
        contender.failure = known->second;
        continue;
      }
      // Compilation may take long, in particular on a loaded machine.
      auto built =
          ask(json::Object{{"op", "build"}, {"peer", contender.name}}, 1200);
      if (built) {
        contender.detail = built->getString("detail").value_or("").str();
        if (auto seconds = built->getNumber("seconds"))
          contender.facts["build_s"] = *seconds;
        continue;
      }
      contender.failure = llvm::toString(built.takeError());
      if (!child) {
        fatal[contender.name] = contender.failure;
        break;
      }
    }
    if (child)
      return result;
  }
}
