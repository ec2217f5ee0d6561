//===- NetworkHeader.cpp - C headers of networks --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkInterface.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace pruner;
using namespace llvm;

static StringRef cTypeOf(StringRef element) {
  return StringSwitch<StringRef>(element)
      .Case("f32", "float")
      .Case("f64", "double")
      .Cases("f16", "bf16", "uint16_t")
      .Cases("i64", "si64", "index", "int64_t")
      .Cases("i32", "si32", "int32_t")
      .Cases("i16", "si16", "int16_t")
      .Cases("i8", "si8", "int8_t")
      .Case("ui64", "uint64_t")
      .Case("ui32", "uint32_t")
      .Case("ui16", "uint16_t")
      .Default("uint8_t");
}

/// Escapes a name for a comment. Names are untrusted and may contain anything,
/// so the header uses none of them as an identifier.
static std::string inComment(StringRef text) {
  std::string safe;
  for (char c : text)
    safe.push_back(isPrint(c) && c != '*' && c != '\\' ? c : '?');
  return safe;
}

static void describe(raw_ostream &os, StringRef what,
                     ArrayRef<NetworkTensor> tensors, StringRef size) {
  for (auto [n, tensor] : enumerate(tensors)) {
    os << formatv(" *   {0}[{1}]  {2} {3}", what, n, cTypeOf(tensor.element),
                  inComment(tensor.name));
    for (int64_t extent : tensor.shape)
      os << "[" << (extent < 0 ? inComment(size) : itostr(extent)) << "]";
    if (tensor.element == "i1")
      os << "  (0 or 1)";
    else if (tensor.element == "f16" || tensor.element == "bf16")
      os << "  (the bits of " << tensor.element << ")";
    os << "\n";
  }
}

/// The functions of libraries that run on a GPU.
static constexpr const char *kDeviceFunctions =
    R"(/* The network runs on a GPU: in the CUDA context of the calling thread, or else
 * on device 0. Pointers that pruner_run gets may also be device memory. */

/* Loads the network into the context. pruner_run does so at its first call. */
int pruner_device_load(void);

/* Frees what the network has in the context: its code, its constants, and the
 * memory that pruner_run keeps. No run may be in progress. */
int pruner_device_unload(void);

/* Bytes that a run needs in addition to its inputs and outputs. */
#define PRUNER_WORKSPACE_BYTES {0}

/* Submits a run to a stream (a CUstream; null is the default stream) and
 * returns. All pointers are device memory, also the workspace. The network must
 * be loaded in the context. Nothing is allocated and nothing waits, so the
 * stream may be in capture. Runs that may overlap need workspaces of their own. */
int pruner_device_run(const void *const *inputs, void *const *outputs,
                      void *workspace, void *stream);

/* Waits for the stream. Returns PRUNER_CHECK_FAILED if the last run with this
 * workspace rejected its inputs. */
int pruner_device_wait(const void *workspace, void *stream);

/* Copies weights to new device memory, for both kinds of runs. */
int pruner_device_upload(const void *data, int64_t bytes, void **pointer);
int pruner_device_free(void *pointer);

)";

std::string NetworkInterface::header(StringRef library) const {
  std::string guard = "PRUNER_NETWORK_";
  // C++ reserves identifiers with two consecutive underscores.
  for (char c : sys::path::stem(library))
    if (isAlnum(c))
      guard.push_back(toUpper(c));
    else if (guard.back() != '_')
      guard.push_back('_');
  guard += guard.back() == '_' ? "H" : "_H";
  std::string text;
  raw_string_ostream os(text);
  os << formatv("/* The network @{0} in {1}.\n *\n", inComment(entry),
                inComment(sys::path::filename(library)));
  os << " * Tensors are contiguous, in row-major order, and aligned to 64 "
        "bytes.\n *\n";
  describe(os, "inputs", inputs, sized.name);
  os << " *\n";
  describe(os, "outputs", outputs, sized.name);
  os << " */\n";
  os << formatv("#ifndef {0}\n#define {0}\n\n#include <stdint.h>\n\n", guard);
  os << formatv("#define PRUNER_NUM_INPUTS {0}\n#define PRUNER_NUM_OUTPUTS "
                "{1}\n#define PRUNER_ALIGNMENT 64\n#define PRUNER_NUM_CALLS "
                "{2}\n\n",
                inputs.size(), outputs.size(), calls.size());
  os << R"(#ifdef __cplusplus
extern "C" {
#endif

/* Results of pruner_run. */
enum {
  PRUNER_OK = 0,
  PRUNER_BAD_ARGUMENT = 1, /* a null or misaligned pointer; nothing ran */
  PRUNER_NO_MEMORY = 2,    /* no workspace; nothing ran */
  PRUNER_CHECK_FAILED = 3, /* the network rejected its inputs; the outputs are
                              unspecified */
  PRUNER_DEVICE_FAILED = 4 /* no GPU that runs the network, or it failed; the
                              outputs are unspecified */
};

/* Reads the inputs and writes the outputs. Outputs must not overlap each other
 * or an input. Several threads may call it at the same time. */
int pruner_run(const void *const *inputs, void *const *outputs);

)";
  if (!sized.name.empty())
    os << formatv(
        "/* The same for a call in which '{0}' is `size`, at least 1; "
        "tuned for {1} to {2}.\n * pruner_run without a size fails. */\n"
        "int pruner_run_sized(int64_t size, const void *const "
        "*inputs,\n                     void *const *outputs);\n\n",
        inComment(sized.name), sized.min, sized.max);
  if (!chip.empty())
    os << formatv(kDeviceFunctions, workspaceBytes);
  os << R"(/* The error message of the last failed pruner_run of this thread. */
const char *pruner_error(void);

/* Sets the number of threads of parallel kernels. 0, the default: as many as
 * are useful and this process may use. */
void pruner_set_threads(int threads);
int pruner_threads(void);

/* Runs parallel kernels on the threads of the program's OpenMP runtime, which
 * must not compete with other threads for the cores:
 * pruner_use_openmp(GOMP_parallel, omp_get_thread_num, omp_get_num_threads).
 * After fork, and if a pointer is null, the library uses threads of its own. No
 * other thread may be in a call. */
void pruner_use_openmp(void (*parallel)(void (*)(void *), void *, unsigned,
                                        unsigned),
                       int (*thread)(void), int (*threads)(void));

/* Names, types and shapes as JSON. */
extern const char pruner_metadata[];

/* Times of one call in the network, in seconds, and their number. The median
 * and the least are over the last 256. */
typedef struct {
  int64_t calls;
  double total, median, least;
} pruner_times;

/* Clears all times and starts (1) or stops (0) measuring. No pruner_run may be
 * in progress. Returns PRUNER_OK or PRUNER_NO_MEMORY. */
int pruner_profile(int on);

/* The times of call 0 to PRUNER_NUM_CALLS - 1, in the order of the metadata's
 * 'calls'. PRUNER_NUM_CALLS selects the time between the calls of a run, and
 * PRUNER_NUM_CALLS + 1 whole runs. Returns PRUNER_OK, or PRUNER_BAD_ARGUMENT
 * if there is no such call or no profile. */
int pruner_profile_read(int64_t call, pruner_times *times);

#ifdef __cplusplus
}
#endif

)";
  os << "#endif\n";
  return text;
}
