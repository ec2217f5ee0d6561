#!/usr/bin/env python3
"""check_tests.py must report violations: small trees with one fault each."""
import unittest

from checked_tree import CheckedTree

PASS = 'def Fuse : Pass<"pruner-fuse-loops", "mlir::ModuleOp"> {\n}\n'
SPREAD = 'def Spread\n    : Pass<"convert-a-to-b"> {\n}\n'
# A tree in which everything stands where it belongs.
TREE = {
    "include/pruner/Conversion/Loops/Passes.td": PASS,
    "include/pruner/Dialect/Pruner/Transforms/Passes.td": SPREAD,
    "include/pruner/Dialect/Pruner/IR/Ops.td":
        'def BandOp : Pruner_Op<"band", [Pure]> {\n',
    "include/pruner/Dialect/Pruner/IR/Dialect.td":
        'let mnemonic = "schedule";\nreturn "pruner.task";\n',
    "lib/Pipelines/Pipelines.cpp":
        'PassPipelineRegistration<Options>(\n      "pruner-to-llvm", "...");\n',
    "lib/Support/CpuList.cpp": "",
    "test/unit/Support/CpuListTest.cpp": "",
    "test/Pipelines/lower.mlir": "",
    "test/Layering/tested-by.json": '{"Pipelines": {"Pipelines/lower.mlir": ["Pipelines"]}}',
    "test/Conversion/Loops/fuse-loops.mlir":
        "// RUN: pruner-opt %s --pruner-fuse-loops=size=3 | FileCheck %s\n",
    "test/Dialect/Pruner/convert-a-to-b.test":
        "DEFINE: %{run} = pruner-opt -pass-pipeline='builtin.module(convert-a-to-b)'\n",
    "test/lit.cfg.py": 'import os\nos.x = 1\nFEATURES = {"full": "all"}\n',
}
ERROR = "// RUN: pruner-opt %s -verify-diagnostics\n// expected-error @below {{no}}\n"


class CheckTestsTest(CheckedTree):
    def check(self, changes, errors):
        """Runs check_tests.py on TREE with other files, or without those that
        are None, and compares its lines on stderr."""
        tree = {name: text for name, text in (TREE | changes).items() if text is not None}
        self.assertRegex(
            self.run_check("check_tests.py", tree, errors),
            rf"^tests: 2 passes, \d+ files, {len(errors)} violations\n$")

    def test_what_is_in_order(self):
        self.check({}, [])

    def test_pass_without_a_test(self):
        self.check({"test/Conversion/Loops/fuse-loops.mlir": None},
                   ["test/Conversion/Loops/fuse-loops.mlir: is missing, the test of "
                    "pruner-fuse-loops"])

    def test_test_in_another_room(self):
        self.check({"test/Dialect/Pruner/convert-a-to-b.test": None,
                    "test/Dialect/convert-a-to-b.test": "RUN: pruner-opt --convert-a-to-b\n"},
                   ["test/Dialect/Pruner/convert-a-to-b.mlir: is missing, the test of "
                    "convert-a-to-b"])

    def test_test_of_another_pass(self):
        for command in ("--pruner-fuse-loops-more", "--x-pruner-fuse-loops", "--fuse-loops"):
            self.check({"test/Conversion/Loops/fuse-loops.mlir": f"// RUN: pruner-opt {command}\n"
                                                                 "// CHECK: --pruner-fuse-loops\n"},
                       ["test/Conversion/Loops/fuse-loops.mlir: runs no pruner-fuse-loops"])

    def test_source_files(self):
        page = "test/Layering/tested-by.json"
        self.check({"lib/Support/Knob/New.cpp": ""},
                   [f"lib/Support/Knob/New.cpp: has no test of its name, and {page} lists none"])
        self.check({"lib/Conversion/Loops/CMakeLists.txt": "", "lib/Conversion/Loops/A.cpp": ""}, [])
        self.check({"test/Pipelines/lower.mlir": None},
                   [f"{page}: Pipelines: there is no test Pipelines/lower.mlir"])
        self.check({"lib/Pipelines/Pipelines.cpp": None},
                   [f"{page}: Pipelines: there is no source file Pipelines"])
        self.check({page: '{"Pipelines": {"none": ["*"]}, "Support": {"none": ["CpuList"]}}'},
                   [f"{page}: lists lib/Support/CpuList.cpp, which has a test of its name"])
        for stem in ("Knob/New", "Knob/*"):
            self.check({"lib/Support/Knob/New.cpp": "",
                        page: '{"Pipelines": {"none": ["Pipelines"]}, "Support": '
                              '{"Pipelines/lower.mlir": ["%s"]}}' % stem}, [])

    def test_case(self):
        self.check({"test/Conversion/loops/a.mlir": ""},
                   ["test/Conversion/loops: differs from test/Conversion/Loops in case only"])

    def test_names_of_errors(self):
        for name in ("fuse-loops", "fuse-loops-large", "to-llvm", "band", "schedule-attr", "task"):
            self.check({f"test/Any/{name}-errors.mlir": ERROR}, [])

    def test_error_test_of_nothing(self):
        for name in ("loops", "errors", "bands", "invalid"):
            self.check({f"test/Any/{name}-errors.mlir": ERROR},
                       [f"test/Any/{name}-errors.mlir: does not begin with the name of a pass, "
                        "pipeline, operation or attribute"])

    def test_errors_elsewhere(self):
        for name in ("errors", "invalid", "fuse-loops-illegal", "fuse-loops-error"):
            self.check({f"test/Any/{name}.mlir": ERROR},
                       [f"test/Any/{name}.mlir: has errors, which belong in <name>-errors.mlir"])

    def test_error_test_without_errors(self):
        self.check({"test/Any/band-errors.mlir": "// RUN: pruner-opt %s\n"},
                   ["test/Any/band-errors.mlir: expects no error"])

    def test_errors_on_the_command_line(self):
        self.check({"test/Any/band-errors.mlir": "// RUN: not pruner-opt %s\n"}, [])

    def test_errors_of_tools(self):
        self.check({"test/Any/errors.test": "RUN: not tool\n"}, [])
        self.check({"test/Any/tool-errors.test": "RUN: not tool\n"},
                   ["test/Any/tool-errors.test: errors of a tool belong in errors.test"])

    def test_inputs_and_seeds_are_no_tests(self):
        self.check({"test/Any/Inputs/invalid.mlir": ERROR,
                    "test/Fuzzing/Parsers/seeds/invalid.mlir": ERROR}, [])

    def test_features(self):
        self.check({"test/Any/a.test": "REQUIRES: full\n"}, [])
        self.check({"test/Any/a.test": "REQUIRES: full, gpu-kit\n"},
                   ["test/Any/a.test: requires 'gpu-kit', which test/lit.cfg.py does not "
                    "describe"])

    def test_skips_with_a_reason(self):
        self.check({"test/unit/A/ATest.cpp": 'GTEST_SKIP() << "no device";\n'}, [])
        self.check({"test/unit/A/ATest.cpp": "\n  GTEST_SKIP();\n"},
                   ["test/unit/A/ATest.cpp:2: is skipped without a reason"])


if __name__ == "__main__":
    unittest.main()
