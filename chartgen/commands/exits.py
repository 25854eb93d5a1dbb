"""The exit codes that scripts go by."""

from __future__ import annotations

from enum import IntEnum

from chartgen.harness import tools


class Exit(IntEnum):
    """How a command ended."""

    FINE = 0
    FAILED = 1  # checks failed, or files are stale
    BAD_INPUT = 2  # or wrong usage, which click says with the same number
    TOOL_MISSING = tools.ToolMissing.exit_code
