"""Finds card places in doubt, and says how likely each explanation is. It settles nothing.

Where definite readings differ a card is unknown and stays so (docs/decisions/0004). The posterior
tells people what to expect, and the checks how sure they can be.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from replay import witnesses
from replay.judge import Judgement
from replay.likelihood import posterior
from replay.likelihood.posterior import PPM, Composition, Posterior, Statement
from replay.rulings.shared import shoe_gaps
from replay.sentence import Sentence, say
from replay.witnesses import CODES, Sight
from schemas import events as e

LIKELY = 3  # cards that are named, at most
SLIGHT = 1_000  # millionths below which another card is not worth naming


class Doubt(NamedTuple):
    """One place, why it is in doubt, and what is likely."""

    hand: str
    slot: int
    kind: str  # differ, unread, impossible or stranger
    ppm: tuple[int, ...]  # misread, switched and foreign, in millionths
    likely: tuple[tuple[str, int], ...]  # cards with their millionths, best first
    evidence: tuple[str, ...]
    erring: tuple[str, ...] = ()  # the witnesses that were wrong if it is a misreading

    @property
    def told(self) -> Sentence:
        """The explanations, and what the shoe gave or what lies there."""
        misread, switched, foreign = self.ppm
        explained = (
            misread and self._misread(misread),
            switched and say("shared.card_switched", ppm=switched),
            foreign and say("shared.card_foreign", ppm=foreign),
        )
        why = tuple(each for each in explained if each)
        cards = tuple(say("shared.likely_card", card=code, ppm=ppm) for code, ppm in self.likely)
        if self.kind == "stranger":
            return say("shared.card_lies", why=why, cards=cards)
        return say("shared.card_given", why=why, cards=cards)

    def _misread(self, ppm: int) -> Sentence:
        if self.kind == "stranger":
            return say("shared.card_missed", ppm=ppm)
        if self.kind == "unread":
            return say("shared.card_unclear", ppm=ppm)
        return say("shared.card_misread", witnesses=self.erring or ("",), ppm=ppm)


def sights_of(judged: Judgement) -> tuple[Sight, ...]:
    """Every card place of a judged round, those that the round before left lying first."""
    lying = judged.memory.get("lying", ())
    left = [(hand, card) for hand, card in lying]
    return witnesses.sights(judged.round.events, left, judged.ruled.rebuilt)


def doubts(judged: Judgement, sights: Sequence[Sight]) -> Iterator[Doubt]:
    """The card places of a round that are in doubt, in the order of the deal."""
    decks = _decks(judged)
    before: Counter[str] = Counter(judged.round.shoe.drawn if judged.round.shoe else {})
    read: Counter[str] = Counter()
    for sight in sights:
        code = str(sight.card or sight.shoe or "") if sight.position > 0 else ""
        kind = _kind(sight, decks=decks, gone=before[code] + read[code])
        if code:
            read[code] += 1
        if kind:
            yield _doubt(sight, kind, _posterior(judged, sight, kind, sights, decks))


def _kind(sight: Sight, *, decks: int, gone: int) -> str:
    """Why a place is in doubt, of whose card so many copies were gone; empty where it is not."""
    if sight.position <= 0:
        never_drawn = sight.position == 0 and sight.shoe is None
        return "stranger" if never_drawn and "camera" in sight.readings else ""
    if sight.card is not None:
        over = 0 < decks <= gone and len(sight.readings) > 1
        return "impossible" if over else ""
    if len(sight.readings) > 1 or sight.disputed:
        return "differ"
    return "unread" if sight.guesses else ""


def _posterior(
    judged: Judgement, sight: Sight, kind: str, sights: Sequence[Sight], decks: int
) -> Posterior:
    others = [str(at.card) for at in sights if at is not sight and at.position > 0 and at.card]
    drawn: Mapping[str, int] = judged.round.shoe.drawn if judged.round.shoe else {}
    left = Composition(decks, Counter(drawn) + Counter(others))
    said, shown = list(_said(sight)), judged.round.shown
    if kind == "stranger":
        counted_on = _counted_on(judged, sight)
        return posterior.stranger(said, left, shown, others, counted_on=counted_on)
    return posterior.weighed(said, left, shown)


def _counted_on(judged: Judgement, sight: Sight) -> bool:
    """Whether the shoe gave a card after this one was seen, and every place up to it is read."""
    events = judged.round.events
    draws = [n for n, at in enumerate(events) if isinstance(at.payload, e.CardDrawn)]
    seen = next((n for n, at in enumerate(events) if at.event_id in sight.evidence), len(events))
    if not draws or draws[-1] < seen:
        return False
    places = {at.payload.position for at in events if isinstance(at.payload, e.CardDrawn)}
    out = judged.round.shoe.cards_out if judged.round.shoe else 0
    return max(places) <= out + sum(map(shoe_gaps.burned, events)) + len(places)


def _doubt(sight: Sight, kind: str, found: Posterior) -> Doubt:
    cards = sorted(found.cards, key=lambda code: (-found.cards[code], code))
    shares = dict(zip(cards, posterior.parts([found.cards[code] for code in cards]), strict=True))
    likely = [(code, ppm) for code, ppm in shares.items() if ppm >= SLIGHT][:LIKELY]
    ppm = posterior.parts(found[:3])
    erring = tuple(who for who, read in sight.readings.items() if read != found.same)
    return Doubt(sight.hand, sight.slot, kind, ppm, tuple(likely), sight.evidence, erring)


def _said(sight: Sight) -> Iterator[Statement]:
    """What each witness says, sure or not; nothing of a shoe that contradicts itself."""
    if sight.shoe in CODES and not sight.disputed:
        yield Statement("shoe", sight.shoe_device, ((str(sight.shoe), PPM),))
    if sight.dealer in CODES:
        yield Statement("dealer", sight.dealer_device, ((str(sight.dealer), PPM),))
    if sight.guesses:
        guesses = ((guess.seen, posterior.millionths(guess.probability)) for guess in sight.guesses)
        yield Statement("camera", sight.camera_device, tuple(guesses))


def _decks(judged: Judgement) -> int:
    """The decks in play; where the shoe says another number than the terms, the larger one."""
    loaded = judged.round.shoe.decks if judged.round.shoe else 0
    return max(loaded, judged.terms.decks if judged.terms else 0)
