#===- convert_trees.py - conversion of older tree files -------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts weights in XGBoost's own format to weights with plain arrays.

    python -m pruner_tools.convert_trees [--terms=VERSION:FINGERPRINT] OLD.safetensors NEW.safetensors

Older files hold one tensor 'trees' in XGBoost's format (Universal Binary JSON). The
trees are converted node for node, so predictions do not change;
pruner/CostModel/BoostedTrees.h describes the arrays. The version of the terms is
copied: weights of other terms are still rejected and must be trained again. Use
`--terms` for weights that were trained on these terms (kProgramTermsVersion and
kProgramTermsFingerprint of pruner/CostModel/TermsVersion.h) but do not say so.

Runs with Python 3.8 and the standard library alone.
"""

import argparse
import json
import struct
import sys

from pruner_tools.results import write_whole

_NUMBERS = {"i": ">b", "U": ">B", "I": ">h", "l": ">i", "L": ">q", "d": ">f", "D": ">d"}
_MOST_NESTED = 32


class Unsound(ValueError):
    """A file has an unexpected format."""


class _Reader:
    """A reader for Universal Binary JSON. Covers only what XGBoost writes."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        if size < 0 or self.at + size > len(self.data):
            raise Unsound("unexpected end of the trees")
        self.at += size
        return self.data[self.at - size:self.at]

    def accept(self, mark):
        found = self.data[self.at:self.at + 1] == mark
        self.at += found
        return found

    def number(self, kind):
        if kind not in _NUMBERS:
            raise Unsound(f"unknown mark {kind!r} in the trees")
        form = _NUMBERS[kind]
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def length(self):
        return int(self.number(self.take(1).decode("latin-1")))

    def text(self):
        return self.take(self.length()).decode("latin-1")

    def value(self, depth=0):
        if depth > _MOST_NESTED:
            raise Unsound("the trees are nested too deeply")
        kind = self.take(1).decode("latin-1")
        if kind == "{":
            members = {}
            while not self.accept(b"}"):
                name = self.text()
                members[name] = self.value(depth + 1)
            return members
        if kind == "[":
            return self.array(depth)
        if kind == "S":
            return self.text()
        if kind == "C":
            return self.take(1).decode("latin-1")
        if kind in "ZTF":
            return {"Z": None, "T": True, "F": False}[kind]
        return self.number(kind)

    def array(self, depth):
        if self.accept(b"$"):
            kind = self.take(1).decode("latin-1")
            if not self.accept(b"#") or kind not in _NUMBERS:
                raise Unsound("an array of the trees has no length")
            count, form = self.length(), _NUMBERS[kind]
            bytes_ = self.take(count * struct.calcsize(form))
            return list(struct.unpack(f">{count}{form[1]}", bytes_))
        if self.accept(b"#"):
            return [self.value(depth + 1) for _ in range(self.length())]
        elements = []
        while not self.accept(b"]"):
            elements.append(self.value(depth + 1))
        return elements


def read_safetensors(data):
    """Return the header without metadata, the metadata, and the bytes after them."""
    if len(data) < 8:
        raise Unsound("not a safetensors file")
    length = struct.unpack("<Q", data[:8])[0]
    if length > len(data) - 8:
        raise Unsound("not a safetensors file")
    try:
        header = json.loads(data[8:8 + length])
    except RecursionError:
        raise Unsound("the header is nested too deep") from None
    metadata = header.pop("__metadata__", {}) if isinstance(header, dict) else None
    if not isinstance(metadata, dict) or not all(
            isinstance(value, str) for value in metadata.values()):
        raise Unsound("the header is not as expected")
    return header, metadata, data[8 + length:]


def arrays_of(model):
    """Return the arrays of BoostedTrees.h for a model of XGBoost."""
    learner = model["learner"]
    arrays = {name: [] for name in ("feature", "value", "left", "right", "missing")}
    offsets = [0]
    for tree in learner["gradient_booster"]["model"]["trees"]:
        left, right = tree["left_children"], tree["right_children"]
        if any(tree.get("split_type", [])):
            raise Unsound("categorical splits are not supported")
        order = [0]
        for node in order:
            leaf = left[node] < 0
            child = offsets[-1] + len(order)
            arrays["feature"].append(-1 if leaf else tree["split_indices"][node])
            arrays["value"].append(tree["split_conditions"][node])
            arrays["missing"].append(int(not leaf and tree["default_left"][node] != 0))
            arrays["left"].append(-1 if leaf else child)
            arrays["right"].append(-1 if leaf else child + 1)
            if not leaf:
                order += [left[node], right[node]]
            if len(order) > len(left):
                raise Unsound("the nodes do not form a tree")
        offsets.append(len(arrays["feature"]))
    parameters = learner["learner_model_param"]
    return [("columns", "I32", [int(parameters["num_feature"])]),
            ("base", "F32", [float(parameters["base_score"].strip("[]"))]),
            ("offsets", "I32", offsets),
            ("feature", "I32", arrays["feature"]),
            ("value", "F32", arrays["value"]),
            ("left", "I32", arrays["left"]),
            ("right", "I32", arrays["right"]),
            ("missing", "U8", arrays["missing"])]


def format_safetensors(tensors, metadata):
    """Return the bytes of a file in the layout that Pruner writes."""
    header, data = {"__metadata__": dict(sorted(metadata.items()))}, b""
    for name, kind, elements in tensors:
        form = {"I32": "i", "F32": "f", "U8": "B"}[kind]
        packed = struct.pack(f"<{len(elements)}{form}", *elements)
        header[name] = {"dtype": kind, "shape": [len(elements)],
                        "data_offsets": [len(data), len(data) + len(packed)]}
        data += packed
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def convert(data, terms=None):
    header, metadata, rest = read_safetensors(data)
    if terms:
        metadata["terms"], _, metadata["terms.fingerprint"] = terms.partition(":")
    if metadata.get("model") != "xgboost" or list(header) != ["trees"]:
        raise Unsound("expected weights of 'xgboost' with one tensor, 'trees'")
    try:
        begin, end = header["trees"]["data_offsets"]
        tensors = arrays_of(_Reader(rest[begin:end]).value())
        return format_safetensors(tensors, metadata)
    except (KeyError, IndexError, TypeError, AttributeError, OverflowError,
            struct.error) as error:
        raise Unsound(f"XGBoost's model is not as expected: {error}") from None


def main():
    parser = argparse.ArgumentParser(prog="pruner_tools.convert_trees",
                                     description=__doc__.split("\n", 1)[0])
    parser.add_argument("--terms", metavar="VERSION:FINGERPRINT")
    parser.add_argument("old")
    parser.add_argument("new")
    options = parser.parse_args()
    try:
        with open(options.old, "rb") as file:
            write_whole(options.new, convert(file.read(), options.terms))
    except (OSError, ValueError) as error:
        sys.exit(f"error: {options.old}: {error}")


if __name__ == "__main__":
    main()
