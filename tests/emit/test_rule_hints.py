"""Rules in the JSON Schema: true for the same values as the rule, and never a reason for Helm to stop."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from support import judged

from chartgen import yamlio
from chartgen.emit import jsonschema as emit_jsonschema

CASES: dict[str, dict[str, Any]] = yamlio.load((judged.ROOT / "tests" / "data" / "rules.yaml").read_text())
DOCUMENT = emit_jsonschema.document(judged.schema())
RULES = {rule.text: rule.name for rule in judged.schema().rules}


def messages(node: Any) -> set[str]:
    """Every message of a hint."""
    if not isinstance(node, dict):
        return set()
    own = {node["deprecationMessage"]} if isinstance(node.get("deprecationMessage"), str) else set()
    return own.union(*(messages(member) for member in node.values()))


HINTS = {RULES[message]: hint for hint in DOCUMENT["allOf"] for message in messages(hint["then"])}


def holds(name: str, given: dict[str, Any]) -> bool:
    """Whether a hint is shown for a values file."""
    return jsonschema.Draft7Validator(HINTS[name]["if"]).is_valid(given)


def test_the_simple_ones_are_told() -> None:
    """Those that upstream has, and others as simple; one sentence each."""
    assert {"one-stack-only", "nri-needs-cdi", "nri-needs-toolkit", "device-plugin-config-needs-name"} <= set(HINTS)
    assert len(HINTS) == len(DOCUMENT["allOf"]) > 15


@pytest.mark.parametrize("name", HINTS)
def test_a_hint_is_its_rule(name: str) -> None:
    """It is shown for the values that the rule refuses, and not for those next to them; defaults count as given."""
    assert holds(name, judged.nested(CASES[name]["holds"]))
    assert not holds(name, judged.nested(CASES[name]["passes"]))
    assert not holds(name, {})


@pytest.mark.parametrize("name", HINTS)
def test_helm_does_not_stop_at_it(name: str) -> None:
    """The sentence is told by the chart, which the schema must let the values get to."""
    without = {key: value for key, value in DOCUMENT.items() if key != "allOf"}
    given = judged.nested(CASES[name]["holds"])
    assert jsonschema.Draft7Validator(DOCUMENT).is_valid(given) is jsonschema.Draft7Validator(without).is_valid(given)
    assert set(HINTS[name]["then"]) == {"properties"}
