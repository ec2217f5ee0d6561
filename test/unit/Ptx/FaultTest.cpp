//===- FaultTest.cpp - faults planted into PTX ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each fault changes one instruction of a correct kernel. It counts as detected
// if the launch reports a violation or computes another result. Kernels/ has
// generated kernels of the sketches, and one with asynchronous copies.
//
//===----------------------------------------------------------------------===//

#include "pruner/Ptx/Machine.h"

#include "Instructions/HalfFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <regex>

using namespace pruner::ptx;

namespace {

struct KernelLaunch {
  const char *entry;
  std::array<unsigned, 3> grid, block;
};

struct Subject {
  const char *file;
  /// Types and sizes of the arguments; the first `inputs` are only read.
  std::vector<std::pair<const char *, unsigned>> arguments;
  unsigned inputs;
  std::vector<KernelLaunch> launches;
  /// Lines whose fault of a kind changes nothing that can be observed.
  std::map<std::string, std::vector<unsigned>> equivalent;
};

std::vector<Subject> subjects() {
  return {
      {"map",
       {{"f64", 37}, {"f64", 37}},
       1,
       {{"task_kernel", {2, 1, 1}, {21, 1, 1}}},
       // A block has less than a warp.
       {{"wrong number of the thread", {23}}}},
      {"row",
       {{"f32", 303}, {"f32", 101}, {"f32", 303}},
       2,
       {{"task_kernel", {2, 1, 1}, {64, 1, 1}}},
       {}},
      {"tile",
       {{"f32", 448}, {"f32", 364}, {"f32", 512}},
       2,
       {{"task_kernel", {1, 1, 1}, {128, 1, 1}}},
       {}},
      {"edges",
       {{"f32", 1488}, {"f32", 3072}, {"f16", 1984}},
       2,
       {{"task_kernel", {6, 1, 1}, {60, 1, 1}}},
       // Line 30 only exchanges the blocks. The other code is not reached with
       // these sizes.
       {{"comparison inverted", {30}},
        {"guard removed", {264}},
        {"store removed", {266}},
        {"wrong offset in global memory", {266}}}},
      {"split",
       {{"bf16", 8415},
        {"bf16", 99},
        {"bf16", 53},
        {"bf16", 53},
        {"bf16", 212}},
       3,
       {{"task_kernel", {28, 1, 1}, {64, 1, 1}},
        {"task_kernel_2", {1, 1, 1}, {53, 1, 1}}},
       {}},
      // Three buffers that asynchronous copies fill, and two that the threads
      // fill from registers.
      {"ahead",
       {{"f32", 576}, {"f32", 576}, {"f32", 1024}},
       2,
       {{"task_kernel", {1, 1, 1}, {64, 1, 1}}},
       // The second warp has no asynchronous copies at line 40. Behind the last
       // step a clamped load and a store that nobody reads do no harm.
       {{"commit removed", {40}}, {"branch removed", {146, 221}}}},
      // Tensor cores: generated for each type, with three stages, and by hand.
      {"warps",
       {{"f16", 32 * 96}, {"f16", 96 * 16}, {"f32", 32 * 16}},
       2,
       {{"task_kernel", {2, 1, 1}, {32, 1, 1}}},
       // A block is a warp. The copies of the last step read nothing, and
       // nobody reads what they write.
       {{"wrong number of the thread", {28}},
        {"commit removed", {115}},
        {"wait removed", {120}}}},
      {"warps_bf16",
       {{"bf16", 32 * 96}, {"bf16", 96 * 16}, {"f32", 32 * 16}},
       2,
       {{"task_kernel", {2, 1, 1}, {32, 1, 1}}},
       {{"wrong number of the thread", {28}},
        {"commit removed", {115}},
        {"wait removed", {120}}}},
      {"warps_tf32",
       {{"f32", 32 * 48}, {"f32", 48 * 16}, {"f32", 32 * 16}},
       2,
       {{"task_kernel", {2, 1, 1}, {32, 1, 1}}},
       {{"wrong number of the thread", {28}},
        {"commit removed", {168}},
        {"wait removed", {184}}}},
      {"warps_i8",
       {{"i8", 32 * 96}, {"i8", 96 * 16}, {"i32", 32 * 16}},
       2,
       {{"task_kernel", {2, 1, 1}, {32, 1, 1}}},
       {{"wrong number of the thread", {28}}, {"commit removed", {169}}}},
      {"tensor",
       {{"f16", 4096}, {"f16", 2048}, {"f32", 512}},
       2,
       {{"task_kernel", {1, 1, 1}, {64, 1, 1}}},
       {}},
      {"pipeline",
       {{"f32", 512}, {"f32", 64}},
       1,
       {{"task_kernel", {1, 1, 1}, {64, 1, 1}}},
       {}},
  };
}

unsigned bytesOf(llvm::StringRef type) {
  return type == "f64"                    ? 8
         : type == "f32" || type == "i32" ? 4
         : type == "i8"                   ? 1
                                          : 2;
}

/// Multiples of 1/8 from -4 to 4, or integers from -32 to 32.
std::vector<uint8_t> randomValues(llvm::StringRef type, unsigned count,
                                  uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint8_t> bytes(count * bytesOf(type));
  for (unsigned n = 0; n != count; ++n) {
    double value = (double(random() % 65) - 32) / 8;
    uint64_t bits = type == "f64"    ? bitCast<uint64_t>(value)
                    : type == "f32"  ? bitCast<uint32_t>(float(value))
                    : type == "f16"  ? Half::encode(value)
                    : type == "bf16" ? BFloat::encode(value)
                                     : uint64_t(int64_t(8 * value));
    std::memcpy(bytes.data() + n * bytesOf(type), &bits, bytesOf(type));
  }
  return bytes;
}

struct Result {
  std::string invalid; ///< The text does not parse or decode.
  std::string violation;
  std::vector<std::vector<uint8_t>> outputs;
};

Result execute(const Subject &subject, llvm::StringRef text) {
  Result result;
  auto module = parse(text);
  if (!module) {
    result.invalid = llvm::toString(module.takeError());
    return result;
  }
  for (CopyTiming timing : {CopyTiming::AtIssue, CopyTiming::AtWait}) {
    std::vector<std::vector<uint8_t>> data;
    for (auto [n, argument] : llvm::enumerate(subject.arguments))
      data.push_back(randomValues(argument.first, argument.second, n));
    for (unsigned launch = 0; launch != subject.launches.size(); ++launch) {
      const KernelLaunch &how = subject.launches[launch];
      auto program = Program::decode(*module, how.entry);
      if (!program) {
        result.invalid = llvm::toString(program.takeError());
        return result;
      }
      std::vector<Argument> arguments;
      for (unsigned n = 0; n != data.size(); ++n) {
        Argument argument;
        argument.data = data[n].data();
        argument.bytes = data[n].size();
        argument.isReadOnly = n < subject.inputs;
        argument.isUninitialized = n >= subject.inputs && launch == 0;
        arguments.push_back(argument);
      }
      LaunchOptions options;
      options.grid = how.grid;
      options.block = how.block;
      options.copies = timing;
      options.stepLimit = 100000;
      options.addressOffset = 16;
      auto counts = (*program)->launch(arguments, options);
      if (!counts) {
        result.violation = llvm::toString(counts.takeError());
        return result;
      }
    }
    result.outputs.insert(result.outputs.end(), data.begin() + subject.inputs,
                          data.end());
  }
  return result;
}

/// A kind of fault: all ways to apply it to one line.
struct FaultKind {
  const char *name;
  std::vector<std::string> (*apply)(const std::string &line);
};

std::vector<std::string> replaceAll(const std::string &line,
                                    const char *pattern, const char *with) {
  std::regex expression(pattern);
  if (!std::regex_search(line, expression))
    return {};
  return {std::regex_replace(line, expression, with,
                             std::regex_constants::format_first_only)};
}

/// The memory offset of a line plus `by` bytes.
std::vector<std::string> moveOffset(const std::string &line, int by,
                                    const char *opcodes) {
  std::smatch match;
  if (!std::regex_search(line, std::regex(opcodes)) ||
      !std::regex_search(line, match,
                         std::regex(R"(\[([%\w]+)(\+(-?\d+))?\])")))
    return {};
  int offset = match[3].matched ? std::stoi(match[3]) : 0;
  return {match.prefix().str() + "[" + match[1].str() + "+" +
          std::to_string(offset + by) + "]" + match.suffix().str()};
}

const FaultKind kinds[] = {
    {"barrier removed",
     [](const std::string &line) {
       return replaceAll(line, R"(bar\.sync\s+0;)", "");
     }},
    {"wait removed",
     [](const std::string &line) {
       return replaceAll(line, R"(cp\.async\.wait_group \d+;)", "");
     }},
    {"wait for one group less",
     [](const std::string &line) {
       return replaceAll(line, R"(wait_group 1;)", "wait_group 2;");
     }},
    {"commit removed",
     [](const std::string &line) {
       return replaceAll(line, R"(cp\.async\.commit_group;)", "");
     }},
    {"guard removed",
     [](const std::string &line) {
       return replaceAll(line, R"(@!?%p\d+ )", "");
     }},
    {"guard negated",
     [](const std::string &line) {
       return replaceAll(line, R"(@(%p\d+) )", "@!$1 ");
     }},
    {"branch removed",
     [](const std::string &line) {
       return replaceAll(line, R"(@!?%p\d+ bra[^;]*;)", "");
     }},
    {"wrong offset in shared memory",
     [](const std::string &line) {
       int by = line.find("b16") != std::string::npos ? 2 : 4;
       return moveOffset(line, by, R"((ld|st)\.shared\.b)");
     }},
    {"wrong stage",
     [](const std::string &line) {
       return moveOffset(line, 256, R"(cp\.async\.c[ag])");
     }},
    {"wrong offset in global memory",
     [](const std::string &line) {
       int by = line.find("b16") != std::string::npos   ? 2
                : line.find("b64") != std::string::npos ? 8
                                                        : 4;
       return moveOffset(line, by, R"((ld|st)\.global\.(nc\.)?b)");
     }},
    {"wrong lane of a shuffle",
     [](const std::string &line) {
       auto next =
           replaceAll(line, R"((shfl.*), (\d+), 31, -1;)", "$1, 0, 31, -1;");
       return next;
     }},
    {"lane missing in a mask",
     [](const std::string &line) {
       return replaceAll(line, R"((shfl.*), -1;)", "$1, 0x7FFFFFFF;");
     }},
    {"shuffle removed",
     [](const std::string &line) {
       return replaceAll(line,
                         R"(shfl\.sync\.bfly\.b32\s+(%r\d+), (%r\d+),.*;)",
                         "mov.b32 $1, $2;");
     }},
    {"store removed",
     [](const std::string &line) {
       return replaceAll(line, R"(st\.(shared|global)[^;]*;)", "");
     }},
    {"elements of a vector exchanged",
     [](const std::string &line) {
       return replaceAll(line, R"(\{(%\w+), (%\w+))", "{$2, $1");
     }},
    {"registers of a exchanged",
     [](const std::string &line) {
       return replaceAll(line,
                         R"((mma.*\}, \{)(%r\d+), (%r\d+), (%r\d+), (%r\d+))",
                         "$1$2, $4, $3, $5");
     }},
    {"registers of b exchanged",
     [](const std::string &line) {
       return replaceAll(line, R"((mma.*\}, \{)(%r\d+), (%r\d+)(\}, \{%r\d+,))",
                         "$1$3, $2$4");
     }},
    {"accumulators exchanged",
     [](const std::string &line) {
       return replaceAll(line,
                         R"((mma.*, \{)(%r\d+), (%r\d+), (%r\d+), (%r\d+)\};)",
                         "$1$4, $5, $2, $3};");
     }},
    {"matrices exchanged",
     [](const std::string &line) {
       return replaceAll(line,
                         R"((ldmatrix.*\{)(%r\d+), (%r\d+), (%r\d+), (%r\d+))",
                         "$1$2, $4, $3, $5");
     }},
    {"transposition removed",
     [](const std::string &line) {
       return replaceAll(line, R"(\.trans\.)", ".");
     }},
    {"transposition added",
     [](const std::string &line) {
       return replaceAll(line, R"(m8n8\.x4\.shared)", "m8n8.x4.trans.shared");
     }},
    {"wrong matrix",
     [](const std::string &line) {
       return moveOffset(line, 512, R"(ldmatrix)");
     }},
    {"row of a matrix not aligned",
     [](const std::string &line) {
       return moveOffset(line, 8, R"(ldmatrix)");
     }},
    {"swizzle removed",
     [](const std::string &line) {
       return replaceAll(line, R"(xor\.b32\s+(%r\d+), (%r\d+), %r\d+;)",
                         "mov.b32 $1, $2;");
     }},
    {"half of a product removed",
     [](const std::string &line) {
       return replaceAll(
           line,
           R"(m16n8k16(\.row.*\}, \{)(%r\d+), (%r\d+), %r\d+, %r\d+\}, \{(%r\d+), %r\d+\})",
           "m16n8k8$1$2, $3}, {$4}");
     }},
    {"product removed",
     [](const std::string &line) {
       return replaceAll(line, R"(mma\..*;)", "");
     }},
    {"other types of a product",
     [](const std::string &line) {
       return replaceAll(line, R"(\.f32\.f16\.f16\.)", ".f32.bf16.bf16.");
     }},
    {"comparison inverted",
     [](const std::string &line) {
       auto changed = replaceAll(line, R"(setp\.lt\.)", "setp.ge.");
       llvm::append_range(changed,
                          replaceAll(line, R"(setp\.gt\.)", "setp.le."));
       return changed;
     }},
    {"clamp removed",
     [](const std::string &line) {
       return replaceAll(line, R"(min\.u64\s+(%rd\d+), (%rd\d+),.*;)",
                         "mov.b64 $1, $2;");
     }},
    {"wrong number of the thread",
     [](const std::string &line) {
       return replaceAll(line, R"(%tid\.x)", "%laneid");
     }},
    {"wrong number of the block",
     [](const std::string &line) {
       return replaceAll(line, R"(%ctaid\.x)", "%ctaid.y");
     }},
};

/// `text` with one statement a line and single spaces.
std::string withoutLineBreaks(std::string text) {
  text = std::regex_replace(text, std::regex(R"(\n\t\t)"), " ");
  return std::regex_replace(text, std::regex(R"([ \t]+)"), " ");
}

TEST(PtxFaultTest, PlantedFaultsAreDetected) {
  unsigned detected = 0, byResult = 0;
  std::map<std::string, unsigned> detectedOfKind;
  for (const Subject &subject : subjects()) {
    std::string path =
        std::string(PRUNER_PTX_KERNELS) + "/" + subject.file + ".ptx";
    auto file = llvm::MemoryBuffer::getFile(path);
    ASSERT_TRUE(bool(file)) << path;
    std::string text = withoutLineBreaks((*file)->getBuffer().str());
    Result correct = execute(subject, text);
    ASSERT_EQ(correct.invalid, "") << subject.file;
    ASSERT_EQ(correct.violation, "") << subject.file;
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(text).split(lines, '\n');
    for (const FaultKind &kind : kinds)
      for (auto [n, line] : llvm::enumerate(lines))
        for (const std::string &changed : kind.apply(line.str())) {
          if (changed == line)
            continue;
          std::string faulty = text.substr(0, line.data() - text.data());
          faulty += changed;
          faulty += text.substr(line.end() - text.data());
          Result result = execute(subject, faulty);
          ASSERT_EQ(result.invalid, "") << subject.file << ":" << n + 1;
          bool isDetected =
              !result.violation.empty() || result.outputs != correct.outputs;
          if (isDetected) {
            ++detected;
            ++detectedOfKind[kind.name];
            byResult += result.violation.empty();
            continue;
          }
          auto known = subject.equivalent.find(kind.name);
          EXPECT_TRUE(known != subject.equivalent.end() &&
                      llvm::is_contained(known->second, n + 1))
              << subject.file << ":" << n + 1 << ": " << kind.name << ": "
              << changed;
        }
  }
  llvm::errs() << detected << " faults detected, " << byResult
               << " of them by results\n";
  EXPECT_GE(detected, 1000u);
  for (const FaultKind &kind : kinds)
    EXPECT_GE(detectedOfKind[kind.name], 1u) << kind.name;
}

} // namespace
