//===- Subject.cpp - one task and its kernels -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Subject.h"

#include "Fuzzing/Schedules/Forked.h"
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace pruner;

/// The number of additional references with other inputs.
static constexpr unsigned otherReferences = 2;

Expected<std::unique_ptr<MutationSubject>>
MutationSubject::create(mlir::MLIRContext &context, StringRef text,
                        int64_t seed, double loosen) {
  auto program = TaskProgram::parse(context, text);
  if (!program)
    return program.takeError();
  std::unique_ptr<MutationSubject> subject(
      new MutationSubject(std::move(*program)));
  subject->module = subject->program.clone();
  auto function = subject->module->lookupSymbol<mlir::func::FuncOp>(
      subject->program.entry());
  if (Error error = withDiagnostics(context, "reading the task", [&] {
        auto task = readTask(function);
        if (mlir::succeeded(task))
          subject->task = std::move(*task);
        return mlir::LogicalResult(task);
      }))
    return error;
  for (unsigned n = 0; n <= otherReferences; ++n) {
    auto reference = makeReference(subject->program, text, seed + n * 1000003,
                                   /*cacheDir=*/"");
    if (!reference)
      return reference.takeError();
    for (ReferenceSet &set : reference->sets)
      for (ExpectedOutput &output : set.outputs)
        for (double &bound : output.bound)
          bound *= loosen;
    subject->references.push_back(std::move(*reference));
  }
  size_t outputs = subject->program.outputs().size();
  for (const Reference &reference : subject->references)
    for (const ReferenceSet &set : reference.sets)
      if ((subject->observed.sets.size() + 1) * outputs < maxObservedResults)
        subject->observed.sets.push_back(&set);
  subject->observed.checked = subject->references.front().sets.size();
  return subject;
}

Expected<ScheduledKernel> MutationSubject::kernel(const Schedule &schedule,
                                                  bool mapped) {
  auto kernel = emitScheduledKernel(
      module->lookupSymbol<mlir::func::FuncOp>(program.entry()), task,
      schedule);
  if (kernel && mapped)
    if (Error error = mapKernel(*kernel))
      return error;
  return kernel;
}

Error MutationSubject::build(const Schedule &schedule,
                             std::optional<MutantSite> mutant,
                             std::optional<KernelCode> &code,
                             raw_ostream *dump) {
  bool mapped = mutant && mutant->mapped;
  auto made = kernel(schedule, mapped);
  if (!made)
    return made.takeError();
  if (mutant) {
    MutationList list(*made->module);
    if (mutant->number >= list.size())
      return createStringError("there is no such mutation");
    if (Error error = list.apply(mutant->number))
      return error;
  }
  if (dump)
    *dump << *made->module << "\n";
  if (!mapped)
    if (Error error = mapKernel(*made))
      return error;
  // The emulator has no tensor cores.
  auto compiled = made->gpu && schedule.instruction != 0
                      ? KernelCode::compileToPtx(
                            *made, unsigned(program.inputs().size()), gpuChip)
                      : KernelCode::compile(*made, /*alignment=*/64);
  if (!compiled)
    return compiled.takeError();
  code.emplace(std::move(*compiled));
  return Error::success();
}

void MutationSubject::observe(const Schedule &schedule,
                              std::optional<MutantSite> mutant,
                              unsigned seconds, Observation &seen,
                              raw_ostream *dump) {
  seen = Observation();
  std::optional<int> status = runForked([&] {
    for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT})
      std::signal(number, SIG_DFL);
    limitTime(seconds);
    std::optional<KernelCode> code;
    if (Error error = build(schedule, mutant, code, dump)) {
      seen.state = Observation::State::Unbuilt;
      copyText(seen.broken, toString(std::move(error)));
      _exit(0);
    }
    if (dump)
      dump->flush();
    seen.state = Observation::State::Running;
    pruner::observe(*code, program, observed, seen);
    seen.state = Observation::State::Done;
    _exit(0); // A wrong kernel may have corrupted data that destructors use.
  });
  if (!status) {
    seen.state = Observation::State::Unbuilt;
    return copyText(seen.broken, "cannot fork");
  }
  if (seen.state == Observation::State::Building)
    seen.state = Observation::State::Unbuilt;
  if (WIFSIGNALED(*status))
    copyText(seen.broken, describeEnd(*status));
  else if (seen.state == Observation::State::Running)
    copyText(seen.broken, "ended the process");
}
