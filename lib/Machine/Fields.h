//===- Fields.h - the list of the fields of a machine -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file format, the comparison, the key and the table all use these lists. A
// field is added only here.

#ifndef PRUNER_LIB_MACHINE_FIELDS_H
#define PRUNER_LIB_MACHINE_FIELDS_H

#include "pruner/Machine/Machine.h"

#include <type_traits>

namespace pruner::detail {

/// The devices on which a field is part of `Machine::key`.
enum class InKey { Never, Always, OnCpus };

enum class Unit { None, Plain, Bytes, FlopsPerSecond, BytesPerSecond, MHz };

template <typename T> struct Field {
  const char *name;   ///< In the struct and in the file.
  T Machine::*member; ///< The member.
  Unit unit;          ///< Unit for printing.
  const char *symbol; ///< Its symbol in PSA, or "".
  InKey inKey;        ///< Part of `Machine::key`.
  const char *gloss;  ///< Short meaning for the table.
  /// Maximum of a number; a larger one is a mistake or an attack.
  std::conditional_t<std::is_arithmetic_v<T>, T, bool> most{};
};

inline constexpr Field<double> realFields[] = {
    {"peakFlops", &Machine::peakFlops, Unit::FlopsPerSecond, "T_p",
     InKey::Never, "peak f32 rate", 1e18},
    {"memoryBandwidth", &Machine::memoryBandwidth, Unit::BytesPerSecond, "T_m",
     InKey::Never, "main memory bandwidth", 1e16},
    {"clockMHz", &Machine::clockMHz, Unit::MHz, "", InKey::Never, "clock", 1e5},
};

inline constexpr Field<int64_t> integerFields[] = {
    {"units", &Machine::units, Unit::None, "pu_l2", InKey::Always,
     "SMs or cores", 1 << 16},
    {"schedulersPerUnit", &Machine::schedulersPerUnit, Unit::None, "pu_l1",
     InKey::Never, "warp schedulers per SM", 1 << 10},
    {"lanes", &Machine::lanes, Unit::None, "n_l1", InKey::Always,
     "warp size or f32 SIMD lanes", 1 << 10},
    {"registersPerThread", &Machine::registersPerThread, Unit::None, "m_l0",
     InKey::Never, "registers before PSA charges", 1 << 16},
    {"maxRegistersPerThread", &Machine::maxRegistersPerThread, Unit::None, "",
     InKey::Always, "registers per thread, limit", 1 << 16},
    {"registersPerUnit", &Machine::registersPerUnit, Unit::None, "",
     InKey::Always, "registers per SM or core", 1 << 24},
    {"sharedBytesPerBlock", &Machine::sharedBytesPerBlock, Unit::Bytes, "m_l1",
     InKey::Always, "shared memory per block", 1 << 30},
    {"sharedBytesPerBlockOptIn", &Machine::sharedBytesPerBlockOptIn,
     Unit::Bytes, "m_l1", InKey::Always, "shared memory per block, opt-in",
     1 << 30},
    {"sharedBytesPerUnit", &Machine::sharedBytesPerUnit, Unit::Bytes, "",
     InKey::Always, "shared memory per SM", 1 << 30},
    {"maxThreadsPerBlock", &Machine::maxThreadsPerBlock, Unit::None, "",
     InKey::Always, "threads per block, limit", 1 << 16},
    {"maxThreadsPerUnit", &Machine::maxThreadsPerUnit, Unit::None, "",
     InKey::Always, "threads per SM, limit", 1 << 20},
    {"maxBlocksPerUnit", &Machine::maxBlocksPerUnit, Unit::None, "",
     InKey::Always, "blocks per SM, limit", 1 << 16},
    {"activeBlocksPerUnit", &Machine::activeBlocksPerUnit, Unit::None, "n_b",
     InKey::Never, "blocks an SM works on", 1 << 16},
    {"activeWarpsPerUnit", &Machine::activeWarpsPerUnit, Unit::None, "n_w",
     InKey::Never, "warps an SM works on", 1 << 16},
    {"maxVirtualThreads", &Machine::maxVirtualThreads, Unit::None, "",
     InKey::Never, "virtual threads, limit", 1 << 10},
    {"transactionBytes", &Machine::transactionBytes, Unit::Bytes, "n_l2",
     InKey::Always, "memory transaction", 1 << 16},
    // The name of a GPU implies its caches, and driver and data sheet may count
    // them differently. On CPUs caches depend on the virtual machine.
    {"l1Bytes", &Machine::l1Bytes, Unit::Bytes, "", InKey::OnCpus,
     "L1 data cache", 1 << 30},
    {"l2Bytes", &Machine::l2Bytes, Unit::Bytes, "", InKey::OnCpus, "L2 cache",
     int64_t(1) << 40},
    {"l3Bytes", &Machine::l3Bytes, Unit::Bytes, "", InKey::OnCpus, "L3 cache",
     int64_t(1) << 40},
    {"vectorRegisters", &Machine::vectorRegisters, Unit::None, "",
     InKey::Always, "SIMD registers", 1 << 12},
    {"vectorBytes", &Machine::vectorBytes, Unit::Bytes, "", InKey::Always,
     "SIMD register or widest load", 1 << 16},
    // Free memory varies with the kernel and the driver, so it is never in the
    // key.
    {"memoryBytes", &Machine::memoryBytes, Unit::Bytes, "", InKey::Never,
     "main memory", int64_t(1) << 50},
};

/// A field of `Machine::core` on CPUs, or of `Machine::sm` on GPUs. None is
/// part of the key.
template <typename Model> struct ModelField {
  const char *name;
  double Model::*member;
  Unit unit;
  const char *gloss;
  bool mayBeZero = false;
  /// Older files do not have it.
  bool mayBeMissing = false;
  double most = 1e16;
};

inline constexpr ModelField<CoreModel> coreFields[] = {
    {"fmaLatency", &CoreModel::fmaLatency, Unit::Plain, "cycles"},
    {"loadsPerCycle", &CoreModel::loadsPerCycle, Unit::Plain, "of vectors"},
    {"storesPerCycle", &CoreModel::storesPerCycle, Unit::Plain, "of vectors"},
    {"issueWidth", &CoreModel::issueWidth, Unit::Plain, "operations per cycle"},
    {"loopOverhead", &CoreModel::loopOverhead, Unit::Plain,
     "operations per iteration"},
    {"divideCost", &CoreModel::divideCost, Unit::Plain, "additions"},
    {"functionCost", &CoreModel::functionCost, Unit::Plain, "additions"},
    {"copyCycles", &CoreModel::copyCycles, Unit::Plain, "of a packed vector"},
    {"l2BytesPerCycle", &CoreModel::l2BytesPerCycle, Unit::Plain,
     "from L2 to L1"},
    {"l3Bandwidth", &CoreModel::l3Bandwidth, Unit::BytesPerSecond,
     "from L3, one core; 0: unknown", /*mayBeZero=*/true},
    {"restartCycles", &CoreModel::restartCycles, Unit::Plain,
     "around a reduction loop"},
    {"lineMissCycles", &CoreModel::lineMissCycles, Unit::Plain,
     "per L2 line not prefetched"},
    {"rowCycles", &CoreModel::rowCycles, Unit::Plain, "around a packed row"},
    {"paddedRowCycles", &CoreModel::paddedRowCycles, Unit::Plain,
     "around a row that may be cut"},
    {"pageBytes", &CoreModel::pageBytes, Unit::Bytes, "no prefetch across it"},
    {"translatedPages", &CoreModel::translatedPages, Unit::Plain,
     "pages of the TLBs",
     /*mayBeZero=*/false,
     /*mayBeMissing=*/true},
    {"pageWalkCycles", &CoreModel::pageWalkCycles, Unit::Plain,
     "per page outside of the TLBs", /*mayBeZero=*/true,
     /*mayBeMissing=*/true},
    {"integerDotCost", &CoreModel::integerDotCost, Unit::Plain, "multiply-adds",
     /*mayBeZero=*/false,
     /*mayBeMissing=*/true},
    {"integerPairCost", &CoreModel::integerPairCost, Unit::Plain,
     "multiply-adds", /*mayBeZero=*/false,
     /*mayBeMissing=*/true},
    {"brainFloatDotCost", &CoreModel::brainFloatDotCost, Unit::Plain,
     "multiply-adds", /*mayBeZero=*/false,
     /*mayBeMissing=*/true},
    {"tileCost", &CoreModel::tileCost, Unit::Plain, "multiply-adds",
     /*mayBeZero=*/false,
     /*mayBeMissing=*/true},
    {"tileLatency", &CoreModel::tileLatency, Unit::Plain, "cycles",
     /*mayBeZero=*/false,
     /*mayBeMissing=*/true},
};

inline constexpr ModelField<SmModel> smFields[] = {
    {"loadStoreLanes", &SmModel::loadStoreLanes, Unit::Plain, "per cycle"},
    {"sharedBytesPerCycle", &SmModel::sharedBytesPerCycle, Unit::Plain,
     "of shared memory"},
    {"halfTensorRate", &SmModel::halfTensorRate, Unit::Plain,
     "products of f16 or bf16 per cycle", /*mayBeZero=*/true,
     /*mayBeMissing=*/true},
    {"tf32TensorRate", &SmModel::tf32TensorRate, Unit::Plain,
     "products of tf32 per cycle", /*mayBeZero=*/true,
     /*mayBeMissing=*/true},
    {"byteTensorRate", &SmModel::byteTensorRate, Unit::Plain,
     "products of bytes per cycle", /*mayBeZero=*/true,
     /*mayBeMissing=*/true},
    {"halfSumTensorRate", &SmModel::halfSumTensorRate, Unit::Plain,
     "products of f16 with sums in f16 per cycle", /*mayBeZero=*/true,
     /*mayBeMissing=*/true},
};

inline constexpr Field<std::string> textFields[] = {
    {"name", &Machine::name, Unit::None, "", InKey::Always, "name"},
    {"arch", &Machine::arch, Unit::None, "", InKey::Always, "architecture"},
    {"features", &Machine::features, Unit::None, "", InKey::Always, "features"},
};

} // namespace pruner::detail

#endif // PRUNER_LIB_MACHINE_FIELDS_H
