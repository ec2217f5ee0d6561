//===- Comparison.cpp - comparison with peers over a suite ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Comparison.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner;
using namespace pruner::bench;

double PeerTime::net() const { return std::max(seconds - call, seconds / 2); }

const PeerTime *
bench::fastestPeer(llvm::ArrayRef<PeerTime> peers,
                   llvm::function_ref<bool(const PeerTime &)> wanted) {
  const PeerTime *best = nullptr;
  for (const PeerTime &peer : peers)
    if (wanted(peer) && (!best || peer.net() < best->net()))
      best = &peer;
  return best;
}

void Comparison::addSample(llvm::StringRef peer, Sample sample) {
  auto found = llvm::find_if(
      samples, [&](const auto &entry) { return entry.first == peer; });
  if (found == samples.end())
    found = samples.insert(samples.end(), {peer.str(), {}});
  found->second.push_back(std::move(sample));
}

void Comparison::add(llvm::StringRef operation, double ours,
                     llvm::ArrayRef<PeerTime> peers) {
  auto sample = [&](llvm::StringRef name, const PeerTime *peer) {
    if (peer)
      addSample(name,
                {operation.str(), peer->net() / ours, peer->seconds / ours});
  };
  sample(kBestOfAny, fastestPeer(peers, [](const PeerTime &) { return true; }));
  sample(kBestAtRunTime, fastestPeer(peers, [](const PeerTime &peer) {
           return peer.role == Role::Peer;
         }));
  for (const PeerTime &peer : peers)
    sample(peer.name, &peer);
}

std::vector<ComparisonRow> Comparison::rows() const {
  std::vector<ComparisonRow> result;
  for (const auto &[peer, list] : samples) {
    ComparisonRow row;
    row.peer = peer;
    row.count = list.size();
    std::vector<double> net, asCalled;
    const Sample *least = &list.front(), *most = least;
    for (const Sample &sample : list) {
      net.push_back(sample.net);
      asCalled.push_back(sample.asCalled);
      if (sample.net < least->net)
        least = &sample;
      if (sample.net > most->net)
        most = &sample;
    }
    row.mean = geometricMean(net);
    row.asCalled = geometricMean(asCalled);
    row.least = least->net;
    row.leastAt = least->operation;
    row.most = most->net;
    row.mostAt = most->operation;
    result.push_back(std::move(row));
  }
  // The summary rows come first, whichever operation added them first.
  llvm::stable_sort(result, [](const auto &a, const auto &b) {
    auto rank = [](const ComparisonRow &row) {
      return row.peer == kBestOfAny ? 0 : row.peer == kBestAtRunTime ? 1 : 2;
    };
    return rank(a) < rank(b);
  });
  return result;
}
