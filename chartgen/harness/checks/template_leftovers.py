"""No text holds what a template leaves behind when it goes wrong: no value, a Go map, an expression that nobody evaluated.

Helm takes all of these for success. What stands in the case's values was not left behind, and braces alone prove
nothing: dashboards, alerts and configurations of other programs are full of them. An expression counts when it speaks
of what only Helm has, or where Kubernetes looks at the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from chartgen.harness import places
from chartgen.harness.given import Doubt
from chartgen.harness.manifests import Document
from chartgen.harness.places import mapping, text
from chartgen.harness.results import invalid

_SHOWN = 80
# What Go prints where there is nothing, where a verb of printf does not fit, and of values that are no text.
_PRINTED = re.compile(
    r"<no value>|<nil>|%!(?:[a-zA-Z]\(|\((?:EXTRA|NOVERB|BADWIDTH|BADPREC|BADINDEX)\b)|\bmap\[(?:[\w./-]*:[^\]\n]*)?\]"
)
# An expression that only Helm could evaluate.
_HELMS = re.compile(
    r"\{\{[^}]*(?:\.(?:Values|Chart|Capabilities)\.|\.Release\.(?:Name|Namespace|Service|Revision|Is[A-Z])"
    r"|\.Template\.(?:Name|BasePath)|\.Files\.[A-Z]|\binclude \")[^}]*\}\}"
)
_BRACES = re.compile(r"\{\{.*?(?:\}\}|$)|\}\}", re.DOTALL)
# Places whose text Kubernetes itself reads, so that braces there can mean nothing to anybody.
_PLAIN = re.compile(
    r"(?:apiVersion|kind)|(?:.*\.)?(?:name|namespace|image|serviceAccountName|claimName|secretName|nodeSelector\..*)"
    r"|(?:.*\.)?metadata\.labels\..*|(?:.*\.)?matchLabels\..*"
)
# Without any of these in its text a document holds nothing of all that; an escape may hide some.
_SIGNS = re.compile(r"<no value>|<nil>|%!|map\[|\{\{|\}\}|null|[\t\r]|\\[trux]")
_DATA = frozenset(("ConfigMap", "Secret"))


def judge(document: Document) -> Iterator[Doubt]:
    """Names the path of each; see `chartgen.harness.given.EachDocumentUnlessGiven`."""
    if not _SIGNS.search(document.text):
        return
    for each in document.objects:
        kind = text(each.get("kind"))
        if kind == "CustomResourceDefinition":
            continue  # its descriptions speak of anything
        identity = f"{kind}/{text(mapping(each.get('metadata')).get('name'))}"
        for path, content in [*places.strings(each), *_keys(each)]:
            is_data = kind in _DATA and not path.startswith("metadata")
            for left, words in leftovers(path, content, is_data=is_data):
                yield Doubt(invalid(identity, f"{path} {words}: {_shown(content, left)}"), left)


def leftovers(path: str, content: str, *, is_data: bool = False) -> Iterator[tuple[str, str]]:
    """Each thing left behind in a text, with what to say of it.

    Args:
        path: where the text is.
        content: the text.
        is_data: whether it is a file for some program and not read by Kubernetes.
    """
    for match in _PRINTED.finditer(content):
        yield match[0], f"holds {match[0]}, which Go prints where a template went wrong"
    expressions = list(_HELMS.finditer(content))
    for match in expressions:
        yield match[0], "holds an expression of Helm that was not evaluated"
    if not expressions and _PLAIN.fullmatch(path):
        for match in _BRACES.finditer(content):
            yield match[0], "holds braces, and nothing will evaluate them"
    if content == "null" and not is_data:
        yield content, "is the word null and not nothing"
    if "\r\n" in content:
        yield "\r\n", "has line ends of Windows"
    if "\t" in content and "\n" not in content and not is_data:
        yield "\t", "holds a tab"


def _keys(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every key of a mapping as a text of its own, with the mapping's path."""
    if isinstance(value, dict):
        for name, member in value.items():
            place = f"{path}.{name}" if path else str(name)
            if isinstance(name, str):
                yield path, name
            yield from _keys(member, place)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _keys(item, f"{path}[{number}]")


def _shown(content: str, left: str) -> str:
    """The text around what was left behind, on one line."""
    start = max(0, content.find(left) - _SHOWN // 2)
    return repr(content[start : start + _SHOWN])
