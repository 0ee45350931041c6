"""What a table tells in the words of another game: it counts for nothing, and the auditor is told.

A ball at a table of cards, a card at a wheel, a decision where nobody decides, a ruling under a
clause that the rulebook does not have, a reserve where no bet has one: no rule looks at any of it.
Somebody meant something by it, or a device stands at the wrong table.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from replay.play_events import BALL, CARDS, DICE, SHAKER, SHOE, TOKENS
from replay.ruled import Flag, Kinds, Ruled, Step
from replay.sentence import Prose, Sentence, ends_with, names, say
from schemas import events as e

CODE = "WORD_UNKNOWN"

# What is told in some games only.
PLAY: Kinds = (
    *CARDS, *BALL, *SHAKER, *DICE, *TOKENS, *SHOE, e.FreeHandDeclared, e.ColourChipsIssued,
)  # fmt: skip
# What wagers say of themselves at some tables only, and what they say where it is nothing special.
OF_WAGERS: Mapping[str, tuple[object, ...]] = {
    "reserve": (0, None),
    "chips": (None,),
    "placed_in_time": (True,),
    "chips_presented": (True,),
}
SOURCES = ("dealer", "board", "shoe")  # of a called result
ENDINGS = ("settled", "void", "unsettled", "free_hand")


class KnownWords(Protocol):
    """What a game's rulings say of the events they know."""

    @property
    def KNOWN_EVENTS(self) -> Kinds:  # noqa: N802  (a constant of the game's module)
        """The events of play that the rules look at."""
        ...

    @property
    def PLAY_CLAUSE(self) -> str:  # noqa: N802  (a constant of the game's module)
        """The clause that says how a round goes."""
        ...

    @property
    def HEEDS(self) -> frozenset[str]:  # noqa: N802  (a constant of the game's module)
        """What the rules read that most games pass over."""
        ...

    def foreign_hand(self, hand: str) -> bool:
        """Whether a card was told of a hand that the game does not have."""
        ...


def special(payload: e.WagerPlaced | e.WagerChanged, heeds: Collection[str]) -> Iterator[str]:
    """The fields in which a wager says something that the rules of its game do not read."""
    for field, plain in OF_WAGERS.items():
        if field not in heeds and getattr(payload, field, plain[0]) not in plain:
            yield field


def told(
    events: Sequence[e.Event], game: KnownWords, clauses: Collection[str], ruled: Ruled
) -> Iterator[tuple[Flag, Step]]:
    """Each such word of a round that the rulings of the game have not told of, once."""
    notes = tuple(flag.note for flag in ruled.flags if flag.code == CODE)
    own = (step.evidence for step in ruled.steps if any(ends_with(step.text, at) for at in notes))
    known = {event_id for evidence in own for event_id in evidence}
    seen: set[str] = set()
    clause = game.PLAY_CLAUSE
    for event in events:
        for word, text in _strange(event.payload, game, clauses):
            if event.event_id not in known and word not in seen and not _named(event, notes):
                seen.add(word)
                yield Flag(CODE, clause, word, text), Step(text, (clause,), (event.event_id,))


def _named(event: e.Event, notes: Iterable[Prose]) -> bool:
    """Whether a note of the game names the clause of a ruling already."""
    match event.payload:
        case e.RulingMade(clause=clause) if clause:
            return any(names(note, clause) for note in notes)
    return False


def _strange(
    payload: e.Payload, game: KnownWords, clauses: Collection[str]
) -> Iterator[tuple[str, Sentence]]:
    match payload:
        case e.RulingMade(clause=clause, decision=decision) if not _has(clauses, clause):
            text = say("shared.ruled_under_no_clause", decision=decision, clause=clause)
            yield f"ruling {clause}", text
        case e.RoundVoided(clause=clause) if clause and not _has(clauses, clause):
            yield f"void {clause}", say("shared.void_under_no_clause", clause=clause)
        case e.RoundClosed(status=status) if status not in ENDINGS:
            text = say("shared.closed_as", status=status, expected=ENDINGS)
            yield f"closed {status}", text
        case e.ResultCalled(shown_by=source) if source not in SOURCES:
            yield f"shown by {source}", say("shared.shown_by_other", source=source)
        case e.CardPlaced(hand=hand) | e.CardHandled(hand=hand) if hand and game.foreign_hand(hand):
            name = type(payload).__name__
            yield f"hand {hand}", say("shared.no_such_hand", event=name, hand=hand)
        case e.WagerPlaced() | e.WagerChanged():
            for field in special(payload, game.HEEDS):
                yield f"{field} {payload.wager_id}", _of_wager(payload, field)
        case payload if isinstance(payload, PLAY) and not isinstance(payload, game.KNOWN_EVENTS):
            name = type(payload).__name__
            yield name, say("shared.event_of_other_game", event=name)


def _of_wager(payload: e.WagerPlaced | e.WagerChanged, field: str) -> Sentence:
    name = payload.wager_id
    match field:
        case "reserve":
            return say("shared.no_reserve", wager=name, reserve=payload.reserve)
        case "chips":
            return say("shared.no_colour_chips", wager=name)
        case "placed_in_time":
            return say("shared.entered_late", wager=name)
    return say("shared.entered_without_chips", wager=name)


def _has(clauses: Collection[str], anchor: str) -> bool:
    """Whether the rulebook has a clause, named with its code or without."""
    return anchor in clauses or anchor.partition(":")[2] in clauses
