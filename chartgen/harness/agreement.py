"""Trust in the engine, earned in every run: a sample of its renders is done by helm too, and has to come out the same.

The first request of each process is in the sample, and of the others one in a hundred, chosen by the request itself and a
seed, so that a run can be repeated and no order of work changes it. A difference is a failure of that case, so that the run
is no pass; from then on helm does the work.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import shutil
import tempfile
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from chartgen.harness.compare import equal as are_equal
from chartgen.harness.engine import PROGRAM, Engine
from chartgen.harness.manifests import Reader
from chartgen.harness.tools import LOCAL_TOOLS, Helm, RenderRequest, Run, ToolFailed

_ONE_IN = 100
_SHOWN_LINES = 12
# `helm template` does not show the notes, so they are rendered as an object: of the kind that Helm puts first, from a file
# that it executes right beside NOTES.txt.
_NOTES_FILE = "NOTES.yaml"
_NOTES_TEMPLATE = 'kind: PriorityClass\nnotes: {{ include (print .Template.BasePath "/NOTES.txt") . | toJson }}\n'
_NOTES_OBJECT = re.compile(
    rf"^---\n# Source: [^\n]*/{_NOTES_FILE}\nkind: PriorityClass\nnotes: (.*)\n\n?", re.MULTILINE
)


@dataclass
class Agreement:
    """A `Renderer` that has the engine do the work, as long as helm agrees.

    Attributes:
        engine: what renders.
        seed: chooses the sample, together with the request.
        one_in: how large the sample is: one of so many.
    """

    engine: Engine
    seed: int = 0
    one_in: int = _ONE_IN
    _asked: bool = field(default=False, init=False)
    _broken: bool = field(default=False, init=False)

    @property
    def version(self) -> str:
        """See `Renderer`."""
        return self.engine.version

    def render(self, request: RenderRequest) -> Run:
        """See `Renderer`."""
        if self._broken:
            return self.engine.helm.render(request)
        sampled = not self._asked or self._chosen(request)
        self._asked = True
        answer = self.engine.render(request)
        if sampled:
            difference = compare(answer, ask_helm(self.engine.helm, request, answer.status))
            if difference:
                self._broken = True
                raise ToolFailed(
                    f"{PROGRAM} and helm do not agree on this case, so helm does all that is left:\n{difference}\n"
                    f"remove {LOCAL_TOOLS / PROGRAM} to do without it, and report this as a bug\n$ {answer.command}"
                )
        return answer

    def _chosen(self, request: RenderRequest) -> bool:
        digest = hashlib.blake2b(f"{self.seed} {self.version} {request}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") % self.one_in == 0


def ask_helm(helm: Helm, request: RenderRequest, status: int) -> Run:
    """What helm says to a request, with the notes, if it may be expected to render.

    Args:
        helm: the program.
        request: the request.
        status: the expected exit status.
    """
    notes = request.chart / "templates" / "NOTES.txt"
    if status != 0 or not notes.is_file():
        return helm.render(request)
    with tempfile.TemporaryDirectory(prefix="chartgen-notes-") as folder:
        copy = Path(folder) / "chart"
        shutil.copytree(request.chart, copy)
        (copy / "templates" / _NOTES_FILE).write_text(_NOTES_TEMPLATE, encoding="utf-8")
        done = helm.render(replace(request, chart=copy))
    found = _NOTES_OBJECT.search(done.stdout)
    if not found:
        return done
    rest = done.stdout[: found.start()] + done.stdout[found.end() :]
    said = json.loads(found[1]).replace("<no value>", "")  # which is what Helm does after rendering
    return replace(done, stdout=rest or "\n", notes=said)


def compare(answer: Run, expected: Run) -> str:
    """What differs between the engine's answer and helm's: empty, or a few lines."""
    if answer.status != expected.status:
        said = (answer if answer.status else expected).stderr
        return f"exit status {answer.status} instead of {expected.status}: {said.strip()}"
    for part in ("stdout", "stderr", "notes"):
        one, other = getattr(answer, part), getattr(expected, part)
        if one == other or (part == "stderr" and _in_order(one) == _in_order(other)):
            continue
        if part == "stdout" and _is_but_the_order(answer, expected):
            continue
        lines = difflib.unified_diff(
            other.splitlines(), one.splitlines(), f"helm: {part}", f"{PROGRAM}: {part}", lineterm=""
        )
        return "\n".join(islice(lines, _SHOWN_LINES)) or f"the ends of lines in {part}"
    return ""


def _is_but_the_order(answer: Run, expected: Run) -> bool:
    """Whether the same lines say the same: keys with digits (0123, 0x1f, 12:30) come in another order with each render."""
    if sorted(answer.stdout.split("\n")) != sorted(expected.stdout.split("\n")):
        return False
    read = [Reader().read(replace(run, objects={})).documents for run in (answer, expected)]
    pairs = zip(*read, strict=False)
    same = (one.source == other.source and are_equal(one.object, other.object) for one, other in pairs)
    return len(read[0]) == len(read[1]) and all(same)


def _in_order(complaints: str) -> list[list[str]]:
    """What a schema is hurt by, in an order: Helm lists places, and the names at a place, as they come out of a map."""
    return sorted(sorted(re.split(r"[,\s]+", line)) for line in complaints.splitlines())
