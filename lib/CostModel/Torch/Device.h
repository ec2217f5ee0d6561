//===- Device.h - where a network is computed -------------------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_DEVICE_H
#define PRUNER_LIB_COSTMODEL_TORCH_DEVICE_H

#include <c10/core/Device.h>

#include <string>

namespace pruner {

/// The device of the option `device`. "cuda" is the first GPU; throws a
/// std::runtime_error that says why where LibTorch cannot use one. "auto" is
/// the CPU then.
c10::Device openDevice(const std::string &name);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_DEVICE_H
