//===- CudaKernelRunner.h - load, launch and time GPU kernels ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef PRUNER_RUNTIME_CUDAKERNELRUNNER_H
#define PRUNER_RUNTIME_CUDAKERNELRUNNER_H

#include "pruner/Runtime/CudaDriver.h"
#include "pruner/Runtime/Timer.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace pruner {

/// One launch.
struct CudaLaunch {
  /// A kernel of the image; if empty, the kernel of the runner.
  std::string kernel;
  std::array<unsigned, 3> grid = {1, 1, 1};
  std::array<unsigned, 3> block = {1, 1, 1};
  /// Thread blocks of one cluster; all 1 = no clusters.
  std::array<unsigned, 3> cluster = {1, 1, 1};
  /// Bytes; above 48 KiB the runner opts in for the kernel.
  unsigned dynamicSharedBytes = 0;
};

/// Properties of a loaded kernel as reported by the driver.
struct CudaKernelFacts {
  int registers = 0;
  int localBytes = 0;  ///< Stack and spills of one thread.
  int sharedBytes = 0; ///< Static shared memory of one block.
};

struct CudaTimingOptions {
  int warmUps = 3;
  /// One sample is the time between events around R launches, with R * t at
  /// least this many seconds. The resolution of events is about 0.5 us.
  double minSampleSeconds = 5e-3;
  int samples = 5;
  int maxLaunchesPerSample = 100000;
  /// Seconds; see `TimingOptions::censorAbove`.
  double censorAbove = 0;
  double maxSpread = 1.15;
  int maxRepeats = 2;
  /// Launches alternate between copies of the buffers. All copies together hold
  /// at least this many bytes. Use more than twice the L2 cache for times with
  /// cold caches; 0 means one copy, warm.
  size_t rotateBytes = 0;
  /// Submit the launches of a sample as a graph, if the driver supports graphs,
  /// so that the 2 to 4 us of CPU time per launch do not hide shorter kernels.
  bool useGraph = true;
};

/// One kernel with its arguments on one device, and other kernels of its image
/// that are launched with the same arguments. Not thread-safe; use one per
/// worker. After an error of a launch the device context is lost, and the
/// process must end. Errors name the kernel and include the driver's message.
class CudaKernelRunner {
public:
  /// Loads `image` (PTX text or a cubin) and finds `kernel` in it. The driver
  /// compiles PTX; its log is part of the error.
  static llvm::Expected<std::unique_ptr<CudaKernelRunner>>
  create(std::shared_ptr<const CudaDriver> driver, llvm::StringRef image,
         llvm::StringRef kernel, int device = 0);
  ~CudaKernelRunner();
  CudaKernelRunner(const CudaKernelRunner &) = delete;
  CudaKernelRunner &operator=(const CudaKernelRunner &) = delete;

  const CudaKernelFacts &facts() const { return main.facts; }
  /// The driver's compilation log of a PTX image; may be empty.
  llvm::StringRef log() const { return compileLog; }

  /// Appends a pointer argument to a device buffer with `contents`.
  llvm::Error addBuffer(llvm::ArrayRef<uint8_t> contents);
  /// Appends an argument passed by value in the layout of the kernel (a scalar,
  /// or a `cuda::TensorMap`).
  void addValue(llvm::ArrayRef<uint8_t> bytes);

  /// The device address of buffer argument `argument`, 0 for others.
  cuda::DevicePtr address(size_t argument) const;

  /// Overwrites buffer argument `argument` as a whole.
  llvm::Error upload(size_t argument, llvm::ArrayRef<uint8_t> contents);
  /// Reads buffer argument `argument` as a whole.
  llvm::Error download(size_t argument,
                       llvm::MutableArrayRef<uint8_t> contents);

  /// Runs the launches one after the other, and waits.
  llvm::Error launch(llvm::ArrayRef<CudaLaunch> launches);

  /// Times all launches together by the protocol of `CudaTimingOptions`. The
  /// buffers are not reset, so a kernel that accumulates continues to
  /// accumulate.
  llvm::Expected<TimingResult> time(llvm::ArrayRef<CudaLaunch> launches,
                                    const CudaTimingOptions &options = {});

private:
  struct Argument;
  class Timing;
  struct Kernel {
    cuda::Function function = nullptr;
    CudaKernelFacts facts;
  };
  CudaKernelRunner(std::shared_ptr<const CudaDriver> driver);

  llvm::Error check(cuda::Result result, const llvm::Twine &what) const;
  llvm::Error find(const std::string &kernel, Kernel &found);
  /// Compares the arguments with the parameters of the kernel, if the driver
  /// reports them.
  llvm::Error checkArguments(const Kernel &kernel) const;
  /// Finds the kernels, opts in to the dynamic shared memory and checks the
  /// shapes.
  llvm::Error prepare(llvm::ArrayRef<CudaLaunch> launches);
  llvm::Error prepare(const CudaLaunch &launch, const Kernel &kernel);
  /// Submits the launches with the buffers of copy `copy`.
  llvm::Error submit(llvm::ArrayRef<CudaLaunch> launches, size_t copy);
  llvm::Error submit(const CudaLaunch &launch, void **values);
  const Kernel &kernelOf(const CudaLaunch &launch) const;
  /// Copies run in the default stream, and may still run when the driver
  /// returns: it stages small ones from pageable memory and copies between
  /// buffers in the background. `stream` does not wait for them.
  llvm::Error waitForCopies();
  llvm::Error makeCopies(size_t bytes);
  void dropCopies();

  std::shared_ptr<const CudaDriver> driver;
  const CudaFunctions &cu;
  std::string name;
  cuda::Device device = 0;
  bool retained = false;
  cuda::Context context = nullptr;
  cuda::Module module = nullptr;
  Kernel main;
  /// Kernels by name.
  std::map<std::string, Kernel> others;
  cuda::Stream stream = nullptr;
  std::string compileLog;
  std::vector<Argument> arguments;
  size_t copies = 1;
};

} // namespace pruner

#endif // PRUNER_RUNTIME_CUDAKERNELRUNNER_H
