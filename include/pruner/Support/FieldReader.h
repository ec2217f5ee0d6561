//===- FieldReader.h - the fields of a JSON object --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_SUPPORT_FIELDREADER_H
#define PRUNER_SUPPORT_FIELDREADER_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// Reads the fields of one JSON object and keeps the first error.
class FieldReader {
public:
  FieldReader(const llvm::json::Object &object, llvm::StringRef where)
      : object(object), where(where) {}

  void text(llvm::StringRef name, std::string &out) {
    if (const llvm::json::Value *value = need(name, "a string")) {
      if (std::optional<llvm::StringRef> text = value->getAsString())
        out = text->str();
      else
        fail(name, "is not a string");
    }
  }
  void optionalText(llvm::StringRef name, std::string &out) {
    if (object.get(name))
      text(name, out);
  }
  void number(llvm::StringRef name, double &out) {
    if (const llvm::json::Value *value = need(name, "a number"))
      setNumber(name, *value, out);
  }
  void optional(llvm::StringRef name, std::optional<double> &out) {
    if (object.get(name))
      number(name, out.emplace());
  }
  void optional(llvm::StringRef name, std::optional<int64_t> &out) {
    if (object.get(name))
      integer(name, out.emplace());
  }
  void optional(llvm::StringRef name, std::optional<bool> &out) {
    if (object.get(name))
      boolean(name, out.emplace());
  }
  void integer(llvm::StringRef name, int64_t &out) {
    if (const llvm::json::Value *value = need(name, "an integer")) {
      if (std::optional<int64_t> number = value->getAsInteger())
        out = *number;
      else
        fail(name, "is not an integer");
    }
  }
  void unsignedInteger(llvm::StringRef name, uint64_t &out) {
    if (const llvm::json::Value *value = need(name, "an integer")) {
      if (std::optional<uint64_t> number = value->getAsUINT64())
        out = *number;
      else
        fail(name, "is not an unsigned integer");
    }
  }
  void boolean(llvm::StringRef name, bool &out) {
    if (const llvm::json::Value *value = need(name, "true or false")) {
      if (std::optional<bool> truth = value->getAsBoolean())
        out = *truth;
      else
        fail(name, "is not true or false");
    }
  }
  void numbers(llvm::StringRef name, std::vector<double> &out) {
    const llvm::json::Value *value = need(name, "an array of numbers");
    if (!value)
      return;
    const llvm::json::Array *array = value->getAsArray();
    if (!array)
      return fail(name, "is not an array of numbers");
    for (const llvm::json::Value &element : *array)
      setNumber(name, element, out.emplace_back());
  }
  const llvm::json::Object *child(llvm::StringRef name) {
    const llvm::json::Value *value = need(name, "an object");
    if (value && !value->getAsObject())
      fail(name, "is not an object");
    return value ? value->getAsObject() : nullptr;
  }
  void fail(llvm::StringRef name, const llvm::Twine &what) {
    if (problem.empty())
      problem = ("the field '" + where + name + "' " + what).str();
  }
  llvm::Error takeError() const {
    return problem.empty() ? llvm::Error::success()
                           : llvm::createStringError(problem);
  }

private:
  const llvm::json::Value *need(llvm::StringRef name, llvm::StringRef what) {
    const llvm::json::Value *value = object.get(name);
    if (!value)
      fail(name, "is missing; it must be " + what);
    return value;
  }
  void setNumber(llvm::StringRef name, const llvm::json::Value &value,
                 double &out) {
    if (std::optional<double> number = value.getAsNumber())
      out = *number;
    else
      fail(name, "is not a number");
  }

  const llvm::json::Object &object;
  llvm::StringRef where;
  std::string problem;
};

} // namespace pruner

#endif // PRUNER_SUPPORT_FIELDREADER_H
