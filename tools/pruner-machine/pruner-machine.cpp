//===- pruner-machine.cpp - print the description of a device -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pruner/Machine/CodeTarget.h"
#include "pruner/Machine/HostCpu.h"
#include "pruner/Machine/KnownMachines.h"
#include "pruner/Machine/MachineFile.h"
#include "pruner/Runtime/CoreProbe.h"
#include "pruner/Runtime/CudaDriver.h"
#include "pruner/Runtime/FmaPeak.h"
#include "pruner/Runtime/InstructionProbe.h"
#include "pruner/Support/CommandLine.h"
#include "pruner/Support/StandardStreams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"
#include "llvm/TargetParser/Host.h"

#include <algorithm>
#include <cmath>

using namespace pruner;

static llvm::cl::OptionCategory category("pruner-machine options");
static llvm::cl::opt<std::string>
    target(llvm::cl::Positional, llvm::cl::init("cpu"),
           llvm::cl::value_desc("cpu | nvidia:<name> | file:<path>"),
           llvm::cl::desc("<target>"), llvm::cl::cat(category));
static llvm::cl::opt<bool>
    asJson("json", llvm::cl::desc("Print the description as JSON"),
           llvm::cl::cat(category));
static llvm::cl::opt<bool>
    onlyKey("key", llvm::cl::desc("Print the key of the machine in databases"),
            llvm::cl::cat(category));
static llvm::cl::opt<bool>
    list("list", llvm::cl::desc("List the known devices and architectures"),
         llvm::cl::cat(category));
static llvm::cl::opt<std::string>
    output("o", llvm::cl::desc("Write the description as JSON to a file"),
           llvm::cl::value_desc("file"), llvm::cl::cat(category));

static llvm::cl::opt<bool>
    measure("measure",
            llvm::cl::desc("Measure rates and latencies of one core (cpu)"),
            llvm::cl::cat(category));

static llvm::cl::list<std::string>
    without("without", llvm::cl::CommaSeparated,
            llvm::cl::desc("Describe this CPU without a feature and the "
                           "features that depend on it: 'avx512f', 'avx'"),
            llvm::cl::value_desc("feature"), llvm::cl::cat(category));

static llvm::cl::opt<int>
    cudaDevice("cuda-device", llvm::cl::init(-1),
               llvm::cl::desc("Describe this CUDA device of the host"),
               llvm::cl::value_desc("number"), llvm::cl::cat(category));
static llvm::cl::opt<std::string>
    cudaLibrary("cuda-library", llvm::cl::init("libcuda.so.1"),
                llvm::cl::desc("The driver library of --cuda-device"),
                llvm::cl::value_desc("file"), llvm::cl::cat(category));

/// Describes device `ordinal` by what the driver reports, and otherwise by its
/// compute capability.
static llvm::Expected<Machine> describeCudaDevice(int ordinal) {
  auto driver = CudaDriver::load(cudaLibrary);
  if (!driver)
    return driver.takeError();
  llvm::Expected<CudaDeviceInfo> info = queryCudaDevice(**driver, ordinal);
  if (!info)
    return info.takeError();
  llvm::Expected<Machine> m = gpuArchitecture(info->major, info->minor);
  if (!m)
    return m;
  std::string model = llvm::StringRef(info->name).lower();
  llvm::replace(model, ' ', '-');
  llvm::StringRef shortName = model;
  shortName.consume_front("nvidia-");
  m->name = nvidiaName(shortName);
  if (shortName.starts_with("geforce"))
    halveTensorFloats(*m);
  m->units = info->units;
  m->lanes = info->warpSize;
  m->registersPerUnit = info->registersPerUnit;
  m->sharedBytesPerBlock = info->sharedBytesPerBlock;
  m->sharedBytesPerBlockOptIn =
      std::max(info->sharedBytesPerBlockOptIn, info->sharedBytesPerBlock);
  m->sharedBytesPerUnit = info->sharedBytesPerUnit;
  m->maxThreadsPerBlock = info->maxThreadsPerBlock;
  m->maxThreadsPerUnit = info->maxThreadsPerUnit;
  m->maxBlocksPerUnit = info->maxBlocksPerUnit;
  m->l2Bytes = info->l2Bytes;
  m->memoryBytes = info->memoryBytes;
  m->memoryBandwidth = info->memoryBandwidth();
  m->clockMHz = info->clockKHz / 1000.0;
  m->peakFlops = 2.0 * info->units * f32CoresPerUnit(info->major, info->minor) *
                 info->clockKHz * 1e3;
  m->notes.push_back("source: the CUDA driver, version " +
                     std::to_string(info->driverVersion));
  if (std::optional<std::string> rule = m->invalid())
    return llvm::createStringError("device " + std::to_string(ordinal) + ": " +
                                   *rule);
  return m;
}

/// The field with the cost of an instruction, in multiply-adds of f32; null if
/// there is none.
static double CoreModel::*costField(InstructionRate::Kind kind) {
  switch (kind) {
  case InstructionRate::Kind::IntegerDot:
    return &CoreModel::integerDotCost;
  case InstructionRate::Kind::IntegerPairs:
    return &CoreModel::integerPairCost;
  case InstructionRate::Kind::BrainFloatDot:
    return &CoreModel::brainFloatDotCost;
  case InstructionRate::Kind::ByteTiles: // Those of bf16 take as long.
    return &CoreModel::tileCost;
  case InstructionRate::Kind::BrainTiles:
  case InstructionRate::Kind::F32:
  case InstructionRate::Kind::F16:
    return nullptr;
  }
  llvm_unreachable("unknown kind of instruction");
}

/// Calls `set(name, field, value)` for the costs of the matrix instructions of
/// this core. `cycle` is in seconds.
static void measureInstructionCosts(
    CoreModel &core, double cycle,
    llvm::function_ref<void(const char *, double &, double)> set) {
  std::vector<InstructionRate> rates = measureInstructions(/*seconds=*/0.3);
  for (const InstructionRate &rate : rates) {
    double CoreModel::*field = costField(rate.kind);
    if (!field)
      continue;
    set(rate.name, core.*field, rate.seconds / rates.front().seconds);
    if (rate.latency > 0)
      set("tileLatency", core.tileLatency, rate.latency / cycle);
  }
}

/// Sets the measured rates and latencies of the core and its clock. A value
/// that could not be measured (0) keeps its default.
static void measureCore(Machine &machine) {
  std::string measured;
  auto set = [&](const char *name, double &field, double value) {
    if (!(value > 0 && std::isfinite(value)))
      return;
    field = value;
    measured += (measured.empty() ? "" : ", ") + std::string(name);
  };
  int64_t l2 = std::max<int64_t>(machine.l2Bytes, 256 << 10);
  CoreProbe probe = probeCore(l2 / 2, /*seconds=*/0.6);
  CoreModel &core = machine.core;
  set("clockMHz", machine.clockMHz, 1e-6 / probe.cycle);
  set("fmaLatency", core.fmaLatency, probe.fma / probe.cycle);
  set("loadsPerCycle", core.loadsPerCycle, probe.cycle / probe.load);
  set("storesPerCycle", core.storesPerCycle, probe.cycle / probe.store);
  set("restartCycles", core.restartCycles, probe.restart / probe.cycle);
  set("pageWalkCycles", core.pageWalkCycles,
      (probe.page - probe.line) / probe.cycle);
  set("lineMissCycles", core.lineMissCycles, probe.line / probe.cycle);
  set("l2BytesPerCycle", core.l2BytesPerCycle,
      measureReadBandwidth(l2 / 2, /*seconds=*/0.1) * probe.cycle);
  // The share of a shared cache that one core can use is unknown. Four times
  // the size of the level below is larger than that level and seldom exceeds
  // the share.
  if (machine.l3Bytes > 8 * l2)
    set("l3Bandwidth", core.l3Bandwidth,
        measureReadBandwidth(4 * l2, /*seconds=*/0.1));
  measureInstructionCosts(core, probe.cycle, set);
  machine.notes.push_back("measured on one core: " + measured +
                          "; the other numbers of 'core' are defaults");
}

/// Describes this CPU without the features of `without`.
static llvm::Expected<Machine> describeRestricted() {
  if (target != "cpu" || cudaDevice.getNumOccurrences() || measure)
    return llvm::createStringError(
        "option '--without' needs the target 'cpu' and no '--measure'");
  HostCpuSources sources;
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  for (const std::string &feature : without) {
    if (!host.lookup(feature))
      return llvm::createStringError("--without: this CPU has no feature '" +
                                     feature + "'");
    sources.without.push_back(feature);
  }
  return queryHostCpu(sources);
}

/// Replaces formulas and assumptions by measurements of one core of the host.
static void measureHost(Machine &machine) {
  llvm::erase_if(machine.notes, [](const std::string &note) {
    return llvm::StringRef(note).starts_with("peakFlops:") ||
           llvm::StringRef(note).starts_with("clockMHz:") ||
           llvm::StringRef(note).starts_with("core:") ||
           llvm::StringRef(note).starts_with("memoryBandwidth:");
  });
  measureCore(machine);
  machine.peakFlops = measureFmaPeak(/*seconds=*/0.1);
  machine.notes.push_back(std::string("peakFlops: measured on one core with ") +
                          fmaPeakVariant());
  // Far larger than the share of a last-level cache that one core can use.
  int64_t bytes = std::min(std::max(4 * machine.l3Bytes, int64_t(64) << 20),
                           std::max<int64_t>(1, machine.memoryBytes / 4));
  if (double rate = measureReadBandwidth(bytes, /*seconds=*/0.2)) {
    machine.memoryBandwidth = rate;
    machine.notes.push_back("memoryBandwidth: measured on one core, reading");
  }
}

static void printList(llvm::raw_ostream &os) {
  os << "cpu (this host)\n";
  for (const std::string &name : knownMachineNames()) {
    os << name;
    if (llvm::Expected<Machine> machine = knownMachine(name))
      os << " (" << machine->arch << ")";
    else
      llvm::consumeError(machine.takeError());
    os << '\n';
  }
  for (const KnownArchitecture &known : knownArchitectures())
    os << nvidiaName(known.arch) << " = " << known.machine << '\n';
}

int main(int argc, char **argv) {
  pruner::prepareProgram();
  llvm::InitLLVM init(argc, argv);
  llvm::cl::HideUnrelatedOptions(category);
  parseCommandLine(argc, argv, "Print Pruner's description of a device\n");
  if (list) {
    printList(llvm::outs());
    return pruner::finishStdout("pruner-machine");
  }
  llvm::Expected<Machine> machine = !without.empty() ? describeRestricted()
                                    : cudaDevice.getNumOccurrences()
                                        ? describeCudaDevice(cudaDevice)
                                        : parseTarget(target);
  if (!machine) {
    llvm::WithColor::error(llvm::errs(), "pruner-machine")
        << llvm::toString(machine.takeError()) << '\n';
    return 1;
  }
  if (measure) {
    if (!machine->isCpu() || llvm::StringRef(target).starts_with("file:"))
      return failUsage("pruner-machine",
                       "option '--measure' needs the target 'cpu', but got '" +
                           (cudaDevice.getNumOccurrences()
                                ? machine->name
                                : target.getValue()) +
                           "'");
    measureHost(*machine);
  }
  if (!output.empty()) {
    if (llvm::Error error = writeMachine(*machine, output)) {
      llvm::WithColor::error(llvm::errs(), "pruner-machine")
          << "'" << output << "': " << llvm::toString(std::move(error)) << '\n';
      return 1;
    }
  } else if (onlyKey) {
    llvm::outs() << machine->key() << '\n';
  } else if (asJson) {
    printMachineJson(*machine, llvm::outs());
  } else {
    printMachine(*machine, llvm::outs());
  }
  return pruner::finishStdout("pruner-machine");
}
