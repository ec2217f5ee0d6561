//===- MosesSteps.cpp - optimizer steps of Moses --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MosesSteps.h"

#include <c10/core/GradMode.h>

#include <cmath>
#include <cstring>

using namespace pruner;

static at::Tensor onCpu(const at::Tensor &tensor) {
  return tensor.detach().to(at::kCPU).contiguous();
}

MosesSteps::MosesSteps(std::vector<at::Tensor> parameters,
                       const at::Tensor &source, const PartialSteps &options)
    : parameters(std::move(parameters)), options(options),
      transferable(this->parameters.size()) {
  if (source.defined() && options.adversary > 0)
    classifier.emplace(source.data_ptr<float>(), std::size_t(source.size(0)),
                       std::size_t(source.size(1)));
}

void MosesSteps::divide() {
  std::vector<std::vector<float>> xi(parameters.size());
  std::vector<float> all;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!parameters[i].grad().defined())
      continue;
    at::Tensor weights = onCpu(parameters[i]);
    at::Tensor gradients = onCpu(parameters[i].grad());
    xi[i] = importances(weights.data_ptr<float>(), gradients.data_ptr<float>(),
                        std::size_t(weights.numel()));
    all.insert(all.end(), xi[i].begin(), xi[i].end());
  }
  std::vector<std::uint8_t> marks;
  if (options.boundary == "network")
    marks = largestShare(all, options.transferable);
  else
    for (const std::vector<float> &each : xi) {
      std::vector<std::uint8_t> own = largestShare(each, options.transferable);
      marks.insert(marks.end(), own.begin(), own.end());
    }
  const std::uint8_t *mark = marks.data();
  for (std::size_t i = 0; i < parameters.size(); mark += xi[i++].size()) {
    transferable[i] = at::Tensor();
    if (xi[i].empty())
      continue;
    at::Tensor mask = at::empty(parameters[i].sizes(), at::kByte);
    std::memcpy(mask.data_ptr<std::uint8_t>(), mark, xi[i].size());
    transferable[i] = mask.to(at::kBool).to(parameters[i].device());
  }
}

at::Tensor MosesSteps::domainGradient(const at::Tensor &representations,
                                      double done) {
  if (!classifier)
    return {};
  // The weight of the adversary grows, so that the classifier learns before the
  // network does (Ganin and Lempitsky, section 4).
  double weight = options.adversary * (2 / (1 + std::exp(-10 * done)) - 1);
  at::Tensor here = onCpu(representations);
  std::vector<float> gradient;
  classifier->step(here.data_ptr<float>(), std::size_t(here.size(0)), weight,
                   gradient);
  at::Tensor result = at::empty(here.sizes(), at::kFloat);
  std::memcpy(result.data_ptr<float>(), gradient.data(),
              gradient.size() * sizeof(float));
  return result.to(representations.device());
}

void MosesSteps::begin() {
  before.clear();
  for (const at::Tensor &parameter : parameters)
    before.push_back(parameter.detach().clone());
}

void MosesSteps::end(double learningRate) {
  c10::NoGradGuard noGrad;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    // A parameter without a gradient did not move and does not decay.
    if (!parameters[i].grad().defined())
      continue;
    at::Tensor decayed = before[i] * (1 - learningRate * options.decay);
    parameters[i].copy_(transferable[i].defined()
                            ? at::where(transferable[i], parameters[i], decayed)
                            : before[i]);
  }
}
