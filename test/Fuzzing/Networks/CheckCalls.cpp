//===- CheckCalls.cpp - call the library of a network ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckSteps.h"

#include "pruner/Runtime/GuardedBuffer.h"

#include "llvm/ADT/ScopeExit.h"

#include <dlfcn.h>

using namespace llvm;
using namespace pruner;

static int64_t bytesOf(mlir::RankedTensorType type) {
  return type.getNumElements() * storedBytes(type.getElementType());
}

bool Check::call(const std::string &path, const Signature &signature,
                 int64_t size, Data &data) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail(std::string("the library does not load: ") + dlerror());
  auto close = make_scope_exit([&] { dlclose(library); });
  auto symbol = [&](const char *name) { return dlsym(library, name); };
  auto run = reinterpret_cast<int (*)(const void *const *, void *const *)>(
      symbol("pruner_run"));
  auto error = reinterpret_cast<const char *(*)()>(symbol("pruner_error"));
  auto setThreads =
      reinterpret_cast<void (*)(int)>(symbol("pruner_set_threads"));
  if (!run || !error || !setThreads)
    return fail("the library lacks a function");
  auto runSized =
      reinterpret_cast<int (*)(int64_t, const void *const *, void *const *)>(
          symbol("pruner_run_sized"));
  if (bool(runSized) != (size > 0))
    return fail("pruner_run_sized belongs to networks of several sizes");
  setThreads(int(threads));
  std::vector<GuardedBuffer> buffers;
  std::vector<void *> pointers;
  auto allocate = [&](int64_t bytes) {
    auto buffer = GuardedBuffer::allocate(bytes);
    if (buffer) {
      pointers.push_back(buffer->data());
      buffers.push_back(std::move(*buffer));
    }
    return bool(buffer);
  };
  for (auto [name, type] : zip(signature.inputs, signature.inputTypes)) {
    auto known = data.find(name);
    if (known == data.end() || int64_t(known->second.size()) != bytesOf(type))
      return fail("the library expects '" + name + "', which is unknown");
    if (!allocate(bytesOf(type)))
      return fail("no memory");
    std::memcpy(pointers.back(), known->second.data(), known->second.size());
  }
  for (mlir::RankedTensorType type : signature.outputTypes)
    if (!allocate(bytesOf(type)))
      return fail("no memory");
  size_t numInputs = signature.inputs.size();
  // Twice, because the workspace is kept, and its contents must not matter.
  auto runOnce = [&](int64_t size) {
    void **outputs = pointers.data() + numInputs;
    return runSized ? runSized(size, pointers.data(), outputs)
                    : run(pointers.data(), outputs);
  };
  for (unsigned times = 0; times < 2; ++times)
    if (int code = runOnce(size))
      return fail("pruner_run returned " + Twine(code) + " (" + error() + ")");
  for (int64_t bad : {0, -1})
    if (runSized &&
        (runOnce(bad) == 0 || !StringRef(error()).contains(range.getName())))
      return fail("a call of size " + Twine(bad) + " gives '" + error() + "'");
  for (auto [n, buffer] : enumerate(buffers)) {
    if (auto damage = buffer.damage())
      return fail("around argument " + Twine(n) + ": " + *damage);
    if (n < numInputs &&
        std::memcmp(buffer.data(), data[signature.inputs[n]].data(),
                    buffer.size()) != 0)
      return fail("the input '" + signature.inputs[n] + "' was changed");
    if (n >= numInputs) {
      auto *bytes = static_cast<uint8_t *>(buffer.data());
      data[signature.outputs[n - numInputs]].assign(bytes,
                                                    bytes + buffer.size());
    }
  }
  return true;
}
