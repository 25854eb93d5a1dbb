"""Guards: the lines that open a branch of a template, and what each of them checks."""

from __future__ import annotations

from chartgen.schema import conditions
from chartgen.schema.conditions import Condition
from chartgen.tree import expressions
from chartgen.tree.expressions import Scope

_WIDTH = 118


class Opening(str):
    """The line that opens a branch of a template, with the condition that it checks; the branch ends as the text says."""

    __slots__ = ("condition",)

    condition: Condition

    def __new__(cls, line: str, condition: Condition) -> Opening:
        """The line itself; what is known of it besides hangs on it."""
        made = super().__new__(cls, line)
        made.condition = condition
        return made


def opening(condition: Condition, scope: Scope, pad: str, keyword: str = "if") -> list[str]:
    """The opening of a guard; the operands of a long ``and`` or ``or`` stand on lines of their own."""
    line = f"{pad}{{{{- {keyword} {expressions.condition(condition, scope)} }}}}"
    if len(line) <= _WIDTH or not isinstance(condition, conditions.All | conditions.Any):
        return [Opening(line, condition)]
    word = "and" if isinstance(condition, conditions.All) else "or"
    operands = [line for member in condition.conditions for line in _operand(member, scope, f"{pad}  ")]
    return [Opening(f"{pad}{{{{- {keyword} {word}", condition), *operands, f"{pad}}}}}"]


def _operand(condition: Condition, scope: Scope, pad: str) -> list[str]:
    line = f"{pad}{expressions.operand(condition, scope)}"
    if len(line) <= _WIDTH or not isinstance(condition, conditions.All | conditions.Any):
        return [line]
    word = "and" if isinstance(condition, conditions.All) else "or"
    operands = [line for member in condition.conditions for line in _operand(member, scope, f"{pad}  ")]
    return [f"{pad}({word}", *operands, f"{pad})"]
