"""Helm's hooks work: their annotations mean what they say, what they use is there when they run, and they can run twice.

Helm takes a hook with a misspelt event for nothing at all, and creates none of it. When a hook runs, the objects of the
release may not be there yet, or may be gone already; what it uses must then be a hook of the same event that comes
earlier. Helm sorts hooks by weight, then by name, and only then by kind, so that of two with the same weight the
Job may well come before its ServiceAccount.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from chartgen.harness import kinds
from chartgen.harness.case import Case
from chartgen.harness.checks.references import Found
from chartgen.harness.graph import Node
from chartgen.harness.manifests import Rendered
from chartgen.harness.memo import Memo
from chartgen.harness.places import mapping, text
from chartgen.harness.results import Finding, invalid, verdict

HOOK = "helm.sh/hook"
WEIGHT = "helm.sh/hook-weight"
DELETE = "helm.sh/hook-delete-policy"
LOGS = "helm.sh/hook-output-log-policy"

# Each event with those that have happened before it in the life of every release.
_INSTALL = ("pre-install", "post-install")
EVENTS: Mapping[str, tuple[str, ...]] = {
    "pre-install": (),
    "post-install": ("pre-install",),
    "pre-upgrade": _INSTALL,
    "post-upgrade": (*_INSTALL, "pre-upgrade"),
    "pre-rollback": _INSTALL,
    "post-rollback": (*_INSTALL, "pre-rollback"),
    "pre-delete": _INSTALL,
    "post-delete": (*_INSTALL, "pre-delete"),
    "test": _INSTALL,
    "test-success": _INSTALL,
}
# Before the first objects are created, and after the last ones are gone.
_ALONE = frozenset(("pre-install", "post-delete"))
_BEFORE = "before-hook-creation"
_SUCCEEDED = "hook-succeeded"
_FAILED = "hook-failed"
_POLICIES = frozenset((_BEFORE, _SUCCEEDED, _FAILED))
_WEIGHT = re.compile(r"[-+]?[0-9]+")
_LAST = 1000


@dataclass(frozen=True)
class Hook:
    """What makes an object a hook.

    Attributes:
        events: when it runs.
        weight: as a number; 0 when there is none.
        policies: when it is deleted; before it is created anew when nothing is said.
    """

    events: tuple[str, ...]
    weight: int
    policies: frozenset[str]


@dataclass
class Hooks:
    """Judges each hook, and each object that uses one; see `chartgen.harness.graph`."""

    graph: Memo[Node]
    name: str = "hooks"

    def run(self, case: Case, rendered: Rendered) -> list[Finding]:
        """See `chartgen.harness.check.Check`."""
        found = Found.of(self.graph, case, rendered)
        findings: list[Finding] = []
        for node in found.nodes:
            findings += [invalid(node.identity, message) for message in told(node)]
            findings += [invalid(node.identity, message) for message in uses(node, found)]
        return verdict(findings)


def hook_of(node: Node) -> Hook | None:
    """What makes an object a hook; None when it is none."""
    events = _listed(node, HOOK)
    if not events:
        return None
    weight = text(node.annotations.get(WEIGHT)).strip()
    return Hook(events, int(weight) if _WEIGHT.fullmatch(weight) else 0, frozenset(_listed(node, DELETE) or (_BEFORE,)))


def told(node: Node) -> Iterator[str]:
    """What is wrong with an object's annotations for Helm."""
    further = [key for key in (WEIGHT, DELETE, LOGS) if key in node.annotations]
    if HOOK not in node.annotations:
        if further:
            yield f"has {', '.join(further)} without {HOOK}, and Helm does not look at that"
        return
    for key in (HOOK, *further):
        if not isinstance(node.annotations[key], str):
            yield f"{key} is {node.annotations[key]!r} and no string"
    events = _listed(node, HOOK)
    unknown = [event for event in events if event not in EVENTS]
    if unknown or not events:
        yield f"{HOOK} is {', '.join(unknown) or 'empty'}: Helm knows no such event and leaves the object out"
    weight = text(node.annotations.get(WEIGHT, "0"))
    if not _WEIGHT.fullmatch(weight.strip()):
        yield f"{WEIGHT} is {weight!r}, which is no whole number: Helm takes it for 0"
    policies = _listed(node, DELETE)
    strange = [policy for policy in policies if policy not in _POLICIES]
    if strange or (DELETE in node.annotations and not policies):
        yield f"{DELETE} is {', '.join(strange) or 'empty'}, and must be of {', '.join(sorted(_POLICIES))}"
    elif policies and _BEFORE not in policies and not {_SUCCEEDED, _FAILED} <= set(policies):
        stays = "failed" if _SUCCEEDED in policies else "succeeded"
        yield f"{DELETE} leaves a hook that {stays} where it is, and the next one cannot be created: add {_BEFORE}"


def uses(node: Node, found: Found) -> Iterator[str]:
    """What an object uses that is not there when it needs it."""
    hook = hook_of(node)
    if not node.pods:
        return
    if hook is None:
        for reference in node.references:
            target = found.target(node, reference)
            used = hook_of(target) if target is not None else None
            if target is not None and used is not None and _SUCCEEDED in used.policies:
                yield f"{reference.path} names {target.identity}, a hook that is deleted when it has succeeded"
        return
    for event in hook.events:
        for target, why in needed(node, found):
            problem = absent(node, hook, target, event)
            if problem:
                yield f"{why} {target.identity}, {problem}"


def needed(node: Node, found: Found) -> Iterator[tuple[Node, str]]:
    """What the pods of an object need, each with the words for it; the account's roles too."""
    for reference in node.references:
        target = found.target(node, reference)
        if target is None:
            continue
        yield target, f"{reference.path} names"
        if target.type == ("", "ServiceAccount"):
            for each in _permissions(target, found):
                yield each, f"{reference.path} gets its permissions from"


def _permissions(account: Node, found: Found) -> Iterator[Node]:
    """The bindings of an account and their roles."""
    for binding in found.bound(account):
        yield binding
        for reference in binding.references:
            role = found.target(binding, reference)
            if role is not None and reference.path.startswith("roleRef"):
                yield role


def absent(node: Node, hook: Hook, target: Node, event: str) -> str:
    """Why what a hook needs is not there at an event; empty when it is."""
    used = hook_of(target)
    if used is None:
        return f"which is no hook and not there at {event}" if event in _ALONE else ""
    same = {"test", "test-success"} if event.startswith("test") else {event}
    if same & set(used.events):
        if _order(target, used) > _order(node, hook):
            return f"a hook that Helm creates later at {event}: give it a lower {WEIGHT}"
        return ""
    if not set(EVENTS.get(event, ())) & set(used.events):
        return f"a hook of {', '.join(used.events)} and not there at {event}"
    return f"a hook that is deleted when it has succeeded, before {event}" if _SUCCEEDED in used.policies else ""


def _order(node: Node, hook: Hook) -> tuple[int, str, int]:
    """How Helm sorts hooks of one event."""
    return hook.weight, node.name, kinds.load().order.get(node.type[1], _LAST)


def _listed(node: Node, key: str) -> tuple[str, ...]:
    parts = text(mapping(node.annotations).get(key)).split(",")
    return tuple(part.strip().lower() for part in parts if part.strip())
