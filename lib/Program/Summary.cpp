//===- Summary.cpp - the input of the analysis and the models -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Program/Summarizer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <array>

using namespace pruner;

bool BufferSummary::operator==(const BufferSummary &other) const {
  return name == other.name && level == other.level &&
         elementBytes == other.elementBytes &&
         tensorShape == other.tensorShape && elements == other.elements &&
         allocTrips == other.allocTrips;
}

bool AccessSummary::operator==(const AccessSummary &other) const {
  return buffer == other.buffer && kind == other.kind &&
         strides == other.strides && moves == other.moves &&
         footprints == other.footprints && contiguous == other.contiguous;
}

bool StatementSummary::operator==(const StatementSummary &other) const {
  return kernel == other.kernel && kind == other.kind && loops == other.loops &&
         ownLoops == other.ownLoops && sharedLoops == other.sharedLoops &&
         accesses == other.accesses && ops == other.ops &&
         sharingThreads == other.sharingThreads && vector == other.vector &&
         buffers == other.buffers && async == other.async &&
         padded == other.padded && rowDim == other.rowDim &&
         rowStep == other.rowStep && fetchesAhead == other.fetchesAhead &&
         nontemporal == other.nontemporal && insideShare == other.insideShare &&
         instruction == other.instruction;
}

bool KernelShape::operator==(const KernelShape &other) const {
  return grid == other.grid && block == other.block &&
         vthreads == other.vthreads && sharedBytes == other.sharedBytes &&
         localBytes == other.localBytes && accumulators == other.accumulators;
}

bool ProgramSummary::isOverwritten(unsigned index) const {
  int buffer = statements[index].written().buffer;
  return llvm::any_of(llvm::drop_begin(statements, index + 1),
                      [&](const StatementSummary &later) {
                        return later.written().buffer == buffer;
                      });
}

bool ProgramSummary::operator==(const ProgramSummary &other) const {
  return gpu == other.gpu && buffers == other.buffers &&
         statements == other.statements && kernels == other.kernels &&
         unrollMaxStep == other.unrollMaxStep;
}

namespace {
/// The effect of loops on an access, from the innermost one outward: the
/// distance in elements by which they move it, and the elements they access.
class BufferSteps {
public:
  explicit BufferSteps(const BufferDesc &buffer)
      : buffer(buffer), coordinates(buffer.tensorShape.size()) {
    int64_t product = 1;
    for (unsigned r = coordinates.size(); r-- > 0;) {
      Coordinate &c = coordinates[r];
      c.extent = c.granule = buffer.tensorShape[r];
      c.inTensor = product;
      product *= c.extent;
    }
    product = 1;
    for (unsigned p = buffer.shape.size(); p-- > 0;) {
      const LayoutTerm &term = buffer.layout[p];
      Coordinate &coordinate = coordinates[term.coord];
      coordinate.linear &= term.div == 1 && term.mod == 0;
      coordinate.inBuffer += product;
      coordinate.granule = std::min(coordinate.granule, term.div);
      product *= buffer.shape[p];
    }
  }

  /// Adds a loop around the previous ones, which moves the coordinates by
  /// `moves` in each of its `trips`. With `inside`, the loop moves the origin
  /// of the buffer, so its stride is that of the tensor.
  void add(llvm::ArrayRef<int64_t> moves, int64_t trips, bool inside) {
    stride = 0;
    bool linear = true;
    // Which loop moves which coordinate is unpredictable, so this has no
    // branches.
    for (auto [move, c] : llvm::zip_equal(moves, coordinates)) {
      linear &= c.linear | (move == 0);
      stride += move * (inside ? c.inTensor : c.inBuffer);
      c.span += std::abs(move) * (trips - 1);
      int64_t places = std::min(c.span, c.extent);
      // Divisions are slow, and most granules are one.
      if (c.granule == 1)
        c.places = places;
      else if (move != 0)
        c.places = (places - 1) / c.granule + 1;
    }
    if (!linear && !inside)
      stride = buffer.address(moves);
  }
  /// Elements between two iterations of the last loop.
  int64_t stride = 0;
  /// Elements that all loops access.
  int64_t elements() const {
    int64_t product = 1;
    for (const Coordinate &c : coordinates)
      product *= c.places;
    return product;
  }

private:
  struct Coordinate {
    int64_t extent = 1;
    /// Elements between neighboring positions, if all terms are the coordinate.
    int64_t inTensor = 0, inBuffer = 0;
    bool linear = true;
    /// The number of consecutive positions that share one element, because no
    /// term of the layout distinguishes them.
    int64_t granule = 1;
    int64_t span = 1, places = 1;
  };
  const BufferDesc &buffer;
  llvm::SmallVector<Coordinate, 4> coordinates;
};
} // namespace

void pruner::summarizeAccess(const BufferDesc &buffer,
                             llvm::ArrayRef<LoopSummary> loops,
                             llvm::ArrayRef<bool> insideOrigin,
                             unsigned ownLoops, AccessSummary &access) {
  unsigned numLoops = loops.size(), rank = buffer.tensorShape.size();
  BufferSteps steps(buffer);
  access.strides.resize_for_overwrite(numLoops);
  access.footprints.resize_for_overwrite(numLoops + 1);
  access.footprints[numLoops] = 1;
  for (unsigned l = numLoops; l-- > 0;) {
    auto moves = llvm::ArrayRef(access.moves).slice(l * rank, rank);
    // A loop that is part of the origin moves the contents of the buffer, not
    // the address inside of it.
    steps.add(moves, loops[l].extent, !insideOrigin.empty() && insideOrigin[l]);
    access.strides[l] = steps.stride;
    access.footprints[l] = steps.elements();
  }

  // The longest run consists of loops whose strides continue it. Threads of a
  // block run side by side, so their loops count as well as the statement's
  // own.
  access.contiguous = 1;
  llvm::SmallVector<unsigned, 24> candidates(numLoops);
  unsigned count = 0;
  for (unsigned l = numLoops; l-- > 0;) {
    candidates[count] = l;
    // Without branches, because they would be unpredictable.
    unsigned moves = access.strides[l] > 0, repeats = loops[l].extent > 1;
    unsigned own = l >= numLoops - ownLoops;
    unsigned threads = loops[l].level == LoopLevel::Thread;
    count += moves & repeats & (own | threads);
  }
  for (unsigned next = 0; next < count;) {
    unsigned l = candidates[next++];
    if (access.strides[l] != access.contiguous)
      continue;
    // After a loop is part of the run, its stride no longer matches.
    access.contiguous *= loops[l].extent;
    next = 0;
  }
  access.contiguous = std::min(access.contiguous, access.footprints[0]);
}

void pruner::addLaunchShape(ProgramSummary &summary,
                            const StatementSummary &statement) {
  std::array<int64_t, unsigned(LoopLevel::Rows) + 1> trips;
  trips.fill(1);
  for (const LoopSummary &loop : statement.loops)
    trips[unsigned(loop.level)] *= loop.extent;
  auto product = [&](auto... levels) {
    return (trips[unsigned(levels)] * ...);
  };
  auto widen = [](int64_t &field, int64_t value) {
    field = std::max(field, value);
  };
  KernelShape &kernel = summary.kernels[statement.kernel];
  widen(kernel.grid, product(summary.gpu ? LoopLevel::Block : LoopLevel::Core));
  widen(kernel.block, product(LoopLevel::Thread));
  widen(kernel.vthreads, product(LoopLevel::VThread));
  widen(kernel.accumulators, product(LoopLevel::VThread, LoopLevel::Unroll,
                                     LoopLevel::Vector, LoopLevel::Rows));
}

void Summarizer::begin() {
  summary.gpu = program.gpu;
  summary.unrollMaxStep = program.unrollMaxStep;
  summary.buffers.clear();
  summary.statements.clear();
  summary.statements.reserve(8);
  summary.kernels.clear();
  numbers.clear();
  lastIds.clear();
  enclosing.clear();
  addBuffers(program.buffers.size());
}

/// Numbers and describes the first `count` buffers of the program.
void Summarizer::addBuffers(size_t count) {
  while (numbers.size() < count) {
    const BufferDesc &buffer = program.buffers[numbers.size()];
    bool inMemory = buffer.level != MemoryLevel::Global || buffer.argument >= 0;
    numbers.push_back(inMemory ? int(summary.buffers.size()) : -1);
    if (!inMemory)
      continue;
    BufferSummary &out = summary.buffers.emplace_back();
    out.name = buffer.name;
    out.level = buffer.level;
    out.elementBytes = byteWidth(buffer.type);
    out.tensorShape = buffer.tensorShape;
    out.elements = buffer.elements();
  }
}

void Summarizer::beginBand(LoopLevel level, llvm::ArrayRef<BandLoop> loops) {
  for (const BandLoop &loop : loops)
    enclosing.push_back({loop, level});
  bands.push_back(loops.size());
}

void Summarizer::endBand() {
  enclosing.truncate(enclosing.size() - bands.pop_back_val());
}

/// Allocates `copies` copies of a buffer.
void Summarizer::allocate(int index, int64_t copies) {
  addBuffers(index + 1);
  BufferSummary &buffer = summary.buffers[numbers[index]];
  for (const Enclosing &e : enclosing)
    if (llvm::is_contained(program.buffers[index].at, e.loop.id))
      buffer.allocTrips *= e.loop.trips;
  int64_t bytes = sharedBytesOf(buffer.elements, buffer.elementBytes, copies);
  KernelShape &kernel = summary.kernels.back();
  (buffer.level == MemoryLevel::Shared ? kernel.sharedBytes
                                       : kernel.localBytes) += bytes;
}

/// A statement with those surrounding loops that are named in `at`.
StatementSummary &Summarizer::addStatement(StatementKind kind,
                                           llvm::ArrayRef<int> at) {
  StatementSummary &out = summary.statements.emplace_back();
  out.kernel = summary.kernels.size() - 1;
  out.kind = kind;
  ids.clear();
  steps.clear();
  for (const Enclosing &e : enclosing) {
    if (at.empty() || at.front() != e.loop.id)
      continue;
    at = at.drop_front();
    out.loops.push_back({int(e.loop.dim), e.loop.trips, e.level,
                         program.dims[e.loop.dim].reduction});
    ids.push_back(e.loop.id);
    steps.push_back(e.loop.step);
  }
  if (out.kernel != lastKernel)
    lastIds.clear();
  while (out.sharedLoops < std::min(ids.size(), lastIds.size()) &&
         ids[out.sharedLoops] == lastIds[out.sharedLoops])
    ++out.sharedLoops;
  lastIds = ids;
  lastKernel = out.kernel;
  return out;
}

AccessSummary &Summarizer::addAccess(StatementSummary &out, int buffer,
                                     AccessKind kind) {
  AccessSummary &access = out.accesses.emplace_back();
  access.buffer = buffer;
  access.kind = kind;
  return access;
}

/// Completes an access whose moves are set and whose buffer still has the
/// number of the program.
void Summarizer::finish(StatementSummary &out, AccessSummary &access) {
  const BufferDesc &buffer = program.buffers[access.buffer];
  llvm::SmallVector<bool, 24> inside;
  if (llvm::ArrayRef<int> at = buffer.at; !at.empty())
    for (int id : ids) {
      // Not every loop of the origin surrounds the statement.
      while (id >= 0 && !at.empty() && at.front() < id)
        at = at.drop_front();
      inside.push_back(id >= 0 && !at.empty() && at.front() == id);
    }
  access.buffer = numbers[access.buffer];
  summarizeAccess(buffer, out.loops, inside, out.ownLoops, access);
}

void Summarizer::addTile(StatementSummary &out, const TileAccess &tile,
                         AccessKind kind) {
  AccessSummary &access = addAccess(out, tile.buffer, kind);
  llvm::ArrayRef<LinearExpr> map = *tile.map;
  access.moves.resize_for_overwrite(out.loops.size() * map.size());
  int64_t *move = access.moves.data();
  for (auto [loop, step] : llvm::zip_equal(out.loops, steps))
    for (const LinearExpr &expr : map)
      *move++ = expr.coeffs[loop.dim] * step;
  finish(out, access);
}

void Summarizer::add(const StageNode &node) {
  allocate(node.buffer, node.buffers);
  StatementSummary &out = addStatement(StatementKind::Stage, node.at);
  out.sharingThreads = node.threads;
  out.vector = node.vector;
  out.buffers = node.buffers;
  out.async = node.async;
  out.padded = node.padded;
  if (const auto &layout = program.buffers[node.buffer].layout;
      !layout.empty()) {
    out.rowDim = int(layout.back().coord);
    out.rowStep = layout.back().div;
  }
  if (node.statement >= 0)
    out.ops = task.statements[node.statement].ops;
  // Surrounding loops move the coordinates of the staged tensor by the map. One
  // loop per coordinate moves it by one.
  unsigned around = out.loops.size(), rank = node.box.size();
  for (int64_t extent : node.box) {
    out.loops.push_back({-1, extent, LoopLevel::Serial, false});
    ids.push_back(-1);
  }
  out.ownLoops = rank;
  auto staged = [&](unsigned l, unsigned r) -> int64_t {
    if (l >= around)
      return l - around == r;
    return (*node.map)[r].coeffs[out.loops[l].dim] * steps[l];
  };
  for (const TileAccess &read : node.reads) {
    AccessSummary &access = addAccess(out, read.buffer, AccessKind::Read);
    for (unsigned l = 0; l < out.loops.size(); ++l)
      for (const LinearExpr &expr : *read.map) {
        int64_t delta = 0;
        for (unsigned r = 0; r < rank; ++r)
          if (expr.coeffs[r] != 0)
            delta += expr.coeffs[r] * staged(l, r);
        access.moves.push_back(delta);
      }
    finish(out, access);
  }
  AccessSummary &access = addAccess(out, node.buffer, AccessKind::Write);
  for (unsigned l = 0; l < out.loops.size(); ++l)
    for (unsigned r = 0; r < rank; ++r)
      access.moves.push_back(staged(l, r));
  finish(out, access);
}

static StatementKind kindOf(ComputeRole role) {
  switch (role) {
  case ComputeRole::Init:
    return StatementKind::Init;
  case ComputeRole::Update:
    return StatementKind::Update;
  case ComputeRole::Finish:
    return StatementKind::Finish;
  case ComputeRole::Map:
    break;
  }
  return StatementKind::Map;
}

void Summarizer::add(const ComputeNode &node) {
  StatementSummary &out = addStatement(kindOf(node.role), node.at);
  // An update may compute elements along a dimension that other statements
  // reduce.
  auto reduces = [&](int dim) {
    return program.dims[dim].reduction &&
           (node.role != ComputeRole::Update ||
            llvm::none_of(*node.write.map, [&](const LinearExpr &expr) {
              return expr.uses(dim);
            }));
  };
  for (LoopSummary &loop : out.loops)
    loop.reduction = reduces(loop.dim);
  if (node.statement >= 0)
    out.ops = node.combines ? task.statements[node.statement].combiner
                            : task.statements[node.statement].ops;
  out.fetchesAhead = node.prefetchBy > 0 && node.role != ComputeRole::Finish;
  out.nontemporal = node.nontemporal;
  out.padded = node.padded;
  out.instruction = node.instruction;
  if (node.inside)
    out.insideShare = node.inside->share(program.dims, node.loops, node.unroll);
  for (const BoxLoop &loop : node.loops) {
    out.loops.push_back(
        {int(loop.dim), loop.extent, loop.level, reduces(int(loop.dim))});
    ids.push_back(-1);
    steps.push_back(loop.step);
    if (loop.level == LoopLevel::Vector)
      out.vector = loop.extent;
  }
  out.ownLoops = node.loops.size();
  if (!program.gpu)
    summary.unrollMaxStep = std::max(summary.unrollMaxStep, node.unroll);
  for (const TileAccess &read : node.reads)
    addTile(out, read, AccessKind::Read);
  addTile(out, node.write,
          node.role == ComputeRole::Update ? AccessKind::ReadWrite
                                           : AccessKind::Write);
  addLaunchShape(summary, out);
}

ProgramSummary pruner::summarize(const TaskDesc &task,
                                 const TiledProgram &program) {
  Summarizer summarizer(task);
  replay(program, summarizer);
  return std::move(summarizer.summary);
}

llvm::StringRef pruner::statementKindName(StatementKind kind) {
  static constexpr llvm::StringLiteral names[] = {"stage", "init", "update",
                                                  "finish", "map"};
  return names[unsigned(kind)];
}

/// The classes of operations that occur, as " class:count".
static void printOps(llvm::raw_ostream &os, const OpCounts &c) {
  const std::pair<const char *, int64_t> classes[] = {
      {"fadd", c.floatAddSub}, {"fmul", c.floatMul},   {"fdiv", c.floatDivMod},
      {"fcmp", c.floatCmp},    {"fmath", c.floatMath}, {"fother", c.floatOther},
      {"iadd", c.intAddSub},   {"imul", c.intMul},     {"idiv", c.intDivMod},
      {"icmp", c.intCmp},      {"imath", c.intMath},   {"iother", c.intOther},
      {"bool", c.boolOps},     {"select", c.select}};
  for (auto [name, count] : classes)
    if (count != 0)
      os << " " << name << ":" << count;
}

std::string pruner::toString(const ProgramSummary &summary) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << (summary.gpu ? "gpu" : "cpu") << " unroll " << summary.unrollMaxStep
     << "\n";
  for (const KernelShape &kernel : summary.kernels)
    os << "kernel grid " << kernel.grid << " block " << kernel.block
       << " vthreads " << kernel.vthreads << " shared " << kernel.sharedBytes
       << " local " << kernel.localBytes << " accumulators "
       << kernel.accumulators << "\n";
  for (const BufferSummary &b : summary.buffers)
    os << "buffer " << b.name << " " << memoryLevelName(b.level) << " elements "
       << b.elements << " x " << b.elementBytes << " bytes, allocated "
       << b.allocTrips << " times\n";
  for (const StatementSummary &s : summary.statements) {
    os << "kernel " << s.kernel << " " << statementKindName(s.kind) << " ops";
    printOps(os, s.ops);
    os << " threads " << s.sharingThreads << " vector " << s.vector
       << (s.padded ? " padded" : "");
    if (s.buffers > 1)
      os << " buffers " << s.buffers << (s.async ? " async" : "");
    os << (s.fetchesAhead ? " fetches ahead" : "")
       << (s.nontemporal ? " nontemporal" : "");
    if (s.insideShare != 1)
      os << " inside " << llvm::format("%.3f", s.insideShare);
    if (s.instruction)
      os << " by " << s.instruction->name;
    os << " loops";
    for (auto [l, loop] : llvm::enumerate(s.loops))
      os << (l + s.ownLoops == s.loops.size() ? " |" : "") << " d" << loop.dim
         << (loop.reduction ? "r" : "") << ":" << loop.extent << ":"
         << loopLevelName(loop.level);
    os << "\n";
    for (const AccessSummary &a : s.accesses) {
      os << "  "
         << (a.kind == AccessKind::Read    ? "read "
             : a.kind == AccessKind::Write ? "write "
                                           : "readwrite ")
         << summary.buffers[a.buffer].name << " strides";
      for (int64_t stride : a.strides)
        os << " " << stride;
      os << " footprints";
      for (int64_t footprint : a.footprints)
        os << " " << footprint;
      os << " contiguous " << a.contiguous << "\n";
    }
  }
  return text;
}
