//===- Translation.cpp - translate lowered MLIR to LLVM IR ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Target/Translation.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Module.h"

using namespace pruner;

void pruner::registerTargetDialects(mlir::DialectRegistry &registry) {
  registry.insert<mlir::DLTIDialect>();
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerNVVMDialectTranslation(registry);
  mlir::registerGPUDialectTranslation(registry);
  mlir::registerOpenMPDialectTranslation(registry);
}

llvm::Expected<std::unique_ptr<llvm::Module>>
pruner::translateToLLVM(mlir::Operation *module, llvm::LLVMContext &context,
                        llvm::StringRef name) {
  std::string errors;
  std::unique_ptr<llvm::Module> llvmModule;
  {
    mlir::ScopedDiagnosticHandler handler(
        module->getContext(), [&](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error) {
            llvm::raw_string_ostream os(errors);
            if (!errors.empty())
              os << "; ";
            os << diagnostic.getLocation() << ": " << diagnostic;
          }
          return mlir::success();
        });
    llvmModule = mlir::translateModuleToLLVMIR(module, context, name);
  }
  if (!llvmModule)
    return llvm::createStringError("translation to LLVM IR failed: " + errors);
  return llvmModule;
}
