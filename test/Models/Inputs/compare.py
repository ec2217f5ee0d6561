"""Compares the output of a driver with PyTorch's results.

usage: compare.py BASE PRINTED RELATIVE

Every element may differ by RELATIVE times the largest magnitude of its result. Prints
the largest difference of each result, and exits with 1 if one is larger than that, is
NaN, or if a shape differs.
"""
import json
import re
import struct
import sys

from safetensors_file import read


def printed(path, dtypes):
    """Return (sizes, values) of each memref in `path`; the integers are bits."""
    with open(path) as file:
        parts = file.read().split("Unranked Memref")[1:]
    for part, dtype in zip(parts, dtypes):
        head, _, data = part.partition("data =")
        sizes = [int(n) for n in re.findall(r"\d+", re.search(r"sizes = \[(.*?)\]", head)[1])]
        whole, real = {"f32": ("<i", "<f"), "f64": ("<q", "<d")}[dtype]
        bits = [int(n) for n in re.findall(r"-?\d+", data)]
        yield sizes, [struct.unpack(real, struct.pack(whole, b))[0] for b in bits]


def main(base, path, relative):
    with open(base + ".args.json") as file:
        results = json.load(file)["results"]
    wanted = read(base + ".reference.safetensors")
    found = list(printed(path, [r["dtype"] for r in results]))
    assert len(found) == len(results), f"{len(found)} results of {len(results)}"
    failed = False
    for result, (sizes, values) in zip(results, found):
        want = wanted["results/" + result["name"]].floats()
        assert sizes == result["shape"], f"{sizes} for {result['shape']}"
        assert len(values) == len(want), f"{len(values)} elements of {len(want)}"
        largest = max(map(abs, want))
        differences = [abs(a - b) for a, b in zip(values, want)]
        # NaN violates any bound; max() would lose it.
        good = all(d <= relative * largest for d in differences)
        print(f"{result['name']}: largest {largest:.3g}, off by {max(differences):.3g}")
        failed |= not good
    return int(failed)


sys.exit(main(sys.argv[1], sys.argv[2], float(sys.argv[3])))
