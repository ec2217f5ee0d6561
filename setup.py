#===- setup.py - the wheel with tools --------------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds the tools with CMake and puts them into the wheel, as pruner/_native.

    pip wheel . --no-deps

PRUNER_BUILD_DIR names a build directory that is there; without, build-wheel is
made, with one job for each 2 GB of memory. Both compile only what is not there.
"""

import os
import pathlib
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
        super().run()
        build = os.environ.get("PRUNER_BUILD_DIR")
        if not build:
            build = SOURCE / "build-wheel"
            run("cmake", "-G", "Ninja", "-S", SOURCE, "-B", build,
                "-DCMAKE_BUILD_TYPE=Release", "-DPRUNER_BUILD_TESTS=OFF",
                "-DPRUNER_BUILD_BENCHMARKS=OFF")
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        jobs = max(1, min(len(os.sched_getaffinity(0)), memory >> 31))
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", jobs)
        run("cmake", "--build", build, "--target", "pruner-wheel", "--parallel", jobs)
        run("cmake", "--install", build, "--component", "wheel", "--strip",
            "--prefix", pathlib.Path(self.build_lib).resolve() / "pruner" / "_native")


class PlatformWheel(bdist_wheel):
    """Any Python 3, this platform: nothing is linked to an interpreter."""

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class WithTools(Distribution):
    def has_ext_modules(self):
        return True


# setuptools' own directory is `build`, which is CMake's here.
setup(distclass=WithTools,
      options={"build": {"build_base": str(SOURCE / "build-wheel" / "python")}},
      cmdclass={"build_py": BuildWithTools, "bdist_wheel": PlatformWheel})
