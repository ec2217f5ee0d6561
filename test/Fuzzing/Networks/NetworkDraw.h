//===- NetworkDraw.h - draw a random network --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_NETWORKS_NETWORKDRAW_H
#define PRUNER_FUZZING_NETWORKS_NETWORKDRAW_H

#include "Fuzzing/Interpreter/Interpreter.h"
#include "Fuzzing/Text/LinalgWriter.h"
#include "pruner/Support/Random.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/iterator_range.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pruner {

/// A tensor of the network with the ranges of its elements.
struct DrawnValue : TextTensor {
  RangeTensorRef data;
};

/// A private function of the network: it has as many arguments as results, of
/// one type, and a condition.
struct DrawnFunction {
  std::string name, type;
  unsigned count;
};

/// Draws a network operation by operation, as text. Each group of operations (a
/// norm, a convolution with its padding) is interpreted at once and kept only
/// if its results are tame: finite, of moderate size, and with ranges that are
/// narrow enough for a comparison.
class NetworkDraw : LinalgWriter {
public:
  /// Arguments hold the values that `drawInputs` computes from `inputSeed`.
  NetworkDraw(mlir::MLIRContext &context, Random random, uint64_t inputSeed,
              const llvm::StringSet<> &without)
      : context(context), random(std::move(random)), inputSeed(inputSeed),
        without(without) {}

  /// The text of the module: one public function `main`, and the functions that
  /// it calls.
  std::string draw();

private:
  using Dims = std::vector<unsigned>;
  using Kind = void (NetworkDraw::*)();

  //===--- choices --------------------------------------------------------===//
  bool chance(unsigned percent) { return random.uniform(100) < percent; }
  int64_t between(int64_t low, int64_t high) {
    return low + int64_t(random.uniform(uint64_t(high - low + 1)));
  }
  template <typename T> T oneOf(std::initializer_list<T> values) {
    return values.begin()[random.uniform(values.size())];
  }
  /// An extent of at most `limit`: ones, primes, tiles and tiles +-1.
  int64_t extent(int64_t limit);
  /// A value of the network, or a new argument, with that many dimensions and
  /// at most `elements` elements.
  TextTensor real(size_t leastRank = 0, size_t mostRank = 6,
                  int64_t elements = 1 << 13);
  TextTensor integer(size_t leastRank = 0, size_t mostRank = 6);
  /// The same for any integer type, including i1 and index.
  TextTensor discrete(size_t leastRank = 0, size_t mostRank = 6,
                      int64_t elements = 1 << 13);
  TextTensor any();
  /// A value of exactly this type: an existing one, an argument, or a constant.
  TextTensor like(const Shape &shape, const std::string &element);

  //===--- text -----------------------------------------------------------===//
  /// A new argument of the function. Weights may be declared constant.
  TextTensor argument(Shape shape, const std::string &element,
                      bool weight = false);
  TextTensor weight(Shape shape, const std::string &element, int64_t summed);
  /// A constant whose elements are a resource of the module, as exporters write
  /// them: reals up to `most`, small integers, booleans.
  TextTensor resource(Shape shape, const std::string &element, double most);
  TextTensor filled(Shape shape, const std::string &element,
                    const std::string &value);
  static std::string number(double value, const std::string &element);
  /// As in LinalgWriter; several results get one cast each.
  std::vector<TextTensor> generic(const std::string &kinds,
                                  const std::vector<TextOperand> &inputs,
                                  const std::vector<TextOperand> &outputs,
                                  const std::string &body,
                                  std::vector<std::string> yields = {});
  /// A generic, elementwise over all of `shape`, with operands broadcast to the
  /// trailing dimensions as exporters do.
  TextTensor elementwise(const std::vector<TextTensor> &inputs,
                         const Shape &shape, const std::string &element,
                         const std::string &body);
  TextTensor reshape(const TextTensor &x, const Shape &shape);
  TextTensor transpose(const TextTensor &x, const Dims &order);
  TextTensor concat(const std::vector<TextTensor> &parts, unsigned dim);
  TextTensor cast(const TextTensor &x, const std::string &element);
  TextTensor reduce(const TextTensor &x, const std::vector<bool> &reduced,
                    const std::string &kind, bool keep);
  TextTensor repeated(const TextTensor &x, size_t at, int64_t extent);
  TextTensor matmul(const TextTensor &a, const TextTensor &b,
                    const std::string &result);
  TextTensor start(Shape shape, const std::string &element);
  /// The bytes `q` as reals, (byte - zero point) * scale, in one operation or
  /// several. The numbers may differ along dimension `channel`.
  TextTensor dequantize(const TextTensor &q, std::optional<size_t> channel);
  /// Bytes that stand for the reals `x`, some of them signed.
  TextTensor quantized(const TextTensor &x);
  /// What follows a sum: a bias, an activation, bytes again.
  void commitSum(TextTensor y, size_t channel, const TextTensor &factor);

  /// Adds the written text to the network if it is valid and tame. With `wild`,
  /// results need not be finite.
  bool commit(const std::vector<TextTensor> &results, bool wild = false);
  void drop();

  //===--- kinds of operations --------------------------------------------===//
  void unary();
  void binary();
  void compareSelect();
  void integers();
  void casts();
  void positions();
  void quantize();
  void quantizedProduct();
  void dequantizedProduct();
  void weightOnlyProduct();
  void scaledProduct();
  void product();
  void vectorProduct();
  void linearLayer();
  void convolution();
  void convolution1();
  void tiledConvolution();
  void convolution3();
  void transposedConvolution();
  void pooling();
  void reduction();
  void argMax();
  void softmax();
  void layerNorm();
  void batchNorm();
  void groupNorm();
  void attention();
  void gather();
  void resize();
  void slicing();
  void joining();
  void padding();
  void reshaping();
  void permuting();
  void spreading();
  void inserting();
  void aliases() { program(0); }
  void tensorSelects() { program(Selects); }
  void branches() { program(Branches); }
  void loops() { program(Loops); }
  void calls() { program(Calls); }
  void partialWrites() { program(Partial); }
  void orderedReduction();
  void orderedWindow();
  void coupledReduction();
  void algebra();
  void widths();
  void requantize();
  void floatChain();
  void rowMask();
  void scalars();
  void quantizedConvolution();
  void dequantizedConvolution();
  void imageChain();
  void packing();
  void gatherOperation();

  //===--- programs on tensors of one type --------------------------------===//
  enum Statement : unsigned {
    Selects = 1,
    Branches = 2,
    Loops = 4,
    Calls = 8,
    Partial = 16,
  };
  /// The values that a program may read and overwrite.
  struct Pool {
    std::vector<TextTensor> tensors;
    std::vector<std::string> conditions, counts; ///< Of types i1 and index.
    unsigned allowed = 0, depth = 0;
  };
  void program(unsigned wanted);
  /// The text that `body` writes, separate from the written text.
  std::string apart(const std::function<void()> &body);
  const TextTensor &pick(const Pool &pool);
  std::string condition(const Pool &pool);
  TextTensor statement(Pool &pool);
  TextTensor combine(const Pool &pool);
  TextTensor moveSlice(const Pool &pool);
  TextTensor partialWrite(const Pool &pool);
  TextTensor overlappingWrite(const Pool &pool);
  TextTensor branch(const Pool &pool);
  TextTensor choice(const Pool &pool);
  TextTensor loop(const Pool &pool);
  TextTensor whileLoop(const Pool &pool);
  TextTensor callFunction(const Pool &pool);
  /// Statements in a region, and the values that it yields.
  std::string region(Pool pool, const std::string &yield, unsigned results);
  /// One of the results of an operation with `count` results.
  TextTensor oneResult(const TextTensor &like, const std::string &operation,
                       unsigned count);
  std::string orderedBody(const std::string &e, BodyText &body);

  TextTensor norm(const TextTensor &x, const std::vector<bool> &reduced,
                  bool wide, bool center);
  TextTensor rowSoftmax(const TextTensor &x, unsigned style);
  TextTensor bias(const TextTensor &x, unsigned dim);
  std::string unaryBody(const std::string &e);

  mlir::MLIRContext &context;
  Random random;
  uint64_t inputSeed;
  const llvm::StringSet<> &without;
  std::string base; ///< The network's floating-point type.
  /// The committed text; LinalgWriter holds what was written since.
  std::string text;
  std::string functionText, pendingFunctions;
  std::vector<std::string> resources; ///< `name: "0x..."`, used or not.
  std::string resourceText() const;
  std::vector<DrawnFunction> functions, freshFunctions;
  std::vector<DrawnValue> values, arguments, fresh;
  std::vector<bool> constantArguments, freshConstants;
};

/// Input data for arguments of these types. Each depends only on the seed, its
/// number and its type. With `special`, some elements are NaN, infinite, zero
/// of either sign, denormal or large.
std::vector<std::vector<uint8_t>> drawInputs(llvm::ArrayRef<mlir::Type> types,
                                             uint64_t seed, bool special);
RangeTensorRef readTensor(mlir::Type type, const void *data);

} // namespace pruner

#endif // PRUNER_FUZZING_NETWORKS_NETWORKDRAW_H
