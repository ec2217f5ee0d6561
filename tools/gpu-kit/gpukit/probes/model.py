"""The constants of the GPU model, as its code has them. The unit tests compare them with
the C++ sources."""

# name: (value, file under lib/Analysis).
CONSTANTS = {
    "kMemoryLatency": (500, "GpuModel/WarpWork.cpp"),
    "kSharedLatency": (25, "GpuModel/WarpWork.cpp"),
    "kFmaLatency": (4, "GpuModel/WarpWork.cpp"),
    "kDependent": (2, "GpuModel/WarpWork.cpp"),
    "kBarriers": (25, "GpuModel/WarpWork.cpp"),
    "kBarrierOfWarp": (4, "GpuModel/WarpWork.cpp"),
    "kSpillPasses": (4, "GpuModel/WarpWork.cpp"),
    "kFunction": (12, "GpuModel/WarpWork.cpp"),
    "kStorePasses": (2, "GpuModel/WarpWork.cpp"),
    "kInFlight": (8, "GpuModel/WarpWork.cpp"),
    "kScattered": (4, "GpuModel/Traffic.cpp"),
    "kProductLatency": (33, "GpuModel/MatrixWork.cpp"),
    "kIntegerLanes": (64, "GpuModel/Terms/Integers.cpp"),
    "kStartCycles": (160, "GpuModel/GpuModel.cpp"),
    "kKernelGap": (1e-6, "Psa.cpp"),
}
NORM = 4  # The order in SmCycles::total.


def value(name):
    return CONSTANTS[name][0]


def lanes(machine):
    """Floating-point lanes of an SM (Nest.cpp, multiplyAddLanes)."""
    return machine["peakFlops"] / (2e6 * machine["units"] * machine["clockMHz"])


def barriers(threads):
    """Cycles of both barriers of a step (WarpWork.cpp)."""
    return value("kBarriers") + value("kBarrierOfWarp") * -(-threads // 32)


def _repeated(addresses, bit):
    return all(n & bit or n + bit >= len(addresses) or a == addresses[n + bit]
               for n, a in enumerate(addresses))


def bank_passes(addresses, width, bytes_per_cycle=128, merges=False):
    """Passes of shared memory for an access of `width` bytes by each lane (Nest.cpp,
    bankPasses)."""
    banks = 1 << (int(min(max(bytes_per_cycle, 128), 256) / 4).bit_length() - 1)
    words = min(max(width // 4, 1), banks)
    slots = banks // words
    passes = first = 0
    while first < len(addresses):
        lanes = addresses[first:first + 2 * slots]
        if not merges or words == 1 or not (_repeated(lanes, 1) or _repeated(lanes, 2)):
            lanes = lanes[:slots]
        first += len(lanes)
        units = {a // (4 * words) for a in lanes}
        held = [sum(1 for u in units if u % slots == slot) for slot in range(slots)]
        passes += max(held)
    return passes * max(1, 128 / bytes_per_cycle)


def shared_passes(addresses, width, machine):
    """Passes of a load from shared memory (WarpWork.cpp, loadPasses)."""
    sm = machine["sm"]
    return max(machine["lanes"] / sm["loadStoreLanes"],
               bank_passes(addresses, width, sm["sharedBytesPerCycle"], merges=True))


def place_passes(addresses, width, machine):
    """Passes of a load in place of an update (WarpWork.cpp, loadPasses)."""
    return max(2, bank_passes(addresses, width, machine["sm"]["sharedBytesPerCycle"]))


def line_passes(addresses, width):
    """Passes of a load in place of a copy (WarpWork.cpp, copyWork)."""
    return max(width // 4, len({a // 128 for a in addresses}))
