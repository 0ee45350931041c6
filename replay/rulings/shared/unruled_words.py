"""What the record says and the card games of SA Gaming have no rule for.

The report has no section on irregularities: nobody rules, no player touches a card, and a report of
what went wrong leads to nothing by itself. Such a word changes no money. It is told, because the
person who entered it meant something. A report that the cards are not those of the decks contests
the result: a round that is declared void after it gives every stake back.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.rulings.shared import dealt_round
from replay.rulings.shared.remark import Remark
from replay.sentence import Sentence, say
from schemas import events as e

CODE, FOREIGN = "WORD_UNKNOWN", "FOREIGN_CARD"
WITHOUT_CARDS = "ROUND_WITHOUT_CARDS"

# Reports that other cards are in play than the decks have.
OF_CARDS = frozenset(
    [
        *("foreign_card", "extra_card", "missing_card", "duplicate_card", "card_count"),
        *("deck_count", "unshuffled_cards", "different_colour", "back_colour"),
    ]
)
ENDINGS = ("settled", "void", "unsettled")
CARDS = (e.CardDrawn, e.CardPlaced, e.CardsObserved)
# What is told of wheels, dice and tokens, and of rules that other games have.
ELSEWHERE = (
    e.BallReleased, e.BallTracked, e.BallLanded, e.SpinDisturbed, e.BallExamined, e.BallReturned,
    e.DollyPlaced, e.NoSpinCalled, e.ShakerStarted, e.ShakerStopped, e.ShakerOpened, e.BowlRemoved,
    e.EquipmentDropped, e.TokensRevealed, e.TokensRearranged, e.DiceObserved, e.TokensObserved,
    e.ReshakeOrdered, e.FreeHandDeclared, e.ColourChipsIssued, e.CardHandled,
)  # fmt: skip


class UnruledWords(NamedTuple):
    """What one rulebook knows of such words, and the clauses to tell of them by."""

    play: str  # how a round is played
    decks: str
    hands: Callable[[str], bool]  # whether a name is that of a hand
    reports: frozenset[str] = frozenset()  # kinds of report that its rules treat
    decides: bool = False  # players decide how to play
    burns: bool = True
    cuts: bool = True
    calls_hands: bool = True  # results are called hand by hand


def remarks(book: UnruledWords, round: Round) -> Iterator[Remark]:
    """Each such word of a round, and a round that ended and had no card."""
    told: dict[str, Remark] = {}
    for own, events in ((False, round.before), (True, round.events)):
        for event in events:
            for remark in _said(book, event, own):
                told.setdefault(f"{remark.code} {remark.subject}", remark)
    yield from told.values()
    for text, evidence in without_cards(round.events):
        yield Remark(WITHOUT_CARDS, book.play, text, evidence=evidence)


def without_cards(events: Sequence[e.Event]) -> Iterator[tuple[Sentence, tuple[str, ...]]]:
    """A round that ended and was not void, in which nobody saw any card: a sentence, event ids."""
    if dealt_round.over(events) and not any(isinstance(event.payload, CARDS) for event in events):
        ended = (
            event.event_id for event in events if isinstance(event.payload, dealt_round.ENDED_BY)
        )
        yield say("shared.round_without_cards"), tuple(ended)


def void_stands(round: Round, terms: Terms) -> bool:
    """Whether a declared void counts although the hands are complete (issue declared_void).

    It does where somebody reported before that the cards are not those of the decks.
    """
    return terms.readings["declared_void"] == "as_declared" or any(
        isinstance(event.payload, e.IrregularityReported) and event.payload.kind in OF_CARDS
        for event in round.events
    )


def _said(book: UnruledWords, event: e.Event, own: bool) -> Iterator[Remark]:
    """What one event says; of those between two rounds only what concerns the cards."""
    own_code, evidence = book.play.partition(":")[0], (event.event_id,)

    def unknown(word: str, text: Sentence) -> Remark:
        return Remark(CODE, book.play, text, evidence, word)

    match event.payload:
        case e.IrregularityReported(kind=kind) as report if kind in OF_CARDS:
            subject = report.subject
            text = (
                say("shared.foreign_cards_reported_of", kind=kind, subject=subject)
                if subject
                else say("shared.foreign_cards_reported", kind=kind)
            )
            yield Remark(FOREIGN, book.decks, text, evidence, subject or kind)
        case e.IrregularityReported(kind=kind) if kind not in book.reports:
            yield unknown(kind, say("shared.reported_unruled", kind=kind))
        case e.RulingMade(decision=decision) as made:
            text = say("shared.ruled_unasked", decision=decision, clause=made.clause)
            yield unknown(f"ruling {decision}", text)
        case e.ShoeExhausted(shoe_id=shoe_id):
            yield unknown(shoe_id, say("shared.shoe_ran_empty", shoe=shoe_id))
        case e.CardsBurned(count=count) if not book.burns:
            yield unknown("burn", say("shared.no_burn_in_rules", n=count))
        case e.CutCardReached() if not book.cuts:
            yield unknown("cut card", say("shared.no_cut_card_in_rules"))
        case payload if own:
            for word, text in _of_round(book, payload, own_code):
                yield unknown(word, text)


def _of_round(
    book: UnruledWords, payload: e.Payload, own_code: str
) -> Iterator[tuple[str, Sentence]]:
    match payload:
        case e.CardExposed(place=place, card=card):
            text = say("shared.exposed_unruled", card=card, place=place)
            yield f"exposed {card or place}", text
        case e.DecisionMade(decision=decision) if not book.decides:
            yield f"decision {decision}", say("shared.decided_unasked", decision=decision)
        case e.RoundVoided(clause=clause) if ":" in clause and _book(clause) != own_code:
            yield clause, say("shared.void_under_other_game", clause=clause)
        case e.RoundClosed(status=status) if status not in ENDINGS:
            text = say("shared.closed_as", status=status, expected=ENDINGS)
            yield f"closed {status}", text
        case e.ResultCalled(result=result, box=box) if box and not book.calls_hands:
            yield f"call {box}", say("shared.called_for_box", result=result, box=box)
        case e.CardPlaced(hand=hand, card=card) if not book.hands(hand):
            yield f"hand {hand}", say("shared.card_put_on_no_hand", card=card, hand=hand)
        case payload if isinstance(payload, ELSEWHERE):
            name = type(payload).__name__
            yield name, say("shared.event_of_other_game", event=name)


def _book(clause: str) -> str:
    return clause.partition(":")[0]
