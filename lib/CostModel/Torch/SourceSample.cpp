//===- SourceSample.cpp - samples of the training programs ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SourceSample.h"
#include "Tensors.h"

#include <algorithm>

using namespace pruner;

static constexpr std::size_t kMostRows = 256;
static const char kName[] = "source_representations";

ProgramList pruner::sampleOf(std::size_t programs) {
  ProgramList result;
  std::size_t rows = std::min(programs, kMostRows);
  for (std::size_t i = 0; i < rows; ++i)
    result.push_back(i * programs / rows);
  return result;
}

void pruner::writeSample(TensorFile &file, const at::Tensor &sample) {
  if (sample.defined())
    file.tensors.push_back(packTensor(kName, sample));
}

std::size_t pruner::samplesIn(const TensorFile &file) {
  return file.find(kName) != nullptr;
}

std::string pruner::readSample(const TensorFile &file, std::int64_t width,
                               at::Tensor &sample) {
  sample = at::Tensor();
  const TensorData *found = file.find(kName);
  if (!found)
    return {};
  std::int64_t rows = found->shape.empty() ? 0 : found->shape.front();
  if (rows < 1 || rows > std::int64_t(kMostRows))
    return "tensor '" + std::string(kName) + "' must have 1 to " +
           std::to_string(kMostRows) + " rows";
  at::Tensor read = at::empty({rows, width}, at::kFloat);
  std::string error = readTensor(file, kName, read);
  if (error.empty())
    sample = std::move(read);
  return error;
}
