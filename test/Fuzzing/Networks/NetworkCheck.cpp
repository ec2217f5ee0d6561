//===- NetworkCheck.cpp - compile, run and check one network --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkCheck.h"

#include "Cases.h"
#include "Fuzzing/Schedules/ScheduleFuzz.h"
#include "NetworkDraw.h"
#include "pruner/Conversion/ExtractTasks/Passes.h"
#include "pruner/Conversion/NetworkToLLVM/Passes.h"
#include "pruner/Conversion/Normalize/Accuracy.h"
#include "pruner/Conversion/Normalize/Passes.h"
#include "pruner/Conversion/SpecializeShapes/Passes.h"
#include "pruner/Conversion/SpecializeShapes/Specialize.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"
#include "pruner/Draft/Passes.h"
#include "pruner/Library/EmitLibrary.h"
#include "pruner/ModuleTasks/ModuleTask.h"
#include "pruner/Runtime/GuardedBuffer.h"
#include "pruner/Schedule/Space.h"
#include "pruner/Support/FindProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <dlfcn.h>

using namespace llvm;
using namespace pruner;

namespace {

/// Tensors as bytes, by the names of arguments and results.
using Data = StringMap<std::vector<uint8_t>>;

/// The arguments and results of a function.
struct Signature {
  std::vector<std::string> inputs, outputs;
  std::vector<mlir::RankedTensorType> inputTypes, outputTypes;

  /// The same in a call of this size.
  Signature of(int64_t size) const;
};

/// Inputs, and results that the interpreter expects of them.
struct Example {
  int64_t size = 0; ///< Of the call; 0 if there are no sizes.
  std::vector<std::vector<uint8_t>> inputs;
  std::vector<RangeTensorRef> expected;
};

class Check {
public:
  Check(mlir::MLIRContext &context, NetworkChoices choices,
        function_ref<void(StringRef)> say)
      : context(context), choices(std::move(choices)), say(say),
        diagnostics(&context, [this](mlir::Diagnostic &diagnostic) {
          note(diagnostic);
        }) {}

  NetworkVerdict run(StringRef text);

private:
  void at(StringRef stage) {
    verdict.stage = stage.str();
    say(stage);
  }
  /// Keeps the first error.
  void note(mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
        message.empty())
      message = diagnostic.str();
  }
  bool fail(const Twine &what) {
    verdict.wrong = what.str() + (message.empty() ? "" : ": " + message);
    return false;
  }
  bool fail(Error error) { return fail(toString(std::move(error))); }

  bool interpret(mlir::func::FuncOp function);
  bool interpretSizes(mlir::func::FuncOp function);
  bool add(mlir::func::FuncOp function, Example example);
  bool specialize();
  bool relax(mlir::ModuleOp module);
  void drawForms(mlir::ModuleOp module);
  bool compile();
  bool schedule(mlir::ModuleOp module, const Environment &environment);
  bool makeLibrary(mlir::ModuleOp module, StringRef entry,
                   const std::string &path);
  bool runAll();
  bool call(const std::string &path, const Signature &signature, int64_t size,
            Data &data);
  bool compare(const Data &data, ArrayRef<RangeTensorRef> expected);

  mlir::MLIRContext &context;
  NetworkChoices choices;
  function_ref<void(StringRef)> say;
  std::string message;
  mlir::ScopedDiagnosticHandler diagnostics;
  NetworkVerdict verdict;

  mlir::OwningOpRef<mlir::ModuleOp> module;
  Signature network, main, prepare;
  bool prepares = false;
  unsigned threads = 1;
  /// Moderate ones first.
  std::vector<Example> examples;
  RangeAttr range; ///< Null if there are no sizes.
};

} // namespace

static Signature signatureOf(mlir::func::FuncOp function) {
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

Signature Signature::of(int64_t size) const {
  Signature signature = *this;
  for (auto *types : {&signature.inputTypes, &signature.outputTypes})
    for (mlir::RankedTensorType &type : *types)
      type = typeOf(type, size);
  return signature;
}

static int64_t bytesOf(mlir::RankedTensorType type) {
  return type.getNumElements() * storedBytes(type.getElementType());
}

/// Normalization makes bytes of these.
static bool isNibbleTensor(mlir::RankedTensorType type) {
  return type.getElementType().isInteger(4);
}

/// Numbers of 4 bits, a byte each, as two per byte.
static std::vector<uint8_t> packNibbles(ArrayRef<uint8_t> numbers) {
  std::vector<uint8_t> bytes;
  for (size_t n = 0; n + 1 < numbers.size(); n += 2)
    bytes.push_back((numbers[n] & 15) | numbers[n + 1] << 4);
  return bytes;
}

/// Filters that slide over zeros between elements or around them.
/// pruner-split-upsampled-inputs and pruner-split-padded-windows leave out the
/// products with these zeros, as documented, even if the filter is infinite or
/// NaN.
static DenseSet<mlir::Value> filtersOfZeros(mlir::func::FuncOp function) {
  DenseSet<mlir::Value> filters;
  function.walk([&](mlir::linalg::LinalgOp op) {
    auto inputs = op.getDpsInputs();
    for (mlir::Value input : inputs)
      if (isa_and_nonnull<mlir::tensor::InsertSliceOp, mlir::tensor::PadOp>(
              input.getDefiningOp()))
        for (mlir::Value other : inputs)
          if (other != input)
            filters.insert(other);
  });
  return filters;
}

/// Whether floats are converted to integers. The result for NaN and infinity is
/// undefined, and may be outside of the type.
static bool convertsToIntegers(mlir::func::FuncOp function) {
  return function
      .walk([](mlir::Operation *op) {
        return isa<mlir::arith::FPToSIOp, mlir::arith::FPToUIOp>(op)
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

static bool hasRange(mlir::func::FuncOp function) {
  return any_of(seq(function.getNumArguments()), [&](unsigned n) {
    return bool(function.getArgAttr(n, PrunerDialect::getRangeAttrName()));
  });
}

bool Check::interpret(mlir::func::FuncOp function) {
  at("interpreting");
  DenseSet<mlir::Value> filters = filtersOfZeros(function);
  bool undefined = any_of(filters, [](mlir::Value filter) {
    return filter.getDefiningOp() &&
           !filter.getDefiningOp<mlir::arith::ConstantOp>();
  });
  undefined |= convertsToIntegers(function);
  for (bool special : {false, true}) {
    // Relaxations may treat NaN and infinity otherwise.
    undefined |= !choices.accuracy.empty();
    if (special && (undefined || choices.random.uniform(3) == 0))
      break;
    auto bytes =
        drawInputs(function.getArgumentTypes(), choices.inputSeed, special);
    for (auto [n, argument] : enumerate(function.getArguments()))
      if (special && filters.contains(argument))
        bytes[n] = examples[0].inputs[n];
    // Results for special values may be undefined.
    if (!add(function, {0, std::move(bytes), {}}))
      return special;
  }
  return true;
}

/// Interprets one more example; false, with the reason, if that fails.
bool Check::add(mlir::func::FuncOp function, Example example) {
  std::vector<RangeTensorRef> arguments;
  for (auto [type, data] :
       zip(network.of(example.size).inputTypes, example.inputs))
    arguments.push_back(readTensor(type, data.data()));
  Interpreter interpreter;
  auto results = interpreter.run(function, arguments);
  if (!results) {
    verdict.skipped = toString(results.takeError());
    return false;
  }
  verdict.skipped.clear();
  example.expected = std::move(*results);
  examples.push_back(std::move(example));
  return true;
}

/// Arguments with this name are divisors.
static void removeZeros(mlir::RankedTensorType type,
                        std::vector<uint8_t> &bytes) {
  int64_t width = storedBytes(type.getElementType());
  for (size_t n = 0; n < bytes.size(); n += width)
    if (all_of(ArrayRef(bytes).slice(n, width),
               [](uint8_t byte) { return byte == 0; }))
      bytes[n] = 1;
}

bool Check::interpretSizes(mlir::func::FuncOp function) {
  at("interpreting");
  int64_t least = range.getMin(), greatest = range.getMax();
  SmallVector<int64_t> sizes = {least, greatest};
  for (int64_t n = least; n <= greatest; ++n)
    if (range.contains(n) && choices.random.uniform(greatest) < 3)
      sizes.push_back(n);
  size_t inRange = sizes.size();
  // Also sizes that the range does not promise.
  for (int64_t n : {greatest + 1, 2 * greatest + 3, int64_t(1)})
    if (n <= 40)
      sizes.push_back(n);
  for (auto [k, size] : enumerate(sizes)) {
    Signature signature = network.of(size);
    auto types = llvm::to_vector_of<mlir::Type>(signature.inputTypes);
    bool special =
        !convertsToIntegers(function) && choices.random.uniform(4) == 0;
    Example example{
        size, drawInputs(types, choices.inputSeed + k, special), {}};
    for (auto [name, type, bytes] :
         zip(signature.inputs, signature.inputTypes, example.inputs))
      if (StringRef(name).starts_with("divisor"))
        removeZeros(type, bytes);
    if (!add(function, std::move(example)) && !special && k < inRange)
      return false;
    verdict.skipped.clear();
  }
  return !examples.empty();
}

/// Whether a value exists that is in both ranges.
static bool overlap(mlir::Type element, const Cell &a, const Cell &b) {
  if (isa<mlir::FloatType>(element))
    return (a.real.nan && b.real.nan) ||
           std::max(a.real.lo, b.real.lo) <= std::min(a.real.hi, b.real.hi);
  return std::max(a.integer.lo, b.integer.lo) <=
         std::min(a.integer.hi, b.integer.hi);
}

/// Whether a relaxation rounds numbers in the middle of the computation, so
/// that results leave their ranges.
static bool roundsTensors(StringRef accuracy) {
  return any_of(splitAccuracy(accuracy), [](StringRef name) {
    return name.starts_with("bf16-") || name.starts_with("tf32-");
  });
}

/// Whether the result of `function` may be another one behind a small change of
/// a number, because numbers decide what is computed.
static bool jumps(mlir::func::FuncOp function) {
  return function
      .walk([](mlir::Operation *op) {
        return isa<mlir::arith::CmpFOp, mlir::arith::FPToSIOp,
                   mlir::arith::FPToUIOp, mlir::math::RoundEvenOp,
                   mlir::math::RoundOp, mlir::math::FloorOp, mlir::math::CeilOp,
                   mlir::math::TruncOp>(op)
                   ? mlir::WalkResult::interrupt()
                   : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether the middles of the finite ranges of two tensors of floats differ by
/// less than an eighth of the largest one.
static bool isNear(const RangeTensor &a, const RangeTensor &b) {
  double largest = 0, difference = 0;
  for (auto [x, y] : zip_equal(a.cells, b.cells)) {
    double before = (x.real.lo + x.real.hi) / 2,
           after = (y.real.lo + y.real.hi) / 2;
    if (!std::isfinite(before) || !std::isfinite(after))
      continue;
    largest = std::max(largest, std::fabs(before));
    difference = std::max(difference, std::fabs(before - after));
  }
  return difference <= largest / 8;
}

/// Chooses a form at random of each part that has no chosen one.
void Check::drawForms(mlir::ModuleOp module) {
  module.walk([&](AlternativesOp op) {
    auto names = op.getNames().getAsRange<mlir::StringAttr>();
    if (!op.getChosenAttr())
      op.setChosenAttr(*std::next(
          names.begin(), choices.random.uniform(op.getNames().size())));
  });
}

/// Applies the relaxations to a normalized module, and expects its results from
/// now on.
bool Check::relax(mlir::ModuleOp module) {
  at("relaxing the accuracy");
  mlir::PassManager passes(&context);
  buildRelaxAccuracyPipeline(passes, choices.accuracy, /*machines=*/{},
                             /*measures=*/choices.random.uniform(2));
  if (mlir::failed(passes.run(module)))
    return fail("relaxing the accuracy failed");
  drawForms(module);
  auto function = module.lookupSymbol<mlir::func::FuncOp>("main");
  for (Example &example : examples) {
    std::vector<RangeTensorRef> &results = example.expected, arguments;
    for (auto [type, own, data] :
         zip(network.inputTypes, function.getArgumentTypes(), example.inputs)) {
      bool packed = isNibbleTensor(type) && own != type;
      arguments.push_back(
          readTensor(own, (packed ? packNibbles(data) : data).data()));
    }
    Interpreter interpreter;
    auto relaxed = interpreter.run(function, arguments);
    if (!relaxed)
      return fail(relaxed.takeError());
    for (auto [n, type] : enumerate(network.outputTypes)) {
      const RangeTensor &before = *results[n], &after = *(*relaxed)[n];
      mlir::Type element = type.getElementType();
      bool agree =
          roundsTensors(choices.accuracy)
              ? jumps(function) || !isa<mlir::FloatType>(element) ||
                    isNear(before, after)
              : all_of(zip_equal(before.cells, after.cells), [&](auto pair) {
                  return overlap(element, std::get<0>(pair), std::get<1>(pair));
                });
      if (!agree)
        return fail("result " + Twine(n) + " cannot be what it was");
    }
    results = std::move(*relaxed);
  }
  return true;
}

bool Check::schedule(mlir::ModuleOp module, const Environment &environment) {
  // Mostly with a lower limit for the work of a task; otherwise small networks
  // would have few tasks.
  bool relaxes = !choices.accuracy.empty();
  if (choices.random.uniform(3) || relaxes) {
    mlir::PassManager normalize(&context);
    buildNormalizePipeline(normalize);
    if (mlir::failed(normalize.run(module)))
      return fail("normalizing failed");
    if (relaxes && !relax(module))
      return false;
    mlir::PassManager passes(&context);
    ExtractTasksPassOptions extract;
    extract.minElements = choices.random.uniform(2) ? 1 : 128;
    if (choices.chip.empty())
      extract.joinProducts = JoinProducts(choices.random.uniform(3));
    if (choices.random.uniform(2))
      passes.addPass(createMoveChannelsLastPass({environment.machine}));
    passes.addPass(createExtractTasksPass(extract));
    if (mlir::failed(passes.run(module)))
      return fail("normalizing or extracting tasks failed");
    drawForms(module);
  }
  auto tasks = collectTasks(module);
  if (mlir::failed(tasks))
    return fail("normalizing or extracting tasks failed");
  at("drawing schedules");
  // If a network names none of its arguments, the dialect is not loaded yet.
  context.getOrLoadDialect<PrunerDialect>();
  // Schedule all tasks of most networks, some tasks of others, or none.
  unsigned share = choices.random.uniform(8);
  for (const ModuleTask &task : *tasks) {
    ++verdict.tasks;
    if (share == 0 || (share == 1 && choices.random.uniform(2)))
      continue;
    ScheduleSpace space(task.desc, environment.machine);
    std::optional<Schedule> schedule = space.sample(choices.random);
    // A schedule that takes long to compile is mostly drawn again.
    for (unsigned again = 0; again < 4 && schedule && isLong(*schedule);
         ++again)
      schedule = space.sample(choices.random);
    if (!schedule)
      continue;
    ++verdict.scheduled;
    mlir::func::FuncOp function = task.function;
    auto attribute = ScheduleAttr::get(&context, *schedule);
    function->setAttr(PrunerDialect::getScheduleAttrName(), attribute);
    raw_string_ostream(verdict.how)
        << "  task " << task.key << ": " << attribute << "\n";
  }
  return true;
}

bool Check::makeLibrary(mlir::ModuleOp module, StringRef entry,
                        const std::string &path) {
  LibraryOptions options;
  options.output = path;
  options.entry = entry.str();
  options.plainLevel = choices.random.uniform(4) ? 1 : 3;
  if (entry == "main") // Constants are prepared on the CPU.
    options.chip = choices.chip;
  verdict.how += "  @" + entry.str() + " at level " +
                 std::to_string(options.plainLevel) + "\n";
  // Takes a fraction of the time of a compiler driver.
  if (findProgram("ld.lld"))
    options.linker = "ld.lld";
  // In a separate context with the dialects of pruner-translate. Additional
  // dialects would register interfaces that the tools of users lack.
  std::string text;
  raw_string_ostream os(text);
  module.print(os);
  mlir::MLIRContext fresh(libraryDialects(),
                          mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler handler(
      &fresh, [this](mlir::Diagnostic &diagnostic) { note(diagnostic); });
  auto copy = parseModuleText(text, &fresh, "lowered");
  if (!copy)
    return fail("what was lowered does not parse");
  auto report = emitLibrary(*copy, options);
  return report ? true : fail(report.takeError());
}

/// Makes functions of static shape for some sizes.
bool Check::specialize() {
  at("specializing");
  mlir::PassManager passes(&context);
  passes.addNestedPass<mlir::func::FuncOp>(createLiftBranchesPass());
  if (choices.random.uniform(4) == 0)
    buildNormalizePipeline(passes);
  SpecializeShapesPassOptions options;
  options.entry = "main";
  if (choices.random.uniform(12) == 0) {
    ChooseSizesPassOptions choose;
    choose.entry = "main";
    choose.population = 2;
    choose.threads = 1;
    choose.candidates = {range.getMax()};
    for (int64_t n = 1; n < range.getMax(); ++n)
      if (choices.random.uniform(range.getMax()) < 3)
        choose.candidates.push_back(n);
    passes.addPass(createChooseSizesPass(choose));
  } else {
    for (int64_t n = 1; n <= range.getMax(); ++n)
      if (choices.random.uniform(range.getMax()) < 2)
        options.sizes.push_back(n);
    if (options.sizes.empty())
      options.sizes = {1 + int64_t(choices.random.uniform(range.getMax()))};
  }
  passes.addPass(createSpecializeShapesPass(options));
  if (mlir::failed(passes.run(*module))) {
    // Sizes are chosen by the times of tasks, padded to all sizes. Those below
    // the range may not have a shape.
    bool chooses = options.sizes.empty();
    if ((chooses && StringRef(message).contains("cannot be padded along")) ||
        (StringRef(message).contains(": an extent is -") && range.getMin() > 1))
      verdict.skipped = message;
    else
      fail("specializing failed");
    return false;
  }
  module->walk([&](mlir::func::FuncOp function) {
    if (auto plan = function->getAttr(PrunerDialect::getPlanAttrName()))
      raw_string_ostream(verdict.how) << "  " << plan << "\n";
  });
  // Users write it to a file.
  std::string text;
  raw_string_ostream os(text);
  module->print(os);
  module = parseModuleText(text, &context, "specialized");
  return module ? true : fail("what was specialized does not parse");
}

bool Check::compile() {
  at("normalizing and extracting");
  Environment environment;
  if (choices.chip.empty()) {
    environment.machine = anyCpu(16 << choices.random.uniform(3));
    threads = environment.threads =
        choices.random.uniform(3) ? 1 : 1 + choices.random.uniform(3);
  } else {
    auto device = Environment::create("nvidia:" + choices.chip, 1);
    if (!device)
      return fail(device.takeError());
    environment = std::move(*device);
  }
  // Some networks as pruner-translate accepts them: neither normalized nor
  // scheduled. Numbers of 4 bits must be normalized.
  bool asWritten = choices.random.uniform(6) == 0 && choices.accuracy.empty() &&
                   none_of(network.inputTypes, isNibbleTensor);
  verdict.how += asWritten ? "  as written\n" : "  normalized\n";
  if (range && !specialize())
    return false;
  if (!asWritten && !schedule(*module, environment))
    return false;
  at("lowering kernels");
  if (!asWritten && mlir::failed(lowerScheduled(*module, environment)))
    return fail("lowering kernels failed");
  bool hoist = !asWritten && !range && choices.random.uniform(4);
  if (hoist) {
    at("hoisting constants");
    mlir::PassManager passes(&context);
    passes.addPass(createHoistConstantsPass());
    if (mlir::failed(passes.run(*module)))
      return fail("hoisting constants failed");
  }
  at("making the library");
  main = signatureOf(module->lookupSymbol<mlir::func::FuncOp>("main"));
  auto ahead = module->lookupSymbol<mlir::func::FuncOp>("main_prepare");
  prepares = bool(ahead);
  if (ahead) {
    prepare = signatureOf(ahead);
    if (!makeLibrary(*module, "main_prepare",
                     choices.directory + "/prepare.so"))
      return false;
  }
  return makeLibrary(*module, "main", choices.directory + "/main.so");
}

bool Check::call(const std::string &path, const Signature &signature,
                 int64_t size, Data &data) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail(std::string("the library does not load: ") + dlerror());
  auto close = make_scope_exit([&] { dlclose(library); });
  auto symbol = [&](const char *name) { return dlsym(library, name); };
  auto run = reinterpret_cast<int (*)(const void *const *, void *const *)>(
      symbol("pruner_run"));
  auto error = reinterpret_cast<const char *(*)()>(symbol("pruner_error"));
  auto setThreads =
      reinterpret_cast<void (*)(int)>(symbol("pruner_set_threads"));
  if (!run || !error || !setThreads)
    return fail("the library lacks a function");
  auto runSized =
      reinterpret_cast<int (*)(int64_t, const void *const *, void *const *)>(
          symbol("pruner_run_sized"));
  if (bool(runSized) != (size > 0))
    return fail("pruner_run_sized belongs to networks of several sizes");
  setThreads(int(threads));
  std::vector<GuardedBuffer> buffers;
  std::vector<void *> pointers;
  auto allocate = [&](int64_t bytes) {
    auto buffer = GuardedBuffer::allocate(bytes);
    if (buffer) {
      pointers.push_back(buffer->data());
      buffers.push_back(std::move(*buffer));
    }
    return bool(buffer);
  };
  for (auto [name, type] : zip(signature.inputs, signature.inputTypes)) {
    auto known = data.find(name);
    if (known == data.end() || int64_t(known->second.size()) != bytesOf(type))
      return fail("the library wants '" + name + "', which is not known");
    if (!allocate(bytesOf(type)))
      return fail("no memory");
    std::memcpy(pointers.back(), known->second.data(), known->second.size());
  }
  for (mlir::RankedTensorType type : signature.outputTypes)
    if (!allocate(bytesOf(type)))
      return fail("no memory");
  size_t numInputs = signature.inputs.size();
  // Twice, because the workspace is kept, and its contents must not matter.
  auto runOnce = [&](int64_t size) {
    void **outputs = pointers.data() + numInputs;
    return runSized ? runSized(size, pointers.data(), outputs)
                    : run(pointers.data(), outputs);
  };
  for (unsigned times = 0; times < 2; ++times)
    if (int code = runOnce(size))
      return fail("pruner_run returned " + Twine(code) + " (" + error() + ")");
  for (int64_t bad : {0, -1})
    if (runSized &&
        (runOnce(bad) == 0 || !StringRef(error()).contains(range.getName())))
      return fail("a call of size " + Twine(bad) + " gives '" + error() + "'");
  for (auto [n, buffer] : enumerate(buffers)) {
    if (auto damage = buffer.damage())
      return fail("around argument " + Twine(n) + ": " + *damage);
    if (n < numInputs &&
        std::memcmp(buffer.data(), data[signature.inputs[n]].data(),
                    buffer.size()) != 0)
      return fail("the input '" + signature.inputs[n] + "' was changed");
    if (n >= numInputs) {
      auto *bytes = static_cast<uint8_t *>(buffer.data());
      data[signature.outputs[n - numInputs]].assign(bytes,
                                                    bytes + buffer.size());
    }
  }
  return true;
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
    if (!call(choices.directory + "/main.so", main.of(example.size),
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
  network = signatureOf(function);
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
