//===- Kernel.cpp - a compiled function on vectors ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernel.h"

#include "pruner/Dialect/Pruner/IR/ForeignText.h"
#include "pruner/Pipelines/Pipelines.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

using namespace pruner;
using namespace pruner::checkmath;

static void replaceAll(std::string &text, llvm::StringRef from,
                       llvm::StringRef to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
       at += to.size())
    text.replace(at, from.size(), to);
}

static std::string sourceOf(const Function &function, const Format &format) {
  std::string text = R"(
    func.func @k(%x: memref<4096xT>, %y: memref<4096xT>, %z: memref<4096xU>) {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %n = arith.constant 4096 : index
      scf.for %i = %c0 to %n step %c16 {
        %a = vector.load %x[%i] : memref<4096xT>, V
        %b = vector.load %y[%i] : memref<4096xT>, V
        BODY
        vector.store %r, %z[%i] : memref<4096xU>, W
      }
      return
    })";
  std::string type = format.name;
  std::string result = function.resultType ? function.resultType : type;
  replaceAll(text, "BODY", function.source);
  replaceAll(text, "xT>", "x" + type + ">");
  replaceAll(text, "xU>", "x" + result + ">");
  replaceAll(text, " V", " vector<16x" + type + ">");
  replaceAll(text, " W", " vector<16x" + result + ">");
  return text;
}

llvm::Expected<Kernel> Kernel::compile(mlir::MLIRContext &context,
                                       const Function &function,
                                       const Format &format,
                                       const CpuOptions &cpu) {
  auto failed = [&](const char *what) {
    return llvm::createStringError("%s of %s: %s", function.name, format.name,
                                   what);
  };
  auto module = parseModuleText(sourceOf(function, format), &context, "kernel");
  if (!module)
    return failed("does not parse");
  mlir::PassManager pm(&context);
  buildToLLVMPipeline(pm, ToLLVMOptions());
  if (mlir::failed(pm.run(*module)))
    return failed("cannot be lowered");
  auto object = compileToObject(*module, cpu);
  if (!object)
    return object.takeError();
  auto code = loadObject(object->bytes);
  if (!code)
    return code.takeError();
  Kernel kernel;
  kernel.code = std::move(*code);
  auto entry = kernel.code->function<void(void *, void *, void *)>("k");
  if (!entry)
    return entry.takeError();
  kernel.entry = *entry;
  return kernel;
}
