# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports networks, makes a library for a GPU of each, and compares its results with PyTorch's.
Images have 64x64 pixels, sequences 32 tokens; language models have two small layers."""

import json
import pathlib
import subprocess
import sys

import pruner
from pruner.safetensors import read

IMAGES = ["resnet18", "mobilenet_v2", "mobilenet_v3_small", "efficientnet_b0", "densenet121",
          "shufflenet_v2_x1_0", "squeezenet1_1", "mnasnet1_0", "regnet_y_400mf", "convnext_tiny",
          "swin_t"]
LANGUAGE = [
    "bert,hidden_size=128,num_hidden_layers=2,num_attention_heads=2,intermediate_size=512",
    "gpt2,n_embd=128,n_layer=2,n_head=2",
    "llama,hidden_size=128,intermediate_size=344,num_hidden_layers=2,num_attention_heads=4,"
    "num_key_value_heads=2",
    "t5,d_model=64,d_kv=16,d_ff=128,num_layers=2,num_heads=4",
]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)


def check(name, model, *options):
    run(sys.executable, "-m", "pruner_tools.export", model, "--name", name, "--reference",
        *options)
    run("pruner", "compile", f"{name}.mlir", "--trials=0", "--target=nvidia:sm_80", "-o",
        f"{name}.so")
    about = json.loads(pathlib.Path(f"{name}.args.json").read_text())
    weights, reference = (read(f"{name}{kind}.safetensors") for kind in ("", ".reference"))
    results = pruner.load(f"{name}.so")(*(
        reference["inputs/" + each["name"]] if each["kind"] == "input" else weights[each["name"]]
        for each in about["arguments"]))
    results = results if isinstance(results, tuple) else (results,)
    errors = []
    for result, each in zip(results, about["results"]):
        want = reference["results/" + each["name"]]
        errors.append(abs(result - want).max() / abs(want).max())
    print(name, "close" if max(errors) < 4e-6 else errors, flush=True)


for name in IMAGES:
    check(name, f"torchvision:{name}", "--size", "64")
for name in LANGUAGE:
    check(name.partition(",")[0], f"transformers:{name},vocab_size=1000", "--sequence", "32")
