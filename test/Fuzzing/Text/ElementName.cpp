//===- ElementName.cpp - element types as text ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElementName.h"

#include "llvm/Support/ErrorHandling.h"

using namespace pruner;

llvm::StringRef pruner::elementName(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return "f64";
  case ElementType::F32:
    return "f32";
  case ElementType::F16:
    return "f16";
  case ElementType::BF16:
    return "bf16";
  case ElementType::I64:
    return "i64";
  case ElementType::I32:
    return "i32";
  case ElementType::I16:
    return "i16";
  case ElementType::I8:
    return "i8";
  case ElementType::I1:
    return "i1";
  }
  llvm_unreachable("no such element type");
}
