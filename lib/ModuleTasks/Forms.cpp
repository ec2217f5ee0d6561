//===- Forms.cpp - choose the forms of parts of a module ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/ModuleTasks/Forms.h"

#include "pruner/Support/Table.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace mlir;
using namespace pruner;

namespace {
class NetworkReader {
public:
  explicit NetworkReader(llvm::ArrayRef<ModuleTask> tasks) {
    for (auto [n, task] : llvm::enumerate(tasks))
      numbers[func::FuncOp(task.function).getName()] = unsigned(n);
  }

  NetworkPart read(Region &region) const {
    NetworkPart part;
    region.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op))
        if (auto found = numbers.find(call.getCallee()); found != numbers.end())
          part.calls.push_back({found->second, 1});
      auto forms = dyn_cast<AlternativesOp>(op);
      if (!forms)
        return WalkResult::advance();
      add(forms, part);
      return WalkResult::skip();
    });
    return part;
  }

  /// Whether all tasks that the op calls are known.
  bool isKnown(Operation *op) const {
    auto visit = [&](func::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      return !callee || numbers.contains(callee.getName()) ||
                     !callee->hasAttr(PrunerDialect::getTaskAttrName())
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    };
    return !op->walk(visit).wasInterrupted();
  }

private:
  void add(AlternativesOp op, NetworkPart &part) const {
    NetworkPart::Forms forms;
    for (Region &form : op.getForms())
      forms.push_back(read(form));
    if (op.getChosenAttr()) {
      NetworkPart &chosen = forms[op.getChosenIndex()];
      llvm::append_range(part.calls, chosen.calls);
      llvm::append_range(part.choices, chosen.choices);
    } else if (isKnown(op)) {
      part.choices.push_back(std::move(forms));
    } else {
      // The known tasks of any form.
      NetworkPart any;
      any.choices.push_back(std::move(forms));
      auto all = [](const NetworkPart::Forms &, unsigned) { return true; };
      for (auto [n, count] :
           llvm::enumerate(any.countCalls(numbers.size(), all)))
        if (count > 0)
          part.calls.push_back({unsigned(n), count});
    }
  }

  llvm::StringMap<unsigned> numbers;
};
} // namespace

NetworkPart pruner::readNetwork(ModuleOp module,
                                llvm::ArrayRef<ModuleTask> tasks) {
  NetworkReader reader(tasks);
  NetworkPart network = reader.read(module.getBodyRegion());
  std::vector<NetworkPart> forms;
  module.walk([&](AlternativesOp op) {
    for (Region &form : op.getForms())
      forms.push_back(reader.read(form));
  });
  std::vector<bool> isInForm(tasks.size());
  for (const NetworkPart &form : forms)
    for (const NetworkPart::Calls &of : form.calls)
      isInForm[of.task] = true;
  // The weight may have been edited.
  llvm::erase_if(network.calls,
                 [&](const auto &of) { return !isInForm[of.task]; });
  for (auto [n, task] : llvm::enumerate(tasks))
    if (!isInForm[n] && task.weight > 0)
      network.calls.push_back({unsigned(n), task.weight});
  return network;
}

/// The names of the functions that a form calls, in order.
static std::string calleesOf(Region &form) {
  llvm::SetVector<llvm::StringRef> names;
  form.walk([&](func::CallOp call) { names.insert(call.getCallee()); });
  return llvm::join(names, ", ");
}

std::string FormTimes::str() {
  std::vector<unsigned> order;
  for (unsigned n = 0; n < seconds.size(); ++n)
    order.push_back(n);
  std::swap(order[0], order[op.getChosenIndex()]);
  return llvm::join(
             llvm::map_range(order,
                             [&](unsigned n) {
                               return cast<StringAttr>(op.getNames()[n]).str() +
                                      " " +
                                      (std::isfinite(seconds[n])
                                           ? formatSeconds(seconds[n])
                                           : "unmeasured") +
                                      " (" + calleesOf(op.getForms()[n]) + ")";
                             }),
             ", ") +
         (inNetwork ? ", in the network" : "");
}

std::vector<std::string> pruner::describeForms(llvm::ArrayRef<FormTimes> all) {
  std::vector<std::pair<std::string, unsigned>> parts;
  for (FormTimes times : all) {
    std::string text =
        times.str() + (times.op.getChosenAttr() ? "" : "; not decided");
    auto known = llvm::find_if(
        parts, [&](const auto &part) { return part.first == text; });
    if (known == parts.end())
      parts.push_back({text, 1});
    else
      ++known->second;
  }
  std::vector<std::string> lines;
  for (const auto &[text, count] : parts)
    lines.push_back(std::to_string(count) + " x " + text);
  return lines;
}

/// The run id of the latest comparison inside a network that has timed all of
/// `tasks`; empty if there is none.
static llvm::StringRef commonComparison(llvm::ArrayRef<unsigned> tasks,
                                        llvm::ArrayRef<CallTimes> timesOf) {
  if (tasks.empty())
    return {};
  for (const auto &comparison : timesOf[tasks.front()].inNetworks)
    if (llvm::all_of(tasks, [&](unsigned task) {
          return llvm::is_contained(
              llvm::make_first_range(timesOf[task].inNetworks),
              comparison.first);
        }))
      return comparison.first;
  return {};
}

/// Seconds of one call of each task in a comparison, or alone if `run` is
/// empty. Infinity if unknown.
static std::vector<double> secondsIn(llvm::StringRef run,
                                     llvm::ArrayRef<CallTimes> timesOf) {
  std::vector<double> seconds;
  for (const CallTimes &times : timesOf) {
    auto found = llvm::find_if(times.inNetworks, [&](const auto &comparison) {
      return comparison.first == run;
    });
    seconds.push_back(run.empty() ? times.alone
                      : found == times.inNetworks.end()
                          ? std::numeric_limits<double>::infinity()
                          : found->second);
  }
  return seconds;
}

static FormTimes timesOfPart(AlternativesOp op, const NetworkReader &reader,
                             llvm::ArrayRef<CallTimes> timesOf) {
  FormTimes times;
  times.op = op;
  std::vector<std::optional<NetworkPart>> forms;
  NetworkPart any;
  for (Region &form : op.getForms()) {
    bool known = true;
    for (Operation &inner : form.front())
      known &= reader.isKnown(&inner);
    forms.push_back(known ? std::optional(reader.read(form)) : std::nullopt);
    any.choices.push_back({forms.back().value_or(NetworkPart())});
  }
  auto all = [](const NetworkPart::Forms &, unsigned) { return true; };
  std::vector<unsigned> tasks;
  for (auto [n, count] : llvm::enumerate(any.countCalls(timesOf.size(), all)))
    if (count > 0)
      tasks.push_back(unsigned(n));
  const llvm::StringRef run = commonComparison(tasks, timesOf);
  times.inNetwork = !run.empty();
  const std::vector<double> secondsOf = secondsIn(run, timesOf);
  for (const std::optional<NetworkPart> &form : forms)
    times.seconds.push_back(form ? form->seconds(secondsOf)
                                 : std::numeric_limits<double>::infinity());
  return times;
}

std::vector<FormTimes> pruner::timeForms(ModuleOp module,
                                         llvm::ArrayRef<ModuleTask> tasks,
                                         llvm::ArrayRef<CallTimes> timesOf) {
  NetworkReader reader(tasks);
  std::vector<FormTimes> all;
  module.walk([&](AlternativesOp op) {
    all.push_back(timesOfPart(op, reader, timesOf));
  });
  return all;
}

std::vector<AlternativesOp>
pruner::chooseForms(ModuleOp module, llvm::ArrayRef<ModuleTask> tasks,
                    llvm::ArrayRef<CallTimes> timesOf) {
  NetworkReader reader(tasks);
  std::vector<AlternativesOp> decided;
  // Inner ones come first.
  module.walk([&](AlternativesOp op) {
    if (op.getChosenAttr() || !reader.isKnown(op))
      return;
    FormTimes times = timesOfPart(op, reader, timesOf);
    auto least = llvm::min_element(times.seconds);
    if (!std::isfinite(*least))
      return;
    op.setChosenAttr(
        cast<StringAttr>(op.getNames()[least - times.seconds.begin()]));
    decided.push_back(op);
  });
  return decided;
}
