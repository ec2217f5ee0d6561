"""Prints the machine on stdin as a CPU with these rates of a core: multiplications and
additions in GFLOP/s, and the bandwidth of memory in GB/s. Its second cache has 2 MB."""
import json
import sys

machine = json.load(sys.stdin)
machine["peakFlops"], machine["memoryBandwidth"] = (float(rate) * 1e9 for rate in sys.argv[1:])
machine.update(clockMHz=2000, l2Bytes=1 << 21, l3Bytes=1 << 25)
machine["core"].update(l2BytesPerCycle=32, l3Bandwidth=0)
print(json.dumps(machine))
