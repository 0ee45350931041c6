"""Pok Deng: what becomes of a round and its wagers.

Rulebook SA-PD, report SAB.SAES.1001.01, game 6. It has no clauses for irregularities: what it
leaves open are rule issues of the edition. The withheld amount of a wager is its reserve. Nothing
but the shoe is carried to the next round.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from replay.betting_end import End, cards, find
from replay.games import pok_deng as game
from replay.games.shared.laid_cards import Hands, LaidCards, given, lie
from replay.play_events import DEALT_FROM_SHOE
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Ruled, Stand, Step, Waits
from replay.rulings.shared import (
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

BOOK = dealt_round.DealtRoundClauses(
    closed="SA-PD:6.3.1",
    layout="SA-PD:6.2.1",
    dealt="SA-PD:6.3.2",
    result="SA-PD:6.3.3",
    paid="SA-PD:6.5",
)
SHOE = shoe_procedure.ShoeClauses(
    decks="SA-PD:6.1.1",
    burn="SA-PD:6.1.2",
    cut="SA-PD:6.1.3",
    round_burn="SA-PD:6.1.4",
)
WITHHELD = "SA-PD:6.2.2"
SHORT = "insufficient_balance"
UNRULED = unruled_words.UnruledWords(
    play="SA-PD:6.3",
    decks=SHOE.decks,
    hands=game.HANDS.__contains__,
    reports=frozenset([SHORT]),
)
FIGURE = re.compile(r"[0-9](?:\.[1-5])?")
COUNTDOWN = True
WAITS: Waits = ()  # what comes first shows the outcome
KNOWN_EVENTS: Kinds = DEALT_FROM_SHOE
PLAY_CLAUSE = "SA-PD:6.3"
CARRIED: Carried = {}
HEEDS = frozenset({"reserve"})


def betting_end(events: Sequence[e.Event], terms: Terms) -> End | None:
    """Betting ends with the first card dealt or seen (issue betting_ends)."""
    del terms
    return find(events, cards(game.HANDS.__contains__))


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round by its six hands, and every wager as it stands."""
    del memory
    laid = lie(stray_cards.counting(round.events), game.HANDS)
    wrong = list(_deal(round, laid))
    hands = _hands(laid, terms, crossed=any(at.code == "DEAL_ORDER" for at in wrong))
    wagers, told = dealt_round.betting(BOOK, round, terms, game.legal)
    # A declared void needs a hand that is short; else Banker's hand and one other decide.
    least = len(game.HANDS) if dealt_round.declared_void(round.events) else 2
    ended = dealt_round.ending(
        BOOK,
        round,
        laid,
        complete=game.BANKER in hands and len(hands) >= least,
        void_stands=unruled_words.void_stands(round, terms),
    )
    settled = ended.status == "settled"
    told += [*_withheld(round, wagers), *wrong]
    told += dealt_round.unread(BOOK, laid, round.events)
    told += dealt_round.outside(BOOK, round)
    told += unruled_words.remarks(UNRULED, round)
    told += shoe_procedure.remarks(SHOE, round, (card for _, card in laid.order), terms.decks)
    result = _result(hands) if settled else dealt_round.Called()
    if ended.status != "unknown":
        told += _calls(round.events, hands if settled else {}, result)
    ruled = dealt_round.ruled(
        ended,
        wagers,
        told,
        [
            *_steps(round, wagers, laid, hands if settled else {}, ended),
            *_needless(round, wagers),
        ],
        outcome=_outcome(hands) if settled else "",
        result=result.word,
        facts=frozenset(_facts(hands, terms)) if settled else frozenset(),
        readings=_relied(wagers, told, terms),
    )
    if ended.status == "unsettled" and dealt_round.over(round.events):
        pairs = (f"{seat}_pair wins" for seat, hand in hands.items() if game.is_pair(hand))
        stands = tuple(_pair(stand, hands) for stand in ruled.stands)
        return ruled._replace(facts=frozenset(pairs), stands=stands)
    return ruled._replace(stands=tuple(_open(stand, hands) for stand in ruled.stands))


def said(result: str) -> str:
    """The figures that a call names, Banker's first, such as `2 3 5 7.4 9 0`."""
    figures = FIGURE.findall(result)
    return " ".join(figures) if figures else result.strip().lower()


def mispaid(gaps: Sequence[tuple[Due, Gaps]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due (SA-PD:6.5)."""
    return dealt_round.mispaid(BOOK, gaps)


def _hands(laid: LaidCards, terms: Terms, *, crossed: bool) -> Hands:
    """The hands that have their two cards; what is put on one afterwards does not count."""
    hands = laid.hands
    if crossed and terms.readings["deal_order"] == "by_the_shoe":
        hands = given(laid.order, game.ORDER)
    return {name: hand[: game.HELD] for name, hand in hands.items() if len(hand) >= game.HELD}


def _deal(round: Round, laid: LaidCards) -> Iterator[Remark]:
    """What is wrong with the deal; its order is known where the shoe gave it."""
    if laid.unread or not laid.seen:
        return
    order = tuple(name for name, _ in laid.order)
    for fault in game.faults(order, laid.dealt, dealt_round.over(round.events)):
        yield Remark(fault.code, BOOK.dealt, fault.text, evidence=laid.evidence)


def _withheld(round: Round, wagers: Iterable[Wager]) -> Iterator[Remark]:
    """Amounts withheld that are not the stake, and balances that could not bear them."""
    short = _short(round.events)
    for wager in wagers:
        held, owed = wager.placed.reserve, wager.stake if wager.bet in game.SEATS else 0
        if held != owed:
            bet, stake, own = wager.bet, wager.stake, (wager.event_id,)
            text = say("SA-PD.withheld", held=held, bet=bet, stake=stake, owed=owed)
            yield Remark("WITHHELD_AMOUNT", WITHHELD, text, own, wager.wager_id, wager=True)
        if owed and wager.wager_id in short:
            text = say("SA-PD.balance_short", stake=wager.stake)
            told = (wager.event_id, short[wager.wager_id])
            yield Remark("INSUFFICIENT_BALANCE", WITHHELD, text, told, wager.wager_id, wager=True)


def _needless(round: Round, wagers: Iterable[Wager]) -> Iterator[Step]:
    """Reports on bets for which nothing is withheld: 6.2.2 asks nothing of them."""
    short = _short(round.events)
    for wager in wagers:
        if wager.wager_id in short and wager.bet not in game.SEATS:
            text = say("SA-PD.balance_short_needless", bet=wager.bet)
            yield Step(text, (WITHHELD,), (short[wager.wager_id],), wager.wager_id)


def _short(events: Iterable[e.Event]) -> Mapping[str, str]:
    """The wagers whose balance was reported short, with the report."""
    return {
        event.payload.subject: event.event_id
        for event in events
        if isinstance(event.payload, e.IrregularityReported) and event.payload.kind == SHORT
    }


def _calls(events: Iterable[e.Event], hands: Hands, result: dealt_round.Called) -> Iterator[Remark]:
    """Figures called for the whole round, or for one hand, that differ from the cards."""
    seen = list(events)
    yield from dealt_round.calls(BOOK, seen, result, said)
    figures = {name: game.value(hand).figure for name, hand in hands.items()}
    yield from dealt_round.boxed(BOOK, seen, figures, said)


def _facts(hands: Hands, terms: Terms) -> Iterator[str]:
    for seat in game.SEATS:
        if seat in hands:
            reduced = terms.readings["banker_0_or_6"]
            yield from game.facts(seat, hands[seat], hands[game.BANKER], reduced)


def _open(stand: Stand, hands: Hands) -> Stand:
    """A good bet on a hand without two cards stays open."""
    seat = stand.wager.bet.removesuffix("_pair")
    if stand.fate or seat in hands:
        return stand
    return stand._replace(fate="open", clauses=(BOOK.dealt,))


def _pair(stand: Stand, hands: Hands) -> Stand:
    """SA-PD:6.5. The pair bet on a complete hand asks nothing of Banker's."""
    seat = stand.wager.bet.removesuffix("_pair")
    if stand.fate == "open" and seat != stand.wager.bet and seat in hands:
        return stand._replace(fate="", clauses=())
    return stand


def _result(hands: Hands) -> dealt_round.Called:
    """All figures, Banker's first."""
    figures = _figures(hands)
    return dealt_round.Called(" ".join(figures), say("SA-PD.figures", figures=figures))


def _figures(hands: Hands) -> tuple[str, ...]:
    """The figure of every hand; a question mark for one that was not dealt."""
    names = (game.BANKER, *game.SEATS)
    return tuple(game.value(hands[name]).figure if name in hands else "?" for name in names)


def _outcome(hands: Hands) -> str:
    """The result for people: Banker's figure, then the players', such as B 2, P 3 5 7.4 9 0."""
    banker, *players = _figures(hands)
    return f"B {banker}, P {' '.join(players)}"


def _steps(
    round: Round, wagers: Sequence[Wager], laid: LaidCards, hands: Hands, ended: dealt_round.Ending
) -> Iterator[Step]:
    yield from dealt_round.opening(BOOK, round, wagers)
    for n, name in enumerate((game.BANKER, *game.SEATS)):
        if name in hands:
            text = _worth(name, hands[name])
            yield Step(text, ("SA-PD:6.4.1", "SA-PD:6.4.2"), () if n else laid.evidence)
    yield from dealt_round.closing(ended, round.events)


def _worth(name: str, hand: game.Hand) -> Sentence:
    """A hand with its cards, its figure and its pattern."""
    cards, (figure, pattern) = tuple(map(str, hand)), game.value(hand)
    if not pattern:
        return say("SA-PD.hand", hand=name, cards=cards, figure=figure)
    named = PATTERNS[pattern]
    return say("SA-PD.hand_pattern", hand=name, cards=cards, figure=figure, pattern=named)


PATTERNS = {
    "ak_flush": say("SA-PD.ak_flush"),
    "special_pair": say("SA-PD.special_pair"),
    "face_card_combo": say("SA-PD.face_card_combo"),
    "single_face_no_point": say("SA-PD.single_face_no_point"),
    "flush_no_point": say("SA-PD.flush_no_point"),
    "pair": say("SA-PD.pair"),
    "flush": say("SA-PD.flush"),
}


def _relied(wagers: Sequence[Wager], told: Iterable[Remark], terms: Terms) -> Mapping[str, str]:
    """The rule issues with one reading that this round rests on."""
    return dealt_round.read_as(
        terms,
        {
            "withheld_amount": any(remark.code == "WITHHELD_AMOUNT" for remark in told),
            "betting_ends": dealt_round.after_close(wagers),
            "limits": posted_limits.broken(wagers, terms, game.legal),
        },
    )
