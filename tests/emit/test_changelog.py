"""The changelog, read for Artifact Hub."""

from __future__ import annotations

from chartgen.emit import changelog
from chartgen.emit.changelog import Change

TEXT = """\
# Changelog

Words - with a dash - before all.

## Unreleased

### Added

- Something
  over two lines.
- Another: with a colon.

Words between.

### Misc

- not a kind

## [1.1.0] - 2026-11-30

### Security

- A hole.

## 1.0.0

### Fixed

- A fault.
"""


def test_a_version_has_its_own_entries() -> None:
    """With or without brackets and a date."""
    assert changelog.changes(TEXT, "1.1.0") == (Change("security", "A hole."),)
    assert changelog.changes(TEXT, "1.0.0") == (Change("fixed", "A fault."),)


def test_a_version_to_come_has_what_is_unreleased() -> None:
    """An entry over several lines is one; what is no known kind is left out."""
    assert changelog.changes(TEXT, "1.2.0") == (
        Change("added", "Something over two lines."),
        Change("added", "Another: with a colon."),
    )


def test_an_empty_changelog_has_none() -> None:
    """And does not fail."""
    assert changelog.changes("", "1.0.0") == ()
