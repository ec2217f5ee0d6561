#===- __init__.py - candidates on other machines, through Ray --------------===#
#
# Part of the Pruner project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Builders and runners of a tuner on the machines of a Ray cluster.

    python -m pruner.farm --address=auto

speaks the worker protocol on stdin and stdout and leases one place of the
cluster: an actor with a `pruner-worker` of its own. docs/guides/Farm.md has the command
lines.

* `worker`: a `pruner-worker` and its deadlines; knows no Ray.
* `node`: what runs on the nodes.
* `lease`: which nodes are fit, and a place on one of them.
* `relay`: the requests of the tuner, and what becomes of them.
"""
