#===- datasets.py - reader for datasets -----------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads datasets; docs/guides/TrainingModels.md describes the format."""

import gzip
import json
import re

FAMILIES = (("depthwise", "depthwise"), ("conv", "convolutions"), ("pool", "pooling"),
            ("reduce", "sums"), ("matmul", "products"), ("batch_matmul", "products"),
            ("matvec", "products"), ("contract", "products"))


def family_of(kind):
    """Return the family of a kind of operation, by which tables group kinds: "products"
    for "batch_matmul"."""
    return next((family for prefix, family in FAMILIES if kind.startswith(prefix)),
                re.match(r"[a-z]+", kind).group())


def parts(path):
    """The parts of a dataset in order: the line that begins each, and its records as
    pairs of a task's line and a record's. Raises OSError and ValueError."""
    begin, tasks, records = None, {}, []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                fields = json.loads(line)
                if not isinstance(fields, dict):
                    raise TypeError("it is not an object")
                if "dataset" in fields:
                    if begin:
                        yield begin, records
                    begin, tasks, records = fields, {}, []
                elif "task" in fields:
                    tasks[fields["task"]] = fields
                else:
                    records.append((tasks[fields["record"]], fields))
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise ValueError(f"{path}:{number} is not a line of a dataset: {error}") from None
    if begin:
        yield begin, records
