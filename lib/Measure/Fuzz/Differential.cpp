//===- Differential.cpp - one task, many schedules, one answer ------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Measure/Differential.h"

#include "pruner/Conversion/PrunerToCPU/Passes.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Dialect/Pruner/Transforms/EmitKernel.h"
#include "pruner/Dialect/Pruner/Transforms/EmitPacking.h"
#include "pruner/Pipelines/Pipelines.h"
#include "pruner/Program/TiledProgram.h"
#include "pruner/Target/JitModule.h"
#include "pruner/Target/ObjectCode.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

/// Pages for one argument between two inaccessible ones.
class DifferentialTask::Memory {
public:
  explicit Memory(size_t bytes) : bytes(bytes) {
    size_t page = sysconf(_SC_PAGESIZE);
    room = (bytes + page - 1) / page * page;
    mapped = room + 2 * page;
    void *address = mmap(nullptr, mapped, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED)
      return;
    mapping = static_cast<uint8_t *>(address);
    if (room == 0 ||
        mprotect(mapping + page, room, PROT_READ | PROT_WRITE) == 0)
      first = mapping + page;
  }
  Memory(Memory &&other) noexcept { *this = std::move(other); }
  Memory &operator=(Memory &&other) noexcept {
    std::swap(mapping, other.mapping);
    std::swap(first, other.first);
    std::swap(bytes, other.bytes);
    std::swap(room, other.room);
    std::swap(mapped, other.mapped);
    return *this;
  }
  ~Memory() {
    if (mapping)
      munmap(mapping, mapped);
  }

  bool valid() const { return first; }
  size_t size() const { return bytes; }

  /// Moves the data to either end and fills everything with poison: a NaN in
  /// all floating-point types.
  uint8_t *place(bool atEnd, unsigned alignment) {
    size_t offset = atEnd ? room - bytes : 0;
    if (alignment > 1)
      offset = offset / alignment * alignment;
    std::memset(first, 0xFF, room);
    return data = first + offset;
  }

  /// Whether everything around the data still holds poison.
  bool surroundingsIntact() const {
    auto poisoned = [](uint8_t byte) { return byte == 0xFF; };
    return std::all_of(first, data, poisoned) &&
           std::all_of(data + bytes, first + room, poisoned);
  }

  uint8_t *data = nullptr;

private:
  uint8_t *mapping = nullptr, *first = nullptr;
  size_t bytes = 0, room = 0, mapped = 0;
};

DifferentialTask::DifferentialTask(TaskProgram program)
    : program(std::move(program)) {}
DifferentialTask::~DifferentialTask() = default;

Expected<std::unique_ptr<DifferentialTask>>
DifferentialTask::create(mlir::MLIRContext &context, StringRef text,
                         int64_t seed) {
  auto program = TaskProgram::parse(context, text);
  if (!program)
    return program.takeError();
  std::unique_ptr<DifferentialTask> result(
      new DifferentialTask(std::move(*program)));
  result->module = result->program.clone();
  auto function =
      result->module->lookupSymbol<mlir::func::FuncOp>(result->program.entry());
  if (Error error = withDiagnostics(context, "reading the task", [&] {
        auto task = readTask(function);
        if (mlir::succeeded(task))
          result->task = std::move(*task);
        return mlir::LogicalResult(task);
      }))
    return error;
  auto reference = makeReference(result->program, text, seed, /*cacheDir=*/"");
  if (!reference)
    return reference.takeError();
  result->reference = std::move(*reference);
  for (auto specs : {result->program.inputs(), result->program.outputs()})
    for (const TensorSpec &spec : specs) {
      result->memory.emplace_back(spec.bytes());
      if (!result->memory.back().valid())
        return createStringError("no memory for the arguments");
    }
  return result;
}

static std::string packName(int argument) {
  return "pack" + std::to_string(argument);
}

static std::vector<ArgumentPack> packsOf(const TiledProgram &tiled) {
  std::vector<ArgumentPack> packs;
  for (const BufferDesc &buffer : tiled.buffers)
    if (buffer.isPackedArgument())
      packs.push_back({unsigned(buffer.argument),
                       packName(buffer.argument) + "_kernel",
                       buffer.elements() * byteWidth(buffer.type)});
  return packs;
}

/// The object code of the task's kernel under `schedule`.
Expected<std::string>
DifferentialTask::compile(const Schedule &schedule,
                          const DifferentialOptions &options) {
  mlir::MLIRContext &context = *module->getContext();
  TiledProgram tiled = buildTiledProgram(task.desc, schedule);
  mlir::OwningOpRef<mlir::ModuleOp> kernels =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  auto builder = mlir::OpBuilder::atBlockEnd(kernels->getBody());
  emitKernel(builder, "kernel", task, tiled);
  for (const BufferDesc &buffer : tiled.buffers) {
    if (!buffer.isPackedArgument())
      continue;
    auto function = module->lookupSymbol<mlir::func::FuncOp>(program.entry());
    auto [pack, kernel] =
        emitPacking(builder, function.getLoc(), packName(buffer.argument),
                    cast<mlir::RankedTensorType>(
                        function.getArgumentTypes()[buffer.argument]),
                    buffer);
    pack.erase();
  }
  if (Error error = withDiagnostics(context, "verifying the tiled program",
                                    [&] { return mlir::verify(*kernels); }))
    return error;
  mlir::PassManager passes(&context);
  ConvertPrunerToCPUOptions convert;
  convert.threads = options.threads;
  passes.addPass(createConvertPrunerToCPU(convert));
  ToLLVMOptions toLLVM;
  toLLVM.alignment = options.alignment;
  buildToLLVMPipeline(passes, toLLVM);
  if (Error error = withDiagnostics(context, "lowering",
                                    [&] { return passes.run(*kernels); }))
    return error;
  auto object = compileToObject(*kernels);
  if (!object)
    return object.takeError();
  return std::string(object->bytes.begin(), object->bytes.end());
}

/// One call, checked.
std::optional<std::string>
DifferentialTask::run(void *function, PackedArguments &packed,
                      const ReferenceSet &set, bool atEnd, unsigned alignment) {
  std::vector<void *> arguments;
  size_t numInputs = program.inputs().size();
  for (auto [n, buffer] : enumerate(memory)) {
    arguments.push_back(buffer.place(atEnd, alignment));
    if (n < numInputs)
      std::memcpy(buffer.data, set.inputs[n].data(), buffer.size());
  }
  invokeKernel(function, packed.pack(arguments));
  if (auto damage = packed.damage())
    return *damage;
  for (auto [n, buffer] : enumerate(memory)) {
    std::string name = "argument " + std::to_string(n);
    if (!buffer.surroundingsIntact())
      return "wrote around " + name;
    if (n < numInputs &&
        std::memcmp(buffer.data, set.inputs[n].data(), buffer.size()) != 0)
      return "changed the input " + name;
  }
  double errorOverBound = 0;
  for (auto [n, expected] : enumerate(set.outputs))
    if (auto wrong =
            compareOutput(program.outputs()[n], memory[numInputs + n].data,
                          expected, errorOverBound))
      return "wrong result: " + *wrong;
  return std::nullopt;
}

std::optional<std::string>
DifferentialTask::check(const Schedule &schedule,
                        const DifferentialOptions &options) {
  auto object = compile(schedule, options);
  if (!object)
    return toString(object.takeError());
  auto loaded = loadObject(ArrayRef<char>(object->data(), object->size()));
  if (!loaded)
    return toString(loaded.takeError());
  auto function = (*loaded)->lookup("kernel");
  if (!function)
    return toString(function.takeError());
  auto packed = PackedArguments::create(
      **loaded, packsOf(buildTiledProgram(task.desc, schedule)));
  if (!packed)
    return toString(packed.takeError());
  for (auto [n, set] : enumerate(reference.sets))
    for (bool atEnd : {false, true})
      if (auto wrong = run(*function, *packed, set, atEnd, options.alignment))
        return *wrong + (n == 0 ? " (integers" : " (reals") +
               (atEnd ? ", at the end of a page)"
                      : ", at the start of a page)");
  return std::nullopt;
}

std::string DifferentialTask::withSchedule(const Schedule &schedule) const {
  mlir::OwningOpRef<mlir::ModuleOp> copy = program.clone();
  auto function = copy->lookupSymbol<mlir::func::FuncOp>(program.entry());
  function->setAttr(PrunerDialect::getScheduleAttrName(),
                    ScheduleAttr::get(copy->getContext(), schedule));
  std::string text;
  raw_string_ostream(text) << *copy;
  return text;
}
