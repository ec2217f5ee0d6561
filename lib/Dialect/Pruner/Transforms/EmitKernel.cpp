//===- EmitKernel.cpp - emit a tiled program as IR ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Dialect/Pruner/Transforms/EmitKernel.h"

#include "pruner/Dialect/Pruner/IR/Combiner.h"
#include "pruner/Dialect/Pruner/IR/ElementTypes.h"
#include "pruner/Recognition/Operands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace pruner;

namespace {

class Emitter {
public:
  Emitter(OpBuilder &builder, const TaskIR &task, const TiledProgram &program)
      : builder(builder), task(task), program(program),
        context(builder.getContext()) {}

  func::FuncOp emit(StringRef name) {
    Location loc = task.ops[task.desc.anchor]->getLoc();
    SmallVector<Type> arguments(numArguments());
    for (const BufferDesc &buffer : program.buffers)
      if (buffer.argument >= 0)
        arguments[buffer.argument] = MemRefType::get(
            buffer.shape, fromElementType(buffer.type, context));
    auto function = func::FuncOp::create(
        builder, loc, name, builder.getFunctionType(arguments, {}));
    Block *entry = function.addEntryBlock();
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(entry);
    auto end = func::ReturnOp::create(builder, loc);
    constants = end;
    for (const std::vector<Node> &nodes : program.kernels) {
      builder.setInsertionPoint(end);
      emitKernel(nodes, *entry);
    }
    return function;
  }

private:
  void emitKernel(const std::vector<Node> &nodes, Block &entry) {
    Location loc = task.ops[task.desc.anchor]->getLoc();
    SmallVector<int64_t> extents;
    SmallVector<bool> reductions;
    for (const IterDim &dim : program.dims) {
      extents.push_back(dim.extent);
      reductions.push_back(dim.reduction);
    }
    auto kernel = KernelOp::create(
        builder, loc, program.gpu ? TargetKind::Gpu : TargetKind::Cpu, extents,
        reductions, program.unrollMaxStep);
    if (&nodes == &program.kernels.front())
      constants = kernel;
    builder.setInsertionPointToStart(&kernel.getBody().emplaceBlock());
    buffers.assign(program.buffers.size(), Value());
    for (auto [n, buffer] : llvm::enumerate(program.buffers)) {
      if (buffer.argument < 0)
        continue;
      buffers[n] = entry.getArgument(buffer.argument);
      if (buffer.isPackedArgument())
        buffers[n] =
            PackedOp::create(builder, loc, buffers[n].getType(), buffers[n],
                             buffer.tensorShape, layout(buffer));
    }
    emit(nodes);
  }

  unsigned numArguments() const {
    int last = -1;
    for (const BufferDesc &buffer : program.buffers)
      last = std::max(last, buffer.argument);
    return last + 1;
  }

  void emit(const std::vector<Node> &nodes) {
    for (const Node &node : nodes)
      std::visit([&](const auto &n) { emitNode(n); }, node.value);
  }

  void emitNode(const BandNode &node) {
    SmallVector<int64_t> dims, trips, steps;
    for (const BandLoop &loop : node.loops) {
      dims.push_back(loop.dim);
      trips.push_back(loop.trips);
      steps.push_back(loop.step);
    }
    Location loc = task.ops[task.desc.anchor]->getLoc();
    auto band = BandOp::create(builder, loc, LoopKind(unsigned(node.level)),
                               dims, trips, steps);
    for (auto [l, loop] : llvm::enumerate(node.loops))
      offsets[loop.id] = band.getBody().getArgument(l);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&band.getBody().front());
    emit(node.body);
  }

  MemRefType bufferType(const BufferDesc &buffer) {
    auto level = buffer.level == MemoryLevel::Shared ? MemoryKind::Shared
                                                     : MemoryKind::Local;
    return MemRefType::get(buffer.shape, fromElementType(buffer.type, context),
                           AffineMap(), MemoryKindAttr::get(context, level));
  }

  SmallVector<Value> at(ArrayRef<int> ids) {
    SmallVector<Value> values;
    for (int id : ids)
      values.push_back(offsets.lookup(id));
    return values;
  }

  AffineMap layout(const BufferDesc &buffer) {
    SmallVector<AffineExpr> terms;
    for (const LayoutTerm &term : buffer.layout) {
      AffineExpr expr = getAffineDimExpr(term.coord, context);
      if (term.div != 1)
        expr = expr.floorDiv(term.div);
      if (term.mod != 0)
        expr = expr % term.mod;
      terms.push_back(expr);
    }
    return AffineMap::get(buffer.tensorShape.size(), 0, terms, context);
  }

  AffineMap domainMap(const AccessMap &map) {
    return toAffineMap(map, program.dims.size(), context);
  }

  void emitNode(const AllocNode &node) {
    const BufferDesc &buffer = program.buffers[node.buffer];
    Location loc = task.ops[task.desc.anchor]->getLoc();
    buffers[node.buffer] =
        AllocOp::create(builder, loc, bufferType(buffer), buffer.name,
                        at(buffer.at), buffer.tensorShape, layout(buffer));
  }

  void emitNode(const StageNode &node) {
    const BufferDesc &buffer = program.buffers[node.buffer];
    linalg::LinalgOp source =
        task.ops[node.statement >= 0 ? node.statement : task.desc.anchor];
    SmallVector<Value> inputs;
    SmallVector<Attribute> maps;
    for (const TileAccess &read : node.reads) {
      inputs.push_back(buffers[read.buffer]);
      maps.push_back(AffineMapAttr::get(
          toAffineMap(*read.map, buffer.tensorShape.size(), context)));
    }
    auto stage = StageOp::create(
        builder, source.getLoc(), bufferType(buffer), buffer.name, at(node.at),
        inputs, node.input, node.box, domainMap(*node.map), buffer.tensorShape,
        layout(buffer), builder.getArrayAttr(maps), node.vector, node.threads,
        node.buffers, node.async,
        paddingOf(node, fromElementType(buffer.type, context)));
    buffers[node.buffer] = stage.getResult();
    Block &body = stage.getBody().emplaceBlock();
    if (node.statement >= 0)
      cloneBody(node.statement, body, inputs, nullptr);
    else
      yieldArgument(body, inputs.front());
    auto yield = cast<YieldOp>(body.getTerminator());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(yield);
    yield.getValueMutable().assign(extended(
        yield.getValue(), node.input, fromElementType(buffer.type, context)));
  }

  /// The operation by which the anchor extends elements of its input `input`
  /// (StatementDesc::product).
  Operation *extensionOf(int input) {
    int anchor = task.desc.anchor;
    linalg::LinalgOp source = task.ops[anchor];
    unsigned number = task.operands[anchor][input];
    return *source.getBlock()->getArgument(number).user_begin();
  }

  /// An element of anchor input `input` in the type of its buffer.
  Value extended(Value element, int input, Type type) {
    if (element.getType() == type)
      return element;
    IRMapping mapping;
    Operation *extension = extensionOf(input);
    mapping.map(extension->getOperand(0), element);
    return builder.clone(*extension, mapping)->getResult(0);
  }

  /// The value of positions outside of a padded input, in the buffer's type.
  TypedAttr paddingOf(const StageNode &node, Type type) {
    if (!node.padded)
      return {};
    TypedAttr padding = task.padValues[node.input];
    if (padding.getType() == type)
      return padding;
    SmallVector<OpFoldResult> folded;
    LogicalResult known = extensionOf(node.input)->fold({padding}, folded);
    assert(succeeded(known) && "extensions of constants are constants");
    (void)known;
    return cast<TypedAttr>(cast<Attribute>(folded.front()));
  }

  /// The padding values of the inputs that an update reads in place.
  ArrayAttr paddingsOf(const ComputeNode &node) {
    if (!node.padded)
      return {};
    SmallVector<Attribute> paddings;
    for (auto [n, read] : llvm::enumerate(node.reads)) {
      const OperandDesc &input = task.desc.anchorStatement().inputs[n];
      bool inPlace = input.padded && read.buffer == input.tensor;
      paddings.push_back(inPlace ? Attribute(task.padValues[n])
                                 : builder.getUnitAttr());
    }
    return builder.getArrayAttr(paddings);
  }

  void emitNode(const ComputeNode &node) {
    linalg::LinalgOp source =
        task.ops[node.statement >= 0 ? node.statement : task.desc.anchor];
    SmallVector<Value> inputs;
    SmallVector<Attribute> maps;
    for (const TileAccess &read : node.reads) {
      inputs.push_back(buffers[read.buffer]);
      maps.push_back(AffineMapAttr::get(domainMap(*read.map)));
    }
    maps.push_back(AffineMapAttr::get(domainMap(*node.write.map)));
    SmallVector<int64_t> dims, extents, steps;
    SmallVector<Attribute> levels;
    for (const BoxLoop &loop : node.loops) {
      dims.push_back(loop.dim);
      extents.push_back(loop.extent);
      steps.push_back(loop.step);
      levels.push_back(
          LoopKindAttr::get(builder.getContext(), LoopKind(loop.level)));
    }
    Value output = buffers[node.write.buffer];
    DenseI64ArrayAttr prefetch;
    if (node.prefetchBy)
      prefetch = builder.getDenseI64ArrayAttr(
          {int64_t(node.prefetchDim), node.prefetchBy});
    auto compute = ComputeOp::create(
        builder, source.getLoc(), Role(unsigned(node.role)), at(node.at),
        inputs, output, dims, extents, steps, builder.getArrayAttr(levels),
        node.unroll, prefetch, node.nontemporal,
        node.instruction ? builder.getStringAttr(node.instruction->name)
                         : StringAttr(),
        paddingsOf(node),
        node.inside ? builder.getDenseI64ArrayAttr(node.inside->shape)
                    : DenseI64ArrayAttr(),
        node.inside ? AffineMapAttr::get(domainMap(node.inside->map))
                    : AffineMapAttr(),
        builder.getArrayAttr(maps));
    Block &body = compute.getBody().emplaceBlock();
    if (node.combines) {
      combineArguments(node.statement, body, inputs.front(), output);
    } else if (node.statement >= 0) {
      cloneBody(node.statement, body, inputs,
                node.role == ComputeRole::Update ? output : Value());
    } else if (!inputs.empty()) {
      yieldArgument(body, inputs.front());
    } else {
      OpBuilder::InsertionGuard guard(builder);
      Value value = constant(compute.getLoc(), startOf(node));
      builder.setInsertionPointToStart(&body);
      YieldOp::create(builder, compute.getLoc(), value);
    }
  }

  static Type elementOf(Value buffer) {
    return cast<MemRefType>(buffer.getType()).getElementType();
  }

  void yieldArgument(Block &body, Value input) {
    Location loc = task.ops[task.desc.anchor]->getLoc();
    Value element = body.addArgument(elementOf(input), loc);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&body);
    YieldOp::create(builder, loc, element);
  }

  Operation *combinerOf(int statement) {
    linalg::LinalgOp source = task.ops[statement];
    return getCombiner(*source.getBlock());
  }

  TypedAttr startOf(const ComputeNode &init) {
    if (init.neutral)
      return neutralElement(combinerOf(task.desc.anchor));
    return task
        .initValues[init.reduction >= 0 ? init.reduction : task.desc.anchor];
  }

  /// Emits the body that combines two partial results of `statement`.
  void combineArguments(int statement, Block &body, Value part, Value output) {
    Operation *combiner = combinerOf(statement);
    Location loc = combiner->getLoc();
    Value element = body.addArgument(elementOf(part), loc);
    Value accumulator = body.addArgument(elementOf(output), loc);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&body);
    YieldOp::create(builder, loc,
                    combineBy(builder, loc, combiner, element, accumulator));
  }

  /// A constant before the kernels, created once.
  Value constant(Location loc, TypedAttr value) {
    Value &slot = constantValues[value];
    if (!slot) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(constants);
      slot = arith::ConstantOp::create(builder, loc, value);
    }
    return slot;
  }

  /// Clones the body of a linalg op. The arguments are one element of each
  /// input and of `output`, if it is given (an elementwise body does not read
  /// its output).
  void cloneBody(int statement, Block &body, ValueRange inputs, Value output) {
    linalg::LinalgOp source = task.ops[statement];
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&body);
    IRMapping mapping;
    Block *from = source.getBlock();
    for (auto [n, input] : llvm::zip_equal(task.operands[statement], inputs))
      mapElement(mapping, from->getArgument(n),
                 body.addArgument(elementOf(input), source.getLoc()));
    if (output)
      mapping.map(from->getArguments().back(),
                  body.addArgument(elementOf(output), source.getLoc()));
    for (Operation &op : *from) {
      for (Value operand : op.getOperands()) {
        TypedAttr value;
        if (!mapping.contains(operand) &&
            matchPattern(operand, m_Constant(&value)))
          mapping.map(operand, constant(operand.getLoc(), value));
      }
      if (op.hasTrait<OpTrait::IsTerminator>())
        YieldOp::create(builder, op.getLoc(), mapping.lookup(op.getOperand(0)));
      else if (op.getNumResults() != 1 || !mapping.contains(op.getResult(0)))
        builder.clone(op, mapping);
    }
  }

  /// Maps an argument of a body to an element of a buffer. If the buffer holds
  /// extended elements, the result of the extension is that element, too.
  static void mapElement(IRMapping &mapping, BlockArgument from, Value to) {
    mapping.map(from, to);
    if (from.getType() != to.getType())
      mapping.map((*from.user_begin())->getResult(0), to);
  }

  OpBuilder &builder;
  const TaskIR &task;
  const TiledProgram &program;
  MLIRContext *context;
  /// The first kernel; constants are inserted before it.
  Operation *constants = nullptr;
  llvm::MapVector<Attribute, Value> constantValues;
  llvm::DenseMap<int, Value> offsets;
  SmallVector<Value> buffers;
};

} // namespace

func::FuncOp pruner::emitKernel(OpBuilder &builder, StringRef name,
                                const TaskIR &task,
                                const TiledProgram &program) {
  return Emitter(builder, task, program).emit(name);
}
