#===- setup.py - the wheel with tools --------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the tools with CMake and puts them into the wheel, as pruner/_native.

    pip wheel . --no-deps

PRUNER_BUILD_DIR names an existing build directory. Without it, the directory
build-wheel is used, and built with one job for each 2 GB of memory. Both compile only
what is missing. PRUNER_WHEEL_SYSROOT and PRUNER_TORCH_ROOT set the CMake options of these
names.
"""

import os
import pathlib
import re
import shutil
import subprocess

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # Before setuptools 70.
    from wheel.bdist_wheel import bdist_wheel

SOURCE = pathlib.Path(__file__).resolve().parent


def run(*words):
    print(" ".join(map(str, words)), flush=True)
    subprocess.run([str(word) for word in words], check=True)


class BuildWithTools(build_py):
    def run(self):
        # Modules of an earlier build would become part of the wheel.
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        build = os.environ.get("PRUNER_BUILD_DIR")
        options = [f"-D{name}={os.environ[name]}"
                   for name in ("PRUNER_WHEEL_SYSROOT", "PRUNER_TORCH_ROOT")
                   if name in os.environ]
        torch = "ON" if os.environ.get("PRUNER_TORCH_ROOT") else "OFF"
        if not build:
            build = SOURCE / "build-wheel"
            if "CXX" not in os.environ and shutil.which("clang++-22"):
                os.environ.update(CC="clang-22", CXX="clang++-22")
            run("cmake", "-G", "Ninja", "-S", SOURCE, "-B", build,
                "-DCMAKE_BUILD_TYPE=Release", "-DPRUNER_BUILD_TESTS=OFF",
                "-DPRUNER_BUILD_BENCHMARKS=OFF", f"-DPRUNER_ENABLE_TORCH={torch}",
                "-DPRUNER_ENABLE_XGBOOST=OFF", *options)
        elif options:
            run("cmake", *options, build)
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        jobs = max(1, min(len(os.sched_getaffinity(0)), memory >> 31))
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", jobs)
        run("cmake", "--build", build, "--target", "pruner-wheel", "--parallel", jobs)
        native = pathlib.Path(self.build_lib).resolve() / "pruner" / "_native"
        run("cmake", "--install", build, "--component", "wheel", "--strip",
            "--prefix", native)


def required_glibc(directory):
    """Return the minor version of the glibc 2.x that the programs and libraries in a
    directory require."""
    files = [path for path in directory.rglob("*")
             if path.parent.name == "bin" or ".so" in path.name]
    text = subprocess.run(["readelf", "--wide", "--version-info", *files], check=True,
                          capture_output=True, text=True).stdout
    return max(int(minor) for minor in re.findall(r"Name: GLIBC_2\.(\d+)", text))


class PlatformWheel(bdist_wheel):
    """Any Python 3, because nothing is linked to an interpreter, and any Linux with the
    glibc that the tools require. test/Python/wheel.test checks that they require no
    library that manylinux does not allow."""

    def get_tag(self):
        native = pathlib.Path(self.bdist_dir or "") / "pruner" / "_native"
        if not native.is_dir():
            native = pathlib.Path(self.get_finalized_command("build").build_lib,
                                  "pruner", "_native")
        return ("py3", "none", f"manylinux_2_{required_glibc(native)}_x86_64")


class WithTools(Distribution):
    def has_ext_modules(self):
        return True


# setuptools' own directory is `build`, which is CMake's here. The license is not in
# pyproject.toml, because no form of it there suits the setuptools of Debian 12 and the
# present one.
setup(distclass=WithTools,
      license="Apache-2.0 WITH LLVM-exception",
      options={"build": {"build_base": str(SOURCE / "build-wheel" / "python")}},
      cmdclass={"build_py": BuildWithTools, "bdist_wheel": PlatformWheel})
