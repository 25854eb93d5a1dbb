"""Every sample of every field, many fields at a time, in each way to use the chart.

In a context (`chartgen.harness.cases.contexts`) the switches that others hang on keep their places, so that all that is
varied can be seen in what is rendered; their own samples, and those of whole objects such as null, come in cases of their
own. Strings that templates trip over are tried where each kind of template is rendered, and not in every context again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from chartgen.harness import oracle
from chartgen.harness.case import Case, Group
from chartgen.harness.cases import packing, rulebook, samples, sites
from chartgen.harness.cases.candidates import Candidates
from chartgen.harness.cases.contexts import CONTEXTS
from chartgen.harness.cases.feasibility import Feasibility
from chartgen.harness.cases.packing import Packer, Requirement
from chartgen.harness.cases.rulebook import Mender, Rulebook
from chartgen.harness.cases.samples import Sample
from chartgen.harness.cases.sites import SWITCHES
from chartgen.harness.cases.truths import Space, Truths
from chartgen.schema import conditions
from chartgen.schema.model import Field, Kind

# Where every kind of template is rendered.
_RICH = ("everything on", "no operator", "GPUCluster")
# Values that a template evaluates, so that not every text is one.
_OWN_SAMPLES = ("extraObjects",)
# Values that Helm itself reads, and complains of a null.
_READ_BY_HELM = ("global",)


@dataclass(frozen=True)
class Variations:
    """The cases, and what is in none of them.

    Attributes:
        cases: those of each context, in the order of the contexts.
        left_out: ``path: label`` of samples that the rules take in no context.
    """

    cases: tuple[Case, ...]
    left_out: tuple[str, ...]


def build(trees: oracle.Trees, feasibility: Feasibility, helms: Sequence[str], kubes: Sequence[str]) -> list[Case]:
    """The cases; see `vary`."""
    return list(vary(trees, feasibility, helms, kubes).cases)


def vary(trees: oracle.Trees, feasibility: Feasibility, helms: Sequence[str], kubes: Sequence[str]) -> Variations:
    """The cases, and what is in none of them.

    Args:
        trees: the chart's description.
        feasibility: judges assignments for the chart.
        helms: Helm versions.
        kubes: Kubernetes minor versions.
    """
    truths = Truths(trees, feasibility.chart, Space())
    varied = [*_varied(trees, truths.space)]
    rules = Rulebook(trees, truths)
    known = Candidates(trees, truths, rulebook.atoms(trees))
    names = frozenset(field.path for field in varied if samples.is_name(field.field))
    mender = Mender(rules, known, most=500)
    weaver = _Weaver(truths.space, rules, mender, tuple(varied), frozenset(_switches(trees)), names)
    cases: list[Case] = []
    placed: set[tuple[str, str]] = set()
    for name, context in CONTEXTS.items():
        rows = weaver.weave(context, placed, rich=name in _RICH)
        slug = name.replace(",", "").replace(" ", "-").lower()
        cases += packing.cases(rows, truths.space, f"{Group.VARIATION.value}/{slug}", Group.VARIATION, helms, kubes)
    wanted = ((field.path, sample.label) for field in varied for sample, _ in field.samples)
    return Variations(tuple(cases), tuple(f"{path}: {label}" for path, label in wanted if (path, label) not in placed))


@dataclass(frozen=True)
class _Varied:
    """A field with its samples, under its path in the whole chart.

    Attributes:
        path: in the chart's values.
        field: as its own chart has it.
        samples: see `chartgen.harness.cases.samples`, each with the number of its value.
    """

    path: str
    field: Field
    samples: tuple[tuple[Sample, int], ...]

    @property
    def is_whole(self) -> bool:
        """Whether it stands above other fields."""
        return self.field.type.kind is Kind.OBJECT and not self.field.type.required


def _varied(trees: oracle.Trees, space: Space) -> Iterator[_Varied]:
    """The fields of the chart and its subcharts; what a parent hands down is varied once."""
    seen: set[str] = set()
    for chart in trees.charts:
        for field in samples.settable(chart.schema):
            path = chart.path(field.path)
            if path not in seen:
                seen.add(path)
                own = samples.plain(field) if path in _OWN_SAMPLES else samples.of_field(field)
                own = tuple(sample for sample in own if sample.value is not None or path not in _READ_BY_HELM)
                yield _Varied(path, field, tuple((sample, space.number(path, sample.value)) for sample in own))


def _switches(trees: oracle.Trees) -> Iterator[str]:
    """The paths of switches under which other things are read."""
    yield from SWITCHES.values()
    for file in sites.find(trees):
        chart = next(chart for chart in trees.charts if chart.name == file.chart)
        for site in file.sites:
            for guard in site.guards[:-1]:
                for leaf in conditions.leaves(guard):
                    if isinstance(leaf, conditions.On):
                        yield chart.path(leaf.path)


@dataclass(frozen=True)
class _Weaver:
    """Puts samples side by side.

    Attributes:
        space: what values are numbers in.
        rules: the rules of the chart.
        mender: finds what has to be given besides.
        varied: all fields.
        switches: paths that keep their places.
        names: paths of the names of objects that the chart may create.
    """

    space: Space
    rules: Rulebook
    mender: Mender
    varied: tuple[_Varied, ...]
    switches: frozenset[str]
    names: frozenset[str]

    def weave(self, context: Mapping[str, object], placed: set[tuple[str, str]], *, rich: bool) -> list[dict[str, int]]:
        """The rows of a context; what is in them is added to `placed`."""
        base = self.space.pins(context)
        kept = {path: base.get(path, 0) for path in sorted(self.switches)}
        still = Packer(self.space, self.rules, {**kept, **base}, self.names)
        free = Packer(self.space, self.rules, base, self.names)
        later: list[tuple[_Varied, Sample, int]] = []
        for place, field in enumerate(self.varied):
            for sample, number in _from(place, self._chosen(field, rich=rich)):
                if field.is_whole or field.path in self.switches or not self._place(still, field.path, number):
                    later.append((field, sample, number))
                else:
                    placed.add((field.path, sample.label))
        for field, sample, number in later:
            if self._place(free, field.path, number):
                placed.add((field.path, sample.label))
        return [row.pins for row in (*still.rows, *free.rows)]

    def _chosen(self, field: _Varied, *, rich: bool) -> Sequence[tuple[Sample, int]]:
        return field.samples if rich else [each for each in field.samples if not each[0].is_trap]

    def _place(self, packer: Packer, path: str, number: int) -> bool:
        if packer.place(Requirement({path: (number,)})) is not None:
            return True
        if not self.rules.reads(path):
            return False
        mended = self.mender.mend({**packer.base, path: number}, {})
        if mended is None:
            return False
        more = {each: (pin,) for each, pin in mended.items() if packer.base.get(each) != pin}
        return packer.place(Requirement(more)) is not None


def _from(start: int, found: Sequence[tuple[Sample, int]]) -> Iterator[tuple[Sample, int]]:
    """Samples, each field's from another one on, so that a row has different ones."""
    for number in range(len(found)):
        yield found[(start + number) % len(found)]
