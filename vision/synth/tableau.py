"""The table at any moment of a round: cards in motion, hands, chips, a shaker's lid."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from vision.felt.layout import Layout
from vision.synth.days import CardLaid, FilmedRound, PiecesThrown
from vision.synth.spots import (
    FeltArea,
    FeltSpot,
    card_spot,
    chance,
    chip_spots,
    middle_of,
    most_slots,
)
from vision.types import Point

MOVES_US = 600_000  # a card moves to its place
TURNS_US = 300_000  # a hand over a card that it turns
LEAVES_US = 400_000  # a hand moves away
SWEPT_US = 600_000  # the cards of a round are swept off
COVERED_US = 2_050_000  # the camera reports a disturbed view after two seconds
FACE_DOWN_US = 1_500_000  # a card first read this long after it was drawn lay face down until then
LIFTED_US, OPEN_US = 900_000, 300_000  # before dice are read: the lid lifts, and is off
SHUT_US = 2_500_000  # the lid is on again at least this long before the next throw
HANDS = 2
IDLE_US, LIES_IDLE_US = 8_000_000, 2_000_000  # between frames while nothing happens


class CardShown(NamedTuple):
    """A card at one moment; no code if its back shows."""

    zone: str
    slot: int
    code: str | None
    spot: FeltSpot
    moving: bool = False


class Tableau(NamedTuple):
    """One moment of a table."""

    cards: tuple[CardShown, ...] = ()
    hands: tuple[Point, ...] = ()  # where fingertips are
    chips: tuple[Point, ...] = ()
    throw: PiecesThrown | None = None  # what lies open
    lid: float | None = None  # 0 on, 1 off; None without a lid
    spoilt: str = ""


class _CardWay(NamedTuple):
    """The path of one card: from the shoe to its place, turned face up, and off the table."""

    card: CardLaid
    spot: FeltSpot
    starts_us: int
    lands_us: int
    up_us: int | None
    gone_us: int


class Timeline:
    """Every moment of the rounds that are filmed."""

    def __init__(
        self, layout: Layout, plays: Sequence[FilmedRound], around: FeltArea, seed: int
    ) -> None:
        self._layout, self._plays, self._around, self._seed = layout, plays, around, seed
        self._shoe = (around.right - 30.0, around.top - 60.0)
        self._out = (around.left + 30.0, around.top - 90.0)
        self.beside = 0  # cards in a zone that the layout does not have
        self._ways = [tuple(self._all_ways(play)) for play in plays]
        self._chips = [self._stacks(play) for play in plays]

    def at(self, at_us: int) -> Tableau:
        """The table at a moment."""
        lid = 0.0 if self._layout.reads != "cards" else None
        found = Tableau(lid=lid)
        for n, play in enumerate(self._plays):
            if play.opened_us <= at_us < play.closed_us:
                found = self._within(n, play, at_us)
            for spoilt in play.spoilt:
                if spoilt.at_us - COVERED_US <= at_us < spoilt.at_us + 700_000:
                    found = found._replace(spoilt=spoilt.kind)
        return found

    def _within(self, n: int, play: FilmedRound, at_us: int) -> Tableau:
        there = [way for way in self._ways[n] if way.starts_us <= at_us < way.gone_us]
        cards = tuple(self._shown(way, at_us, play.closed_us) for way in there)
        hands = sorted(
            (hand for way in there for hand in self._hand(way, at_us)), key=lambda at: -at[0]
        )
        tips = [tip for _, tip in hands[:HANDS]]
        if there and at_us >= play.closed_us - SWEPT_US:
            tips = [max((card.spot[:2] for card in cards), key=lambda at: at[0])]
        chips = tuple(at for since, at in self._chips[n] if since <= at_us)
        throw, lid = self._thrown(play, at_us)
        if lid is not None and 0 < lid < 1:
            x, y = middle_of(self._layout.zones[0])
            tips = [(x + lid * self._wide, y)]
        return Tableau(cards, tuple(tips), chips, throw, lid)

    @property
    def _wide(self) -> float:
        return self._around.right - self._around.left

    def _thrown(self, play: FilmedRound, at_us: int) -> tuple[PiecesThrown | None, float | None]:
        """What lies open, and where the lid is."""
        if self._layout.reads == "cards":
            return None, None
        shut = [next_.at_us - SHUT_US for _, next_ in pairwise(play.thrown)]
        shut.append(play.closed_us - SWEPT_US)
        for throw, shut_us in zip(play.thrown, shut, strict=True):
            if throw.at_us - LIFTED_US <= at_us < shut_us + SWEPT_US:
                off = _share(at_us, throw.at_us - LIFTED_US, throw.at_us - OPEN_US)
                on = _share(at_us, shut_us, shut_us + SWEPT_US)
                return throw, min(off, 1 - on)
        return None, 0.0

    def _stacks(self, play: FilmedRound) -> list[tuple[int, Point]]:
        luck = chance(self._seed, play.round_id, "chips")
        spots = chip_spots(self._layout, self._around, len(play.wagers_us), luck)
        return list(zip(play.wagers_us, spots, strict=False))

    def _all_ways(self, play: FilmedRound) -> Iterator[_CardWay]:
        """The paths of a round's cards; a replaced card leaves when the new one arrives."""
        names = {zone.name for zone in self._layout.zones}
        laid = [card for card in play.laid if card.zone in names]
        if self._layout.reads != "cards":
            return
        self.beside += sum(not card.hidden for card in play.laid) - sum(
            not card.hidden for card in laid
        )
        most = most_slots([(card.zone, card.slot) for card in laid])
        ways = [self._way(play, card, most[card.zone]) for card in laid]
        for n, way in enumerate(ways):
            key = (way.card.zone, way.card.slot)
            later = [at.starts_us for at in ways[n + 1 :] if (at.card.zone, at.card.slot) == key]
            yield way._replace(gone_us=min(later)) if later else way

    def _way(self, play: FilmedRound, card: CardLaid, most: int) -> _CardWay:
        luck = chance(self._seed, play.round_id, card.zone, card.slot)
        spot = card_spot(self._layout.zone(card.zone), card.slot, most, luck)
        drawn, seen, gone = card.drawn_us, card.at_us, play.closed_us
        if drawn is not None and (card.hidden or seen - drawn > FACE_DOWN_US):
            up = None if card.code is None else seen - 50_000
            return _CardWay(card, spot, drawn - 200_000, drawn + MOVES_US - 200_000, up, gone)
        lands = seen - 50_000
        up = None if card.code is None else lands - MOVES_US
        return _CardWay(card, spot, lands - MOVES_US, lands, up, gone)

    def _shown(self, way: _CardWay, at_us: int, closed_us: int) -> CardShown:
        up = way.up_us is not None and at_us >= way.up_us
        into = _share(at_us, way.starts_us, way.lands_us)
        out = _share(at_us, closed_us - SWEPT_US, closed_us)
        spot = _between(FeltSpot(*self._shoe, 0.6), way.spot, 1 - (1 - into) ** 2)
        spot = _between(spot, FeltSpot(*self._out, 0.3), out**2)
        code = way.card.code if up else None
        return CardShown(way.card.zone, way.card.slot, code, spot, moving=into < 1 or out > 0)

    def _hand(self, way: _CardWay, at_us: int) -> Iterator[tuple[int, Point]]:
        """The hand that brings or turns a card, and when it came."""
        tip = (way.spot.x, way.spot.y - 30)
        away = (way.spot.x, self._around.top - 160)
        if way.starts_us <= at_us < way.lands_us:
            eased = 1 - (1 - _share(at_us, way.starts_us, way.lands_us)) ** 2
            spot = _between(FeltSpot(*self._shoe, 0), FeltSpot(*tip, 0), eased)
            yield way.starts_us, spot[:2]
        elif way.lands_us <= at_us < way.lands_us + LEAVES_US:
            yield (
                way.starts_us,
                _along(tip, away, _share(at_us, way.lands_us, way.lands_us + LEAVES_US)),
            )
        if way.up_us is None or way.up_us <= way.lands_us:
            return
        over, since = (way.spot.x, way.spot.y + 15), way.up_us - TURNS_US
        if since <= at_us < way.up_us + LEAVES_US:
            yield since, _along(over, away, _share(at_us, way.up_us, way.up_us + LEAVES_US))


def times(plays: Sequence[FilmedRound], fps: float) -> list[int]:
    """The times of frames: close together while something happens, else seldom."""
    step = round(1_000_000 / fps)
    start = plays[0].opened_us - 3_000_000
    wanted = {0}
    for since, until in (window for play in plays for window in _windows(play)):
        wanted.update(range(max(0, (since - start) // step), (until - start) // step + 1))
    for one, other in pairwise(sorted(wanted)):
        lies = any(play.opened_us < start + one * step < play.closed_us for play in plays)
        idle = max(1, (LIES_IDLE_US if lies else IDLE_US) // step)
        wanted.update(range(one + idle, other, idle))
    return [start + tick * step for tick in sorted(wanted)]


def _windows(play: FilmedRound) -> Iterator[tuple[int, int]]:
    yield play.opened_us, play.opened_us + 400_000
    for card in play.laid:
        yield card.at_us - 900_000, card.at_us + 1_400_000
        if card.drawn_us is not None:
            yield card.drawn_us - 200_000, card.drawn_us + 600_000
    if play.laid:  # the tracker waits this long for a card that is hard to read
        last = max(card.at_us for card in play.laid)
        yield last, min(last + 3_400_000, play.closed_us)
    for throw in play.thrown:
        yield throw.at_us - 1_200_000, throw.at_us + 2_800_000
    for spoilt in play.spoilt:
        yield spoilt.at_us - COVERED_US - 600_000, spoilt.at_us + 1_200_000
    yield play.closed_us - 900_000, play.closed_us + 500_000


def _share(at_us: int, since_us: int, until_us: int) -> float:
    return min(1.0, max(0.0, (at_us - since_us) / max(1, until_us - since_us)))


def _between(one: FeltSpot, other: FeltSpot, share: float) -> FeltSpot:
    x, y, turn = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return FeltSpot(x, y, turn)


def _along(one: Point, other: Point, share: float) -> Point:
    return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share
