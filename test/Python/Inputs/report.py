#===- report.py - tests of what a report counts ----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import pruner.report
from pruner.report import page, plots
from pruner.report.records import (COLUMNS, ReportError, environments, read_peers, read_profile,
                                   rows)

TASK = {"pruner": {"kind": "task", "key": "k", "name": "task_matmul_8x8x8_01234567",
                   "flops": 1000, "bytes": 500}}


def record(number, times, status="ok", schedule=None, strategy="random", reason="",
           host="cpu:a", predicted=None, verified=True):
    return {"configuration": {"schedule": schedule or f"#pruner.schedule<{number}>"},
            "measurements": [{"name": "psa_latency", "value": predicted}] if predicted else [],
            "timestamp": f"2026-01-01T00:00:{number % 60:02}Z",
            "pruner": {"kind": "record", "task": "k", "host": host, "machine": "m",
                       "target": "cpu", "pipeline_options": "threads=2", "run": "r",
                       "trial": number, "times": times, "status": status, "reason": reason,
                       "strategy": strategy, "toolchain": "t", "verified": verified}}


def read(*records):
    return environments([json.dumps(each) for each in (TASK, *records)])


class RecordsTest(unittest.TestCase):
    def test_the_best_so_far(self):
        found, = read(record(2, [3.0]), record(0, [5.0, 9.0, 4.0]), record(1, [], "crash"),
                      record(3, [1.0], verified=False), record(4, [4.0]))
        task = found.tasks["k"]
        self.assertEqual(task.progress(), [(1, 5.0), (3, 3.0), (5, 3.0)])
        self.assertEqual([trial.status for trial in task.failed], ["crash"])
        self.assertEqual((found.threads, task.kind, task.short_name),
                         (2, "matmul", "matmul_8x8x8"))

    def test_what_stands_for_a_task(self):
        trials = [record(0, [5.0]), record(-1, [7.0], schedule="default")]
        task = read(*trials)[0].tasks["k"]
        self.assertEqual((task.best, task.default, task.schedule), (5.0, 7.0, None))
        trials += [record(-2, [4.0, 4.4, 4.2], strategy="final", schedule="a"),
                   record(-3, [4.5], strategy="final", schedule="b")]
        task = read(*trials)[0].tasks["k"]
        self.assertEqual((task.best, task.schedule), (4.2, "a"))
        self.assertAlmostEqual(task.spread, 0.4 / 4.2)
        trials += [record(-4, [6.0], strategy="network-final", schedule="b")]
        task = read(*trials)[0].tasks["k"]
        self.assertEqual((task.best, task.final, task.schedule), (6.0, 4.2, "b"))

    def test_machines_are_apart(self):
        found = read(record(0, [5.0]), record(9, [4.0], host="cpu:b"), record(1, [6.0]))
        self.assertEqual([each.host for each in found], ["cpu:b", "cpu:a"])
        self.assertEqual([len(each.trials()) for each in found], [1, 2])

    def test_what_is_no_record(self):
        for line in ("nonsense", "[]", "{}", json.dumps(record(0, [1.0]))):
            with self.assertRaisesRegex(ReportError, "line 1 is not a record"):
                environments([line])

    def test_a_profile(self):
        found, = read(record(0, [5.0]))
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"seconds": 9.0, "rows": [
                {"key": "k", "calls": 2, "seconds": 4.0},
                {"key": None, "calls": 1, "seconds": 1.0}]}, file)
            file.flush()
            self.assertEqual(read_profile(file.name, found), (9.0, 1.0))
        self.assertEqual((found.tasks["k"].calls, found.tasks["k"].best), (2, 4.0))


    def test_peers(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "peers.json")

            def peers(document):
                pathlib.Path(path).write_text(json.dumps(document))
                return read_peers(path)

            self.assertEqual(peers({"a": 1.5, "b": 2}), {"a": 1.5, "b": 2})
            network = {"contenders": {"pruner": {"median_s": 1}, "iree": {"median_s": 3.0}}}
            self.assertEqual(peers({"networks": {"n": network}}), {"iree": 3.0})
            for wrong, reason in (({"networks": {}}, "0 networks; expected one"),
                                  ({"networks": {"n": {}}}, "no times of peers: 'contenders'"),
                                  ({"a": "1"}, "no times of peers: '1' is not a number"),
                                  ([], "no times of peers"), ({"a": 0}, "is not positive")):
                with self.assertRaisesRegex(ReportError, reason):
                    peers(wrong)

    def test_rows(self):
        found = read(record(0, [5.0], predicted=4.5), record(1, [], "crash", reason="a, b"),
                     record(-1, [7.0], schedule="default"))
        first, second = (dict(zip(COLUMNS, row)) for row in rows(found))
        self.assertEqual((first["task"], first["trial"], first["seconds"],
                          first["predicted seconds"], first["untuned seconds"],
                          first["time stamp"]),
                         ("task_matmul_8x8x8_01234567", 0, 5.0, 4.5, 7.0, "2026-01-01T00:00:00Z"))
        self.assertEqual((second["status"], second["reason"], second["seconds"]),
                         ("crash", "a, b", None))

    def test_what_untuned_code_is(self):
        found, = read(record(0, [5.0]))
        self.assertEqual(found.untuned, "plain loops through LLVM -O3")
        found.toolchains.add("iree iree-3.13.0")
        self.assertEqual(found.untuned, "IREE's own code")


class WatchTest(unittest.TestCase):
    def test_a_page_that_is_loaded_again(self):
        lines = [json.dumps(each) for each in (TASK, record(0, [5.0]))]
        seen = []
        with tempfile.TemporaryDirectory() as directory:
            database = pathlib.Path(directory, "t.db")
            output = pathlib.Path(directory, "t.html")

            def sleep(seconds):  # The run begins, measures nothing new, and ends.
                self.assertEqual(seconds, 7)
                seen.append(output.read_text() if output.exists() else None)
                if len(seen) == 3:
                    raise KeyboardInterrupt

            replies = [ReportError("no such file"), (lines, []), (lines, [])]
            with mock.patch("pruner.report.exported", side_effect=replies), \
                    mock.patch("pruner.report.located"), mock.patch("time.sleep", sleep):
                pruner.report.main([str(database), "-o", str(output), "--watch", "7"])
            self.assertIsNone(seen[0])
            self.assertIn('<meta http-equiv="refresh" content="7">', seen[1])
            self.assertEqual(seen[1], seen[2])
            self.assertNotIn("refresh", output.read_text())


class MachineTest(unittest.TestCase):
    def test_only_this_one_is_measured(self):
        with tempfile.TemporaryDirectory() as directory:
            program = pathlib.Path(directory, "pruner-machine")
            program.write_text("#!/bin/sh\n[ $1 = cpu ] && [ $2 = --measure ] && echo '"
                               + json.dumps({"kind": "cpu", "name": "cpu:a", "peakFlops": 2,
                                             "memoryBandwidth": 1}) + "' > $4\n")
            program.chmod(0o755)
            with mock.patch("pruner.report.find", return_value=str(program)):
                self.assertEqual(pruner.report.this_machine("cpu:a")["peakFlops"], 2)
                self.assertIsNone(pruner.report.this_machine("cpu:b"))
                self.assertIsNone(pruner.report.this_machine("nvidia:sm_80"))
                program.write_text("#!/bin/sh\nexit 1\n")
                self.assertIsNone(pruner.report.this_machine("cpu:a"))


class PageTest(unittest.TestCase):
    def test_tips(self):
        found, = read(record(0, [5.0]), record(1, [6.0], schedule="#pruner.schedule<a>"),
                      record(2, [50.0], schedule="far"), record(3, [], "wrong", reason="<b>"))
        text = page.figures(found)["progress_by_task"]
        self.assertEqual(text.count("<title>"), 3)
        self.assertIn("><title>matmul_8x8x8, trial 2: 6.00 s, 1.20 of the best\n"
                      "#pruner.schedule&lt;a&gt;</title></use>", text)
        self.assertIn("trial 4: wrong: &lt;b&gt;\n", text)
        self.assertIn("a call, untuned -, 4 trials</title>", page.figures(found)["time_by_task"])

    def test_baselines(self):
        found, = read(record(0, [5.0]), record(-1, [7.0], schedule="default"))
        text = page.figures(found, peers={"slow": 70.0, "onnx": 4.0})["progress"]
        for label in ("untuned, 7.00 s", "onnx, 4.00 s", "slow, 70.0 s (above)"):
            self.assertIn(label, text)
        text = page.render("t", [(found, {}, (2.0, 0.0), {"onnx": 4.0})], [])
        self.assertIn("by peers: onnx 4.00 s (2.00 of this one's).", text)

    def test_rank_correlation(self):
        self.assertAlmostEqual(page.rank_correlation([(1, 10), (2, 20), (3, 25), (4, 90)]), 1)
        self.assertAlmostEqual(page.rank_correlation([(1, 4), (2, 3), (3, 2), (4, 1)]), -1)
        # Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4.
        self.assertAlmostEqual(page.rank_correlation([(1, 1), (5, 2), (5, 3), (9, 4)]),
                               4.5 / (4.5 * 5) ** 0.5)
        self.assertIsNone(page.rank_correlation([(1, 1), (2, 2), (3, 3)]))
        self.assertIsNone(page.rank_correlation([(1, n) for n in range(5)]))

    def test_reasons_without_numbers(self):
        found, = read(record(0, [], "wrong", reason="element 12 is 3.5\nmore"),
                      record(1, [], "wrong", reason="element 7 is 0.25"),
                      record(2, [], "timeout"))
        names = [plots.reason_of(trial) for trial in found.tasks["k"].failed]
        self.assertEqual(names, ["wrong: element N is N"] * 2 + ["timeout"])

    def test_a_name_is_text(self):
        found, = read(record(0, [5.0]), record(1, [], "wrong", reason="<b>&"))
        text = page.render("<x>", [(found, page.figures(found), None)], ["a < b"])
        self.assertIn("&lt;x&gt;", text)
        self.assertIn("a &lt; b", text)
        self.assertNotIn("<b>", text)

    def test_nothing_to_draw(self):
        found, = read(record(0, [], "wrong", reason="no"))
        self.assertEqual(list(page.figures(found)), ["failures"])

    def test_seconds(self):
        self.assertEqual([page.seconds(value) for value in (None, 1.5, 0.0123, 9.996e-6, 2e-10)],
                         ["-", "1.50 s", "12.3 ms", "10.0 us", "0.20 ns"])


if __name__ == "__main__":
    unittest.main()
