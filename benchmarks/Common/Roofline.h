//===- Roofline.h - the roofline of one core --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_BENCHMARKS_COMMON_ROOFLINE_H
#define PRUNER_BENCHMARKS_COMMON_ROOFLINE_H

#include "pruner/Machine/Machine.h"
#include "pruner/Program/Task.h"
#include "pruner/Runtime/InstructionProbe.h"

#include "llvm/ADT/ArrayRef.h"

#include <string>
#include <vector>

namespace pruner::bench {

/// Readings of one rate at different times of a run.
class Probes {
public:
  void add(double rate) { readings.push_back(rate); }
  const std::vector<double> &all() const { return readings; }
  /// The fastest reading, which other programs disturbed least; 0 without any.
  double best() const;
  /// The slowest reading over the fastest; 1 without any.
  double steadiness() const;

private:
  std::vector<double> readings;
};

/// The minimum time of some work by the roofline model (Williams, Waterman and
/// Patterson, CACM 52(4), 2009): arithmetic and memory overlap perfectly.
struct Roofline {
  double computeSeconds = 0, memorySeconds = 0;
  /// The limiting resource: "FMA", or the memory level that holds the operands:
  /// "L1", "L2", "L3", "DRAM".
  std::string bound;

  double seconds() const;
  /// The share of the bound of `cores` cores that a run of `measured` seconds
  /// reaches, 0 to 1 (above 1 if the model or a reading is wrong). The rates of
  /// several cores are assumed to be multiples of one core's.
  double share(double measured, unsigned cores = 1) const;
};

/// The bound of `flops` at `flopRate` (FLOP/s) and of `bytes` (each operand and
/// result moved once) at `byteRate` (bytes/s, read from a buffer of `bytes`). A
/// rate of 0 is unknown and no bound.
Roofline roofline(double flops, double bytes, double flopRate, double byteRate,
                  const Machine &machine);

/// The rate of one core for sums of products.
struct ProductRate {
  /// The instruction, or "" if none of the measured ones computes such sums.
  std::string instruction;
  /// Additions and multiplications per second.
  double perSecond = 0;
};

/// The highest of the measured `rates` (measureInstructions) at which operands
/// of one type are multiplied and accumulated in another. Vectors of f32 also
/// multiply narrower floats, which are extended.
ProductRate productRate(llvm::ArrayRef<InstructionRate> rates,
                        ElementType operands, ElementType accumulators);

/// The smallest level of `machine` that holds `bytes`.
const char *memoryLevel(double bytes, const Machine &machine);

} // namespace pruner::bench

#endif // PRUNER_BENCHMARKS_COMMON_ROOFLINE_H
