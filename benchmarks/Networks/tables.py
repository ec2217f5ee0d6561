#===- tables.py - results of networks as tables ---------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the JSON results of this directory's scripts as Markdown.

    tables.py peers networks-zen4.json [more.json ...]
    tables.py differences networks-int8-emeraldrapids.json [more.json ...]
    tables.py inside inside-zen4.json
    tables.py dynamic dynamic-zen4.json
    tables.py iree iree-tuned-zen4.json
    tables.py upstream without-pruner-zen4.json
    tables.py torch-compile torch-compile-zen5.json

The first argument is the kind of the result. If several files of networks.py are given,
later files replace networks of earlier ones. Requires the standard library only.
"""

import argparse
import pathlib
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

from pruner_tools.results import (against_best, filled_columns, geometric_mean, origin,
                                  print_mean, print_origins, print_paragraph, print_rows, read,
                                  seconds)
from torch_compile import DETECTORS

# What networks.py times, in the order of the columns: libraries of Pruner, then the peers.
LIBRARIES = {"pruner": "pruner", "pruner-onnx": "pruner (ONNX)", "untuned": "untuned"}
PEERS = {"torch": "torch", "inductor": "inductor", "onnxruntime": "ONNX Runtime",
         "openvino": "OpenVINO", "iree": "IREE"}

# Tasks with a smaller share of their network's time are not judged.
LEAST_SHARE = 0.02
TOLERATED = 0.1
MOST_NAMED = 10


def short(network):
    """'transformers:llama,num_hidden_layers=2' -> 'llama'."""
    return network.partition(":")[2].partition(",")[0] or network


def milliseconds(value):
    """Return three significant digits, without a unit."""
    if value is None:
        return "-"
    value *= 1e3
    return f"{value:.0f}" if value >= 999.5 else f"{value:.3g}"


def quartiles(pair):
    return "{:.2f} to {:.2f}".format(*pair)


# --- networks.py ---------------------------------------------------------------


def ratio_of(entry):
    """Return (best peer's time / Pruner's, quartiles). Old results have medians only.
    """
    versus = entry.get("versus_best")
    if versus:
        return versus["ratio"], quartiles(versus["quartiles"])
    times = {name: each["median_s"] for name, each in entry["contenders"].items()}
    return against_best(times["pruner"], {peer: times.get(peer) for peer in PEERS})[1], "-"


def entries_of(paths):
    """Return the entries by network, and the file of each."""
    entries, files = {}, {}
    for path in paths:
        for network, entry in read(path)["networks"].items():
            entries[short(network)], files[short(network)] = entry, path
    return entries, files


def print_peers(paths):
    entries, files = entries_of(paths)
    ratios, rows = {}, []
    for network, entry in entries.items():
        ratios[network], spread = ratio_of(entry)
        contenders = entry["contenders"]
        rows.append([network, *(milliseconds(contenders.get(name, {}).get("median_s"))
                                for name in (*LIBRARIES, *PEERS)),
                     f"{ratios[network]:.2f}", spread, f"{contenders['pruner']['difference']:.1e}"])
    header, *rows = filled_columns(["network", *LIBRARIES.values(), *PEERS.values(),
                                    "best peer / pruner", "quartiles", "difference"], rows)
    print_rows(header, rows)
    print_mean(ratios, 1)
    used = [path for path in paths if path in files.values()]
    if len(used) == 1:
        return print_origins(origin(used[0], read(used[0])))
    print_origins(*(f"{', '.join(name for name in files if files[name] == path)} from "
                    f"{origin(path, read(path))}" for path in used))


def print_differences(paths):
    """Print the largest differences from PyTorch's result in f32."""
    entries, _ = entries_of(paths)
    names = LIBRARIES | PEERS
    rows = []
    for network, entry in entries.items():
        known = [entry["contenders"].get(name, {}).get("difference") for name in names]
        rows.append([network, *("-" if each is None else f"{each:.1e}" for each in known)])
    header, *rows = filled_columns(["network", *names.values()], rows)
    print_rows(header, rows)


# --- inside.py -----------------------------------------------------------------


def print_inside(path):
    result, rows, ratios, warm, judged, off = read(path), [], [], [], 0, []
    for each in result:
        heavy = [task for task in each["tasks"] if task["share"] > LEAST_SHARE]
        wrong = [task for task in heavy if abs(task["ratio"] - 1) > TOLERATED]
        judged += len(heavy)
        off += [(task["ratio"], task["task"]) for task in wrong]
        ratios.append(each["network"] / each["sum"])
        warm.append(each["network"] / each["warm_sum"])
        rows.append([pathlib.Path(each["file"]).stem, milliseconds(each["network"]),
                     milliseconds(each["sum"]), f"{ratios[-1]:.3f}",
                     milliseconds(each["warm_sum"]), f"{warm[-1]:.3f}",
                     f"{len(wrong)} of {len(heavy)}"])
    print_rows(["network", "network (ms)", "kernels alone (ms)", "ratio",
                "kernels alone, warm (ms)", "ratio, warm", "tasks off by over a tenth"], rows)
    off.sort()
    named = (", ".join(f"`{name}` {ratio:.2f}" for ratio, name in off) if len(off) <= MOST_NAMED
             else f"ratios from {off[0][0]:.2f} to {off[-1][0]:.2f}")
    print_paragraph(f"Geometric mean of the ratio {geometric_mean(ratios):.3f}, of the warm ratio "
                    f"{geometric_mean(warm):.3f}. Tasks off by more than a tenth, of {judged} with "
                    f"more than {100 * LEAST_SHARE:.0f} % of their network's time: {len(off)} "
                    f"({named}).")
    print_origins(origin(path, result))


# --- dynamic.py ----------------------------------------------------------------


def schedules_of(entry):
    return f"{entry['trials']} trials a function" if entry.get("trials") else "drafted"


def print_dynamic(path):
    result, networks, sizes = read(path), [], []
    for each in result:
        owns = [row["ratio"] for row in each["sizes"]]
        functions = len(each["functions"])
        networks.append([
            each["network"], ", ".join(each["dynamic"]), schedules_of(each),
            "1, in pieces" if each["independent"] else str(functions),
            f"{each['bytes'] / 1e6:.1f} MB",
            f"{each['difference']:.1e}" if "difference" in each else "-",
            f"{geometric_mean(owns):.2f}", f"{min(owns):.2f}"])
        sizes += [[each["network"], schedules_of(each), str(row["size"]), seconds(row["one"]),
                   seconds(row["own"]), f"{row['ratio']:.2f}", quartiles(row["quartiles"])]
                  for row in each["sizes"]]
    print_rows(["network", "sizes", "schedules", "functions", "library", "difference",
                "own / one, mean", "least"], networks)
    print()
    print_rows(["network", "schedules", "size", "one library", "own library", "own / one",
                "quartiles"], sizes)
    print_origins(origin(path, result))


# --- iree_tuned.py -------------------------------------------------------------


def print_iree(path):
    result, rows = read(path), []
    for network, each in result["networks"].items():
        variants, faster = each["variants"], each["speed-up"]
        rows.append([network, *(milliseconds(variants[name]["median"])
                                for name in ("plain", "data tiling", each["tuned"])),
                     f"{faster['plain']:.2f}", quartiles(each["quartiles"]),
                     f"{faster['data tiling']:.2f}", each["tuner"]["winner"],
                     f"{each['tuner']['specification against its base']:.2f}"])
    print_rows(["network", "IREE (ms)", "data tiling (ms)", "tuned (ms)", "IREE / tuned",
                "quartiles", "data tiling / tuned", "flags chosen", "specification's gain"], rows)
    means = result["geometric means"]
    print_paragraph(f"Geometric means: {means['plain']:.2f} over IREE, "
                    f"{means['data tiling']:.2f} over data tiling.")
    print_origins(origin(path, result))


# --- without_pruner.py ---------------------------------------------------------


def print_upstream(path):
    result, rows = read(path), []
    for each in result:
        untuned, tuned = each["variants"]["untuned"], each["variants"]["tuned"]
        rows.append([each["network"], seconds(untuned["median"]), seconds(tuned["median"]),
                     f"{each['speed-up']:.1f}", seconds(tuned["passes"]), seconds(tuned["clang"]),
                     f"{tuned['error']:.1e}", str(each["rounds"])])
    print_rows(["network", "untuned", "with schedules", "untuned / with", "mlir-opt", "clang",
                "difference", "rounds"], rows)
    print_origins(origin(path, result))


# --- torch_compile.py ----------------------------------------------------------


def family(network):
    if network.startswith(DETECTORS):
        return "detectors' backbones" if network.endswith(".backbone") else "detectors"
    return "optical flow" if network.startswith("raft") else (
        "classification, segmentation, video")


def configuration(entry):
    """Return (batch, threads) of an entry."""
    return entry.get("batch", 1), entry.get("threads", 1)


def mean_and_least(ratios):
    return (f"{geometric_mean(ratios):.2f}", f"{min(ratios):.2f}") if ratios else ("-", "-")


def print_torch_compile(path):
    result, groups, rows, slower, timed, failed = read(path), {}, [], [], 0, []
    for key, each in result["networks"].items():
        network = each.get("network", key)
        if "difference" not in each:
            failed.append((key, each["error"]))
            continue
        groups.setdefault((*configuration(each), family(network)), []).append((key, each))
    for (batch, threads, name), members in sorted(groups.items(), key=lambda item: item[0][:2]):
        each = [entry for _, entry in members]
        eager = {key: e["eager"] / e["pruner"] for key, e in members if "pruner" in e}
        inductor = [e["inductor"] / e["pruner"] for e in each if "inductor" in e]
        timed += len(eager)
        slower += [(ratio, key) for key, ratio in eager.items() if round(ratio, 2) < 1]
        compiling = [e["compiling"] for e in each]
        rows.append([name, str(batch), str(threads), str(len(each)),
                     f"{max(e['difference'] for e in each):.1e}",
                     f"{100 * min(e['tuned'] for e in each):.1f} %",
                     str(sum(e["graphs"] == e["compiled"] == 1 for e in each)),
                     f"{statistics.median(compiling):.0f} s, {max(compiling):.0f} s",
                     *mean_and_least(list(eager.values())), *mean_and_least(inductor)])
    header, *rows = filled_columns(
        ["networks", "batch", "threads", "number", "difference, at most", "tuned FLOP, at least",
         "compiled whole", "compiling, median and at most", "eager / pruner", "least",
         "Inductor / pruner", "least "], rows)
    print_rows([name.strip() for name in header], rows)
    if slower:
        print_paragraph(f"Slower than eager PyTorch: {len(slower)} of {timed}: "
                        + ", ".join(f"`{name}` {ratio:.2f}" for ratio, name in sorted(slower))
                        + ".")
    if failed:
        print_paragraph("Without a result: " + "; ".join(f"`{key}`: {why}" for key, why in failed)
                        + ".")
    print_origins(origin(path, result))


KINDS = {"peers": print_peers, "differences": print_differences, "inside": print_inside,
         "dynamic": print_dynamic, "iree": print_iree, "upstream": print_upstream,
         "torch-compile": print_torch_compile}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("results", nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    if arguments.kind in ("peers", "differences"):
        KINDS[arguments.kind](arguments.results)
    elif len(arguments.results) == 1:
        KINDS[arguments.kind](*arguments.results)
    else:
        parser.error(f"expected one file of kind '{arguments.kind}'")


if __name__ == "__main__":
    main()
