//===- Device.cpp - the device of a network -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Device.h"

#include <ATen/ATen.h>

#include <dlfcn.h>
#include <stdexcept>

using namespace pruner;

/// Opens LibTorch's CUDA library, which registers itself. The plug-in is linked
/// with the CPU library only, because some installations have no other. Must
/// run before LibTorch first looks for CUDA. Returns an empty string or an
/// error.
static std::string openCuda() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&at::globalContext), &info) ||
      !info.dli_fname)
    return "cannot find LibTorch's file";
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
