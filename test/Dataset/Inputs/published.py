"""Converts weights of PaCM to the published format: scales of features as maxima, and
nothing else about the features.

  published.py OURS THEIRS
"""

import json
import struct
import sys

with open(sys.argv[1], "rb") as file:
    (size,) = struct.unpack("<Q", file.read(8))
    header, data = json.loads(file.read(size)), file.read()
made, body = {}, b""
for name, entry in header.items():
    if name == "__metadata__" or name.endswith("_feature_mean") or "sample" in name:
        continue
    begin, end = entry["data_offsets"]
    made[name.replace("_feature_scale", "_feature_max")] = {
        **entry, "data_offsets": [len(body), len(body) + end - begin]}
    body += data[begin:end]
text = json.dumps(made).encode()
with open(sys.argv[2], "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + body)
