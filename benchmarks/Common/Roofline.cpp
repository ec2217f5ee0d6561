//===- Roofline.cpp - the roofline of one core ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Roofline.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace pruner;
using namespace pruner::bench;

double Probes::best() const {
  return readings.empty() ? 0 : *llvm::max_element(readings);
}

double Probes::steadiness() const {
  double fastest = best();
  return fastest > 0 ? *llvm::min_element(readings) / fastest : 1;
}

double Roofline::seconds() const {
  return std::max(computeSeconds, memorySeconds);
}

double Roofline::share(double measured, unsigned cores) const {
  return measured > 0 ? seconds() / (measured * cores) : 0;
}

const char *bench::memoryLevel(double bytes, const Machine &machine) {
  if (bytes <= double(machine.l1Bytes))
    return "L1";
  if (bytes <= double(machine.l2Bytes))
    return "L2";
  if (bytes <= double(machine.l3Bytes))
    return "L3";
  return "DRAM";
}

Roofline bench::roofline(double flops, double bytes, double flopRate,
                         double byteRate, const Machine &machine) {
  Roofline result;
  if (flopRate > 0)
    result.computeSeconds = flops / flopRate;
  if (byteRate > 0)
    result.memorySeconds = bytes / byteRate;
  result.bound = result.computeSeconds >= result.memorySeconds
                     ? "FMA"
                     : memoryLevel(bytes, machine);
  return result;
}

/// The instruction of `rate` and the share of its operations that count for
/// sums of products in these types; 0 if it does not compute them.
static std::pair<const char *, double> shareOf(const InstructionRate &rate,
                                               ElementType operands,
                                               ElementType accumulators) {
  using Kind = InstructionRate::Kind;
  auto isProduct = [&](ElementType from, ElementType to) {
    return operands == from && accumulators == to;
  };
  bool bytes = isProduct(ElementType::I8, ElementType::I32),
       words = isProduct(ElementType::I16, ElementType::I32),
       brains = isProduct(ElementType::BF16, ElementType::F32);
  switch (rate.kind) {
  case Kind::F32:
    return {rate.name, accumulators == ElementType::F32 ? 1 : 0};
  case Kind::F16:
    return {rate.name, isProduct(ElementType::F16, ElementType::F16) ? 1 : 0};
  case Kind::IntegerDot: // Pairs of 16-bit integers take as long as four bytes.
    return {words ? "vpdpwssd" : rate.name, words ? 0.5 : bytes ? 1 : 0};
  case Kind::IntegerPairs:
    return {rate.name, bytes || words ? 1 : 0};
  case Kind::BrainFloatDot:
  case Kind::BrainTiles:
    return {rate.name, brains ? 1 : 0};
  case Kind::ByteTiles:
    return {rate.name, bytes ? 1 : 0};
  }
  return {rate.name, 0};
}

ProductRate bench::productRate(llvm::ArrayRef<InstructionRate> rates,
                               ElementType operands, ElementType accumulators) {
  ProductRate best;
  for (const InstructionRate &rate : rates) {
    auto [name, share] = shareOf(rate, operands, accumulators);
    if (share * rate.perSecond() > best.perSecond)
      best = {name, share * rate.perSecond()};
  }
  return best;
}
