"""Gives a machine (stdin, JSON) AVX-512 vectors, whatever its CPU is."""
import json
import sys

machine = json.load(sys.stdin)
machine.update(lanes=16, vectorBytes=64, vectorRegisters=32, registersPerThread=512,
               maxRegistersPerThread=512, registersPerUnit=512)
print(json.dumps(machine))
