"""Reading ``rules.yaml``: conditions as data into condition records, with every path checked.

A rule that holds for several components is written once: ``for`` lists their paths, or maps each to what must hold besides,
and ``IT`` stands for each in turn.
"""

from __future__ import annotations

import re
from typing import Any

from chartgen import yamlio
from chartgen.errors import Problem
from chartgen.schema import check, conditions
from chartgen.schema.conditions import Condition
from chartgen.schema.keywords import RULE_KEYWORDS
from chartgen.schema.model import Kind, Rule, Severity
from chartgen.schema.paths import Index, UnknownPath

_FORMS = ("on", "off", "set", "unset", "equals", "matches", "has", "same", "some", "twice", "api", "all", "any", "not")


def read(document: yamlio.Located, index: Index, problems: list[Problem]) -> tuple[Rule, ...]:
    """The rules of a file; what is wrong with it goes to `problems`."""
    reader = _Reader(document, index, problems)
    found: list[Rule] = []
    names: set[str] = set()
    for number, record in enumerate(check.part(document, ("rules",), "a list of rules", list, problems)):
        for rule in reader.rules(record, ("rules", number)):
            if rule.name in names:
                reader.report(("rules", number, "name"), f"a second rule {rule.name}", "a name of its own")
            names.add(rule.name)
            found.append(rule)
    return tuple(found)


def _filled(data: Any, name: str) -> Any:
    """A rule's record for one of the values it stands for: ``IT`` becomes that one's path."""
    if isinstance(data, dict):
        return {_filled(key, name): _filled(value, name) for key, value in data.items()}
    if isinstance(data, list):
        return [_filled(item, name) for item in data]
    return re.sub(r"\bIT\b", name, data) if isinstance(data, str) else data


class _Reader:
    """Reads rules, or the conditions on the items of a list.

    Args:
        document: the file.
        index: what paths are looked up in.
        problems: grows by the mistakes.
        outer: the reader of the condition that the list is asked in.
        path: of the list.
    """

    def __init__(
        self,
        document: yamlio.Located,
        index: Index,
        problems: list[Problem],
        outer: _Reader | None = None,
        path: str = "",
    ) -> None:
        self._document = document
        self._index = index
        self._problems = problems
        self._path = path
        # What is asked of the items of each list: the same question has the same name in the templates.
        self._asked: dict[str, list[Condition]] = {} if outer is None else outer._asked
        self._told: set[tuple[str, str]] = set()

    def report(self, at: yamlio.Path, found: str, expected: str, hint: str = "") -> None:
        """Tell of a mistake, and of one in a shared condition only where it is first used."""
        where = self._document.at(at)
        if (where, found) not in self._told:
            self._told.add((where, found))
            self._problems.append(Problem(where, ".".join(str(key) for key in at), found, expected, hint))

    def rules(self, record: Any, at: yamlio.Path) -> list[Rule]:
        """The rules of a record: one, or with ``for`` one for each path in it."""
        if not isinstance(record, dict):
            self.report(at, check.show(record), "a rule (a map with name, refuse or warn, message, fix)")
            return []
        for key in record:
            if key not in RULE_KEYWORDS:
                self.report((*at, key), f"the unknown keyword {key}", "one of " + ", ".join(sorted(RULE_KEYWORDS)))
        missing = sorted({"name", "message", "fix"} - set(record))
        for key in missing:
            self.report(at, f"no {key}", f"{key} in every rule")
        severities = [severity for severity in Severity if severity.value in record]
        if len(severities) != 1:
            self.report(at, " and ".join(each.value for each in severities) or "neither", "one of refuse and warn")
        if missing or len(severities) != 1:
            return []
        if "for" not in record:
            return self._rule(record, severities[0], at)
        severity = severities[0]
        found: list[Rule] = []
        if not isinstance(record["for"], dict | list):
            self.report((*at, "for"), check.show(record["for"]), "a list of paths, or a map of path to condition")
            return []
        each = record["for"] if isinstance(record["for"], dict) else dict.fromkeys(map(str, record["for"]))
        for name, when in each.items():
            filled = {key: _filled(value, str(name)) for key, value in record.items() if key != "for"}
            filled["name"] = f"{record['name']}-{str(name).replace('.', '-')}"
            if when is not None:
                filled[severity.value] = {"all": [_filled(when, str(name)), filled[severity.value]]}
            found += self._rule(filled, severity, at)
        return found

    def _rule(self, record: dict[str, Any], severity: Severity, at: yamlio.Path) -> list[Rule]:
        condition = self.condition(record[severity.value], (*at, severity.value))
        if condition is None:
            return []
        given = record.get("paths") or []
        if not isinstance(given, list):
            self.report((*at, "paths"), check.show(given), "a list of paths")
            return []
        for number, path in enumerate(given):
            self._known(path, (*at, "paths", number))
        paths = tuple(given or conditions.paths(condition))
        rule = Rule(
            name=str(record["name"]),
            condition=condition,
            severity=severity,
            message=str(record["message"]).strip(),
            fix=str(record["fix"]).strip(),
            paths=paths,
            where=self._document.at(at),
        )
        return [rule]

    def condition(self, data: Any, at: yamlio.Path) -> Condition | None:
        """A condition, or None and at least one problem."""
        if not isinstance(data, dict) or len(data) != 1 or next(iter(data)) not in _FORMS:
            found = ", ".join(map(str, data)) if isinstance(data, dict) and data else check.show(data)
            self.report(at, found, "one of " + ", ".join(_FORMS))
            return None
        form, value = next(iter(data.items()))
        here = (*at, form)
        match form:
            case "all" | "any":
                if not isinstance(value, list):
                    self.report(here, check.show(value), "a list of conditions")
                    return None
                members = [self.condition(member, (*here, number)) for number, member in enumerate(value)]
                known = [member for member in members if member is not None]
                if len(known) < len(members):
                    return None
                return conditions.all_of(*known) if form == "all" else conditions.any_of(*known)
            case "not":
                inner = self.condition(value, here)
                return None if inner is None else conditions.negate(inner)
            case "api":
                return conditions.Api(str(value))
            case "on" | "off" | "set" | "unset":
                if not self._known(value, here):
                    return None
                leaf = conditions.On(value) if form in ("on", "off") else conditions.Set(value)
                return conditions.negate(leaf) if form in ("off", "unset") else leaf
            case "has":
                return self._has(value, here)
            case "same":
                return self._same(value, here)
            case "some" | "twice":
                return self._of_items(form, value, here)
            case _:
                return self._compared(form, value, here)

    def _known(self, path: Any, at: yamlio.Path) -> bool:
        try:
            self._index.field(str(path))
        except UnknownPath as error:
            if not self._index.is_broken(str(path)):
                near = f"did you mean {error.near}?" if error.near else ""
                self.report(at, f"the unknown path {path}", "a values path", near)
            return False
        return True

    def _has(self, value: Any, at: yamlio.Path) -> Condition | None:
        if not isinstance(value, dict) or set(value) != {"path", "key"}:
            self.report(at, check.show(value), "a map with path and key")
            return None
        key = value["key"]
        key_from = str(key.get("value") or "") if isinstance(key, dict) else ""
        if not self._known(value["path"], (*at, "path")) or (key_from and not self._known(key_from, (*at, "key"))):
            return None
        return conditions.Has(value["path"], key="" if key_from else str(key), key_from=key_from)

    def _same(self, value: Any, at: yamlio.Path) -> Condition | None:
        if not isinstance(value, list) or len(value) != 2:
            self.report(at, check.show(value), "a list of two paths")
            return None
        known = [self._known(path, (*at, number)) for number, path in enumerate(value)]
        return conditions.Same(*map(str, value)) if all(known) else None

    def _of_items(self, form: str, value: Any, at: yamlio.Path) -> Condition | None:
        """What some item of a list is like, or a member that two of its items have alike."""
        about = "that" if form == "some" else "member"
        if not isinstance(value, dict) or set(value) != {"of", about}:
            self.report(at, check.show(value), f"a map with of and {about}")
            return None
        path = str(value["of"])
        if not self._known(path, (*at, "of")):
            return None
        items = self._index.field(path).type.items
        if items is None or items.type.kind is not Kind.OBJECT:
            self.report((*at, "of"), path, "the path of a list of objects")
            return None
        name = f"{self._path}.{path}" if self._path else path
        inside = _Reader(self._document, self._index.items(path), self._problems, self, name)
        if form == "twice":
            known = inside._known(value["member"], (*at, "member"))
            return conditions.Twice(path, str(value["member"])) if known else None
        inner = inside.condition(value["that"], (*at, "that"))
        if inner is None:
            return None
        if any(isinstance(leaf, conditions.Api) for leaf in conditions.leaves(inner)):
            self.report((*at, "that"), "api", "a condition on the item alone")
            return None
        asked = self._asked.setdefault(name, [])
        if inner not in asked:
            asked.append(inner)
        number = asked.index(inner)
        return conditions.Some(path, inner, f"some.{name}" + (f".{number + 1}" if number else ""))

    def _compared(self, form: str, value: Any, at: yamlio.Path) -> Condition | None:
        if not isinstance(value, dict) or not value:
            self.report(
                at,
                check.show(value),
                "a map of path to " + ("a literal" if form == "equals" else "a regular expression"),
            )
            return None
        found: list[Condition] = []
        for path, literal in value.items():
            if not self._known(path, (*at, path)):
                return None
            if form == "equals":
                found.append(conditions.Equals(path, str(literal)))
                continue
            try:
                re.compile(str(literal))
            except re.error as error:
                self.report((*at, path), f"a pattern that does not compile: {error}", "a regular expression")
                return None
            found.append(conditions.Matches(path, str(literal)))
        return conditions.all_of(*found)
