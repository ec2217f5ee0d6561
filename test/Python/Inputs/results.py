"""Unit tests of pruner_tools.results, .tools and .turns."""

import contextlib
import gzip
import io
import os
import sys
import tempfile
import time
import unittest

from pruner_tools import results, tools, turns


class ResultsTest(unittest.TestCase):
    def test_files_are_replaced_whole(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "result.json")
            results.write_whole(path, results.json_bytes({"b": 1, "a": [2]}, sort_keys=True))
            with open(path) as file:
                self.assertEqual(file.read(), '{\n "a": [\n  2\n ],\n "b": 1\n}\n')
            with open(path) as former:
                results.write_whole(path, b"[3]\n")
                self.assertIn('"b"', former.read())
            self.assertEqual(results.read(path), [3])
            self.assertEqual(os.listdir(directory), ["result.json"])
            with self.assertRaises(FileNotFoundError):
                results.write_whole(os.path.join(directory, "none", "result.json"), b"")
            with gzip.open(path + ".gz", "wt") as file:
                file.write("[4]")
            self.assertEqual(results.read(path + ".gz"), [4])

    def test_where_from(self):
        self.assertRegex(results.timestamp(), r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertTrue(results.processor())
        with tempfile.TemporaryDirectory() as directory:
            self.assertEqual(results.commit_of(directory), "unknown")

    def test_best_peer(self):
        peers = {"slow": 4.0, "fast": 3.0, "failed": None}
        self.assertEqual(results.against_best(2.0, peers), ("fast", 1.5))
        self.assertIsNone(results.against_best(None, peers))
        self.assertIsNone(results.against_best(2.0, {"failed": None}))
        self.assertAlmostEqual(results.geometric_mean([0.5, 4.0, 4.0]), 2.0)

    def test_tables(self):
        rows = [["name", "kind", "s"], ["a", "b", "10"], ["long name", "c", ""]]
        self.assertEqual(results.text_table(rows, left=2), [
            "name       kind   s", "a          b     10", "long name  c"])
        self.assertEqual(results.markdown_head(["a", "b"]), "| a | b |\n|---|---|")
        self.assertEqual(results.markdown_row(["1", "2"]), "| 1 | 2 |")
        self.assertEqual(results.filled_columns(["a", "b", "c"], [["1", "-", ""], ["2", "", "3"]]),
                         [["a", "c"], ["1", ""], ["2", "3"]])

    def test_seconds(self):
        self.assertEqual([results.seconds(value) for value in
                          (None, 12.34, 0.00999, 4.5e-5, 9.996e-6, 2e-10)],
                         ["-", "12.3 s", "9.99 ms", "45.0 us", "10.0 us", "0.20 ns"])

    def test_origin(self):
        result = {"commit": "abc", "time": "2026-11-22T01:02:03Z", "runs": [
            {"commit": "abc", "timestamp": "2026-11-21T01:02:03Z", "time": 3},
            {"provenance": {"commit": "def", "date": "2026-11-22"}}]}
        link = "[`r.json`](../../data/results/r.json)"
        self.assertEqual(results.origin("x/r.json", result),
                         link + ", 2026-11-21, 2026-11-22, commits abc, def")
        self.assertEqual(results.origin("r.json", [{"commit": "abc"}]), link + ", commit abc")
        self.assertEqual(results.origin("r.json", {}), link)

    def test_mean(self):
        def printed(ratios):
            with contextlib.redirect_stdout(io.StringIO()) as text:
                results.print_mean(ratios, 1)
            return text.getvalue()

        self.assertEqual(printed({"a": 2.0, "b": 0.5, "c": 0.996, "d": 0.25}),
                         "\nGeometric mean of 4: 0.71. Below 1.00: `d` 0.25, `b` 0.50.\n")
        self.assertEqual(printed({"a": 2.0}), "\nGeometric mean of 1: 2.00. Below 1.00: none.\n")
        lines = printed({"name" * 10 + str(n): 0.5 for n in range(5)}).splitlines()
        self.assertTrue(len(lines) > 2 and all(len(line) <= 120 for line in lines))


class ToolsTest(unittest.TestCase):
    def test_run(self):
        code = "import sys; print(input()); print('said', file=sys.stderr); sys.exit(%d)"
        done = tools.run_tool([sys.executable, "-c", code % 0], input="line")
        self.assertEqual((done.stdout, done.stderr), ("line\n", "said\n"))
        with self.assertRaises(tools.ToolError) as caught:
            tools.run_tool([sys.executable, "-c", code % 3], input="line")
        self.assertEqual(str(caught.exception), f"{sys.executable} -c {code % 3}:\nsaid")
        with self.assertRaisesRegex(tools.ToolError, "^no-such-tool: No such file"):
            tools.run_tool(["no-such-tool"])


class TurnsTest(unittest.TestCase):
    def test_batches(self):
        calls = []
        batches = turns.time_batches(lambda: calls.append(time.sleep(1e-3)), 0.02, 0.005, False)
        # One warm-up call.
        self.assertEqual(len(calls), 1 + sum(batch.runs for batch in batches))
        self.assertGreater(sum(batch.wall for batch in batches), 0.02)
        for batch in batches:
            self.assertGreaterEqual(batch.wall, 1e-3 * batch.runs)
            # A sleeping thread uses no CPU, and no other thread was watched.
            self.assertLess(batch.cpu, 0.97 * batch.wall)
            self.assertFalse(batch.clean)
        self.assertEqual(len(turns.time_batches(lambda: None, 0, 1e-4, False)), 1)

    def test_between(self):
        calls = []
        batches = turns.time_batches(lambda: calls.append("run"), 0.02, 1.0, False,
                                     lambda: calls.append(time.sleep(1e-3)))
        # Each batch is one call after a call of `between`, whose time counts.
        self.assertEqual(calls, ["run"] + [None, "run"] * len(batches))
        self.assertTrue(all(batch.runs == 1 for batch in batches))
        self.assertLess(len(batches), 21)

    def test_clean(self):
        self.assertTrue(turns.Batch(1, 1.0, 0.98, -1).clean)
        self.assertFalse(turns.Batch(1, 1.0, 0.96, -1).clean)
        self.assertTrue(turns.Batch(1, 1.0, 1.0, 0.02).clean)
        self.assertFalse(turns.Batch(1, 1.0, 1.0, 0.04).clean)
        self.assertTrue(turns.Batch(1, 1.0, 0.01, 0.02).clean) # The caller waits.

    def test_calls(self):
        self.assertEqual([turns.calls_of(1.0, once) for once in (0.3, 1.0, 7.0)], [3, 1, 1])
        self.assertEqual([turns.calls_of(1.0, once, filled=True) for once in (0.3, 0.75, 7.0)],
                         [4, 2, 1])
        self.assertEqual(turns.calls_of(1.0, 1e-6, most=200), 200)

    def test_interleaved_batches(self):
        order = []
        batches = turns.interleave_batches(
            {name: (lambda name=name: order.append(name)) for name in "ab"}, 2, 0)
        # A warm-up call, and the only one of a batch.
        self.assertEqual("".join(order), "aabbbbaa")
        self.assertEqual({name: [batch.runs for batch in of] for name, of in batches.items()},
                         {"a": [1, 1], "b": [1, 1]})

    def test_ratios(self):
        self.assertEqual(turns.Batch(4, 2.0, 2.0, -1).seconds, 0.5)
        self.assertEqual(turns.ratios([4.0, 2.0, None, 1.0], [2.0, 4.0, 1.0, None]), [0.5, 2.0])
        self.assertEqual(turns.quartiles([1, 2, 3, 4, 5, 6, 7, 8, 9]), [3, 7])

    def test_turns_begin_with_the_next(self):
        order = []
        samples = {name: (lambda name=name: order.append(name) or 1.0) for name in "abc"}
        times = turns.interleave(samples, 3)
        self.assertEqual("".join(order), "abcbcacab")
        self.assertEqual(times, {name: [1.0] * 3 for name in "abc"})


if __name__ == "__main__":
    unittest.main()
