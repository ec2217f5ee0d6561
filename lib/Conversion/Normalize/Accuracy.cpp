//===- Accuracy.cpp - the allowed relaxations of a module -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Relaxations/Registry.h"

#include "pruner/Support/NearestName.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace pruner;

ArrayRef<const Relaxation *> pruner::allRelaxations() {
  // In the order of application. Winograd's algorithm amplifies rounding errors
  // of its steps, so it follows the relaxations that round tensors.
  static const Relaxation *const all[] = {&foldedScales(),
                                          &wideSums(),
                                          &brainFloatProducts(),
                                          &tensorFloatProducts(),
                                          &brainFloatTensors(),
                                          &winogradConvolutions(),
                                          &halfSums()};
  return all;
}

static const Relaxation *findRelaxation(StringRef name) {
  for (const Relaxation *each : allRelaxations())
    if (each->name == name)
      return each;
  return nullptr;
}

/// A message: `name` is unknown, and the names that exist.
static std::string describeUnknown(StringRef name) {
  auto nameOf = [](const Relaxation *each) { return each->name; };
  return "'" + name.str() + "' is unknown; expected one of " +
         llvm::join(llvm::map_range(allRelaxations(), nameOf), ", ") +
         didYouMean(name, allRelaxations(), nameOf);
}

FailureOr<std::vector<std::string>>
pruner::allowedRelaxations(ModuleOp module) {
  std::vector<std::string> names;
  Attribute attr = module->getAttr(kAccuracyAttr);
  if (!attr)
    return names;
  auto array = dyn_cast<ArrayAttr>(attr);
  if (!array || !llvm::all_of(array, llvm::IsaPred<StringAttr>))
    return emitError(module.getLoc())
           << "'" << kAccuracyAttr << "' must be an array of strings";
  for (Attribute each : array)
    if (StringRef name = cast<StringAttr>(each).getValue();
        !findRelaxation(name))
      return emitError(module.getLoc())
             << "'" << kAccuracyAttr << "': " << describeUnknown(name);
  for (const Relaxation *each : allRelaxations())
    if (llvm::is_contained(array,
                           StringAttr::get(module.getContext(), each->name)))
      names.push_back(each->name.str());
  return names;
}

std::vector<std::string> pruner::splitAccuracy(StringRef list) {
  std::vector<std::string> names;
  if (list.empty())
    return names;
  for (StringRef name : llvm::split(list, ','))
    names.push_back(name.trim().str());
  return names;
}

LogicalResult pruner::allowRelaxations(ModuleOp module,
                                       ArrayRef<std::string> names) {
  FailureOr<std::vector<std::string>> allowed = allowedRelaxations(module);
  if (failed(allowed))
    return failure();
  for (const std::string &name : names)
    if (!findRelaxation(name))
      return emitError(module.getLoc())
             << "option 'accuracy': " << describeUnknown(name);
  SmallVector<StringRef> all;
  for (const Relaxation *each : allRelaxations())
    if (llvm::is_contained(names, each->name) ||
        llvm::is_contained(*allowed, each->name))
      all.push_back(each->name);
  if (!all.empty())
    module->setAttr(kAccuracyAttr,
                    Builder(module.getContext()).getStrArrayAttr(all));
  return success();
}

StringRef pruner::accuracyHelp() {
  static const std::string text = [] {
    std::string all =
        "Permitted changes of results, in addition to the order of sums: a "
        "list of names";
    for (const Relaxation *each : allRelaxations())
      all += "\n'" + each->name.str() + "': " + each->summary.str();
    return all;
  }();
  return text;
}
