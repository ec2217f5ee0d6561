//===- SourceSample.h - samples of the training programs --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A weight file stores a sample of the representations of its training
// programs, computed with the final weights. Moses needs it to adapt the
// weights without those programs. It is a tensor of at most 256 x width. Files
// in the published format have none.

#ifndef PRUNER_LIB_COSTMODEL_TORCH_SOURCESAMPLE_H
#define PRUNER_LIB_COSTMODEL_TORCH_SOURCESAMPLE_H

#include "Training.h"
#include "pruner/CostModel/Safetensors.h"

namespace pruner {

/// Returns the indices of an evenly spread sample of this many programs.
ProgramList sampleOf(std::size_t programs);

/// Does nothing without a sample.
void writeSample(TensorFile &file, const at::Tensor &sample);

/// The number of tensors that hold a sample: 1 or 0.
std::size_t samplesIn(const TensorFile &file);

/// Reads the sample, with rows of that width, if there is one. Returns an empty
/// string or an error.
std::string readSample(const TensorFile &file, std::int64_t width,
                       at::Tensor &sample);

} // namespace pruner

#endif // PRUNER_LIB_COSTMODEL_TORCH_SOURCESAMPLE_H
