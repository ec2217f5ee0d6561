//===- RunNetwork.cpp - time whole networks -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RunNetwork.h"

#include "pruner/Library/LoadedNetwork.h"
#include "pruner/Runtime/GuardedBuffer.h"
#include "pruner/Runtime/Timer.h"
#include "pruner/Support/Random.h"
#include "pruner/Verification/ElementData.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSwitch.h"

#include <chrono>
#include <cmath>
#include <cstring>
#include <map>

using namespace llvm;
using namespace pruner;

/// Maximum runs of a library in one turn: as many as a profile takes medians
/// of.
static constexpr int64_t kMostRuns = 256;

namespace {
/// Tensors of all the libraries, by name.
using Buffers = std::map<std::string, GuardedBuffer>;

/// A library with its arguments.
struct Instance {
  LoadedNetwork network;
  Buffers own; ///< Prepared inputs, and outputs.
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  NetworkLibraryTimes times;
};
} // namespace

/// std::nullopt for integers.
static std::optional<ElementType> realType(StringRef element) {
  return StringSwitch<std::optional<ElementType>>(element)
      .Case("f64", ElementType::F64)
      .Case("f32", ElementType::F32)
      .Case("f16", ElementType::F16)
      .Case("bf16", ElementType::BF16)
      .Default(std::nullopt);
}

static void fillRandom(void *data, const NetworkTensor &tensor, Random random) {
  const size_t count = size_t(tensor.elements()), width = elementBytes(tensor);
  const std::optional<ElementType> real = realType(tensor.element);
  if (!real) {
    std::memset(data, 0, count * width);
    for (size_t n = 0; n < count; ++n)
      static_cast<uint8_t *>(data)[n * width] = uint8_t(random.uniform(2));
    return;
  }
  double row = tensor.shape.empty() || tensor.shape[0] == 0
                   ? 1
                   : double(count) / double(tensor.shape[0]);
  double scale = 1 / std::sqrt(std::max(row, 1.0));
  for (size_t n = 0; n < count; ++n) {
    double value = 0.5 + random.uniformReal();
    if (tensor.shape.size() >= 2) {
      // A sum of four uniform numbers is nearly normal.
      value = -2;
      for (int term = 0; term < 4; ++term)
        value += random.uniformReal();
      value *= scale * std::sqrt(3.0);
    }
    writeElement(data, *real, int64_t(n), value);
  }
}

/// The buffer of a tensor, created if it is new.
static Expected<void *> bufferOf(Buffers &buffers, const NetworkTensor &tensor,
                                 bool &isNew) {
  auto found = buffers.find(tensor.name);
  isNew = found == buffers.end();
  if (!isNew)
    return found->second.data();
  auto buffer =
      GuardedBuffer::allocate(size_t(tensor.elements()) * elementBytes(tensor));
  if (!buffer)
    return createStringError("no memory for the tensors of the network");
  buffer->open(); // Nothing is verified here.
  return buffers.try_emplace(tensor.name, std::move(*buffer))
      .first->second.data();
}

static Error addInputs(ArrayRef<NetworkTensor> tensors, Buffers &shared,
                       Buffers &own, std::vector<const void *> &pointers) {
  const Random seed(0);
  for (const NetworkTensor &tensor : tensors) {
    auto prepared = own.find(tensor.name);
    if (prepared != own.end()) {
      pointers.push_back(prepared->second.data());
      continue;
    }
    bool isNew = false;
    auto data = bufferOf(shared, tensor, isNew);
    if (!data)
      return data.takeError();
    if (isNew)
      fillRandom(*data, tensor, seed.fork(shared.size()));
    pointers.push_back(*data);
  }
  return Error::success();
}

static Error addOutputs(ArrayRef<NetworkTensor> tensors, Buffers &own,
                        std::vector<void *> &pointers) {
  for (const NetworkTensor &tensor : tensors) {
    bool isNew = false;
    auto data = bufferOf(own, tensor, isNew);
    if (!data)
      return data.takeError();
    pointers.push_back(*data);
  }
  return Error::success();
}

static Expected<Instance> makeInstance(const NetworkLibrary &library,
                                       int64_t threads, Buffers &shared) {
  auto network = LoadedNetwork::load(library.network);
  if (!network)
    return network.takeError();
  Instance instance{std::move(*network), {}, {}, {}, {}};
  if (!library.prepare.empty()) {
    auto prepare = LoadedNetwork::load(library.prepare);
    if (!prepare)
      return prepare.takeError();
    Buffers none;
    std::vector<const void *> weights;
    std::vector<void *> prepared;
    if (Error error = addInputs(prepare->inputs, shared, none, weights))
      return error;
    if (Error error = addOutputs(prepare->outputs, instance.own, prepared))
      return error;
    if (Error error = prepare->run(weights, prepared))
      return error;
  }
  if (Error error = addInputs(instance.network.inputs, shared, instance.own,
                              instance.inputs))
    return error;
  // The names of results and inputs may be equal, so mark results.
  std::vector<NetworkTensor> outputs = instance.network.outputs;
  for (NetworkTensor &tensor : outputs)
    tensor.name += " (result)";
  if (Error error = addOutputs(outputs, instance.own, instance.outputs))
    return error;
  instance.network.setThreads(unsigned(threads));
  return instance;
}

/// One turn of a library.
static Error visit(Instance &instance, double minSeconds) {
  using Clock = std::chrono::steady_clock;
  const LoadedNetwork &network = instance.network;
  // The previous library ran before, and its weights are in the caches.
  auto start = Clock::now();
  if (Error error = network.run(instance.inputs, instance.outputs))
    return error;
  double once = std::chrono::duration<double>(Clock::now() - start).count();
  if (Error error = network.startProfile())
    return error;
  double wanted = std::ceil(minSeconds / std::max(once, 1e-7));
  int64_t runs = int64_t(std::clamp(wanted, 1.0, double(kMostRuns)));
  for (int64_t n = 0; n < runs; ++n)
    if (Error error = network.run(instance.inputs, instance.outputs))
      return error;
  auto whole = network.runTimes();
  if (!whole)
    return whole.takeError();
  instance.times.seconds.push_back(whole->median);
  MapVector<StringRef, std::pair<int64_t, double>> tasks; // Calls, seconds.
  for (auto [n, key] : enumerate(network.calls)) {
    if (key.empty())
      continue;
    auto times = network.times(n);
    if (!times)
      return times.takeError();
    ++tasks[key].first;
    tasks[key].second += times->median;
  }
  std::vector<NetworkTaskTimes> &list = instance.times.tasks;
  if (list.empty())
    for (const auto &task : tasks)
      list.push_back({task.first.str(), task.second.first, {}});
  // Every turn makes the same calls. A call may be shorter than a tick of the
  // clock.
  for (NetworkTaskTimes &entry : list)
    entry.seconds.push_back(std::max(tasks[entry.key].second, 1e-9) /
                            double(entry.calls));
  return Error::success();
}

static Error timeAll(const NetworkRequest &request, NetworkReply &reply) {
  Buffers shared;
  std::vector<Instance> instances;
  for (const NetworkLibrary &library : request.libraries) {
    auto instance = makeInstance(library, request.threads, shared);
    if (!instance)
      return instance.takeError();
    instances.push_back(std::move(*instance));
  }
  for (size_t turn = 0; turn < size_t(request.turns); ++turn)
    for (size_t n : interleavedOrder(turn, instances.size()))
      if (Error error = visit(instances[n], request.minSeconds))
        return error;
  for (Instance &instance : instances)
    reply.libraries.push_back(std::move(instance.times));
  return Error::success();
}

NetworkReply pruner::runNetworks(const NetworkRequest &request) {
  NetworkReply reply;
  reply.id = request.id;
  if (Error error = timeAll(request, reply)) {
    reply.libraries.clear();
    reply.status = MeasureStatus::RunError;
    reply.reason = toString(std::move(error));
  }
  return reply;
}
