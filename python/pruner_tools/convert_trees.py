#===- convert_trees.py - boosted trees of older files as arrays ------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Weights that hold XGBoost's own bytes become weights of plain arrays.

    python -m pruner_tools.convert_trees [--terms=VERSION:FINGERPRINT] OLD.safetensors NEW.safetensors

Files once held one tensor 'trees' with what XGBoost wrote (Universal Binary JSON).
The trees come out node for node, so they predict the same; pruner/CostModel/
BoostedTrees.h describes the arrays. What the file says of its terms stays: weights of
other terms are still refused, and have to be trained again. `--terms` is for weights
that are known to be of these terms (kProgramTermsVersion and kProgramTermsFingerprint
of pruner/CostModel/Features.h), as those that ship were.

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
    """A file is not what it should be."""


class _Reader:
    """Universal Binary JSON, as far as XGBoost writes it."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, size):
        if size < 0 or self.at + size > len(self.data):
            raise Unsound("the trees end too early")
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
            raise Unsound("the trees are nested too deep")
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
    """The header without metadata, the metadata, and the bytes behind them."""
    if len(data) < 8:
        raise Unsound("not a safetensors file")
    length = struct.unpack("<Q", data[:8])[0]
    if length > len(data) - 8:
        raise Unsound("not a safetensors file")
    header = json.loads(data[8:8 + length])
    return header, header.pop("__metadata__", {}), data[8 + length:]


def arrays_of(model):
    """The arrays of BoostedTrees.h, of XGBoost's model."""
    learner = model["learner"]
    arrays = {name: [] for name in ("feature", "value", "left", "right", "missing")}
    offsets = [0]
    for tree in learner["gradient_booster"]["model"]["trees"]:
        left, right = tree["left_children"], tree["right_children"]
        if any(tree.get("split_type", [])):
            raise Unsound("splits by categories are not known here")
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
                raise Unsound("a tree is none")
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
    """The bytes of a file, as Pruner itself writes them."""
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
    begin, end = header["trees"]["data_offsets"]
    try:
        tensors = arrays_of(_Reader(rest[begin:end]).value())
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise Unsound(f"XGBoost's model is not as expected: {error}") from None
    return format_safetensors(tensors, metadata)


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
