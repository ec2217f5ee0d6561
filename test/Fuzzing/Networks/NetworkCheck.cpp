//===- NetworkCheck.cpp - compile, run and check one network --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckSteps.h"

#include "pruner/Conversion/SpecializeShapes/Specialize.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"

using namespace llvm;
using namespace pruner;

Signature Signature::of(mlir::func::FuncOp function) {
  Signature signature;
  StringRef attribute = PrunerDialect::getNameAttrName();
  for (auto [n, type] : enumerate(function.getArgumentTypes())) {
    auto name = function.getArgAttrOfType<mlir::StringAttr>(n, attribute);
    signature.inputs.push_back(name ? name.str() : "arg" + std::to_string(n));
    signature.inputTypes.push_back(cast<mlir::RankedTensorType>(type));
  }
  for (auto [n, type] : enumerate(function.getResultTypes())) {
    auto name = function.getResultAttrOfType<mlir::StringAttr>(n, attribute);
    signature.outputs.push_back(name ? name.str()
                                     : "result" + std::to_string(n));
    signature.outputTypes.push_back(cast<mlir::RankedTensorType>(type));
  }
  return signature;
}

static mlir::RankedTensorType typeOf(mlir::RankedTensorType type,
                                     int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  llvm::replace(shape, mlir::ShapedType::kDynamic, size);
  return type.clone(shape);
}

Signature Signature::inCall(int64_t size) const {
  Signature signature = *this;
  for (auto *types : {&signature.inputTypes, &signature.outputTypes})
    for (mlir::RankedTensorType &type : *types)
      type = typeOf(type, size);
  return signature;
}

bool pruner::isNibbleTensor(mlir::RankedTensorType type) {
  return type.getElementType().isInteger(4);
}

std::vector<uint8_t> pruner::packNibbles(ArrayRef<uint8_t> numbers) {
  std::vector<uint8_t> bytes;
  for (size_t n = 0; n + 1 < numbers.size(); n += 2)
    bytes.push_back((numbers[n] & 15) | numbers[n + 1] << 4);
  return bytes;
}

static bool hasRange(mlir::func::FuncOp function) {
  return any_of(seq(function.getNumArguments()), [&](unsigned n) {
    return bool(function.getArgAttr(n, PrunerDialect::getRangeAttrName()));
  });
}

bool Check::compare(const Data &data, ArrayRef<RangeTensorRef> expected) {
  for (auto [n, type] : enumerate(network.outputTypes)) {
    auto found = data.find(network.outputs[n]);
    if (found == data.end())
      return fail("result " + Twine(n) + " was not returned");
    RangeVerdict result = checkElements(type.getElementType(), *expected[n],
                                        found->second.data());
    verdict.elements += result.elements;
    verdict.undecided += result.undecided;
    if (!result.wrong.empty())
      return fail("result " + Twine(n) + ": " + result.wrong);
  }
  return true;
}

bool Check::runAll() {
  for (const Example &example : examples) {
    at("running");
    Data data;
    for (auto [name, type, bytes] :
         zip(network.inputs, network.inputTypes, example.inputs))
      data[name] = isNibbleTensor(type) ? packNibbles(bytes) : bytes;
    if (prepares && !call(choices.directory + "/prepare.so", prepare, 0, data))
      return false;
    if (!call(choices.directory + "/main.so", main.inCall(example.size),
              example.size, data) ||
        (at("comparing"), !compare(data, example.expected))) {
      if (range)
        verdict.wrong += " in a call of size " + std::to_string(example.size);
      return false;
    }
    ++verdict.runs;
  }
  return true;
}

NetworkVerdict Check::run(StringRef text) {
  at("parsing");
  module = parseModuleText(text, &context, "network");
  auto function = module ? module->lookupSymbol<mlir::func::FuncOp>("main")
                         : mlir::func::FuncOp();
  if (!function) {
    verdict.skipped = "no module with a function @main: " + message;
    return verdict;
  }
  network = Signature::of(function);
  if (!choices.wrongIf.empty() && text.contains(choices.wrongIf)) {
    at("comparing");
    fail("pretended");
    return verdict;
  }
  if (hasRange(function)) {
    auto only = rangeOf(function);
    if (mlir::failed(only)) {
      verdict.skipped = message;
      return verdict;
    }
    range = *only;
  }
  if ((range ? interpretSizes(function) : interpret(function)) && compile())
    runAll();
  // Functions that GPUs lack, elements that are read between kernels, numbers
  // of 4 bits that are not only extended, and arithmetic on whole tensors.
  for (StringRef refusal :
       {"has no device instruction", "which a library for a GPU cannot do",
        "xi4>', expected a tensor of static shape",
        "convert it with convert-elementwise-to-linalg"})
    if (StringRef(message).contains(refusal)) {
      verdict.skipped = message;
      verdict.wrong.clear();
    }
  return verdict;
}

NetworkVerdict pruner::checkNetwork(mlir::MLIRContext &context, StringRef text,
                                    NetworkChoices choices,
                                    function_ref<void(StringRef)> say) {
  return Check(context, std::move(choices), say).run(text);
}
