"""What programs ask the API server for: the table in ``permissions.yaml`` as records, and permissions that can be compared.

A permission is one verb on one resource, in the whole cluster or in one namespace, so that what a role grants and what a
program needs are sets of the same kind.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chartgen import yamlio

_FILE = Path(__file__).with_name("permissions.yaml")
_RESOURCE = re.compile(r"([a-z0-9]+)(?:\.([a-z0-9.-]+))?(/[a-z]+)?(?:\[(.+)\])?")
ANY = "*"


@dataclass(frozen=True, order=True)
class Permission:
    """One thing that one may do.

    Attributes:
        everywhere: in the whole cluster, and not in one namespace only.
        group: API group; empty for the core one.
        resource: with its subresource, ``pods/eviction``.
        verb: such as ``get``.
        name: of the only object that it is for; empty for all.
    """

    everywhere: bool
    group: str
    resource: str
    verb: str
    name: str = ""

    def covers(self, other: Permission) -> bool:
        """Whether who may do this may do the other."""
        return (
            (self.everywhere or not other.everywhere)
            and self.group in (ANY, other.group)
            and self.resource in (ANY, other.resource, f"*/{other.resource.partition('/')[2]}")
            and self.verb in (ANY, other.verb)
            and self.name in ("", other.name)
        )

    @property
    def thing(self) -> str:
        """The resource as kubectl writes it."""
        resource, slash, sub = self.resource.partition("/")
        group = f".{self.group}" if self.group else ""
        return f"{resource}{group}{slash}{sub}"


def granted(rule: Mapping[str, Any], *, everywhere: bool) -> frozenset[Permission]:
    """The permissions of a role's rule. A URL outside of the API counts as a resource."""
    verbs, names = _texts(rule, "verbs"), _texts(rule, "resourceNames") or ("",)
    found = [
        Permission(everywhere, group, resource, verb, name)
        for group in _texts(rule, "apiGroups")
        for resource in _texts(rule, "resources")
        for verb in verbs
        for name in names
    ]
    found += [Permission(everywhere, "", url, verb) for url in _texts(rule, "nonResourceURLs") for verb in verbs]
    return frozenset(found)


def _texts(rule: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = rule.get(key)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def uncovered(wanted: Iterable[Permission], held: frozenset[Permission]) -> list[Permission]:
    """Those of the wanted permissions that nothing of what is held covers, sorted."""
    rest = [each for each in wanted if each not in held and not held & _wider(each)]
    broad = [each for each in held if ANY in (each.group, each.resource[:1], each.verb)] if rest else []
    return sorted(each for each in rest if not any(wide.covers(each) for wide in broad))


def _wider(permission: Permission) -> frozenset[Permission]:
    """The permissions without a wildcard that cover this one."""
    return frozenset(
        Permission(everywhere, permission.group, permission.resource, permission.verb, name)
        for everywhere in {True, permission.everywhere}
        for name in {"", permission.name}
    )


def told(permissions: Iterable[Permission]) -> str:
    """``get, list of nodes, pods; create of pods/eviction; delete of configmaps[a, b]``."""
    verbs: dict[tuple[str, str], list[str]] = {}
    for each in sorted(permissions):
        verbs.setdefault((each.thing, each.name), []).append(each.verb)
    things: dict[tuple[str, ...], dict[str, list[str]]] = {}
    for (thing, name), found in verbs.items():
        things.setdefault(tuple(dict.fromkeys(found)), {}).setdefault(thing, []).append(name)
    parts: list[str] = []
    for verbs_told, named in things.items():
        told = ", ".join(f"{thing}[{', '.join(names)}]" if names != [""] else thing for thing, names in named.items())
        parts.append(f"{', '.join(verbs_told)} of {told}")
    return "; ".join(parts)


@dataclass(frozen=True)
class Condition:
    """What must hold of a render, of a container in it and of the cluster; an empty part always holds.

    Attributes:
        object: pattern for ``Kind/name`` of an object of the render.
        argument: pattern for an argument of the container, command included.
        env: pattern for ``NAME=value`` of a variable of the container.
        api: an API that the cluster serves, ``group/version``.
    """

    object: str = ""
    argument: str = ""
    env: str = ""
    api: str = ""

    def holds(self, objects: Iterable[str], container: Mapping[str, Any], apis: Iterable[str]) -> bool:
        """Whether it does."""
        return (
            (not self.object or _any(self.object, objects))
            and (not self.argument or _any(self.argument, _arguments(container)))
            and (not self.env or _any(self.env, _variables(container)))
            and (not self.api or self.api in apis)
        )


def _any(pattern: str, texts: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(text, pattern) for text in texts)


def _arguments(container: Mapping[str, Any]) -> list[str]:
    return [str(item) for key in ("command", "args") for item in container.get(key) or []]


def _variables(container: Mapping[str, Any]) -> list[str]:
    return [f"{item.get('name')}={item.get('value', '')}" for item in container.get("env") or []]


@dataclass(frozen=True)
class Need:
    """Permissions with the reason for them.

    Attributes:
        why: what the program does with them.
        permissions: see `Permission`.
        when: when it does that; None for always.
        unless: when it does not; None for never.
        otherwise: why they may be granted when it does not do that; empty when they may not.
    """

    why: str
    permissions: frozenset[Permission]
    when: Condition | None = None
    unless: Condition | None = None
    otherwise: str = ""


@dataclass(frozen=True)
class Selection:
    """Containers, by patterns; an empty part fits all.

    Attributes:
        pods: for ``Kind/name`` of the object that makes the pod.
        containers: for the container's name.
    """

    pods: tuple[str, ...] = ()
    containers: tuple[str, ...] = ()

    def fits(self, pod: str, container: str) -> bool:
        """Whether a container is one of them."""
        return (not self.pods or any(fnmatch.fnmatchcase(pod, pattern) for pattern in self.pods)) and (
            not self.containers or any(fnmatch.fnmatchcase(container, pattern) for pattern in self.containers)
        )


@dataclass(frozen=True)
class Program:
    """A program of the chart.

    Attributes:
        name: what messages call it.
        runs: in which containers.
        needs: without these something breaks.
        spare: these may be granted although nothing is known to break without them.
    """

    name: str
    runs: Selection
    needs: tuple[Need, ...]
    spare: tuple[Need, ...]


@dataclass(frozen=True)
class Table:
    """What is known of a chart; see the head of ``permissions.yaml``.

    Attributes:
        chart: its name.
        programs: see `Program`.
        elsewhere: pods with the values path that, when it is off, leaves their permissions to somebody else.
        unbound: roles that nothing binds -> why.
        theirs: patterns for templates of the user's own objects.
    """

    chart: str
    programs: tuple[Program, ...]
    elsewhere: tuple[tuple[Selection, str], ...]
    unbound: Mapping[str, str]
    theirs: tuple[str, ...]


def of(chart: str) -> Table | None:
    """The table of a chart; None when there is none."""
    table = load(_FILE.read_text(encoding="utf-8"))
    return table if table.chart == chart else None


def load(text: str) -> Table:
    """A table.

    Raises:
        ValueError, KeyError, TypeError: it is not written as its head says.
    """
    data = yamlio.load(text)
    return Table(
        chart=data["chart"],
        programs=tuple(_program(**entry) for entry in data["programs"]),
        elsewhere=tuple((_selection(**entry), value) for entry, value in _with_values(data.get("elsewhere", []))),
        unbound=data.get("unbound", {}),
        theirs=tuple(data.get("theirs", [])),
    )


def _with_values(entries: Iterable[Mapping[str, Any]]) -> Iterator[tuple[dict[str, Any], str]]:
    for entry in entries:
        rest = dict(entry)
        value = rest.pop("value")
        yield rest, value


def _selection(pods: Iterable[str] = (), containers: Iterable[str] = ()) -> Selection:
    return Selection(tuple(pods), tuple(containers))


def _program(
    name: str,
    needs: Iterable[Mapping[str, Any]] = (),
    spare: Iterable[Mapping[str, Any]] = (),
    grants: Iterable[Mapping[str, Any]] = (),
    **runs: Iterable[str],
) -> Program:
    own = [_need(**entry) for entry in needs]
    own += [_grant(**entry) for entry in grants]
    more = [_need(**entry) for entry in spare]
    more += [Need(need.otherwise, need.permissions) for need in own if need.otherwise]
    return Program(name, _selection(**runs), tuple(own), tuple(more))


def _grant(role: str, **rest: Mapping[str, Any]) -> Need:
    return _need(why=f"writes the role {role}, and nobody may grant what they do not hold", otherwise="", **rest)


def _need(why: str, otherwise: str = "", **rest: Mapping[str, Any]) -> Need:
    conditions = {key: Condition(**rest.pop(key)) for key in ("when", "unless") if key in rest}
    found = frozenset(
        (*_listed(rest.pop("cluster", {}), everywhere=True), *_listed(rest.pop("namespace", {}), everywhere=False))
    )
    if rest or not found or not why:
        raise ValueError(f"{why}: {', '.join(rest) or 'no permissions'}")
    return Need(why, found, otherwise=otherwise, **conditions)


def _listed(things: Mapping[str, list[str]], *, everywhere: bool) -> Iterator[Permission]:
    for thing, verbs in things.items():
        match = _RESOURCE.fullmatch(thing)
        if match is None:
            raise ValueError(f"{thing} is no resource")
        resource, group, sub, names = match.groups()
        for verb in verbs:
            for name in (names or "").split(","):
                yield Permission(everywhere, group or "", f"{resource}{sub or ''}", verb, name)
