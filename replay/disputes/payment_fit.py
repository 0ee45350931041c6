"""Which reading of a disputed card, pocket or face the payments at the table fit.

An unknown round owes nothing yet, because its witnesses differ. What the table paid tells which
of them the dealer followed: this judges the round once with each reading in turn, and compares
what would be due with what was paid. It settles nothing.
"""

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import NamedTuple

from replay import payments, witnesses
from replay.disputes.doubts import sights_of
from replay.judge import Judgement
from replay.sentence import Sentence, say
from replay.whatif import whatif
from replay.whatif_changes import BadChange
from replay.witnesses import Sight
from schemas import events as e
from schemas.shape import Refused

MOST = 32  # combinations of readings that are tried


class Fit(NamedTuple):
    """One way to read what is disputed, and how many payments it explains."""

    readings: tuple[Sentence, ...]  # such as Player card 1: shoe 4D
    status: str
    outcome: str
    fitting: int  # wagers paid as they would be due
    settled: int  # wagers that were settled


def fits(judged: Judgement) -> tuple[Fit, ...]:
    """Every reading of an unknown round that can be judged, the best fitting one first."""
    if judged.ruled.status != "unknown" or judged.edition is None:
        return ()
    places = list(_disputed(judged))
    if not places:
        return ()
    found = (_fit(judged, choice) for choice in islice(product(*places), MOST))
    return tuple(sorted(filter(None, found), key=lambda fit: (-fit.fitting, fit.readings)))


class _Reading(NamedTuple):
    said: Sentence
    change: str


def _disputed(judged: Judgement) -> Iterator[list[_Reading]]:
    """Each place that witnesses read differently, with everything that was read there."""
    for sight in sights_of(judged):
        if sight.card is None:
            said = _by_witness({"shoe": sight.shoe, "camera": sight.camera, "dealer": sight.dealer})
            readings = [
                _Reading(_card_read(sight, who, card), f"card:{sight.hand}.{sight.slot}={card}")
                for card, who in said.items()
                if card in witnesses.CODES
            ]
            if readings:
                yield readings
    yield from _instruments(judged.round.events)


def _instruments(events: tuple[e.Event, ...]) -> Iterator[list[_Reading]]:
    """The last word of each witness about ball, dice or tokens, where they differ."""
    pockets: dict[str, str | None] = {}
    faces: dict[str, str | None] = {}
    for event in events:
        match event.payload:
            case e.BallLanded(pocket=pocket) if pocket is not None:
                pockets["wheel"] = str(pocket)
            case e.DollyPlaced(number=number):
                pockets["dolly"] = str(number)
            case e.ShakerOpened(faces=read) | e.TokensRevealed(faces=read) if read:
                faces["sensor"] = "-".join(read)
            case e.DiceObserved(guesses=guesses) | e.TokensObserved(guesses=guesses) if guesses:
                faces["camera"] = guesses[0].seen
    for key, seen in (("pocket", pockets), ("faces", faces)):
        said = _by_witness(seen)
        if len(said) > 1:
            yield [_Reading(_read(who, read), f"{key}={read}") for read, who in said.items()]


def _card_read(sight: Sight, who: tuple[str, ...], card: str) -> Sentence:
    return say("shared.place_read", hand=sight.hand, slot=sight.slot, read=_read(who, card))


def _read(who: tuple[str, ...], what: str) -> Sentence:
    return say("shared.witnesses_read", witnesses=who, read=tuple(what.split("-")))


def _by_witness(seen: Mapping[str, str | None]) -> dict[str, tuple[str, ...]]:
    """What was read, each with the witnesses that read it."""
    found: dict[str, list[str]] = {}
    for who, read in seen.items():
        if read:
            found.setdefault(read, []).append(who)
    return {read: tuple(who) for read, who in found.items()}


def _fit(judged: Judgement, choice: tuple[_Reading, ...]) -> Fit | None:
    try:
        after = whatif(judged, [reading.change for reading in choice]).after
    except (BadChange, Refused):  # such as a face that the dice do not have
        return None
    if after.ruled.status == "unknown":
        return None
    seen = payments.totals(judged.round.events)
    dues = {due.wager_id: due for due in after.dues}
    fitting = sum(
        wager_id in dues and not payments.differences(dues[wager_id], paid)
        for wager_id, paid in seen.items()
    )
    readings = tuple(reading.said for reading in choice)
    return Fit(readings, after.ruled.status, after.ruled.outcome, fitting, len(seen))
