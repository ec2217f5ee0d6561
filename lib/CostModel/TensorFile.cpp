//===- TensorFile.cpp - the content of weight files -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/CostModel/Safetensors.h"

using namespace pruner;

std::string TensorFile::stated(const std::string &name) const {
  auto found = metadata.find(name);
  return found == metadata.end() ? std::string() : found->second;
}

const TensorData *TensorFile::find(const std::string &name) const {
  for (const TensorData &tensor : tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

std::size_t pruner::tensorElementSize(const std::string &dtype) {
  static const std::map<std::string, std::size_t> sizes = {
      {"BOOL", 1}, {"U8", 1},   {"I8", 1},  {"U16", 2}, {"I16", 2},
      {"F16", 2},  {"BF16", 2}, {"U32", 4}, {"I32", 4}, {"F32", 4},
      {"U64", 8},  {"I64", 8},  {"F64", 8}};
  auto found = sizes.find(dtype);
  return found == sizes.end() ? 0 : found->second;
}
