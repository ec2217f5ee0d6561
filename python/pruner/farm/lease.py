#===- lease.py - selection and lease of a slot ----------------------------===#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Selects the nodes of a cluster that can measure for a target, and leases a slot on
one of them."""

import dataclasses
import time

import ray
from ray.experimental import internal_kv
from ray.util.scheduling_strategies import (In, NodeAffinitySchedulingStrategy,
                                            NodeLabelSchedulingStrategy)

from .. import programs, worker
from . import node as on_node
from . import slot_worker

# Seconds for which a lost node is not used.
SUSPECT_SECONDS = 30
# Seconds within which a node must describe itself.
PROBE_SECONDS = 20
# Seconds for which the clients of a cluster share the description of a node. It expires
# because the programs of a node may be replaced.
VALID_SECONDS = 60


class NoPlace(Exception):
    """No slot could be leased; the message says why."""


@dataclasses.dataclass
class Wish:
    """The requirements of a slot: Ray's resources and a worker."""
    cpus: float = 1
    gpus: float = 0
    resources: dict = dataclasses.field(default_factory=dict)
    worker: str = ""
    arguments: tuple = ()
    memory: int = 0  # Limit of the worker's address space in bytes; 0: no limit.

    def fits(self, resources):
        """Return whether a node with `resources` in total has room for a slot."""
        needs = {"CPU": self.cpus, "GPU": self.gpus, **self.resources}
        return all(resources.get(name, 0) >= amount for name, amount in needs.items())

    def __str__(self):
        needs = {"CPU": self.cpus, "GPU": self.gpus, **self.resources}
        return " ".join(f"{name}={amount:g}" for name, amount in needs.items() if amount)


def connect(address):
    """Join the cluster through the node of this machine, or through `ray://...`."""
    # The nodes then need Ray and Pruner's programs, but not this package.
    for module in (programs, worker, slot_worker, on_node):
        ray.cloudpickle.register_pickle_by_value(module)
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR",
                 configure_logging=True, namespace="pruner-farm")
    except (ConnectionError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        raise NoPlace(f"no cluster at '{address}': {error}") from None


class Leaser:
    """Leases slots, one at a time."""

    def __init__(self, wish, report):
        """`report` is called with a message for each rejected node, once per node."""
        self.wish = wish
        self.report = report
        self.keys = {}  # Per node: its key, and the reason if it has none.
        self.suspects = {}  # Per node: the end of its suspension.
        self.told = set()

    def describe_nodes(self):
        """Return [(node, host, key, reason)] of all live nodes with the required
        resources, free or not. Either key or reason is empty. Clients of a cluster
        share these descriptions."""
        alive = {each["NodeID"]: each["NodeManagerHostname"] for each in ray.nodes()
                 if each["Alive"] and self.wish.fits(each["Resources"])}
        what = f"{self.wish.worker} {bool(self.wish.gpus)}"
        asked = {}
        for name in alive:
            if name in self.keys:
                continue
            known = internal_kv._internal_kv_get(f"pruner machine {name} {what}")
            when, _, key = (known or b"").decode().partition(" ")
            if key and abs(time.time() - float(when)) < VALID_SECONDS:
                self.keys[name] = (key, "")
                continue
            asked[ray.remote(on_node.describe).options(
                num_cpus=0, num_gpus=self.wish.gpus, max_retries=0,
                scheduling_strategy=NodeAffinitySchedulingStrategy(name, soft=False),
            ).remote(self.wish.worker, bool(self.wish.gpus))] = name
        unanswered = {name: ("", "it does not respond") for name in asked.values()}
        done, late = ray.wait(list(asked), num_returns=len(asked),
                              timeout=PROBE_SECONDS) if asked else ([], [])
        for reference in late:
            ray.cancel(reference, force=True)
        for reference in done:
            name = asked[reference]
            del unanswered[name]
            try:
                key, reason = ray.get(reference)
            except ray.exceptions.RayError as error:
                unanswered[name] = ("", first_line(error))
                continue
            self.keys[name] = (key, reason)
            if key:
                internal_kv._internal_kv_put(f"pruner machine {name} {what}",
                                             f"{time.time():.0f} {key}")
        found = {**unanswered, **self.keys}
        return [(name, host, *found[name]) for name, host in alive.items()]

    def fit_nodes(self, machine):
        """Return the nodes whose key is `machine`, or all if it is empty. Raise
        NoPlace, with the keys of the other nodes."""
        fit, rejected = [], []
        for name, host, key, reason in self.describe_nodes():
            if key and machine in ("", key):
                fit.append(name)
                continue
            why = reason or f"its machine is '{key}'"
            rejected.append(f"node {name[:8]} on {host}: {why}")
            if (name, why) not in self.told:
                self.told.add((name, why))
                self.report(f"{rejected[-1]}; rejected, because the target is '{machine}'")
        if not fit:
            raise NoPlace(f"no node is suitable for '{machine}': "
                          + ("; ".join(rejected) or f"none has {self.wish}"))
        now = time.monotonic()
        return [name for name in fit if self.suspects.get(name, 0) <= now] or fit

    def suspect(self, name):
        self.suspects[name] = time.monotonic() + SUSPECT_SECONDS
        self.keys.pop(name, None)

    def lease(self, machine, seconds):
        """Return (actor, its description) on a suitable node. Wait for it this long."""
        fit = self.fit_nodes(machine)
        wish = self.wish
        actor = ray.remote(on_node.Place).options(
            num_cpus=wish.cpus, num_gpus=wish.gpus, resources=wish.resources,
            max_restarts=0, max_task_retries=0,
            scheduling_strategy=NodeLabelSchedulingStrategy(
                hard={"ray.io/node-id": In(*fit)}),
        ).remote(wish.worker, wish.arguments, wish.memory, bool(wish.gpus))
        try:
            place = ray.get(actor.describe.remote(), timeout=seconds)
        except ray.exceptions.GetTimeoutError:
            ray.kill(actor)
            raise NoPlace(f"none of the {len(fit)} suitable nodes had a free slot "
                          f"within {seconds:.0f} s") from None
        except ray.exceptions.RayError as error:
            raise NoPlace(f"cannot create a slot: {first_line(error)}") from None
        if machine not in ("", place["machine"]):
            ray.kill(actor)
            self.keys[place["node"]] = (place["machine"], "")
            raise NoPlace(f"node {place['node'][:8]} is a different machine now: "
                          f"'{place['machine']}'")
        return actor, place


def first_line(error):
    """Return the first line of an error of Ray; for an error in a task or an actor, of
    the exception raised there."""
    cause = getattr(error, "cause", None) or error
    return str(cause).strip().partition("\n")[0][:300] or type(cause).__name__
