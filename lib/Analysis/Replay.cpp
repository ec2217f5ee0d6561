//===- Replay.cpp - replay of a graph of programs -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Analysis/Replay.h"

#include "llvm/ADT/STLExtras.h"

#include <queue>

using namespace llvm;
using namespace pruner;

namespace {
struct Ready {
  double time;
  unsigned node;
  bool operator>(const Ready &other) const {
    return std::tie(time, node) > std::tie(other.time, other.node);
  }
};

struct Device {
  double time = 0;   ///< When the device is free.
  double queued = 0; ///< Seconds of all nodes in its queue.
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> queue;
};

class Simulation {
public:
  Simulation(ArrayRef<ReplayNode> nodes, unsigned count)
      : nodes(nodes), devices(count), missing(nodes.size()),
        readyTimes(nodes.size()), successors(nodes.size()) {
    result.nodes.resize(nodes.size());
  }

  Expected<ReplayResult> run() {
    for (auto [number, node] : enumerate(nodes)) {
      missing[number] = unsigned(node.after.size());
      for (unsigned before : node.after) {
        if (before >= nodes.size())
          return createStringError(
              "node %u needs node %u, but there are only %zu", unsigned(number),
              before, nodes.size());
        successors[before].push_back(unsigned(number));
      }
      if (node.device && *node.device >= devices.size())
        return createStringError(
            "node %u runs on device %u, but there are only %zu",
            unsigned(number), *node.device, devices.size());
    }
    if (devices.empty())
      return createStringError("expected at least one device");
    for (auto [number, node] : enumerate(nodes))
      if (missing[number] == 0)
        enqueue(unsigned(number));
    size_t done = 0;
    for (; Device *device = next(); ++done)
      execute(*device);
    if (done < nodes.size())
      return createStringError("the graph has a cycle");
    for (const Device &device : devices)
      result.seconds = std::max(result.seconds, device.time);
    return std::move(result);
  }

private:
  void enqueue(unsigned number) {
    const ReplayNode &node = nodes[number];
    auto whenFree = [&](const Device &device) {
      return std::max(device.time + device.queued, readyTimes[number]);
    };
    Device *device =
        node.device
            ? &devices[*node.device]
            : llvm::min_element(devices, [&](const Device &a, const Device &b) {
                return whenFree(a) < whenFree(b);
              });
    device->queue.push({readyTimes[number], number});
    device->queued += node.seconds + node.gap;
    result.nodes[number].device = unsigned(device - devices.begin());
  }

  /// The device with work that is free first; null if there is none.
  Device *next() {
    Device *first = nullptr;
    for (Device &device : devices)
      if (!device.queue.empty() && (!first || device.time < first->time))
        first = &device;
    return first;
  }

  void execute(Device &device) {
    unsigned number = device.queue.top().node;
    device.queue.pop();
    const ReplayNode &node = nodes[number];
    double start = std::max(device.time, readyTimes[number]);
    result.nodes[number].start = start;
    device.time = start + node.seconds + node.gap;
    device.queued -= node.seconds + node.gap;
    for (unsigned successor : successors[number]) {
      readyTimes[successor] = std::max(readyTimes[successor], device.time);
      if (--missing[successor] == 0)
        enqueue(successor);
    }
  }

  ArrayRef<ReplayNode> nodes;
  SmallVector<Device, 4> devices;
  std::vector<unsigned> missing;
  std::vector<double> readyTimes;
  std::vector<SmallVector<unsigned, 4>> successors;
  ReplayResult result;
};
} // namespace

Expected<ReplayResult> pruner::replayGraph(ArrayRef<ReplayNode> nodes,
                                           unsigned devices) {
  return Simulation(nodes, devices).run();
}
