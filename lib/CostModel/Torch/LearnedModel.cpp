//===- LearnedModel.cpp - common base of the learned models ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LearnedModel.h"
#include "Blas.h"
#include "Device.h"

#include <ATen/Parallel.h>
#include <c10/core/DispatchKeySet.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/version.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <numeric>

using namespace pruner;

/// The published code computes batch statistics over the programs of one
/// scoring call, up to this number. It also limits the memory of a call.
static constexpr std::size_t kScoreBatch = 4096;

LearnedModel::LearnedModel(std::string name, const NetworkOptions &options)
    : modelName(std::move(name)), common(options),
      device(openDevice(options.device)) {}

static void setThreads(int threads) {
  if (at::get_num_threads() != threads)
    at::set_num_threads(threads);
}

ThreadCount::ThreadCount(std::int64_t threads) : before(at::get_num_threads()) {
  setThreads(static_cast<int>(threads));
}

ThreadCount::~ThreadCount() { setThreads(before); }

namespace {
/// LibTorch's modes of this thread, which may be the user's: under no_grad() or
/// inference_mode() nothing can be trained, and autocast() changes the types.
struct OwnModes {
  c10::InferenceMode noInference{false};
  c10::AutoGradMode gradients{true};
  c10::impl::ExcludeDispatchKeyGuard noAutocast{c10::autocast_dispatch_keyset};
};
} // namespace

std::vector<float>
LearnedModel::predict(const std::vector<ProgramFeatures> &programs) {
  const float none = -std::numeric_limits<float>::infinity();
  std::vector<float> scores(programs.size(), none);
  error.clear();
  Programs valid;
  std::vector<std::size_t> where;
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (isUsable(programs[i])) {
      valid.push_back(&programs[i]);
      where.push_back(i);
    }
  std::vector<float> found(valid.size(), 0.0f);
  // Random weights would shuffle the order of the drafts; equal scores keep it.
  if (ready) {
    try {
      OwnModes modes;
      ThreadCount threads(common.threads);
      for (std::size_t begin = 0; begin < valid.size(); begin += kScoreBatch) {
        std::size_t end = std::min(valid.size(), begin + kScoreBatch);
        score({valid.begin() + std::ptrdiff_t(begin),
               valid.begin() + std::ptrdiff_t(end)},
              found.data() + begin);
      }
    } catch (const std::exception &exception) {
      error = modelName + ": " + exception.what();
      return scores;
    }
  }
  for (std::size_t i = 0; i < where.size(); ++i)
    scores[where[i]] = std::isnan(found[i]) ? none : found[i];
  return scores;
}

TrainingReport
LearnedModel::update(const std::vector<ProgramFeatures> &programs,
                     const std::vector<float> &labels,
                     const std::vector<int> &groups) {
  TrainingReport report;
  if (labels.size() != programs.size() || groups.size() != programs.size()) {
    report.message = "there are " + std::to_string(programs.size()) +
                     " programs, but " + std::to_string(labels.size()) +
                     " labels and " + std::to_string(groups.size()) + " groups";
    return report;
  }
  report.message = reasonToSkip();
  if (!report.message.empty())
    return report;
  Programs valid;
  std::vector<float> y;
  std::vector<int> g;
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (isUsable(programs[i]) && labels[i] >= 0.0f && labels[i] <= 1.0f) {
      valid.push_back(&programs[i]);
      y.push_back(labels[i]);
      g.push_back(groups[i]);
    }
  if (valid.size() < 2) {
    report.message = "fewer than two valid programs to learn from";
    return report;
  }
  if (common.partialSteps() && !loaded) {
    report.message = common.adaptation->name() + " needs weights to adapt";
    return report;
  }
  try {
    OwnModes modes;
    ThreadCount threads(common.threads);
    report = train(valid, y, g);
  } catch (const std::exception &exception) {
    report = TrainingReport();
    report.message = modelName + ": " + exception.what();
  }
  return report;
}

std::string LearnedModel::save(TensorFile &file) const {
  try {
    write(file);
    return {};
  } catch (const std::exception &exception) {
    return exception.what();
  }
}

std::string LearnedModel::load(const TensorFile &file) {
  try {
    OwnModes modes;
    std::string problem = read(file);
    if (problem.empty())
      loaded = ready = true;
    return problem;
  } catch (const std::exception &exception) {
    return exception.what();
  }
}

void LearnedModel::scoreInChunks(
    std::size_t count, std::size_t chunk,
    const std::function<at::Tensor(const std::size_t *, std::size_t)> &forward,
    float *scores) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t(0));
  for (std::size_t begin = 0; begin < count; begin += chunk) {
    std::size_t some = std::min(chunk, count - begin);
    at::Tensor found =
        forward(all.data() + begin, some).to(at::kCPU).contiguous();
    std::copy_n(found.data_ptr<float>(), some, scores + begin);
  }
}

std::string LearnedModel::describeWith(std::int64_t parameters) const {
  std::string blas = describeBlas();
  if (blas.empty())
    blas = at::hasMKL() ? "MKL inside LibTorch" : "the BLAS inside LibTorch";
  std::string warning = blasWarning();
  return modelName + ": " + std::to_string(parameters) +
         " parameters, LibTorch " TORCH_VERSION ", " + blas + ", " +
         std::to_string(common.threads) + " thread" +
         (common.threads == 1 ? "" : "s") +
         (device.is_cpu() ? "" : ", on " + device.str()) +
         (warning.empty() ? "" : "; warning: " + warning);
}
