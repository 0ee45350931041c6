"""Teen Patti 20-20 of SA Gaming: what becomes of a round and its wagers.

Rulebook SA-TP, report SAB.SAES.1001.01, game 9. It has no clauses for irregularities: what it
leaves open are rule issues of the edition.

Carried to the next round: `deck_used`, true where the deck was dealt and not shuffled since.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from replay.betting_end import End, cards, find
from replay.games import teen_patti as game
from replay.games.shared.laid_cards import LaidCards, given, lie
from replay.play_events import DEALT_FROM_SHOE
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Ruled, Step, Waits
from replay.rulings.shared import dealt_round, deck_procedure, posted_limits, unruled_words
from replay.rulings.shared.dealt_round import Ending
from replay.rulings.shared.deck_procedure import after_end, in_time
from replay.rulings.shared.remark import Remark
from replay.sentence import Sentence, say
from replay.settle import Due, Gaps
from replay.wagers import Wager
from replay.witnesses import sights
from schemas import events as e
from schemas.cards import Card

BOOK = dealt_round.DealtRoundClauses(
    closed="SA-TP:9.2.1",
    layout="SA-TP:9.2.1",
    dealt="SA-TP:9.2.2",
    result="SA-TP:9.2.3",
    paid="SA-TP:9.5",
)
DECK = "SA-TP:9.1"
UNRULED = unruled_words.UnruledWords(
    play="SA-TP:9.2", decks=DECK, hands=game.HANDS.__contains__, burns=False, cuts=False
)
RANKING = "SA-TP:9.3"
WORDS = {"a": "player_a", "b": "player_b"}
SIX = "SA-TP:9.4"
BONUS, NOTHING = "six_card_bonus", "none"  # the bet on all six cards, and less than it pays
NAMED = {
    "high card": say("SA-TP.high_card"),
    "pair": say("SA-TP.pair"),
    "flush": say("SA-TP.flush"),
    "straight": say("SA-TP.straight"),
    "straight flush": say("SA-TP.straight_flush"),
    "three of a kind": say("SA-TP.three_of_a_kind"),
    "three aces": say("SA-TP.three_aces"),
    "full house": say("SA-TP.full_house"),
    "four of a kind": say("SA-TP.four_of_a_kind"),
    "royal flush": say("SA-TP.royal_flush"),
    NOTHING: say("SA-TP.none_that_pays"),
}
CALLED = re.compile(r"\b(?:player[\s_]*)?([ab])\b|\b(tie)\b")
CLASS_WORDS = {"trail": "three of a kind", "trail aces": "three aces", "trips": "three of a kind"}
# The longest words first: a straight flush is no straight.
KNOWN = sorted((*game.CLASSES, *CLASS_WORDS), key=len, reverse=True)
CLASS = re.compile(rf"\b({'|'.join(KNOWN)})\b".replace(" ", r"[\s_]+"))
COUNTDOWN = True
WAITS: Waits = ()  # what comes first shows the outcome
KNOWN_EVENTS: Kinds = DEALT_FROM_SHOE
PLAY_CLAUSE = "SA-TP:9.2"
CARRIED: Carried = {"deck_used": bool}


def betting_end(events: Sequence[e.Event], terms: Terms) -> End | None:
    """Betting ends with the first card dealt or seen (issue betting_ends)."""
    del terms
    return find(events, cards(game.HANDS.__contains__))


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round by its two hands, and every wager as it stands."""
    laid = lie(sights(in_time(round.events)), game.HANDS)
    deal = _deal(laid, terms)
    wagers, told = dealt_round.betting(BOOK, round, terms, game.legal)
    ended = _ending(round, laid, deal, terms)
    settled = deal if ended.status == "settled" else None
    readings = terms.readings
    won = game.winner(settled, readings["tie"]) if settled else ""
    result = called_result(settled, won) if settled else dealt_round.Called()
    shown = outcome(settled, won) if settled else ""
    facts = frozenset[str]()
    if settled:
        facts = game.facts(settled, readings["tie"], readings["low_straight"])
    told += [*dealt_round.unread(BOOK, laid, in_time(round.events))]
    told += _cards(round, laid, ended.status)
    told += deck_procedure.remarks(DECK, round, _all(laid), memory)
    told += unruled_words.remarks(UNRULED, round)
    if ended.status != "unknown":
        told += dealt_round.calls(BOOK, round.events, result, said)
        told += _classes(round.events, settled, facts)
    steps = [*dealt_round.opening(BOOK, round, wagers), *_steps(laid, settled, won, facts)]
    ruled = dealt_round.ruled(
        ended,
        wagers,
        told,
        [*steps, *dealt_round.closing(ended, round.events)],
        outcome=shown,
        result=result.word,
        facts=facts,
        readings=_relied(wagers, terms),
    )
    return ruled._replace(memory=deck_procedure.carried(round, memory))


def said(result: str) -> str:
    """A called result as `player_a pair against high_card` or less; other words as they are."""
    lowered = result.strip().lower()
    found = CALLED.search(lowered)
    if found is None:
        return lowered
    classes = (class_word(" ".join(word.split())) for word in CLASS.findall(lowered))
    return _written(WORDS.get(found[1], "") or "tie", *classes)


def mispaid(gaps: Sequence[tuple[Due, Gaps]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due (SA-TP:9.5)."""
    return dealt_round.mispaid(BOOK, gaps)


def _deal(laid: LaidCards, terms: Terms) -> game.Deal | None:
    """Both hands with the three cards that count; None while one is short."""
    hands = laid.hands
    if _wrong_order(laid) and terms.readings["deal_order"] == "by_the_shoe":
        hands = given(laid.order, game.TURNS)
    held = [tuple(hands.get(name, ()))[: game.HELD] for name in game.HANDS]
    return game.Deal(*held) if all(len(hand) == game.HELD for hand in held) else None


def _wrong_order(laid: LaidCards) -> bool:
    order = tuple(hand for hand, _ in laid.order)
    return order[: len(game.TURNS)] != game.TURNS[: len(order)]


def _all(laid: LaidCards) -> list[Card]:
    return [card for hand in laid.hands.values() for card in hand]


def _ending(round: Round, laid: LaidCards, deal: game.Deal | None, terms: Terms) -> Ending:
    extra = laid.dealt > len(game.TURNS) and terms.readings["extra_card"] == "open"
    ended = dealt_round.ending(
        BOOK,
        round,
        laid,
        complete=deal is not None and not extra,
        void_stands=unruled_words.void_stands(round, terms),
    )
    twice = deck_procedure.twice(_all(laid))
    if twice and ended.status == "settled" and terms.readings["duplicate_card"] == "void":
        return Ending("void", (DECK,))
    return ended


def _cards(round: Round, laid: LaidCards, status: str) -> Iterator[Remark]:
    """What is wrong with the number or the order of the cards."""
    if laid.unread:
        return
    dealt, late = max(laid.dealt, len(laid.order)), after_end(round.events)
    due, over = len(game.TURNS), dealt_round.over(round.events)
    if late or dealt > due or (0 < dealt < due and over and status != "void"):
        text = say("shared.card_count", n=dealt, due=due)
        if late:
            text = say("SA-TP.card_count_late", n=dealt, due=due, late=len(late))
        yield Remark("CARD_COUNT", BOOK.dealt, text, evidence=(*laid.evidence, *late))
    if _wrong_order(laid):
        text = say("SA-TP.deal_order", order=tuple(hand for hand, _ in laid.order))
        yield Remark("DEAL_ORDER", BOOK.dealt, text, evidence=laid.evidence)


def _classes(
    events: Iterable[e.Event], deal: game.Deal | None, facts: frozenset[str]
) -> Iterator[Remark]:
    """The last class recorded for a hand, or all six cards, that differs from the cards."""
    last = {
        event.payload.box: (event.event_id, event.payload.result)
        for event in events
        if isinstance(event.payload, e.ResultCalled) and event.payload.box
    }
    held = {name: game.rank(hand).named for name, hand in deal._asdict().items()} if deal else {}
    if deal:
        held[BONUS] = best(facts)
    for name, (event_id, called) in last.items():
        derived = held.get(name, "")
        if class_word(called) == derived:
            continue
        text, clause = _class_differs(name, called, derived)
        yield Remark("RESULT_MISMATCH", clause, text, (event_id,), name)


def _class_differs(name: str, called: str, derived: str) -> tuple[Sentence, str]:
    """What a recorded class differs from, with the clause that ranks the cards."""
    if not derived:
        clause = SIX if name == BONUS else RANKING
        return say("SA-TP.class_without_hand", hand=name, called=called), clause
    if name == BONUS:
        return say("SA-TP.six_differ", called=called, derived=NAMED[derived]), SIX
    return say("SA-TP.class_differs", hand=name, called=called, derived=NAMED[derived]), RANKING


def best(facts: frozenset[str]) -> str:
    """The class of the best five of all six cards, or `none` where it pays nothing."""
    return next((kind for kind in game.SIX if game.in_six(kind) in facts), NOTHING)


def class_word(called: str) -> str:
    """A recorded class in the words of the ranking: `straight_flush` is `straight flush`."""
    lowered = called.strip().lower().replace("_", " ")
    return CLASS_WORDS.get(lowered, lowered)


def outcome(deal: game.Deal, won: str) -> str:
    """The result for people: `A wins, straight against pair`."""
    a, b = (game.rank(hand).named for hand in deal)
    if won == "tie":
        return f"Tie, {a} against {b}"
    return f"A wins, {a} against {b}" if won == "player_a" else f"B wins, {b} against {a}"


def called_result(deal: game.Deal, won: str) -> dealt_round.Called:
    """Who won and by which classes, the winner's first: `player_b straight against pair`."""
    own, other = _by_winner(deal, won)
    word = _written(won, own, other)
    if won == "tie":
        return dealt_round.Called(word, say("SA-TP.tied", a=NAMED[own], b=NAMED[other]))
    text = say("SA-TP.result", winner=won, own=NAMED[own], other=NAMED[other])
    return dealt_round.Called(word, text)


def _by_winner(deal: game.Deal, won: str) -> tuple[str, str]:
    """The classes of both hands, the winner's first."""
    a, b = (game.rank(hand).named for hand in deal)
    return (b, a) if won == "player_b" else (a, b)


def _written(side: str, *classes: str) -> str:
    held = " against ".join(name.replace(" ", "_") for name in classes)
    return f"{side} {held}".strip()


def _steps(
    laid: LaidCards, deal: game.Deal | None, won: str, facts: frozenset[str]
) -> Iterator[Step]:
    """From the cards to the result."""
    if laid.dealt:
        hands = tuple(
            say("SA-TP.hand", hand=name, cards=tuple(map(str, hand)))
            for name, hand in laid.hands.items()
            if hand
        )
        yield Step(say("SA-TP.cards", hands=hands), (BOOK.dealt,), laid.evidence)
    if deal:
        classes = dict.fromkeys(game.CLAUSES[game.rank(hand).named] for hand in deal)
        yield Step(_won(deal, won), (RANKING, *classes, BOOK.result))
        yield Step(say("SA-TP.best_five", kind=NAMED[best(facts)]), (SIX,))


def _won(deal: game.Deal, won: str) -> Sentence:
    own, other = (NAMED[name] for name in _by_winner(deal, won))
    if won == "tie":
        return say("SA-TP.tie", a=own, b=other)
    return say("SA-TP.wins", winner=won, own=own, other=other)


def _relied(wagers: Sequence[Wager], terms: Terms) -> Mapping[str, str]:
    """The rule issues with one reading that this round rests on."""
    return dealt_round.read_as(
        terms,
        {
            "betting_ends": dealt_round.after_close(wagers),
            "limits": posted_limits.broken(wagers, terms, game.legal),
        },
    )
