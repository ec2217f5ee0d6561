//===- MemoryEmitter.cpp - loads and stores of one thread -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace pruner;

int64_t pruner::vectorizableBytes(Type element) {
  if (!element.isIntOrFloat())
    return 0;
  unsigned bits = element.getIntOrFloatBitWidth();
  bool plain = bits >= 8 && bits <= 64 && llvm::isPowerOf2_32(bits);
  return plain ? bits / 8 : 0;
}

void MemoryEmitter::forgetLoads() {
  for (Frame &frame : frames)
    frame.loads.clear();
}

Value MemoryEmitter::index(Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

MemoryEmitter::Key MemoryEmitter::keyOf(const IndexForm &form) {
  Key key;
  for (const IndexTerm &term : form.getTerms())
    key.push_back({term.index.getAsOpaquePointer(), term.coeff});
  llvm::sort(key);
  return key;
}

Value MemoryEmitter::sumOf(Location loc, const IndexForm &form) {
  Key key = keyOf(form);
  for (Frame &frame : llvm::reverse(frames))
    if (auto found = frame.sums.find(key); found != frame.sums.end())
      return found->second;
  Value sum = IndexBuilder(builder, loc).value(form + -form.getConstant());
  frames.back().sums[key] = sum;
  return sum;
}

Value MemoryEmitter::address(Location loc, const IndexForm &form) {
  if (form.isConstant())
    return index(loc, form.getConstant());
  Value sum = sumOf(loc, form);
  // The constant comes last and becomes the offset of an instruction.
  if (form.getConstant() != 0)
    sum = arith::AddIOp::create(builder, loc, sum,
                                index(loc, form.getConstant()));
  return sum;
}

Value MemoryEmitter::bound(Location loc, Value value, int64_t bound,
                           bool above) {
  auto key = std::make_tuple(value.getAsOpaquePointer(), bound, above);
  for (Frame &frame : llvm::reverse(frames))
    if (auto found = frame.bounds.find(key); found != frame.bounds.end())
      return found->second;
  Value &result = frames.back().bounds[key];
  Value limit = index(loc, bound);
  if (above)
    result = arith::MinSIOp::create(builder, loc, value, limit);
  else
    result = arith::MaxSIOp::create(builder, loc, value, limit);
  return result;
}

Value MemoryEmitter::atMost(Location loc, Value value, int64_t limit) {
  return bound(loc, value, limit, /*above=*/true);
}

Value MemoryEmitter::atLeast(Location loc, Value value, int64_t limit) {
  return bound(loc, value, limit, /*above=*/false);
}

std::pair<IndexForm, IndexForm>
MemoryEmitter::divide(Location loc, const IndexForm &form, int64_t divisor) {
  if (auto split = form.split(divisor))
    return {split->quotient, split->remainder};
  int64_t whole =
      form.getConstant() % divisor == 0 ? form.getConstant() / divisor : 0;
  IndexForm varying = form + -whole * divisor;
  Value dividend = address(loc, varying);
  std::pair<Value, Value> result;
  auto key = std::make_pair(dividend.getAsOpaquePointer(), divisor);
  for (Frame &frame : llvm::reverse(frames))
    if (auto found = frame.quotients.find(key);
        found != frame.quotients.end()) {
      result = found->second;
      break;
    }
  std::optional<int64_t> largest = varying.maximum();
  if (!result.first) {
    // A division by a constant costs half as much in 32 bits.
    bool narrow = largest && *largest <= INT32_MAX;
    Type type =
        narrow ? Type(builder.getI32Type()) : Type(builder.getIndexType());
    if (narrow)
      dividend = arith::IndexCastUIOp::create(builder, loc, type, dividend);
    Value by = arith::ConstantOp::create(builder, loc,
                                         builder.getIntegerAttr(type, divisor));
    result.first = arith::DivUIOp::create(builder, loc, dividend, by);
    result.second = arith::RemUIOp::create(builder, loc, dividend, by);
    if (narrow) {
      Type wide = builder.getIndexType();
      result.first =
          arith::IndexCastUIOp::create(builder, loc, wide, result.first);
      result.second =
          arith::IndexCastUIOp::create(builder, loc, wide, result.second);
    }
    frames.back().quotients[key] = result;
  }
  int64_t quotients = largest ? *largest / divisor + 1 : 0;
  int64_t remainders = largest ? std::min(*largest + 1, divisor) : divisor;
  return {IndexForm(IndexTerm{result.first, 1, quotients, {}}) + whole,
          IndexForm(IndexTerm{result.second, 1, remainders, {}})};
}

SmallVector<IndexForm> MemoryEmitter::digits(Location loc, IndexForm form,
                                             ArrayRef<int64_t> extents) {
  SmallVector<IndexForm> result(extents.size());
  for (size_t n = extents.size(); n-- > 0;) {
    bool slowest = llvm::all_of(extents.take_front(n),
                                [](int64_t extent) { return extent == 1; });
    if (slowest) {
      result[n] = form;
      break;
    }
    if (extents[n] == 1)
      continue;
    std::tie(form, result[n]) = divide(loc, form, extents[n]);
  }
  return result;
}

std::vector<MemoryEmitter::Group>
MemoryEmitter::group(ArrayRef<IndexForm> addresses) {
  std::vector<Group> groups;
  std::map<Key, unsigned> byKey;
  for (auto [n, form] : llvm::enumerate(addresses)) {
    Key key = keyOf(form);
    auto [slot, isNew] = byKey.try_emplace(key, groups.size());
    if (isNew)
      groups.push_back({key, form + -form.getConstant(), {}});
    // A later store to the same address wins, as in program order.
    groups[slot->second].members[form.getConstant()] = n;
  }
  return groups;
}

/// The number of elements from `it` on, at most `limit`, that are contiguous
/// and form an aligned vector; at least 1.
template <typename Iterator>
static int64_t runLength(Iterator it, Iterator end, const IndexForm &form,
                         int64_t limit) {
  int64_t first = it->first, length = 0;
  while (it != end && it->first == first + length && length < limit) {
    ++it;
    ++length;
  }
  for (int64_t width = limit; width > 1; width /= 2)
    if (width <= length && form.isMultipleOf(width) && first % width == 0)
      return width;
  return 1;
}

static int64_t widestVector(Type element) {
  int64_t bytes = vectorizableBytes(element);
  return bytes ? kMaxAccessBytes / bytes : 1;
}

Value MemoryEmitter::findLoad(Value memref, const Key &key, int64_t constant) {
  for (Frame &frame : llvm::reverse(frames)) {
    auto found = frame.loads.find({memref.getAsOpaquePointer(), key, constant});
    if (found != frame.loads.end())
      return found->second;
  }
  return {};
}

SmallVector<Value> MemoryEmitter::load(Location loc, Value memref,
                                       ArrayRef<IndexForm> addresses) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  for (Group &group : group(addresses)) {
    auto &members = group.members;
    for (auto it = members.begin(); it != members.end();)
      it = findLoad(memref, group.key, it->first) ? members.erase(it)
                                                  : std::next(it);
    auto remember = [&](int64_t constant, Value value) {
      frames.back().loads[{memref.getAsOpaquePointer(), group.key, constant}] =
          value;
    };
    for (auto it = members.begin(); it != members.end();) {
      int64_t width =
          runLength(it, members.end(), group.form, widestVector(element));
      int64_t first = it->first;
      Value at = address(loc, group.form + first);
      if (width == 1) {
        remember(first, memref::LoadOp::create(builder, loc, memref, at));
      } else {
        llvm::Align alignment(width * vectorizableBytes(element));
        Value vector = vector::LoadOp::create(
            builder, loc, VectorType::get({width}, element), memref, at,
            /*nontemporal=*/false, alignment);
        for (int64_t lane = 0; lane < width; ++lane)
          remember(first + lane,
                   vector::ExtractOp::create(builder, loc, vector,
                                             ArrayRef<int64_t>{lane}));
      }
      std::advance(it, width);
    }
  }
  SmallVector<Value> values;
  for (const IndexForm &form : addresses)
    values.push_back(findLoad(memref, keyOf(form), form.getConstant()));
  return values;
}

void MemoryEmitter::store(Location loc, Value memref,
                          ArrayRef<IndexForm> addresses,
                          ArrayRef<Value> values) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  for (Group &group : group(addresses))
    for (auto it = group.members.begin(); it != group.members.end();) {
      int64_t width =
          runLength(it, group.members.end(), group.form, widestVector(element));
      Value at = address(loc, group.form + it->first);
      SmallVector<Value> lanes;
      for (int64_t lane = 0; lane < width; ++lane, ++it)
        lanes.push_back(values[it->second]);
      if (width == 1) {
        memref::StoreOp::create(builder, loc, lanes.front(), memref, at);
        continue;
      }
      Value vector = vector::FromElementsOp::create(
          builder, loc, VectorType::get({width}, element), lanes);
      vector::StoreOp::create(builder, loc, vector, memref, at,
                              /*nontemporal=*/false,
                              llvm::Align(width * vectorizableBytes(element)));
    }
}
