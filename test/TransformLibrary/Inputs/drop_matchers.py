"""drop_matchers.py <specification> <output>: drops all matchers but the second."""

import pathlib
import sys

from pruner_tools.tune_iree import entries, with_entries

text = pathlib.Path(sys.argv[1]).read_text()
names = entries(text)
kept = with_entries(text, {names[1]})
assert with_entries(text, set(names)) == text and with_entries(text, set()) is None
pathlib.Path(sys.argv[2]).write_text(kept)
print(f"{len(names)} matchers, {len(entries(kept))} kept")
