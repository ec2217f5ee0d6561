"""Gives a machine (stdin, JSON) the vectors of AVX-512, whichever CPU it is."""
import json
import sys

machine = json.load(sys.stdin)
machine.update(lanes=16, vectorBytes=64, vectorRegisters=32, registersPerThread=512,
               maxRegistersPerThread=512, registersPerUnit=512)
print(json.dumps(machine))
