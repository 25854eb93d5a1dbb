"""The values that a template sees: chart defaults and a user's values, put together just as Helm does it.

The oracle has to start from the same values as helm, whose rules are finer than "the user wins": a null deletes a key
that the chart has and stays where the chart has none; nulls among the chart's own defaults survive Helm 3 and are
dropped by Helm 4; a chart with an enabled dependency first takes in that one's defaults. This follows Helm's
``chartutil`` step by step, and the tests hold it against the real programs.

Not supported, since no chart here uses them: ``tags`` and ``import-values``. They are refused.
"""

from __future__ import annotations

import marshal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from chartgen import yamlio
from chartgen.errors import ChartgenError, Problem

# Of marshal's formats the last that writes a map anew wherever it stands.
_EACH_BY_ITSELF = 2
_GLOBAL = "global"
_DROPS_DEFAULT_NULLS = 4


@dataclass(frozen=True)
class Dependency:
    """A line of ``dependencies`` in Chart.yaml.

    Attributes:
        name: of the chart.
        alias: the name that it goes by here; empty for its own.
        conditions: values paths, the first that holds a boolean decides.
    """

    name: str
    alias: str = ""
    conditions: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """The key of its values."""
        return self.alias or self.name


@dataclass(frozen=True)
class Chart:
    """A chart directory, as far as values and versions go.

    Attributes:
        name: from Chart.yaml, or the alias.
        version: from Chart.yaml.
        app_version: from Chart.yaml; empty when absent.
        values: values.yaml.
        declared: the dependencies of Chart.yaml.
        charts: what lies in ``charts/``.
        kube_version: the range of Kubernetes versions that Helm lets it into; empty for any.
    """

    name: str
    version: str
    app_version: str
    values: Mapping[str, Any]
    declared: tuple[Dependency, ...] = ()
    charts: tuple[Chart, ...] = ()
    kube_version: str = ""


def load(folder: Path) -> Chart:
    """Read a chart directory.

    Raises:
        ChartgenError: it is not one, or uses what is not supported here.
    """
    where = folder / "Chart.yaml"
    if not where.is_file():
        raise ChartgenError([Problem(str(folder), "", "no Chart.yaml", "a chart directory")])
    facts = yamlio.locate(where.read_text(encoding="utf-8"), str(where)).data
    if not isinstance(facts, dict) or not all(isinstance(facts.get(key), str) for key in ("name", "version")):
        raise ChartgenError([Problem(str(where), "", "no name or no version", "both, as strings")])
    declared: list[Dependency] = []
    for entry in facts.get("dependencies") or []:
        unsupported = sorted({"tags", "import-values"} & set(entry))
        if unsupported:
            raise ChartgenError(
                [Problem(str(where), f"dependencies.{entry['name']}", ", ".join(unsupported), "conditions only")]
            )
        conditions = tuple(path.strip() for path in (entry.get("condition") or "").split(",") if path.strip())
        declared.append(Dependency(entry["name"], entry.get("alias") or "", conditions))
    values = folder / "values.yaml"
    defaults = _read_file(values) if values.is_file() else {}
    nested = sorted((folder / "charts").glob("*/Chart.yaml"))
    charts = tuple(load(path.parent) for path in nested)
    return Chart(
        facts["name"],
        facts["version"],
        str(facts.get("appVersion") or ""),
        defaults,
        tuple(declared),
        charts,
        str(facts.get("kubeVersion") or ""),
    )


def read(text: str) -> dict[str, Any]:
    """A values file as Helm has it: all keys are strings, since it goes through JSON."""
    values = _with_string_keys(yamlio.load(text))
    return values if isinstance(values, dict) else {}


def _read_file(file: Path) -> dict[str, Any]:
    """A values file.

    Raises:
        ChartgenError: it is no YAML.
    """
    try:
        return read(file.read_text(encoding="utf-8"))
    except yaml.YAMLError as cause:
        problem = Problem(str(file), "", f"not YAML: {' '.join(str(cause).split())}", "a values file")
        raise ChartgenError([problem]) from cause


def given(files: Sequence[Path], more: Mapping[str, Any]) -> dict[str, Any]:
    """What a user gives: values files, later ones on top, and more values on top of all of them.

    Helm puts them together before it looks at any default, so a null replaces what an earlier file says.

    Raises:
        ChartgenError: a file is no YAML.
    """
    found: dict[str, Any] = {}
    for file in files:
        found = _on_top(found, _read_file(file))
    return _on_top(found, more)


def _on_top(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(below)
    for key, value in above.items():
        old = result.get(key)
        result[key] = _on_top(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return result


def alone_in(chart: Chart, alias: str) -> Chart:
    """An umbrella chart that holds nothing but a chart, under a name of the umbrella's choice."""
    return Chart("umbrella", "0.1.0", "", {}, (Dependency(chart.name, alias),), (chart,))


def _with_string_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {_key(key): _with_string_keys(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_string_keys(item) for item in value]
    return value


def _key(key: Any) -> str:
    return str(key).lower() if isinstance(key, bool) else str(key)


def coalesce(chart: Chart, given: Mapping[str, Any], helm_major: int) -> dict[str, Any]:
    """The ``.Values`` of a chart's templates.

    Args:
        chart: the chart as it lies there.
        given: a user's values; nulls have their meaning.
        helm_major: 3 or 4.
    """
    merger = _Merger(drops_default_nulls=helm_major >= _DROPS_DEFAULT_NULLS)
    return merger.coalesce(merger.process(chart, given, ""), given, merge=False)


def _copied(value: Any) -> Any:
    """Maps and lists anew, at every depth: what is merged into must be nobody else's."""
    try:
        return marshal.loads(marshal.dumps(value, _EACH_BY_ITSELF))  # noqa: S302 - what was written just before
    except ValueError:  # what JSON has no word for is in it
        if isinstance(value, dict):
            return {key: _copied(item) for key, item in value.items()}
        return [_copied(item) for item in value] if isinstance(value, list) else value


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


@dataclass(frozen=True)
class _Merger:
    """Helm's functions; `merge` keeps nulls for a later step, as there.

    Attributes:
        drops_default_nulls: Helm 4: a null among chart defaults means that there is none.
    """

    drops_default_nulls: bool

    def process(self, chart: Chart, given: Mapping[str, Any], path: str) -> Chart:
        """A chart with its enabled dependencies only, and their defaults among its own."""
        chart = self._enabled(chart, given, path)
        return self._with_imports(chart)

    def _enabled(self, chart: Chart, given: Mapping[str, Any], path: str) -> Chart:
        undeclared = [sub for sub in chart.charts if sub.name not in {entry.name for entry in chart.declared}]
        named = list(undeclared)
        for entry in chart.declared:
            named += [replace(sub, name=entry.called) for sub in chart.charts if sub.name == entry.name][:1]
        values = self.coalesce(replace(chart, charts=tuple(named)), given, merge=False)
        disabled = {entry.called for entry in chart.declared if not _holds(entry, values, path)}
        kept = [self._enabled(sub, values, f"{path}{sub.name}.") for sub in named if sub.name not in disabled]
        declared = tuple(entry for entry in chart.declared if entry.called not in disabled)
        return replace(chart, charts=tuple(kept), declared=declared)

    def _with_imports(self, chart: Chart) -> Chart:
        chart = replace(chart, charts=tuple(self._with_imports(sub) for sub in chart.charts))
        if not chart.declared:
            return chart
        return replace(chart, values=self.coalesce(chart, {}, merge=True))

    def coalesce(self, chart: Chart, given: Mapping[str, Any], *, merge: bool) -> dict[str, Any]:
        values: dict[str, Any] = _copied(dict(given))
        self._values(chart, values, merge=merge)
        for sub in chart.charts:
            own = values.setdefault(sub.name, {})
            if not _is_table(own):
                raise ChartgenError(
                    [Problem("values", sub.name, type(own).__name__, "a mapping: values of a subchart")]
                )
            self._globals(own, values)
            values[sub.name] = self.coalesce(sub, own, merge=merge)
        return values

    def _values(self, chart: Chart, values: dict[str, Any], *, merge: bool) -> None:
        children = {sub.name for sub in chart.charts}
        for key, default in _copied(dict(chart.values)).items():
            if key not in values:
                self._take_default(values, key, default, merge=merge)
            elif values[key] is None and not merge:
                del values[key]
            elif _is_table(values[key]) and _is_table(default):
                keeps = merge or key in children
                if self.drops_default_nulls and not keeps:
                    _drop_nulls(default)
                _tables(values[key], default, merge=keeps)

    def _take_default(self, values: dict[str, Any], key: str, default: Any, *, merge: bool) -> None:
        if self.drops_default_nulls and not merge:
            if default is None:
                return
            if _is_table(default):
                _drop_nulls(default)
        values[key] = default

    def _globals(self, own: dict[str, Any], parent: Mapping[str, Any]) -> None:
        """Hand the parent's globals down; they win over a subchart's."""
        ours, theirs = own.setdefault(_GLOBAL, {}), parent.get(_GLOBAL, {})
        if not _is_table(ours) or not _is_table(theirs):
            return
        for key, value in theirs.items():
            if not _is_table(value):
                if not _is_table(ours.get(key)):
                    ours[key] = value
                continue
            if key not in ours:
                ours[key] = dict(value)
            elif _is_table(ours[key]):
                merged = dict(value)
                _tables(merged, ours[key], merge=True)
                ours[key] = merged


def _tables(values: dict[str, Any], defaults: dict[str, Any], *, merge: bool) -> None:
    """Put defaults below values; a null in the values deletes a default that is not null, unless nulls are kept."""
    for key, default in defaults.items():
        if key not in values:
            values[key] = default
        elif values[key] is None:
            if not merge and default is not None:
                del values[key]
        elif _is_table(default) and _is_table(values[key]):
            _tables(values[key], default, merge=merge)


def _drop_nulls(table: dict[str, Any]) -> None:
    for key in list(table):
        if table[key] is None:
            del table[key]
        elif _is_table(table[key]):
            _drop_nulls(table[key])


def _holds(entry: Dependency, values: Mapping[str, Any], path: str) -> bool:
    """Whether a dependency is on: the first of its conditions that names a boolean decides, and without any it is."""
    for condition in entry.conditions:
        found: Any = values
        for name in f"{path}{condition}".split("."):
            found = found.get(name) if isinstance(found, Mapping) else None
        if isinstance(found, bool):
            return found
    return True
