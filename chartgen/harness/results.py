"""What a check says: a closed set of states, and the record that carries one.

Skipped and error never count as valid. They are states of their own so that a report can tell "there was nothing to
judge, for this reason" from "it could not be judged".
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """The outcome of one check on one subject."""

    VALID = "valid"
    INVALID = "invalid"
    SKIPPED = "skipped"
    ERROR = "error"


@dataclass(frozen=True)
class Result:
    """One statement about one case.

    Attributes:
        case: the case's name.
        check: the check's name.
        state: see `State`.
        subject: what was judged: an object (``Deployment/gpu-operator``), a path, or empty for the render as a whole.
        message: what is wrong, or why it was skipped or could not be judged; empty when valid.
        source: the file that the subject comes from, ``charts/gpu-operator/templates/policy/clusterpolicy.yaml``; empty when
            it is not known.
        diff: the lines in which the subject differs from what it should be, as ``diff -u`` shows them.
    """

    case: str
    check: str
    state: State
    subject: str = ""
    message: str = ""
    source: str = ""
    diff: str = ""

    @property
    def is_bad(self) -> bool:
        """Whether something is wrong, or could not be judged."""
        return self.state in (State.INVALID, State.ERROR)

    @property
    def order(self) -> tuple[str, str, str, str, str]:
        """Sort key, the same for every run."""
        return (self.check, self.case, self.subject, self.message, self.state.value)


@dataclass(frozen=True)
class Finding:
    """What a check has to say before the runner adds the case and the check's name.

    Attributes:
        state: anything but valid, except for the one statement that all is well.
        subject: see `Result`.
        message: see `Result`.
        diff: see `Result`.
    """

    state: State
    subject: str = ""
    message: str = ""
    diff: str = ""


def invalid(subject: str, message: str, diff: str = "") -> Finding:
    """Something that must be mended in the chart."""
    return Finding(State.INVALID, subject, message, diff)


def skipped(reason: str, subject: str = "") -> Finding:
    """Something that there was no way or need to judge."""
    return Finding(State.SKIPPED, subject, reason)


def error(reason: str, subject: str = "") -> Finding:
    """Something that should have been judged and could not be."""
    return Finding(State.ERROR, subject, reason)


def verdict(findings: list[Finding]) -> list[Finding]:
    """`findings`, or the statement that all is well when there is nothing else than skipped ones to say.

    A check calls this as its last step, when it has looked at everything: reaching it is how success is earned.
    """
    if all(finding.state is State.SKIPPED for finding in findings):
        return [*findings, Finding(State.VALID)]
    return findings
