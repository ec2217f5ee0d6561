//===- NetworkDraw.h - draw a random network --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_FUZZING_NETWORKS_NETWORKDRAW_H
#define PRUNER_FUZZING_NETWORKS_NETWORKDRAW_H

#include "Fuzzing/Interpreter/Interpreter.h"
#include "pruner/Support/Random.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/iterator_range.h"

#include <functional>
#include <string>
#include <vector>

namespace pruner {

using Shape = std::vector<int64_t>;

/// A value of the network that is being generated.
struct DrawnTensor {
  std::string name;
  Shape shape;
  std::string element;
  RangeTensorRef data = {};
  unsigned uses = 0;

  std::string type() const;
  size_t rank() const { return shape.size(); }
  int64_t elements() const;
  bool isReal() const { return element[0] == 'f' || element[0] == 'b'; }
};

/// A tensor and its indexing map, one expression per coordinate.
struct DrawnOperand {
  DrawnTensor tensor;
  std::vector<std::string> map;
};

/// The body of a generic, line by line; each line defines a new value.
class BodyText {
public:
  /// Adds `operation` with operands and type: add("arith.addf", "%x0, %y0",
  /// "f32").
  std::string add(const std::string &operation, const std::string &operands,
                  const std::string &types);
  std::string text;

private:
  unsigned next = 0;
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
class NetworkDraw {
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
  DrawnTensor real(size_t leastRank = 0, size_t mostRank = 6,
                   int64_t elements = 1 << 13);
  DrawnTensor integer(size_t leastRank = 0, size_t mostRank = 6);
  /// The same for any integer type, including i1 and index.
  DrawnTensor discrete(size_t leastRank = 0, size_t mostRank = 6,
                       int64_t elements = 1 << 13);
  DrawnTensor any();
  /// A value of exactly this type: an existing one, an argument, or a constant.
  DrawnTensor like(const Shape &shape, const std::string &element);

  //===--- text -----------------------------------------------------------===//
  std::string name(const char *prefix);
  /// A new argument of the function. Weights may be declared constant.
  DrawnTensor argument(Shape shape, const std::string &element,
                       bool weight = false);
  DrawnTensor weight(Shape shape, const std::string &element, int64_t summed);
  /// A constant whose elements are a resource of the module, as exporters write
  /// them: reals up to `most`, small integers, booleans.
  DrawnTensor resource(Shape shape, const std::string &element, double most);
  DrawnTensor empty(Shape shape, const std::string &element);
  DrawnTensor filled(Shape shape, const std::string &element,
                     const std::string &value);
  /// A scalar constant of the function, which bodies capture.
  std::string constant(const std::string &value, const std::string &element);
  std::string number(double value, const std::string &element);
  static std::string infinity(const std::string &element, bool negative);
  /// A generic over loops of these kinds ("ppr"). `body` reads %x0, %x1, ...
  /// and %y0, %y1 (the old results), and yields %r0, %r1, ..., or `yields`.
  std::vector<DrawnTensor> generic(const std::string &kinds,
                                   const std::vector<DrawnOperand> &inputs,
                                   const std::vector<DrawnOperand> &outputs,
                                   const std::string &body,
                                   std::vector<std::string> yields = {});
  /// A generic, elementwise over all of `shape`, with operands broadcast to the
  /// trailing dimensions as exporters do.
  DrawnTensor elementwise(const std::vector<DrawnTensor> &inputs,
                          const Shape &shape, const std::string &element,
                          const std::string &body);
  /// Any operation with one result.
  DrawnTensor op(Shape shape, const std::string &element,
                 const std::string &text);
  DrawnTensor named(const std::string &mnemonic,
                    const std::vector<DrawnTensor> &inputs,
                    const DrawnTensor &init,
                    const std::string &attributes = "");
  DrawnTensor reshape(const DrawnTensor &x, const Shape &shape);
  DrawnTensor transpose(const DrawnTensor &x, const Dims &order);
  DrawnTensor slice(const DrawnTensor &x, const Shape &offsets,
                    const Shape &sizes, const Shape &strides);
  DrawnTensor pad(const DrawnTensor &x, const Shape &low, const Shape &high,
                  const std::string &value);
  DrawnTensor concat(const std::vector<DrawnTensor> &parts, unsigned dim);
  DrawnTensor cast(const DrawnTensor &x, const std::string &element);
  DrawnTensor reduce(const DrawnTensor &x, const std::vector<bool> &reduced,
                     const std::string &kind, bool keep);
  DrawnTensor matmul(const DrawnTensor &a, const DrawnTensor &b,
                     const std::string &result);
  /// The type in which products of `element` are summed.
  static std::string accumulator(const std::string &element);
  DrawnTensor start(Shape shape, const std::string &element);

  /// Adds the pending text to the network if it is valid and tame. With `wild`,
  /// results need not be finite.
  bool commit(const std::vector<DrawnTensor> &results, bool wild = false);
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
  void product();
  void vectorProduct();
  void linearLayer();
  void convolution();
  void convolution1();
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
    std::vector<DrawnTensor> tensors;
    std::vector<std::string> conditions, counts; ///< Of types i1 and index.
    unsigned allowed = 0, depth = 0;
  };
  void program(unsigned wanted);
  /// The text that `body` writes, separate from the pending text.
  std::string apart(const std::function<void()> &body);
  const DrawnTensor &pick(const Pool &pool);
  std::string condition(const Pool &pool);
  DrawnTensor statement(Pool &pool);
  DrawnTensor combine(const Pool &pool);
  DrawnTensor moveSlice(const Pool &pool);
  DrawnTensor partialWrite(const Pool &pool);
  DrawnTensor overlappingWrite(const Pool &pool);
  DrawnTensor branch(const Pool &pool);
  DrawnTensor choice(const Pool &pool);
  DrawnTensor loop(const Pool &pool);
  DrawnTensor whileLoop(const Pool &pool);
  DrawnTensor callFunction(const Pool &pool);
  /// Statements in a region, and the values that it yields.
  std::string region(Pool pool, const std::string &yield, unsigned results);
  /// One of the results of an operation with `count` results.
  DrawnTensor oneResult(const DrawnTensor &like, const std::string &operation,
                        unsigned count);
  std::string orderedBody(const std::string &e, BodyText &body);

  DrawnTensor norm(const DrawnTensor &x, const std::vector<bool> &reduced,
                   bool wide, bool center);
  DrawnTensor rowSoftmax(const DrawnTensor &x, unsigned style);
  DrawnTensor bias(const DrawnTensor &x, unsigned dim);
  std::string unaryBody(const std::string &e);

  mlir::MLIRContext &context;
  Random random;
  uint64_t inputSeed;
  const llvm::StringSet<> &without;
  std::string base; ///< The network's floating-point type.
  unsigned next = 0;
  std::string text;    ///< The committed text.
  std::string pending; ///< The text written since.
  std::string functionText, pendingFunctions;
  std::vector<std::string> resources; ///< `name: "0x..."`, used or not.
  std::string resourceText() const;
  std::vector<DrawnFunction> functions, freshFunctions;
  std::vector<DrawnTensor> values, arguments, fresh;
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
