//===- FakeCuda.cpp - a CUDA driver for tests ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library with the entry points of the driver. It runs two kernels on the
// CPU, has a clock that only launches advance, and logs the calls. It does not
// include the declarations of the project, so that a wrong prototype there is
// not repeated here.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

#define API extern "C" __attribute__((visibility("default")))

namespace {
struct Kernel {
  std::string name;
  /// Bytes of each parameter.
  std::vector<size_t> parameters;
  bool isScale() const { return name == "scale"; }
};
struct Launch {
  Kernel *kernel;
  float *data;
  int n;
  float scale;
};
struct Graph {
  std::vector<Launch> launches;
};

std::string calls;
std::map<std::string, long> settings;
std::map<void *, size_t> memory;
double now = 0; // nanoseconds
long launchesSoFar = 0;
Graph *capturing = nullptr;

/// Copies and fills of the default stream. They take effect as late as a driver
/// may delay them: when the host waits for that stream, or when it does more
/// work. The streams of `cuStreamCreate` do not wait for them.
struct Copy {
  void *to;
  const void *from; ///< On the device; null if `staged` holds the bytes.
  std::vector<char> staged;
  size_t size;
};
std::vector<Copy> pending;
} // namespace

static void finishCopies() {
  for (Copy &copy : pending)
    std::memcpy(copy.to, copy.from ? copy.from : copy.staged.data(), copy.size);
  pending.clear();
}
static int delay(unsigned long long to, const void *host, size_t n) {
  const char *bytes = static_cast<const char *>(host);
  pending.push_back(
      {reinterpret_cast<void *>(to), nullptr, {bytes, bytes + n}, n});
  return 0;
}

static long setting(const char *key, long otherwise) {
  auto it = settings.find(key);
  if (it != settings.end())
    return it->second;
  // Programs that load this as their driver configure it by environment
  // variables.
  std::string variable = std::string("FAKE_CUDA_") + key;
  for (char &c : variable)
    c = c == '-' ? '_' : c;
  const char *value = std::getenv(variable.c_str());
  return value ? std::atol(value) : otherwise;
}
static void note(const std::string &text) { calls += text + "\n"; }

static int execute(const Launch &launch) {
  ++launchesSoFar;
  if (launchesSoFar == setting("fail-launch", -1))
    return 700;
  if (launchesSoFar == setting("hang-launch", -1))
    for (;;)
      pause();
  // Every third launch may be a slow one.
  now += setting("kernel-ns", 1000) +
         (launchesSoFar % 3 ? 0 : setting("extra-ns", 0));
  for (int i = 0; i < launch.n; ++i)
    launch.data[i] *= launch.scale;
  return 0;
}
static int submit(const Launch &launch) {
  if (!capturing)
    return execute(launch);
  capturing->launches.push_back(launch);
  return 0;
}
/// A cubin contains its length; PTX ends with a zero.
static std::string textOf(const char *image) {
  if (std::strncmp(image,
                   "\x7f"
                   "ELF",
                   4))
    return image;
  uint64_t sections;
  uint16_t size, count;
  std::memcpy(&sections, image + 0x28, 8);
  std::memcpy(&size, image + 0x3a, 2);
  std::memcpy(&count, image + 0x3c, 2);
  return std::string(image, sections + uint64_t(size) * count);
}
static bool isCubin(const std::string &text) {
  return text.rfind("\x7f"
                    "ELF",
                    0) == 0;
}
template <typename T> static T fieldOf(const std::string &text, size_t at) {
  T value;
  std::memcpy(&value, text.data() + at, sizeof(T));
  return value;
}
/// The part of the image for one kernel: the head in PTX, the section with its
/// attributes in a cubin. Empty if the image has no such kernel.
static std::string codeOf(const std::string &text, const std::string &name) {
  if (!isCubin(text)) {
    size_t at = text.find(".entry " + name + "(");
    return at == std::string::npos ? ""
                                   : text.substr(at, text.find(')', at) - at);
  }
  auto sections = fieldOf<uint64_t>(text, 0x28);
  auto size = fieldOf<uint16_t>(text, 0x3a),
       count = fieldOf<uint16_t>(text, 0x3c),
       namesAt = fieldOf<uint16_t>(text, 0x3e);
  auto begin = [&](size_t section) {
    return fieldOf<uint64_t>(text, sections + section * size + 0x18);
  };
  for (size_t n = 0; n < count; ++n) {
    size_t title =
        begin(namesAt) + fieldOf<uint32_t>(text, sections + n * size);
    if (text.c_str() + title == ".nv.info." + name)
      return text.substr(begin(n),
                         fieldOf<uint64_t>(text, sections + n * size + 0x20));
  }
  return "";
}
static Launch decode(Kernel *kernel, void **arguments) {
  Launch launch = {kernel, nullptr, 0, 0};
  // Other kernels take time and do nothing.
  if (!kernel->isScale())
    return launch;
  std::memcpy(&launch.data, arguments[0], sizeof(float *));
  std::memcpy(&launch.n, arguments[1], sizeof(int));
  std::memcpy(&launch.scale, arguments[2], sizeof(float));
  return launch;
}

// --- what tests use ----------------------------------------------------------
API const char *fakeCudaCalls() { return calls.c_str(); }
API long fakeCudaLiveAllocations() { return static_cast<long>(memory.size()); }
API void fakeCudaSet(const char *key, long value) { settings[key] = value; }
API void fakeCudaReset() {
  calls.clear();
  settings.clear();
  now = 0;
  launchesSoFar = 0;
  capturing = nullptr;
  pending.clear();
}

// --- the driver --------------------------------------------------------------
API int cuInit(unsigned) { return int(setting("init", 0)); }
API int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
API int cuGetErrorName(int error, const char **name) {
  *name = error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OTHER";
  return 0;
}
API int cuGetErrorString(int error, const char **text) {
  *text = error == 700 ? "an illegal memory access was encountered" : "other";
  return 0;
}
API int cuDeviceGetCount(int *n) {
  const char *visible = std::getenv("CUDA_VISIBLE_DEVICES");
  *n = visible && !*visible ? 0 : int(setting("devices", 1));
  return 0;
}
API int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
API int cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, size_t(length), "Fake GPU");
  return 0;
}
API int cuDeviceTotalMem_v2(size_t *bytes, int) {
  return *bytes = size_t(8) << 30, 0;
}
API int cuDeviceGetAttribute(int *value, int attribute, int) {
  const std::map<int, int> table = {
      {1, 1024},     {8, 49152},   {10, 32},       {13, 1410000}, {16, 108},
      {36, 1215000}, {37, 5120},   {38, 41943040}, {39, 2048},    {75, 8},
      {76, 0},       {81, 167936}, {82, 65536},    {97, 166912},  {106, 32}};
  auto it = table.find(attribute);
  if (it == table.end())
    return 1;
  *value = it->second;
  return 0;
}
API int cuDevicePrimaryCtxRetain(void **context, int) {
  note("retain");
  static int one;
  return *context = &one, 0;
}
API int cuDevicePrimaryCtxRelease_v2(int) { return note("release"), 0; }
API int cuCtxSetCurrent(void *) { return 0; }
API int cuCtxSynchronize() { return finishCopies(), 0; }
API int cuModuleLoadDataEx(void **module, const void *image, unsigned n,
                           int *options, void **values) {
  std::string text = textOf(static_cast<const char *>(image));
  bool bad = text.rfind("bad", 0) == 0;
  std::string log = bad ? "ptxas error: unknown instruction" : "compiled";
  for (unsigned i = 0; i + 1 < n; i += 2)
    if (options[i] == (bad ? 5 : 3) && options[i + 1] == options[i] + 1)
      std::snprintf(static_cast<char *>(values[i]),
                    reinterpret_cast<size_t>(values[i + 1]), "%s", log.c_str());
  if (bad)
    return 218;
  *module = new std::string(text);
  note("load");
  return 0;
}
API int cuModuleUnload(void *module) {
  delete static_cast<std::string *>(module);
  return note("unload"), 0;
}
API int cuModuleGetFunction(void **function, void *module, const char *name) {
  const std::string &text = *static_cast<std::string *>(module);
  std::string code = codeOf(text, name);
  if (code.empty())
    return 500;
  auto *kernel = new Kernel{name, {8, 4, 4}};
  if (!kernel->isScale()) {
    // The parameters that the code declares, all of them pointers: parameters
    // in PTX, attributes (format 4, attribute 0x17) of 12 bytes each in a
    // cubin.
    const std::string mark =
        isCubin(text) ? std::string("\x04\x17\x0c\0", 4) : ".param ";
    kernel->parameters.clear();
    for (size_t at = code.find(mark); at != std::string::npos;
         at = code.find(mark, at + 1))
      kernel->parameters.push_back(8);
  }
  *function = kernel;
  return 0;
}
API int cuFuncSetAttribute(void *, int attribute, int value) {
  note("attribute " + std::to_string(attribute) + " = " +
       std::to_string(value));
  return value > 166912 ? 1 : 0;
}
API int cuFuncGetAttribute(int *value, int attribute, void *) {
  *value = attribute == 4 ? 40 : attribute == 3 ? 16 : 1024;
  return 0;
}
API int cuFuncGetParamInfo(void *function, size_t index, size_t *offset,
                           size_t *size) {
  const auto &sizes = static_cast<Kernel *>(function)->parameters;
  if (index >= sizes.size())
    return 1;
  *offset = 0;
  for (size_t i = 0; i < index; ++i)
    *offset += sizes[i];
  *size = sizes[index];
  return 0;
}
API int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz,
                       unsigned bx, unsigned by, unsigned bz, unsigned shared,
                       void *, void **arguments, void **) {
  Launch launch = decode(static_cast<Kernel *>(function), arguments);
  char text[160];
  std::snprintf(text, sizeof(text),
                "launch %s grid %u %u %u block %u %u %u shared %u buffer %p",
                launch.kernel->name.c_str(), gx, gy, gz, bx, by, bz, shared,
                static_cast<void *>(launch.data));
  note(text);
  return submit(launch);
}
struct Config {
  unsigned gx, gy, gz, bx, by, bz, shared;
  void *stream;
  struct {
    int id;
    char pad[4];
    union {
      char bytes[64];
      struct {
        unsigned x, y, z;
      } cluster;
    };
  } *attributes;
  unsigned n;
};
API int cuLaunchKernelEx(const Config *c, void *function, void **arguments,
                         void **) {
  char text[160];
  std::snprintf(text, sizeof(text),
                "launchEx grid %u %u %u block %u %u %u shared %u", c->gx, c->gy,
                c->gz, c->bx, c->by, c->bz, c->shared);
  std::string line = text;
  for (unsigned i = 0; i < c->n; ++i)
    if (c->attributes[i].id == 4)
      line += " cluster " + std::to_string(c->attributes[i].cluster.x) + " " +
              std::to_string(c->attributes[i].cluster.y) + " " +
              std::to_string(c->attributes[i].cluster.z);
  note(line);
  return submit(decode(static_cast<Kernel *>(function), arguments));
}
API int cuMemAlloc_v2(unsigned long long *pointer, size_t bytes) {
  if (bytes == 0 || bytes > size_t(1) << 33)
    return 2;
  void *p = std::malloc(bytes);
  memory[p] = bytes;
  *pointer = reinterpret_cast<uintptr_t>(p);
  return 0;
}
API int cuMemFree_v2(unsigned long long pointer) {
  void *p = reinterpret_cast<void *>(pointer);
  finishCopies(); // Freeing waits for the device.
  if (!memory.erase(p))
    return 1;
  std::free(p);
  return 0;
}
API int cuMemGetInfo_v2(size_t *available, size_t *total) {
  *available = *total = size_t(1) << 32;
  return 0;
}
API int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t n) {
  return delay(to, from, n);
}
API int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t n) {
  finishCopies();
  return std::memcpy(to, reinterpret_cast<void *>(from), n), 0;
}
API int cuMemcpyDtoD_v2(unsigned long long to, unsigned long long from,
                        size_t n) {
  now += double(n) / 1000; // 1 TB/s
  pending.push_back(
      {reinterpret_cast<void *>(to), reinterpret_cast<void *>(from), {}, n});
  return 0;
}
API int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from,
                             size_t n, void *stream) {
  if (!stream)
    return cuMemcpyDtoD_v2(to, from, n);
  now += double(n) / 1000;
  return std::memcpy(reinterpret_cast<void *>(to),
                     reinterpret_cast<void *>(from), n),
         0;
}
API int cuMemsetD8_v2(unsigned long long to, unsigned char value, size_t n) {
  return delay(to, std::vector<char>(n, char(value)).data(), n);
}
API int cuMemsetD32_v2(unsigned long long to, unsigned value, size_t n) {
  std::vector<unsigned> values(n, value);
  return delay(to, values.data(), 4 * n);
}
API int cuStreamCreate(void **stream, unsigned flags) {
  static int one;
  *stream = &one;
  return flags == 1 ? 0 : 1;
}
API int cuStreamSynchronize(void *stream) {
  if (!stream)
    finishCopies();
  return 0;
}
API int cuStreamDestroy_v2(void *) { return note("destroy stream"), 0; }
API int cuEventCreate(void **event, unsigned) {
  *event = new double(0);
  return 0;
}
API int cuEventRecord(void *event, void *) {
  if (capturing)
    return 900;
  *static_cast<double *>(event) = now;
  return note("record"), 0;
}
API int cuEventSynchronize(void *) { return 0; }
API int cuEventElapsedTime(float *ms, void *start, void *end) {
  *ms = float((*static_cast<double *>(end) - *static_cast<double *>(start)) /
              1e6);
  return 0;
}
API int cuEventDestroy_v2(void *event) {
  delete static_cast<double *>(event);
  return note("destroy event"), 0;
}

// Optional functions that are only available by address, as in new drivers.
static int beginCapture(void *, int) { return capturing = new Graph, 0; }
static int endCapture(void *, void **graph) {
  note("graph of " + std::to_string(capturing->launches.size()));
  *graph = capturing;
  capturing = nullptr;
  return 0;
}
static int instantiate(void **exec, void *graph, unsigned long long) {
  *exec = new Graph(*static_cast<Graph *>(graph));
  return 0;
}
static int launchGraph(void *exec, void *) {
  note("launch graph");
  for (const Launch &launch : static_cast<Graph *>(exec)->launches)
    if (int error = execute(launch))
      return error;
  return 0;
}
static int destroyGraph(void *graph) {
  delete static_cast<Graph *>(graph);
  return note("destroy graph"), 0;
}
static int encodeTensorMap(unsigned long long *map, int type, unsigned rank,
                           void *address, const uint64_t *extents,
                           const uint64_t *strides, const unsigned *box,
                           const unsigned *, int, int swizzle, int promotion,
                           int fill) {
  std::string line = "tensor map type " + std::to_string(type) + " extents";
  for (unsigned d = 0; d < rank; ++d)
    line += " " + std::to_string(extents[d]);
  line += " strides";
  for (unsigned d = 0; d + 1 < rank; ++d)
    line += " " + std::to_string(strides[d]);
  line += " box";
  for (unsigned d = 0; d < rank; ++d)
    line += " " + std::to_string(box[d]);
  note(line + " swizzle " + std::to_string(swizzle) + " promotion " +
       std::to_string(promotion) + " fill " + std::to_string(fill));
  map[0] = reinterpret_cast<uintptr_t>(address);
  return 0;
}
API int cuGetProcAddress_v2(const char *name, void **address, int, uint64_t,
                            int *) {
  const std::map<std::string, void *> table = {
      {"cuStreamBeginCapture_v2", reinterpret_cast<void *>(beginCapture)},
      {"cuStreamEndCapture", reinterpret_cast<void *>(endCapture)},
      {"cuGraphInstantiateWithFlags", reinterpret_cast<void *>(instantiate)},
      {"cuGraphLaunch", reinterpret_cast<void *>(launchGraph)},
      {"cuGraphExecDestroy", reinterpret_cast<void *>(destroyGraph)},
      {"cuGraphDestroy", reinterpret_cast<void *>(destroyGraph)}};
  if (setting("tensor-maps", 0) &&
      std::string("cuTensorMapEncodeTiled") == name) {
    *address = reinterpret_cast<void *>(encodeTensorMap);
    return 0;
  }
  auto it = table.find(name);
  if (it == table.end())
    return 500;
  *address = it->second;
  return 0;
}
