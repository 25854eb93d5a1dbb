"""The pods that an object leads to: its own, or those of the template that it makes them from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from chartgen.harness.places import mapping, sequence

CONTAINERS = ("initContainers", "containers", "ephemeralContainers")


@dataclass(frozen=True)
class Pod:
    """A pod or a template of pods.

    Attributes:
        path: where it is in the object; empty when it is the object itself.
        template: it, with metadata and spec.
    """

    path: str
    template: Mapping[str, Any]

    @property
    def spec(self) -> Mapping[str, Any]:
        """Its spec."""
        return mapping(self.template.get("spec"))

    @property
    def labels(self) -> Mapping[str, Any]:
        """Its labels."""
        return mapping(mapping(self.template.get("metadata")).get("labels"))

    def at(self, place: str) -> str:
        """The path of a place below its spec."""
        return f"{self.path}.spec.{place}" if self.path else f"spec.{place}"

    def containers(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Every container with its path in the object."""
        for member in CONTAINERS:
            for number, container in enumerate(sequence(self.spec.get(member))):
                yield self.at(f"{member}[{number}]"), mapping(container)


def of(content: Any) -> Iterator[Pod]:
    """Every pod of an object; a CronJob's lies deeper than others. An object of any kind may have a template."""
    found = mapping(content)
    if found.get("kind") == "Pod":
        yield Pod("", found)
        return
    spec = mapping(found.get("spec"))
    for path, holder in (
        ("spec", spec),
        ("spec.jobTemplate.spec", mapping(mapping(spec.get("jobTemplate")).get("spec"))),
    ):
        template = mapping(holder.get("template"))
        if "containers" in mapping(template.get("spec")):
            yield Pod(f"{path}.template", template)
