//===- DynamicDraw.h - draw a random network of dynamic shape ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_NETWORKS_DYNAMICDRAW_H
#define PRUNER_FUZZING_NETWORKS_DYNAMICDRAW_H

#include "Fuzzing/Text/LinalgWriter.h"
#include "pruner/Support/Random.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace pruner {

/// terms[0] + terms[1] * n + terms[2] * n * n, for a call of size n.
struct SizedExtent {
  std::array<int64_t, 3> terms = {0, 0, 0};

  static SizedExtent fixed(int64_t extent) { return {{extent, 0, 0}}; }
  static SizedExtent size() { return {{0, 1, 0}}; }
  int64_t at(int64_t n) const {
    return terms[0] + n * (terms[1] + n * terms[2]);
  }
  bool isFixed() const { return terms[1] == 0 && terms[2] == 0; }
  bool operator==(const SizedExtent &other) const {
    return terms == other.terms;
  }
  SizedExtent operator+(const SizedExtent &other) const;
  SizedExtent operator+(int64_t more) const { return *this + fixed(more); }
};

/// A tensor whose shape depends on the size of the call, and a bound for the
/// magnitude of its elements if they are floats.
struct SizedTensor : TextTensor {
  std::vector<SizedExtent> extents;
  double most = 1;
};

/// Draws a network in which a dimension has several sizes, as text. Where its
/// arguments are dynamic, they have the attribute `pruner.range`. Otherwise all
/// arguments and results are static, and the elements of one argument decide
/// which part of them the network reads.
///
/// Most elements are integers. Operations on floats keep the magnitudes of
/// their results moderate. An argument that is named `divisor` must have no
/// zero among its elements.
class DynamicDraw : LinalgWriter {
public:
  explicit DynamicDraw(Random random) : random(std::move(random)) {}

  std::string draw();

private:
  using Extents = std::vector<SizedExtent>;
  using Kind = void (DynamicDraw::*)();

  //===--- choices --------------------------------------------------------===//
  bool chance(unsigned percent) { return random.uniform(100) < percent; }
  int64_t between(int64_t low, int64_t high) {
    return low + int64_t(random.uniform(uint64_t(high - low + 1)));
  }
  template <typename T> T oneOf(std::initializer_list<T> values) {
    return values.begin()[random.uniform(values.size())];
  }
  SizedExtent anyExtent();
  bool fits(const Extents &extents) const;
  /// A value of the network, or a new argument, for which `accept` holds.
  SizedTensor pick(const std::function<bool(const SizedTensor &)> &accept,
                   const std::function<SizedTensor()> &other);
  SizedTensor anyTensor(size_t leastRank = 1, size_t mostRank = 4);
  SizedTensor like(const Extents &extents, const std::string &element);

  //===--- text -----------------------------------------------------------===//
  SizedTensor sized(const std::string &name, Extents extents,
                    const std::string &element, double most = 1);
  /// An argument, whose dynamic extents are the size itself; for other extents
  /// a tensor that is computed.
  SizedTensor argument(Extents extents, const std::string &element,
                       const std::string &prefix = "arg");
  /// A tensor whose elements follow from their positions.
  SizedTensor computed(Extents extents, const std::string &element);
  /// An index of the function, or a number if the extent is fixed.
  std::string extentText(const SizedExtent &extent, bool value = false);
  std::vector<std::string> extentTexts(const Extents &extents);
  SizedTensor emptyOf(Extents extents, const std::string &element);
  SizedTensor filledWith(Extents extents, const std::string &element,
                         const std::string &literal);
  SizedTensor generic(const std::string &kinds,
                      const std::vector<std::pair<SizedTensor, TextMap>> &ins,
                      const std::pair<SizedTensor, TextMap> &out,
                      const std::string &body, double most = 1);
  /// The size of the call, or what follows from it, as a number of the type.
  std::string sizeNumber(const std::string &element);
  std::string castIndex(const std::string &index, const std::string &element);
  /// Keeps the value; of floats, only after it is scaled down if it is large.
  void add(SizedTensor value);

  //===--- kinds of operations --------------------------------------------===//
  void elementwise();
  void positions();
  void division();
  void named();
  void onTensors();
  void reduction();
  void orderedReduction();
  void argMax();
  void product();
  void softmax();
  void norm();
  void slicing();
  void padding();
  void joining();
  void collapsing();
  void expanding();
  void permuting();
  void inserting();
  void gather();
  void reversing();
  void window();
  void spreading();
  void selecting();
  SizedTensor branching(const std::string &which, const std::string &computed,
                        const SizedTensor &x, const SizedTensor &other);
  void repeating();
  void insertingElement();
  void checking();

  std::string sizeCondition();
  bool mayLeaveBlocks(const SizedTensor &x) const;
  SizedTensor step(const SizedTensor &x, const SizedTensor &y);
  std::string combined(const std::string &e, const std::string &a,
                       const std::string &b, BodyText &body);
  SizedTensor divisor(const SizedExtent &extent);
  SizedTensor remaining(const SizedExtent &extent);
  SizedTensor reduced(const SizedTensor &x, const std::vector<bool> &over,
                      const std::string &body, const std::string &element,
                      const std::string &start, double most);
  SizedTensor finished(SizedTensor value);

  Random random;
  std::string base;
  bool ranged = true;
  int64_t least = 1, greatest = 16;
  std::string range, scalar, prologue;
  std::vector<std::string> headers;
  std::vector<SizedTensor> values, sources;
};

} // namespace pruner

#endif // PRUNER_FUZZING_NETWORKS_DYNAMICDRAW_H
