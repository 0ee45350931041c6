"""Andar Bahar of SA Gaming: what becomes of a round and its wagers.

Rulebook SA-AB, report SAB.SAES.1001.01, game 1. It has no clauses for irregularities: what it
leaves open are rule issues of the edition.

Carried to the next round: `deck_used`, true where the deck was dealt and not shuffled since.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from replay.betting_end import End, cards, find
from replay.games import andar_bahar as game
from replay.games.shared.laid_cards import LaidCards, lie
from replay.play_events import DEALT_FROM_SHOE
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Ruled, Step, Waits
from replay.rulings.shared import (
    dealt_round,
    deck_procedure,
    posted_limits,
    shoe_gaps,
    stray_cards,
    unruled_words,
)
from replay.rulings.shared.dealt_round import Ending
from replay.rulings.shared.deck_procedure import after_end, in_time
from replay.rulings.shared.remark import Remark
from replay.sentence import Sentence, say
from replay.settle import Due, Gaps
from replay.wagers import Wager
from replay.witnesses import Sight, sights
from schemas import events as e
from schemas.cards import Card

BOOK = dealt_round.DealtRoundClauses(
    closed="SA-AB:1.2.2",
    layout="SA-AB:1.4",
    dealt="SA-AB:1.2.3",
    result="SA-AB:1.2.4",
    paid="SA-AB:1.4",
)
DECK = "SA-AB:1.1.1"
UNRULED = unruled_words.UnruledWords(
    play="SA-AB:1.2",
    decks=DECK,
    hands=game.HANDS.__contains__,
    burns=False,
    cuts=False,
    calls_hands=False,
)
WORDS = {"a": "andar", "b": "bahar"}
SIDE, COUNT = re.compile("[a-z]+"), re.compile("[0-9]+")
COUNTDOWN = True
DEALS_TO_SIDES = True  # SA-AB:1.2.3
WAITS: Waits = ()  # what comes first shows the outcome
KNOWN_EVENTS: Kinds = DEALT_FROM_SHOE
PLAY_CLAUSE = "SA-AB:1.2"
CARRIED: Carried = {"deck_used": bool}


def betting_end(events: Sequence[e.Event], terms: Terms) -> End | None:
    """Betting ends with the first card to a side (issue betting_time); the Game Card opens it."""
    del terms
    return find(events, cards(game.SIDES.__contains__))


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round by its Game Card and the card that matches it, and every wager as it stands."""
    places = sights(in_time(round.events))
    unread = [at for at in game.beyond_match(places) if at.card is None]
    laid = _laid([place for place in places if place not in unread])
    deal = game.read(laid)
    wagers, told = dealt_round.betting(BOOK, round, terms, game.legal)
    ended = _ending(round, laid, deal, terms)
    settled = deal if ended.status == "settled" else None
    won = game.winner(settled, terms.readings["deal_order"]) if settled else ""
    result = f"{won} {settled.matched}" if settled else ""
    called = dealt_round.Called()
    if settled:
        text = say("SA-AB.result", side=won, n=settled.matched)
        called = dealt_round.Called(result, text)
    told += [*_early(round, wagers)]
    told += dealt_round.unread(BOOK, laid, in_time(round.events))
    told += _read_by_nobody(unread)
    told += _deal(round, laid, deal, ended.status)
    told += deck_procedure.remarks(DECK, round, _cards(laid), memory)
    told += unruled_words.remarks(UNRULED, round)
    if ended.status != "unknown":
        told += dealt_round.calls(BOOK, round.events, called, said)
    ruled = dealt_round.ruled(
        ended,
        wagers,
        told,
        _steps(round, wagers, deal, result, ended),
        outcome=f"{won.capitalize()} {settled.matched}" if settled else "",
        result=result,
        facts=game.facts(settled, terms.readings["deal_order"]) if settled else frozenset(),
        readings=_relied(wagers, told, terms),
    )
    return ruled._replace(memory=deck_procedure.carried(round, memory))


def said(result: str) -> str:
    """A called result as side and count, `andar 7`; one of them alone as far as it goes."""
    lowered = result.strip().lower()
    sides = [WORDS.get(at, at) for at in SIDE.findall(lowered)]
    counts = COUNT.findall(lowered)
    word = next(iter(sides), "")
    if len(counts) > 1 or len(set(sides) & set(game.SIDES)) > 1:
        return lowered  # two things at once are no result
    if not counts:
        return word or lowered
    number = int(counts[0])
    return f"{word or game.SIDES[(number - 1) % 2]} {number}"


def mispaid(gaps: Sequence[tuple[Due, Gaps]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due (SA-AB:1.4)."""
    return dealt_round.mispaid(BOOK, gaps)


def _laid(places: Sequence[Sight]) -> LaidCards:
    """The cards as they lie; unknown where the shoe gave one that nobody recorded."""
    laid, gap = lie(places, game.HANDS), game.missing(places)
    if laid.unread or not gap:
        return laid
    why = say("SA-AB.position_missing", position=gap)
    return LaidCards(dict.fromkeys(game.HANDS, ()), unread=why, evidence=laid.evidence)


def _read_by_nobody(unread: Iterable[Sight]) -> Iterator[Remark]:
    """Cards after the match that no witness could read: they count for nothing."""
    for place in unread:
        assert place.disagreement
        text = say("SA-AB.past_match", place=place.disagreement)
        yield Remark(shoe_gaps.CODE, BOOK.dealt, text, place.evidence, place.hand)
        yield Remark("DEALT_PAST_MATCH", BOOK.result, text, place.evidence, place.hand)


def _ending(round: Round, laid: LaidCards, deal: game.Deal | None, terms: Terms) -> Ending:
    ended = dealt_round.ending(
        BOOK,
        round,
        laid,
        complete=bool(deal and deal.matched),
        void_stands=unruled_words.void_stands(round, terms),
    )
    twice = deck_procedure.twice(_cards(laid))
    if twice and ended.status == "settled" and terms.readings["duplicate_card"] == "void":
        return Ending("void", (DECK,))
    return ended


def _cards(laid: LaidCards) -> list[Card]:
    return [card for hand in laid.hands.values() for card in hand]


def _early(round: Round, wagers: Iterable[Wager]) -> Iterator[Remark]:
    """Bets before the Game Card, with which the countdown begins (SA-AB:1.2.1)."""
    turned = next((event.seq for event in round.events if _shows_game_card(event.payload)), None)
    placed = {event.event_id: event.seq for event in round.events}
    for wager in wagers:
        if turned is not None and placed[wager.event_id] < turned and game.legal(wager.bet):
            text = say("SA-AB.bet_before_game_card", bet=wager.bet)
            own, name = (wager.event_id,), wager.wager_id
            yield Remark("LATE_BET", "SA-AB:1.2.1", text, own, name, wager=True, refuses=True)


def _shows_game_card(payload: e.Payload) -> bool:
    match payload:
        case e.CardDrawn(hand=hand) | e.CardPlaced(hand=hand) | e.CardsObserved(zone=hand):
            return hand == game.GAME
    return False


def _deal(round: Round, laid: LaidCards, deal: game.Deal | None, status: str) -> Iterator[Remark]:
    """What is wrong with the cards, once all of them are known."""
    if laid.unread:
        return
    for fault in game.faults(deal, laid) if deal else ():
        yield Remark(fault.code, fault.clause, fault.text, evidence=laid.evidence)
    late = after_end(round.events)
    if late and deal and deal.matched:
        text = say("SA-AB.dealt_after_close", matched=deal.matched, n=len(late))
        yield Remark("DEALT_PAST_MATCH", BOOK.result, text, evidence=late)
    elif late and status == "void":
        text = say("SA-AB.dealt_after_void", n=len(late))
        yield Remark(stray_cards.CODE, BOOK.dealt, text, evidence=late)
    begun = laid.dealt or laid.order or late
    if begun and status == "unsettled" and dealt_round.over(round.events):
        text = say("SA-AB.no_game_card")
        if deal:
            text = say("SA-AB.no_match", rank=deal.game.rank)
        yield Remark("NO_MATCH", BOOK.result, text, evidence=(*laid.evidence, *late))


def _steps(
    round: Round, wagers: Sequence[Wager], deal: game.Deal | None, result: str, ended: Ending
) -> Iterator[Step]:
    """From the bets to the result."""
    yield from dealt_round.opening(BOOK, round, wagers)
    if deal:
        yield Step(say("SA-AB.game_card", card=str(deal.game)), ("SA-AB:1.2.1",))
        yield Step(_dealt(deal), (BOOK.dealt,))
    if result and deal:
        side, n = result.split(maxsplit=1)[0], deal.matched
        card = str(deal.dealt[n - 1][1])
        yield Step(say("SA-AB.match", n=n, card=card, side=side), (BOOK.result,))
    yield from dealt_round.closing(ended, round.events)


def _dealt(deal: game.Deal) -> Sentence:
    cards = (say("SA-AB.card_to", side=side, card=str(card)) for side, card in deal.dealt)
    return say("SA-AB.dealt", cards=tuple(cards)) if deal.dealt else say("SA-AB.none_dealt")


def _relied(wagers: Sequence[Wager], told: Iterable[Remark], terms: Terms) -> Mapping[str, str]:
    """The rule issues with one reading that this round rests on."""
    codes = {remark.code for remark in told}
    return dealt_round.read_as(
        terms,
        {
            "modes": any(wager.bet.endswith(game.NO_COMMISSION) for wager in wagers),
            "extra_cards": "DEALT_PAST_MATCH" in codes,
            "betting_time": dealt_round.after_close(wagers) or "LATE_BET" in codes,
            "limits": posted_limits.broken(wagers, terms, game.legal),
        },
    )
