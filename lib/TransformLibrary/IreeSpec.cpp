//===- IreeSpec.cpp - IREE's tuning specifications as text ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IreeSpec.h"

#include "pruner/Recognition/AnchorKind.h"

#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace pruner;

namespace {

/// A condition `dims_equal` on a list that a matcher returned.
struct Found {
  StringRef name;
  SmallVector<int64_t> wanted;
};

/// Emits the matcher of one op.
class Conditions {
public:
  explicit Conditions(linalg::LinalgOp op)
      : op(op), extents(op.getStaticLoopRanges()) {}

  std::string contraction(const linalg::ContractionDimensions &dims);
  std::string convolution(const linalg::ConvolutionDimensions &dims);

private:
  SmallVector<int64_t> of(ArrayRef<unsigned> loops) const {
    SmallVector<int64_t> sizes;
    for (unsigned loop : loops)
      sizes.push_back(extents[loop]);
    return sizes;
  }
  std::string write(StringRef matcher, ArrayRef<Found> lists);

  linalg::LinalgOp op;
  const SmallVector<int64_t> extents;
};

} // namespace

std::string Conditions::write(StringRef matcher, ArrayRef<Found> lists) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto element = [&](OpOperand *operand) {
    return getElementTypeOrSelf(operand->get().getType());
  };
  os << "    ";
  llvm::interleaveComma(lists, os, [&](const Found &list) { os << list.name; });
  os << " = transform.iree.match." << matcher
     << " %op,\n      lhs_type = " << element(op.getDpsInputOperand(0))
     << ", rhs_type = " << element(op.getDpsInputOperand(1))
     << ", output_type = " << element(op.getDpsInitOperand(0))
     << ",\n      indexing_maps = [";
  llvm::interleave(
      op.getIndexingMapsArray(), os,
      [&](AffineMap map) { os << "affine_map<" << map << '>'; },
      ",\n                       ");
  os << "]\n      : !transform.any_op -> !transform.param<i64>\n";
  for (const Found &list : lists) {
    os << "    transform.iree.match.dims_equal " << list.name << ", [";
    llvm::interleaveComma(list.wanted, os);
    os << "] : !transform.param<i64>\n";
  }
  return text;
}

std::string Conditions::contraction(const linalg::ContractionDimensions &dims) {
  return write("contraction", {{"%batch", of(dims.batch)},
                               {"%m", of(dims.m)},
                               {"%n", of(dims.n)},
                               {"%k", of(dims.k)}});
}

std::string Conditions::convolution(const linalg::ConvolutionDimensions &dims) {
  return write("convolution",
               {{"%batch", of(dims.batch)},
                {"%image", of(dims.outputImage)},
                {"%channel", of(dims.outputChannel)},
                {"%window", of(dims.filterLoop)},
                {"%sum", of(dims.inputChannel)},
                {"%depth", of(dims.depth)},
                {"%strides", llvm::to_vector<6>(dims.strides)},
                {"%dilations", llvm::to_vector<6>(dims.dilations)}});
}

/// IREE's matcher of convolutions compares maps, types and extents, and calls
/// poolings convolutions as well. Their windows have no channels.
static bool hasChannels(const linalg::ConvolutionDimensions &dims) {
  return !dims.outputChannel.empty() || !dims.inputChannel.empty() ||
         !dims.depth.empty();
}

llvm::Expected<std::string> pruner::ireeConditions(linalg::LinalgOp op) {
  // Upstream's interfaces return the maps of an op, but not what it computes.
  if (op.getNumDpsInputs() == 2 && describeAnchor(op).isHeavy()) {
    if (linalg::isaContractionOpInterface(op))
      if (auto dims = linalg::inferContractionDims(op); succeeded(dims))
        return Conditions(op).contraction(*dims);
    if (linalg::isaConvolutionOpInterface(op))
      if (auto dims = linalg::inferConvolutionDims(op);
          succeeded(dims) && hasChannels(*dims))
        return Conditions(op).convolution(*dims);
  }
  return llvm::createStringError(
      "it is neither a contraction nor a convolution, "
      "and IREE only has matchers for these");
}

/// A specification that leaves all decisions to IREE. An entry point without
/// matchers must not be marked as a default one.
static constexpr llvm::StringLiteral kEmpty =
    R"(module attributes {transform.with_named_sequence} {
  transform.named_sequence @__kernel_config(%module: !transform.any_op {transform.readonly}) -> !transform.any_op
      attributes {iree_codegen.tuning_spec_entrypoint} {
    transform.yield %module : !transform.any_op
  }
}
)";
/// The text before and after the matchers.
static constexpr llvm::StringLiteral kHead =
    R"(module attributes {iree_codegen.tuning_spec_with_default_entrypoint, transform.with_named_sequence} {
  transform.named_sequence @apply_op_config(%op: !transform.any_op {transform.readonly},
                                            %config: !transform.any_param {transform.readonly}) {
    transform.annotate %op "compilation_info" = %config : !transform.any_op, !transform.any_param
    transform.annotate %op "__pruner_spec_applied__" : !transform.any_op
    transform.yield
  }
)";
static constexpr llvm::StringLiteral kEntry =
    R"(  transform.named_sequence @__kernel_config(%module: !transform.any_op {transform.consumed}) -> !transform.any_op
      attributes {iree_codegen.tuning_spec_entrypoint} {
)";

std::string pruner::ireeSpec(const std::vector<IreeEntry> &entries) {
  if (entries.empty())
    return kEmpty.str();
  std::string text;
  llvm::raw_string_ostream os(text);
  os << kHead;
  for (const IreeEntry &entry : entries)
    os << "  transform.named_sequence @" << entry.name
       << "(%op: !transform.any_op {transform.readonly}) -> "
          "(!transform.any_op, !transform.any_param) {\n"
       << entry.conditions << "    %config = transform.param.constant "
       << entry.config << "\n      -> !transform.any_param\n"
       << "    transform.yield %op, %config : !transform.any_op, "
          "!transform.any_param\n  }\n";
  os << kEntry;
  os << "    %done = transform.foreach_match in %module\n        ";
  llvm::interleave(
      entries, os,
      [&](const IreeEntry &entry) {
        os << '@' << entry.name << " -> @apply_op_config";
      },
      ",\n        ");
  os << "\n      : (!transform.any_op) -> !transform.any_op\n"
        "    transform.yield %done : !transform.any_op\n  }\n}\n";
  return text;
}
