"""YAML as Helm's world reads and writes it.

Helm and the Kubernetes API server read YAML with a fork of go-yaml 2 and turn it into JSON. That differs from PyYAML's
defaults in ways that matter to a chart: ``y`` and ``n`` are booleans, ``12:30`` is a string and not 750, a date is a
string, ``=`` is a string, ``0o17`` is 15. `load` reads like Helm, so that what it returns is what a cluster would get.

`locate` keeps the line of every key and finds duplicate keys: it is for files that people write.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import yaml

from chartgen.errors import ChartgenError, Problem

Path = tuple[str | int, ...]

_TRUE = frozenset(["y", "Y", "yes", "Yes", "YES", "on", "On", "ON", "true", "True", "TRUE"])
_FALSE = frozenset(["n", "N", "no", "No", "NO", "off", "Off", "OFF", "false", "False", "FALSE"])


class _HelmLoader(yaml.CSafeLoader):
    """PyYAML's C parser with go-yaml's implicit types."""

    # A dictionary of its own: the class attribute would otherwise be shared with every other loader.
    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}  # type: ignore[misc]  # the stubs call it an instance variable


def _construct_bool(loader: _HelmLoader, node: yaml.ScalarNode) -> bool:
    return node.value in _TRUE


_INTEGER = re.compile(r"[-+]?(?:0[bB][01]+|0[oO]?[0-7]+|0[xX][0-9a-fA-F]+|0|[1-9][0-9]*)")
_64_BITS = range(-(2**63), 2**64)  # larger ones are floats, if decimal
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")


def _construct_number(loader: _HelmLoader, node: yaml.ScalarNode) -> int | float | str:
    """A number, or the text itself when it only begins like one; underscores in it do not count, but for one that begins with a dot."""
    text = node.value if node.value.startswith(".") else node.value.replace("_", "")
    if _NO_NUMBER.fullmatch(text):
        return float(text.replace(".", ""))
    if _INTEGER.fullmatch(text):
        digits = text.lstrip("+-")
        is_octal = len(digits) > 1 and digits[0] == "0" and digits[1].isdigit()
        whole = int(text.replace(digits, f"0o{digits[1:]}") if is_octal else text, 0)
        if whole in _64_BITS:
            return whole
    number = float(text) if _FLOAT.fullmatch(text) else math.inf
    return str(node.value) if math.isinf(number) else number


_HelmLoader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("^(?:" + "|".join(sorted(_TRUE | _FALSE)) + ")$"), list("yYnNtTfFoO")
)
_HelmLoader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+.0-9][-+._0-9a-zA-Z]*$"), list("-+0123456789.")
)
_HelmLoader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile("^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""])
_HelmLoader.add_constructor("tag:yaml.org,2002:bool", _construct_bool)
_HelmLoader.add_constructor("tag:yaml.org,2002:float", _construct_number)


@dataclass(frozen=True)
class Located:
    """A document of a file that a person wrote.

    Attributes:
        where: the file's name, as problems shall show it.
        data: the document.
        lines: path of each key and list item -> line, counted from 1.
    """

    where: str
    data: Any
    lines: Mapping[Path, int]

    def at(self, path: Path) -> str:
        """``file:line`` of a path; of its nearest parent when the path itself has no line."""
        while path and path not in self.lines:
            path = path[:-1]
        return f"{self.where}:{self.lines.get(path, 1)}"


def load(text: str) -> Any:
    """The first document of `text`, as Helm would read it.

    Raises:
        yaml.YAMLError: the text is not YAML.
    """
    return yaml.load(text, Loader=_HelmLoader)  # noqa: S506 - a subclass of the safe loader


def load_all(text: str) -> list[Any]:
    """All documents of `text`, empty ones left out."""
    return [document for document in yaml.load_all(text, Loader=_HelmLoader) if document is not None]


def locate(text: str, where: str) -> Located:
    """A document with the line of every key.

    Raises:
        ChartgenError: not YAML, or a key stands twice in one mapping (all of them are listed).
    """
    lines: dict[Path, int] = {}
    problems: list[Problem] = []
    data = None
    try:
        loader = _HelmLoader(text)
        node = loader.get_single_node()
        if node is not None:
            _visit(node, (), where, lines, problems)
            data = loader.construct_document(node)
    except yaml.YAMLError as error:
        line, found = _told(error, text)
        raise ChartgenError([Problem(f"{where}:{line}", "", f"not YAML: {found}", "a YAML document")]) from error
    if problems:
        raise ChartgenError(problems)
    return Located(where, data, lines)


def _told(error: yaml.YAMLError, text: str) -> tuple[int, str]:
    """The line of an error, and what is wrong."""
    if isinstance(error, yaml.MarkedYAMLError):
        return error.problem_mark.line + 1 if error.problem_mark else 1, str(error.problem)
    if isinstance(error, yaml.reader.ReaderError):
        return text.encode().count(b"\n", 0, error.position) + 1, str(error.reason)
    return 1, str(error)


def _visit(node: yaml.Node, path: Path, where: str, lines: dict[Path, int], problems: list[Problem]) -> None:
    """Record the line of everything below `node`, and each key that stands twice."""
    if isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            lines[(*path, number)] = item.start_mark.line + 1
            _visit(item, (*path, number), where, lines, problems)
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            # A key is the text that stands there: `on` in a rule is a name and not the boolean true.
            key.tag = "tag:yaml.org,2002:str"
            here = (*path, str(key.value))
            line = key.start_mark.line + 1
            if here in lines:
                dotted = ".".join(str(part) for part in here)
                problems.append(
                    Problem(
                        f"{where}:{line}",
                        dotted,
                        f"a second {key.value!r}",
                        f"one only; the first is on line {lines[here]}",
                    )
                )
            lines.setdefault(here, line)
            _visit(value, here, where, lines, problems)


class _Dumper(yaml.SafeDumper):
    """Block style, lists indented below their key, nothing aliased, strings quoted when any YAML reader needs it."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: FBT001, FBT002 - PyYAML's own
        super().increase_indent(flow, indentless=False)

    def ignore_aliases(self, data: Any) -> bool:
        return True


def scalar(value: Any) -> str:
    """A scalar as YAML text on one line: plain when that is safe for every YAML reader, else double-quoted.

    Args:
        value: str, int, float, bool or None.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    return value if is_plain(value) else quoted(value)


@functools.lru_cache(maxsize=8192)
def is_plain(text: str) -> bool:
    """Whether `text` may stand unquoted and is read as this very string by YAML 1.1 and 1.2 readers alike."""
    if not re.fullmatch(r"[A-Za-z/_.<%+-][A-Za-z0-9/_.,<>=%+@:;!?*()' -]*", text) or text != text.strip():
        return False
    if (
        ": " in text
        or " #" in text
        or text.endswith(":")
        or text.startswith(("- ", "? ", "%", "<<"))
        or text in ("-", "<", "---")
    ):
        return False
    return isinstance(load(text), str) and isinstance(yaml.load(text, Loader=yaml.CSafeLoader), str)


def quoted(text: str) -> str:
    """`text` as a double-quoted YAML scalar on one line."""
    if text.isascii() and text.isprintable():
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    out = yaml.dump(text, Dumper=yaml.SafeDumper, default_style='"', width=1_000_000, allow_unicode=True)
    return out.rstrip("\n")


def _is_block(text: str) -> bool:
    """Whether a string of lines stands below its key, line by line."""
    return "\n" in text and not re.search(r"[^\n\x20-\x7e]| \n|^\s|\n\n\Z", text)


def _represent_str(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    if _is_block(text):
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|")
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if _dumps_plain(text) else '"')


def _dumps_plain(text: str) -> bool:
    """Whether the dumper may choose the style: long prose is folded, and only what a reader could misread is quoted."""
    return is_plain(text) or (len(text) > 60 and " " in text and bool(re.match(r"[A-Za-z]", text)))


_Dumper.add_representer(str, _represent_str)


def dump(value: Any, width: int = 118) -> str:
    """`value` as block-style YAML; key order is kept and the text is the same for the same value.

    Args:
        value: dicts, lists and scalars.
        width: column at which long prose is folded.
    """
    if isinstance(value, dict | list) and value:
        return "\n".join(_Writer(width).lines(value, 0)) + "\n"
    return by_library(value, width)


def by_library(value: Any, width: int) -> str:
    """What `dump` gives, by the library alone: slow, and the measure for it."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, width=width, allow_unicode=True, default_flow_style=False)


class _Writer:
    """Writes what the library would, in a tenth of its time: what is plain to write itself, and the rest by the library.

    Args:
        width: column at which long prose is folded.
    """

    def __init__(self, width: int) -> None:
        self._width = width

    def lines(self, value: dict[Any, Any] | list[Any], indent: int) -> list[str]:
        """The lines of a mapping or list that is not empty."""
        found: list[str] = []
        if isinstance(value, dict):
            for key, member in value.items():
                found += self._member(key, member, indent)
            return found
        for item in value:
            found += self._item(item, indent)
        return found

    def _member(self, key: Any, member: Any, indent: int) -> list[str]:
        if type(key) is not str or len(key) > 100 or not is_plain(key):
            return self._told(indent, {key: member})
        head = f"{' ' * indent}{key}:"
        if isinstance(member, dict | list) and member:
            return [head, *self.lines(member, indent + 2)]
        text = self._inline(member, len(head) + 1, indent + 2)
        return self._told(indent, {key: member}) if text is None else [f"{head} {text[0]}", *text[1:]]

    def _item(self, item: Any, indent: int) -> list[str]:
        pad = " " * indent
        if isinstance(item, dict | list) and item:
            first, *rest = self.lines(item, indent + 2)
            return [f"{pad}- {first[indent + 2 :]}", *rest]
        text = self._inline(item, indent + 2, indent + 2)
        return self._told(indent, [item]) if text is None else [f"{pad}- {text[0]}", *text[1:]]

    def _told(self, indent: int, value: dict[Any, Any] | list[Any]) -> list[str]:
        """The lines that the library has for an entry at an indentation."""
        inside: Any = value
        for _ in range(indent // 2):
            inside = {"x": inside}
        return by_library(inside, self._width).split("\n")[indent // 2 : -1]

    def _inline(self, value: Any, column: int, indent: int) -> list[str] | None:
        """A scalar or an empty collection from a column on, and its further lines; None for one that is left to the library."""
        if type(value) is str:
            return self._string(value, column, indent)
        if value is None or type(value) in (bool, int):
            return [scalar(value)]
        return ["{}" if isinstance(value, dict) else "[]"] if isinstance(value, dict | list) else None

    def _string(self, text: str, column: int, indent: int) -> list[str] | None:
        if _is_block(text):
            pad = " " * indent
            if text.endswith(" "):
                return None
            return ["|" if text.endswith("\n") else "|-", *(line and f"{pad}{line}" for line in text.splitlines())]
        if not _dumps_plain(text):
            plain = text.isascii() and text.isprintable() and column + len(text) * 2 + 2 < self._width
            return [quoted(text)] if plain else None
        if not text.isascii() or not text.isprintable() or text.endswith((":", " ")) or ": " in text or " #" in text:
            return None
        return self._folded(text, column, indent)

    def _folded(self, text: str, column: int, indent: int) -> list[str]:
        """A plain scalar; a line that has grown too long ends at the next single blank."""
        lines = [""]
        for word in re.findall(r" +|[^ ]+", text):
            if word == " " and column > self._width:
                lines.append(" " * indent)
                column = indent
                continue
            lines[-1] += word
            column += len(word)
        return lines
