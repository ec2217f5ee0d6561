//===- TaskProgram.cpp - a task as a parsed module ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Builder/TaskProgram.h"

#include "llvm/ADT/STLExtras.h"

#include "pruner/Dialect/Pruner/IR/ElementTypes.h"
#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Recognition/Operands.h"
#include "pruner/Support/Sizes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace pruner;

int64_t TensorSpec::elements() const {
  return llvm::product_of(shape, int64_t(1));
}

std::optional<ElementType> pruner::elementTypeOf(mlir::Type type) {
  return type.isIndex() ? ElementType::I64 : toElementType(type);
}

Error pruner::withDiagnostics(mlir::MLIRContext &context, StringRef what,
                              function_ref<mlir::LogicalResult()> body) {
  std::string text;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
          return mlir::success();
        raw_string_ostream os(text);
        if (!text.empty())
          os << "; ";
        if (!isa<mlir::UnknownLoc>(diagnostic.getLocation()))
          os << diagnostic.getLocation() << ": ";
        os << diagnostic;
        return mlir::success();
      });
  if (mlir::succeeded(body()))
    return Error::success();
  // A diagnostic may quote a whole module.
  if (text.size() > 2000)
    text = text.substr(0, 2000) + "...";
  return createStringError(text.empty() ? what.str() + " failed"
                                        : what.str() + ": " + text);
}

/// Describes the tensors of `types`.
static Error describe(mlir::TypeRange types, StringRef what,
                      std::vector<TensorSpec> &specs) {
  for (auto [n, type] : enumerate(types)) {
    std::string spelled;
    raw_string_ostream(spelled) << type;
    auto tensor = dyn_cast<mlir::RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return createStringError("%s %zu has type %s, expected a ranked tensor "
                               "of static shape",
                               what.str().c_str(), size_t(n), spelled.c_str());
    auto element = elementTypeOf(tensor.getElementType());
    if (!element)
      return createStringError("%s %zu has type %s, whose element type is not "
                               "supported",
                               what.str().c_str(), size_t(n), spelled.c_str());
    TensorSpec spec;
    spec.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
    spec.type = *element;
    if (mulSizes(boxSize(spec.shape), byteWidth(*element)) > kMaxTensorBytes)
      return createStringError("%s %zu of type %s exceeds the limit of 1 TiB",
                               what.str().c_str(), size_t(n), spelled.c_str());
    specs.push_back(std::move(spec));
  }
  return Error::success();
}

Expected<TaskProgram> TaskProgram::parse(mlir::MLIRContext &context,
                                         StringRef text) {
  TaskProgram program;
  if (Error error = withDiagnostics(context, "parsing the task", [&] {
        program.op = parseModuleText(text, &context, "task");
        return mlir::success(bool(program.op));
      }))
    return error;
  mlir::func::FuncOp entry;
  for (auto func : program.op->getOps<mlir::func::FuncOp>()) {
    if (func.isPrivate() || func.isExternal())
      continue;
    if (entry)
      return createStringError("expected one public function in a task "
                               "module, but got several");
    entry = func;
  }
  if (!entry)
    return createStringError("expected a public function with a body in a "
                             "task module");
  program.name = entry.getName().str();
  mlir::FunctionType type = entry.getFunctionType();
  if (Error error = describe(type.getInputs(), "input", program.ins))
    return error;
  if (Error error = describe(type.getResults(), "result", program.outs))
    return error;
  if (program.outs.empty())
    return createStringError("the task has no result");
  return program;
}
