//===- EmitSizedLibrary.cpp - networks of dynamic shape as libraries ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryCompiler.h"
#include "NetworkInterface.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace llvm;
using namespace pruner;

namespace {
/// One of the functions of a network, lowered in a separate module.
struct Variant {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  NetworkInterface interface;
  int64_t size = 0; ///< 0: any size.
  bool takesSize = true;
};

class SizedLibrary {
public:
  SizedLibrary(mlir::ModuleOp module, mlir::func::FuncOp dynamic,
               const LibraryOptions &options)
      : module(module), dynamic(dynamic), options(options), compiler(options) {}

  Expected<LibraryReport> emit();

private:
  Error describe();
  Error lowerAll();
  Error lowerDynamic();
  mlir::OwningOpRef<mlir::ModuleOp> tables();
  Error checkSizes() const;
  int64_t scratchBytes() const;

  mlir::ModuleOp module;
  mlir::func::FuncOp dynamic;
  const LibraryOptions &options;
  LibraryCompiler compiler;
  PlanAttr plan;
  NetworkInterface network;
  std::vector<Variant> variants;
  /// Totals over all variants.
  int64_t workspace = 0, threads = 1, numCalls = 0;
};
} // namespace

static constexpr StringLiteral kFacts = "pruner_network_facts";
static constexpr StringLiteral kEntry = "pruner_network_entry";
static constexpr StringLiteral kMark = "pruner_network_mark";

static std::string numbered(StringRef name, size_t number) {
  return (name + "_" + Twine(number)).str();
}

static std::vector<NetworkTensor> tensorsOf(mlir::func::FuncOp function,
                                            bool results) {
  std::vector<NetworkTensor> tensors;
  ArrayRef<mlir::Type> types =
      results ? function.getResultTypes() : function.getArgumentTypes();
  for (auto [n, type] : enumerate(types)) {
    NetworkTensor &tensor = tensors.emplace_back();
    auto ranked = cast<mlir::RankedTensorType>(type);
    raw_string_ostream(tensor.element) << ranked.getElementType();
    for (int64_t extent : ranked.getShape())
      tensor.shape.push_back(mlir::ShapedType::isDynamic(extent) ? -1 : extent);
    StringRef attr = PrunerDialect::getNameAttrName();
    auto name = results
                    ? function.getResultAttrOfType<mlir::StringAttr>(n, attr)
                    : function.getArgAttrOfType<mlir::StringAttr>(n, attr);
    tensor.name = name ? json::fixUTF8(name.getValue())
                       : (Twine(results ? "result" : "arg") + Twine(n)).str();
  }
  return tensors;
}

Error SizedLibrary::describe() {
  plan = dynamic->getAttrOfType<PlanAttr>(PrunerDialect::getPlanAttrName());
  auto isTensor = llvm::IsaPred<mlir::RankedTensorType>;
  if (!llvm::all_of(dynamic.getArgumentTypes(), isTensor) ||
      !llvm::all_of(dynamic.getResultTypes(), isTensor))
    return createStringError("@" + dynamic.getName() +
                             " has arguments or results that are not tensors");
  network.entry = json::fixUTF8(dynamic.getName());
  network.inputs = tensorsOf(dynamic, /*results=*/false);
  network.outputs = tensorsOf(dynamic, /*results=*/true);
  network.sized.name = json::fixUTF8(plan.getName());
  for (unsigned n = 0; n < dynamic.getNumArguments(); ++n)
    if (auto ranges = dynamic.getArgAttrOfType<mlir::ArrayAttr>(
            n, PrunerDialect::getRangeAttrName()))
      for (auto range : ranges.getAsRange<RangeAttr>()) {
        network.sized.min = range.getMin();
        network.sized.max = range.getMax();
      }
  network.sized.independent = plan.getIndependent();
  for (auto [size, function] :
       llvm::zip_equal(plan.getSizes(), plan.getFunctions()))
    network.sized.functions.push_back(json::Object{
        {"name", json::fixUTF8(function.getValue())}, {"size", size}});
  for (auto [from, to, use] :
       llvm::zip_equal(plan.getFrom(), plan.getTo(), plan.getUse()))
    network.sized.intervals.push_back(json::Array{from, to, use});
  if (Error error = checkSizes())
    return error;
  return network.nameFrom(options.names);
}

/// Gives all symbols that the module defines unique names in the library, and
/// numbers its calls after those of other parts.
static void makeUnique(mlir::ModuleOp module, size_t number, int64_t calls) {
  mlir::DenseMap<mlir::StringAttr, mlir::StringAttr> names;
  for (mlir::Operation &op : *module.getBody()) {
    auto symbol = dyn_cast<mlir::SymbolOpInterface>(op);
    auto function = dyn_cast<mlir::LLVM::LLVMFuncOp>(op);
    auto global = dyn_cast<mlir::LLVM::GlobalOp>(op);
    const bool declares = function ? function.isExternal()
                                   : global && !global.getValueAttr() &&
                                         global.getInitializerRegion().empty();
    if (!symbol || declares)
      continue;
    mlir::StringAttr old = symbol.getNameAttr();
    names[old] = mlir::StringAttr::get(module.getContext(),
                                       numbered(old.getValue(), number));
    symbol.setName(names[old]);
  }
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](mlir::FlatSymbolRefAttr reference) -> std::optional<mlir::Attribute> {
        auto known = names.find(reference.getAttr());
        if (known == names.end())
          return std::nullopt;
        return mlir::FlatSymbolRefAttr::get(known->second);
      });
  module.walk([&](mlir::Operation *op) { replacer.replaceElementsIn(op); });
  module.walk([&](mlir::LLVM::CallOp call) {
    APInt site;
    if (call.getCallee() != kMark || calls == 0 ||
        !matchPattern(call->getOperand(0), mlir::m_ConstantInt(&site)) ||
        site.isNegative())
      return;
    mlir::OpBuilder builder(call);
    call->setOperand(0, mlir::LLVM::ConstantOp::create(
                            builder, call.getLoc(), builder.getI32Type(),
                            builder.getI32IntegerAttr(
                                int32_t(site.getSExtValue() + calls))));
  });
}

/// The useful number of threads, from `pruner-add-entry-point`.
static int64_t usefulThreads(mlir::ModuleOp module) {
  auto facts = module.lookupSymbol<mlir::LLVM::GlobalOp>(kFacts);
  auto values =
      facts ? dyn_cast_if_present<mlir::DenseElementsAttr>(facts.getValueAttr())
            : mlir::DenseElementsAttr();
  return values ? values.getValues<int64_t>()[3] : 1;
}

Error SizedLibrary::lowerDynamic() {
  Variant &any = variants.emplace_back();
  any.module = module.clone();
  mlir::PassManager passes(module.getContext());
  passes.enableVerifier(false);
  buildDynamicNetworkToLLVMPipeline(passes, dynamic.getName());
  if (mlir::failed(passes.run(*any.module)))
    return createStringError("@" + dynamic.getName() + " cannot be lowered");
  return Error::success();
}

Error SizedLibrary::lowerAll() {
  for (auto [size, function] :
       llvm::zip_equal(plan.getSizes(), plan.getFunctions())) {
    auto known = module.lookupSymbol<mlir::func::FuncOp>(function.getAttr());
    if (!known)
      return createStringError("the plan names @" + function.getValue() +
                               ", which is not a function");
    const size_t inputs = known.getNumArguments();
    if (inputs != network.inputs.size() && inputs != network.inputs.size() + 1)
      return createStringError("@" + function.getValue() + " takes " +
                               Twine(inputs) + " arguments, but @" +
                               dynamic.getName() + " takes " +
                               Twine(network.inputs.size()));
    Variant &variant = variants.emplace_back();
    variant.size = size;
    variant.takesSize = inputs > network.inputs.size();
    variant.module = module.clone();
    if (Error error = lowerNetwork(*variant.module, function.getValue().str()))
      return error;
    auto interface = NetworkInterface::read(*variant.module);
    if (!interface)
      return interface.takeError();
    variant.interface = std::move(*interface);
  }
  if (Error error = lowerDynamic())
    return error;
  for (auto [n, variant] : enumerate(variants)) {
    workspace = std::max(workspace, variant.interface.workspaceBytes);
    threads = std::max(threads, usefulThreads(*variant.module));
    const size_t kernels = network.kernels.size();
    for (json::Value &kernel : variant.interface.kernels)
      network.kernels.push_back(std::move(kernel));
    for (const json::Value &call : variant.interface.calls)
      network.calls.push_back(int64_t(kernels) + *call.getAsInteger());
    makeUnique(*variant.module, n, numCalls);
    numCalls += variant.interface.calls.size();
  }
  network.workspaceBytes = workspace;
  return Error::success();
}

/// Bytes of a tensor in a call of this size.
static int64_t bytesOf(const NetworkTensor &tensor, int64_t size) {
  auto extents = llvm::map_to_vector(
      tensor.shape, [&](int64_t extent) { return extent < 0 ? size : extent; });
  return mulSizes(boxSize(extents), int64_t(elementBytes(tensor)));
}

Error SizedLibrary::checkSizes() const {
  for (int64_t size : plan.getSizes())
    for (const auto *list : {&network.inputs, &network.outputs})
      for (const NetworkTensor &tensor : *list)
        if (bytesOf(tensor, size) > kMaxTensorBytes)
          return createStringError("'" + tensor.name +
                                   "' is larger than 1 TiB in a call of size " +
                                   Twine(size));
  return Error::success();
}

/// For the padded or cut tensors of a call.
int64_t SizedLibrary::scratchBytes() const {
  int64_t most = 0;
  for (int64_t size : plan.getSizes()) {
    int64_t bytes = 0;
    for (const auto *list : {&network.inputs, &network.outputs})
      for (const NetworkTensor &tensor : *list)
        if (llvm::is_contained(tensor.shape, -1))
          bytes += llvm::alignTo(bytesOf(tensor, size), 64);
    most = std::max(most, bytes);
  }
  return most;
}

/// The tables that lib/Runtime/Network/Sizes.c reads.
mlir::OwningOpRef<mlir::ModuleOp> SizedLibrary::tables() {
  std::vector<int64_t> table = {int64_t(plan.getSizes().size()),
                                plan.getIndependent(),
                                network.sized.min,
                                network.sized.max,
                                int64_t(plan.getUse().size()),
                                scratchBytes(),
                                int64_t(plan.getSizes().size())};
  for (const Variant &variant : variants)
    if (variant.size > 0)
      table.insert(table.end(), {variant.size, variant.takesSize});
  for (auto [from, to, use] :
       llvm::zip_equal(plan.getFrom(), plan.getTo(), plan.getUse()))
    table.insert(table.end(), {from, to, use});
  for (const auto *list : {&network.inputs, &network.outputs})
    for (const NetworkTensor &tensor : *list) {
      table.push_back(elementBytes(tensor));
      table.push_back(tensor.shape.size());
      llvm::append_range(table, tensor.shape);
    }

  mlir::Location loc = module.getLoc();
  mlir::OwningOpRef<mlir::ModuleOp> made = mlir::ModuleOp::create(loc);
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockBegin(made->getBody());
  auto numbers = [&](StringRef name, ArrayRef<int64_t> values) {
    auto type =
        mlir::LLVM::LLVMArrayType::get(builder.getI64Type(), values.size());
    mlir::LLVM::GlobalOp::create(
        builder, loc, type, /*isConstant=*/true, mlir::LLVM::Linkage::External,
        name,
        mlir::DenseElementsAttr::get(
            mlir::RankedTensorType::get({int64_t(values.size())},
                                        builder.getI64Type()),
            values))
        .setVisibility_(mlir::LLVM::Visibility::Hidden);
  };
  numbers("pruner_network_sizes", table);
  numbers(kFacts,
          {int64_t(network.inputs.size()), int64_t(network.outputs.size()),
           workspace, threads, numCalls});

  std::string name = network.sized.name + '\0';
  mlir::LLVM::GlobalOp::create(
      builder, loc,
      mlir::LLVM::LLVMArrayType::get(builder.getI8Type(), name.size()),
      /*isConstant=*/true, mlir::LLVM::Linkage::External,
      "pruner_network_size_name", builder.getStringAttr(name))
      .setVisibility_(mlir::LLVM::Visibility::Hidden);
  auto pointer = mlir::LLVM::LLVMPointerType::get(builder.getContext());
  auto function = mlir::LLVM::LLVMFunctionType::get(
      mlir::LLVM::LLVMVoidType::get(builder.getContext()),
      {pointer, pointer, pointer});
  for (size_t n = 0; n < variants.size(); ++n)
    mlir::LLVM::LLVMFuncOp::create(builder, loc, numbered(kEntry, n), function)
        .setVisibility_(mlir::LLVM::Visibility::Hidden);
  auto list = mlir::LLVM::LLVMArrayType::get(pointer, variants.size());
  auto global = mlir::LLVM::GlobalOp::create(
      builder, loc, list, /*isConstant=*/true, mlir::LLVM::Linkage::External,
      "pruner_network_functions", mlir::Attribute());
  global.setVisibility_(mlir::LLVM::Visibility::Hidden);
  builder.createBlock(&global.getInitializerRegion());
  mlir::Value all = mlir::LLVM::UndefOp::create(builder, loc, list);
  for (size_t n = 0; n < variants.size(); ++n) {
    mlir::Value address = mlir::LLVM::AddressOfOp::create(builder, loc, pointer,
                                                          numbered(kEntry, n));
    all = mlir::LLVM::InsertValueOp::create(builder, loc, all, address,
                                            ArrayRef<int64_t>(n));
  }
  mlir::LLVM::ReturnOp::create(builder, loc, all);
  addMetadata(*made, network.metadata(compiler.target().first,
                                      compiler.target().second));
  return made;
}

Expected<LibraryReport> SizedLibrary::emit() {
  if (Error error = compiler.open(
          {"libPrunerNetworkRuntime.a", "libPrunerNetworkSizes.a"}))
    return error;
  auto start = std::chrono::steady_clock::now();
  if (Error error = describe())
    return error;
  if (Error error = lowerAll())
    return error;
  compiler.report.lowerMs = millisecondsSince(start);
  for (Variant &variant : variants)
    compiler.compile(*variant.module);
  mlir::OwningOpRef<mlir::ModuleOp> table = tables();
  compiler.compile(*table);
  return compiler.finish({"pruner_run_sized"}, network.header(options.output));
}

Expected<LibraryReport>
pruner::emitSizedLibrary(mlir::ModuleOp module, mlir::Operation *dynamic,
                         const LibraryOptions &options) {
  return SizedLibrary(module, cast<mlir::func::FuncOp>(dynamic), options)
      .emit();
}
