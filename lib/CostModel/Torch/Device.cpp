//===- Device.cpp - where a network is computed ---------------------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"

#include <ATen/ATen.h>

#include <dlfcn.h>
#include <stdexcept>

using namespace pruner;

/// Opens LibTorch's CUDA part, which registers itself. The plug-in is linked
/// with the CPU part alone, since that is all some installations have. It must
/// be there before LibTorch looks for it the first time. Returns an empty
/// string or the error.
static std::string openCuda() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&at::globalContext), &info) ||
      !info.dli_fname)
    return "LibTorch's file is not known";
  std::string path = info.dli_fname;
  path.resize(path.find_last_of('/') + 1);
  path += "libtorch_cuda.so";
  if (!dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL))
    return dlerror();
  try {
    at::zeros({1}, at::Device(at::kCUDA, 0));
  } catch (const std::exception &exception) {
    std::string text = exception.what();
    return text.substr(0, text.find('\n'));
  }
  return {};
}

c10::Device pruner::openDevice(const std::string &name) {
  if (name == "cpu")
    return at::kCPU;
  static const std::string error = openCuda();
  if (error.empty())
    return at::Device(at::kCUDA, 0);
  if (name == "auto")
    return at::kCPU;
  throw std::runtime_error("no CUDA device for LibTorch: " + error);
}
