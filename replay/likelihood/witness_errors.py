"""What witnesses take for what: figures of their kind (confusions.toml), and counts of their own.

Everything is an exact fraction or a whole number.
"""

import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import lcm
from typing import Any, NamedTuple

from replay.witnesses import CERTAIN, CODES, Sight, places
from schemas import events as e
from schemas.cards import DECK

CARDS = tuple(map(str, DECK))
RANKS, RED = "A23456789TJQK", "HD"
PPB = 1_000_000_000


class ComparedReading(NamedTuple):
    """A reading beside the card that the other witnesses, or the better one, made of it."""

    witness: str  # shoe, camera or dealer
    device_id: str
    said: str
    card: str

    @property
    def wrong(self) -> bool:
        """Whether it took one card for another."""
        return self.said != self.card


Counts = Mapping[ComparedReading, int]


class KindErrors(NamedTuple):
    """How one kind of witness errs."""

    wrong: Fraction  # how often it says another card
    worth: int  # readings of a card that these figures are worth
    whole: int  # what the parts of a card add up to
    parts: Mapping[tuple[str, str], int]  # said and dealt to the part of the readings


class DeviceErrors(NamedTuple):
    """The figures of a device's kind, and its own readings beside them."""

    figures: KindErrors
    pairs: Mapping[tuple[str, str], int]  # said and card to its readings
    cards: Mapping[str, int]
    worth: int  # a multiple of what any card's readings and figures are worth

    @property
    def whole(self) -> int:
        """What the parts of a card add up to."""
        return self.figures.whole * self.worth

    def part(self, said: str, dealt: str) -> int:
        """How often it says this where that was dealt, in parts of the whole."""
        kind = self.figures
        mean = kind.worth * kind.parts[said, dealt] + kind.whole * self.pairs.get((said, dealt), 0)
        return mean * (self.worth // (kind.worth + self.cards.get(dealt, 0)))


class ErrorRecord:
    """What the devices of a table took for what so far, with the readings that were wrong."""

    def __init__(self) -> None:
        self.counts: Counter[ComparedReading] = Counter()
        self.evidence: dict[ComparedReading, tuple[str, ...]] = {}

    def take(self, events: Iterable[e.Event]) -> None:
        """Count what the witnesses of a round read."""
        found = places(events)
        for (hand, slot), read in found.items():
            if _shoe_and_camera_agree(read):
                for seen in _both(read["shoe_device"], read["camera_device"], read["shoe"]):
                    self.counts[seen] += 1
            elif not _moved(read, found.values()):
                self._take(Sight(hand, slot, **read))

    def _take(self, sight: Sight) -> None:
        for seen in counted(sight):
            self.counts[seen] += 1
            if seen.wrong:
                self.evidence[seen] = (*self.evidence.get(seen, ()), *sight.evidence)

    def copy(self) -> "ErrorRecord":
        """One that goes its own way."""
        other = ErrorRecord()
        other.counts, other.evidence = self.counts.copy(), self.evidence.copy()
        return other

    def rows(self, table_id: str, day: str) -> list[tuple[Any, ...]]:
        """The rows of the table `confusions`."""
        return [
            (table_id, day, *seen, n, wrong_ppb(seen.witness), self.evidence.get(seen, ()))
            for seen, n in sorted(self.counts.items())
        ]


def shown(witness: str, device_id: str, counts: Counts) -> DeviceErrors:
    """A device by the figures of its kind and what is counted of it."""
    pairs: Counter[tuple[str, str]] = Counter()
    cards: Counter[str] = Counter()
    for seen, n in counts.items():
        if (seen.witness, seen.device_id) == (witness, device_id):
            pairs[seen.said, seen.card] += n
            cards[seen.card] += n
    kind = figures(witness)
    return DeviceErrors(
        kind, pairs, cards, lcm(kind.worth, *(kind.worth + n for n in cards.values()))
    )


def counted(sight: Sight) -> Iterator[ComparedReading]:
    """Each reading of a place that another one can be held against."""
    said = sight.readings
    if len(said) < 2 or not CODES.issuperset(said.values()):
        return
    card = _held_against(said)
    alone = list(said.values()).count(card) == 1
    for witness, found in said.items():
        if not (alone and found == card):
            yield ComparedReading(witness, sight.devices[witness], found, card)


@cache
def figures(witness: str) -> KindErrors:
    """The figures of a kind of witness."""
    raw = _file()["witness"][witness]
    wrong, shares = Fraction(raw["wrong"]), _shares(raw["alike"])
    chances = {pair: wrong * share for pair, share in shares.items()}
    chances |= {(code, code): 1 - wrong for code in CARDS}
    whole = lcm(*(chance.denominator for chance in chances.values()))
    parts = {pair: int(chance * whole) for pair, chance in chances.items()}
    return KindErrors(wrong, raw["worth"], whole, parts)


@cache
def happens(what: str) -> Fraction:
    """How often something is expected to happen to a card."""
    return Fraction(_file()["happens"][what])


def edition() -> str:
    """The edition of the figures."""
    found: str = _file()["edition"]
    return found


def wrong_ppb(witness: str) -> int:
    """How often a kind of witness errs, in thousand-millionths, rounded up."""
    return -int(-figures(witness).wrong * PPB // 1)


def _shoe_and_camera_agree(read: Mapping[str, Any]) -> bool:
    """Whether two sure witnesses say the same and there is no third one: nearly every place."""
    code = read.get("shoe")
    return (
        code in CODES
        and code == read.get("camera")
        and read["camera_probability"] >= CERTAIN
        and not read.get("dealer")
        and "disputed" not in read
    )


def _moved(read: Mapping[str, Any], others: Collection[Mapping[str, Any]]) -> bool:
    """Whether somebody read a card here that the shoe gave at another place of the round.

    Such a card was moved, as a reconstruction or an arranged hand moves it; nobody misread it. A
    card that is still read where the shoe gave it did not move, unless the card that the shoe gave
    here is read at another place: then hands were moved after the camera had read them.
    """
    gave = read.get("shoe")
    said = _read_by_others(read) - {gave}
    sources = [at for at in others if at.get("shoe") in said]
    return any(at["shoe"] not in _read_by_others(at) for at in sources) or (
        bool(sources)
        and any(gave in _read_by_others(at) and at.get("shoe") != gave for at in others)
    )


def _read_by_others(read: Mapping[str, Any]) -> set[str]:
    """What camera and dealer read at a place."""
    return {read[witness] for witness in ("camera", "dealer") if read.get(witness)}


@cache
def _both(shoe: str, camera: str, code: str) -> tuple[ComparedReading, ComparedReading]:
    return ComparedReading("camera", camera, code, code), ComparedReading("shoe", shoe, code, code)


def _held_against(said: Mapping[str, str]) -> str:
    """What two agree on; where all differ, what the witness says that errs least."""
    card, count = Counter(said.values()).most_common(1)[0]
    if count > 1:
        return card
    return said[min(said, key=lambda witness: figures(witness).wrong)]


def _shares(alike: str) -> dict[tuple[str, str], Fraction]:
    lines = [[cell.strip() for cell in line.split("|")] for line in alike.strip().splitlines()]
    found: dict[tuple[str, str], Fraction] = {}
    for dealt in CARDS:
        weights = {said: _weight(lines, said, dealt) for said in CARDS if said != dealt}
        whole = sum(weights.values())
        found |= {(said, dealt): Fraction(weight, whole) for said, weight in weights.items()}
    return found


def _weight(lines: Iterable[list[str]], said: str, dealt: str) -> int:
    for ranks, suits, weight, _ in lines:
        if _alike_rank(ranks, said[0], dealt[0]) and _alike_suit(suits, said[1], dealt[1]):
            return int(weight)
    raise AssertionError(f"confusions.toml: no line fits {said} for {dealt}")


def _alike_rank(ranks: str, said: str, dealt: str) -> bool:
    match ranks:
        case "any":
            return True
        case "same":
            return said == dealt
        case "next":
            return abs(RANKS.index(said) - RANKS.index(dealt)) == 1
    return {said, dealt} == set(ranks.split("-"))


def _alike_suit(suits: str, said: str, dealt: str) -> bool:
    match suits:
        case "any":
            return True
        case "same":
            return said == dealt
    return said != dealt and (said in RED) == (dealt in RED)


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads((files("replay.likelihood") / "witness_errors.toml").read_text("utf-8"))
