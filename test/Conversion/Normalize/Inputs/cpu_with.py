"""Prints the machine on stdin as a CPU with 64-byte registers and only these features,
at a given cost of a dot product of bf16 in multiply-adds."""
import json
import sys

machine = json.load(sys.stdin)
machine["features"], cost = sys.argv[1], float(sys.argv[2])
machine.update(lanes=16, vectorBytes=64, vectorRegisters=32)
machine["core"].update(brainFloatDotCost=cost, tileCost=32)
print(json.dumps(machine))
