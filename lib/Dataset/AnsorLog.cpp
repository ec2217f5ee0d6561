//===- AnsorLog.cpp - tuning logs of Ansor --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each line of an Ansor log is one measured program. It holds the workload, the
// primitive steps that made the program, and the result of the measurement:
//
//   {"i": [[workload, target, hardware, ...], [[], steps]],
//    "r": [seconds, error, total seconds, time stamp], "v": "v0.6"}
//
// Steps refer to stages and iterators by number. The reader therefore matches
// the whole list of steps with the lists that Ansor's rules produce for one
// kind of operation, and skips programs that do not match.

#include "AnsorLog.h"
#include "Gzip.h"

#include "Import.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace pruner;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static std::optional<int64_t> integerAt(const json::Array &step, size_t n) {
  return n < step.size() ? step[n].getAsInteger() : std::nullopt;
}

AnsorStep::AnsorStep(const json::Array &step) : step(step) {
  if (!step.empty())
    if (std::optional<StringRef> text = step[0].getAsString())
      name = *text;
}

/// A split: ["SP", stage, iterator, extent, [lengths], inner to outer]. Returns
/// an empty split for other steps, and for splits whose lengths were never
/// filled in.
AnsorSplit AnsorStep::split() const {
  AnsorSplit split;
  const json::Array *lengths =
      name == "SP" && step.size() == 6 ? step[4].getAsArray() : nullptr;
  std::optional<int64_t> extent = integerAt(step, 3);
  if (!lengths || !extent || *extent < 1 || integerAt(step, 5) != 1)
    return {};
  for (const json::Value &value : *lengths) {
    std::optional<int64_t> length = value.getAsInteger();
    if (!length || *length < 1 || *length > *extent)
      return {};
    split.lengths.push_back(*length);
  }
  split.extent = *extent;
  return split;
}

std::optional<int64_t> AnsorStep::integer(size_t n) const {
  return integerAt(step, n);
}

SmallVector<int64_t> AnsorStep::integers(size_t n) const {
  SmallVector<int64_t> all;
  if (const json::Array *array =
          n < step.size() ? step[n].getAsArray() : nullptr)
    for (const json::Value &value : *array)
      all.push_back(value.getAsInteger().value_or(-1));
  return all;
}

/// The limit of ["PR", stage, iterator, "auto_unroll_max_step$64"].
std::optional<int64_t> AnsorStep::unroll() const {
  std::optional<StringRef> text =
      name == "PR" && step.size() == 4 ? step[3].getAsString() : std::nullopt;
  int64_t limit = 0;
  if (!text || !text->consume_front("auto_unroll_max_step$") ||
      text->getAsInteger(10, limit))
    return std::nullopt;
  return limit;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// Maps Ansor's MeasureErrorNo. Returns nothing for an unknown number.
static std::optional<MeasureStatus> statusOf(int64_t error) {
  switch (error) {
  case 0:
    return MeasureStatus::Ok;
  case 1: // The schedule could not be applied.
  case 2: // Compiling for the host.
  case 3: // Compiling for the device.
    return MeasureStatus::BuildError;
  case 4: // On the device.
  case 8: // Unknown.
    return MeasureStatus::RunError;
  case 5:
    return MeasureStatus::WrongResult;
  case 6:
    return MeasureStatus::BuildTimeout;
  case 7:
    return MeasureStatus::RunTimeout;
  }
  return std::nullopt;
}

static const json::Array *arrayAt(const json::Array *array, size_t n) {
  return array && n < array->size() ? (*array)[n].getAsArray() : nullptr;
}

static Error notARecord(const Twine &what) {
  return createStringError("not an Ansor record: " + what);
}

/// Reads the times and the status of the measurement.
static Error readResult(const json::Array &result, DatasetRecord &record) {
  const json::Array *times = arrayAt(&result, 0);
  std::optional<int64_t> error = integerAt(result, 1);
  if (!times || !error || !statusOf(*error))
    return notARecord("expected 'r' to hold times and an error number");
  record.status = *statusOf(*error);
  if (record.status != MeasureStatus::Ok)
    return Error::success();
  for (const json::Value &time : *times) {
    double value = time.getAsNumber().value_or(0);
    if (!(value > 0) || !(value < 1e10))
      return notARecord("expected positive times");
    record.seconds.push_back(value);
  }
  return record.seconds.empty() ? notARecord("expected at least one time")
                                : Error::success();
}

static Error readLine(StringRef text, ImportSink &sink) {
  JsonLinesLimits limits = {kMaxLineBytes, 32, size_t(1) << 16};
  Expected<json::Object> line = parseJsonObject(text, limits);
  if (!line)
    return line.takeError();
  const json::Array *input = line->getArray("i"), *result = line->getArray("r");
  if (line->getString("v") != StringRef("v0.6"))
    return notARecord("expected 'v' to be \"v0.6\"");
  const json::Array *task = arrayAt(input, 0),
                    *steps = arrayAt(arrayAt(input, 1), 1);
  std::optional<StringRef> key =
      task && !task->empty() ? (*task)[0].getAsString() : std::nullopt;
  if (!key || !steps || !result)
    return notARecord(
        "expected 'i' to hold a workload and steps, and 'r' a list");
  std::vector<AnsorStep> list;
  for (const json::Value &step : *steps) {
    if (!step.getAsArray())
      return notARecord("expected every step to be a list");
    list.emplace_back(*step.getAsArray());
  }
  Expected<json::Value> workload = parseJson(*key, limits);
  if (!workload)
    return notARecord("invalid workload: " + toString(workload.takeError()));
  if (!workload->getAsArray())
    return notARecord("expected the workload to be a list");
  DatasetRecord record;
  if (Error error = readResult(*result, record))
    return error;
  Expected<AnsorProgram> program =
      readAnsorProgram(*workload->getAsArray(), list);
  if (!program) {
    sink.leaveOut(toString(program.takeError()));
    return Error::success();
  }
  Expected<unsigned> number = sink.addTask(program->shape);
  if (!number) {
    sink.leaveOut("cannot make a task: " + toString(number.takeError()));
    return Error::success();
  }
  record.task = *number;
  record.variant = std::move(program->variant);
  if (sink.keepsPrimitives())
    raw_string_ostream(record.primitives) << json::Value(json::Array(*steps));
  sink.addRecord(std::move(record), program->schedule, program->differences);
  return Error::success();
}

Expected<std::vector<BadLine>> pruner::importAnsor(StringRef path, StringRef,
                                                   ImportSink &sink) {
  std::vector<BadLine> bad;
  Error error = readLines(path, [&](StringRef text, size_t number) {
    if (Error error = readLine(text, sink))
      bad.push_back({number, toString(std::move(error))});
    return Error::success();
  });
  if (error)
    return std::move(error);
  return std::move(bad);
}
