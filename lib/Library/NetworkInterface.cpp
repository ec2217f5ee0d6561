//===- NetworkInterface.cpp - inputs and outputs of a network -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkInterface.h"

#include "pruner/Support/InputFile.h"
#include "pruner/Support/JsonLines.h"
#include "pruner/Support/Sizes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace pruner;
using namespace llvm;

int64_t NetworkTensor::elements() const { return boxSize(shape); }

/// JSON has no other text; MLIR's strings are any bytes.
static std::string textOf(mlir::StringAttr attribute) {
  return json::fixUTF8(attribute.getValue());
}

/// std::nullopt for integers wider than 64 bits.
static std::optional<int64_t> integerOf(mlir::IntegerAttr attribute) {
  return attribute.getValue().trySExtValue();
}

static std::vector<NetworkTensor> describe(mlir::ArrayAttr types,
                                           StringRef prefix) {
  std::vector<NetworkTensor> tensors;
  for (auto [n, attribute] : enumerate(types)) {
    auto type = dyn_cast<mlir::TypeAttr>(attribute);
    auto tensor = type ? dyn_cast<mlir::RankedTensorType>(type.getValue())
                       : mlir::RankedTensorType();
    if (!tensor || !tensor.hasStaticShape())
      return {};
    NetworkTensor &made = tensors.emplace_back();
    made.name = (prefix + Twine(n)).str();
    raw_string_ostream(made.element) << tensor.getElementType();
    made.shape = tensor.getShape().vec();
  }
  return tensors;
}

/// A dictionary of strings and numbers as JSON.
static json::Object toJSON(mlir::DictionaryAttr dictionary) {
  json::Object object;
  for (mlir::NamedAttribute entry : dictionary) {
    json::Value &value = object[textOf(entry.getName())];
    if (auto text = dyn_cast<mlir::StringAttr>(entry.getValue()))
      value = textOf(text);
    else if (auto number = dyn_cast<mlir::IntegerAttr>(entry.getValue()))
      value = integerOf(number);
    else if (auto real = dyn_cast<mlir::FloatAttr>(entry.getValue()))
      value = real.getValueAsDouble();
  }
  return object;
}

Expected<NetworkInterface> NetworkInterface::read(mlir::ModuleOp module) {
  auto attribute =
      module->getAttrOfType<mlir::DictionaryAttr>("pruner.interface");
  NetworkInterface result;
  if (attribute) {
    // `name` is set if the entry was renamed.
    for (StringRef key : {"entry", "name"})
      if (auto entry = attribute.getAs<mlir::StringAttr>(key))
        result.entry = textOf(entry);
    if (auto inputs = attribute.getAs<mlir::ArrayAttr>("inputs"))
      result.inputs = describe(inputs, "arg");
    if (auto outputs = attribute.getAs<mlir::ArrayAttr>("outputs"))
      result.outputs = describe(outputs, "result");
    auto rename = [](std::vector<NetworkTensor> &tensors,
                     mlir::ArrayAttr names) {
      if (names && names.size() == tensors.size())
        for (auto [tensor, name] : zip(tensors, names))
          if (auto text = dyn_cast<mlir::StringAttr>(name))
            tensor.name = textOf(text);
    };
    rename(result.inputs, attribute.getAs<mlir::ArrayAttr>("input_names"));
    rename(result.outputs, attribute.getAs<mlir::ArrayAttr>("output_names"));
    if (auto bytes = attribute.getAs<mlir::IntegerAttr>("workspace"))
      result.workspaceBytes = integerOf(bytes).value_or(0);
    if (auto kernels = attribute.getAs<mlir::ArrayAttr>("kernels"))
      for (mlir::Attribute kernel : kernels)
        if (auto facts = dyn_cast<mlir::DictionaryAttr>(kernel))
          result.kernels.push_back(toJSON(facts));
    if (auto calls = attribute.getAs<mlir::DenseI32ArrayAttr>("calls"))
      result.calls = json::Array(calls.asArrayRef());
  }
  if (result.outputs.empty())
    return createStringError(
        "the module has no 'pruner.interface' that names results");
  return result;
}

static Error readNames(const json::Object &file, StringRef key,
                       std::vector<NetworkTensor> &tensors) {
  const json::Array *entries = file.getArray(key);
  if (!entries)
    return createStringError("has no array '" + key + "'");
  if (entries->size() != tensors.size())
    return createStringError("'" + key + "' has " + Twine(entries->size()) +
                             " entries, but the network has " +
                             Twine(tensors.size()));
  StringSet<> seen;
  for (auto [n, value] : enumerate(*entries)) {
    NetworkTensor &tensor = tensors[n];
    std::string where = ("'" + key + "' " + Twine(n)).str();
    const json::Object *object = value.getAsObject();
    auto name = object ? object->getString("name") : std::nullopt;
    if (!name || name->empty())
      return createStringError(where + " has no 'name'");
    if (!seen.insert(*name).second)
      return createStringError(where + ": a second '" + *name + "'");
    if (const json::Array *shape = object->getArray("shape")) {
      std::vector<int64_t> extents;
      for (const json::Value &extent : *shape)
        extents.push_back(extent.getAsInteger().value_or(-1));
      if (extents != tensor.shape)
        return createStringError(
            where + " ('" + *name + "') has shape [" +
            join(map_range(extents, [](int64_t e) { return itostr(e); }),
                 ", ") +
            "], expected [" +
            join(map_range(tensor.shape, [](int64_t e) { return itostr(e); }),
                 ", ") +
            "]");
    }
    if (auto element = object->getString("dtype"))
      if (*element != tensor.element)
        return createStringError(where + " ('" + *name + "') has elements of " +
                                 *element + ", expected " + tensor.element);
    tensor.name = name->str();
    tensor.kind = object->getString("kind").value_or("").str();
  }
  return Error::success();
}

/// Callers pass tensors by name.
static Error checkNames(ArrayRef<NetworkTensor> tensors, StringRef what) {
  StringMap<size_t> seen;
  for (auto [n, tensor] : enumerate(tensors))
    if (auto [first, isNew] = seen.try_emplace(tensor.name, n); !isNew)
      return createStringError(what + " " + Twine(first->second) + " and " +
                               Twine(n) + " of the network are both called '" +
                               tensor.name + "'");
  return Error::success();
}

static Error readNames(const std::string &path, NetworkInterface &network) {
  auto buffer = readInputFile(path, kMaxNamesBytes);
  if (!buffer)
    return createStringError(path + ": " + toString(buffer.takeError()));
  auto parsed = parseJson((*buffer)->getBuffer());
  if (!parsed)
    return createStringError(path + ": " + toString(parsed.takeError()));
  const json::Object *file = parsed->getAsObject();
  if (!file)
    return createStringError(path + ": expected a JSON object");
  Error error = readNames(*file, "arguments", network.inputs);
  if (!error && file->get("results"))
    error = readNames(*file, "results", network.outputs);
  if (error)
    return createStringError(path + ": " + toString(std::move(error)));
  return Error::success();
}

Error NetworkInterface::nameFrom(const std::string &path) {
  if (!path.empty())
    if (Error error = readNames(path, *this))
      return error;
  if (Error error = checkNames(inputs, "arguments"))
    return error;
  return checkNames(outputs, "results");
}

static json::Array toJSON(ArrayRef<NetworkTensor> tensors, StringRef size) {
  json::Array array;
  for (const NetworkTensor &tensor : tensors) {
    json::Array shape;
    for (int64_t extent : tensor.shape)
      shape.push_back(extent < 0 ? json::Value(size) : json::Value(extent));
    json::Object object{{"name", tensor.name},
                        {"dtype", tensor.element},
                        {"shape", std::move(shape)}};
    if (!tensor.kind.empty())
      object["kind"] = tensor.kind;
    array.push_back(std::move(object));
  }
  return array;
}

std::string NetworkInterface::metadata(StringRef cpu,
                                       StringRef features) const {
  json::Array needed;
  SmallVector<StringRef> words;
  features.split(words, ',', -1, /*KeepEmpty=*/false);
  for (StringRef word : words)
    if (word.consume_front("+"))
      needed.push_back(word);
  json::Object object{{"format", sized.name.empty() ? 1 : 2},
                      {"entry", entry},
                      {"inputs", toJSON(inputs, sized.name)},
                      {"outputs", toJSON(outputs, sized.name)},
                      {"alignment", 64},
                      {"workspace_bytes", workspaceBytes},
                      {"kernels", json::Array(kernels)},
                      {"calls", json::Array(calls)},
                      {"cpu", cpu},
                      {"cpu_features", std::move(needed)}};
  if (!chip.empty())
    object["gpu"] = chip;
  if (!sized.name.empty())
    object["sizes"] = json::Object{{"name", sized.name},
                                   {"min", sized.min},
                                   {"max", sized.max},
                                   {"independent", sized.independent},
                                   {"functions", json::Array(sized.functions)},
                                   {"intervals", json::Array(sized.intervals)}};
  std::string text;
  raw_string_ostream(text) << json::Value(std::move(object));
  return text;
}
