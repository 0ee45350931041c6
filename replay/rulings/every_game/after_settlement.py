"""What was told of play once a round had its result and every wager was settled.

It is told and undoes nothing: everybody was paid by what lay there until then. Five games rule this
themselves and say so with RULES_AFTERWARDS (rulings/shared/conclusion.py,
rulings/roulette_sa/attempts.py and rulings/roulette_hoiana/spin.py). The other ten have no clause
for it; here their rounds lose what came afterwards before they are ruled, and the auditor reads of
each such event.

Some of it stays in the round. What only arrived late, as its clock says, was seen in time. What
came after an early payment may be the result itself, so a payment protects nothing that was not
complete without it. A camera that looks again and contradicts nobody says nothing new. And where
the rulings say in their own words that a card or a shake is not of the round, they tell of it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from replay.play_events import CARDS, DICE, SHAKER, TOKENS
from replay.rounds import Round
from replay.ruled import Flag, Kinds, Ruled, Step
from replay.rulings.shared import conclusion, stray_cards
from replay.sentence import Sentence, say
from schemas import events as e

CODE = "TOLD_AFTERWARDS"
# How the rulings of the ten games say of a card or a shake that it is not of the round.
OWN_WORDS = {stray_cards.CODE, "CARD_AFTER_CLOSE", "RESHAKE_UNFOUNDED"}
SHAKEN = (*SHAKER, *DICE, *TOKENS)
PLAY = (*CARDS, *SHAKEN)
LOOKS = (e.CardsObserved, e.DiceObserved, e.TokensObserved)
ENDINGS = (e.WagerSettled, e.RoundClosed, e.RoundVoided)
NAMED = 5  # a sentence that names a thousand of them helps nobody

Rule = Callable[[Round], Ruled]
Told = tuple[tuple[Flag, Step], ...]


class RoundAsPaid(NamedTuple):
    """A round as it was paid, and what is told of that which came afterwards."""

    round: Round
    told: Told = ()


def as_paid(round: Round, own: Kinds, clause: str, rule: Rule) -> RoundAsPaid:
    """The round without what came afterwards and would change it.

    `own` is what the game is played with, `clause` says how its round goes. The round is ruled
    again only where something came afterwards.
    """
    kinds = tuple(kind for kind in PLAY if kind in own)
    for end in _ends(round.events):
        later = tuple(conclusion.afterwards(round.events, end))
        play = tuple(at for at in later if isinstance(at.payload, kinds))
        reports = tuple(at for at in later if isinstance(at.payload, e.IrregularityReported))
        paid = _without(round, (*play, *reports))
        if (play or reports) and _complete(paid, own, rule):
            return _split(round, play, reports, clause, rule)
    return RoundAsPaid(round)


def _ends(events: Sequence[e.Event]) -> Iterator[int]:
    """Where every wager was settled, and where the last settlement was.

    A second hand of Blackjack is settled on its own after the wager that it was split from.
    """
    first = conclusion.place(events)
    if first == len(events) or not isinstance(events[first].payload, e.WagerSettled):
        return
    yield first
    last = max(n for n, at in enumerate(events) if isinstance(at.payload, e.WagerSettled))
    if last > first:
        yield last


def _complete(round: Round, own: Kinds, rule: Rule) -> bool:
    """Whether play alone gave a result; a call is part of play where the dealer reads dice."""
    of_cards = any(kind in own for kind in CARDS)
    closing = (*ENDINGS, e.ResultCalled) if of_cards else ENDINGS
    played = tuple(event for event in round.events if not isinstance(event.payload, closing))
    return rule(replace(round, events=played)).status == "settled"


def _split(
    round: Round,
    play: Sequence[e.Event],
    reports: Sequence[e.Event],
    clause: str,
    rule: Rule,
) -> RoundAsPaid:
    """Play goes where anything said of the round hangs on it, a report where money does.

    A report that moves no money has a check of its own, as that of a card of other decks.
    """
    left_out: list[e.Event] = []
    reported = rule(_without(round, play))
    if play and _says_more(rule(round), reported, play):
        left_out += play
    if reports and _money(reported) != _money(rule(_without(round, (*play, *reports)))):
        left_out += reports
    return RoundAsPaid(_without(round, left_out), tuple(_told(left_out, clause)))


def _says_more(whole: Ruled, paid: Ruled, play: Sequence[e.Event]) -> bool:
    """Whether play that came afterwards changes more than that the rulings tell of it."""
    if _money(whole) != _money(paid) or any(isinstance(at.payload, e.DecisionMade) for at in play):
        return True
    added, lost = set(whole.flags) - set(paid.flags), set(paid.flags) - set(whole.flags)
    if added and not ({flag.code for flag in added} <= OWN_WORDS and _begins_anew(play)):
        return True
    return bool(lost) and not all(isinstance(at.payload, LOOKS) for at in play)


def _begins_anew(play: Iterable[e.Event]) -> bool:
    """Whether dice or tokens were shaken again, so that no reading mixes with those before."""
    shaken = (at.payload for at in play if isinstance(at.payload, SHAKEN))
    first = next((at for at in shaken if not isinstance(at, e.ReshakeOrdered)), None)
    return first is None or isinstance(first, e.ShakerStarted)


def _money(ruled: Ruled) -> tuple[object, ...]:
    """What decides the money: the result, and how each wager stands."""
    stands = tuple(
        (
            stand.wager.wager_id,
            stand.wager.bet,
            stand.action,
            stand.fate,
            stand.facts,
            stand.parts,
            stand.recorded,
        )
        for stand in ruled.stands
    )
    return ruled.status, ruled.outcome, ruled.result, ruled.facts, stands


def _told(left_out: Iterable[e.Event], clause: str) -> Iterator[tuple[Flag, Step]]:
    """What is told of the events: of cards by their hand, of all others at once."""
    grouped: dict[tuple[str, str], list[e.Event]] = {}
    for event in left_out:
        grouped.setdefault(_concerns(event.payload), []).append(event)
    for (code, subject), events in grouped.items():
        text = say("shared.after_settlement", what=_each(events))
        evidence = tuple(event.event_id for event in events)
        yield Flag(code, clause, subject, text), Step(text, (clause,), evidence)


def _concerns(payload: e.Payload) -> tuple[str, str]:
    """The code that tells of an event, and its subject."""
    match payload:
        case e.CardDrawn(hand=hand) | e.CardPlaced(hand=hand) | e.CardsObserved(zone=hand):
            return stray_cards.CODE, hand
    return CODE, ""


def _each(events: Iterable[e.Event]) -> tuple[Sentence, ...]:
    found = tuple(dict.fromkeys(_told_of(event.payload) for event in events))
    rest = len(found) - NAMED
    return (*found[:NAMED], say("shared.more", n=rest)) if rest > 0 else found


def _told_of(payload: e.Payload) -> Sentence:
    match payload:
        case e.CardDrawn(card=card):
            return say("shared.card_drawn", card=card)
        case e.CardPlaced(hand=hand, card=card):
            return say("shared.card_put", card=card, hand=hand)
        case e.CardsObserved(zone=hand, guesses=guesses):
            return say("shared.card_seen", card=stray_cards.best(guesses), hand=hand)
        case e.CardExposed(card=card):
            return say("shared.card_exposed", card=card)
        case e.DecisionMade(player_id=player, decision=decision):
            return say("shared.player_decided", player=player, decision=decision)
        case e.IrregularityReported(kind=kind):
            return say("shared.reported", kind=kind)
    return say("shared.event_told", event=type(payload).__name__)


def _without(round: Round, events: Sequence[e.Event]) -> Round:
    gone = {event.event_id for event in events}
    kept = tuple(event for event in round.events if event.event_id not in gone)
    return replace(round, events=kept) if gone else round
