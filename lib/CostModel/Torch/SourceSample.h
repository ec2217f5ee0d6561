//===- SourceSample.h - programs that weights come from ---------*- C++ -*-===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What weights say of the programs that they were trained by, for adapting them
// where these programs are not at hand: a sample of their representations, by
// the weights of the end. It is a tensor of the file, [at most 256 x width].
// Files of the published form have none.
//
//===----------------------------------------------------------------------===//

#ifndef PRUNER_LIB_COSTMODEL_TORCH_SOURCESAMPLE_H
#define PRUNER_LIB_COSTMODEL_TORCH_SOURCESAMPLE_H

#include "Training.h"
#include "pruner/CostModel/Safetensors.h"

namespace pruner {

/// Numbers of the programs that stand for so many, evenly spread.
ProgramList sampleOf(std::size_t programs);

/// Does nothing without a sample.
void writeSample(TensorFile &file, const at::Tensor &sample);

/// How many tensors of the file are a sample: 1 or 0.
std::size_t samplesIn(const TensorFile &file);

/// Reads the sample, of rows of that width, if there is one. Returns an empty
/// string, or what is wrong with it.
std::string readSample(const TensorFile &file, std::int64_t width,
                       at::Tensor &sample);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_SOURCESAMPLE_H
