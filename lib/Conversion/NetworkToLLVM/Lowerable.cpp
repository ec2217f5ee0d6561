//===- Lowerable.cpp - the ops and types that are lowered -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Lowerable.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Utils/DecomposeAggregate.h"
#include "pruner/Program/MatrixInstruction.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace pruner;

/// Ops that are lowered for all operand types.
static const llvm::StringSet<> &namesOnTensors() {
  static const llvm::StringSet<> names = {
      "bufferization.alloc_tensor",
      "bufferization.dealloc_tensor",
      "bufferization.materialize_in_destination",
      "bufferization.to_buffer",
      "bufferization.to_tensor",
      "builtin.module",
      "cf.br",
      "cf.cond_br",
      "cf.switch",
      "func.call",
      "func.func",
      "func.return",
      "linalg.yield",
      "pruner.alternatives",
      "pruner.results",
      "scf.condition",
      "scf.execute_region",
      "scf.for",
      "scf.forall",
      "scf.forall.in_parallel",
      "scf.if",
      "scf.index_switch",
      "scf.while",
      "scf.yield",
      "tensor.cast",
      "tensor.collapse_shape",
      "tensor.concat",
      "tensor.dim",
      "tensor.empty",
      "tensor.expand_shape",
      "tensor.extract",
      "tensor.extract_slice",
      "tensor.from_elements",
      "tensor.generate",
      "tensor.insert",
      "tensor.insert_slice",
      "tensor.pad",
      "tensor.parallel_insert_slice",
      "tensor.rank",
      "tensor.reshape",
      "tensor.splat",
      "tensor.yield",
  };
  return names;
}

/// Ops that are lowered if no operand or result is a tensor.
static const llvm::StringSet<> &namesOnScalars() {
  static const llvm::StringSet<> names = {
      "arith.addf",
      "arith.addi",
      "arith.addui_extended",
      "arith.andi",
      "arith.bitcast",
      "arith.ceildivsi",
      "arith.ceildivui",
      "arith.cmpf",
      "arith.cmpi",
      "arith.divf",
      "arith.divsi",
      "arith.divui",
      "arith.extf",
      "arith.extsi",
      "arith.extui",
      "arith.floordivsi",
      "arith.fptosi",
      "arith.fptoui",
      "arith.index_cast",
      "arith.index_castui",
      "arith.maximumf",
      "arith.maxnumf",
      "arith.maxsi",
      "arith.maxui",
      "arith.minimumf",
      "arith.minnumf",
      "arith.minsi",
      "arith.minui",
      "arith.mulf",
      "arith.muli",
      "arith.mulsi_extended",
      "arith.mului_extended",
      "arith.negf",
      "arith.ori",
      "arith.remf",
      "arith.remsi",
      "arith.remui",
      "arith.select",
      "arith.shli",
      "arith.shrsi",
      "arith.shrui",
      "arith.sitofp",
      "arith.subf",
      "arith.subi",
      "arith.truncf",
      "arith.trunci",
      "arith.uitofp",
      "arith.xori",
      "bufferization.clone",
      "bufferization.dealloc",
      "cf.assert",
      "func.call_indirect",
      "func.constant",
      "linalg.index",
      "scf.parallel",
      "scf.reduce",
      "scf.reduce.return",
      "ub.poison",
      "ub.unreachable",
  };
  return names;
}

/// Ops of the dialects below that occur in kernels but not in libraries.
static const llvm::StringSet<> &namesOutside() {
  static const llvm::StringSet<> names = {"math.ipowi", "math.isinf",
                                          "math.isnormal", "vector.print"};
  return names;
}

static bool isOnTensors(Operation *op) {
  auto isTensor = llvm::IsaPred<TensorType>;
  return llvm::any_of(op->getOperandTypes(), isTensor) ||
         llvm::any_of(op->getResultTypes(), isTensor);
}

/// True if all ops of the dialect without tensors are lowered, except for
/// `namesOutside`.
static bool isOfLoopsAndBuffers(Dialect *dialect) {
  return isa<affine::AffineDialect, math::MathDialect, memref::MemRefDialect,
             omp::OpenMPDialect, vector::VectorDialect, PrunerDialect>(
             dialect) ||
         dialect->getNamespace() == "index";
}

/// The expected replacement of an op that is not lowered.
static StringRef adviceFor(Operation *op) {
  StringRef name = op->getName().getStringRef(),
            dialect = op->getName().getDialectNamespace();
  if (dialect == "complex")
    return "complex numbers are not supported, expected their real and "
           "imaginary parts as tensors of floats";
  if (dialect == "quant")
    return "quantized types are not supported, expected arithmetic on integers";
  if (dialect == "tosa")
    return "expected linalg; lower it with tosa-to-linalg-named, "
           "tosa-to-linalg, "
           "tosa-to-arith and tosa-to-tensor";
  if (name.starts_with("linalg.winograd_"))
    return "Winograd transforms are not supported, expected the convolution";
  if (dialect == "gpu")
    return "a library runs on a CPU and cannot contain GPU ops";
  if (isOnTensors(op)) {
    Dialect *known = op->getDialect();
    if (isa_and_nonnull<arith::ArithDialect, math::MathDialect>(known))
      return "expected scalars in the body of a linalg op; convert it with "
             "convert-elementwise-to-linalg";
    if (isa_and_nonnull<vector::VectorDialect>(known))
      return "expected buffers or scalars, not tensors";
  }
  return "expected ops of linalg and tensor, of arith, math and index on "
         "scalars, and of scf, cf and func";
}

/// Why LLVM cannot have the elements of a constant.
static std::string whyNoElements(arith::ConstantOp constant) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue());
  if (!resource)
    return "";
  std::string name =
      ("its resource '" + resource.getRawHandle().getKey() + "'").str();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return name + " has no data in this module";
  Type element = resource.getType().getElementType();
  unsigned bits = element.isIndex()        ? 64
                  : element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                           : 0;
  if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return name + " has elements of another size than 1, 8, 16, 32 or 64 bits, "
                  "expected dense elements";
  int64_t wanted =
      resource.getType().getNumElements() * llvm::divideCeil(bits, 8);
  if (int64_t(blob->getData().size()) != wanted)
    return name + " has " + std::to_string(blob->getData().size()) +
           " bytes, expected " + std::to_string(wanted);
  return "";
}

/// Ops of LLVM that kernels contain: matrix instructions with the addresses of
/// their tiles, and the fences behind non-temporal stores.
static bool isOfKernels(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return call.getIntrin() == "llvm.x86.sse.sfence" ||
           isMatrixIntrinsic(call.getIntrin());
  return isa<LLVM::IntToPtrOp>(op);
}

std::string pruner::whyNotLowered(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (isAggregate(op))
    return whyNotDecomposed(op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return whyNoElements(constant);
  if (isa<linalg::LinalgOp>(op) || namesOnTensors().contains(name))
    return "";
  if (auto select = dyn_cast<arith::SelectOp>(op))
    if (select.getCondition().getType().isInteger(1))
      return "";
  if (auto loops = dyn_cast<scf::ParallelOp>(op); loops && !loops->use_empty())
    return "a parallel loop with results, expected scf.for or a linalg op with "
           "a reduction";
  // Casts from or to signed integers, as a bitcast creates them.
  if (auto cast = dyn_cast<UnrealizedConversionCastOp>(op);
      cast && cast->getNumOperands() == 1 && cast->getNumResults() == 1) {
    auto from = dyn_cast<IntegerType>(cast->getOperand(0).getType()),
         to = dyn_cast<IntegerType>(cast->getResult(0).getType());
    if (from && to && from.getWidth() == to.getWidth())
      return "";
  }
  Dialect *dialect = op->getDialect();
  if (!isOnTensors(op) && dialect && !namesOutside().contains(name))
    if (namesOnScalars().contains(name) || isOfLoopsAndBuffers(dialect) ||
        name.starts_with("llvm.intr.") || isOfKernels(op))
      return "";
  return adviceFor(op).str();
}

/// True for a scalar type that has an LLVM type.
static bool isNumber(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 128;
  return type.isIndex() || isa<Float16Type, BFloat16Type, Float32Type,
                               Float64Type, Float80Type, Float128Type>(type);
}

static std::string quoted(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "type '" << type << "'";
  return text;
}

std::string pruner::whyNotLowered(Type type) {
  Type number = type;
  if (auto tensor = dyn_cast<TensorType>(type)) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (ranked && ranked.getEncoding())
      return quoted(type) + ", expected a tensor without encoding";
    number = tensor.getElementType();
  } else if (auto buffer = dyn_cast<BaseMemRefType>(type)) {
    number = buffer.getElementType();
  }
  if (auto vector = dyn_cast<VectorType>(number);
      vector && !isa<TensorType>(type)) {
    if (vector.isScalable())
      return quoted(type) + ", expected a vector of fixed size";
    number = vector.getElementType();
  }
  // Types of the dialect itself, and of the dialects that it is mapped to.
  // Kernels have addresses and tiles of matrix instructions.
  if (isa<LLVM::LLVMPointerType, LLVM::LLVMX86AMXType>(type))
    return "";
  if (isNumber(number) || isa<FunctionType>(type) ||
      isa<PrunerDialect, omp::OpenMPDialect>(type.getDialect()))
    return "";
  return quoted(type) + ", expected index, integers of at most 128 bits, f16, "
                        "bf16, f32 or f64";
}
