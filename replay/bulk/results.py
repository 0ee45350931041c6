"""Results of usual rounds as codes: each distinct result is worked out once and looked up after."""

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from replay.bulk.frame import NO_TEXT, Column
from replay.bulk.usual import Usual
from schemas import events as e

Found = TypeVar("Found", bound=Hashable)
Facts = frozenset[str]


class Verdict(NamedTuple):
    """What a usual round came to, in the words of its rulings."""

    outcome: str
    result: str
    facts: Facts
    clauses: tuple[str, ...]


class Results(NamedTuple):
    """The result of each round; what stands for a round that is not usual means nothing."""

    key: Column  # of each round, a code into the verdicts
    verdicts: Sequence[Verdict]


def distinct(values: Sequence[Found]) -> tuple[Column, tuple[Found, ...]]:
    """Values as codes into those that differ."""
    codes: dict[Found, int] = {}
    coded = [codes.setdefault(value, len(codes)) for value in values]
    return np.array(coded, np.int64), tuple(codes)


def for_each(key: Column, ask: Callable[[int], Found]) -> tuple[Column, tuple[Found, ...]]:
    """Ask once for each key, of its first place; all places as codes into the answers."""
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    codes, answers = distinct([ask(int(n)) for n in first])
    return codes[place] if len(codes) else key, answers


def calls_agree(usual: Usual, found: Results, agrees: Callable[[str, Verdict], bool]) -> None:
    """Leave rounds with a call of the whole round that says another result, or by a stranger."""
    frame, called = usual.frame, usual.frame.of(e.ResultCalled)
    if not len(called):
        return
    words, verdicts = frame.words["result"], found.verdicts
    whole = frame.coded("box", {NO_TEXT: 1})[called["box"]] == 1
    usual.leave("a call for one hand", called.round[~whole])
    pair = called["result"] * len(verdicts) + found.key[called.round]

    def ask(n: int) -> bool:
        return agrees(words[called["result"][n]], verdicts[found.key[called.round[n]]])

    codes, answers = for_each(pair, ask)
    usual.leave("a call of another result", called.round[~np.array(answers, bool)[codes]])


def shown_by(usual: Usual, sources: Sequence[str]) -> None:
    """Leave rounds in which somebody else called a result."""
    called = usual.frame.of(e.ResultCalled)
    known = usual.frame.coded("shown_by", dict.fromkeys(sources, 1))[called["shown_by"]] == 1
    usual.leave("a call from another source", called.round[~known])
