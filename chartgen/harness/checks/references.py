"""Whatever an object names is there: accounts, configuration and its keys, roles, Services and their ports, what selectors choose.

The API server takes an object that names another without looking, and the fault shows in a pod that never starts, a
Service without pods, a permission that nobody has. What a chart must bring is judged strictly. A ConfigMap or a Secret may
come from elsewhere: when it is optional, when the user's values name it or say that it is not to be created, or when a program of the release makes it, which
then has been told its name.
"""

from __future__ import annotations

import fnmatch
import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from chartgen.harness import given, kinds, reference_table
from chartgen.harness.case import Case
from chartgen.harness.given import Doubt
from chartgen.harness.graph import Node, PodNode, Reference, Selector
from chartgen.harness.manifests import Rendered
from chartgen.harness.memo import Memo
from chartgen.harness.reference_table import Chosen, Source, Type
from chartgen.harness.results import Finding, invalid, verdict


@dataclass(frozen=True)
class Found:
    """The objects of a render.

    Attributes:
        nodes: all of them.
        namespace: of the release.
    """

    nodes: Sequence[Node]
    namespace: str
    _named: dict[tuple[Type, str], list[Node]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for node in self.nodes:
            self._named[node.type, node.name].append(node)

    def place(self, node: Node) -> str:
        """The namespace that an object lies in, or that of the release when it belongs to the whole cluster."""
        return node.namespace or self.namespace

    def target(self, node: Node, reference: Reference) -> Node | None:
        """The object that another names, in the right namespace."""
        named = self.everywhere(reference)
        if kinds.load().is_namespaced(*reference.type) is False:
            return named[0] if named else None
        expected = reference.namespace or self.place(node)
        return next((each for each in named if self.place(each) == expected), None)

    def everywhere(self, reference: Reference) -> list[Node]:
        """The objects of that kind and name, in whichever namespace."""
        return self._named.get((reference.type, reference.name), [])

    @classmethod
    def of(cls, graph: Memo[Node], case: Case, rendered: Rendered) -> Found:
        """What a case has rendered."""
        return cls(tuple(node for each in rendered.documents for node in graph(each)), case.namespace)

    def runs_in(self, namespace: str) -> bool:
        """Whether there are pods of the render in a namespace."""
        return any(node.pods and self.place(node) == namespace for node in self.nodes)

    def bound(self, node: Node) -> Iterator[Node]:
        """The bindings that give a ServiceAccount its roles."""
        for each in self.nodes:
            if each.type[1] in ("RoleBinding", "ClusterRoleBinding"):
                for reference in each.references:
                    if reference.type == node.type and self.target(each, reference) is node:
                        yield each


@dataclass
class References:
    """Looks up what each object names and chooses; see `chartgen.harness.graph`."""

    graph: Memo[Node]
    name: str = "references"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        found = Found.of(self.graph, case, rendered)
        said: list[Finding | Doubt] = []
        for node in found.nodes:
            said += [invalid(node.identity, problem) for problem in node.problems]
            for reference in node.references:
                said += judged(node, reference, found)
            for selector in node.selectors:
                said += chosen(node, selector, found)
        return verdict(given.settle(said, case))


def judged(node: Node, reference: Reference, found: Found) -> Iterator[Finding | Doubt]:
    """What is wrong with what an object names."""
    kind = reference.type[1]
    if not reference.name:
        # A custom resource and a field that is a name itself say by an empty one that there is none.
        if reference.row.name and node.is_builtin and reference.row.source is not Source.ANYWHERE:
            yield invalid(node.identity, f"{reference.path} names no {kind}")
        return
    target = found.target(node, reference)
    if target is not None:
        yield from _of_target(node, reference, target)
        return
    named = f"{reference.path} names {kind} {reference.name}"
    row = reference.row
    present = (*row.excepted, *reference_table.table().everywhere.get(reference.type, ()))
    if any(fnmatch.fnmatchcase(reference.name, pattern) for pattern in present) or row.source is Source.ANYWHERE:
        return
    if row.void and row.void in reference.ports:
        return
    elsewhere = found.everywhere(reference)
    expected = reference.namespace or found.place(node)
    if elsewhere:
        at = found.place(elsewhere[0])
        yield Doubt(invalid(node.identity, f"{named} in {expected}, and it is in {at}"), expected, is_name=True)
        return
    if expected not in (found.namespace, node.namespace) and not found.runs_in(expected):
        return  # of somebody else, in a namespace where nothing of this chart runs
    if row.source is Source.RUN and any(reference.name in each.mentions for each in found.nodes if each is not node):
        return
    declined = reference_table.table().declined.get(reference.type, ())
    missing = invalid(node.identity, f"{named}, and nothing renders it")
    yield Doubt(missing, reference.name, is_name=True, declined=declined)


def _of_target(node: Node, reference: Reference, target: Node) -> Iterator[Finding]:
    """What the object that is named lacks. A Secret without any data is filled by somebody later."""
    if target.keys or (target.keys is not None and target.type[1] == "ConfigMap"):
        for key in reference.keys:
            if key not in target.keys:
                has = ", ".join(sorted(target.keys)) or "none"
                yield invalid(
                    node.identity, f"{reference.path} needs the key {key} of {target.identity}, which has {has}"
                )
    for port in reference.ports if target.ports else ():
        if port not in target.ports:
            yield invalid(node.identity, f"{reference.path} needs the port {port} of {target.identity}")


def chosen(node: Node, selector: Selector, found: Found) -> Iterator[Finding]:
    """What is wrong with what an object chooses."""
    if selector.row.of is Chosen.TEMPLATE:
        yield from _own(node, selector)
        return
    if selector.is_empty and selector.row.plain:
        return  # a Service without a selector has its endpoints from elsewhere
    candidates = list(_candidates(selector, found))
    near = [each for place, each in candidates if _is_near(place, node, selector, found)]
    if selector.namespaces and not any(map(found.runs_in, selector.namespaces)) and "*" not in selector.namespaces:
        near = []  # of somebody else, in a namespace where nothing of this chart runs
    late = _late()
    matched = [each for each in near if selector.matches(each.labels, late)]
    what = selector.row.of.value
    if matched:
        for path, port in selector.ports:
            if not any(port in each.ports for each in matched):
                yield invalid(
                    node.identity, f"{path} is the port {port}, and none of the {what} that it chooses has it"
                )
        return
    if selector.is_empty:
        return
    labels = _words(selector)
    far = sorted({place for place, each in candidates if selector.matches(each.labels, late)})
    if far:
        yield invalid(
            node.identity, f"{selector.path} ({labels}) chooses {what} of the namespace {', '.join(far)} alone"
        )
    elif near and not _is_made_by_operator(selector, found):
        yield invalid(node.identity, f"{selector.path} ({labels}) chooses none of the {what} in its namespace")


def _own(node: Node, selector: Selector) -> Iterator[Finding]:
    """A workload's selector, and whatever else chooses among the object's own pods."""
    templates = node.pods if selector.pod < 0 else node.pods[selector.pod : selector.pod + 1]
    for template in templates:
        if not selector.matches(template.labels):
            has = ", ".join(f"{key}={value}" for key, value in sorted(template.labels.items())) or "none"
            yield invalid(
                node.identity,
                f"{selector.path} ({_words(selector)}) does not choose its own pods, whose labels are {has}",
            )


def _candidates(selector: Selector, found: Found) -> Iterator[tuple[str, PodNode | Node]]:
    """What a selector may choose from, with the namespaces."""
    for node in found.nodes:
        if selector.row.of is Chosen.SERVICES:
            if node.type == ("", "Service"):
                yield found.place(node), node
        else:
            for pod in node.pods:
                yield found.place(node), pod


def _is_near(place: str, node: Node, selector: Selector, found: Found) -> bool:
    """Whether a selector reaches into a namespace."""
    if selector.namespaces:
        return place in selector.namespaces or "*" in selector.namespaces
    return place == found.place(node)


def _is_made_by_operator(selector: Selector, found: Found) -> bool:
    """Whether the pods come from an operator: the selector holds the name of a custom resource, or is known for one."""
    types = {node.type for node in found.nodes}
    names = {node.name for node in found.nodes if not node.is_builtin}
    if names & {str(value) for value in selector.labels.values()}:
        return True
    for labels, needed in reference_table.table().operators:
        if (not needed or needed & types) and all(
            fnmatch.fnmatchcase(str(selector.labels.get(key, "")), pattern) and key in selector.labels
            for key, pattern in labels.items()
        ):
            return True
    return False


@functools.cache
def _late() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(fnmatch.translate(pattern)) for pattern in reference_table.table().late)


def _words(selector: Selector) -> str:
    """A selector on one line, as kubectl takes it."""
    labels = [f"{key}={value}" for key, value in selector.labels.items()]
    return ", ".join(
        [*labels, *(f"{key} {operator} {' '.join(values)}" for key, operator, values in selector.expressions)]
    )
