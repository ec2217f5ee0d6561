//===- WorkQueue.h - work shared by several workers -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_MEASURE_WORKQUEUE_H
#define PRUNER_LIB_MEASURE_WORKQUEUE_H

#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace pruner {

/// Numbers that several threads take, in order. One that is given back is the
/// next to be taken.
class WorkQueue {
public:
  explicit WorkQueue(const std::vector<size_t> &numbers)
      : waiting(numbers.begin(), numbers.end()) {}

  std::optional<size_t> take() {
    std::lock_guard<std::mutex> lock(mutex);
    if (waiting.empty())
      return std::nullopt;
    size_t number = waiting.front();
    waiting.pop_front();
    return number;
  }
  void giveBack(size_t number) {
    std::lock_guard<std::mutex> lock(mutex);
    waiting.push_front(number);
  }
  /// The remaining numbers. Must not be called while a thread takes some.
  const std::deque<size_t> &left() const { return waiting; }

private:
  std::mutex mutex;
  std::deque<size_t> waiting;
};

} // namespace pruner

#endif // PRUNER_LIB_MEASURE_WORKQUEUE_H
