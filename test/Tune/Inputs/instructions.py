"""Compares the instructions of the recorded candidates with those of this CPU."""
import json
import re
import subprocess
import sys

flags = set(open("/proc/cpuinfo").read().split("flags", 1)[1].split("\n", 1)[0].split())
records = subprocess.run(["pruner", "db", "export", sys.argv[1]], check=True, text=True,
                         stdout=subprocess.PIPE).stdout
used = set(re.findall(r"instruction = (\w+)", records))
wanted = set()
if {"avx512_vnni"} <= flags:
    wanted |= {"vpdpbusd", "vpdpwssd"}
if {"avx512_bf16"} <= flags:
    wanted |= {"vdpbf16ps"}
if {"amx_int8", "amx_tile"} <= flags:
    wanted |= {"tdpbssd"}
if {"amx_bf16", "amx_tile"} <= flags:
    wanted |= {"tdpbf16ps"}
if not wanted <= used:
    sys.exit("expected candidates with %s, got %s" % (sorted(wanted), sorted(used)))
for line in records.splitlines():
    record = json.loads(line)["pruner"]
    if record["kind"] == "record" and record["status"] != "ok":
        sys.exit("%s: %s" % (record["status"], record["reason"]))
