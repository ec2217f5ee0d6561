#===- __main__.py - python -m pruner.farm ----------------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m pruner.farm: a worker of the tuner on a machine of a Ray cluster."""

import os
import sys

from ..arguments import ArgumentParser


def parse_arguments():
    parser = ArgumentParser(
        prog="python -m pruner.farm",
        description="Speaks the worker protocol on stdin and stdout for a pruner-worker "
        "on a node of a Ray cluster. Arguments after -- are passed to pruner-worker.")
    parser.add_argument("--address", default="auto",
                        help="address of the cluster; auto: the cluster of this machine's node")
    parser.add_argument("--cpus", type=float, default=1, help="CPUs of a slot (1)")
    parser.add_argument("--gpus", type=float, default=0,
                        help="GPUs of a slot (0); with a GPU, records are those of the device")
    parser.add_argument("--resource", action="append", default=[], metavar="NAME[=N]",
                        help="further resources of a slot, as the nodes declare them")
    parser.add_argument("--worker", default="", metavar="PATH",
                        help="path of pruner-worker on the nodes (default: from their PATH)")
    parser.add_argument("--memory-gib", type=float, default=16, metavar="N",
                        help="address space of a worker (16; no limit with 0 or GPUs)")
    parser.add_argument("--lease-seconds", type=float, default=30, metavar="S",
                        help="seconds to wait for a free slot (30)")
    parser.add_argument("--list", action="store_true",
                        help="print the nodes with the keys of their machines and exit")
    words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    arguments = parser.parse_args(words[:split])
    arguments.worker_arguments = tuple(words[split + 1:])
    arguments.resources = {}
    for each in arguments.resource:
        name, _, amount = each.partition("=")
        try:
            arguments.resources[name] = float(amount or 1)
        except ValueError:
            parser.error(f"--resource={each}: '{amount}' is not a number")
    return arguments


def report(text):
    print(f"pruner.farm: {text}", file=sys.stderr, flush=True)


def main():
    arguments = parse_arguments()
    try:
        from . import lease, relay
    except ImportError as error:
        report(f"error: {error}; install Ray: pip install ray==2.60.0")
        return 1
    wish = lease.Wish(
        cpus=arguments.cpus, gpus=arguments.gpus, resources=arguments.resources,
        worker=arguments.worker, arguments=arguments.worker_arguments,
        memory=0 if arguments.gpus else int(arguments.memory_gib * 2**30))
    # Only replies may be written to stdout, whatever Ray prints.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    leaser = lease.Leaser(wish, report)
    try:
        lease.connect(arguments.address)
        if arguments.list:
            for name, host, key, reason in leaser.describe_nodes():
                replies.write(f"{name[:8]} {host} {key or 'rejected: ' + reason}\n".encode())
            replies.flush()
            return 0
    except lease.NoPlace as reason:
        report(f"error: {reason}")
        return 1
    relay.Relay(leaser, arguments.lease_seconds, report).serve(sys.stdin.buffer, replies)
    return 0


if __name__ == "__main__":
    sys.exit(main())
