"""The kit on the target machine: its tools, the GPU, the assembler, the LibTorch inside
of a Python, the folder for results, the time."""

import argparse
import glob
import json
import os
import re
import signal
import subprocess
import sys
import time

from pruner_tools.results import json_bytes, processor, timestamp, write_whole
from pruner_tools.tools import run_tool, which

ROOT = os.environ.get("PRUNER_GPU_KIT") or os.path.dirname(
    os.path.dirname(os.path.abspath(__file__))
)

# Exit codes of every command.
RIGHT, WRONG, USAGE, NO_GPU = 0, 1, 2, 3

MAX_FILES = 8
MAX_FILE_BYTES = 16 << 20


class NoGpu(Exception):
    """There is no usable CUDA device; the message says why."""


class Failed(Exception):
    """A tool failed in a way that ends the command."""


def tool(name):
    return os.path.join(ROOT, "bin", name)


def say(text):
    print(text, file=sys.stderr, flush=True)


# --- the environment of the tools ---------------------------------------------


def site_packages(python):
    """Return the directories where `python` looks for packages."""
    # Imports are not safe here: with `-c` Python searches the current directory first.
    code = "import sys; print(*(p for p in sys.path if p), sep=chr(0), end='')"
    try:
        done = subprocess.run(
            [python, "-c", code], capture_output=True, text=True, timeout=60
        )
        return [place for place in done.stdout.split("\0") if os.path.isabs(place)]
    except (OSError, ValueError, subprocess.SubprocessError):
        return []


def search_path(*places):
    """Join directories for a variable such as PATH. Empty and relative entries, which
    refer to the current directory, are omitted."""
    entries = os.pathsep.join(places).split(os.pathsep)
    return os.pathsep.join(filter(os.path.isabs, entries))


class Torch:
    """The PyTorch of a Python, inspected without importing it."""

    def __init__(self, python):
        self.python, self.root, self.version = python, None, None
        for directory in site_packages(python):
            try:
                with open(os.path.join(directory, "torch", "version.py")) as file:
                    text = file.read()
            except OSError:
                continue
            for line in text.splitlines():
                if line.startswith("__version__"):
                    self.root = os.path.join(directory, "torch")
                    self.version = line.split("=", 1)[1].strip().strip("'\"")
                    return

    @property
    def series(self):
        return ".".join((self.version or "").split(".")[:2])


def plugins():
    """Return the plug-ins with learned cost models, by the LibTorch they require."""
    found = {}
    for path in glob.glob(os.path.join(ROOT, "lib", "torch-*", "libPrunerTorch.so")):
        found[os.path.basename(os.path.dirname(path))[len("torch-") :]] = path
    return found


def choose_plugin(torch):
    """Return (path, reason): the plug-in for the LibTorch of `torch`, or why there is
    none."""
    have = plugins()
    built = ", ".join(sorted(have)) or "none"
    if not have:
        return None, "this kit was built without plug-ins for learned cost models"
    if not torch.version:
        return None, (
            "no PyTorch in '%s'; the kit's learned cost models need PyTorch %s"
            % (torch.python, built)
        )
    if torch.series not in have:
        return None, (
            "'%s' has PyTorch %s, but the kit's learned cost models were built "
            "for %s" % (torch.python, torch.version, built)
        )
    if not os.path.exists(os.path.join(torch.root, "lib", "libtorch_cpu.so")):
        return None, "PyTorch %s in '%s' has no lib/libtorch_cpu.so" % (
            torch.version,
            torch.root,
        )
    return have[torch.series], None


def find_program(name, torch_paths=()):
    """Find a program of the CUDA toolkit: in PATH, in a toolkit, or in a Python
    package."""
    found = which(name)
    if found:
        return found
    roots = [os.environ.get(v) for v in ("CUDA_HOME", "CUDA_PATH", "CUDA_ROOT")]
    roots = [root for root in roots if root and os.path.isabs(root)]
    roots += ["/usr/local/cuda"] + sorted(glob.glob("/usr/local/cuda-*"), reverse=True)
    places = [os.path.join(root, "bin", name) for root in roots]
    for directory in torch_paths:
        places.append(os.path.join(directory, "triton/backends/nvidia/bin", name))
        places += glob.glob(os.path.join(directory, "nvidia/*/bin", name))
    for place in places:
        if os.access(place, os.X_OK):
            return place
    return None


class Kit:
    """State that all commands share on this machine."""

    def __init__(self, python=None, learned=True):
        self.python = python or sys.executable or "python3"
        self.torch = Torch(self.python)
        packages = [os.path.dirname(self.torch.root)] if self.torch.root else []
        self.ptxas = find_program("ptxas", packages)
        self.sanitizer = find_program("compute-sanitizer", packages)
        if not self.sanitizer:
            for place in glob.glob("/usr/local/cuda*/compute-sanitizer/compute-sanitizer"):
                self.sanitizer = place
        # Kernels are used once and must not fill the driver's cache on disk.
        self.environment = dict(os.environ, CUDA_CACHE_DISABLE="1")
        if self.ptxas:
            self.environment["PATH"] = search_path(
                os.path.dirname(self.ptxas), self.environment.get("PATH", os.defpath)
            )
        self.plugin, self.no_plugin = (None, "not requested")
        if learned:
            self.plugin, self.no_plugin = choose_plugin(self.torch)
        self.machine = None

    def tuner_environment(self):
        """Return the environment of pruner-opt with learned models. It chooses the
        plug-in for the LibTorch that it finds along LD_LIBRARY_PATH."""
        environment = dict(self.environment)
        if self.plugin:
            environment["LD_LIBRARY_PATH"] = search_path(
                os.path.join(self.torch.root, "lib"), environment.get("LD_LIBRARY_PATH", "")
            )
        return environment

    def exported(self, database):
        """Return a tuning database as lines of JSON."""
        return run_tool([tool("pruner"), "db", "export", database], env=self.environment).stdout

    def import_lines(self, database, lines):
        """Import lines of JSON into a database. Return the output of pruner db."""
        done = run_tool([tool("pruner"), "db", "import", database, "-"], input=lines,
                        env=self.environment)
        return (done.stderr or done.stdout).strip()

    def find_device(self):
        """Fill in `machine`, or raise NoGpu with the driver's reason."""
        done = subprocess.run(
            [tool("pruner-machine"), "--cuda-device=0", "--json"],
            capture_output=True,
            text=True,
            env=self.environment,
        )
        if done.returncode != 0:
            text = done.stderr.strip().replace("pruner-machine: error: ", "")
            raise NoGpu(text or "pruner-machine exited with %d" % done.returncode)
        self.machine = json.loads(done.stdout)
        return self.machine

    def target(self, work):
        """Return the tuner's name for the device: a known one, or a description."""
        listed = subprocess.run(
            [tool("pruner-machine"), "--list"], capture_output=True, text=True
        ).stdout
        if any(line.split(" ")[0] == self.machine["name"] for line in listed.splitlines()):
            return self.machine["name"]
        path = os.path.join(work, "machine.json")
        with open(path, "w") as file:
            json.dump(self.machine, file)
        return "file:" + path

    def chip(self):
        """Return the architecture that kernels are compiled for. An architecture
        unknown to the tools is replaced by the newest older one, which the driver
        translates."""
        arch = self.machine["arch"]
        if self._knows(arch):
            return arch
        number = int("".join(c for c in arch if c.isdigit()))
        for older in (100, 90, 89, 87, 86, 80, 75, 70):
            if older <= number and self._knows("sm_%d" % older):
                return "sm_%d" % older
        raise Failed("no code generator for '%s'" % arch)

    @staticmethod
    def _knows(arch):
        return (
            subprocess.run(
                [tool("pruner-machine"), "nvidia:" + arch], capture_output=True
            ).returncode
            == 0
        )

    def describe(self):
        """Return the versions and settings that results depend on, for their files."""
        facts = {
            "kit": manifest(),
            "device": self.machine,
            "ptxas": self.ptxas,
            "compute_sanitizer": self.sanitizer,
            "cores": cores(),
            "python": sys.version.split()[0],
            "torch": self.torch.version,
            "learned_models": self.plugin is not None,
            "processor": processor(),
            "started": timestamp(),
        }
        try:
            with open("/proc/driver/nvidia/version") as file:
                facts["driver"] = file.readline().strip()
        except OSError:
            pass
        return facts


def manifest():
    try:
        with open(os.path.join(ROOT, "manifest.json")) as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def cores():
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


# --- results ------------------------------------------------------------------


class Output:
    """The folder of results to be copied back: at most MAX_FILES files of at most
    MAX_FILE_BYTES. Files are replaced atomically, so that they are readable if the
    command is interrupted."""

    def __init__(self, path):
        self.path = os.path.abspath(path)
        os.makedirs(self.path, exist_ok=True)

    def file(self, name):
        names = set(os.listdir(self.path)) - {".lock"}
        names = {n for n in names if not n.startswith(".")}
        if name not in names and len(names) >= MAX_FILES:
            raise Failed(
                "'%s' would be file %d in '%s', but the limit is %d files"
                % (name, len(names) + 1, self.path, MAX_FILES)
            )
        return os.path.join(self.path, name)

    def write(self, name, data):
        if isinstance(data, str):
            data = data.encode()
        if len(data) > MAX_FILE_BYTES:
            raise Failed(
                "'%s' has %d bytes, more than %d" % (name, len(data), MAX_FILE_BYTES)
            )
        path = self.file(name)
        write_whole(path, data)

    def write_json(self, name, value):
        self.write(name, json_bytes(value, sort_keys=True))

    def copy(self, source, name):
        with open(source, "rb") as file:
            self.write(name, file.read(MAX_FILE_BYTES + 1))


class Clock:
    """A time budget. No step is started that takes longer than the remaining time."""

    def __init__(self, minutes):
        self.start = time.monotonic()
        self.seconds = minutes * 60.0

    def left(self):
        return self.seconds - self.spent()

    def spent(self):
        return time.monotonic() - self.start


# --- command lines ------------------------------------------------------------


def expression(text):
    """Parse a regular expression of a command line."""
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError("'%s': %s" % (text, error))


class Stop:
    """SIGTERM and SIGINT end a command after its current step, with its results
    written. A second signal ends it at once."""

    def __init__(self):
        self.asked = False
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._note)

    def _note(self, number, frame):
        if self.asked:
            os._exit(128 + number)
        self.asked = True
        say("stopping after the current step; repeat the signal to stop at once")
