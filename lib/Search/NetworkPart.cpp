//===- NetworkPart.cpp - the calls of tasks in a network ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Search/NetworkPart.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace pruner;

double NetworkPart::seconds(llvm::ArrayRef<double> secondsOf) const {
  double sum = 0;
  for (const Calls &of : calls)
    sum += of.count * secondsOf[of.task];
  for (const Forms &forms : choices)
    sum += forms[fastest(forms, secondsOf)].seconds(secondsOf);
  return sum;
}

unsigned NetworkPart::fastest(const Forms &forms,
                              llvm::ArrayRef<double> secondsOf) {
  auto least =
      llvm::min_element(forms, [&](const NetworkPart &a, const NetworkPart &b) {
        return a.seconds(secondsOf) < b.seconds(secondsOf);
      });
  return unsigned(least - forms.begin());
}

std::vector<double> NetworkPart::countCalls(
    size_t numTasks,
    llvm::function_ref<bool(const Forms &, unsigned)> isKept) const {
  std::vector<double> counts(numTasks);
  for (const Calls &of : calls)
    counts[of.task] += of.count;
  for (const Forms &forms : choices) {
    std::vector<double> most(numTasks);
    for (unsigned n = 0; n < forms.size(); ++n) {
      if (!isKept(forms, n))
        continue;
      std::vector<double> ofForm = forms[n].countCalls(numTasks, isKept);
      for (size_t task = 0; task < numTasks; ++task)
        most[task] = std::max(most[task], ofForm[task]);
    }
    for (size_t task = 0; task < numTasks; ++task)
      counts[task] += most[task];
  }
  return counts;
}

std::vector<double>
NetworkPart::fastestCalls(llvm::ArrayRef<double> secondsOf) const {
  return countCalls(secondsOf.size(), [&](const Forms &forms, unsigned n) {
    return n == fastest(forms, secondsOf);
  });
}

std::string NetworkPart::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator space(" ");
  for (const Calls &of : calls)
    os << space << of.task << "*" << llvm::format("%g", of.count);
  for (const Forms &forms : choices) {
    os << space << "(";
    llvm::interleave(
        forms, os, [&](const NetworkPart &form) { os << form.str(); }, " | ");
    os << ")";
  }
  return text;
}
