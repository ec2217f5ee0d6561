//===- PtxDriver.cpp - a CUDA driver that runs PTX on the CPU -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library with the entry points of the driver that libraries of networks use.
// Kernels run in the PTX machine, so every access is checked. Device memory is
// host memory that the C library of the process does not know; fresh bytes are
// 0xff, which is NaN in all types of floats.
//
// Environment variables:
//   PTX_DRIVER_DEVICES      the number of devices, 1 by default
//   PTX_DRIVER_CAPABILITY   as 10 * major + minor, 80 by default
//   PTX_DRIVER_MEMORY       bytes of device memory, all contexts together
//   PTX_DRIVER_FAIL_LAUNCH  the number of the launch that fails, from 1
//   PTX_DRIVER_EXECUTE      0: launches are checked, but no kernel runs
//   PTX_DRIVER_LOG          a file to which calls are appended, one a line
//
// As FakeCuda.cpp, it does not include the declarations of the runtime, so that
// a wrong prototype there is not repeated here.
//
//===----------------------------------------------------------------------===//

#include "pruner/Ptx/Machine.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>

#define API extern "C" __attribute__((visibility("default")))

using namespace pruner;

namespace {
enum Result : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidContext = 201,
  InvalidPtx = 218,
  NotFound = 500,
  IllegalAddress = 700,
  LaunchFailed = 719,
  CaptureUnsupported = 900,
};

struct Context {
  int device;
  uint64_t number;
};

struct Module {
  Context *context;
  std::optional<ptx::Module> code;
  struct Function {
    Module *module;
    std::unique_ptr<ptx::Program> program;
    int maxDynamicShared = 48 * 1024;
  };
  std::map<std::string, Function> functions;
};

struct Stream {
  Context *context;
  /// What graphs record, while the stream is in capture.
  std::vector<std::function<int()>> recorded;
  bool isCapturing = false;
};

struct Graph {
  std::vector<std::function<int()>> nodes;
};

/// All state; every entry point locks it.
struct State {
  std::recursive_mutex lock;
  std::map<uintptr_t, size_t> memory; ///< Bytes of each allocation.
  size_t used = 0;
  std::map<int, Context> primary;
  uint64_t numContexts = 0;
  Stream standard; ///< The default stream.
  unsigned numCapturing = 0;
  long numLaunches = 0;
  int sticky = Success; ///< The failure of a kernel, which every wait repeats.
  FILE *log = nullptr;
  /// Copies from pageable memory to the device that still run in the default
  /// stream. They end as late as a driver may end them; the streams of
  /// `cuStreamCreate` do not wait for them.
  std::vector<std::pair<uintptr_t, std::vector<char>>> copies;
};
} // namespace

static thread_local std::vector<Context *> current;

static long setting(const char *name, long otherwise) {
  const char *value = std::getenv(name);
  return value ? std::atol(value) : otherwise;
}

static State &state() {
  static State *made = [] {
    auto *fresh = new State;
    if (const char *file = std::getenv("PTX_DRIVER_LOG"))
      fresh->log = std::fopen(file, "a");
    return fresh;
  }();
  return *made;
}

__attribute__((format(printf, 1, 2))) static void note(const char *format,
                                                       ...) {
  if (!state().log)
    return;
  va_list values;
  va_start(values, format);
  std::vfprintf(state().log, format, values);
  va_end(values);
  std::fputc('\n', state().log);
  std::fflush(state().log);
}

using Lock = std::lock_guard<std::recursive_mutex>;

/// The allocation that contains an address, or the end.
static std::map<uintptr_t, size_t>::iterator findMemory(uintptr_t address) {
  auto above = state().memory.upper_bound(address);
  if (above == state().memory.begin())
    return state().memory.end();
  auto found = std::prev(above);
  // An empty tensor may begin at the end of its memory.
  return address <= found->first + found->second ? found : state().memory.end();
}

static bool isDevice(unsigned long long address, size_t bytes) {
  auto found = findMemory(address);
  return bytes == 0 || (found != state().memory.end() &&
                        address + bytes <= found->first + found->second);
}

static Stream *streamOf(void *stream) {
  return stream ? static_cast<Stream *>(stream) : &state().standard;
}

static void finishCopies() {
  for (const auto &[to, bytes] : state().copies)
    std::memcpy(reinterpret_cast<void *>(to), bytes.data(), bytes.size());
  state().copies.clear();
}

/// Runs an operation of a stream, or records it.
static int submit(void *stream, std::function<int()> operation) {
  if (current.empty())
    return InvalidContext;
  Stream *to = streamOf(stream);
  if (to->isCapturing) {
    to->recorded.push_back(std::move(operation));
    return Success;
  }
  if (state().sticky)
    return state().sticky;
  if (!stream)
    finishCopies();
  return operation();
}

//===----------------------------------------------------------------------===//
// Devices and contexts
//===----------------------------------------------------------------------===//

API int cuInit(unsigned) {
  return setting("PTX_DRIVER_DEVICES", 1) ? Success : NoDevice;
}
API int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
API int cuGetErrorName(int error, const char **name) {
  switch (error) {
  case OutOfMemory:
    return *name = "CUDA_ERROR_OUT_OF_MEMORY", 0;
  case InvalidPtx:
    return *name = "CUDA_ERROR_INVALID_PTX", 0;
  case IllegalAddress:
    return *name = "CUDA_ERROR_ILLEGAL_ADDRESS", 0;
  case LaunchFailed:
    return *name = "CUDA_ERROR_LAUNCH_FAILED", 0;
  case CaptureUnsupported:
    return *name = "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", 0;
  }
  return *name = "CUDA_ERROR_OTHER", 0;
}
API int cuGetErrorString(int error, const char **text) {
  *text = error == OutOfMemory ? "out of memory" : "see the name";
  return Success;
}
API int cuDeviceGetCount(int *count) {
  *count = int(setting("PTX_DRIVER_DEVICES", 1));
  return Success;
}
API int cuDeviceGet(int *device, int ordinal) {
  if (ordinal < 0 || ordinal >= setting("PTX_DRIVER_DEVICES", 1))
    return InvalidDevice;
  return *device = ordinal, Success;
}
API int cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, size_t(length), "PTX machine");
  return Success;
}
API int cuDeviceGetAttribute(int *value, int attribute, int) {
  int capability = int(setting("PTX_DRIVER_CAPABILITY", 80));
  if (attribute != 75 && attribute != 76)
    return InvalidValue;
  *value = attribute == 75 ? capability / 10 : capability % 10;
  return Success;
}
API int cuDevicePrimaryCtxRetain(void **context, int device) {
  Lock lock(state().lock);
  auto [found, isNew] = state().primary.try_emplace(device);
  if (isNew)
    found->second = {device, ++state().numContexts};
  note("retain device %d", device);
  return *context = &found->second, Success;
}
API int cuDevicePrimaryCtxRelease_v2(int device) {
  Lock lock(state().lock);
  note("release device %d", device);
  return Success;
}
API int cuCtxCreate_v2(void **context, unsigned, int device) {
  Lock lock(state().lock);
  auto *made = new Context{device, ++state().numContexts};
  current.push_back(made);
  return *context = made, Success;
}
API int cuCtxGetCurrent(void **context) {
  *context = current.empty() ? nullptr : current.back();
  return Success;
}
API int cuCtxPushCurrent_v2(void *context) {
  current.push_back(static_cast<Context *>(context));
  return Success;
}
API int cuCtxPopCurrent_v2(void **context) {
  if (current.empty())
    return InvalidContext;
  *context = current.back();
  current.pop_back();
  return Success;
}
API int cuCtxGetDevice(int *device) {
  if (current.empty())
    return InvalidContext;
  return *device = current.back()->device, Success;
}
API int cuCtxGetId(void *context, unsigned long long *number) {
  return *number = static_cast<Context *>(context)->number, Success;
}

//===----------------------------------------------------------------------===//
// Modules and kernels
//===----------------------------------------------------------------------===//

API int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                           int *options, void **values) {
  Lock lock(state().lock);
  if (current.empty())
    return InvalidContext;
  if (state().numCapturing)
    return CaptureUnsupported;
  auto made = std::make_unique<Module>();
  made->context = current.back();
  auto code = ptx::parse(static_cast<const char *>(image));
  std::string problem = code ? "" : toString(code.takeError());
  if (problem.empty())
    made->code.emplace(std::move(*code));
  for (unsigned n = 0; n + 1 < count; ++n)
    if (options[n] == 5 && options[n + 1] == 6)
      std::snprintf(static_cast<char *>(values[n]),
                    reinterpret_cast<size_t>(values[n + 1]), "%s",
                    problem.c_str());
  if (!problem.empty())
    return InvalidPtx;
  note("load module in context %llu",
       static_cast<unsigned long long>(made->context->number));
  return *module = made.release(), Success;
}
API int cuModuleUnload(void *module) {
  Lock lock(state().lock);
  note("unload module");
  delete static_cast<Module *>(module);
  return Success;
}
API int cuModuleGetFunction(void **function, void *module, const char *name) {
  Lock lock(state().lock);
  auto &from = *static_cast<Module *>(module);
  auto [found, isNew] = from.functions.try_emplace(name);
  if (isNew) {
    auto program = ptx::Program::decode(*from.code, name);
    if (!program) {
      std::fprintf(stderr, "ptx-driver: kernel '%s': %s\n", name,
                   toString(program.takeError()).c_str());
      from.functions.erase(found);
      return NotFound;
    }
    found->second.module = &from;
    found->second.program = std::move(*program);
  }
  return *function = &found->second, Success;
}
API int cuFuncSetAttribute(void *function, int attribute, int value) {
  Lock lock(state().lock);
  if (attribute != 8 || value > 166912)
    return InvalidValue;
  static_cast<Module::Function *>(function)->maxDynamicShared = value;
  return Success;
}

/// A buffer ends where its allocation does.
static ptx::Argument argumentOf(const ptx::Variable &parameter,
                                uint8_t *value) {
  ptx::Argument argument;
  if (!parameter.isPointer) {
    argument.data = value;
    argument.bytes = parameter.bytes;
    argument.isValue = true;
    return argument;
  }
  uintptr_t address;
  std::memcpy(&address, value, sizeof(address));
  auto found = findMemory(address);
  if (found != state().memory.end()) {
    argument.data = reinterpret_cast<void *>(address);
    argument.bytes = found->first + found->second - address;
  }
  return argument;
}

static int execute(Module::Function &function,
                   const ptx::LaunchOptions &options,
                   std::vector<std::vector<uint8_t>> values) {
  const ptx::Kernel &kernel = function.program->kernel();
  note("launch %s grid %u %u %u block %u %u %u shared %llu",
       kernel.name.c_str(), options.grid[0], options.grid[1], options.grid[2],
       options.block[0], options.block[1], options.block[2],
       static_cast<unsigned long long>(options.dynamicSharedBytes));
  if (++state().numLaunches == setting("PTX_DRIVER_FAIL_LAUNCH", -1))
    return state().sticky = LaunchFailed;
  std::vector<ptx::Argument> arguments;
  for (unsigned n = 0; n < kernel.numParameters; ++n) {
    const ptx::Variable &parameter = kernel.variables[n];
    uintptr_t address = 0;
    if (parameter.isPointer)
      std::memcpy(&address, values[n].data(), sizeof(address));
    if (address % parameter.pointerAlign != 0) {
      std::fprintf(stderr,
                   "ptx-driver: kernel '%s': argument %u is not aligned to %u "
                   "bytes\n",
                   kernel.name.c_str(), n, parameter.pointerAlign);
      return state().sticky = IllegalAddress;
    }
    arguments.push_back(argumentOf(parameter, values[n].data()));
  }
  if (!setting("PTX_DRIVER_EXECUTE", 1))
    return Success;
  auto counts = function.program->launch(arguments, options);
  if (counts)
    return Success;
  std::fprintf(stderr, "ptx-driver: kernel '%s': %s\n", kernel.name.c_str(),
               toString(counts.takeError()).c_str());
  return state().sticky = IllegalAddress;
}

API int cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                       unsigned gridZ, unsigned blockX, unsigned blockY,
                       unsigned blockZ, unsigned shared, void *stream,
                       void **arguments, void **) {
  Lock lock(state().lock);
  auto &launched = *static_cast<Module::Function *>(function);
  if (current.empty() || launched.module->context != current.back())
    return InvalidContext;
  if (int(shared) > launched.maxDynamicShared)
    return InvalidValue;
  ptx::LaunchOptions options;
  options.grid = {gridX, gridY, gridZ};
  options.block = {blockX, blockY, blockZ};
  options.dynamicSharedBytes = shared;
  options.checkGlobalRaces = false; // 60 times the memory.
  const ptx::Kernel &kernel = launched.program->kernel();
  std::vector<std::vector<uint8_t>> values;
  for (unsigned n = 0; n < kernel.numParameters; ++n) {
    auto *value = static_cast<uint8_t *>(arguments[n]);
    values.emplace_back(value, value + kernel.variables[n].bytes);
  }
  return submit(stream,
                [=, &launched] { return execute(launched, options, values); });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

API int cuMemAlloc_v2(unsigned long long *pointer, size_t bytes) {
  Lock lock(state().lock);
  if (current.empty())
    return InvalidContext;
  if (state().numCapturing)
    return CaptureUnsupported;
  if (bytes == 0)
    return InvalidValue;
  if (state().used + bytes > size_t(setting("PTX_DRIVER_MEMORY", 1L << 34)))
    return OutOfMemory;
  void *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!memory)
    return OutOfMemory;
  std::memset(memory, 0xff, bytes);
  state().memory[reinterpret_cast<uintptr_t>(memory)] = bytes;
  state().used += bytes;
  note("allocate %zu", bytes);
  return *pointer = reinterpret_cast<uintptr_t>(memory), Success;
}
API int cuMemFree_v2(unsigned long long pointer) {
  Lock lock(state().lock);
  auto found = state().memory.find(pointer);
  if (found == state().memory.end())
    return InvalidValue;
  finishCopies(); // Freeing waits for the device.
  note("free %zu", found->second);
  state().used -= found->second;
  state().memory.erase(found);
  std::free(reinterpret_cast<void *>(pointer));
  return Success;
}
API int cuPointerGetAttribute(void *value, int attribute,
                              unsigned long long pointer) {
  Lock lock(state().lock);
  auto found = findMemory(pointer);
  if (attribute != 2 || found == state().memory.end() ||
      pointer == found->first + found->second)
    return InvalidValue;
  *static_cast<unsigned *>(value) = 2;
  return Success;
}
API int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from,
                             size_t bytes, void *stream) {
  Lock lock(state().lock);
  if (!isDevice(to, bytes))
    return InvalidValue;
  note("upload %zu", bytes);
  return submit(stream, [=] {
    std::memcpy(reinterpret_cast<void *>(to), from, bytes);
    return int(Success);
  });
}
API int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) {
  Lock lock(state().lock);
  if (!isDevice(to, bytes))
    return InvalidValue;
  note("upload %zu", bytes);
  const char *data = static_cast<const char *>(from);
  state().copies.push_back({to, {data, data + bytes}});
  return Success;
}
API int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes,
                             void *stream) {
  Lock lock(state().lock);
  if (!isDevice(from, bytes))
    return InvalidValue;
  note("download %zu", bytes);
  return submit(stream, [=] {
    std::memcpy(to, reinterpret_cast<void *>(from), bytes);
    return int(Success);
  });
}
API int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from,
                             size_t bytes, void *stream) {
  Lock lock(state().lock);
  if (!isDevice(to, bytes) || !isDevice(from, bytes))
    return InvalidValue;
  note("copy %zu", bytes);
  return submit(stream, [=] {
    std::memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
                bytes);
    return int(Success);
  });
}
API int cuMemsetD32Async(unsigned long long to, unsigned value, size_t count,
                         void *stream) {
  Lock lock(state().lock);
  if (!isDevice(to, 4 * count))
    return InvalidValue;
  return submit(stream, [=] {
    for (size_t n = 0; n < count; ++n)
      std::memcpy(reinterpret_cast<char *>(to) + 4 * n, &value, 4);
    return int(Success);
  });
}

//===----------------------------------------------------------------------===//
// Streams and graphs
//===----------------------------------------------------------------------===//

API int cuStreamCreate(void **stream, unsigned) {
  Lock lock(state().lock);
  if (current.empty())
    return InvalidContext;
  auto *made = new Stream;
  made->context = current.back();
  note("create stream");
  return *stream = made, Success;
}
API int cuStreamDestroy_v2(void *stream) {
  Lock lock(state().lock);
  note("destroy stream");
  delete static_cast<Stream *>(stream);
  return Success;
}
API int cuStreamSynchronize(void *stream) {
  Lock lock(state().lock);
  if (streamOf(stream)->isCapturing)
    return CaptureUnsupported;
  note("synchronize");
  if (!stream)
    finishCopies();
  return state().sticky;
}
API int cuStreamBeginCapture_v2(void *stream, int) {
  Lock lock(state().lock);
  streamOf(stream)->isCapturing = true;
  ++state().numCapturing;
  return Success;
}
API int cuStreamEndCapture(void *stream, void **graph) {
  Lock lock(state().lock);
  Stream *from = streamOf(stream);
  from->isCapturing = false;
  --state().numCapturing;
  note("graph of %zu", from->recorded.size());
  *graph = new Graph{std::move(from->recorded)};
  from->recorded.clear();
  return Success;
}
API int cuGraphInstantiateWithFlags(void **made, void *graph,
                                    unsigned long long) {
  return *made = new Graph(*static_cast<Graph *>(graph)), Success;
}
API int cuGraphLaunch(void *graph, void *) {
  Lock lock(state().lock);
  note("launch graph");
  for (const auto &node : static_cast<Graph *>(graph)->nodes)
    if (int result = node())
      return result;
  return Success;
}
API int cuGraphExecDestroy(void *graph) {
  delete static_cast<Graph *>(graph);
  return Success;
}
API int cuGraphDestroy(void *graph) { return cuGraphExecDestroy(graph); }
