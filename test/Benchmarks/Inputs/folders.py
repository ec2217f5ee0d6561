"""Looks for folders of one machine in results.

    folders.py <file or directory>...

A reader of a result cannot use such a path, which the command of a result may have.
"""

import gzip
import pathlib
import re
import sys

FOLDERS = re.compile(r"(?<![\w.])/(?:home|media|mnt|root|scratch|tmp|var|work)/[^\s\"',]*")


def texts(paths):
    for path in map(pathlib.Path, paths):
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix in (".json", ".jsonl", ".md"):
                yield file, file.read_text()
            elif file.suffix == ".gz":
                yield file, gzip.decompress(file.read_bytes()).decode()


def main():
    files, errors = 0, 0
    for file, text in texts(sys.argv[1:]):
        files += 1
        for found in FOLDERS.findall(text):
            errors += 1
            print(f"{file}: '{found}' is a folder of one machine")
    print(f"{files} files, {errors} folders")
    return bool(errors or not files)


sys.exit(main())
