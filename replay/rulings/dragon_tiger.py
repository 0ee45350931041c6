"""Dragon Tiger: what becomes of a round and its wagers.

Rulebook SA-DT, report SAB.SAES.1001.01, game 4. It has no clauses for irregularities: what it
leaves open are rule issues of the edition. Nothing but the shoe is carried to the next round.
"""

from collections.abc import Iterator, Mapping, Sequence

from replay.betting_end import End, cards, find
from replay.games import dragon_tiger as game
from replay.games.shared.laid_cards import Hands, LaidCards, given, lie
from replay.play_events import DEALT_FROM_SHOE
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Ruled, Step, Waits
from replay.rulings.shared import (
    called_score,
    dealt_round,
    posted_limits,
    shoe_procedure,
    stray_cards,
    unruled_words,
)
from replay.rulings.shared.remark import Remark
from replay.sentence import say
from replay.settle import Due, Gaps
from replay.tabulated import tabulated
from replay.wagers import Wager
from schemas import events as e
from schemas.cards import DECK, Card

BOOK = dealt_round.DealtRoundClauses(
    closed="SA-DT:4.2.1",
    layout="SA-DT:4.2.1",
    dealt="SA-DT:4.2.2",
    result="SA-DT:4.2.3",
    paid="SA-DT:4.3",
    limits="SA-DT:4.3.3",
)
SHOE = shoe_procedure.ShoeClauses(
    decks="SA-DT:4.1.1",
    burn="SA-DT:4.1.2",
    cut="SA-DT:4.1.3",
    round_burn="SA-DT:4.1.4",
)
UNRULED = unruled_words.UnruledWords(
    play="SA-DT:4.2", decks=SHOE.decks, hands=game.SIDES.__contains__
)
RANKS = {"a": 1, "t": 10, "j": 11, "q": 12, "k": 13}
WORDS = {"d": "dragon", "t": "tiger", "draw": "tie"}
COUNTDOWN = True
WAITS: Waits = ()  # what comes first shows the outcome
KNOWN_EVENTS: Kinds = DEALT_FROM_SHOE
PLAY_CLAUSE = "SA-DT:4.2"
CARRIED: Carried = {}


def betting_end(events: Sequence[e.Event], terms: Terms) -> End | None:
    """Betting ends with the first card that anybody could read (issue betting_ends)."""
    del terms
    return find(events, cards(game.SIDES.__contains__, known=True))


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round by its two cards, and every wager as it stands."""
    del memory
    laid = lie(stray_cards.counting(round.events), game.SIDES)
    wrong = list(_order(round, laid))
    hands = laid.hands
    if wrong and laid.order and terms.readings["deal_order"] == "by_the_shoe":
        hands = given(laid.order, game.SIDES)
    wagers, told = dealt_round.betting(BOOK, round, terms, game.legal)
    ended = dealt_round.ending(
        BOOK,
        round,
        laid,
        complete=all(hands.values()),
        void_stands=unruled_words.void_stands(round, terms),
    )
    cards = _first(hands) if ended.status == "settled" else None
    called = _called(*cards) if cards else dealt_round.Called()
    told += [*wrong]
    told += dealt_round.unread(BOOK, laid, round.events)
    told += dealt_round.outside(BOOK, round)
    told += unruled_words.remarks(UNRULED, round)
    told += shoe_procedure.remarks(SHOE, round, (card for _, card in laid.order), terms.decks)
    if ended.status != "unknown":
        told += dealt_round.calls(BOOK, round.events, called, said)
        told += dealt_round.boxed(BOOK, round.events, _figures(cards), _figure)
    return dealt_round.ruled(
        ended,
        wagers,
        told,
        _steps(round, wagers, laid, cards, ended),
        outcome=game.outcome(*cards) if cards else "",
        result=called.word,
        facts=game.facts(*cards) if cards else frozenset(),
        readings=_relied(cards, wagers, terms),
    )


def said(result: str) -> str:
    """A called or shown result as `dragon 12 to 11` or less; other words as they are."""
    return called_score.said(result, game.SIDES, WORDS, RANKS)


def mispaid(gaps: Sequence[tuple[Due, Gaps]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due (SA-DT:4.3)."""
    return dealt_round.mispaid(BOOK, gaps)


def _order(round: Round, laid: LaidCards) -> Iterator[Remark]:
    """What is wrong with the two cards: their order, or that they are not two."""
    if laid.unread or not laid.seen:
        return
    # Where the shoe gave no order, the cards that lie there can still be counted.
    lying = (side for side in game.SIDES for _ in laid.hands[side])
    order = [side for side, _ in laid.order] or list(lying)
    for fault in game.faults(order, dealt_round.over(round.events)):
        yield Remark("DEAL_ORDER", fault.clause, fault.text, evidence=laid.evidence)


def _first(hands: Hands) -> tuple[Card, Card]:
    """The card of each side; what is put on it afterwards does not count."""
    dragon, tiger = (hands[side][0] for side in game.SIDES)
    return dragon, tiger


@tabulated(DECK, DECK)
def result(dragon: Card, tiger: Card) -> str:
    """Who won with how many points against how many, as one word."""
    return _called(dragon, tiger).word


def _called(*cards: Card) -> dealt_round.Called:
    """The same as people read it, too."""
    dragon, tiger = map(game.points, cards)
    return called_score.result(game.winner(*cards), max(dragon, tiger), min(dragon, tiger))


def _figures(cards: tuple[Card, Card] | None) -> dict[str, str]:
    """The points of each side, as they may be called for it."""
    points = (str(game.points(card)) for card in cards or ())
    return dict(zip(game.SIDES, points, strict=False))


def _figure(called: str) -> str:
    return called_score.figure(called, RANKS)


def _steps(
    round: Round,
    wagers: Sequence[Wager],
    laid: LaidCards,
    cards: tuple[Card, Card] | None,
    ended: dealt_round.Ending,
) -> Iterator[Step]:
    yield from dealt_round.opening(BOOK, round, wagers)
    if cards:
        hands = tuple(
            say("SA-DT.hand", hand=side, card=str(card), points=game.points(card))
            for side, card in zip(game.SIDES, cards, strict=True)
        )
        yield Step(say("SA-DT.cards", hands=hands), (BOOK.dealt, BOOK.result), laid.evidence)
        won = game.winner(*cards)
        if won == "tie":
            yield Step(say("SA-DT.tie"), (BOOK.result, "SA-DT:4.3.2"))
        else:
            yield Step(say("SA-DT.wins", winner=won), (BOOK.result,))
    yield from dealt_round.closing(ended, round.events)


def _relied(
    cards: tuple[Card, Card] | None, wagers: Sequence[Wager], terms: Terms
) -> Mapping[str, str]:
    """The rule issues with one reading that this round rests on."""
    tied = cards is not None and game.winner(*cards) == "tie"
    return dealt_round.read_as(
        terms,
        {
            "betting_ends": dealt_round.after_close(wagers),
            "limits": posted_limits.broken(wagers, terms, game.legal),
            "returned_half": tied
            and any(wager.bet in game.SIDES and wager.stake % 2 for wager in wagers),
        },
    )
