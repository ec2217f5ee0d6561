//===- Sequences.cpp - losses of cropped sequences ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sequences.h"

#include "AnsorPrimitives.h"
#include "pruner/CostModel/Features.h"
#include "pruner/Support/Table.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace pruner;

static constexpr std::pair<size_t, size_t> kCrops[] = {
    {kPrimitiveSteps, kPrimitiveFeatureSize},
    {40, kPrimitiveFeatureSize},
    {25, 40}};

namespace {
/// Counts the sequences of one language.
class Counter {
public:
  Counter(const Machine *machine, StringRef language, unsigned types)
      : types(types), kept(std::size(kCrops)) {
    result.machine = machine;
    result.language = language.str();
    for (auto [rows, columns] : kCrops)
      result.losses.push_back({rows, columns});
  }

  void add(ArrayRef<Primitive> sequence) {
    ++result.sequences;
    result.primitives += sequence.size();
    result.longest = std::max(result.longest, sequence.size());
    for (const Primitive &primitive : sequence) {
      size_t count = primitive.parameters.size();
      result.parameters += count;
      result.widest = std::max(result.widest, types + count);
    }
    all.insert(cropped(sequence, sequence.size(), ~size_t(0)));
    for (auto [loss, matrices] : zip_equal(result.losses, kept))
      crop(sequence, loss, matrices);
  }

  SequenceStatistics finish() {
    result.distinct = all.size();
    for (auto [loss, matrices] : zip_equal(result.losses, kept))
      loss.distinct = matrices.size();
    return std::move(result);
  }

private:
  /// Hashes the part of a sequence that a matrix of this size shows.
  uint64_t cropped(ArrayRef<Primitive> sequence, size_t rows, size_t room) {
    words.clear();
    for (const Primitive &primitive : sequence.take_front(rows)) {
      size_t count = std::min(room, primitive.parameters.size());
      words.push_back(primitive.type);
      // The rest of a row and the rows after the last one are zeros.
      ArrayRef<int64_t> shown =
          ArrayRef(primitive.parameters).take_front(count);
      while (!shown.empty() && shown.back() == 0)
        shown = shown.drop_back();
      words.push_back(int64_t(shown.size()));
      llvm::append_range(words, shown);
    }
    return xxh3_64bits(
        {reinterpret_cast<const uint8_t *>(words.data()), words.size() * 8});
  }

  void crop(ArrayRef<Primitive> sequence, CroppingLoss &loss,
            DenseSet<uint64_t> &matrices) {
    size_t rows = std::min(loss.rows, sequence.size());
    size_t room = loss.columns - types, cut = 0;
    for (const Primitive &primitive : sequence.take_front(rows))
      cut += primitive.parameters.size() -
             std::min(room, primitive.parameters.size());
    loss.primitives += sequence.size() - rows;
    loss.parameters += cut;
    loss.sequences += cut || rows < sequence.size();
    matrices.insert(cropped(sequence, rows, room));
  }

  size_t types;
  SequenceStatistics result;
  DenseSet<uint64_t> all;
  std::vector<DenseSet<uint64_t>> kept;
  std::vector<int64_t> words;
};
} // namespace

static SequenceStatistics ofPruner(ArrayRef<MeasuredTask> tasks) {
  Counter counter(tasks.front().machine, "pruner", primitiveTypeCount());
  PrimitiveSequence sequence;
  for (const MeasuredTask &task : tasks) {
    PrimitiveWriter writer(task.desc);
    for (const MeasuredSchedule &measured : task.schedules) {
      writer.write(measured.schedule, sequence);
      counter.add(sequence);
    }
  }
  return counter.finish();
}

static SequenceStatistics ofRecords(ArrayRef<MeasuredTask> tasks) {
  bool gpu = tasks.front().machine->isGpu();
  Counter counter(tasks.front().machine, "ansor", ansorPrimitiveTypes(gpu));
  for (const MeasuredTask &task : tasks)
    for (const MeasuredSchedule &measured : task.schedules)
      if (!measured.primitives.empty())
        // Unreadable primitives were reported as bad lines.
        counter.add(cantFail(readAnsorPrimitives(measured.primitives, gpu)));
  return counter.finish();
}

std::vector<SequenceStatistics>
pruner::sequenceStatistics(const DatasetView &view) {
  std::vector<SequenceStatistics> result;
  for (ArrayRef<MeasuredTask> rest = view.tasks; !rest.empty();) {
    ArrayRef<MeasuredTask> tasks = rest.take_while(
        [&](const auto &task) { return task.machine == rest.front().machine; });
    rest = rest.drop_front(tasks.size());
    result.push_back(ofPruner(tasks));
    SequenceStatistics recorded = ofRecords(tasks);
    if (recorded.sequences)
      result.push_back(std::move(recorded));
  }
  return result;
}

void pruner::printSequences(ArrayRef<SequenceStatistics> all, raw_ostream &os) {
  using Align = Table::Align;
  Table table({{"machine"},
               {"language"},
               {"programs", Align::Right},
               {"longest", Align::Right},
               {"widest", Align::Right},
               {"repeated", Align::Right},
               {"matrix", Align::Right},
               {"cropped", Align::Right},
               {"primitives lost", Align::Right},
               {"parameters lost", Align::Right},
               {"repeated after", Align::Right}});
  auto share = [](size_t part, size_t of) {
    return formatv("{0:f2}%", of ? 100.0 * double(part) / double(of) : 0).str();
  };
  for (const SequenceStatistics &each : all)
    for (const CroppingLoss &loss : each.losses)
      table.addRow({each.machine->name, each.language,
                    std::to_string(each.sequences),
                    std::to_string(each.longest), std::to_string(each.widest),
                    share(each.sequences - each.distinct, each.sequences),
                    formatv("{0}x{1}", loss.rows, loss.columns),
                    share(loss.sequences, each.sequences),
                    share(loss.primitives, each.primitives),
                    share(loss.parameters, each.parameters),
                    share(each.sequences - loss.distinct, each.sequences)});
  table.print(os);
}
