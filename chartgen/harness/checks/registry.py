"""All checks, in the order of their names' use in reports. A new check is a module here and a line below."""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from chartgen.harness import graph, values
from chartgen.harness.case import Case
from chartgen.harness.check import Check, EachDocument
from chartgen.harness.checks import (
    duplicate_keys,
    images,
    labels,
    names,
    nulls,
    permissions,
    pod_parts,
    policies,
    template_leftovers,
)
from chartgen.harness.checks.cel import Cel
from chartgen.harness.checks.chart_files import ChartFiles
from chartgen.harness.checks.custom_resources import CustomResources
from chartgen.harness.checks.deprecated_apis import DeprecatedApis
from chartgen.harness.checks.determinism import Determinism
from chartgen.harness.checks.drift import Drift
from chartgen.harness.checks.expectations import Expectations
from chartgen.harness.checks.hooks import Hooks
from chartgen.harness.checks.kubeconform import Kubeconform
from chartgen.harness.checks.namespaces import Namespaces
from chartgen.harness.checks.notes import Notes
from chartgen.harness.checks.objects import ExactObjects
from chartgen.harness.checks.oracle import EqualsOracle
from chartgen.harness.checks.pod_security import Declared, PodSecurity
from chartgen.harness.checks.rbac import Rbac
from chartgen.harness.checks.references import References
from chartgen.harness.checks.refuses import Refuses
from chartgen.harness.checks.renders import Renders
from chartgen.harness.checks.stability import Stability
from chartgen.harness.contexts import Contexts
from chartgen.harness.given import EachDocumentUnlessGiven
from chartgen.harness.judge import Judge
from chartgen.harness.linters import Linter
from chartgen.harness.memo import Memo
from chartgen.harness.options import Options
from chartgen.harness.oracle import Oracle
from chartgen.harness.rerender import Rerender

# What needs no render that helm accepted.
FIRST = "renders"
# The one check of cases that must be refused.
REFUSES = "refuses"
# Checks of a whole render that make sense of a part of it, too.
_OF_ANY_PART = (FIRST, REFUSES, "oracle", "kubeconform", "custom-resources", "cel", "deprecated-apis")


@dataclass(frozen=True)
class Setting:
    """What checks need to know besides the case.

    Attributes:
        chart: the chart.
        judge: judges documents by schema.
        oracle: see `chartgen.harness.checks.oracle`.
        contexts: what the templates see in a case.
        pod_security: see `chartgen.harness.checks.pod_security`.
        kubes: Kubernetes minor versions that every document is judged for, besides the case's own.
        guarded: APIs, ``group/version`` with or without a kind, that the templates ask for before they use them: a Kubernetes
            that does not have one never sees it.
        options: what was asked for; everything when None.
        foreign: whether the chart is another project's, and has promised nothing.
        rerender: renders a case once more; None when nobody can.
        linters: linters of the trade that are installed.
    """

    chart: values.Chart
    judge: Judge
    oracle: Oracle | None
    contexts: Contexts
    pod_security: Declared
    kubes: tuple[str, ...] = ()
    guarded: frozenset[str] = frozenset()
    options: Options | None = None
    foreign: bool = False
    rerender: Rerender | None = None
    linters: tuple[Linter, ...] = ()


# What holds of any values that the chart takes, however odd. The others judge whether a cluster would like them.
_OF_ANY_VALUES = (
    FIRST, REFUSES, "oracle", "kubeconform", "custom-resources", "nulls", "duplicate-keys", "namespaces",
)  # fmt: skip
# What is right only for values that somebody chose with a cluster in mind: a combination has empty image names, accounts that
# others make, pods without a security context, and advice for a namespace that none of them needs.
_OF_CHOSEN_VALUES = ("images", "names", "notes", "pod-security", "references")


def applies(check: Check, case: Case) -> bool:
    """Whether a check has anything to say about a case."""
    if (check.name == REFUSES) is not (case.refusal is not None):
        return False
    if case.is_combination and check.name in _OF_CHOSEN_VALUES:
        return False
    return not case.is_odd or check.name in _OF_ANY_VALUES


def build(setting: Setting) -> tuple[Check, ...]:
    """Every check, `FIRST` first; where only some components are asked for, those that need not see the whole render."""
    checks = _all(setting)
    if setting.options is None or not setting.options.components:
        return checks
    return tuple(
        check
        for check in checks
        if isinstance(check, EachDocument | EachDocumentUnlessGiven) or check.name in _OF_ANY_PART
    )


def _all(setting: Setting) -> tuple[Check, ...]:
    part = setting.options if setting.options and setting.options.components else None
    objects = Memo(graph.nodes)
    return (
        Renders(may_be_empty=part is not None, may_refuse=setting.foreign),
        EqualsOracle(setting.contexts, setting.oracle, part.concerns if part else None),
        Kubeconform(setting.judge, setting.kubes, setting.guarded),
        CustomResources(setting.judge),
        Cel(setting.judge.custom, setting.rerender),
        DeprecatedApis(setting.judge, setting.kubes, setting.guarded),
        EachDocument("drift", Drift(setting.judge).judged),
        ExactObjects(),
        EachDocument("nulls", nulls.judge),
        EachDocument("duplicate-keys", duplicate_keys.judge),
        EachDocument("names", names.judge),
        EachDocumentUnlessGiven("labels", labels.judge),
        EachDocumentUnlessGiven("images", images.judge),
        EachDocumentUnlessGiven("pod-parts", pod_parts.judge),
        EachDocumentUnlessGiven("template-leftovers", template_leftovers.judge),
        Namespaces(setting.judge),
        References(objects),
        Hooks(objects),
        Expectations(),
        PodSecurity(setting.pod_security),
        Rbac(permissions.of(setting.chart.name) if setting.oracle else None),
        Stability(setting.rerender, setting.judge.custom, may_restart=setting.foreign),
        Determinism(setting.rerender),
        Notes(setting.oracle, setting.contexts, setting.rerender),
        *_asked_for(setting),
        ChartFiles(setting.chart, setting.oracle),
        Refuses(),
    )


def _asked_for(setting: Setting) -> tuple[Check, ...]:
    """Checks that are made only when they are named."""
    if setting.options is None or setting.rerender is None or policies.NAME not in setting.options.checks:
        return ()
    accepted = policies.accepted(setting.chart.name) if setting.oracle else ()
    return (policies.Policies(setting.linters, accepted, setting.rerender.scratch),)


def known() -> tuple[str, ...]:
    """What ``--check`` may name: a module here is a check, but for the two that checks are made with."""
    folder = Path(__file__).parent
    modules = sorted(file.stem for file in folder.glob("*.py"))
    return tuple(name.replace("_", "-") for name in modules if name not in ("__init__", "permissions", "registry"))


def demand(name: str) -> str:
    """What a check demands: the first paragraph of its module, which has the check's name. Empty for what is no check."""
    module = f"{__package__}.{name.replace('-', '_')}"
    if importlib.util.find_spec(module) is None:
        return ""
    paragraph = (importlib.import_module(module).__doc__ or "").strip().partition("\n\n")[0]
    return " ".join(paragraph.replace("``", "").split())
