//===- LLVMSession.cpp - one LLVM context with its errors collected -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LLVMSession.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/raw_ostream.h"

using namespace pruner;

namespace {
class CollectErrors : public llvm::DiagnosticHandler {
public:
  explicit CollectErrors(std::string &errors) : errors(errors) {}

  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error)
      return true; // Ignore warnings and remarks.
    llvm::raw_string_ostream os(errors);
    if (!errors.empty())
      os << "; ";
    llvm::DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    return true;
  }

private:
  std::string &errors;
};
} // namespace

LLVMSession::LLVMSession() {
  llvmContext.setDiagnosticHandler(std::make_unique<CollectErrors>(errors));
}

llvm::Error LLVMSession::takeErrors(llvm::StringRef stage) {
  if (errors.empty())
    return llvm::Error::success();
  std::string text = stage.str() + " failed: " + std::exchange(errors, {});
  return llvm::createStringError(text);
}

std::string pruner::joinNames(llvm::ArrayRef<std::string> names, size_t limit) {
  std::string text = llvm::join(names.take_front(limit), ", ");
  if (names.size() > limit)
    text += ", ...";
  return text;
}
