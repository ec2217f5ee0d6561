//===- Matrix.cpp - mma ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fragments (PTX ISA, "matrix fragments for mma"). Each shape consists of cores
// of 8 rows of 16 bytes along the sum, the units of ldmatrix. Lane l holds in a
// register of a core the 4 bytes at row l / 4 that begin at byte 4 * (l % 4).
//
//   a: the cores of the first 16 bytes along the sum, rows 0 to 7 then 8 to 15;
//      then those of the next 16 bytes
//   b: a column takes the place of a row
//   c: element e of lane l is at row l / 4 + 8 * (e / 2), column
//      2 * (l % 4) + e % 2; two f16 share a register
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"
#include "TensorSum.h"

#include "llvm/ADT/STLExtras.h"

using namespace pruner::ptx;

namespace {

enum class Factors : uint8_t { F16, BF16, TF32, Bytes };

/// A shape for some factors, and the first chip that has it.
struct Form {
  llvm::StringLiteral shape;
  Factors factors;
  uint8_t rows, sums, chip;
};
constexpr Form kForms[] = {
    {"m16n8k8", Factors::F16, 16, 8, 75},
    {"m16n8k16", Factors::F16, 16, 16, 80},
    {"m16n8k8", Factors::BF16, 16, 8, 80},
    {"m16n8k16", Factors::BF16, 16, 16, 80},
    {"m16n8k4", Factors::TF32, 16, 4, 80},
    {"m16n8k8", Factors::TF32, 16, 8, 80},
    {"m8n8k16", Factors::Bytes, 8, 16, 75},
    {"m16n8k16", Factors::Bytes, 16, 16, 80},
    {"m16n8k32", Factors::Bytes, 16, 32, 80},
};
/// Multiply-adds that take about as long as another instruction of a warp:
/// m16n8k16 with factors in f16 takes 42 us on a core of an Intel Xeon, which
/// executes 8 million other instructions per second.
constexpr unsigned kMultiplyAddsOfStep = 8;
constexpr unsigned kMaxRows = 16, kColumns = 8, kMaxSums = 32;

unsigned bitsOf(Factors factors) {
  return factors == Factors::Bytes ? 8 : factors == Factors::TF32 ? 32 : 16;
}

/// What an instruction is, in Op::immediate.
struct Shape {
  unsigned form = 0;
  bool aSigned = false, bSigned = false, halfSums = false;

  static Shape of(const Op &op) {
    return {unsigned(op.immediate >> 3), bool(op.immediate & 1),
            bool(op.immediate & 2), bool(op.immediate & 4)};
  }
  uint64_t pack() const {
    return uint64_t(form) << 3 | uint64_t(aSigned) | uint64_t(bSigned) << 1 |
           uint64_t(halfSums) << 2;
  }
  unsigned coreSums() const { return 128 / bitsOf(kForms[form].factors); }
  unsigned cores() const { return kForms[form].sums / coreSums(); }
  unsigned rowCores() const { return kForms[form].rows / 8; }
  unsigned aRegisters() const { return cores() * rowCores(); }
  unsigned bRegisters() const { return cores(); }
  unsigned cRegisters() const { return rowCores() * (halfSums ? 1 : 2); }
};

/// One operand by rows (of b: columns), each with its terms of the sum.
struct Matrix {
  uint32_t bits[kMaxRows][kMaxSums];
  /// Rows of which all terms are defined.
  uint32_t defined = ~0u;

  /// Reads registers whose cores are `rowCores` rows of cores.
  void gather(Warp &warp, const Op &op, unsigned firstSource,
              unsigned registers, unsigned rowCores, Factors factors) {
    unsigned width = bitsOf(factors), perRegister = 32 / width;
    uint32_t mask = width == 32 ? ~0u : (1u << width) - 1;
    for (unsigned n = 0; n != registers; ++n) {
      Slot slot = warp.source(op, firstSource + n);
      const uint32_t *values = warp.lanes<uint32_t>(slot);
      uint32_t known = warp.definedLanes(slot);
      for (unsigned lane = 0; lane != kWarpSize; ++lane) {
        unsigned row = lane / 4 + n % rowCores * 8;
        unsigned first = n / rowCores * (128 / width) + lane % 4 * perRegister;
        for (unsigned e = 0; e != perRegister; ++e)
          bits[row][first + e] = values[lane] >> e * width & mask;
        if (!(known >> lane & 1))
          defined &= ~(1u << row);
      }
    }
  }
};

} // namespace

static TensorFormat formatOf(Factors factors) {
  return factors == Factors::F16    ? TensorFormat::F16
         : factors == Factors::BF16 ? TensorFormat::BF16
                                    : TensorFormat::TF32;
}

/// Each result as bits of an f32, f16 or i32.
static void multiply(const Shape &shape, unsigned chip, const Matrix &a,
                     const Matrix &b, uint32_t (&c)[kMaxRows][kColumns]) {
  const Form &form = kForms[shape.form];
  if (form.factors == Factors::Bytes) {
    auto byte = [](uint32_t bits, bool isSigned) {
      return isSigned ? uint32_t(int32_t(int8_t(bits))) : bits;
    };
    for (unsigned row = 0; row != form.rows; ++row)
      for (unsigned column = 0; column != kColumns; ++column)
        for (unsigned k = 0; k != form.sums; ++k)
          c[row][column] += byte(a.bits[row][k], shape.aSigned) *
                            byte(b.bits[column][k], shape.bSigned);
    return;
  }
  TensorFormat format = formatOf(form.factors);
  TensorTerm left[kMaxRows][kMaxSums], right[kColumns][kMaxSums];
  for (unsigned k = 0; k != form.sums; ++k) {
    for (unsigned row = 0; row != form.rows; ++row)
      left[row][k] = tensorTerm(format, a.bits[row][k]);
    for (unsigned column = 0; column != kColumns; ++column)
      right[column][k] = tensorTerm(format, b.bits[column][k]);
  }
  TensorArithmetic arithmetic = tensorArithmetic(chip);
  unsigned group = arithmetic.groupBytes
                       ? arithmetic.groupBytes * 8 / bitsOf(form.factors)
                       : form.sums;
  for (unsigned row = 0; row != form.rows; ++row)
    for (unsigned column = 0; column != kColumns; ++column)
      c[row][column] = tensorSum(
          llvm::ArrayRef(left[row], form.sums),
          llvm::ArrayRef(right[column], form.sums), format, c[row][column],
          shape.halfSums ? TensorFormat::F16 : TensorFormat::F32, group,
          arithmetic.fractionBits);
}

/// Sources: a, b, c.
static void executeMma(Warp &warp, const Op &op, uint32_t) {
  Shape shape = Shape::of(op);
  const Form &form = kForms[shape.form];
  Matrix a, b;
  a.gather(warp, op, 0, shape.aRegisters(), shape.rowCores(), form.factors);
  b.gather(warp, op, shape.aRegisters(), shape.bRegisters(), 1, form.factors);
  unsigned firstSum = shape.aRegisters() + shape.bRegisters();
  unsigned halves = shape.halfSums ? 2 : 1, bytes = 4 / halves;
  uint32_t c[kMaxRows][kColumns];
  // Columns of each row that are defined.
  uint8_t defined[kMaxRows] = {};
  auto forSums = [&](auto visit) {
    for (unsigned lane = 0; lane != kWarpSize; ++lane)
      for (unsigned e = 0; e != 2 * shape.rowCores(); ++e)
        visit(lane, e / halves, e % halves, lane / 4 + e / 2 * 8,
              lane % 4 * 2 + e % 2);
  };
  forSums([&](unsigned lane, unsigned n, unsigned half, unsigned row,
              unsigned column) {
    Slot slot = warp.source(op, firstSum + n);
    uint32_t value = warp.lanes<uint32_t>(slot)[lane];
    c[row][column] = halves == 1 ? value : value >> 16 * half & 0xffff;
    uint8_t needed = ((1u << bytes) - 1) << bytes * half;
    bool isDefined = (warp.definedBytes(slot, lane) & needed) == needed &&
                     (a.defined >> row & 1) && (b.defined >> column & 1);
    defined[row] |= uint8_t(isDefined) << column;
  });
  multiply(shape, warp.block.code.chip, a, b, c);
  uint8_t known[kWarpSize][4] = {};
  for (unsigned n = 0; n != shape.cRegisters(); ++n)
    std::fill_n(warp.lanes<uint32_t>(warp.result(op, n)), kWarpSize, 0);
  forSums([&](unsigned lane, unsigned n, unsigned half, unsigned row,
              unsigned column) {
    warp.lanes<uint32_t>(warp.result(op, n))[lane] |= c[row][column]
                                                      << 16 * half;
    if (defined[row] >> column & 1)
      known[lane][n] |= ((1u << bytes) - 1) << bytes * half;
  });
  for (unsigned n = 0; n != shape.cRegisters(); ++n)
    for (unsigned lane = 0; lane != kWarpSize; ++lane)
      warp.defineBytes(warp.result(op, n), lane, known[lane][n]);
}

static std::optional<Factors> takeFactors(Decoder &d, bool &isSigned) {
  isSigned = false;
  if (d.take("f16"))
    return Factors::F16;
  if (d.take("bf16"))
    return Factors::BF16;
  if (d.take("tf32"))
    return Factors::TF32;
  isSigned = d.take("s8");
  if (isSigned || d.take("u8"))
    return Factors::Bytes;
  return std::nullopt;
}

static void decodeMma(Decoder &d) {
  d.op.pipe = Pipe::Tensor;
  d.op.execute = executeMma;
  d.op.tracksDefined = true;
  beginWarpInstruction(d);
  llvm::StringRef name = d.nextModifier();
  auto isShape = [&](const Form &form) { return form.shape == name; };
  if (llvm::none_of(kForms, isShape))
    return d.fail("shape '." + name + "' is not supported");
  d.take(name);
  if (!d.take("row") || !d.take("col"))
    return d.fail("expected '.row.col'");
  llvm::StringRef sumType = d.nextModifier();
  Type sums = d.type();
  Shape shape;
  auto a = takeFactors(d, shape.aSigned), b = takeFactors(d, shape.bSigned);
  if (!a || !b || *a != *b)
    return d.fail("the types of its factors are not supported");
  auto found = llvm::find_if(kForms, [&](const Form &form) {
    return isShape(form) && form.factors == *a;
  });
  if (found == std::end(kForms))
    return d.fail("shape '." + name + "' is not supported for these factors");
  shape.form = found - kForms;
  shape.halfSums = sums.isFloat() && sums.bits == 16;
  bool isRight =
      *a == Factors::Bytes
          ? sums.kind == TypeClass::Signed && sums.bits == 32
          : sums.kind == TypeClass::Float &&
                (sums.bits == 32 || (sums.bits == 16 && *a == Factors::F16));
  if (!isRight)
    return d.fail("accumulators of type '." + sumType +
                  "' are not supported for these factors");
  Type again = d.type();
  if (again.kind != sums.kind || again.bits != sums.bits)
    return d.fail("accumulators of two types are not supported");
  if (!d.requireChip(found->chip))
    return;
  d.op.immediate = shape.pack();
  d.op.steps = found->rows * kColumns * found->sums / kMultiplyAddsOfStep;
  Type registers = shape.halfSums ? kB32 : sums;
  d.results(registers, shape.cRegisters());
  d.sources(kB32, shape.aRegisters());
  d.sources(kB32, shape.bRegisters());
  d.sources(registers, shape.cRegisters());
}

llvm::ArrayRef<InstructionClass> pruner::ptx::matrixInstructions() {
  static const InstructionClass list[] = {{"mma", decodeMma}};
  return list;
}
