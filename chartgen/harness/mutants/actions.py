"""The actions of a template, ``{{ ... }}``, and the blocks that they make, as far as changing a template needs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

_ACTION = re.compile(
    r"""\{\{-?\s*(?P<body>/\*.*?\*/|(?:"(?:\\.|[^"\\])*"|`[^`]*`|[^}"`]|\}(?!\}))*?)\s*-?\}\}""", re.DOTALL
)
_OPENS = ("if", "with", "range", "define", "block")
_TOKEN = re.compile(r"""\s*(?:("(?:\\.|[^"\\])*"|`[^`]*`)|([()])|([^\s()"`]+))""")


@dataclass(frozen=True)
class Action:
    """One ``{{ ... }}``.

    Attributes:
        start: its offset.
        end: the offset after it.
        body_start: the offset of what is inside, without a sign that trims spaces.
        body: what is inside.
    """

    start: int
    end: int
    body_start: int
    body: str

    @property
    def word(self) -> str:
        """``if``, ``else``, ``include``."""
        return self.body.split(None, 1)[0] if self.body else ""

    @property
    def is_comment(self) -> bool:
        """Whether it says nothing to Helm."""
        return self.body.startswith("/*")

    @property
    def condition(self) -> str:
        """What follows ``if``, ``with`` or ``else if``."""
        rest = self.body[len(self.word) :].lstrip()
        return rest.removeprefix("if").lstrip() if self.word == "else" and rest.startswith("if") else rest

    @property
    def condition_start(self) -> int:
        """The offset of `condition`."""
        return self.body_start + len(self.body) - len(self.condition)


@dataclass
class Block:
    """An action that opens, those that part it, and the one that ends it."""

    opening: Action
    closing: Action
    elses: list[Action] = field(default_factory=list)


@dataclass(frozen=True)
class Term:
    """A part of an expression: a word, a string, or what is in parentheses.

    Attributes:
        start: its offset in the expression.
        end: the offset after it.
        text: as it is written.
    """

    start: int
    end: int
    text: str


@lru_cache(maxsize=4)
def actions(text: str) -> tuple[Action, ...]:
    """Every action of a template, in its order; comments are left out."""
    found = (Action(each.start(), each.end(), each.start("body"), each["body"]) for each in _ACTION.finditer(text))
    return tuple(action for action in found if not action.is_comment)


@lru_cache(maxsize=4)
def blocks(text: str) -> tuple[Block, ...]:
    """Every block, by where it begins.

    Raises:
        ValueError: an action ends nothing, or nothing ends one.
    """
    found: list[Block] = []
    stack: list[tuple[Action, list[Action]]] = []
    for action in actions(text):
        if action.word in _OPENS:
            stack.append((action, []))
        elif action.word == "else" and stack:
            stack[-1][1].append(action)
        elif action.word == "end" and stack:
            opening, elses = stack.pop()
            found.append(Block(opening, action, elses))
        elif action.word in ("else", "end"):
            raise ValueError(f"{action.word} without a beginning")
    if stack:
        raise ValueError(f"{stack[-1][0].word} without an end")
    return tuple(sorted(found, key=lambda block: block.opening.start))


def is_whole(text: str) -> bool:
    """Whether every block of a template ends."""
    try:
        blocks(text)
    except ValueError:
        return False
    return True


def guards(text: str) -> Iterator[Action]:
    """Every action with a condition: ``if``, ``else if`` and ``with``."""
    for block in blocks(text):
        if block.opening.word in ("if", "with"):
            yield block.opening
            yield from (each for each in block.elses if each.condition)


def terms(expression: str) -> tuple[Term, ...]:
    """The words of an expression at its outermost level: ``and (eq a b) c`` has three."""
    found: list[Term] = []
    depth, start, at = 0, 0, 0
    while match := _TOKEN.match(expression, at):
        at = match.end()
        begin = match.end() - len(match[0].lstrip())
        if match[2] == "(":
            start = begin if depth == 0 else start
            depth += 1
        elif match[2] == ")":
            depth -= 1
            if depth == 0:
                tail = re.compile(r"(?:\.[\w$]+)*").match(expression, at)
                at = tail.end() if tail else at
                found.append(Term(start, at, expression[start:at]))
        elif depth == 0:
            found.append(Term(begin, at, expression[begin:at]))
    return tuple(found)


def calls(expression: str, offset: int = 0) -> Iterator[tuple[int, tuple[Term, ...]]]:
    """Every call in an expression, the whole first, with the offset of the expression that its terms are of."""
    own = terms(expression)
    yield offset, own
    for term in own:
        if term.text.startswith("(") and term.text.endswith(")"):
            yield from calls(term.text[1:-1], offset + term.start + 1)
