"""Fails unless two printed tensors are equal but for the order of their sums:
each pair within a tolerance of the largest magnitude.

  close.py TOLERANCE A B
"""

import re
import sys


def numbers(path):
    text = open(path).read()
    return [float(x) for x in re.findall(r"-?(?:\d[\d.]*(?:e[-+]?\d+)?|nan|inf)",
                                         text[text.index("data ="):])]


tolerance, a, b = float(sys.argv[1]), numbers(sys.argv[2]), numbers(sys.argv[3])
largest = max(map(abs, a))
if len(a) != len(b) or len(set(a)) < 10 or not 0 < largest < 1e30:
    sys.exit(f"nothing to compare: {len(a)} and {len(b)} numbers, {len(set(a))} "
             f"different ones, the largest {largest}")
error = max(abs(x - y) for x, y in zip(a, b)) / largest
print(f"{len(a)} numbers, largest {largest}, error {error:.2e}")
if not error <= tolerance:
    sys.exit("they differ")
