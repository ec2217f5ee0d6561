//===- OperatorReference.cpp - reference results --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain loops in f64. They share nothing with the code under test, neither the
// modules' text nor the compiler.

#include "Operator.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pruner;
using namespace pruner::bench;

using Inputs = llvm::ArrayRef<FloatBuffer>;

static double gelu(double x) {
  return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
}

static void product(const Operator &op, Inputs in, std::vector<double> &out) {
  int64_t m = op.get("m"), n = op.get("n"), k = op.get("k");
  int64_t batches = op.kind == "bmm" ? op.get("b") : 1;
  for (int64_t row = 0; row < batches * m; ++row) {
    const float *b = in[1].data() + row / m * k * n;
    double *sums = out.data() + row * n;
    for (int64_t l = 0; l < k; ++l) {
      double factor = in[0][row * k + l];
      for (int64_t j = 0; j < n; ++j)
        sums[j] += factor * b[l * n + j];
    }
    if (op.kind == "mm_bias_gelu")
      for (int64_t j = 0; j < n; ++j)
        sums[j] = gelu(sums[j] + in[2][j]);
  }
}

static void convolution(const Operator &op, Inputs in,
                        std::vector<double> &out) {
  int64_t c = op.get("c") / op.get("g"), h = op.get("h"), f = op.get("f"),
          k = op.get("k"), s = op.get("s"), p = op.get("p"),
          o = op.result.back();
  int64_t filters = f / op.get("g"); // Filters of a group.
  for (int64_t filter = 0; filter < f; ++filter) {
    double *plane = out.data() + filter * o * o;
    if (op.get("bias"))
      std::fill_n(plane, o * o, double(in[2][filter]));
    for (int64_t channel = 0; channel < c; ++channel) {
      const float *image =
          in[0].data() + (filter / filters * c + channel) * h * h;
      const float *weights = in[1].data() + (filter * c + channel) * k * k;
      for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < k; ++j)
          for (int64_t y = 0; y < o; ++y) {
            int64_t row = y * s + i - p;
            if (row < 0 || row >= h)
              continue;
            for (int64_t x = 0; x < o; ++x) {
              int64_t column = x * s + j - p;
              if (column >= 0 && column < h)
                plane[y * o + x] += double(weights[i * k + j]) *
                                    double(image[row * h + column]);
            }
          }
    }
    if (op.get("relu"))
      for (int64_t i = 0; i < o * o; ++i)
        plane[i] = std::max(plane[i], 0.0);
  }
}

/// Every element of the image adds its filters to the result.
static void transposedConvolution(const Operator &op, Inputs in,
                                  std::vector<double> &out) {
  int64_t c = op.get("c"), h = op.get("h"), f = op.get("f"), k = op.get("k"),
          s = op.get("s"), p = op.get("p"), o = op.result.back();
  for (int64_t channel = 0; channel < c; ++channel)
    for (int64_t filter = 0; filter < f; ++filter)
      for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < k; ++j) {
          double weight = in[1][((channel * f + filter) * k + i) * k + j];
          for (int64_t y = 0; y < h; ++y) {
            int64_t row = y * s + i - p;
            if (row < 0 || row >= o)
              continue;
            for (int64_t x = 0; x < h; ++x) {
              int64_t column = x * s + j - p;
              if (column >= 0 && column < o)
                out[(filter * o + row) * o + column] +=
                    weight * in[0][(channel * h + y) * h + x];
            }
          }
        }
}

static void softmax(const Operator &op, Inputs in, std::vector<double> &out) {
  int64_t n = op.shape().back();
  for (int64_t row = 0; row < op.resultElements() / n; ++row) {
    const float *from = in[0].data() + row * n;
    double *to = out.data() + row * n, sum = 0;
    double largest = *std::max_element(from, from + n);
    for (int64_t i = 0; i < n; ++i)
      sum += to[i] = std::exp(from[i] - largest);
    for (int64_t i = 0; i < n; ++i)
      to[i] /= sum;
  }
}

static void layerNorm(const Operator &op, Inputs in, std::vector<double> &out) {
  int64_t n = op.shape().back();
  for (int64_t row = 0; row < op.resultElements() / n; ++row) {
    const float *from = in[0].data() + row * n;
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < n; ++i)
      mean += from[i] / double(n);
    for (int64_t i = 0; i < n; ++i)
      variance += (from[i] - mean) * (from[i] - mean) / double(n);
    for (int64_t i = 0; i < n; ++i)
      out[row * n + i] =
          (from[i] - mean) / std::sqrt(variance + 1e-5) * in[1][i] + in[2][i];
  }
}

static void sum(const Operator &op, Inputs in, std::vector<double> &out) {
  int64_t inner = 1, extent = op.shape()[op.get("axis")];
  for (size_t d = op.get("axis") + 1; d < op.shape().size(); ++d)
    inner *= op.shape()[d];
  for (size_t i = 0; i < in[0].size(); ++i)
    out[i / (extent * inner) * inner + i % inner] += in[0][i];
}

static void transpose(const Operator &op, Inputs in, std::vector<double> &out) {
  int64_t rows = op.shape()[0], columns = op.shape()[1];
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      out[j * rows + i] = in[0][i * columns + j];
}

static void maxPool(const Operator &op, Inputs in, std::vector<double> &out) {
  int64_t h = op.get("h"), k = op.get("k"), s = op.get("s"), p = op.get("p"),
          o = op.result.back();
  for (int64_t i = 0; i < op.resultElements(); ++i) {
    int64_t y = i / o % o * s - p, x = i % o * s - p;
    const float *image = in[0].data() + i / (o * o) * h * h;
    double largest = -std::numeric_limits<double>::infinity();
    for (int64_t row = std::max<int64_t>(y, 0); row < std::min(y + k, h); ++row)
      for (int64_t column = std::max<int64_t>(x, 0);
           column < std::min(x + k, h); ++column)
        largest = std::max(largest, double(image[row * h + column]));
    out[i] = largest;
  }
}

static void averagePool(const Operator &op, Inputs in,
                        std::vector<double> &out) {
  int64_t area = op.get("h") * op.get("h");
  for (size_t i = 0; i < in[0].size(); ++i)
    out[i / area] += in[0][i] / double(area);
}

std::vector<double> bench::reference(const Operator &op, Inputs inputs) {
  std::vector<double> out(size_t(op.resultElements()));
  llvm::StringRef kind = op.kind;
  if (kind == "mm" || kind == "bmm" || kind == "mm_bias_gelu")
    product(op, inputs, out);
  else if (kind == "conv")
    convolution(op, inputs, out);
  else if (kind == "conv_transposed")
    transposedConvolution(op, inputs, out);
  else if (kind == "softmax")
    softmax(op, inputs, out);
  else if (kind == "layernorm")
    layerNorm(op, inputs, out);
  else if (kind == "gelu")
    std::transform(inputs[0].begin(), inputs[0].end(), out.begin(), gelu);
  else if (kind == "relu")
    std::transform(inputs[0].begin(), inputs[0].end(), out.begin(),
                   [](double x) { return std::max(x, 0.0); });
  else if (kind == "sum")
    sum(op, inputs, out);
  else if (kind == "transpose")
    transpose(op, inputs, out);
  else if (kind == "maxpool")
    maxPool(op, inputs, out);
  else if (kind == "avgpool")
    averagePool(op, inputs, out);
  return out;
}
