//===- Device.h - the device of a network -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_LIB_COSTMODEL_TORCH_DEVICE_H
#define PRUNER_LIB_COSTMODEL_TORCH_DEVICE_H

#include <c10/core/Device.h>

#include <string>

namespace pruner {

/// Returns the device that the option `device` names. "cuda" is the first GPU.
/// Throws a std::runtime_error with the reason if LibTorch cannot use a GPU;
/// "auto" then returns the CPU.
c10::Device openDevice(const std::string &name);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_DEVICE_H
