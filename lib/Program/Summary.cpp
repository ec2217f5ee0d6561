//===- Summary.cpp - what the analysis and the models see -----------------===//
//
// Part of the Pruner project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "pruner/Program/Summary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

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
         ownLoops == other.ownLoops && accesses == other.accesses &&
         ops == other.ops && sharingThreads == other.sharingThreads &&
         vector == other.vector && padded == other.padded &&
         fetchesAhead == other.fetchesAhead;
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

/// Row-major element distance of a move in the whole tensor.
static int64_t tensorDistance(const BufferDesc &buffer,
                              llvm::ArrayRef<int64_t> move) {
  int64_t distance = 0;
  for (unsigned r = 0; r < buffer.tensorShape.size(); ++r)
    distance = distance * buffer.tensorShape[r] + move[r];
  return distance;
}

/// The buffer has memory for every how many-th place of coordinate `r` alone:
/// what no term of its layout tells apart.
static int64_t granuleOf(const BufferDesc &buffer, unsigned r) {
  int64_t granule = buffer.tensorShape[r];
  for (const LayoutTerm &term : buffer.layout)
    if (term.coord == r)
      granule = std::min(granule, term.div);
  return std::max<int64_t>(1, granule);
}

AccessSummary
pruner::summarizeAccess(const BufferDesc &buffer, int bufferIndex,
                        AccessKind kind, llvm::ArrayRef<LoopSummary> loops,
                        llvm::ArrayRef<llvm::SmallVector<int64_t, 4>> moves,
                        llvm::ArrayRef<bool> insideOrigin, unsigned ownLoops) {
  AccessSummary access;
  access.buffer = bufferIndex;
  access.kind = kind;
  unsigned numLoops = loops.size(), rank = buffer.tensorShape.size();

  for (const llvm::SmallVector<int64_t, 4> &move : moves)
    access.moves.append(move.begin(), move.end());

  // A loop that is part of the origin does not move the address inside the
  // buffer but what the buffer holds: its stride is the tensor's.
  for (unsigned l = 0; l < numLoops; ++l)
    access.strides.push_back(insideOrigin[l] ? tensorDistance(buffer, moves[l])
                                             : buffer.address(moves[l]));

  access.footprints.assign(numLoops + 1, 1);
  llvm::SmallVector<int64_t, 4> span(rank, 1), granule;
  for (unsigned r = 0; r < rank; ++r)
    granule.push_back(granuleOf(buffer, r));
  for (unsigned l = numLoops; l-- > 0;) {
    access.footprints[l] = access.footprints[l + 1];
    if (loops[l].extent == 1)
      continue;
    int64_t elements = 1;
    for (unsigned r = 0; r < rank; ++r) {
      span[r] += std::abs(moves[l][r]) * (loops[l].extent - 1);
      int64_t places = std::min(span[r], buffer.tensorShape[r]);
      // Divisions are slow, and granules of one the rule.
      elements *= granule[r] == 1 ? places : (places - 1) / granule[r] + 1;
    }
    access.footprints[l] = elements;
  }

  // The longest run: loops whose stride continues it. Threads of a block run
  // side by side, so their loops count as well as the statement's own.
  llvm::SmallVector<bool, 12> used(numLoops, false);
  auto extend = [&] {
    for (unsigned l = numLoops; l-- > 0;) {
      bool candidate =
          l >= numLoops - ownLoops || loops[l].level == LoopLevel::Thread;
      if (!used[l] && candidate && access.strides[l] == access.contiguous &&
          loops[l].extent > 1) {
        used[l] = true;
        access.contiguous *= loops[l].extent;
        return true;
      }
    }
    return false;
  };
  while (extend())
    ;
  access.contiguous = std::min(access.contiguous, access.footprints[0]);
  return access;
}

void pruner::addLaunchShape(ProgramSummary &summary,
                            const StatementSummary &statement) {
  auto product = [&](auto... levels) {
    return statement.trips([&](const LoopSummary &loop) {
      return ((loop.level == levels) || ...);
    });
  };
  auto widen = [](int64_t &field, int64_t value) {
    field = std::max(field, value);
  };
  KernelShape &kernel = summary.kernels[statement.kernel];
  widen(kernel.grid, product(summary.gpu ? LoopLevel::Block : LoopLevel::Core));
  widen(kernel.block, product(LoopLevel::Thread));
  widen(kernel.vthreads, product(LoopLevel::VThread));
  widen(kernel.accumulators,
        product(LoopLevel::VThread, LoopLevel::Unroll, LoopLevel::Vector));
}

namespace {

/// Walks a tiled program and keeps the loops around the current node.
class Summarizer {
public:
  Summarizer(const TaskDesc &task, const TiledProgram &program)
      : task(task), program(program) {
    summary.gpu = program.gpu;
    summary.unrollMaxStep = program.unrollMaxStep;
    summary.buffers.reserve(program.buffers.size());
    summary.statements.reserve(6);
    for (const BufferDesc &buffer : program.buffers) {
      bool inMemory =
          buffer.level != MemoryLevel::Global || buffer.argument >= 0;
      numbers.push_back(inMemory ? int(summary.buffers.size()) : -1);
      if (!inMemory)
        continue;
      BufferSummary out;
      out.name = buffer.name;
      out.level = buffer.level;
      out.elementBytes = byteWidth(buffer.type);
      out.tensorShape = buffer.tensorShape;
      out.elements = buffer.elements();
      summary.buffers.push_back(std::move(out));
    }
  }

  ProgramSummary run() {
    for (const std::vector<Node> &kernel : program.kernels) {
      summary.kernels.emplace_back();
      walk(kernel);
    }
    return std::move(summary);
  }

private:
  struct Enclosing {
    BandLoop loop;
    LoopLevel level;
  };

  void walk(const std::vector<Node> &nodes) {
    for (const Node &node : nodes) {
      if (const auto *band = std::get_if<BandNode>(&node.value)) {
        for (const BandLoop &loop : band->loops)
          enclosing.push_back({loop, band->level});
        walk(band->body);
        enclosing.truncate(enclosing.size() - band->loops.size());
      } else if (const auto *alloc = std::get_if<AllocNode>(&node.value)) {
        allocate(alloc->buffer);
      } else if (const auto *stage = std::get_if<StageNode>(&node.value)) {
        allocate(stage->buffer);
        visit(*stage);
      } else {
        visit(std::get<ComputeNode>(node.value));
      }
    }
  }

  void allocate(int index) {
    BufferSummary &buffer = summary.buffers[numbers[index]];
    buffer.allocTrips = 1;
    for (const Enclosing &e : enclosing)
      if (llvm::is_contained(program.buffers[index].at, e.loop.id))
        buffer.allocTrips *= e.loop.trips;
    int64_t bytes = buffer.elements * buffer.elementBytes;
    KernelShape &kernel = summary.kernels.back();
    (buffer.level == MemoryLevel::Shared ? kernel.sharedBytes
                                         : kernel.localBytes) += bytes;
  }

  /// The loops named in `at`, with their dimensions and steps.
  void addEnclosing(StatementSummary &out, llvm::ArrayRef<int> at) {
    ids.clear();
    steps.clear();
    for (const Enclosing &e : enclosing) {
      if (!llvm::is_contained(at, e.loop.id))
        continue;
      out.loops.push_back({int(e.loop.dim), e.loop.trips, e.level,
                           program.dims[e.loop.dim].reduction});
      addMove(e.loop.id, e.loop.dim, e.loop.step);
    }
  }

  void addMove(int id, unsigned dim, int64_t step) {
    ids.push_back(id);
    steps.push_back({dim, step});
  }

  using Move = llvm::SmallVector<int64_t, 4>;
  using Moves = llvm::SmallVector<Move, 16>;

  /// Moves of tensor coordinates by one iteration of a loop over one anchor
  /// dimension.
  static Move apply(const AccessMap &map, std::pair<unsigned, int64_t> step) {
    Move result;
    for (const LinearExpr &expr : map)
      result.push_back(expr.coeffs[step.first] * step.second);
    return result;
  }

  /// Moves of tensor coordinates from moves of the map's inputs.
  static Move apply(const AccessMap &map, const Move &move) {
    Move result;
    for (const LinearExpr &expr : map) {
      int64_t delta = 0;
      for (unsigned d = 0; d < expr.coeffs.size(); ++d)
        delta += expr.coeffs[d] * move[d];
      result.push_back(delta);
    }
    return result;
  }

  AccessSummary access(int buffer, AccessKind kind, const StatementSummary &out,
                       const Moves &moves) {
    llvm::SmallVector<bool, 12> inside;
    for (int id : ids)
      inside.push_back(id >= 0 &&
                       llvm::is_contained(program.buffers[buffer].at, id));
    return summarizeAccess(program.buffers[buffer], numbers[buffer], kind,
                           out.loops, moves, inside, out.ownLoops);
  }

  void visit(const StageNode &node) {
    StatementSummary out;
    out.kernel = summary.kernels.size() - 1;
    out.kind = StatementKind::Stage;
    out.sharingThreads = node.threads;
    out.vector = node.vector;
    out.padded = node.padded;
    if (node.statement >= 0)
      out.ops = task.statements[node.statement].ops;
    addEnclosing(out, node.at);

    // Moves of the staged tensor's coordinates: by the loops around, then by
    // one loop per coordinate.
    staged.clear();
    for (const auto &step : steps)
      staged.push_back(apply(node.map, step));
    for (unsigned r = 0; r < node.box.size(); ++r) {
      out.loops.push_back({-1, node.box[r], LoopLevel::Serial, false});
      ids.push_back(-1);
      staged.emplace_back(node.box.size(), 0);
      staged.back()[r] = 1;
    }
    out.ownLoops = node.box.size();

    out.accesses.reserve(node.reads.size() + 1);
    for (const TileAccess &read : node.reads) {
      moves.clear();
      for (const Move &move : staged)
        moves.push_back(apply(read.map, move));
      out.accesses.push_back(access(read.buffer, AccessKind::Read, out, moves));
    }
    out.accesses.push_back(access(node.buffer, AccessKind::Write, out, staged));
    summary.statements.push_back(std::move(out));
  }

  void visit(const ComputeNode &node) {
    StatementSummary out;
    out.kernel = summary.kernels.size() - 1;
    switch (node.role) {
    case ComputeRole::Init:
      out.kind = StatementKind::Init;
      break;
    case ComputeRole::Update:
      out.kind = StatementKind::Update;
      break;
    case ComputeRole::Finish:
      out.kind = StatementKind::Finish;
      break;
    case ComputeRole::Map:
      out.kind = StatementKind::Map;
      break;
    }
    if (node.statement >= 0)
      out.ops = node.combines ? task.statements[node.statement].combiner
                              : task.statements[node.statement].ops;
    out.fetchesAhead = node.prefetchBy > 0;
    addEnclosing(out, node.at);
    for (const BoxLoop &loop : node.loops) {
      out.loops.push_back({int(loop.dim), loop.extent, loop.level,
                           program.dims[loop.dim].reduction});
      addMove(-1, loop.dim, loop.step);
      if (loop.level == LoopLevel::Vector)
        out.vector = loop.extent;
    }
    out.ownLoops = node.loops.size();
    if (!program.gpu)
      summary.unrollMaxStep = std::max(summary.unrollMaxStep, node.unroll);
    bool accumulates = node.role == ComputeRole::Update;
    auto add = [&](const TileAccess &tile, AccessKind kind) {
      moves.clear();
      for (const auto &step : steps)
        moves.push_back(apply(tile.map, step));
      out.accesses.push_back(access(tile.buffer, kind, out, moves));
    };
    out.accesses.reserve(node.reads.size() + 1);
    for (const TileAccess &read : node.reads)
      add(read, AccessKind::Read);
    add(node.write, accumulates ? AccessKind::ReadWrite : AccessKind::Write);
    addLaunchShape(summary, out);
    summary.statements.push_back(std::move(out));
  }

  const TaskDesc &task;
  const TiledProgram &program;
  ProgramSummary summary;
  /// Per buffer of the program its number in the summary; -1 for a value that
  /// is never in memory.
  llvm::SmallVector<int, 8> numbers;
  llvm::SmallVector<Enclosing, 12> enclosing;
  /// Per loop of the current statement: its id (-1: its own loop), its anchor
  /// dimension and its step.
  llvm::SmallVector<int, 16> ids;
  llvm::SmallVector<std::pair<unsigned, int64_t>, 16> steps;
  /// Scratch.
  Moves staged, moves;
};

} // namespace

ProgramSummary pruner::summarize(const TaskDesc &task,
                                 const TiledProgram &program) {
  return Summarizer(task, program).run();
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
       << (s.padded ? " padded" : "")
       << (s.fetchesAhead ? " fetches ahead" : "") << " loops";
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
