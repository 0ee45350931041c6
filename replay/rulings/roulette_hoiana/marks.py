"""Hoiana Roulette: the numbers that the dealer marked or called for the result (RO:2.1)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from replay.games.roulette_hoiana import COLOUR, Spin
from replay.games.shared import called_number
from replay.ruled import Flag
from replay.sentence import Sentence, say
from schemas import events as e

WITH_DEALER = ("dealer", "dolly")  # whose entries say what the dealer took for the result
NOTHING_WON = ("void", "no spin", "no_spin", "nospin")


class EnteredNumber(NamedTuple):
    """A number the dealer entered for the result."""

    seq: int
    by: str
    number: str
    event_id: str

    @property
    def told(self) -> Sentence:
        """The entry in a sentence."""
        return say("RO.entered", by=self.by, number=self.number)


def read(spin: Spin) -> tuple[EnteredNumber, ...]:
    """The numbers the dealer marked or called, in the table's order."""
    dolly = [EnteredNumber(at.seq, "dolly", str(at.word.number), at.event_id) for at in spin.marked]
    called = [
        EnteredNumber(at.seq, at.word.shown_by, said(at.word.result), at.event_id)
        for at in spin.called
        if by_dealer(at.word)
    ]
    return tuple(sorted(mark for mark in (*dolly, *called) if mark.number))


def by_dealer(word: e.ResultCalled) -> bool:
    """Whether a called result says what the dealer took for the number."""
    return word.shown_by in WITH_DEALER and bool(said(word.result))


def pockets(marks: Sequence[EnteredNumber]) -> tuple[int, ...]:
    """The pockets of this wheel among them, each once."""
    numbers = (int(mark.number) for mark in marks if mark.number.isdigit())
    return tuple(dict.fromkeys(number for number in numbers if number in COLOUR))


def mismatch(pocket: int | None, wrong: Sequence[EnteredNumber]) -> Iterator[Flag]:
    """Numbers that are not the derived one; without a pocket no number is right."""
    if wrong:
        entered = tuple(mark.told for mark in wrong)
        note = say("RO.no_result_derived", entered=entered)
        if pocket is not None:
            note = say("RO.other_number", pocket=pocket, entered=entered)
        yield Flag("RESULT_MISMATCH", "RO:2.1", "2.1", note)


def said(result: str) -> str:
    """A called result as one word: `17` of `17 black`; empty for a called no spin."""
    return called_number.said(result, NOTHING_WON)
