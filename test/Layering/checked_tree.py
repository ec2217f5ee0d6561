"""Small trees with one fault each, for the tests of check.py and check_tests.py."""
import pathlib
import subprocess
import sys
import tempfile
import unittest


class CheckedTree(unittest.TestCase):
    def run_check(self, script, files, errors):
        """Runs `script` of this folder on a tree of `files` (path -> text),
        compares its lines on stderr with `errors` and returns its stdout."""
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = pathlib.Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run(
                [sys.executable, pathlib.Path(__file__).with_name(script), root],
                text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual(done.stderr.splitlines(), errors)
        self.assertEqual(done.returncode, 1 if errors else 0)
        return done.stdout
