//===- SketchSpace.cpp - the legal schedules of one sketch ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Schedule/SketchSpace.h"

#include "pruner/Analysis/DraftModel.h"
#include "pruner/Analysis/Legality.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace pruner;

SketchSpace::SketchSpace(TaskDesc task, Machine machine, const Sketch &sketch,
                         SpaceOptions options)
    : tiles(std::move(task), std::move(machine), sketch), options(options) {
  blank.sketch = sketch.id;
  for (unsigned d = 0; d < tiles.dims().size(); ++d)
    blank.tiles.emplace_back(sketch.levels(this->task().kindOf(d)).size(), 1);
  for (const Knob *knob : allKnobs()) {
    KnobValues &entry = knobs.emplace_back();
    entry.knob = knob;
    unsigned positions =
        knob->perInput() ? this->task().anchorStatement().inputs.size() : 1;
    for (unsigned p = 0; p < positions; ++p) {
      entry.positions.push_back(knob->values(tiles.context(), p));
      entry.hasChoice |= entry.positions[p].size() > 1;
      knob->choose(blank, p, entry.positions[p].front());
    }
  }
  mutated.assign(1000, -1);
  for (unsigned k = 0; k < knobs.size(); ++k) {
    MutationShare share = knobs[k].knob->mutations(sketch);
    if (knobs[k].isDrawn())
      std::fill_n(mutated.begin() + share.first, share.count, k);
    for (KnobValues &other : knobs)
      if (knobs[k].hasChoice && knobs[k].knob->mutatesWith() == other.knob)
        other.partners.push_back(k);
  }
}

void SketchSpace::repair(Schedule &s) const {
  tiles.fit(s);
  for (const KnobValues &entry : knobs)
    entry.knob->repair(task(), s);
}

std::optional<Schedule> SketchSpace::adopt(Schedule s) const {
  auto levels = [](const auto &factors) { return factors.size(); };
  if (s.sketch != blank.sketch || s.stages.size() != blank.stages.size() ||
      !llvm::equal(llvm::map_range(s.tiles, levels),
                   llvm::map_range(blank.tiles, levels)) ||
      s.vectorDim >= int64_t(s.tiles.size()))
    return std::nullopt;
  repair(s);
  return isLegal(s) ? std::optional(std::move(s)) : std::nullopt;
}

bool SketchSpace::isLegal(const Schedule &s) const {
  return !checkSchedule(task(), s, machine());
}

//===----------------------------------------------------------------------===//
// Draws
//===----------------------------------------------------------------------===//

template <typename Range>
static const auto &pick(const Range &range, Random &random) {
  return range[random.uniform(range.size())];
}

Schedule SketchSpace::drawUniform(Random &random) const {
  Schedule s = blank;
  auto draw = [&](bool beforeTiles) {
    for (const KnobValues &entry : knobs)
      for (unsigned p = 0; p < entry.positions.size(); ++p)
        if (entry.isBeforeTiles() == beforeTiles)
          entry.knob->choose(s, p, pick(entry.positions[p], random));
  };
  draw(/*beforeTiles=*/true);
  for (unsigned d = 0; d < s.tiles.size(); ++d)
    s.tiles[d] = pick(tiles.chainsOf(d, s), random);
  sketch().adjust(task(), s);
  draw(/*beforeTiles=*/false);
  for (const KnobValues &entry : knobs)
    entry.knob->repair(task(), s);
  return s;
}

Schedule SketchSpace::drawGuided(Random &random) const {
  Schedule s = blank;
  sketch().guide(tiles, s, random);
  for (const KnobValues &entry : knobs)
    for (unsigned p = 0; p < entry.positions.size(); ++p)
      if (!entry.isBeforeTiles())
        entry.knob->guide(tiles.context(), s, p, entry.positions[p], random);
  return s;
}

std::optional<Schedule> SketchSpace::sample(Random &random,
                                            RejectionStats *stats) const {
  for (unsigned attempt = 0; attempt < options.attempts; ++attempt) {
    // Retries alternate between both kinds of draws, so that each kind gets its
    // chance if the other is rarely legal.
    bool guided = random.uniformReal() < options.guidedShare;
    Schedule s = guided ? drawGuided(random) : drawUniform(random);
    MaybeViolation violation = checkSchedule(task(), s, machine());
    if (!violation) {
      if (stats)
        ++stats->accepted;
      return s;
    }
    if (stats)
      ++stats->rejected[violation->rule];
  }
  if (!isLegal(blank))
    return std::nullopt;
  if (stats)
    ++stats->accepted;
  return blank;
}

//===----------------------------------------------------------------------===//
// Points by number
//===----------------------------------------------------------------------===//

void SketchSpace::KnobValues::choose(Schedule &s, uint64_t &index) const {
  for (unsigned p = 0; p < positions.size(); ++p) {
    knob->choose(s, p, positions[p][index % positions[p].size()]);
    index /= positions[p].size();
  }
}

std::vector<Schedule> SketchSpace::tilingKinds() const {
  std::vector<Schedule> kinds;
  for (uint64_t number = 0;; ++number) {
    uint64_t index = number;
    Schedule s = blank;
    for (const KnobValues &entry : knobs)
      if (entry.isBeforeTiles())
        entry.choose(s, index);
    if (index != 0)
      return kinds;
    kinds.push_back(std::move(s));
  }
}

double SketchSpace::size() const {
  double rest = 1, total = 0;
  for (const KnobValues &entry : knobs)
    if (!entry.isBeforeTiles())
      for (const auto &values : entry.positions)
        rest *= double(values.size());
  for (const Schedule &kind : tilingKinds()) {
    double product = rest;
    for (unsigned d = 0; d < kind.tiles.size(); ++d)
      product *= double(tiles.chainsOf(d, kind).size());
    total += product;
  }
  return total;
}

std::optional<Schedule> SketchSpace::at(uint64_t index) const {
  Schedule rest = blank;
  for (bool perInput : {false, true})
    for (const KnobValues &entry : knobs)
      if (!entry.isBeforeTiles() && entry.knob->perInput() == perInput)
        entry.choose(rest, index);
  for (Schedule &s : tilingKinds()) {
    uint64_t points = 1;
    for (unsigned d = 0; d < s.tiles.size(); ++d)
      points *= tiles.chainsOf(d, s).size();
    if (index >= points) {
      index -= points;
      continue;
    }
    for (unsigned d = 0; d < s.tiles.size(); ++d) {
      const auto &chains = tiles.chainsOf(d, s);
      s.tiles[d] = chains[index % chains.size()];
      index /= chains.size();
    }
    for (const KnobValues &entry : knobs)
      if (!entry.isBeforeTiles())
        entry.knob->set(s, entry.knob->get(rest));
    return isLegal(s) ? std::optional(s) : std::nullopt;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The default
//===----------------------------------------------------------------------===//

/// Numbers of draws and of one-knob improvements. They come close to the
/// optimum of the analytical model in a few milliseconds.
static constexpr unsigned kDraws = 192, kSteps = 256;
static constexpr uint64_t kSeed = 0x5eed;

std::optional<Schedule> SketchSpace::defaultSchedule() const {
  Schedule known = blank;
  if (sketch().setDefault(tiles, known) && isLegal(known))
    return known;
  Random random(kSeed);
  std::optional<Schedule> best;
  double bestSeconds = 0;
  DraftModel model(task(), machine());
  auto offer = [&](std::optional<Schedule> s) {
    if (!s)
      return;
    double seconds = model(*s);
    if (!best || seconds < bestSeconds) {
      best = std::move(s);
      bestSeconds = seconds;
    }
  };
  for (unsigned i = 0; i < kDraws; ++i)
    offer(sample(random));
  for (unsigned i = 0; best && i < kSteps; ++i)
    offer(mutate(*best, random));
  return best;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string SketchSpace::describe() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "space " << sketch().name << " of " << task().name << " on "
     << machine().name << ": " << llvm::format("%.3g", size())
     << " schedules\n";
  for (unsigned d = 0; d < tiles.dims().size(); ++d) {
    const IterDim &dim = tiles.dims()[d];
    bool along = !sketch().gpu && runsAlongVectors(task(), blank, d);
    for (auto [l, level] : llvm::enumerate(sketch().levels(task().kindOf(d)))) {
      std::vector<int64_t> choices =
          tiles.choices(d, l, dim.extent, along ? tiles.vectors().back() : 0);
      if (choices.size() < 2)
        continue;
      os << "  tile d" << d << " " << level.name << ": ";
      llvm::interleave(choices, os, " ");
      os << "\n";
    }
  }
  for (const KnobValues &entry : knobs)
    for (auto [p, values] : llvm::enumerate(entry.positions)) {
      if (values.size() < 2)
        continue;
      os << "  " << entry.knob->title(p) << ":";
      for (const Knob::Value &value : values)
        os << " " << entry.knob->describe(value);
      os << "\n";
    }
  return text;
}
