"""Values paths: looking a field up, and naming the near miss when there is none."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping

from chartgen.schema.model import Field, Schema


class UnknownPath(LookupError):
    """No field has this path.

    Attributes:
        path: what was asked for.
        near: the most likely meant path; empty when nothing is near.
    """

    def __init__(self, path: str, near: str) -> None:
        super().__init__(f"{path} is not a value" + (f"; did you mean {near}?" if near else ""))
        self.path = path
        self.near = near


class Index:
    """All fields of a schema by their values path.

    Args:
        fields: the top-level values.
        broken: paths whose declaration is wrong. What lies there is not known, so nothing is said about it.
    """

    def __init__(self, fields: Mapping[str, Field], broken: Collection[str] = ()) -> None:
        self._broken = broken
        self._items: dict[str, Index] = {}
        self._fields = {field.path: field for top in fields.values() for field in top.walk()}

    @classmethod
    def of(cls, schema: Schema) -> Index:
        """The index of a loaded schema."""
        return cls(schema.fields)

    def __contains__(self, path: object) -> bool:
        return path in self._fields

    def __iter__(self) -> Iterable[str]:
        return iter(self._fields)

    def is_broken(self, path: str) -> bool:
        """Whether a path may only be unknown because of a mistake that is told already."""
        return any(f"{path}.".startswith(f"{broken}.") for broken in self._broken)

    def items(self, path: str) -> Index:
        """The members of a list's items, by their paths from the item.

        Raises:
            UnknownPath: there is no such list.
        """
        if path not in self._items:
            element = self.field(path).type.items
            found = Index({})
            for member in element.children if element is not None else ():
                for field in member.walk():
                    found._fields[field.path.removeprefix(f"{path}[].")] = field
            self._items[path] = found
        return self._items[path]

    def field(self, path: str) -> Field:
        """The field at a path.

        Raises:
            UnknownPath: there is none.
        """
        found = self._fields.get(path)
        if found is None:
            raise UnknownPath(path, near(path, self._fields))
        return found


def near(path: str, known: Iterable[str]) -> str:
    """The known path a person most likely meant by `path`, or "".

    A path that ends in the same name counts as near even when its parents differ: keys at the wrong level are the
    commonest mistake (``driver.maxParallelUpgrades``).
    """
    names = list(known)
    head, _, last = path.rpartition(".")
    same_end = [name for name in names if name.rpartition(".")[2] == last and name.startswith(head.split(".")[0])]
    if same_end:
        return min(same_end, key=lambda name: (len(name), name))
    found = difflib.get_close_matches(path, names, n=1, cutoff=0.75)
    return found[0] if found else ""
