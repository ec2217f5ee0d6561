//===- CudaKernelRunner.cpp - load and launch GPU kernels -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaKernelArgument.h"

#include "llvm/ADT/Twine.h"

#include <cstring>

using namespace pruner;

CudaKernelRunner::CudaKernelRunner(std::shared_ptr<const CudaDriver> driver)
    : driver(std::move(driver)), cu(this->driver->functions()) {}

CudaKernelRunner::~CudaKernelRunner() {
  // After a failed launch all of these report that failure again. It was
  // reported already, so ignore the results.
  if (context)
    (void)cu.ctxSetCurrent(context);
  for (Argument &argument : arguments)
    for (cuda::DevicePtr pointer : argument.pointers)
      (void)cu.memFree(pointer);
  if (stream)
    (void)cu.streamDestroy(stream);
  if (module)
    (void)cu.moduleUnload(module);
  if (retained)
    (void)cu.primaryCtxRelease(device);
}

llvm::Error CudaKernelRunner::check(cuda::Result result,
                                    const llvm::Twine &what) const {
  return driver->check(result, "kernel '" + name + "': " + what);
}

llvm::Expected<std::unique_ptr<CudaKernelRunner>>
CudaKernelRunner::create(std::shared_ptr<const CudaDriver> driver,
                         llvm::StringRef image, llvm::StringRef kernel,
                         int ordinal) {
  if (ordinal < 0 || ordinal >= driver->deviceCount())
    return llvm::createStringError("there is no CUDA device " +
                                   llvm::Twine(ordinal) + "; the driver has " +
                                   llvm::Twine(driver->deviceCount()) +
                                   ", counted from 0");
  std::unique_ptr<CudaKernelRunner> runner(
      new CudaKernelRunner(std::move(driver)));
  CudaKernelRunner &r = *runner;
  r.name = kernel.str();
  if (llvm::Error error =
          r.check(r.cu.deviceGet(&r.device, ordinal), "cannot open the device"))
    return error;
  if (llvm::Error error = r.check(r.cu.primaryCtxRetain(&r.context, r.device),
                                  "cannot make a context"))
    return error;
  r.retained = true;
  if (llvm::Error error =
          r.check(r.cu.ctxSetCurrent(r.context), "cannot use the context"))
    return error;

  // PTX must end with a zero; a cubin contains its length.
  std::string text = image.str();
  std::string info(16384, '\0'), errors(16384, '\0');
  // Info log and its size, error log and its size: numbers of the driver
  // interface. Integers are passed as pointers.
  int options[] = {3, 4, 5, 6};
  void *values[] = {info.data(), reinterpret_cast<void *>(info.size()),
                    errors.data(), reinterpret_cast<void *>(errors.size())};
  cuda::Result loaded =
      r.cu.moduleLoadDataEx(&r.module, text.c_str(), 4, options, values);
  info.resize(strnlen(info.data(), info.size()));
  errors.resize(strnlen(errors.data(), errors.size()));
  if (loaded != 0) {
    r.module = nullptr;
    return r.check(loaded, errors.empty()
                               ? std::string("cannot load the module")
                               : "cannot load the module: " + errors);
  }
  r.compileLog = info;
  if (llvm::Error error = r.find(r.name, r.main))
    return error;
  // 1: does not wait for the default stream.
  if (llvm::Error error =
          r.check(r.cu.streamCreate(&r.stream, 1), "cannot make a stream"))
    return error;
  return runner;
}

llvm::Error CudaKernelRunner::find(const std::string &kernel, Kernel &found) {
  if (llvm::Error error =
          check(cu.moduleGetFunction(&found.function, module, kernel.c_str()),
                kernel == name ? "not in the module"
                               : "'" + kernel + "' is not in the module"))
    return error;
  for (auto [attribute, member] :
       {std::pair{cuda::registersAttribute, &found.facts.registers},
        std::pair{cuda::localBytesAttribute, &found.facts.localBytes},
        std::pair{cuda::sharedBytesAttribute, &found.facts.sharedBytes}})
    if (llvm::Error error =
            check(cu.funcGetAttribute(member, attribute, found.function),
                  "cannot read an attribute"))
      return error;
  return llvm::Error::success();
}

llvm::Error CudaKernelRunner::addBuffer(llvm::ArrayRef<uint8_t> contents) {
  Argument argument;
  argument.size = contents.size();
  cuda::DevicePtr pointer = 0;
  // The driver rejects an allocation of 0 bytes. The pointer is never
  // dereferenced.
  if (llvm::Error error =
          check(cu.memAlloc(&pointer, std::max<size_t>(1, contents.size())),
                "cannot allocate " + llvm::Twine(contents.size()) + " bytes"))
    return error;
  argument.pointers.push_back(pointer);
  arguments.push_back(std::move(argument));
  return upload(arguments.size() - 1, contents);
}

void CudaKernelRunner::addValue(llvm::ArrayRef<uint8_t> bytes) {
  Argument argument;
  argument.size = bytes.size();
  argument.setValue(bytes);
  arguments.push_back(std::move(argument));
}

cuda::DevicePtr CudaKernelRunner::address(size_t n) const {
  return n < arguments.size() && arguments[n].isBuffer()
             ? arguments[n].pointers.front()
             : 0;
}

llvm::Error CudaKernelRunner::upload(size_t n,
                                     llvm::ArrayRef<uint8_t> contents) {
  if (llvm::Error error = checkBuffer(name, arguments, n, contents.size()))
    return error;
  for (cuda::DevicePtr pointer : arguments[n].pointers)
    if (!contents.empty())
      if (llvm::Error error =
              check(cu.memcpyHtoD(pointer, contents.data(), contents.size()),
                    "cannot copy to the device"))
        return error;
  return waitForCopies();
}

llvm::Error CudaKernelRunner::waitForCopies() {
  return check(cu.streamSynchronize(nullptr), "cannot copy to the device");
}

llvm::Error
CudaKernelRunner::download(size_t n, llvm::MutableArrayRef<uint8_t> contents) {
  if (llvm::Error error = checkBuffer(name, arguments, n, contents.size()))
    return error;
  if (contents.empty())
    return llvm::Error::success();
  return check(cu.memcpyDtoH(contents.data(), arguments[n].pointers.front(),
                             contents.size()),
               "cannot copy from the device");
}

llvm::Error CudaKernelRunner::checkArguments(const Kernel &kernel) const {
  // Without this function, launching with too few arguments would make the
  // driver read past the end of our list.
  if (!cu.funcGetParamInfo)
    return llvm::Error::success();
  size_t offset = 0, size = 0, n = 0;
  for (; cu.funcGetParamInfo(kernel.function, n, &offset, &size) == 0; ++n) {
    if (n >= arguments.size())
      continue;
    size_t given =
        arguments[n].isBuffer() ? sizeof(cuda::DevicePtr) : arguments[n].size;
    if (given != size)
      return llvm::createStringError(
          "kernel '" + name + "': parameter " + llvm::Twine(n) + " has " +
          llvm::Twine(size) + " bytes, but the argument has " +
          llvm::Twine(given));
  }
  if (n != arguments.size())
    return llvm::createStringError(
        "kernel '" + name + "' takes " + llvm::Twine(n) + " arguments, but " +
        llvm::Twine(arguments.size()) + " were given");
  return llvm::Error::success();
}

llvm::Error CudaKernelRunner::prepare(llvm::ArrayRef<CudaLaunch> launches) {
  for (const CudaLaunch &launch : launches) {
    if (!launch.kernel.empty() && !others.count(launch.kernel)) {
      Kernel found;
      if (llvm::Error error = find(launch.kernel, found))
        return error;
      others[launch.kernel] = found;
    }
    if (llvm::Error error = prepare(launch, kernelOf(launch)))
      return error;
  }
  return llvm::Error::success();
}

const CudaKernelRunner::Kernel &
CudaKernelRunner::kernelOf(const CudaLaunch &launch) const {
  return launch.kernel.empty() ? main : others.at(launch.kernel);
}

llvm::Error CudaKernelRunner::prepare(const CudaLaunch &launch,
                                      const Kernel &kernel) {
  if (llvm::Error error = checkArguments(kernel))
    return error;
  for (auto *shape : {&launch.grid, &launch.block, &launch.cluster})
    for (unsigned extent : *shape)
      if (extent == 0)
        return llvm::createStringError(
            "kernel '" + name +
            "': a grid, block or cluster extent is 0; all must be at least 1");
  bool clusters = launch.cluster != std::array<unsigned, 3>{1, 1, 1};
  if (clusters && !cu.launchKernelEx)
    return llvm::createStringError("kernel '" + name +
                                   "': this CUDA driver cannot launch "
                                   "clusters; it needs CUDA 11.8");
  constexpr unsigned withoutOptIn = 48 * 1024;
  if (launch.dynamicSharedBytes + kernel.facts.sharedBytes <= withoutOptIn)
    return llvm::Error::success();
  return check(cu.funcSetAttribute(kernel.function,
                                   cuda::maxDynamicSharedAttribute,
                                   static_cast<int>(launch.dynamicSharedBytes)),
               "cannot use " + llvm::Twine(launch.dynamicSharedBytes) +
                   " bytes of dynamic shared memory");
}

llvm::Error CudaKernelRunner::submit(llvm::ArrayRef<CudaLaunch> launches,
                                     size_t copy) {
  std::vector<void *> values;
  for (Argument &argument : arguments)
    values.push_back(argument.address(copy));
  for (const CudaLaunch &launch : launches)
    if (llvm::Error error = submit(launch, values.data()))
      return error;
  return llvm::Error::success();
}

llvm::Error CudaKernelRunner::submit(const CudaLaunch &launch, void **values) {
  cuda::Function function = kernelOf(launch).function;
  cuda::Result result;
  if (launch.cluster == std::array<unsigned, 3>{1, 1, 1}) {
    result = cu.launchKernel(function, launch.grid[0], launch.grid[1],
                             launch.grid[2], launch.block[0], launch.block[1],
                             launch.block[2], launch.dynamicSharedBytes, stream,
                             values, nullptr);
  } else {
    cuda::LaunchAttribute cluster = {};
    cluster.id = cuda::clusterDimension;
    for (int i = 0; i < 3; ++i)
      cluster.value[i] = launch.cluster[i];
    cuda::LaunchConfig config = {launch.grid[0],
                                 launch.grid[1],
                                 launch.grid[2],
                                 launch.block[0],
                                 launch.block[1],
                                 launch.block[2],
                                 launch.dynamicSharedBytes,
                                 stream,
                                 &cluster,
                                 1};
    result = cu.launchKernelEx(&config, function, values, nullptr);
  }
  return check(result, "cannot launch");
}

llvm::Error CudaKernelRunner::launch(llvm::ArrayRef<CudaLaunch> launches) {
  if (llvm::Error error =
          check(cu.ctxSetCurrent(context), "cannot use the context"))
    return error;
  if (llvm::Error error = prepare(launches))
    return error;
  if (llvm::Error error = submit(launches, 0))
    return error;
  return check(cu.streamSynchronize(stream), "failed while running");
}
