//===- EmitDeviceLibrary.cpp - networks for GPUs as libraries -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryCompiler.h"
#include "NetworkInterface.h"
#include "pruner/Library/DeviceCode.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Support/Sizes.h"
#include "pruner/Target/Ptxas.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace pruner;

/// Bytes after the workspace for the status of a run, as in
/// lib/Runtime/Network/Device.h, and the alignment of both.
static constexpr int64_t kStatusBytes = 64, kAlignment = 64;

static bool hasDeviceCode(mlir::ModuleOp module) {
  return any_of(*module.getBody(),
                IsaPred<mlir::gpu::GPUModuleOp, mlir::gpu::BinaryOp>);
}

bool pruner::launchesKernels(mlir::ModuleOp module, StringRef entry) {
  mlir::SymbolTable symbols(module);
  SetVector<mlir::func::FuncOp> reached;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    if (entry.empty()
            ? function.isPublic() && !function->hasAttr("pruner.prepares")
            : function.getName() == entry)
      reached.insert(function);
  for (size_t n = 0; n < reached.size(); ++n) {
    mlir::func::FuncOp function = reached[n]; // Insertion may move it.
    mlir::WalkResult found = function.walk([&](mlir::Operation *op) {
      if (auto call = dyn_cast<mlir::func::CallOp>(op))
        if (auto callee = symbols.lookup<mlir::func::FuncOp>(call.getCallee()))
          reached.insert(callee);
      return isa<mlir::gpu::LaunchFuncOp>(op) ? mlir::WalkResult::interrupt()
                                              : mlir::WalkResult::advance();
    });
    if (found.wasInterrupted())
      return true;
  }
  return false;
}

static void eraseDeviceCode(mlir::ModuleOp module) {
  for (mlir::Operation &op : make_early_inc_range(*module.getBody()))
    if (isa<mlir::gpu::GPUModuleOp, mlir::gpu::BinaryOp>(op))
      op.erase();
  module->removeAttr(mlir::gpu::GPUDialect::getContainerModuleAttrName());
}

namespace {
/// Writes the constants that lib/Runtime/Network/Device.h declares.
class Tables {
public:
  explicit Tables(mlir::ModuleOp module)
      : loc(module.getLoc()),
        builder(mlir::OpBuilder::atBlockEnd(module.getBody())),
        pointer(mlir::LLVM::LLVMPointerType::get(module.getContext())) {}

  void bytes(StringRef name, StringRef content, int64_t alignment = 1) {
    auto type =
        mlir::LLVM::LLVMArrayType::get(builder.getI8Type(), content.size());
    add(name, type, builder.getStringAttr(content)).setAlignment(alignment);
  }

  /// The texts, each with a zero after it.
  void texts(StringRef name, mlir::ArrayAttr values) {
    std::string content;
    for (auto value : values.getAsRange<mlir::StringAttr>())
      content += value.getValue().str() + '\0';
    bytes(name, content + '\0');
  }

  void numbers(StringRef name, ArrayRef<int64_t> values) {
    // C has no empty arrays.
    SmallVector<int64_t> some(values);
    if (some.empty())
      some.push_back(0);
    auto type =
        mlir::LLVM::LLVMArrayType::get(builder.getI64Type(), some.size());
    add(name, type,
        mlir::DenseElementsAttr::get(
            mlir::RankedTensorType::get({int64_t(some.size())},
                                        builder.getI64Type()),
            ArrayRef(some)));
  }

  /// Of each constant a struct of its address, its place and its bytes.
  void constants(StringRef name, mlir::ArrayAttr symbols,
                 ArrayRef<int64_t> places, ArrayRef<int64_t> sizes) {
    auto entry = mlir::LLVM::LLVMStructType::getLiteral(
        builder.getContext(),
        {pointer, builder.getI64Type(), builder.getI64Type()});
    auto type = mlir::LLVM::LLVMArrayType::get(entry, symbols.size() + 1);
    mlir::LLVM::GlobalOp global = add(name, type, mlir::Attribute());
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&global.getInitializerRegion());
    mlir::Value all = mlir::LLVM::ZeroOp::create(builder, loc, type);
    for (auto [n, symbol] :
         enumerate(symbols.getAsRange<mlir::FlatSymbolRefAttr>())) {
      mlir::Value values[] = {mlir::LLVM::AddressOfOp::create(
                                  builder, loc, pointer, symbol.getValue()),
                              number(places[n]), number(sizes[n])};
      for (auto [m, value] : enumerate(values))
        all = mlir::LLVM::InsertValueOp::create(
            builder, loc, all, value,
            ArrayRef<int64_t>{int64_t(n), int64_t(m)});
    }
    mlir::LLVM::ReturnOp::create(builder, loc, all);
  }

private:
  mlir::Value number(int64_t value) {
    return mlir::LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                          builder.getI64IntegerAttr(value));
  }

  mlir::LLVM::GlobalOp add(StringRef name, mlir::Type type,
                           mlir::Attribute value) {
    auto global = mlir::LLVM::GlobalOp::create(
        builder, loc, type, /*isConstant=*/true, mlir::LLVM::Linkage::External,
        name, value);
    global.setVisibility_(mlir::LLVM::Visibility::Hidden);
    return global;
  }

  mlir::Location loc;
  mlir::OpBuilder builder;
  mlir::Type pointer;
};

class DeviceLibrary {
public:
  DeviceLibrary(mlir::ModuleOp module, const LibraryOptions &options)
      : module(module), options(hostOptions(options)), compiler(this->options) {
  }

  Expected<LibraryReport> emit();

private:
  /// Functions of the host only launch kernels, so they need no special CPU
  /// and little optimization.
  static LibraryOptions hostOptions(LibraryOptions options) {
    if (options.cpu.cpu == "host" && options.cpu.features.empty())
      options.cpu.cpu =
          Triple(sys::getProcessTriple()).isX86() ? "x86-64" : "generic";
    options.plainLevel = std::min(options.plainLevel, 1u);
    return options;
  }

  Error run(function_ref<void(mlir::OpPassManager &)> build);
  Error compileKernels();
  SmallVector<int64_t> constantBytes();
  void addTables(ArrayRef<int64_t> constantBytes);

  mlir::ModuleOp module;
  LibraryOptions options;
  LibraryCompiler compiler;
  NetworkInterface network;
  /// PTX with the zero that ends it, or a cubin.
  std::string code;
};
} // namespace

Error DeviceLibrary::run(function_ref<void(mlir::OpPassManager &)> build) {
  mlir::PassManager passes(module.getContext());
  passes.enableVerifier(false);
  build(passes);
  if (mlir::failed(passes.run(module)) || mlir::failed(mlir::verify(module)))
    return createStringError("the network cannot be lowered for a GPU");
  return Error::success();
}

/// Compiles all kernels, and removes them from the module.
Error DeviceLibrary::compileKernels() {
  auto start = std::chrono::steady_clock::now();
  PtxOptions ptx;
  std::string tuned = deviceChip(module);
  if (!options.chip.empty())
    ptx.chip = options.chip;
  else if (!tuned.empty())
    ptx.chip = tuned;
  network.chip = ptx.chip;
  // A network that only moves its inputs has no kernels.
  if (hasDeviceCode(module)) {
    auto device = emitDeviceCode(module, /*name=*/"", ptx);
    if (!device)
      return device.takeError();
    compiler.report.kernels = device->kernels.size();
    code = std::move(device->text);
  } else {
    code = ".version 7.0\n.target " + ptx.chip + "\n.address_size 64\n";
  }
  code.push_back('\0');
  if (options.cubin) {
    PtxasOptions assembler;
    assembler.chip = ptx.chip;
    auto cubin = assemblePtx(code.c_str(), assembler);
    if (!cubin)
      return cubin.takeError();
    code.assign(cubin->bytes.begin(), cubin->bytes.end());
  }
  eraseDeviceCode(module);
  compiler.report.kernelsMs += millisecondsSince(start);
  return Error::success();
}

static int64_t bytesOf(const NetworkTensor &tensor) {
  return tensor.elements() * int64_t(elementBytes(tensor));
}

/// How the compute capability of a device is compared with that of the code;
/// the numbers of lib/Runtime/Network/Device.h.
static int64_t deviceRule(StringRef chip, bool cubin) {
  enum { NewerDevices, SameMajor, SameCapability };
  if (chip.ends_with("a"))
    return SameCapability;
  return cubin || chip.ends_with("f") ? SameMajor : NewerDevices;
}

SmallVector<int64_t> DeviceLibrary::constantBytes() {
  auto device = module->getAttrOfType<mlir::DictionaryAttr>("pruner.device");
  SmallVector<int64_t> sizes;
  for (auto symbol : device.getAs<mlir::ArrayAttr>("constants")
                         .getAsRange<mlir::FlatSymbolRefAttr>()) {
    auto global = module.lookupSymbol<mlir::memref::GlobalOp>(symbol.getAttr());
    NetworkTensor tensor;
    raw_string_ostream(tensor.element) << global.getType().getElementType();
    tensor.shape = global.getType().getShape().vec();
    sizes.push_back(bytesOf(tensor));
  }
  return sizes;
}

void DeviceLibrary::addTables(ArrayRef<int64_t> constantBytes) {
  auto device = module->getAttrOfType<mlir::DictionaryAttr>("pruner.device");
  auto kernels = device.getAs<mlir::ArrayAttr>("kernels");
  auto constants = device.getAs<mlir::ArrayAttr>("constants");
  auto numbersOf = [&](StringRef name) {
    return device.getAs<mlir::DenseI64ArrayAttr>(name).asArrayRef();
  };
  unsigned capability = 0;
  StringRef chip = network.chip;
  chip.consume_front("sm_");
  (void)chip.consumeInteger(10, capability);
  Tables tables(module);
  tables.numbers("pruner_network_device",
                 {int64_t(capability), deviceRule(network.chip, options.cubin),
                  int64_t(kernels.size()), int64_t(constants.size()),
                  device.getAs<mlir::IntegerAttr>("constant_bytes").getInt()});
  tables.bytes("pruner_network_chip", network.chip + '\0');
  tables.bytes("pruner_network_code", code, /*alignment=*/64);
  tables.texts("pruner_network_kernels", kernels);
  tables.numbers("pruner_network_shared", numbersOf("shared"));
  tables.constants("pruner_network_constants", constants,
                   numbersOf("constant_places"), constantBytes);
  tables.texts("pruner_network_messages",
               module->getAttrOfType<mlir::ArrayAttr>("pruner.checks"));
  SmallVector<int64_t> sizes;
  for (const auto *list : {&network.inputs, &network.outputs})
    for (const NetworkTensor &tensor : *list)
      sizes.push_back(bytesOf(tensor));
  tables.numbers("pruner_network_bytes", sizes);
}

Expected<LibraryReport> DeviceLibrary::emit() {
  if (Error error = compiler.open({"libPrunerNetworkDevice.a"}))
    return error;
  auto start = std::chrono::steady_clock::now();
  if (Error error = run([&](mlir::OpPassManager &passes) {
        NetworkToDeviceOptions pipeline;
        pipeline.entry = options.entry;
        buildNetworkToDevicePipeline(passes, pipeline);
      }))
    return error;
  SmallVector<int64_t> constants = constantBytes();
  compiler.report.lowerMs = millisecondsSince(start);
  if (Error error = compileKernels())
    return error;
  start = std::chrono::steady_clock::now();
  if (Error error = run(buildDeviceHostPipeline))
    return error;
  std::string chip = network.chip;
  auto described = NetworkInterface::read(module);
  if (!described)
    return described.takeError();
  network = std::move(*described);
  network.chip = chip;
  network.workspaceBytes =
      int64_t(alignTo(network.workspaceBytes, kAlignment)) + kStatusBytes;
  if (Error error = network.nameFrom(options.names))
    return error;
  addTables(constants);
  addMetadata(module, network.metadata(compiler.target().first,
                                       compiler.target().second));
  compiler.report.lowerMs += millisecondsSince(start);
  compiler.compileWhole(module);
  return compiler.finish({"pruner_device_free", "pruner_device_load",
                          "pruner_device_run", "pruner_device_unload",
                          "pruner_device_upload", "pruner_device_wait"},
                         network.header(options.output));
}

Expected<LibraryReport>
pruner::emitDeviceLibrary(mlir::ModuleOp module,
                          const LibraryOptions &options) {
  return DeviceLibrary(module, options).emit();
}
