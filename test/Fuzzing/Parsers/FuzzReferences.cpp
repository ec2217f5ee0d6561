//===- FuzzReferences.cpp - references that workers keep ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The input is the part of a reference file after its hash. The hash is
// computed here, because a file with a wrong hash is rejected at once.

#include "ReferenceCache.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Support/Hashing.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;
using namespace pruner;

static constexpr StringLiteral kTask = R"(
#id = affine_map<(d0) -> (d0)>
func.func @task(%a: tensor<4xf32>, %b: tensor<4xi64>) -> (tensor<4xf32>, tensor<4xi64>) {
  %e = tensor.empty() : tensor<4xf32>
  %i = tensor.empty() : tensor<4xi64>
  %r = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.add ins(%b, %b : tensor<4xi64>, tensor<4xi64>) outs(%i : tensor<4xi64>) -> tensor<4xi64>
  return %r, %s : tensor<4xf32>, tensor<4xi64>
}
)";

static void require(bool condition) {
  if (!condition)
    std::abort();
}

namespace {
struct Subject {
  std::unique_ptr<mlir::MLIRContext> context = createTaskContext();
  TaskProgram task;
  SmallString<128> directory;

  Subject() : task(cantFail(TaskProgram::parse(*context, kTask))) {
    require(!sys::fs::createUniqueDirectory("fuzz-references", directory));
  }
  ~Subject() { sys::fs::remove_directories(directory); }
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Subject subject;
  StringRef content(reinterpret_cast<const char *>(data), size);
  {
    std::error_code code;
    raw_fd_ostream os((subject.directory + "/key.reference").str(), code);
    require(!code);
    os << contentHash(content) << content;
  }
  Reference reference;
  reference.sets.resize(2);
  ReferenceCache cache(subject.directory, "key");
  if (!cache.load(subject.task, reference))
    return 0;
  for (const ReferenceSet &set : reference.sets) {
    require(set.outputs.size() == 2);
    for (const ExpectedOutput &output : set.outputs)
      require(output.want.size() == 4 &&
              (output.bound.empty() || output.bound.size() == 4));
    require(set.outputs[0].integers.empty() &&
            set.outputs[1].integers.size() == 4);
  }
  // A reference that was read is stored, and reading it again gives the same.
  ReferenceCache second(subject.directory, "again");
  second.store(reference);
  Reference again;
  again.sets.resize(2);
  require(second.load(subject.task, again));
  for (auto [a, b] : zip(reference.sets, again.sets))
    for (auto [x, y] : zip(a.outputs, b.outputs))
      require(x.integers == y.integers && x.bound.size() == y.bound.size());
  return 0;
}
