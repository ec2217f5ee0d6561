//===- KernelProgram.cpp - the launches of a GPU candidate ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelProgram.h"

using namespace llvm;
using namespace pruner;

/// Up to three positive numbers of `facts.launch.<key>`.
static bool readShape(const json::Object &launch, StringRef key,
                      std::array<unsigned, 3> &shape, bool optional) {
  const json::Array *array = launch.getArray(key);
  if (!array)
    return optional;
  if (array->empty() || array->size() > 3)
    return false;
  for (size_t i = 0; i < array->size(); ++i) {
    auto extent = (*array)[i].getAsInteger();
    if (!extent || *extent < 1 || *extent > 0x7fffffff)
      return false;
    shape[i] = unsigned(*extent);
  }
  return true;
}

static bool readLaunch(const json::Object &object, CudaLaunch &launch) {
  if (!readShape(object, "grid", launch.grid, false) ||
      !readShape(object, "block", launch.block, false) ||
      !readShape(object, "cluster", launch.cluster, true))
    return false;
  int64_t bytes = object.getInteger("dynamic_shared").value_or(0);
  if (bytes < 0 || bytes > (1 << 20))
    return false;
  launch.dynamicSharedBytes = unsigned(bytes);
  return true;
}

std::optional<KernelProgram> KernelProgram::read(const json::Object &facts) {
  const json::Object *object = facts.getObject("launch");
  KernelProgram program;
  if (!object || !readLaunch(*object, program.launches.emplace_back()))
    return std::nullopt;
  if (const json::Array *then = object->getArray("then"))
    for (const json::Value &value : *then) {
      const json::Object *next = value.getAsObject();
      CudaLaunch &launch = program.launches.emplace_back();
      auto kernel = next ? next->getString("kernel") : std::nullopt;
      if (!kernel || kernel->empty() || !readLaunch(*next, launch))
        return std::nullopt;
      launch.kernel = kernel->str();
    }
  if (const json::Array *workspaces = object->getArray("workspaces"))
    for (const json::Value &value : *workspaces) {
      auto bytes = value.getAsInteger();
      if (!bytes || *bytes < 0)
        return std::nullopt;
      program.workspaces.push_back(size_t(*bytes));
    }
  return program;
}
