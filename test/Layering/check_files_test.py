#!/usr/bin/env python3
"""check_files.py must refuse what breaks a rule: small trees with one fault each."""
import unittest

from checked_tree import CheckedTree

PASS = 'def TilePass : Pass<"pruner-tile"> {\n'


class FilesTest(CheckedTree):
    def check(self, files, errors):
        self.assertEqual(self.run_check("check_files.py", files, errors),
                         f"files: {len(errors)} violations\n")

    def test_a_unit_test_of_the_same_name(self):
        self.check({"lib/Measure/Pool.cpp": "", "test/unit/Measure/PoolTest.cpp": ""}, [])

    def test_a_named_test(self):
        self.check({"lib/Measure/Pool.cpp": "// Tested by: test/Measure/pool.test\n",
                    "test/Measure/pool.test": ""}, [])

    def test_no_test(self):
        self.check({"lib/Measure/Pool.cpp": ""},
                   ["lib/Measure/Pool.cpp: names no test; expected a line '// Tested by: "
                    "test/...'"])

    def test_a_test_that_does_not_exist(self):
        self.check({"lib/Measure/Pool.cpp": "// Tested by: test/Measure/pool.test\n"},
                   ["lib/Measure/Pool.cpp: is tested by 'test/Measure/pool.test', which does "
                    "not exist"])

    def test_components_with_passes_have_other_rules(self):
        self.check({"lib/Emulator/Run.cpp": "", "include/pruner/Emulator/Passes.td": PASS}, [])

    def test_a_header_of_one_component(self):
        include = '#include "pruner/Search/Search.h"\n'
        header = "include/pruner/Search/Search.h"
        lonely = [f"{header}: only Search includes it; expected it next to the sources"]
        test = {"test/unit/Search/SearchTest.cpp": include}
        self.check({header: "", "lib/Search/Search.cpp": include, **test}, lonely)
        self.check({header: "", "lib/Tune/SearchTest.cpp": include + "// Tested by: x\n",
                    "x": "", **test}, [])


if __name__ == "__main__":
    unittest.main()
