//===- Arguments.cpp - arguments of an emulated kernel --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arguments.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;
using namespace pruner;

unsigned EmulatedArgument::elementBytes() const {
  return element.isIndex() ? 8 : (element.getIntOrFloatBitWidth() + 7) / 8;
}

void EmulatedArgument::fill(Fill with, std::mt19937_64 &random) {
  bytes.reset(static_cast<char *>(
      std::aligned_alloc(256, llvm::alignTo(size() + 1, 256))));
  for (int64_t n = 0; n != count; ++n)
    set(n, with == Fill::Iota        ? double(n)
           : with == Fill::Ones      ? 1
           : with == Fill::RandomInt ? double(int(random() % 9) - 4)
                                     : 0);
}

void EmulatedArgument::set(int64_t n, double value) {
  uint64_t bits = static_cast<int64_t>(value);
  if (auto type = dyn_cast<FloatType>(element)) {
    llvm::APFloat number(value);
    bool inexact;
    number.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                   &inexact);
    bits = number.bitcastToAPInt().getZExtValue();
  }
  std::memcpy(bytes.get() + n * elementBytes(), &bits, elementBytes());
}

static void printElement(const EmulatedArgument &argument, int64_t n,
                         llvm::raw_ostream &os) {
  unsigned width = argument.elementBytes();
  uint64_t bits = 0;
  std::memcpy(&bits, argument.bytes.get() + n * width, width);
  if (auto type = dyn_cast<FloatType>(argument.element)) {
    llvm::APFloat number(type.getFloatSemantics(),
                         llvm::APInt(type.getWidth(), bits));
    bool inexact;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &inexact);
    os << llvm::format("%g", number.convertToDouble());
    return;
  }
  os << llvm::SignExtend64(bits, 8 * width);
}

void EmulatedArgument::print(llvm::raw_ostream &os) const {
  for (int64_t n = 0; n != count; ++n)
    printElement(*this, n, os << " ");
}
