"""Results of usual rounds as codes: each distinct result is worked out once and looked up after."""

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from replay.bulk.frame import Column
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


class Answers(Generic[Found]):
    """Answers that are kept: each key is asked of once, however many frames have it."""

    def __init__(self) -> None:
        self.found: list[Found] = []
        self._codes: dict[Found, int] = {}
        self._keys, self._answers = np.zeros((2, 0), np.int64)

    def of(self, key: Column, ask: Callable[[int], Found]) -> Column:
        """All places as codes into `found`; of a new key the first place that has it is asked."""
        new = ~self._known(key)
        if new.any():
            places = np.flatnonzero(new)
            keys, first = np.unique(key[places], return_index=True)
            codes = [self._code(ask(int(n))) for n in places[first]]
            keys = np.concatenate([self._keys, keys])
            order = np.argsort(keys)
            answers = np.concatenate([self._answers, np.array(codes, np.int64)])
            self._keys, self._answers = keys[order], answers[order]
        found: Column = self._answers[np.searchsorted(self._keys, key)]
        return found

    def _known(self, key: Column) -> Column:
        place = np.searchsorted(self._keys, key)
        known: Column = np.zeros(len(key), bool)
        inside = place < len(self._keys)
        known[inside] = self._keys[place[inside]] == key[inside]
        return known

    def _code(self, answer: Found) -> int:
        code = self._codes.setdefault(answer, len(self.found))
        if code == len(self.found):
            self.found.append(answer)
        return code


def calls_agree(
    usual: Usual,
    found: Results,
    agrees: Callable[[str, Verdict], bool],
    of_hand: Callable[[str, str, Verdict], bool] = lambda *_: False,
) -> None:
    """Leave rounds with a call of another result, for the round or for one hand of it."""
    frame, called = usual.frame, usual.frame.of(e.ResultCalled)
    if not len(called):
        return
    words, boxes, verdicts = frame.words["result"], frame.words["box"], found.verdicts
    box, word, key = called["box"], called["result"], found.key[called.round]

    def ask(n: int) -> bool:
        hand, call, verdict = boxes[box[n]], words[word[n]], verdicts[key[n]]
        return of_hand(hand, call, verdict) if hand else agrees(call, verdict)

    codes, answers = for_each((box * len(words) + word) * len(verdicts) + key, ask)
    usual.leave("a call of another result", called.round[~np.array(answers, bool)[codes]])


def shown_by(usual: Usual, sources: Sequence[str]) -> None:
    """Leave rounds in which somebody else called a result."""
    called = usual.frame.of(e.ResultCalled)
    known = usual.frame.coded("shown_by", dict.fromkeys(sources, 1))[called["shown_by"]] == 1
    usual.leave("a call from another source", called.round[~known])
