"""`extraObjects`: manifests of the user's own, whose template expressions Helm evaluates.

The template is text and no tree: what comes out of it is the user's affair. What can be computed of it is computed here,
so that the oracle covers the usual case: objects without expressions, and expressions that only read a value or a fact
of the release. Anything else is told to be open.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from chartgen import yamlio
from chartgen.tree import twins
from chartgen.tree.context import Context, lookup

FILE = "extraobjects.yaml"
_READ = re.compile(r"\{\{ ?\.((?:Release|Chart|Values)(?:\.\w+)+) ?\}\}")


class _Open(Exception):
    """An expression that is more than a read."""


def objects(context: Context) -> list[dict[str, Any]]:
    """The objects that can be computed."""
    found: list[dict[str, Any]] = []
    for item in context.values.get("extraObjects") or []:
        try:
            found += _item(item, context)
        except _Open:
            continue
    return found


def is_open(context: Context) -> bool:
    """Whether Helm may render more than `objects` says."""
    for item in context.values.get("extraObjects") or []:
        try:
            _item(item, context)
        except _Open:
            return True
    return False


def _item(item: Any, context: Context) -> list[dict[str, Any]]:
    if not isinstance(item, str):
        return [_filled(item, context)]
    documents = yamlio.load_all(_text(item, context))
    return [document for document in documents if document]


def _filled(value: Any, context: Context) -> Any:
    """A map's strings with their expressions evaluated."""
    if isinstance(value, Mapping):
        return {_filled(key, context): _filled(member, context) for key, member in value.items()}
    if isinstance(value, list):
        return [_filled(member, context) for member in value]
    if not isinstance(value, str) or "{{" not in value:
        return value
    text = _text(value, context)
    # Helm evaluates the map's YAML. A string that starts with an expression is quoted there, any other may turn into
    # a number or worse.
    if not value.startswith("{") and not yamlio.is_plain(text):
        raise _Open
    return text


def _text(template: str, context: Context) -> str:
    text = _READ.sub(lambda found: _read(found.group(1), context), template)
    if "{{" in text:
        raise _Open
    return text


def _read(path: str, context: Context) -> str:
    facts: Mapping[str, Any] = {
        "Release": {
            "Name": context.release_name,
            "Namespace": context.namespace,
            "Service": context.release_service,
        },
        "Chart": {
            "Name": context.chart_name,
            "Version": context.chart_version,
            "AppVersion": context.app_version,
        },
        "Values": context.values,
    }
    value = lookup(facts, path)
    if not isinstance(value, str | int):
        raise _Open
    return twins.text(value)
