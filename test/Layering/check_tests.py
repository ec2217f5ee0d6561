#!/usr/bin/env python3
"""Fails if a test is not in the expected file, or is skipped without a reason.

* A pass pruner-x of a component's TableGen is tested in test/<component>/x.mlir (or
  x.test), one of another name under its full name, by its own flag.
* Input that must be rejected is in <name>-errors.mlir, where the name begins with
  that of a pass, a pipeline, an operation or an attribute; input that a tool must
  reject is in errors.test.
* A source file of a component without passes has a test of its name (FooBarTest.cpp,
  foo-bar.mlir or foo-bar.test of the component), or test/Layering/tested-by.json names
  one: for each component, the tests below test/ with the source files that they cover;
  "none" are those that no test covers.
* No two files or directories of the sources differ in case only: some systems would
  merge them.
* Features that tests require are those that test/lit.cfg.py describes, and unit
  tests say why they skip.

    check_tests.py [source tree]
"""
import ast
import fnmatch
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(
    sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
)
DIALECT_NAME = re.compile(
    r':\s*\w+_(?:Program)?Op<"(\w+)"|mnemonic = "(\w+)"|return "\w+\.(\w+)";')
COMMAND = re.compile(r"\b(?:RUN|(?:RE)?DEFINE):(.*)")


def read_all(base, pattern):
    for file in sorted((ROOT / base).rglob(pattern)):
        name = file.relative_to(ROOT)
        if "Inputs" not in name.parts and "Parsers" not in name.parts:
            yield file, name.as_posix(), file.read_text()


def short(flag):
    return flag.removeprefix("pruner-")


def kebab(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "-", name).lower()


def component_of(file):
    """The directory of lib/ that builds a source file."""
    directory = file.parent
    while not (directory / "CMakeLists.txt").exists() and directory.parent != ROOT / "lib":
        directory = directory.parent
    return directory.relative_to(ROOT / "lib").as_posix()


def check_sources(passes):
    """Each source file of a component without passes has a test."""
    page = "test/Layering/tested-by.json"
    listed = json.loads((ROOT / page).read_text())
    for component, tests in listed.items():
        for test in tests:
            if test != "none" and not (ROOT / "test" / test).exists():
                yield f"{page}: {component}: there is no test {test}"
    used = set()
    for file in sorted((ROOT / "lib").rglob("*.cpp")):
        component = component_of(file)
        if any(component == known.removeprefix("test/") for _, known in passes) or \
                any((ROOT / "include/pruner" / component).glob("Passes.td")):
            continue
        stem = file.relative_to(ROOT / "lib" / component).with_suffix("").as_posix()
        named = (ROOT / "test" / name for name in (
            f"unit/{component}/{file.stem}Test.cpp", f"{component}/{kebab(file.stem)}.mlir",
            f"{component}/{kebab(file.stem)}.test"))
        found = {(component, pattern) for patterns in listed.get(component, {}).values()
                 for pattern in patterns if fnmatch.fnmatch(stem, pattern)}
        used |= found
        name = file.relative_to(ROOT).as_posix()
        if any(test.exists() for test in named):
            if any("*" not in pattern for _, pattern in found):
                yield f"{page}: lists {name}, which has a test of its name"
        elif not found:
            yield f"{name}: has no test of its name, and {page} lists none"
    for component, tests in listed.items():
        for pattern in (pattern for patterns in tests.values() for pattern in patterns):
            if (component, pattern) not in used:
                yield f"{page}: {component}: there is no source file {pattern}"


def find_passes():
    """The flags of all passes with the directories of their tests."""
    for file, _, text in read_all("include", "*.td"):
        component = file.parent.relative_to(ROOT / "include/pruner").as_posix()
        for flag in re.findall(r':\s*Pass<\s*"([^"]+)"', text):
            yield flag, "test/" + component.removesuffix("/Transforms")


def names_of_errors(passes):
    """What the name of a test of errors may begin with."""
    names = {short(flag) for flag, _ in passes}
    for _, _, text in read_all("lib", "*.cpp"):
        names |= {short(flag) for flag in
                  re.findall(r'PassPipelineRegistration<\w*>\(\s*"([^"]+)"', text)}
    for _, _, text in read_all("include", "*.td"):
        for found in DIALECT_NAME.findall(text):
            names |= set(filter(None, found))
    return names


def check_pass(flag, component):
    tests = [f"{component}/{short(flag)}.{suffix}" for suffix in ("mlir", "test")]
    found = [test for test in tests if (ROOT / test).exists()]
    if not found:
        return f"{tests[0]}: is missing, the test of {flag}"
    commands = COMMAND.findall((ROOT / found[0]).read_text())
    if not any(re.search(rf"(?<!\w)(?<!\w-){flag}(?![\w-])", command) for command in commands):
        return f"{found[0]}: runs no {flag}"
    return None


def check_name(test, text, names):
    """Where errors stand."""
    name = pathlib.PurePath(test).name
    if not name.endswith(".mlir"):
        return (f"{test}: errors of a tool belong in errors.test"
                if "error" in name and name != "errors.test" else None)
    if not name.endswith("-errors.mlir"):
        return (f"{test}: has errors, which belong in <name>-errors.mlir"
                if "expected-error" in text or "error" in name else None)
    stem = name.removesuffix("-errors.mlir")
    if not any(stem == known or stem.startswith(known + "-") for known in names):
        return (f"{test}: does not begin with the name of a pass, pipeline, operation or "
                "attribute")
    if not re.search(r"expected-(error|warning)|RUN: not ", text):
        return f"{test}: expects no error"
    return None


def check_case():
    """Names that are one on a system that ignores case."""
    for base in ("docs", "include", "lib", "python", "test", "tools"):
        known = {}
        for file in sorted((ROOT / base).rglob("*")):
            name = file.relative_to(ROOT).as_posix()
            other = known.setdefault(name.lower(), name)
            if other != name:
                yield f"{name}: differs from {other} in case only"


def described_features():
    config = ROOT / "test/lit.cfg.py"
    if config.exists():
        for node in ast.parse(config.read_text()).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", None) == "FEATURES":
                return set(ast.literal_eval(node.value))
    return set()


def check_skips(test, text, features):
    for required in re.findall(r"\bREQUIRES:(.*)", text):
        for feature in re.findall(r"[\w-]+", required):
            if feature not in features:
                yield f"{test}: requires '{feature}', which test/lit.cfg.py does not describe"
    for n, line in enumerate(text.splitlines(), 1):
        if re.search(r"GTEST_SKIP\(\)\s*;", line):
            yield f"{test}:{n}: is skipped without a reason"


def main():
    passes = sorted(find_passes())
    names, features = names_of_errors(passes), described_features()
    errors = [check_pass(*entry) for entry in passes]
    errors += check_sources(passes)
    errors += check_case()
    tests = 0
    for pattern in ("*.mlir", "*.test", "*.cpp"):
        for _, test, text in read_all("test", pattern):
            tests += 1
            if pattern != "*.cpp":
                errors.append(check_name(test, text, names))
            errors += check_skips(test, text, features)
    errors = [error for error in errors if error]
    for error in errors:
        print(error, file=sys.stderr)
    print(f"tests: {len(passes)} passes, {tests} files, {len(errors)} violations")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
