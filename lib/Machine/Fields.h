//===- Fields.h - the fields of a machine, listed once ----------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file format, the comparison, the key and the table walk the same lists,
// so a field added here is known to all of them.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_MACHINE_FIELDS_H
#define PRUNER_LIB_MACHINE_FIELDS_H

#include "pruner/Machine/Machine.h"

namespace pruner::detail {

enum class Unit { None, Bytes, FlopsPerSecond, BytesPerSecond, MHz };

template <typename T> struct Field {
  const char *name;   ///< As in the struct and in the file.
  T Machine::*member; ///< Where the value is.
  Unit unit;          ///< How a person wants to see it.
  const char *symbol; ///< Its name in PSA, or "".
  bool inKey;         ///< Part of `Machine::key`.
  const char *gloss;  ///< A few words for the table.
};

inline constexpr Field<double> realFields[] = {
    {"peakFlops", &Machine::peakFlops, Unit::FlopsPerSecond, "T_p", false,
     "peak f32 rate"},
    {"memoryBandwidth", &Machine::memoryBandwidth, Unit::BytesPerSecond, "T_m",
     false, "main memory bandwidth"},
    {"clockMHz", &Machine::clockMHz, Unit::MHz, "", false, "clock"},
};

inline constexpr Field<int64_t> integerFields[] = {
    {"units", &Machine::units, Unit::None, "pu_l2", true, "SMs or cores"},
    {"schedulersPerUnit", &Machine::schedulersPerUnit, Unit::None, "pu_l1",
     false, "warp schedulers per SM"},
    {"lanes", &Machine::lanes, Unit::None, "n_l1", true,
     "warp size or f32 SIMD lanes"},
    {"registersPerThread", &Machine::registersPerThread, Unit::None, "m_l0",
     false, "registers before PSA charges"},
    {"maxRegistersPerThread", &Machine::maxRegistersPerThread, Unit::None, "",
     true, "registers per thread, limit"},
    {"registersPerUnit", &Machine::registersPerUnit, Unit::None, "", true,
     "registers per SM or core"},
    {"sharedBytesPerBlock", &Machine::sharedBytesPerBlock, Unit::Bytes, "m_l1",
     true, "shared memory per block"},
    {"sharedBytesPerBlockOptIn", &Machine::sharedBytesPerBlockOptIn,
     Unit::Bytes, "m_l1", true, "shared memory per block, opt-in"},
    {"sharedBytesPerUnit", &Machine::sharedBytesPerUnit, Unit::Bytes, "", true,
     "shared memory per SM"},
    {"maxThreadsPerBlock", &Machine::maxThreadsPerBlock, Unit::None, "", true,
     "threads per block, limit"},
    {"maxThreadsPerUnit", &Machine::maxThreadsPerUnit, Unit::None, "", true,
     "threads per SM, limit"},
    {"maxBlocksPerUnit", &Machine::maxBlocksPerUnit, Unit::None, "", true,
     "blocks per SM, limit"},
    {"activeBlocksPerUnit", &Machine::activeBlocksPerUnit, Unit::None, "n_b",
     false, "blocks an SM works on"},
    {"activeWarpsPerUnit", &Machine::activeWarpsPerUnit, Unit::None, "n_w",
     false, "warps an SM works on"},
    {"maxVirtualThreads", &Machine::maxVirtualThreads, Unit::None, "", false,
     "virtual threads, limit"},
    {"transactionBytes", &Machine::transactionBytes, Unit::Bytes, "n_l2", true,
     "memory transaction"},
    {"l1Bytes", &Machine::l1Bytes, Unit::Bytes, "", true, "L1 data cache"},
    {"l2Bytes", &Machine::l2Bytes, Unit::Bytes, "", true, "L2 cache"},
    {"l3Bytes", &Machine::l3Bytes, Unit::Bytes, "", true, "L3 cache"},
    {"vectorRegisters", &Machine::vectorRegisters, Unit::None, "", true,
     "SIMD registers"},
    {"vectorBytes", &Machine::vectorBytes, Unit::Bytes, "", true,
     "SIMD register or widest load"},
    // Free memory varies with the kernel and the driver; never in the key.
    {"memoryBytes", &Machine::memoryBytes, Unit::Bytes, "", false,
     "main memory"},
};

inline constexpr Field<std::string> textFields[] = {
    {"name", &Machine::name, Unit::None, "", true, "name"},
    {"arch", &Machine::arch, Unit::None, "", true, "architecture"},
    {"features", &Machine::features, Unit::None, "", true, "features"},
};

} // namespace pruner::detail

#endif // PRUNER_LIB_MACHINE_FIELDS_H
