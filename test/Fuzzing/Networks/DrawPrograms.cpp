//===- DrawPrograms.cpp - programs on tensors of one type -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// These programs test the planning of memory: which tensor a statement reads,
// which one it overwrites, and control flow. The statements are therefore
// small, and all tensors have one type, so that each of them can be an operand
// or destination of each statement.

#include "NetworkDraw.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace pruner;

std::string NetworkDraw::apart(const std::function<void()> &body) {
  std::string before = std::exchange(written, "");
  body();
  return std::exchange(written, std::move(before));
}

const TextTensor &NetworkDraw::pick(const Pool &pool) {
  return pool.tensors[random.uniform(pool.tensors.size())];
}

/// A known condition, or a comparison of an element.
std::string NetworkDraw::condition(const Pool &pool) {
  if (!pool.conditions.empty() && chance(60))
    return pool.conditions[random.uniform(pool.conditions.size())];
  const TextTensor &x = pick(pool);
  std::string indices;
  for (int64_t extent : x.shape) {
    std::string at = constant(std::to_string(random.uniform(extent)), "index");
    indices += (indices.empty() ? "" : ", ") + at;
  }
  std::string element = name("q"), result = name("q");
  std::string zero =
      constant(x.isReal() ? number(0.1, x.element) : "1", x.element);
  written += "  " + element + " = tensor.extract " + x.name + "[" + indices +
             "] : " + x.type() + "\n  " + result + " = arith." +
             (x.isReal() ? "cmpf ogt" : "cmpi sgt") + ", " + element + ", " +
             zero + " : " + x.element + "\n";
  return result;
}

/// Combines two elements, and the elements that are overwritten.
TextTensor NetworkDraw::combine(const Pool &pool) {
  const TextTensor &a = pick(pool), &b = pick(pool);
  bool overwrites = chance(65);
  TextTensor into = overwrites ? pick(pool) : empty(a.shape, a.element);
  const std::string &e = a.element;
  BodyText body;
  std::string value, old = overwrites && chance(60) ? "%y0" : "%x1";
  if (a.isReal()) {
    std::string half = constant(number(0.5, e), e);
    std::string sum = body.add(
        std::string("arith.") + oneOf<const char *>({"addf", "subf", "maximumf",
                                                     "minimumf", "mulf"}),
        chance(50) ? "%x0, " + old : old + ", %x0", e);
    std::string part = body.add("arith.mulf", sum + ", " + half, e);
    value = chance(50) ? part : body.add("arith.subf", part + ", %x1", e);
  } else if (e == "i1") {
    value = body.add(std::string("arith.") +
                         oneOf<const char *>({"xori", "andi", "ori", "addi"}),
                     "%x0, " + old, e);
  } else {
    std::string by = constant(std::to_string(between(2, 5)), e);
    std::string scaled = body.add("arith.muli", "%x0, " + by, e);
    value = body.add(std::string("arith.") +
                         oneOf<const char *>({"subi", "subi", "addi", "xori",
                                              "maxsi", "minsi"}),
                     scaled + ", " + old, e);
  }
  std::vector<std::string> map = allDims(a.rank()), first = map;
  if (a.rank() > 0 && chance(8)) // Back to front.
    first[0] = std::to_string(a.shape[0] - 1) + " - d0";
  std::vector<TextOperand> inputs = {{a, first}, {b, map}};
  return generic(std::string(a.rank(), 'p'), inputs, {{into, map}}, body.text,
                 {value})[0];
}

/// Copies a box of one tensor into another one, at offsets that may be
/// computed.
TextTensor NetworkDraw::moveSlice(const Pool &pool) {
  const TextTensor &from = pick(pool), &into = pick(pool);
  std::vector<std::string> read, write, sizes, strides;
  TextTensor part = from;
  for (auto [d, extent] : enumerate(from.shape)) {
    int64_t size = between(1, extent), left = extent - size;
    part.shape[d] = size;
    sizes.push_back(std::to_string(size));
    strides.push_back("1");
    for (auto *offsets : {&read, &write}) {
      if (pool.counts.empty() || !chance(35)) {
        offsets->push_back(std::to_string(between(0, left)));
        continue;
      }
      std::string at = name("q");
      std::string most = constant(std::to_string(left + 1), "index");
      written += "  " + at + " = arith.remui " +
                 pool.counts[random.uniform(pool.counts.size())] + ", " + most +
                 " : index\n";
      offsets->push_back(at);
    }
  }
  std::string tail = " " + listText(sizes) + " " + listText(strides) + " : ";
  TextTensor slice = op(part.shape, part.element,
                        "tensor.extract_slice " + from.name + listText(read) +
                            tail + from.type() + " to " + part.type());
  return op(into.shape, into.element,
            "tensor.insert_slice " + slice.name + " into " + into.name +
                listText(write) + tail + slice.type() + " into " + into.type());
}

/// Writes some elements of a tensor, with an output map that leaves others out.
TextTensor NetworkDraw::partialWrite(const Pool &pool) {
  TextTensor from = pick(pool), into = pick(pool);
  size_t d = random.uniform(into.rank());
  int64_t extent = into.shape[d], stride = extent > 2 ? between(1, 3) : 1;
  int64_t first = random.uniform(std::min<int64_t>(extent, 3));
  // A plain index has the extent of its dimension.
  if (stride == 1 && extent > 1)
    first = std::max<int64_t>(first, 1);
  int64_t most = (extent - first - 1) / stride + 1, size = between(1, most);
  Shape zeros(from.rank(), 0), ones(from.rank(), 1), sizes = from.shape;
  sizes[d] = size;
  if (size != extent)
    from = slice(from, zeros, sizes, ones);
  std::vector<std::string> in = allDims(into.rank()), out = in;
  out[d] += " * " + std::to_string(stride) + " + " + std::to_string(first);
  const std::string &e = into.element;
  BodyText body;
  std::string value = "%x0";
  if (chance(50))
    value = body.add(into.isReal() ? "arith.maximumf"
                                   : std::string("arith.") +
                                         (e == "i1" ? "xori" : "subi"),
                     "%x0, %y0", e);
  return generic(std::string(into.rank(), 'p'), {{from, in}}, {{into, out}},
                 body.text, {value})[0];
}

/// Several iterations write one element, in order: windows that overlap, or a
/// whole dimension to one position.
TextTensor NetworkDraw::overlappingWrite(const Pool &pool) {
  TextTensor from = pick(pool), into = pick(pool);
  size_t d = random.uniform(into.rank());
  int64_t extent = into.shape[d], taps = std::min<int64_t>(extent, 3);
  std::vector<std::string> in = allDims(into.rank()), out = in;
  std::string kinds(into.rank(), 'p');
  kinds[d] = 'r';
  std::vector<TextOperand> inputs;
  if (chance(50)) {
    out[d] = std::to_string(random.uniform(extent));
    inputs = {{from, in}};
  } else {
    Shape zeros(from.rank(), 0), ones(from.rank(), 1), sizes = from.shape;
    sizes[d] = extent - taps + 1;
    from = slice(from, zeros, sizes, ones);
    TextTensor weights = filled(
        {taps}, from.element, from.isReal() ? number(0.5, from.element) : "1");
    std::string tap = "d" + std::to_string(into.rank());
    out[d] += " + " + tap;
    kinds += 'r';
    inputs = {{from, in}, {weights, {tap}}};
  }
  BodyText body;
  std::string value = orderedBody(into.element, body);
  return generic(kinds, inputs, {{into, out}}, body.text, {value})[0];
}

TextTensor NetworkDraw::oneResult(const TextTensor &like,
                                  const std::string &operation,
                                  unsigned count) {
  TextTensor result = like;
  result.name = name("v");
  written += "  " + result.name +
             (count > 1 ? ":" + std::to_string(count) : "") + " = " +
             operation + "\n";
  if (count > 1)
    result.name += "#" + std::to_string(random.uniform(count));
  return result;
}

std::string NetworkDraw::region(Pool pool, const std::string &yield,
                                unsigned results) {
  ++pool.depth;
  return apart([&] {
    // Recent values are more likely to be yielded.
    for (unsigned count = random.uniform(3) + (pool.depth < 2); count > 0;
         --count) {
      TextTensor made = statement(pool);
      pool.tensors.push_back(made);
      pool.tensors.push_back(made);
    }
    std::vector<std::string> names, types;
    for (unsigned n = 0; n < results; ++n) {
      const TextTensor &out =
          n == 0 && chance(60) ? pool.tensors.back() : pick(pool);
      names.push_back(out.name);
      types.push_back(out.type());
    }
    written += "  " + yield + " " + join(names, ", ") + " : " +
               join(types, ", ") + "\n";
  });
}

static std::string typeList(const std::string &type, unsigned count) {
  return join(std::vector<std::string>(count, type), ", ");
}

TextTensor NetworkDraw::branch(const Pool &pool) {
  unsigned count = between(1, 2);
  const TextTensor &like = pool.tensors[0];
  std::string which = condition(pool);
  std::string yes = region(pool, "scf.yield", count),
              no = region(pool, "scf.yield", count);
  return oneResult(like,
                   "scf.if " + which + " -> (" + typeList(like.type(), count) +
                       ") {\n" + yes + "  } else {\n" + no + "  }",
                   count);
}

TextTensor NetworkDraw::choice(const Pool &pool) {
  const TextTensor &like = pool.tensors[0];
  std::string text = "scf.index_switch " +
                     pool.counts[random.uniform(pool.counts.size())] + " -> " +
                     like.type() + "\n";
  for (int64_t n = 0, count = between(1, 2); n < count; ++n)
    text += "  case " + std::to_string(n) + " {\n" +
            region(pool, "scf.yield", 1) + "  }\n";
  return oneResult(
      like, text + "  default {\n" + region(pool, "scf.yield", 1) + "  }", 1);
}

TextTensor NetworkDraw::loop(const Pool &pool) {
  unsigned count = between(1, 2);
  const TextTensor &like = pool.tensors[0];
  std::string low = constant(std::to_string(random.uniform(2)), "index"),
              step = constant(std::to_string(between(1, 2)), "index"), high;
  if (!pool.counts.empty() && chance(60))
    high = pool.counts[random.uniform(pool.counts.size())];
  else
    high = constant(std::to_string(random.uniform(4)), "index");
  Pool inside = pool;
  std::string carried, at = name("q");
  inside.counts.push_back(at);
  for (unsigned n = 0; n < count; ++n) {
    TextTensor value = like;
    value.name = name("z");
    carried += (n ? ", " : "") + value.name + " = " + pick(pool).name;
    // Twice, because the carried value is mostly read.
    inside.tensors.insert(inside.tensors.end(), 2, value);
  }
  std::string body = region(inside, "scf.yield", count);
  return oneResult(like,
                   "scf.for " + at + " = " + low + " to " + high + " step " +
                       step + " iter_args(" + carried + ") -> (" +
                       typeList(like.type(), count) + ") {\n" + body + "  }",
                   count);
}

/// Counts up to a number, or until an element ends the loop.
TextTensor NetworkDraw::whileLoop(const Pool &pool) {
  const TextTensor &like = pool.tensors[0];
  std::string zero = constant("0", "index"), one = constant("1", "index"),
              high = pool.counts.empty()
                         ? constant(std::to_string(random.uniform(4)), "index")
                         : pool.counts[random.uniform(pool.counts.size())];
  std::string n = name("q"), next = name("q"), may = name("q"),
              type = like.type();
  TextTensor before = like, after = like;
  before.name = name("z");
  after.name = name("z");
  Pool first = pool, second = pool;
  first.tensors.insert(first.tensors.end(), 2, before);
  second.tensors.insert(second.tensors.end(), 2, after);
  second.counts.push_back(n);
  std::string test = apart([&] {
    written +=
        "  " + may + " = arith.cmpi slt, " + n + ", " + high + " : index\n";
    std::string goes = may;
    if (chance(30)) {
      std::string other = condition(first);
      goes = name("q");
      written +=
          "  " + goes + " = arith.andi " + may + ", " + other + " : i1\n";
    }
    TextTensor out = chance(70) ? before : statement(first);
    written += "  scf.condition(" + goes + ") " + n + ", " + out.name +
               " : index, " + type + "\n";
  });
  std::string step =
      "  " + next + " = arith.addi " + n + ", " + one + " : index\n";
  std::string body = region(second, "scf.yield " + next + ",", 1);
  // The yielded types follow one colon.
  size_t colon = body.rfind(" : ");
  body.insert(colon + 3, "index, ");
  TextTensor result = like;
  result.name = name("v");
  written += "  " + result.name + ":2 = scf.while (" + n + " = " + zero + ", " +
             before.name + " = " + pick(pool).name + ") : (index, " + type +
             ") -> (index, " + type + ") {\n" + test + "  } do {\n  ^bb0(" + n +
             "b: index, " + after.name + ": " + type + "):\n";
  // The region has its own counter.
  auto renamed = [&](std::string text) {
    for (size_t at = 0; (at = text.find(n, at)) != std::string::npos;) {
      size_t end = at + n.size();
      bool whole = end == text.size() || !isAlnum(text[end]);
      if (whole)
        text.insert(end, "b");
      at = end;
    }
    return text;
  };
  written += renamed(step) + renamed(body) + "  }\n";
  result.name += "#1";
  return result;
}

/// Calls a known function, or a new one, which may call earlier ones.
TextTensor NetworkDraw::callFunction(const Pool &pool) {
  const TextTensor &like = pool.tensors[0];
  std::vector<DrawnFunction> fitting;
  for (const auto *list : {&functions, &freshFunctions})
    for (const DrawnFunction &function : *list)
      if (function.type == like.type())
        fitting.push_back(function);
  DrawnFunction callee;
  if (!fitting.empty() && (pool.depth > 2 || chance(60))) {
    callee = fitting[random.uniform(fitting.size())];
  } else {
    callee = {"@f" + std::to_string(names++), like.type(),
              unsigned(between(1, 2))};
    Pool inside;
    inside.allowed = pool.allowed;
    inside.depth = pool.depth + 1;
    std::string header;
    for (unsigned n = 0; n < callee.count; ++n) {
      TextTensor value = like;
      value.name = name("p");
      header += value.name + ": " + like.type() + ", ";
      inside.tensors.push_back(value);
    }
    inside.conditions.push_back(name("p"));
    header += inside.conditions[0] + ": i1";
    std::string body = region(inside, "return", callee.count);
    pendingFunctions += "func.func private " + callee.name + "(" + header +
                        ") -> (" + typeList(like.type(), callee.count) +
                        ") {\n" + body + "}\n";
    freshFunctions.push_back(callee);
  }
  std::string arguments;
  for (unsigned n = 0; n < callee.count; ++n)
    arguments += pick(pool).name + ", ";
  std::string which = condition(pool);
  return oneResult(like,
                   "func.call " + callee.name + "(" + arguments + which +
                       ") : (" + typeList(like.type(), callee.count) +
                       ", i1) -> (" + typeList(like.type(), callee.count) + ")",
                   callee.count);
}

TextTensor NetworkDraw::statement(Pool &pool) {
  bool deep = pool.depth >= 3;
  for (;;)
    switch (random.uniform(12)) {
    case 0:
    case 1:
    case 2:
      return combine(pool);
    case 3:
      return moveSlice(pool);
    case 4:
    case 5: {
      if (!(pool.allowed & Selects))
        break;
      const TextTensor &a = pick(pool), &b = pick(pool);
      std::string which = condition(pool);
      return op(a.shape, a.element,
                "arith.select " + which + ", " + a.name + ", " + b.name +
                    " : " + a.type());
    }
    case 6:
      if (pool.allowed & Partial)
        return chance(65) ? partialWrite(pool) : overlappingWrite(pool);
      break;
    case 7:
      if ((pool.allowed & Branches) && !deep)
        return branch(pool);
      break;
    case 8:
      if ((pool.allowed & Branches) && !deep && !pool.counts.empty())
        return choice(pool);
      break;
    case 9:
      if ((pool.allowed & Loops) && !deep)
        return loop(pool);
      break;
    case 10:
      if ((pool.allowed & Loops) && !deep)
        return whileLoop(pool);
      break;
    default:
      if ((pool.allowed & Calls) && !deep)
        return callFunction(pool);
    }
}

void NetworkDraw::program(unsigned wanted) {
  Pool pool;
  pool.allowed = wanted;
  // Other statements are included, unless they are excluded by name.
  for (auto [bit, kind] :
       {std::pair{Selects, "tensor-select"}, std::pair{Branches, "branch"},
        std::pair{Loops, "loop"}, std::pair{Calls, "call"},
        std::pair{Partial, "partial"}})
    if (chance(25) && !without.contains(kind))
      pool.allowed |= bit;
  TextTensor first;
  std::string element = oneOf<const char *>(
      {"i32", "i32", "i32", "i64", "i16", "i8", "i1", "f32", "f32", "f64"});
  if (chance(30)) {
    first = any();
    if (first.rank() == 0 || first.rank() > 3 || first.elements() > 1024)
      return;
  } else {
    Shape shape(between(1, 2));
    for (int64_t &each : shape)
      each = extent(shape.size() == 1 ? 64 : 17);
    first = like(shape, element);
  }
  pool.tensors = {first};
  for (int64_t more = between(1, 2); more > 0; --more)
    pool.tensors.push_back(like(first.shape, first.element));
  auto scalar = [&](const TextTensor &x) {
    std::string value = name("q");
    written += "  " + value + " = tensor.extract " + x.name +
               "[] : " + x.type() + "\n";
    return value;
  };
  if (wanted & (Selects | Branches | Calls))
    for (int64_t more = between(1, 2); more > 0; --more)
      pool.conditions.push_back(scalar(like({}, "i1")));
  if (pool.allowed & (Branches | Loops)) {
    std::string given = scalar(like({}, "i32")), wide = name("q"),
                count = name("q"), four = constant("4", "index");
    written += "  " + wide + " = arith.index_castui " + given +
               " : i32 to index\n  " + count + " = arith.remui " + wide + ", " +
               four + " : index\n";
    pool.counts.push_back(count);
  }
  std::vector<TextTensor> made;
  for (int64_t left = between(2, chance(30) ? 14 : 6); left > 0; --left) {
    TextTensor value = statement(pool);
    pool.tensors.push_back(value);
    made.push_back(value);
  }
  // The last one, and others, including ones that were overwritten since.
  std::vector<TextTensor> results;
  for (auto [n, value] : enumerate(reverse(made)))
    if (n == 0 || (chance(30) && results.size() < 3))
      results.push_back(value);
  for (TextTensor &result : results)
    if (StringRef(result.name).contains('#'))
      result = cast(result, result.element);
  commit(results);
}
