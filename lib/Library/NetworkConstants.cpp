//===- NetworkConstants.cpp - weights that are part of a library ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Library/NetworkConstants.h"

#include "pruner/CostModel/Safetensors.h"
#include "pruner/CostModel/WeightFile.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Library/EmitLibrary.h"
#include "pruner/Library/LoadedNetwork.h"
#include "pruner/Support/UniqueFile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <unistd.h>

using namespace mlir;
using namespace pruner;

/// Alignment of the tensors of libraries.
static constexpr size_t kAlignment = 64;
/// Tables of at most as many integers stay in the program.
static constexpr int64_t kSmallTable = 64;

static std::string nameOf(func::FuncOp function, unsigned argument) {
  auto name = function.getArgAttrOfType<StringAttr>(
      argument, PrunerDialect::getNameAttrName());
  return name ? name.getValue().str() : ("arg" + Twine(argument)).str();
}

static size_t bytesOf(RankedTensorType type) {
  Type element = type.getElementType();
  size_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  return size_t(type.getNumElements()) * llvm::divideCeil(bits, 8);
}

/// Returns the elements in row-major order; empty if the attribute has another
/// number of bytes, for example because its resource was elided.
static ArrayRef<char> dataOf(ElementsAttr value) {
  ArrayRef<char> data;
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    data = dense.getRawData();
  } else if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      data = blob->getData();
  }
  bool complete =
      data.size() == bytesOf(cast<RankedTensorType>(value.getType()));
  return complete ? data : ArrayRef<char>();
}

/// Returns a constant with room for its elements, which are not set yet.
static std::pair<ElementsAttr, MutableArrayRef<char>>
makeConstant(RankedTensorType type, llvm::StringRef name) {
  auto value = DenseResourceElementsAttr::get(
      type, name,
      HeapAsmResourceBlob::allocate(std::max<size_t>(bytesOf(type), 1),
                                    kAlignment));
  return {value, value.getRawHandle().getBlob()->getMutableData()};
}

static bool canLift(arith::ConstantOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto value = dyn_cast<ElementsAttr>(op.getValue());
  if (!type || !value || type.getEncoding() || type.getNumElements() < 2 ||
      value.isSplat())
    return false;
  Type element = type.getElementType();
  // Passes read small tables of integers, such as shapes.
  if (isa<IntegerType>(element) && type.getNumElements() <= kSmallTable)
    return false;
  return isa<FloatType, IntegerType>(element) &&
         llvm::is_contained({8u, 16u, 32u, 64u},
                            element.getIntOrFloatBitWidth()) &&
         !dataOf(value).empty();
}

bool pruner::hasRanges(mlir::func::FuncOp network) {
  for (unsigned n = 0; n < network.getNumArguments(); ++n)
    if (network.getArgAttr(n, PrunerDialect::getRangeAttrName()))
      return true;
  return false;
}

void NetworkConstants::lift(func::FuncOp network) {
  llvm::MapVector<Attribute, SmallVector<arith::ConstantOp>> constants;
  network.walk([&](arith::ConstantOp op) {
    if (canLift(op))
      constants[op.getValue()].push_back(op);
  });
  Builder builder(network.getContext());
  for (auto &[value, ops] : constants) {
    std::string name = ("constant" + Twine(values.size())).str();
    NamedAttrList attributes;
    attributes.set(PrunerDialect::getConstantAttrName(), builder.getUnitAttr());
    attributes.set(PrunerDialect::getNameAttrName(),
                   builder.getStringAttr(name));
    unsigned number = network.getNumArguments();
    (void)network.insertArgument(number, ops.front().getType(),
                                 attributes.getDictionary(builder.getContext()),
                                 ops.front().getLoc());
    for (arith::ConstantOp op : ops) {
      op.replaceAllUsesWith(network.getArgument(number));
      op.erase();
    }
    values[name] = cast<ElementsAttr>(value);
  }
}

/// The element type of a file's tensor in MLIR; empty if it has none.
static llvm::StringRef elementOf(llvm::StringRef dtype) {
  return llvm::StringSwitch<llvm::StringRef>(dtype)
      .Case("F64", "f64")
      .Case("F32", "f32")
      .Case("F16", "f16")
      .Case("BF16", "bf16")
      .Cases("I64", "U64", "i64")
      .Cases("I32", "U32", "i32")
      .Cases("I16", "U16", "i16")
      .Cases("I8", "U8", "i8")
      .Case("BOOL", "i1")
      .Default("");
}

llvm::Error NetworkConstants::read(const std::string &file,
                                   func::FuncOp network) {
  WeightFile content;
  if (std::string error = readWeights(file, content); !error.empty())
    return llvm::createStringError(error);
  for (unsigned n = 0; n < network.getNumArguments(); ++n) {
    if (!network.getArgAttr(n, PrunerDialect::getConstantAttrName()))
      continue;
    std::string name = nameOf(network, n);
    const TensorData *tensor = content.find(name);
    if (!tensor)
      return llvm::createStringError("'" + file + "' has no tensor '" + name +
                                     "', which argument " + Twine(n) + " of @" +
                                     network.getName() + " needs");
    auto type = dyn_cast<RankedTensorType>(network.getArgumentTypes()[n]);
    std::string element;
    if (type)
      llvm::raw_string_ostream(element) << type.getElementType();
    if (!type || llvm::ArrayRef(tensor->shape) != type.getShape() ||
        elementOf(tensor->dtype) != element) {
      std::string wanted;
      llvm::raw_string_ostream(wanted) << network.getArgumentTypes()[n];
      return llvm::createStringError(
          "'" + file + "': tensor '" + name + "' has elements of " +
          tensor->dtype + " and shape [" +
          llvm::join(llvm::map_range(
                         tensor->shape,
                         [](int64_t extent) { return std::to_string(extent); }),
                     ", ") +
          "], expected " + wanted);
    }
    auto [value, data] = makeConstant(type, name);
    llvm::copy(tensor->bytes, reinterpret_cast<unsigned char *>(data.data()));
    values[name] = value;
  }
  return llvm::Error::success();
}

llvm::Expected<RankedTensorType>
NetworkConstants::typeOf(func::FuncOp network, llvm::StringRef name) {
  for (unsigned n = 0; n < network.getNumArguments(); ++n) {
    if (!network.getArgAttr(n, PrunerDialect::getConstantAttrName()) ||
        nameOf(network, n) != name)
      continue;
    auto type = dyn_cast<RankedTensorType>(network.getArgumentTypes()[n]);
    if (!type || !type.hasStaticShape())
      return llvm::createStringError("the constant '" + name +
                                     "' is not a tensor of static shape");
    return type;
  }
  return llvm::createStringError("the network has no constant argument '" +
                                 name + "'");
}

llvm::Error NetworkConstants::set(func::FuncOp network, llvm::StringRef name,
                                  ArrayRef<char> data) {
  llvm::Expected<RankedTensorType> type = typeOf(network, name);
  if (!type)
    return type.takeError();
  if (bytesOf(*type) != data.size())
    return llvm::createStringError("the constant '" + name + "' has " +
                                   Twine(data.size()) + " bytes, expected " +
                                   Twine(bytesOf(*type)));
  auto [value, bytes] = makeConstant(*type, name);
  llvm::copy(data, bytes.data());
  values[name] = value;
  return llvm::Error::success();
}

void NetworkConstants::restore(func::FuncOp network) {
  OpBuilder builder = OpBuilder::atBlockBegin(&network.getBody().front());
  llvm::BitVector known(network.getNumArguments());
  for (unsigned n = 0; n < network.getNumArguments(); ++n) {
    auto found = values.find(nameOf(network, n));
    if (!network.getArgAttr(n, PrunerDialect::getConstantAttrName()) ||
        found == values.end())
      continue;
    BlockArgument argument = network.getArgument(n);
    ElementsAttr value = found->second;
    auto type = cast<RankedTensorType>(argument.getType());
    if (type.getElementType().isIndex()) // LLVM has no such resources.
      value = DenseElementsAttr::getFromRawBuffer(type, dataOf(value));
    // Elements of one bit are a byte each in a library, and not in MLIR.
    if (type.getElementType().isInteger(1)) {
      SmallVector<bool> bits;
      for (char byte : dataOf(value))
        bits.push_back(byte != 0);
      value = DenseElementsAttr::get(type, bits);
    }
    argument.replaceAllUsesWith(
        arith::ConstantOp::create(builder, argument.getLoc(), type, value));
    known.set(n);
  }
  (void)network.eraseArguments(known);
}

llvm::Error NetworkConstants::prepare(func::FuncOp function,
                                      const std::string &linker) {
  SmallString<128> path;
  int fd = -1;
  if (std::error_code error = createUniqueFile(
          temporaryPrefix("pruner-prepare-"), ".so", fd, path, 0600))
    return llvm::createStringError("'" + path + "': " + error.message());
  ::close(fd);
  auto remove = llvm::make_scope_exit([&] { llvm::sys::fs::remove(path); });
  OwningOpRef<ModuleOp> copy(function->getParentOfType<ModuleOp>().clone());
  LibraryOptions options;
  options.output = path.str().str();
  options.entry = function.getName().str();
  options.linker = linker;
  auto report = emitLibrary(*copy, options);
  if (!report)
    return report.takeError();
  auto library = LoadedNetwork::load(path);
  if (!library)
    return library.takeError();

  // Constants of the program need not be aligned.
  std::vector<AsmResourceBlob> aligned;
  std::vector<const void *> inputs;
  for (unsigned n = 0; n < function.getNumArguments(); ++n) {
    ArrayRef<char> data = dataOf(values[nameOf(function, n)]);
    if (reinterpret_cast<uintptr_t>(data.data()) % kAlignment != 0) {
      aligned.push_back(
          HeapAsmResourceBlob::allocateAndCopyWithAlign(data, kAlignment));
      data = aligned.back().getData();
    }
    inputs.push_back(data.data());
  }
  std::vector<void *> outputs;
  for (auto [n, type] : llvm::enumerate(function.getResultTypes())) {
    auto name = function.getResultAttrOfType<StringAttr>(
        n, PrunerDialect::getNameAttrName());
    auto [value, data] =
        makeConstant(cast<RankedTensorType>(type), name.getValue());
    outputs.push_back(data.data());
    values[name.getValue()] = value;
  }
  return library->run(inputs, outputs);
}

llvm::Error NetworkConstants::embed(func::FuncOp network,
                                    const std::string &linker) {
  auto module = network->getParentOfType<ModuleOp>();
  auto function =
      module.lookupSymbol<func::FuncOp>((network.getName() + "_prepare").str());
  if (function) {
    bool known = true;
    for (unsigned n = 0; n < function.getNumArguments(); ++n)
      known &= values.contains(nameOf(function, n));
    if (known) {
      if (llvm::Error error = prepare(function, linker))
        return error;
      function.erase();
    } else {
      restore(function);
    }
  }
  restore(network);
  return llvm::Error::success();
}

uint64_t NetworkConstants::bytes() const {
  uint64_t sum = 0;
  for (const auto &entry : values)
    sum += bytesOf(cast<RankedTensorType>(entry.second.getType()));
  return sum;
}
