//===- WorkerTeam.cpp - workers that share work ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WorkerTeam.h"

#include "WorkQueue.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;
using namespace pruner;

/// How long a member without a worker gets no requests. A request may take
/// seconds, in which the other members are idle.
static constexpr std::chrono::seconds kRest(30);

WorkerTeam::WorkerTeam(const WorkerCommand &command, unsigned count) {
  for (unsigned i = 0; i < std::max(1u, count); ++i) {
    auto thread = std::make_unique<WorkerThread>(command);
    // Two members on the caller's thread do no more than one.
    if (!thread->hasThread() && i > 0)
      return;
    members.push_back({std::move(thread), {}});
  }
}

unsigned WorkerTeam::starts() const {
  unsigned starts = 0;
  for (const Member &member : members)
    starts += member.thread->worker.starts();
  return starts;
}

void WorkerTeam::Member::note(bool hadWorker) {
  restsUntil = hadWorker ? Clock::time_point() : Clock::now() + kRest;
}

std::pair<std::vector<WorkerTeam::Member *>, size_t> WorkerTeam::inOrder() {
  std::vector<Member *> order;
  for (Member &member : members)
    order.push_back(&member);
  auto now = Clock::now();
  auto resting =
      std::stable_partition(order.begin(), order.end(), [&](Member *member) {
        return member->restsUntil <= now;
      });
  return {order, size_t(resting - order.begin())};
}

std::vector<size_t>
WorkerTeam::share(const std::vector<size_t> &items,
                  function_ref<bool(WorkerProcess &, size_t)> work,
                  function_ref<void(WorkerProcess &)> afterwards) {
  WorkQueue waiting(items);
  auto [order, ready] = inOrder();
  // Other members may have finished before a member gives an item back; they
  // are called again.
  while (!waiting.left().empty() && !order.empty()) {
    size_t count =
        std::min(waiting.left().size(), ready > 0 ? ready : order.size());
    // Not std::vector<bool>, whose bits share bytes.
    std::vector<char> had(count, true);
    std::vector<std::future<void>> done;
    for (size_t i = 0; i < count; ++i)
      done.push_back(order[i]->thread->submit([&, i](WorkerProcess &worker) {
        while (auto item = waiting.take())
          if (!work(worker, *item)) {
            had[i] = false;
            return waiting.giveBack(*item);
          }
        if (afterwards)
          afterwards(worker);
      }));
    for (auto &future : done)
      future.get();
    for (size_t i = count; i-- > 0;) {
      order[i]->note(had[i]);
      if (had[i])
        continue;
      order.erase(order.begin() + i);
      ready -= i < ready;
    }
  }
  return {waiting.left().begin(), waiting.left().end()};
}

std::vector<std::future<void>> WorkerTeam::startEach(
    size_t most, const std::function<bool(WorkerProcess &, size_t)> &work) {
  auto [order, ready] = inOrder();
  order.resize(std::min(most, ready > 0 ? ready : order.size()));
  std::vector<std::future<void>> done;
  for (auto [i, member] : enumerate(order))
    done.push_back(member->thread->submit(
        [member = member, i = i, work](WorkerProcess &worker) {
          member->note(work(worker, i));
        }));
  return done;
}

void WorkerTeam::tryMembers(size_t attempts,
                            function_ref<bool(WorkerProcess &)> work) {
  auto [order, ready] = inOrder();
  bool enough = false;
  for (size_t attempt = 0; attempt < attempts && !enough; ++attempt)
    order[attempt % order.size()]
        ->thread->submit([&](WorkerProcess &worker) { enough = work(worker); })
        .get();
}
