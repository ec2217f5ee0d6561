//===- Ranges.cpp - sizes of dynamic dimensions, and plans for them -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Ranges.h"

#include "pruner/Dialect/Pruner/IR/PrunerDialect.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace pruner;

static ParseResult parseList(AsmParser &parser,
                             SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(values.emplace_back());
  });
}

static void printList(AsmPrinter &printer, ArrayRef<int64_t> values) {
  printer << "[";
  llvm::interleaveComma(values, printer);
  printer << "]";
}

//===----------------------------------------------------------------------===//
// #pruner.range
//===----------------------------------------------------------------------===//

Attribute RangeAttr::parse(AsmParser &parser, Type) {
  StringRef name;
  int64_t min = 0, max = 0;
  SmallVector<int64_t> sizes;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&name) || parser.parseComma())
    return {};
  OptionalParseResult first = parser.parseOptionalInteger(min);
  if (first.has_value()) {
    if (*first || parser.parseKeyword("to") || parser.parseInteger(max))
      return {};
  } else {
    if (parseList(parser, sizes))
      return {};
    if (!sizes.empty()) {
      min = sizes.front();
      max = sizes.back();
    }
  }
  if (parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(loc); };
  return getChecked(function_ref<InFlightDiagnostic()>(emitError),
                    parser.getContext(), name, min, max,
                    ArrayRef<int64_t>(sizes));
}

void RangeAttr::print(AsmPrinter &printer) const {
  printer << "<" << getName() << ", ";
  if (getSizes().empty())
    printer << getMin() << " to " << getMax();
  else
    printList(printer, getSizes());
  printer << ">";
}

/// The runtime lookup of sizes uses 32 bits.
static constexpr int64_t kMaxSize = std::numeric_limits<int32_t>::max();

LogicalResult RangeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                StringRef name, int64_t min, int64_t max,
                                ArrayRef<int64_t> sizes) {
  auto belongs = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  if (name.empty() || !llvm::all_of(name, belongs))
    return emitError() << "'" << name
                       << "' is not a valid name of a size; expected letters, "
                          "digits and '_'";
  if (min < 1 || max > kMaxSize)
    return emitError() << "sizes of '" << name << "' are " << min << " to "
                       << max << ", not between 1 and " << kMaxSize;
  if (min > max)
    return emitError() << "sizes of '" << name << "': " << min
                       << " is greater than " << max;
  for (auto [size, next] : llvm::zip(sizes, sizes.drop_front(!sizes.empty())))
    if (size >= next)
      return emitError() << "sizes of '" << name
                         << "': expected ascending sizes, "
                         << "but got " << size << " before " << next;
  return success();
}

bool RangeAttr::contains(int64_t size) const {
  if (!getSizes().empty())
    return llvm::is_contained(getSizes(), size);
  return getMin() <= size && size <= getMax();
}

/// The entries of a valid `pruner.range`.
static auto rangesOf(Attribute range) {
  auto array = dyn_cast_or_null<ArrayAttr>(range);
  return array ? array.getValue() : ArrayRef<Attribute>();
}

LogicalResult pruner::verifyRange(Operation *op, unsigned argument,
                                  Attribute range) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto fail = [&] {
    return op->emitOpError()
           << "'pruner.range' of argument #" << argument << ": ";
  };
  if (!function)
    return fail() << "expected an argument of a function";
  auto type = dyn_cast<RankedTensorType>(function.getArgumentTypes()[argument]);
  if (!type)
    return fail() << "the argument is not a ranked tensor";
  auto array = dyn_cast<ArrayAttr>(range);
  if (!array || !llvm::all_of(array, llvm::IsaPred<RangeAttr>))
    return fail() << "expected an array of #pruner.range";
  if (array.size() != size_t(type.getNumDynamicDims()))
    return fail() << "has " << array.size() << " entries, but " << type
                  << " has " << type.getNumDynamicDims()
                  << " dynamic dimensions";
  for (auto entry : array.getAsRange<RangeAttr>())
    for (unsigned n = 0; n <= argument; ++n)
      for (Attribute other : rangesOf(
               function.getArgAttr(n, PrunerDialect::getRangeAttrName()))) {
        auto earlier = dyn_cast<RangeAttr>(other);
        if (earlier && earlier.getName() == entry.getName() && earlier != entry)
          return fail() << "'" << entry.getName() << "' has different sizes in "
                        << "argument #" << n;
      }
  return success();
}

//===----------------------------------------------------------------------===//
// #pruner.plan
//===----------------------------------------------------------------------===//

Attribute PlanAttr::parse(AsmParser &parser, Type) {
  StringRef name;
  SmallVector<int64_t> sizes, from, to, use;
  SmallVector<FlatSymbolRefAttr> functions;
  SMLoc loc = parser.getCurrentLocation();
  auto list = [&](StringRef key, SmallVectorImpl<int64_t> &values) {
    return failed(parser.parseComma()) || failed(parser.parseKeyword(key)) ||
           failed(parser.parseEqual()) || failed(parseList(parser, values));
  };
  if (parser.parseLess() || parser.parseKeyword(&name) || parser.parseComma())
    return {};
  bool independent = succeeded(parser.parseOptionalKeyword("independent"));
  if (independent && parser.parseComma())
    return {};
  if (parser.parseKeyword("sizes") || parser.parseEqual() ||
      parseList(parser, sizes) || parser.parseComma() ||
      parser.parseKeyword("functions") || parser.parseEqual() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square, [&]() -> ParseResult {
            return parser.parseAttribute(functions.emplace_back());
          }))
    return {};
  if (list("from", from) || list("to", to) || list("use", use) ||
      parser.parseGreater())
    return {};
  auto emitError = [&] { return parser.emitError(loc); };
  return getChecked(
      function_ref<InFlightDiagnostic()>(emitError), parser.getContext(), name,
      independent, ArrayRef<int64_t>(sizes),
      ArrayRef<FlatSymbolRefAttr>(functions), ArrayRef<int64_t>(from),
      ArrayRef<int64_t>(to), ArrayRef<int64_t>(use));
}

void PlanAttr::print(AsmPrinter &printer) const {
  printer << "<" << getName() << (getIndependent() ? ", independent" : "");
  auto list = [&](StringRef key, ArrayRef<int64_t> values) {
    printer << ", " << key << " = ";
    printList(printer, values);
  };
  list("sizes", getSizes());
  printer << ", functions = [";
  llvm::interleaveComma(getFunctions(), printer,
                        [&](auto each) { printer << each; });
  printer << "]";
  list("from", getFrom());
  list("to", getTo());
  list("use", getUse());
  printer << ">";
}

LogicalResult PlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StringRef name, bool independent,
                               ArrayRef<int64_t> sizes,
                               ArrayRef<FlatSymbolRefAttr> functions,
                               ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                               ArrayRef<int64_t> use) {
  if (sizes.size() != functions.size())
    return emitError() << "plan of '" << name << "': " << sizes.size()
                       << " sizes, but " << functions.size() << " functions";
  for (int64_t size : sizes)
    if (size < 1)
      return emitError() << "plan of '" << name << "': a function of size "
                         << size << ", but the least is 1";
  if (from.size() != to.size() || from.size() != use.size())
    return emitError() << "plan of '" << name << "': from, to and use have "
                       << from.size() << ", " << to.size() << " and "
                       << use.size() << " entries";
  int64_t last = 0;
  for (auto [low, high, number] : llvm::zip(from, to, use)) {
    if (low <= last || high < low)
      return emitError() << "plan of '" << name << "': " << low << " to "
                         << high << " after " << last
                         << ", expected ascending intervals";
    last = high;
    if (number < 0 || number >= int64_t(sizes.size()))
      return emitError() << "plan of '" << name << "': function " << number
                         << " does not exist, the plan has " << sizes.size();
    if (!independent && sizes[number] < high)
      return emitError() << "plan of '" << name
                         << "': " << "a function of size " << sizes[number]
                         << " cannot run sizes " << low << " to " << high;
  }
  return success();
}
