//===- InstructionProbe.h - measured rates of instructions ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RUNTIME_INSTRUCTIONPROBE_H
#define PRUNER_RUNTIME_INSTRUCTIONPROBE_H

#include <vector>

namespace pruner {

/// The rate of one core with independent instructions of one kind, whose
/// operands are in registers.
struct InstructionRate {
  /// The instruction. That of f32 is a multiply-add of the widest vectors. The
  /// others are instructions of Program/Instructions, and that of AVX512-FP16.
  enum class Kind {
    F32,           ///< The multiply-add that `measureFmaPeak` uses.
    F16,           ///< `vfmadd231ph`, which accumulates in f16.
    IntegerDot,    ///< `vpdpbusd`, bytes.
    IntegerPairs,  ///< `vpmaddwd` and `vpaddd`, 16-bit integers.
    BrainFloatDot, ///< `vdpbf16ps`.
    ByteTiles,     ///< `tdpbssd` with 16 rows.
    BrainTiles,    ///< `tdpbf16ps` with 16 rows.
  };
  Kind kind;
  const char *name;
  /// Seconds of one instruction, and of one that waits for the result of the
  /// previous one. The latter is 0 except for tiles.
  double seconds, latency;
  /// Additions and multiplications of one instruction.
  double operations;

  double perSecond() const { return operations / seconds; }
};

/// Measures the instructions that this core has and the operating system
/// permits, for about `seconds` in total. Their chunks are interleaved, as in
/// `probeCore`, so that quotients of their times are steadier than the times.
/// Empty on cores that are not x86.
std::vector<InstructionRate> measureInstructions(double seconds = 0.2);

} // namespace pruner

#endif // PRUNER_RUNTIME_INSTRUCTIONPROBE_H
