"""Hoiana Roulette: what people decided, and whether they had the rank for it.

Rulebook RO, clauses 6.6, 7.11.1, 7.12 and section 8. A decision without the rank has no effect.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from replay.ruling import Flag, Step
from schemas import events as e
from schemas.ranks import at_least

# RO:8.4.1 to 8.4.8, what a dispute may be decided on.
GROUNDS = frozenset(f"8.4.{n}" for n in range(1, 9))

# The clause of each decision, and the lowest rank that may take it.
RANK = {
    "position": ("RO:6.6", "pit_supervisor"),
    "refuse_payment": ("RO:7.11.1", "management"),
    "allow_payment": ("RO:4.7.4.1", "management"),
    "business_decision": ("RO:7.12", "director"),
}


class Orders(NamedTuple):
    """The decisions that count, the last one on a subject above those before it."""

    positions: Mapping[str, str]  # wager to the position it was ruled to lie on
    refusals: Mapping[str, bool]  # wager, or empty for all, to whether its winnings are refused
    flags: tuple[Flag, ...]
    steps: tuple[Step, ...]
    readings: Mapping[str, str]  # rule issues they depend on

    def refuses(self, wager_id: str) -> bool:
        """Whether management refused the winnings of this wager's chips."""
        return self.refusals.get(wager_id, self.refusals.get("", False))


def given(events: Iterable[e.Event], management: str) -> Orders:
    """The decisions of a round; `management` is the lowest rank read as such (RO:7.11.1)."""
    positions: dict[str, str] = {}
    refusals: dict[str, bool] = {}
    readings: dict[str, str] = {}
    flags: list[Flag] = []
    steps: list[Step] = []
    for event in events:
        ruling = event.payload
        if not isinstance(ruling, e.RulingMade) or ruling.decision not in RANK:
            continue
        clause, rank = RANK[ruling.decision]
        least = management if rank == "management" else rank
        if rank == "management":
            readings["management"] = management
        effective = at_least(ruling.rank, least)
        if not effective:
            subject = ruling.subject or clause.removeprefix("RO:")
            note = f"{least} or above expected, {ruling.rank} found"
            flags.append(Flag("RULING_AUTHORITY", clause, subject, note))
        elif ruling.decision == "position":
            positions[ruling.subject] = ruling.value
        elif ruling.decision != "business_decision":
            refusals[ruling.subject] = ruling.decision == "refuse_payment"
        steps.append(_decided(event.event_id, ruling, clause, effective))
    flags += _of_disputes(events)
    return Orders(positions, refusals, tuple(flags), tuple(steps), readings)


def _decided(event_id: str, ruling: e.RulingMade, clause: str, effective: bool) -> Step:
    words = (ruling.rank, "decided", ruling.decision.replace("_", " "), ruling.value)
    text = " ".join(filter(None, words)) + ("" if effective else ", without effect")
    return Step(text, (clause,), (event_id,))


def _of_disputes(events: Iterable[e.Event]) -> Iterator[Flag]:
    """Section 8. A decision never rewrites the settlement; only its manner is looked at."""
    told: set[tuple[str, str]] = set()
    decided: list[tuple[e.RulingMade, bool]] = []
    for event in events:
        match event.payload:
            case e.IrregularityReported(kind=kind, subject=subject):
                told.add((kind, subject))
            case e.RulingMade(decision="dispute_decided", subject=subject) as ruling:
                decided.append((ruling, ("surveillance_informed", subject) in told))
    for ruling, informed in decided:
        if not at_least(ruling.rank, "dealer_inspector"):
            yield Flag("DISPUTE_AUTHORITY", "RO:8.1", "8.1", f"decided by {ruling.rank}")
        if at_least(ruling.rank, "pit_manager") and not informed:
            yield Flag("DISPUTE_NO_SURVEILLANCE", "RO:8.2", "8.2", f"decided by {ruling.rank}")
        if not GROUNDS.intersection(re.findall(r"8\.4\.\d", ruling.value)):
            yield Flag("DISPUTE_NO_BASIS", "RO:8.4", "8.4", "no ground of 8.4.1 to 8.4.8 given")
        disagreed = ("player_disagreed", ruling.subject) in told
        if disagreed and ("complaint_right_told", ruling.subject) not in told:
            yield Flag("DISPUTE_RIGHTS_NOT_TOLD", "RO:8.5", "8.5", "the player disagreed")
