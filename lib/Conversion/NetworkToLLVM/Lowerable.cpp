//===- Lowerable.cpp - the ops and types that are lowered -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Conversion/NetworkToLLVM/Lowerable.h"

#include "BufferPlan.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Utils/DecomposeAggregate.h"
#include "pruner/Program/MatrixInstruction.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
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
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace pruner;

/// LLVM splits vectors into registers, and takes longer than linear time.
static constexpr int64_t kMaxVectorElements = 16384;

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

/// Ops of the dialects below that are not lowered.
static const llvm::StringSet<> &namesOutside() {
  static const llvm::StringSet<> names = {"math.ipowi", "memref.dma_start",
                                          "memref.dma_wait", "vector.print",
                                          "vector.vscale"};
  return names;
}

/// The ops whose calls the runtime of networks answers
/// (Runtime/Network/Threads.c).
static const llvm::StringSet<> &namesOfThreads() {
  static const llvm::StringSet<> names = {"omp.barrier",  "omp.loop_nest",
                                          "omp.parallel", "omp.terminator",
                                          "omp.wsloop",   "omp.yield"};
  return names;
}

/// Functions that the C library has for double and narrower types only.
static const llvm::StringSet<> &namesOfNarrowFloats() {
  static const llvm::StringSet<> names = {
      "math.acos",  "math.acosh", "math.asin", "math.asinh", "math.atan",
      "math.atan2", "math.atanh", "math.cbrt", "math.erf",   "math.erfc",
      "math.expm1", "math.log1p", "math.tan"};
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
             vector::VectorDialect, PrunerDialect>(dialect) ||
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

static std::string quoted(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << "type '" << type << "'";
  return text;
}

/// Why LLVM cannot have the elements of a constant.
static std::string whyNoElements(arith::ConstantOp constant) {
  // `pruner-prepare-network` fills large tensors of equal elements.
  auto elements = dyn_cast<ElementsAttr>(constant.getValue());
  if (elements && !isa<SplatElementsAttr>(elements) &&
      elements.getElementType().isIntOrIndexOrFloat())
    if (int64_t bytes = bufferBytes(elements.getShapedType());
        bytes > kMaxConstantBytes)
      return "a constant of " + std::to_string(bytes) +
             " bytes, expected at most " + std::to_string(kMaxConstantBytes);
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
  if (bits == 0 || (isa<FloatType>(element) && bits % 8 != 0))
    return name + " has elements that are neither integers nor reals of whole "
                  "bytes, expected dense elements";
  int64_t wanted =
      resource.getType().getNumElements() * llvm::divideCeil(bits, 8);
  if (int64_t(blob->getData().size()) != wanted)
    return name + " has " + std::to_string(blob->getData().size()) +
           " bytes, expected " + std::to_string(wanted);
  return "";
}

/// Why a loop or region on threads needs more than the runtime of networks.
static std::string whyNoThreads(Operation *op) {
  if (!namesOfThreads().contains(op->getName().getStringRef()))
    return "the threads of a library run omp.parallel with omp.wsloop and "
           "omp.barrier only";
  auto loop = dyn_cast<omp::WsloopOp>(op);
  if (loop &&
      loop.getScheduleKind().value_or(omp::ClauseScheduleKind::Static) !=
          omp::ClauseScheduleKind::Static)
    return "expected a static schedule";
  if ((loop || isa<omp::ParallelOp>(op)) && op->getNumOperands() != 0)
    return "expected no clause with a value";
  return "";
}

static bool isWide(Type type) {
  return isa<Float80Type, Float128Type>(getElementTypeOrSelf(type));
}

static unsigned bitsOf(Type type) {
  type = getElementTypeOrSelf(type);
  return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 64;
}

/// Why an op of arithmetic is not lowered for its types, each of which has an
/// LLVM type.
static std::string whyNoArithmetic(Operation *op) {
  if (op->getNumOperands() == 0)
    return "";
  Type from = op->getOperand(0).getType();
  if (namesOfNarrowFloats().contains(op->getName().getStringRef()) &&
      isWide(from))
    return quoted(from) + ", expected f64 or a narrower type";
  if (isa<arith::AddUIExtendedOp>(op) && getElementTypeOrSelf(from).isIndex())
    return quoted(from) + ", expected an integer of fixed width";
  if (op->getNumResults() == 0)
    return "";
  Type to = op->getResult(0).getType(), number = getElementTypeOrSelf(to);
  // The C library has no such function, and LLVM 22 has no code for it.
  if ((isa<arith::TruncFOp>(op) && isWide(from) && number.isBF16()) ||
      (isa<arith::SIToFPOp, arith::UIToFPOp>(op) && bitsOf(from) > 64 &&
       number.isF16()))
    return "from " + quoted(from) + " to " + quoted(to) +
           ", expected a conversion to f32 first";
  return "";
}

/// Why an op on buffers is not lowered for its types.
static std::string whyNoMemory(Operation *op) {
  if (isa<memref::AllocOp, memref::AllocaOp, bufferization::AllocTensorOp>(
          op)) {
    auto buffer = dyn_cast<BaseMemRefType>(op->getResult(0).getType());
    auto tensor = dyn_cast<bufferization::AllocTensorOp>(op);
    Attribute space = buffer   ? buffer.getMemorySpace()
                      : tensor ? tensor.getMemorySpaceAttr()
                               : Attribute();
    auto number = dyn_cast_or_null<IntegerAttr>(space);
    if (space && !(number && number.getValue().isZero()))
      return "a buffer in another memory space, expected the default one";
  }
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    for (Type type : copy->getOperandTypes())
      if (isa<UnrankedMemRefType>(type))
        return quoted(type) + ", expected a ranked memref";
  Type value;
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op)) {
    value = atomic.getResult().getType();
    if (llvm::is_contained(
            {arith::AtomicRMWKind::mulf, arith::AtomicRMWKind::muli},
            atomic.getKind()))
      return "an atomic product, expected memref.generic_atomic_rmw";
  } else if (auto atomic = dyn_cast<memref::GenericAtomicRMWOp>(op)) {
    value = atomic.getResult().getType();
    if (!value.isInteger())
      return quoted(value) + ", expected an integer of 8, 16, 32 or 64 bits";
  }
  if (value && !llvm::is_contained({8u, 16u, 32u, 64u}, bitsOf(value)))
    return quoted(value) + ", expected a number of 8, 16, 32 or 64 bits";
  return "";
}

/// Ops of LLVM that kernels contain: matrix instructions with the addresses of
/// their tiles, and the fences after non-temporal stores.
static bool isOfKernels(Operation *op) {
  if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op))
    return call.getIntrin() == "llvm.x86.sse.sfence" ||
           isMatrixIntrinsic(call.getIntrin());
  return isa<LLVM::IntToPtrOp>(op);
}

/// The size of dimension `dim` of `value`, if it is known although its type may
/// not say it: casts, inits and `tensor.empty` are followed.
static std::optional<int64_t> knownSize(Value value, int64_t dim) {
  while (auto type = dyn_cast<RankedTensorType>(value.getType())) {
    if (!type.isDynamicDim(dim))
      return type.getDimSize(dim);
    auto result = dyn_cast<OpResult>(value);
    if (!result)
      return std::nullopt;
    if (auto cast = dyn_cast<tensor::CastOp>(result.getOwner())) {
      value = cast.getSource();
    } else if (auto empty = dyn_cast<tensor::EmptyOp>(result.getOwner())) {
      return getConstantIntValue(getAsOpFoldResult(empty.getDynamicSize(dim)));
    } else if (auto op =
                   dyn_cast<DestinationStyleOpInterface>(result.getOwner())) {
      value = op.getTiedOpOperand(result)->get();
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// A type with dynamic sizes can hide that sizes differ. The generated code
/// would access memory outside of the tensors.
static std::string whyNoSizes(tensor::CastOp cast) {
  auto type = dyn_cast<RankedTensorType>(cast.getType());
  if (!type || !isa<RankedTensorType>(cast.getSource().getType()))
    return "";
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    std::optional<int64_t> known = knownSize(cast.getSource(), dim);
    if (known && !ShapedType::isDynamic(size) && *known != size)
      return llvm::formatv("dimension {0} of its source has {1} elements, "
                           "expected {2}",
                           dim, *known, size);
  }
  return "";
}

static std::string whyNoSizes(linalg::LinalgOp op) {
  if (!op.hasDynamicShape() || !op.hasPureTensorSemantics())
    return "";
  SmallVector<std::optional<int64_t>> sizes(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands())
    for (auto [dim, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      std::optional<int64_t> &size = sizes[loop.getPosition()];
      std::optional<int64_t> known = knownSize(operand.get(), dim);
      if (known && size && *known != *size)
        return llvm::formatv("dimension {0} of operand {1} has {2} elements, "
                             "expected {3}",
                             dim, operand.getOperandNumber(), *known, *size);
      if (known)
        size = known;
    }
  return "";
}

std::string pruner::whyNotLowered(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (isAggregate(op))
    return whyNotDecomposed(op);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return whyNoElements(constant);
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
    for (Type type : {reshape.getSource().getType(), reshape.getType()})
      if (isa<UnrankedTensorType>(type))
        return quoted(type) + ", expected a ranked tensor";
  if (std::string why = whyNoMemory(op); !why.empty())
    return why;
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return whyNoSizes(cast);
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return whyNoSizes(linalgOp);
  if (namesOnTensors().contains(name))
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
  if (isa_and_nonnull<omp::OpenMPDialect>(dialect))
    return whyNoThreads(op);
  if (std::string why = whyNoArithmetic(op); !why.empty() && !isOnTensors(op))
    return why;
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

std::string pruner::whyNotLowered(Type type) {
  Type number = type;
  if (auto tensor = dyn_cast<TensorType>(type)) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (ranked && ranked.getEncoding())
      return quoted(type) + ", expected a tensor without encoding";
    number = tensor.getElementType();
  } else if (auto buffer = dyn_cast<BaseMemRefType>(type)) {
    auto ranked = dyn_cast<MemRefType>(type);
    if (ranked && !ranked.isStrided())
      return quoted(type) + ", expected a layout of strides";
    number = buffer.getElementType();
  }
  if (auto vector = dyn_cast<VectorType>(number);
      vector && !isa<TensorType>(type)) {
    if (vector.isScalable())
      return quoted(type) + ", expected a vector of fixed size";
    if (vector.getNumElements() > kMaxVectorElements)
      return quoted(type) + ", expected a vector of at most " +
             std::to_string(kMaxVectorElements) + " elements";
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
