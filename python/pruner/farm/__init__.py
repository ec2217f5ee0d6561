#===- __init__.py - measuring on a Ray cluster ----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builders and runners of the tuner on the machines of a Ray cluster.

    python -m pruner.farm --address=auto

speaks the worker protocol on stdin and stdout and leases one slot of the cluster, which
is an actor with its own `pruner-worker`. docs/guides/Farm.md describes the command
lines.

* `slot_worker`: the `pruner-worker` of a slot, without Ray.
* `node`: the code that runs on the nodes.
* `lease`: selects suitable nodes and leases a slot on one of them.
* `relay`: forwards the tuner's requests and the replies.
"""
