#!/usr/bin/env python3
"""check_headers.py must report violations: small trees with one fault each."""
import unittest

from checked_tree import CheckedTree


class HeadersTest(CheckedTree):
    def check(self, files, errors):
        self.assertEqual(self.run_check("check_headers.py", files, errors),
                         f"headers: {len(errors)} violations\n")

    def test_a_header_of_one_component(self):
        include = '#include "pruner/Search/Search.h"\n'
        header = "include/pruner/Search/Search.h"
        lonely = [f"{header}: only Search includes it; expected it next to the sources"]
        test = {"test/unit/Search/SearchTest.cpp": include}
        self.check({header: "", "lib/Search/Search.cpp": include, **test}, lonely)
        self.check({header: "", "lib/Tune/SearchTest.cpp": include, **test}, [])


if __name__ == "__main__":
    unittest.main()
