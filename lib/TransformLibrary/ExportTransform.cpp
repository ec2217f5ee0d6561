//===- ExportTransform.cpp - pruner-export-transform ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/TransformLibrary/Passes.h"

#include "Matchers.h"
#include "Sequences.h"
#include "Sites.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Tensor/TransformOps/TensorTransformOps.h"
#include "mlir/Dialect/Transform/LoopExtension/LoopExtension.h"
#include "mlir/Dialect/Transform/TuneExtension/TuneExtension.h"
#include "mlir/Dialect/Vector/TransformOps/VectorTransformOps.h"

namespace pruner {
#define GEN_PASS_DEF_EXPORTTRANSFORMPASS
#include "pruner/TransformLibrary/Passes.h.inc"
} // namespace pruner

using namespace mlir;
using namespace pruner;

/// The attribute that marks ops for sequences.
static constexpr llvm::StringLiteral kMark = "pruner_task";
/// Its value for ops that are fused to another op.
static constexpr llvm::StringLiteral kFused = "fused";

namespace {

/// Emits the sequences of one library, in the order of their calls.
class Library {
public:
  Library(OpBuilder &builder, Location loc)
      : steps(builder, loc), bodies(steps) {}

  /// A matcher and a sequence for ops like this one, unless there are some.
  void add(Site site);
  /// The entry point.
  void close();

  unsigned numSites = 0, numLeft = 0;
  unsigned numMatchers() const { return entries.size(); }

private:
  struct Entry {
    std::string name;
    const ScheduledTask *task = nullptr;
    unsigned links = 0;
    /// The matcher's conditions, as text.
    std::string conditions;
  };

  std::string freshName(StringRef task);
  void addMark(const Entry &entry);

  Steps steps;
  Bodies bodies;
  std::vector<Entry> entries;
  SiteRemarks remarks;
};

struct ExportTransformPass
    : public pruner::impl::ExportTransformPassBase<ExportTransformPass> {
  using ExportTransformPassBase::ExportTransformPassBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    // Dialects of the library and their extensions.
    registry.insert<PrunerDialect, arith::ArithDialect, func::FuncDialect,
                    linalg::LinalgDialect, math::MathDialect,
                    tensor::TensorDialect, transform::TransformDialect>();
    linalg::registerTransformDialectExtension(registry);
    scf::registerTransformDialectExtension(registry);
    tensor::registerTransformDialectExtension(registry);
    transform::registerLoopExtension(registry);
    transform::registerTuneExtension(registry);
    vector::registerTransformDialectExtension(registry);
  }
  void runOnOperation() override {
    if (failed(write()))
      signalPassFailure();
  }

  LogicalResult fail(const Twine &message) {
    return emitError(getOperation().getLoc(), "pruner-export-transform: ")
           << message;
  }
  LogicalResult write();
};

} // namespace

//===----------------------------------------------------------------------===//
// The library
//===----------------------------------------------------------------------===//

std::string Library::freshName(StringRef task) {
  std::string name = task.str();
  for (unsigned n = 1; llvm::any_of(
           entries, [&](const Entry &entry) { return entry.name == name; });
       ++n)
    name = (task + "_" + Twine(n)).str();
  return name;
}

/// Fails if the body of the anchor of `site` cannot be compared. If that of a
/// link of its chain cannot, this link and all later ones are removed from the
/// chain and named in `lost`.
static llvm::Error keepComparable(Site &site, std::string &lost) {
  if (llvm::Error error = Bodies::check(site.anchor))
    return error;
  for (auto [n, link] : llvm::enumerate(site.chain)) {
    llvm::Error error = Bodies::check(link.op);
    if (!error)
      continue;
    lost = "the elementwise op after it: " + llvm::toString(std::move(error)) +
           ", which upstream's matchers cannot compare";
    site.chain.resize(n);
    break;
  }
  return llvm::Error::success();
}

void Library::add(Site site) {
  const ScheduledTask &task = *site.task;
  auto leave = [&](llvm::Error error) {
    ++numLeft;
    remarks.emit(site, "the schedule of '" + task.name + "' is not exported: " +
                           llvm::toString(std::move(error)));
  };
  std::string unmatched;
  if (llvm::Error error = keepComparable(site, unmatched))
    return leave(std::move(error));
  llvm::Expected<NestPlan> plan = planNest(site);
  if (!plan)
    return leave(plan.takeError());
  if (!unmatched.empty())
    plan->lost.push_back(unmatched);
  std::string name = freshName(task.name);
  transform::NamedSequenceOp matcher =
      makeMatcher(steps, bodies, "is_" + name, site);
  Entry entry = {name, &task, unsigned(site.chain.size()),
                 conditionsOf(matcher)};
  auto same = llvm::find_if(entries, [&](const Entry &other) {
    return other.conditions == entry.conditions;
  });
  if (same != entries.end()) {
    matcher.erase();
    ++numSites;
    if (same->task != &task)
      remarks.emit(site, "upstream's matchers cannot distinguish this op of '" +
                             task.name + "' from ops of '" + same->task->name +
                             "', whose schedule it gets");
    return;
  }
  for (const std::string &lost : plan->lost)
    remarks.emit(site, "the schedule of '" + task.name +
                           "' is exported without " + lost);
  ++numSites;
  addMark(entry);
  makeTuning(steps, "tune_" + name, site, *plan);
  entries.push_back(std::move(entry));
}

/// Marks all ops before any is tuned, because ops cannot be replaced while the
/// interpreter walks over them. A longer chain, which the walk finds later,
/// takes over the ops of shorter ones.
void Library::addMark(const Entry &entry) {
  makeSequence(steps, "mark_" + entry.name, 1 + entry.links, 0,
               /*consumes=*/false, [&](ValueRange ops) -> SmallVector<Value> {
                 Value fused;
                 for (Value link : ops.drop_front()) {
                   if (!fused)
                     fused = steps.text(kFused);
                   transform::AnnotateOp::create(steps.builder, steps.loc, link,
                                                 kMark, fused);
                 }
                 transform::AnnotateOp::create(steps.builder, steps.loc, ops[0],
                                               kMark, steps.text(entry.name));
                 return {};
               });
}

void Library::close() {
  OpBuilder &builder = steps.builder;
  makeSequence(
      steps, transform::TransformDialect::kTransformEntryPointSymbolName, 1, 0,
      /*consumes=*/true, [&](ValueRange arguments) -> SmallVector<Value> {
        // If two chains match the same op, the longer one is correct.
        std::vector<const Entry *> order;
        for (const Entry &entry : entries)
          order.push_back(&entry);
        llvm::stable_sort(order, [](const Entry *a, const Entry *b) {
          return a->links > b->links;
        });
        SmallVector<Attribute> matchers, actions;
        for (const Entry *entry : order) {
          auto *context = builder.getContext();
          matchers.push_back(SymbolRefAttr::get(context, "is_" + entry->name));
          actions.push_back(SymbolRefAttr::get(context, "mark_" + entry->name));
        }
        if (order.empty())
          return {};
        Value module =
            transform::ForeachMatchOp::create(
                builder, steps.loc, steps.anyOp(), TypeRange(), arguments[0],
                ValueRange(), UnitAttr(), UnitAttr(),
                builder.getArrayAttr(matchers), builder.getArrayAttr(actions))
                .getUpdated();
        for (const Entry &entry : entries) {
          Value ops = steps.marked(module, kMark, entry.name);
          auto each = transform::ForeachOp::create(builder, steps.loc,
                                                   TypeRange(), ValueRange(ops),
                                                   /*with_zip_shortest=*/false);
          OpBuilder::InsertionGuard guard(builder);
          Block *body = builder.createBlock(&each.getBody(), {},
                                            {steps.anyOp()}, {steps.loc});
          transform::IncludeOp::create(
              builder, steps.loc, TypeRange(),
              SymbolRefAttr::get(builder.getContext(), "tune_" + entry.name),
              transform::FailurePropagationMode::Propagate,
              ValueRange(body->getArguments()), ArrayAttr(), ArrayAttr());
          transform::YieldOp::create(builder, steps.loc);
        }
        return {};
      });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

LogicalResult ExportTransformPass::write() {
  ModuleOp module = getOperation();
  FailureOr<Sites> found = findSites(
      module, schedules, [&](const Twine &message) { return fail(message); });
  if (failed(found))
    return failure();
  OwningOpRef<ModuleOp> made = ModuleOp::create(module.getLoc());
  OpBuilder builder = OpBuilder::atBlockBegin(made->getBody());
  Library library(builder, module.getLoc());
  for (const Site &site : found->sites)
    library.add(site);
  library.close();
  numTasks = found->tasks.size();
  numSites = library.numSites;
  numLeft = library.numLeft;
  numMatchers = library.numMatchers();
  module->setAttrs(builder.getDictionaryAttr(builder.getNamedAttr(
      transform::TransformDialect::kWithNamedSequenceAttrName,
      builder.getUnitAttr())));
  module.getBodyRegion().takeBody(made->getBodyRegion());
  return success();
}
