//===- Reduce.cpp - reduce networks that go wrong -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Cases.h"
#include "Fuzzing/Schedules/Forked.h"
#include "NetworkDraw.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

#include <chrono>
#include <set>

using namespace llvm;
using namespace pruner;

namespace {

class Reducer {
public:
  Reducer(const NetworkFuzzOptions &options, raw_ostream &log)
      : options(options), log(log), shared(shareProgress()),
        context(networkDialects(), mlir::MLIRContext::Threading::DISABLED),
        diagnostics(&context, [](mlir::Diagnostic &) {}) {}

  bool start(StringRef text);
  /// Until nothing helps any more, ten minutes have passed, or the executable
  /// was replaced.
  void run();
  const std::string &smallest() const { return best; }

private:
  using Module = mlir::OwningOpRef<mlir::ModuleOp>;

  /// How the network goes wrong, reduced to what must stay the same; empty if
  /// it does not.
  std::string failure(StringRef text);
  bool accept(StringRef text);
  bool accept(mlir::ModuleOp module);
  Module parse(StringRef text) {
    return parseModuleText(text, &context, "network");
  }
  static mlir::func::FuncOp mainOf(mlir::ModuleOp module) {
    return module.lookupSymbol<mlir::func::FuncOp>("main");
  }

  bool returnEarlier();
  bool dropResults();
  bool openRegions();
  bool cutOperands();
  bool shrinkExtents();
  bool shrinkTypes();

  const NetworkFuzzOptions &options;
  raw_ostream &log;
  CaseProgress *shared;
  mlir::MLIRContext context;
  mlir::ScopedDiagnosticHandler diagnostics;
  TemporaryDirectory directory;
  std::set<std::string> tried;
  std::string kind, best;
  unsigned numCut = 0;
};

} // namespace

/// Removes what may differ between networks that fail alike: numbers and names.
static std::string shortened(StringRef message) {
  std::string text;
  bool quoted = false;
  for (char c : message.take_front(80)) {
    if (c == '\'')
      quoted = !quoted;
    if (!quoted && !isDigit(c) && c != 'x')
      text += c;
  }
  return text;
}

std::string Reducer::failure(StringRef text) {
  // A smaller network has other tasks, so try other schedules.
  for (uint64_t schedules = 0; schedules < options.count; ++schedules) {
    copyText(shared->wrong, "");
    ChildEnd end = runChild([&] {
      limitTime(options.timeout);
      NetworkVerdict verdict = checkNetwork(
          context, text,
          choicesOf(options, options.first, schedules, directory.path),
          [&](StringRef stage) { copyText(shared->stage, stage); });
      if (verdict.wrong.empty())
        return;
      copyText(shared->wrong,
               verdict.stage == "comparing"
                   ? verdict.stage
                   : verdict.stage + ": " + shortened(verdict.wrong));
    });
    if (executableIsReplaced()) // Whatever it is, the network is not to blame.
      return "";
    if (end.crashed)
      return std::string(shared->stage) + ": " + end.how;
    if (shared->wrong[0])
      return shared->wrong;
  }
  return "";
}

bool Reducer::accept(StringRef text) {
  if (!tried.insert(text.str()).second || failure(text) != kind)
    return false;
  best = text.str();
  log << formatv("{0} lines\n", StringRef(best).count('\n'));
  return true;
}

/// Removes unused operations, functions and arguments.
static void clean(mlir::func::FuncOp function) {
  mlir::ModuleOp module = function->getParentOfType<mlir::ModuleOp>();
  // The operands of an operation in a region are dead after that one is
  // removed.
  for (bool changed = true; changed;) {
    SmallVector<mlir::Operation *> dead;
    module.walk([&](mlir::Operation *op) {
      if (mlir::isOpTriviallyDead(op))
        dead.push_back(op);
    });
    for (auto other : module.getOps<mlir::func::FuncOp>())
      if (other != function &&
          mlir::SymbolTable::symbolKnownUseEmpty(other, module))
        dead.push_back(other);
    SmallVector<mlir::Operation *> outermost;
    copy_if(dead, std::back_inserter(outermost), [&](mlir::Operation *op) {
      return none_of(dead, [&](mlir::Operation *outer) {
        return outer->isProperAncestor(op);
      });
    });
    changed = !outermost.empty();
    for (mlir::Operation *op : outermost)
      op->erase();
  }
  mlir::Block &block = function.getBody().front();
  BitVector unused(block.getNumArguments());
  for (auto [n, argument] : enumerate(block.getArguments()))
    if (argument.use_empty())
      unused.set(n);
  (void)function.eraseArguments(unused);
}

static void setResults(mlir::func::FuncOp function,
                       ArrayRef<mlir::Value> values) {
  mlir::Operation *end = function.getBody().front().getTerminator();
  end->setOperands(values);
  SmallVector<mlir::Type> types;
  for (mlir::Value value : values)
    types.push_back(value.getType());
  function.setFunctionType(mlir::FunctionType::get(
      function.getContext(), function.getArgumentTypes(), types));
}

bool Reducer::accept(mlir::ModuleOp module) {
  clean(mainOf(module));
  if (mlir::failed(mlir::verify(module)))
    return false;
  std::string text;
  raw_string_ostream os(text);
  mlir::OpPrintingFlags flags;
  module->print(os, flags.useLocalScope());
  return accept(text);
}

bool Reducer::start(StringRef text) {
  if (!shared || directory.path.empty())
    return false;
  kind = failure(text);
  best = text.str();
  if (kind.empty())
    return false;
  log << "goes wrong: " << kind << "\n";
  return true;
}

static bool isStaticTensor(mlir::Value value) {
  auto type = dyn_cast<mlir::RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

/// Makes one intermediate value the only result: the earliest one that still
/// fails.
bool Reducer::returnEarlier() {
  Module module = parse(best);
  unsigned count = 0;
  for (mlir::Operation &op : mainOf(*module).getBody().front())
    count += op.getNumResults();
  for (unsigned wanted = 0; wanted < count; ++wanted) {
    Module copy = module->clone();
    unsigned n = 0;
    for (mlir::Operation &op : mainOf(*copy).getBody().front())
      for (mlir::Value value : op.getResults())
        if (n++ == wanted && isStaticTensor(value)) {
          setResults(mainOf(*copy), {value});
          if (accept(*copy))
            return true;
          goto next;
        }
  next:;
  }
  return false;
}

bool Reducer::dropResults() {
  Module module = parse(best);
  mlir::func::FuncOp function = mainOf(*module);
  SmallVector<mlir::Value> values(
      function.getBody().front().getTerminator()->getOperands());
  for (size_t n = 0; values.size() > 1 && n < values.size(); ++n) {
    Module copy = module->clone();
    SmallVector<mlir::Value> fewer(
        mainOf(*copy).getBody().front().getTerminator()->getOperands());
    fewer.erase(fewer.begin() + n);
    setResults(mainOf(*copy), fewer);
    if (accept(*copy))
      return true;
  }
  return false;
}

/// Calls, loops and branches.
static SmallVector<mlir::Operation *> controlOf(mlir::ModuleOp module) {
  SmallVector<mlir::Operation *> found;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (isa<mlir::scf::IfOp, mlir::scf::IndexSwitchOp, mlir::scf::ForOp,
            mlir::func::CallOp>(op))
      found.push_back(op);
  });
  return found;
}

/// Replaces `op` by the contents of one of its regions.
static void open(mlir::Operation *op, unsigned region) {
  mlir::OpBuilder builder(op);
  mlir::Block *body;
  mlir::IRMapping mapping;
  if (auto call = dyn_cast<mlir::func::CallOp>(op)) {
    auto callee =
        op->getParentOfType<mlir::ModuleOp>().lookupSymbol<mlir::func::FuncOp>(
            call.getCallee());
    body = &callee.getBody().front();
    mapping.map(body->getArguments(), call.getOperands());
  } else {
    body = &op->getRegion(region).front();
    if (auto loop = dyn_cast<mlir::scf::ForOp>(op)) {
      mapping.map(loop.getInductionVar(), loop.getLowerBound());
      mapping.map(loop.getRegionIterArgs(), loop.getInitArgs());
    }
  }
  for (mlir::Operation &inner : body->without_terminator())
    builder.clone(inner, mapping);
  for (auto [result, value] :
       zip(op->getResults(), body->getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  op->erase();
}

/// Replaces a choice, a loop or a call by one branch or iteration, or by the
/// body of the function.
bool Reducer::openRegions() {
  Module module = parse(best);
  SmallVector<mlir::Operation *> all = controlOf(*module);
  for (auto [n, op] : enumerate(all))
    for (unsigned region = 0; region < std::max(1u, op->getNumRegions());
         ++region) {
      if (op->getNumRegions() > 0 && op->getRegion(region).empty())
        continue;
      Module copy = module->clone();
      open(controlOf(*copy)[n], region);
      if (accept(*copy))
        return true;
    }
  return false;
}

/// Results of operations, except in bodies of linalg, outer ones first.
static SmallVector<mlir::Value> resultsIn(mlir::ModuleOp module) {
  SmallVector<mlir::Value> found;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    append_range(found, op->getResults());
    return isa<mlir::linalg::LinalgOp>(op) ? mlir::WalkResult::skip()
                                           : mlir::WalkResult::advance();
  });
  return found;
}

/// Replaces the result of an operation by an argument, or by its own operand of
/// the same type.
bool Reducer::cutOperands() {
  Module module = parse(best);
  unsigned count = resultsIn(*module).size();
  for (unsigned wanted = count; wanted-- > 0;)
    for (bool forwards : {true, false}) {
      Module copy = module->clone();
      mlir::func::FuncOp function = mainOf(*copy);
      mlir::Value value = resultsIn(*copy)[wanted];
      if (!isStaticTensor(value))
        continue;
      // The arguments are those of @main.
      if (!forwards && !function->isAncestor(value.getDefiningOp()))
        continue;
      mlir::Value other;
      if (forwards) {
        // But never by an uninitialized tensor.
        for (mlir::Value operand : value.getDefiningOp()->getOperands())
          if (!other && operand.getType() == value.getType() &&
              !operand.getDefiningOp<mlir::tensor::EmptyOp>())
            other = operand;
      } else if (value.getDefiningOp()->getNumOperands() > 0 ||
                 value.getDefiningOp()
                     ->hasTrait<mlir::OpTrait::ConstantLike>()) {
        // A name of its own: the default would be that of another argument
        // after arguments were removed.
        unsigned at = function.getNumArguments();
        mlir::Builder builder(copy->getContext());
        mlir::NamedAttribute name = builder.getNamedAttr(
            "pruner.name",
            builder.getStringAttr("cut" + std::to_string(numCut++)));
        if (mlir::failed(function.insertArgument(
                at, value.getType(), builder.getDictionaryAttr(name),
                value.getLoc())))
          continue;
        other = function.getArgument(at);
      }
      if (!other)
        continue;
      value.replaceAllUsesWith(other);
      if (accept(*copy))
        return true;
    }
  return false;
}

/// Replaces a number everywhere in shapes and in lists in brackets.
static std::string replaceExtent(StringRef text, StringRef from, StringRef to) {
  std::string result;
  for (size_t n = 0; n < text.size();) {
    bool starts = n == 0 ||
                  !(isAlnum(text[n - 1]) || text[n - 1] == '%' ||
                    text[n - 1] == '_' || text[n - 1] == '.') ||
                  (text[n - 1] == 'x' && n > 1 && isDigit(text[n - 2]));
    if (starts && text.substr(n).starts_with(from)) {
      char behind = n + from.size() < text.size() ? text[n + from.size()] : ' ';
      if (behind == 'x' || behind == ',' || behind == ']') {
        result += to;
        n += from.size();
        continue;
      }
    }
    result += text[n++];
  }
  return result;
}

bool Reducer::shrinkExtents() {
  std::set<int64_t> extents;
  Module module = parse(best);
  module->walk([&](mlir::Operation *op) {
    for (mlir::Value value : op->getResults())
      if (auto type = dyn_cast<mlir::RankedTensorType>(value.getType()))
        extents.insert(type.getShape().begin(), type.getShape().end());
  });
  for (mlir::Type type : mainOf(*module).getArgumentTypes())
    if (auto tensor = dyn_cast<mlir::RankedTensorType>(type))
      extents.insert(tensor.getShape().begin(), tensor.getShape().end());
  for (int64_t extent : reverse(extents))
    for (int64_t smaller : {int64_t(1), int64_t(2), int64_t(3), extent / 2})
      if (smaller > 0 && smaller < extent) {
        std::string text = replaceExtent(best, std::to_string(extent),
                                         std::to_string(smaller));
        if (text != best && parse(text) && accept(text))
          return true;
      }
  return false;
}

bool Reducer::shrinkTypes() {
  static const std::pair<const char *, const char *> pairs[] = {
      {"f64", "f32"}, {"bf16", "f32"}, {"f16", "f32"},
      {"i64", "i32"}, {"i16", "i32"},  {"f32", "i32"}};
  for (auto [from, to] : pairs) {
    std::string text;
    for (size_t n = 0; n < best.size();) {
      StringRef rest = StringRef(best).substr(n);
      bool whole = n == 0 || !isAlpha(best[n - 1]) || best[n - 1] == 'x';
      if (whole && rest.starts_with(from)) {
        text += to;
        n += StringRef(from).size();
      } else {
        text += best[n++];
      }
    }
    if (text != best && parse(text) && accept(text))
      return true;
  }
  return false;
}

void Reducer::run() {
  auto begin = std::chrono::steady_clock::now();
  auto late = [&] {
    return executableIsReplaced() ||
           std::chrono::steady_clock::now() - begin > std::chrono::minutes(10);
  };
  bool changed = true;
  while (changed && !late())
    changed = returnEarlier() || dropResults() || openRegions() ||
              cutOperands() || shrinkExtents() || shrinkTypes();
}

bool pruner::reduceNetworkFile(const NetworkFuzzOptions &options,
                               const std::string &file, raw_ostream &out,
                               raw_ostream &log) {
  auto buffer = MemoryBuffer::getFile(file);
  if (!buffer) {
    log << file << ": " << buffer.getError().message() << "\n";
    return false;
  }
  NetworkFuzzOptions few = options;
  few.count = std::min<uint64_t>(few.count, 4);
  Reducer reducer(few, log);
  if (!reducer.start((*buffer)->getBuffer())) {
    log << file << ": "
        << (executableIsReplaced() ? "the executable was replaced; run it again"
                                   : "does not go wrong")
        << "\n";
    return false;
  }
  reducer.run();
  if (executableIsReplaced())
    log << file
        << ": stopped early, as the executable was replaced; run it again on "
           "what is printed\n";
  out << reducer.smallest();
  return true;
}
