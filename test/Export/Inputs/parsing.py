"""Checks how the exporter parses its command line."""
import unittest

from pruner_tools.export import ExportError, networks
from pruner_tools.export.__main__ import parse_input
from pruner_tools.export.networks import default_name


class Parsing(unittest.TestCase):
    def test_spec(self):
        parse = networks.parse_spec
        self.assertEqual(parse("torchvision:resnet50"), ("torchvision", "resnet50", {}))
        self.assertEqual(
            parse("transformers:bert,layers=2,model=BertModel,rate=0.5,sizes=(1, 2),on=True,path='a,b'"),
            (
                "transformers",
                "bert",
                {
                    "layers": 2,
                    "model": "BertModel",
                    "rate": 0.5,
                    "sizes": (1, 2),
                    "on": True,
                    "path": "a,b",
                },
            ),
        )

    def test_bad_spec(self):
        for spec in ("torchvision:", "transformers:a,b", "transformers:a,=3",
                     "transformers:a,x=f()", "transformers:a,**x", "transformers:a,x=1)"):
            with self.assertRaises(ExportError, msg=spec):
                networks.parse_spec(spec)

    def test_input(self):
        self.assertEqual(parse_input("1x3x8xf32"), (None, [1, 3, 8], "f32"))
        self.assertEqual(parse_input("ids=1x8xi64"), ("ids", [1, 8], "i64"))
        self.assertEqual(parse_input("scale=f16"), ("scale", [], "f16"))
        for text in ("", "1x3", "x=1x-2xf32", "1x?xf32", "1x3xf33", "ids=1 x 8xi64"):
            with self.assertRaises(ExportError, msg=text):
                parse_input(text)

    def test_name(self):
        self.assertEqual(default_name("bert_base"), "bert_base")
        self.assertEqual(default_name("transformers:bert-tiny,layers=2"), "bert_tiny")
        self.assertEqual(default_name("some/where/net.py:make"), "net")


unittest.main()
