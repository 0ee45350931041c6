"""Baccarat of SA Gaming: what becomes of a round and its wagers.

Rulebook SA-BC, report SAB.SAES.1001.01, game 2. It has no clauses for irregularities: what it
leaves open are rule issues of the edition. Nothing but the shoe is carried to the next round.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from replay.betting_end import End, cards, find
from replay.games import baccarat as game
from replay.games.shared.laid_cards import LaidCards, lie
from replay.play_events import DEALT_FROM_SHOE
from replay.rounds import Round
from replay.rulebooks.terms import BadTerms, Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Ruled, Stand, Step, Waits
from replay.rulings.shared import (
    called_score,
    dealt_round,
    posted_limits,
    shoe_procedure,
    stray_cards,
    unruled_words,
)
from replay.rulings.shared.remark import Remark
from replay.sentence import Sentence, say
from replay.settle import Due, Gaps
from replay.wagers import Wager
from schemas import events as e
from schemas.cards import Card

BOOK = dealt_round.DealtRoundClauses(
    closed="SA-BC:2.2.1",
    layout="SA-BC:2.4",
    dealt="SA-BC:2.2.2",
    result="SA-BC:2.2.4",
    paid="SA-BC:2.4",
    limits="SA-BC:2.4",
    bets="SA-BC:2.4",
)
SHOE = shoe_procedure.ShoeClauses(decks="SA-BC:2.1.1", burn="SA-BC:2.1.2", cut="SA-BC:2.1.3")
AVAILABILITY = "SA-BC:2.5"
UNRULED = unruled_words.UnruledWords(
    play="SA-BC:2.2", decks=SHOE.decks, hands=game.Deal._fields.__contains__
)

NATURAL = re.compile(r"\bnatural\b")
WORDS = {"b": "banker", "p": "player", "t": "tie"}
THIRDS = {True: "THIRD_CARD_EXTRA", False: "THIRD_CARD_MISSING"}
COUNTDOWN = True
WAITS: Waits = ()  # what comes first shows the outcome
KNOWN_EVENTS: Kinds = DEALT_FROM_SHOE
PLAY_CLAUSE = "SA-BC:2.2"
CARRIED: Carried = {}


class BaccaratCards(NamedTuple):
    """The cards of a round as its readings take them."""

    laid: LaidCards
    deal: game.Deal  # with every card that lies on a hand
    faults: tuple[game.Fault, ...]
    wrong_order: bool
    crossed: bool  # whether a card lies on another hand than its place in the shoe gives it to
    told: tuple[game.Fault, ...]  # what is wrong with the hands as they lie

    @property
    def short(self) -> bool:
        """Whether a hand lacks a card that it is owed."""
        return any(fault.found < fault.wanted for fault in self.faults)

    @property
    def opened(self) -> bool:
        """Whether both hands have their first two cards."""
        return min(map(len, self.deal)) >= 2


def betting_end(events: Sequence[e.Event], terms: Terms) -> End | None:
    """Betting ends with the first card dealt or seen (issue betting_ends)."""
    del terms
    return find(events, cards(game.Deal._fields.__contains__))


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round by its hands, and every wager as it stands."""
    del memory
    dealt = _dealt(round, terms)
    wagers, told = dealt_round.betting(BOOK, round, terms, game.legal)
    as_dealt = terms.readings["missing_card"] == "settled_as_dealt"
    settles = as_dealt and dealt_round.no_more_cards(round.events)
    complete = dealt.opened and (settles or not dealt.short)
    declared = unruled_words.void_stands(round, terms)
    ended = dealt_round.ending(BOOK, round, dealt.laid, complete=complete, void_stands=declared)
    deal = _counting(dealt.deal, terms) if ended.status == "settled" else None
    result = called(deal) if deal else dealt_round.Called()
    facts = game.facts(deal, terms.readings["natural_tie"]) if deal else frozenset[str]()
    decided = dealt.opened and ended.status == "unsettled" and dealt_round.over(round.events)
    if decided:
        facts = frozenset(game.pairs(dealt.deal))
    told += [*_closed_bets(round, wagers, terms)]
    told += [*_cards(round, dealt), *_shoe(round, dealt, terms)]
    told += unruled_words.remarks(UNRULED, round)
    if ended.status != "unknown":
        told += _calls(round.events, deal, result)
    ruled = dealt_round.ruled(
        ended,
        wagers,
        told,
        _steps(round, wagers, dealt.laid, deal, ended),
        outcome=game.outcome(deal) if deal else "",
        result=result.word,
        facts=facts,
        readings=_relied(wagers, terms),
    )
    return ruled._replace(stands=tuple(map(_decided, ruled.stands))) if decided else ruled


def said(result: str) -> str:
    """A called or shown result as `banker 6 to 5` or less; other words as they are."""
    named = " ".join(NATURAL.sub("", result.lower()).split())
    return called_score.said(named or result, game.Deal._fields, WORDS, {})


def mispaid(gaps: Sequence[tuple[Due, Gaps]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due, by what makes its due: its bet, or a tie (2.6)."""
    return dealt_round.mispaid(BOOK, gaps)


def _decided(stand: Stand) -> Stand:
    """SA-BC:2.4.5 to 2.4.8. Pairs and naturals are of two cards: no third one is awaited."""
    if stand.fate != "open" or _kind(stand.wager) not in game.TWO_CARD_BETS:
        return stand
    return stand._replace(fate="", clauses=())


def _dealt(round: Round, terms: Terms) -> BaccaratCards:
    laid = lie(stray_cards.counting(round.events), game.Deal._fields)
    wrong = _wrong_order([hand for hand, _ in laid.order])
    deal = told = game.Deal(**laid.hands)
    by_the_shoe = game.deal_out(card for _, card in laid.order)
    own = zip(by_the_shoe, deal, strict=True)
    crossed = wrong or any(hand != lies[: len(hand)] for hand, lies in own)
    if crossed and terms.readings["deal_order"] == "by_the_shoe":
        deal = by_the_shoe
        told = deal if wrong else told
    return BaccaratCards(laid, deal, _faults(deal, terms), wrong, crossed, _faults(told, terms))


def _faults(deal: game.Deal, terms: Terms) -> tuple[game.Fault, ...]:
    opened = min(map(len, deal)) >= 2
    return tuple(game.faults(deal, terms.readings["extra_card"])) if opened else ()


def called(deal: game.Deal) -> dealt_round.Called:
    """Who won with which score against which."""
    player, banker = map(game.score, deal)
    return called_score.result(game.winner(deal), max(player, banker), min(player, banker))


def _calls(
    events: Sequence[e.Event], deal: game.Deal | None, result: dealt_round.Called
) -> Iterator[Remark]:
    """Calls of the round, or of one hand, that differ from the cards."""
    winner = game.winner(deal) if deal else ""
    natural = deal is not None and all(
        game.is_natural(hand) for name, hand in deal._asdict().items() if winner in (name, "tie")
    )

    def heard(called: str) -> str:
        told = natural or not NATURAL.search(called.lower())  # a natural that lies there, or none
        return said(called) if told else called.strip().lower()

    yield from dealt_round.calls(BOOK, events, result, heard)
    scores = {name: str(game.score(hand)) for name, hand in deal._asdict().items()} if deal else {}
    yield from dealt_round.boxed(BOOK, events, scores, lambda word: called_score.figure(word, {}))


def _counting(deal: game.Deal, terms: Terms) -> game.Deal:
    """The hands with the cards that count (rule issue extra_card)."""
    return deal if terms.readings["extra_card"] == "counted" else game.lawful(deal)


def _wrong_order(order: Sequence[str]) -> bool:
    """Whether the cards were put down otherwise than P, B, P, B and Player's third first."""
    opening, rest = tuple(order[:4]), order[4:]
    if opening != game.OPENING[: len(opening)] or set(order) - set(game.Deal._fields):
        return True
    thirds = [hand for n, hand in enumerate(rest) if hand not in rest[:n]]
    return thirds == ["banker", "player"]


def _cards(round: Round, dealt: BaccaratCards) -> Iterator[Remark]:
    """What is wrong with the cards on the hands."""
    laid, finished = dealt.laid, dealt_round.over(round.events)
    yield from dealt_round.unread(BOOK, laid, round.events)
    yield from dealt_round.outside(BOOK, round)
    stopped = finished and laid.dealt > 0 and not dealt.opened
    if dealt.wrong_order or stopped:
        text = say("SA-BC.too_few_cards")
        if laid.order:
            text = say("SA-BC.deal_order", order=tuple(hand for hand, _ in laid.order))
        yield Remark("DEAL_ORDER", BOOK.dealt, text, evidence=laid.evidence)
    for fault in dealt.told:
        extra = fault.found > fault.wanted
        if extra or finished:
            hand, found, wanted = fault.hand, fault.found, fault.wanted
            text = say("SA-BC.cards_held", hand=hand, found=found, wanted=wanted)
            yield Remark(THIRDS[extra], fault.clause, text, laid.evidence, hand)


def _shoe(round: Round, dealt: BaccaratCards, terms: Terms) -> Iterator[Remark]:
    out = [card for _, card in dealt.laid.order]
    return shoe_procedure.remarks(SHOE, round, out, terms.decks)


def _closed_bets(round: Round, wagers: Sequence[Wager], terms: Terms) -> Iterator[Remark]:
    """Bets of a type that is no longer open in this round of the shoe (SA-BC:2.5)."""
    number = shoe_procedure.number(round)
    for wager in wagers:
        last = last_rounds(terms.readings).get(_kind(wager))
        if last and number and number > last and not wager.late:
            text = say("SA-BC.bet_closed", bet=wager.bet, last=last, number=number)
            own = (wager.event_id,)
            yield Remark(
                "BET_UNAVAILABLE", AVAILABILITY, text, own, wager.wager_id, wager=True, refuses=True
            )


def last_rounds(readings: Mapping[str, str]) -> Mapping[str, int]:
    """The last round of a shoe in which each bet type is open; no entry where it always is."""
    posted = readings["max_round_availability"]
    if posted == "none":
        return {}
    pairs = [part.split() for part in posted.split(",")]
    last = {bet: int(rounds) for bet, rounds in pairs}
    if len(last) < len(pairs):
        raise BadTerms(f"reading max_round_availability: each bet once expected, {posted!r} found")
    return last


def _kind(wager: Wager) -> str:
    return wager.bet.removesuffix(game.NO_COMMISSION)


def _relied(wagers: Sequence[Wager], terms: Terms) -> Mapping[str, str]:
    """The rule issues with one reading that this round rests on."""
    return dealt_round.read_as(
        terms,
        {
            "betting_ends": dealt_round.after_close(wagers),
            "limits": posted_limits.broken(wagers, terms, game.legal),
        },
    )


def _steps(
    round: Round,
    wagers: Sequence[Wager],
    laid: LaidCards,
    deal: game.Deal | None,
    ended: dealt_round.Ending,
) -> Iterator[Step]:
    yield from dealt_round.opening(BOOK, round, wagers)
    if laid.dealt:
        hands = tuple(_held(name, hand) for name, hand in laid.hands.items())
        yield Step(say("SA-BC.cards", hands=hands), (BOOK.dealt, "SA-BC:2.2.3"), laid.evidence)
    if deal:
        yield _thirds(deal)
        yield _winner(deal)
    yield from dealt_round.closing(ended, round.events)


def _thirds(deal: game.Deal) -> Step:
    """Who drew, and by which rule."""
    player, banker = (game.score(hand[:2]) for hand in deal)
    if max(player, banker) >= 8:
        return Step(say("SA-BC.natural", player=player, banker=banker), ("SA-BC:2.3.1",))
    drew = tuple(name for name, hand in deal._asdict().items() if len(hand) > 2)
    text = say("SA-BC.both_stand", player=player, banker=banker)
    if drew:
        text = say("SA-BC.drew", player=player, banker=banker, drew=drew)
    return Step(text, ("SA-BC:2.3.2", "SA-BC:2.3.4" if "player" in drew else "SA-BC:2.3.3"))


def _winner(deal: game.Deal) -> Step:
    """Who won, by the scores."""
    won, player, banker = game.winner(deal), game.score(deal.player), game.score(deal.banker)
    if won == "tie":
        return Step(say("SA-BC.tie", player=player, banker=banker), (BOOK.result, "SA-BC:2.6"))
    return Step(say("SA-BC.wins", player=player, banker=banker, winner=won), (BOOK.result,))


def _held(name: str, hand: Sequence[Card]) -> Sentence:
    cards = tuple(map(str, hand))
    if not cards:
        return say("SA-BC.empty_hand", hand=name)
    return say("SA-BC.hand", hand=name, cards=cards, points=game.score(hand))
