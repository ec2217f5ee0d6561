"""Machine code of the kernels of `calibrate`: calibration_sass.py <tools/gpu-kit> [arch...].

`ptxas` and `nvdisasm` must be on the PATH. Architectures that they do not know are
skipped."""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

sys.path[:0] = [sys.argv[1], os.path.join(sys.argv[1], "..", "..", "python")]

from gpukit import probes

LONGEST = 5000  # Instructions of a body; longer ones take seconds each to assemble.
OVERHEAD = 60  # Instructions of a loop in addition to the counted ones.


def instructions_of(listing):
    """Return (instructions, {label: index})."""
    found, labels = [], {}
    for line in listing.splitlines():
        label = re.match(r"\s*(\.L_x_\w+):", line)
        code = re.match(r"\s*/\*[0-9a-f]+\*/\s+\{?\s*(.*?);", line)
        if label:
            labels[label.group(1)] = len(found)
        elif code:
            found.append(re.sub(r"^@!?U?P\w+\s+", "", code.group(1)))
    return found, labels


def loop_of(listing):
    """Return the instructions of the longest loop."""
    found, labels = instructions_of(listing)
    longest = []
    for n, text in enumerate(found):
        branch = re.match(r"BRA\b.*`\((\.L_x_\w+)\)", text)
        first = labels.get(branch.group(1), n) if branch else n
        if first < n and n + 1 - first > len(longest):
            longest = found[first:n + 1]
    return longest


def faults(kernel, number, work):
    """Assemble and disassemble a kernel. Return what differs from its expectations."""
    source, binary = os.path.join(work, "probe.ptx"), os.path.join(work, "probe.cubin")
    with open(source, "w") as file:
        file.write(kernel.text)
    done = subprocess.run(["ptxas", "-arch=sm_%d" % number, source, "-o", binary],
                          capture_output=True, text=True)
    if done.returncode:
        return [done.stderr.strip()]
    done = subprocess.run(["nvdisasm", "-c", binary], capture_output=True, text=True)
    if done.returncode:
        return [done.stderr.strip()]
    loop = loop_of(done.stdout)
    found = []
    for pattern, wanted in kernel.expect.items():
        count = sum(1 for text in loop if re.match(pattern, text))
        if count != wanted:
            found.append("%d of %s, expected %d" % (count, pattern, wanted))
    if not any("LDL" in pattern for pattern in kernel.expect):
        found += ["spilled: " + text for text in loop if re.match("LDL|STL", text)]
    if kernel.expect and len(loop) > 2 * sum(kernel.expect.values()) + OVERHEAD:
        found.append("%d instructions in the loop" % len(loop))
    return found


def known(number):
    """Whether both tools have the architecture."""
    with tempfile.TemporaryDirectory() as work:
        return not faults(probes.Launches().kernels(number)["empty"], number, work)


def main():
    numbers = [int(n) for n in sys.argv[2:]]
    checked = failures = 0
    for number in numbers:
        if not known(number):
            print("sm_%d: not known to the tools" % number)
            continue
        jobs = [(probe.name, key, kernel) for probe in probes.PROBES
                for key, kernel in probe.kernels(number).items()
                if sum(kernel.expect.values()) <= LONGEST]

        def check(job):
            with tempfile.TemporaryDirectory() as work:
                return job, faults(job[2], number, work)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for (name, key, _), found in pool.map(check, jobs):
                checked += 1
                failures += bool(found)
                for fault in found:
                    print("sm_%d %s %s: %s" % (number, name, key, fault))
    print("%d kernels, %d wrong" % (checked, failures))
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
