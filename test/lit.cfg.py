import os
import shutil
import subprocess

import lit.formats

config.name = "Pruner"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["unit", "Inputs", "Layering", "lib", "Parsers"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.pruner_test_output_dir

config.environment["PATH"] = os.pathsep.join(
    [config.pruner_tools_dir, config.llvm_tools_dir, os.environ.get("PATH", "")]
)
config.substitutions.append(("%pruner_src", config.pruner_source_dir))
config.substitutions.append(("%pruner_lib", config.pruner_lib_dir))
config.substitutions.append(
    ("%llvm_lib", os.path.join(os.path.dirname(config.llvm_tools_dir), "lib"))
)
config.substitutions.append(("%pruner_build", config.pruner_build_dir))
config.substitutions.append(("%python", config.python_executable))
config.substitutions.append(("%cmake", config.cmake_executable))
config.substitutions.append(("%pruner_version", config.pruner_version))
# A time limit in seconds: a minute, or more with a sanitizer.
config.substitutions.append(("%minute", str(60 * config.pruner_test_slowdown)))

# In a build with AddressSanitizer, Python and mlir-opt must load its runtime
# before they can load our libraries.
preload = ""
if config.pruner_asan_preload:
    preload = f"LD_PRELOAD={config.pruner_asan_preload} "
    wrappers = os.path.join(config.test_exec_root, "preload")
    os.makedirs(wrappers, exist_ok=True)
    wrapper = os.path.join(wrappers, "mlir-opt")
    program = os.path.join(config.llvm_tools_dir, "mlir-opt")
    with open(wrapper, "w") as file:
        file.write(f'#!/bin/sh\nexec env {preload}{program} "$@"\n')
    os.chmod(wrapper, 0o755)
    config.environment["PATH"] = wrappers + os.pathsep + config.environment["PATH"]

# What is drawn at random is the same in every run, so that no change fails by
# chance; `--param fuzz_seed=N` draws others, as tools/setup/nightly.py does.
fuzz_seed = lit_config.params.get("fuzz_seed", "1")
config.substitutions.append(("%fuzz_seed", fuzz_seed))
lit_config.note(f"fuzz_seed is {fuzz_seed}")

# What a test may require, and what it is skipped for where that is missing.
FEATURES = {
    "full": "the full suite; tests that take more than a second or two are of it",
    "torch": "the plug-in with the learned models (PRUNER_ENABLE_TORCH=ON)",
    "no-torch": "a build without that plug-in (PRUNER_ENABLE_TORCH=OFF)",
    "no-asan": "a build without AddressSanitizer, which reserves terabytes of address space",
    "xgboost": "the plug-in with gradient-boosted trees (PRUNER_ENABLE_XGBOOST=ON)",
    "gpu-kit": "LLVM and MLIR as static libraries, of which the GPU kit is made",
    "wheel": "the same, and LLD's libraries, of which the Python wheel is made",
    "mpfr": "pruner-check-math, built where there is libmpfr-dev",
    "benchmarks": "the benchmarks (PRUNER_BUILD_BENCHMARKS=ON)",
    "data": "the raw measurements of data/, which a sparse checkout leaves out",
    "two-cpus": "two CPUs that this process may run on",
    "numpy": "a Python with NumPy",
    "matplotlib": "a Python with matplotlib and NumPy",
    "pip": "a Python with setuptools, wheel, ensurepip and NumPy",
    "ptxas": "the CUDA assembler, on the PATH or in /usr/local/cuda/bin",
    "nvdisasm": "the CUDA disassembler, in the same places",
    "upstream-tools": "MLIR's mlir-opt and mlir-runner with its support libraries",
    "iree": "a Python with IREE's compiler and runtime (--param iree-python=<python>)",
    "ray": "a Python with Ray and NumPy (--param farm-python=<python>)",
    "export": "a Python with torch and torch-mlir (--param export-python=<python>)",
    "torch-plugin": "a plug-in for the torch of that Python (PRUNER_TORCH_ROOT)",
    "torchao": "torchao in that Python",
    "opinfo": "expecttest in that Python, which PyTorch's samples of operations need",
    "onnxruntime": "onnx and ONNX Runtime in that Python",
}

if lit_config.params.get("suite", "full") == "full":
    config.available_features.add("full")
if config.pruner_enable_torch:
    config.available_features.add("torch")
else:
    config.available_features.add("no-torch")
if not config.pruner_asan_preload:
    config.available_features.add("no-asan")
if config.pruner_enable_xgboost:
    config.available_features.add("xgboost")
if os.path.exists(os.path.join(config.pruner_build_dir, "tools/gpu-kit/make-kit.sh")):
    config.available_features.add("gpu-kit")
if os.path.exists(os.path.join(config.pruner_build_dir, "PrunerWheelParts/tools.def")):
    config.available_features.add("wheel")
if os.path.exists(os.path.join(config.pruner_tools_dir, "pruner-check-math")):
    config.available_features.add("mpfr")
if config.pruner_build_benchmarks:
    config.available_features.add("benchmarks")
if os.path.exists(os.path.join(config.pruner_source_dir, "data/survey-zen4.jsonl.gz")):
    config.available_features.add("data")
if len(os.sched_getaffinity(0)) > 1:
    config.available_features.add("two-cpus")


def python_with(modules):
    """The first Python that has all of them: the one that CMake found, or the
    distribution's; None if neither has."""
    for python in (config.python_executable, "/usr/bin/python3"):
        try:
            subprocess.run([python, "-W", "ignore", "-c", f"import {modules}"],
                           check=True, capture_output=True)
            return python
        except (OSError, subprocess.CalledProcessError):
            continue
    return None


# The Python package needs NumPy, and these where it is installed without a network.
python = python_with("numpy")
package = os.path.join(config.pruner_source_dir, "python")
if python:
    config.available_features.add("numpy")
    if preload:  # It is for the program, not for a script that starts it.
        python = subprocess.check_output(
            [python, "-c", "import sys; print(sys.executable)"], text=True).strip()
    config.substitutions.append(
        ("%numpy", f"env {preload}PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={package} {python}")
    )
python = python_with("matplotlib, numpy")
if python:
    config.available_features.add("matplotlib")
    config.substitutions.append(
        ("%matplotlib", f"env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={package} {python}")
    )
python = python_with("setuptools, wheel, ensurepip, numpy")
if python:
    config.available_features.add("pip")
    python = shutil.which(python)
    # `python3 -m venv` and pip then use what is installed and no network.
    config.substitutions.append(
        ("%offline_pip", "env -u PYTHONPATH PIP_NO_INDEX=1 PIP_NO_BUILD_ISOLATION=false "
         "PIP_DISABLE_PIP_VERSION_CHECK=1 "
         f"PATH={os.path.dirname(python)}:{config.environment['PATH']}")
    )
for name in ("ptxas", "nvdisasm"):
    found = shutil.which(name) or "/usr/local/cuda/bin/" + name
    if os.path.exists(found):
        config.available_features.add(name)
        config.environment["PATH"] += os.pathsep + os.path.dirname(found)
if all(os.path.exists(os.path.join(config.llvm_tools_dir, name)) for name in
       ("mlir-opt", "mlir-runner", "../lib/libmlir_runner_utils.so",
        "../lib/libmlir_c_runner_utils.so")):
    config.available_features.add("upstream-tools")
python = lit_config.params.get("farm-python") or python_with("ray, numpy")
if python:
    config.available_features.add("ray")
    config.substitutions.append(
        ("%ray", f"env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={package} {python}")
    )
if lit_config.params.get("export-python"):
    config.available_features.add("export")
    torch, version = subprocess.check_output(
        [lit_config.params["export-python"], "-c", "import importlib.util, importlib.metadata; "
         "print(importlib.util.find_spec('torch').submodule_search_locations[0], "
         "importlib.metadata.version('torch'), sep='\\n')"], text=True).splitlines()
    for feature, packages in (("torchao", "torchao"), ("opinfo", "expecttest"),
                              ("onnxruntime", "onnx onnxruntime")):
        find = "".join(f"importlib.util.find_spec('{name}').name; "
                       for name in packages.split())
        if not subprocess.call([lit_config.params["export-python"], "-c",
                                "import importlib.util; " + find],
                               stderr=subprocess.DEVNULL):
            config.available_features.add(feature)
    release = ".".join(version.split(".")[:2])
    if os.path.exists(os.path.join(config.pruner_lib_dir, f"torch-{release}/libPrunerTorch.so")):
        config.available_features.add("torch-plugin")
    config.substitutions.append(("%torch_lib", os.path.join(torch, "lib")))
iree = lit_config.params.get("iree-python")
if iree:
    config.available_features.add("iree")
    config.substitutions.append(("%iree_python", f"env PYTHONPATH={package} {iree}"))
    config.substitutions.append(("%iree_bin", os.path.dirname(iree)))

for feature in sorted(FEATURES.keys() - config.available_features):
    lit_config.note(f"what requires '{feature}' is skipped: {FEATURES[feature]}")
