//===- DeviceCode.cpp - PTX of a program's kernels ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Library/DeviceCode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;
using namespace pruner;

/// The PTX of a `gpu.binary`, or null, and its chip.
static mlir::StringAttr ptxOf(mlir::gpu::BinaryOp binary, StringRef &chip) {
  for (auto object : binary.getObjects().getAsRange<mlir::gpu::ObjectAttr>())
    if (auto target = dyn_cast<mlir::NVVM::NVVMTargetAttr>(object.getTarget());
        target &&
        object.getFormat() == mlir::gpu::CompilationTarget::Assembly) {
      chip = target.getChip();
      return object.getObject();
    }
  return {};
}

std::string pruner::deviceChip(mlir::ModuleOp module) {
  StringRef chip;
  for (auto binary : module.getOps<mlir::gpu::BinaryOp>())
    if (ptxOf(binary, chip))
      return chip.str();
  return "";
}

/// The name that a line of PTX defines at module scope, such as a kernel or a
/// variable in shared memory; empty for other lines.
static StringRef definedName(StringRef line) {
  constexpr StringLiteral kinds[] = {".entry", ".func", ".shared", ".global",
                                     ".const"};
  // Instructions and declarations inside kernels are indented.
  if (!line.starts_with(".") || line.starts_with(".extern"))
    return {};
  bool defines = any_of(
      kinds, [&](StringRef kind) { return line.contains((kind + " ").str()); });
  if (!defines)
    return {};
  StringRef head = line.take_until([](char c) { return c == '(' || c == '['; });
  head = head.take_until([](char c) { return c == '=' || c == ';'; }).rtrim();
  return head.substr(head.find_last_of(" \t") + 1);
}

namespace {
/// Joins PTX texts: one header, then the contents of all.
class Joined {
public:
  Error add(StringRef text, StringRef from) {
    StringRef rest = text, line;
    while (!rest.empty()) {
      std::tie(line, rest) = rest.split('\n');
      if (line.starts_with(".version") || line.starts_with(".target") ||
          line.starts_with(".address_size")) {
        if (Error error = addHeader(line, from))
          return error;
        continue;
      }
      if (line.starts_with("//"))
        continue; // The banner of LLVM.
      if (StringRef name = definedName(line);
          !name.empty() && !names.insert(name).second)
        return createStringError("'" + name + "' of '" + from +
                                 "' is also defined by another kernel module");
      body += line.str() + "\n";
    }
    return Error::success();
  }

  std::string text() const {
    std::string text;
    for (const std::string &kind : kinds)
      text += lines.find(kind)->second + "\n";
    return text + body;
  }

private:
  /// Texts of several versions have the newest one: modules with instructions
  /// that their chip got late have a newer version than others.
  Error addHeader(StringRef line, StringRef from) {
    StringRef kind = line.split(' ').first;
    auto [place, isNew] = lines.try_emplace(kind, line.str());
    if (isNew)
      kinds.push_back(kind.str());
    else if (kind == ".version") {
      if (versionOf(place->second) < versionOf(line))
        place->second = line.str();
    } else if (place->second != line)
      return createStringError("'" + from + "' has '" + line +
                               "', but another kernel module has '" +
                               place->second + "'");
    return Error::success();
  }

  /// Such as (7, 8) of `.version 7.8`.
  static std::pair<unsigned, unsigned> versionOf(StringRef line) {
    std::pair<unsigned, unsigned> version = {0, 0};
    line = line.split(' ').second;
    line.consumeInteger(10, version.first);
    line.consume_front(".");
    line.consumeInteger(10, version.second);
    return version;
  }

  std::string body;
  std::vector<std::string> kinds;
  StringMap<std::string> lines;
  StringSet<> names;
};
} // namespace

/// The entry points of a PTX text.
static void addKernels(StringRef text, std::vector<std::string> &kernels) {
  StringRef line;
  while (!text.empty()) {
    std::tie(line, text) = text.split('\n');
    if (line.contains(".entry "))
      kernels.push_back(definedName(line).str());
  }
}

Expected<PtxCode> pruner::emitDeviceCode(mlir::ModuleOp module, StringRef name,
                                         const PtxOptions &options) {
  PtxCode code;
  Joined joined;
  unsigned found = 0;
  for (mlir::Operation &op : *module.getBody()) {
    StringRef opName;
    if (auto symbol = dyn_cast<mlir::SymbolOpInterface>(op))
      opName = symbol.getName();
    if (!name.empty() && opName != name)
      continue;
    if (isa<mlir::gpu::GPUModuleOp>(op)) {
      auto ptx = emitPtx(&op, options);
      if (!ptx)
        return ptx.takeError();
      if (Error error = joined.add(ptx->text, opName))
        return error;
      append_range(code.kernels, ptx->kernels);
      code.timings += ptx->timings;
    } else if (auto binary = dyn_cast<mlir::gpu::BinaryOp>(op)) {
      StringRef chip;
      mlir::StringAttr ptx = ptxOf(binary, chip);
      if (!ptx)
        return createStringError("gpu.binary '" + opName + "' has no PTX");
      if (chip != options.chip)
        return createStringError("gpu.binary '" + opName + "' is for " + chip +
                                 ", not for " + options.chip);
      if (Error error = joined.add(ptx.getValue(), opName))
        return error;
      addKernels(ptx.getValue(), code.kernels);
    } else {
      continue;
    }
    ++found;
  }
  const bool isLowered = module.getOps<mlir::func::FuncOp>().empty();
  if (found == 0 && name.empty() && isLowered)
    return emitPtx(module, options);
  if (found == 0 && name.empty())
    return createStringError("the module has no GPU kernel, expected a "
                             "gpu.module, a gpu.binary, or functions in the "
                             "LLVM dialect");
  if (found == 0)
    return createStringError("found no gpu.module or gpu.binary '" + name +
                             "'");
  code.text = joined.text();
  return code;
}
