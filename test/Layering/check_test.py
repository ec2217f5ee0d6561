#!/usr/bin/env python3
"""check.py must report violations: small trees with one fault each."""
import unittest

from checked_tree import CheckedTree


class LayeringTest(CheckedTree):
    def check(self, files, errors):
        """Runs check.py on a tree and compares its lines on stderr."""
        self.assertEqual(
            self.run_check("check.py", files, errors),
            f"layering: {len(files)} files, {len(errors)} violations\n")

    def test_downward_and_own_includes_are_fine(self):
        self.check({
            "lib/Tune/Loop.cpp": '#include "pruner/Search/Search.h"\n'
                                 '#include "pruner/Tune/Loop.h"\n',
            "include/pruner/Analysis/Psa.h": '#include "pruner/Machine/Machine.h"\n',
            "tools/pruner-opt/pruner-opt.cpp": '#include "pruner/Tools/PrunerOpt/X.h"\n',
        }, [])

    def test_upward_include(self):
        self.check(
            {"lib/Machine/HostCpu.cpp": '\n#include "pruner/Analysis/Psa.h"\n'},
            ["lib/Machine/HostCpu.cpp:2: Machine (level 1) includes Analysis (level 5)"])

    def test_upward_include_in_a_header(self):
        self.check(
            {"include/pruner/Support/A.h": '#include "pruner/Record/Record.h"\n'},
            ["include/pruner/Support/A.h:1: Support (level 0) includes Record (level 1)"])

    def test_upward_include_in_tablegen(self):
        self.check(
            {"include/pruner/Dialect/Pruner/IR/Ops.td":
                 'include "pruner/Dialect/Pruner/Transforms/Passes.td"\n'},
            ["include/pruner/Dialect/Pruner/IR/Ops.td:1: Dialect/Pruner/IR (level 3) "
             "includes Dialect/Pruner/Transforms (level 6)"])

    def test_own_level_is_not_lower(self):
        self.check(
            {"lib/Builder/A.cpp": '#include "pruner/Library/Library.h"\n'},
            ["lib/Builder/A.cpp:1: Builder (level 8) includes Library (level 8)"])

    def test_conversions_are_components_of_their_own(self):
        self.check(
            {"lib/Conversion/PrunerToCPU/A.cpp":
                 '#include "pruner/Conversion/PrunerToGPU/Passes.h"\n'},
            ["lib/Conversion/PrunerToCPU/A.cpp:1: Conversion/PrunerToCPU (level 6) "
             "includes Conversion/PrunerToGPU (level 6)"])

    def test_unknown_components(self):
        self.check(
            {"lib/Attic/A.cpp": "",
             "lib/Tune/B.cpp": '#include "pruner/Attic/A.h"\n'},
            ["lib/Attic/A.cpp: belongs to no component",
             "lib/Tune/B.cpp:1: pruner/Attic/A.h belongs to no component"])

    def test_libtorch_stays_in_its_component(self):
        self.check(
            {"lib/CostModel/A.cpp": "#include <torch/torch.h>\n",
             "lib/CostModel/Torch/B.cpp": "#include <torch/torch.h>\n",
             "lib/Tune/C.cpp": "# include <ATen/ATen.h>\n"},
            ["lib/CostModel/A.cpp:1: LibTorch outside of CostModel/Torch",
             "lib/Tune/C.cpp:1: LibTorch outside of CostModel/Torch"])

    def test_mlir_does_not_meet_libtorch(self):
        self.check(
            {"lib/CostModel/Torch/A.cpp": '#include "llvm/ADT/SmallVector.h"\n'},
            ["lib/CostModel/Torch/A.cpp:1: MLIR or LLVM inside CostModel/Torch"])

    def test_plain_components_use_no_mlir(self):
        self.check(
            {"lib/Measure/A.cpp": '#include "mlir/IR/Value.h"\n'
                                  '#include "pruner/Builder/A.h"\n'
                                  '#include "pruner/Support/A.h"\n',
             "lib/Sketch/A.cpp": '#include "pruner/Target/A.h"\n',
             "lib/Verification/B.cpp": '#include "mlir/IR/Value.h"\n'},
            ["lib/Measure/A.cpp:1: MLIR inside Measure",
             "lib/Measure/A.cpp:2: Measure (level 1) includes Builder (level 8)",
             "lib/Sketch/A.cpp:1: Sketch uses no MLIR and includes Target"])

    def test_json_comes_in_through_one_door(self):
        text = "// json::parse(x)\nauto v = llvm::json::parse(text);\n"
        self.check(
            {"lib/Support/JsonLines.cpp": text, "lib/Tune/A.cpp": text,
             "tools/pruner/B.cpp": "json::parse<T>(x);\n"},
            ["lib/Tune/A.cpp:2: calls json::parse; use parseJson of "
             "pruner/Support/JsonLines.h",
             "tools/pruner/B.cpp:1: calls json::parse; use parseJson of "
             "pruner/Support/JsonLines.h"])

    def test_text_of_ir_comes_in_through_one_door(self):
        self.check(
            {"lib/Dialect/Pruner/IR/ForeignText.cpp": "mlir::parseAttribute(t, c);\n",
             "lib/Dialect/Pruner/IR/Ops.cpp": "parser.parseAttribute(a);\n"
                                              "p->parseType(t);\n",
             "lib/Measure/A.cpp": "\nx = mlir::parseSourceString<ModuleOp>(t);\n"
                                  "y = parseAttribute(t, c);\n"},
            ["lib/Measure/A.cpp:2: calls a parser of MLIR; use "
             "pruner/Dialect/Pruner/IR/ForeignText.h",
             "lib/Measure/A.cpp:3: calls a parser of MLIR; use "
             "pruner/Dialect/Pruner/IR/ForeignText.h"])


if __name__ == "__main__":
    unittest.main()
