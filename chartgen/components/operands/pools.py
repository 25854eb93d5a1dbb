"""Pools of nodes: what depends on the kind of a node is made once for each pool of like nodes.

A DaemonSet of a pool has the pool's name at the end of its own, and runs on the pool's nodes. Its label ``app`` is that of
all pools: Services select by it, and the driver manager and the MIG manager look for it when they clear a node. So a
label with the name of the pool keeps the selectors apart. Without pools there is one DaemonSet, under its plain name.
"""

from __future__ import annotations

from chartgen.tree import helpers, presence
from chartgen.tree.nodes import Each, Helper, Node, Value

_OF_ALL = "cluster"
POOLS = "cluster.nodePools"
# What a pool may say otherwise than the cluster.
FACTS = ("cluster.containerRuntime", "cluster.driverToolkit", "cluster.kernelVersion", "cluster.os")
NAME = Value("cluster.name")
NODES = Value("cluster.nodeSelector")
# On the pods of a pool.
LABEL: dict[str, Value] = {"nvidia.com/node-pool": NAME}


def depends(node: Node) -> bool:
    """Whether a tree comes out differently for another pool."""
    return any(f"{path}.".startswith(tuple(f"{fact}." for fact in FACTS)) for path in presence.reads(node))


def each(name: str) -> Each:
    """A DaemonSet for each pool.

    Args:
        name: of the DaemonSet, which its template gets too.
    """
    return Each(name, POOLS, _OF_ALL)


def named(*parts: str | Value) -> Helper:
    """The name of an object of a pool."""
    return helpers.object_name(*parts, NAME)
