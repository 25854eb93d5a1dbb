"""Rules across fields: what each refuses or warns of, what stands next to it and passes, and what helm says."""

from __future__ import annotations

from typing import Any

import pytest
from support import judged
from support.judged import DRA, Rendered

from chartgen import yamlio
from chartgen.components import validations
from chartgen.schema.model import Severity

CASES: dict[str, dict[str, Any]] = yamlio.load((judged.ROOT / "tests" / "data" / "rules.yaml").read_text())
RULES = {rule.name: rule for rule in judged.schema().rules}
REFUSED = [name for name, rule in RULES.items() if rule.severity is Severity.REFUSE]


def told(name: str, values: str) -> list[str]:
    """What the Python side says about a case's values, at the rule's severity."""
    case = CASES[name]
    context = judged.context(judged.nested(case[values]), *case.get("apis", ()))
    schema = judged.schema()
    is_refusal = RULES[name].severity is Severity.REFUSE
    return validations.refused(schema, context) if is_refusal else validations.warned(schema, context)


def flags(name: str) -> list[str]:
    return [word for api in CASES[name].get("apis", ()) for word in ("--api-versions", api)]


def test_every_rule_has_a_case() -> None:
    """No rule without values that it holds for, and no case of a rule that is gone."""
    assert list(CASES) == list(RULES)


@pytest.mark.parametrize("name", RULES)
def test_holds(name: str) -> None:
    """The rule alone is told, with its paths and the way out."""
    (sentence,) = told(name, "holds")
    assert [words for words in CASES[name]["says"] if words not in sentence] == []
    assert ". Way out: " in sentence


@pytest.mark.parametrize("name", RULES)
def test_passes(name: str) -> None:
    """Values next to it are let through, by this rule and all others."""
    assert RULES[name].text not in told(name, "passes")
    context = judged.context(judged.nested(CASES[name]["passes"]), *CASES[name].get("apis", ()))
    assert validations.refused(judged.schema(), context) == []


@pytest.mark.parametrize("name", REFUSED)
def test_helm_says_the_same(rendered4: Rendered, name: str) -> None:
    """Helm refuses with the very sentence, and takes what passes."""
    case = CASES[name]
    skips = ["--skip-schema-validation"] if name == "log-level-above-zero" else []
    assert rendered4.refusals(judged.nested(case["holds"]), *flags(name), *skips) == told(name, "holds")
    assert rendered4.refusals(judged.nested(case["passes"]), *flags(name)) == []


def test_all_that_is_wrong_is_told_at_once(rendered: Rendered) -> None:
    """Rules and misplaced keys in one message, whatever helm."""
    values = {
        "cdi": {"enabled": "false", "nriPluginEnabled": True},
        "toolkit": {"enabled": False, "toolkit": {"env": []}},
        "driver": {"usePrecompiled": True, "maxParallelUpgrades": 5},
        "gds": {"enabled": True, "version": 2},
        "manager": {"env": []},
    }
    found = rendered.refusals(values, "--api-versions", DRA)
    assert found == validations.refused(judged.schema(), judged.context(values, DRA))
    assert [sentence.split(": ")[0].split(" is not")[0] for sentence in found] == [
        "driver.maxParallelUpgrades",
        "manager",
        "toolkit.toolkit",
        "cdi.nriPluginEnabled, cdi.enabled",
        "cdi.nriPluginEnabled, toolkit.enabled",
        "driver.usePrecompiled, driver.version",
        "driver.usePrecompiled, gds.enabled",
    ]


STATIC: dict[str, Any] = {"operator": {"enabled": False}}
PRECOMPILED: dict[str, Any] = {"usePrecompiled": True, "version": "580"}
POOLS_LACK: list[tuple[str, dict[str, Any], list[dict[str, Any]], dict[str, Any], bool]] = [
    ("driver-needs-the-operating-system", {}, [{"os": "rhel9"}, {}], {}, True),
    ("driver-needs-the-operating-system", {}, [{"os": "rhel9"}, {"os": "sles15"}], {}, False),
    ("driver-needs-the-operating-system", {"os": "rhel9"}, [{"os": "sles15"}, {}], {}, False),
    ("driver-needs-the-operating-system", {}, [{"containerRuntime": "crio"}], {"enabled": False}, False),
    ("precompiled-needs-the-kernel", {"os": "rhel9"}, [{"kernelVersion": "5.14"}, {"os": "rhel8"}], PRECOMPILED, True),
    ("precompiled-needs-the-kernel", {"os": "rhel9"}, [{"kernelVersion": "5.14"}], PRECOMPILED, False),
    ("precompiled-needs-the-kernel", {"os": "rhel9", "kernelVersion": "6.8"}, [{"os": "rhel8"}], PRECOMPILED, False),
    ("precompiled-needs-the-kernel", {"os": "rhel9"}, [{}], {}, False),
]


@pytest.mark.parametrize(("rule", "cluster", "given", "driver", "refused"), POOLS_LACK)
def test_pools_that_lack_a_fact(
    rendered4: Rendered,
    rule: str,
    cluster: dict[str, Any],
    given: list[dict[str, Any]],
    driver: dict[str, Any],
    *,
    refused: bool,
) -> None:
    """A pool has each fact that its driver needs, of its own or from the cluster."""
    pools = [{"name": f"p{number}", "nodeSelector": {"p": number}, **pool} for number, pool in enumerate(given)]
    values = {**STATIC, "cluster": {**cluster, "nodePools": pools}, "driver": driver}
    assert rendered4.refusals(values) == ([RULES[rule].text] if refused else [])
    assert validations.refused(judged.schema(), judged.context(values)) == ([RULES[rule].text] if refused else [])


@pytest.mark.parametrize(
    ("cluster", "systems", "refused"),
    [
        ("ubuntu22.04", ["rhel9.4", "talos1"], True),
        ("talos1", ["rhel9.4", "sles15"], False),
        ("talos1", ["rhel9.4", None], True),
        (None, ["rhel9.4", "sles15"], False),
    ],
)
def test_files_of_pools_need_a_known_system(cluster: str | None, systems: list[str | None], *, refused: bool) -> None:
    """Each pool counts with the system that its driver is made for."""
    pools = [{"name": str(system), "nodeSelector": {"p": "x"}, "os": system} for system in systems]
    values = {
        **STATIC,
        "cluster": {"os": cluster, "nodePools": pools, "configMaps": {"x": ["a"]}},
        "driver": {"repoConfig": {"configMapName": "x"}},
    }
    found = validations.refused(judged.schema(), judged.context(values))
    assert found == ([RULES["files-need-a-known-system-driver-repoConfig-configMapName"].text] if refused else [])


@pytest.mark.parametrize(
    ("version", "needs_open"),
    [
        ("2.17.4", False), ("2.17.5", True), ("v2.17.5", True), ("2.18", True), ("2.17.5-1", False), ("v2", False),
        ("2.20.5-ubuntu", True), ("abc", False), ("sha256:" + "0" * 64, True), ("2.29.4", True), ("2.9.9", False), (3, True),
        ("2.17.10", True), ("10.0.0", True), ("2.017.5", False), ("2.18-rc", False), ("2.17.5+1", True),
    ],
)  # fmt: skip
def test_open_modules_by_gds_version(version: Any, needs_open: bool) -> None:
    """As Go compares semantic versions: what is none counts as old, a digest as new."""
    values = {"driver": {"nvidiaDriverCRD": {"enabled": True}}, "gds": {"enabled": True, "version": version}}
    found = validations.refused(judged.schema(), judged.context(values))
    assert (RULES["gds-needs-open-modules"].text in found) is needs_open
