"""What a table tells in the words of another game: it counts for nothing, and the auditor is told.

A ball at a table of cards, a card at a wheel, a decision where nobody decides, a ruling under a
clause that the rulebook does not have: no rule looks at any of it. Somebody meant something by it,
or a device stands at the wrong table.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from replay.play_events import BALL, CARDS, DICE, SHAKER, SHOE, TOKENS
from replay.ruled import Flag, Ruled, Step
from schemas import events as e

CODE = "WORD_UNKNOWN"
Kinds = tuple[type[e.Payload], ...]

# What is told in some games only.
PLAY: Kinds = (
    *CARDS, *BALL, *SHAKER, *DICE, *TOKENS, *SHOE, e.FreeHandDeclared, e.ColourChipsIssued,
)  # fmt: skip
SEEN: Kinds = (e.CardDrawn, e.CardPlaced, e.CardExposed, e.CardsObserved)
DEALT: Kinds = (*SEEN, *SHOE)  # from a shoe of several decks
SHAKEN: Kinds = (*SHAKER, *DICE)
# What each game is played with, and the clause that says how a round goes.
GAMES: Mapping[str, tuple[Kinds, str]] = {
    "TB": ((*DEALT, e.CardHandled, e.FreeHandDeclared), "TB:2.2.13"),
    "NN": ((*SEEN, e.CardHandled, e.CutCardReached), "NN:2.2.5"),
    "TH": ((*SEEN, e.CardHandled, e.DecisionMade, e.CutCardReached, e.CardsBurned), "TH:2.2.19"),
    "RO": ((*BALL, e.ColourChipsIssued), "RO:2.2"),
    "SA-AB": (DEALT, "SA-AB:1.2"),
    "SA-BC": (DEALT, "SA-BC:2.2"),
    "SA-BJ": ((*DEALT, e.DecisionMade), "SA-BJ:3.4"),
    "SA-DT": (DEALT, "SA-DT:4.2"),
    "SA-PD": (DEALT, "SA-PD:6.3"),
    "SA-TP": (DEALT, "SA-TP:9.2"),
    "SA-RO": (BALL, "SA-RO:7.2"),
    "SA-SB": (SHAKEN, "SA-SB:8.2"),
    "SA-FPC": (SHAKEN, "SA-FPC:5.2"),
    "SA-HL": (SHAKEN, "SA-HL:10.2"),
    "SA-XD": ((*SHAKER, *TOKENS), "SA-XD:11.2"),
}
# The hands of the games whose rulings do not tell of others; a box is a number.
HANDS: Mapping[str, tuple[str, ...]] = {
    "TB": ("player", "banker"),
    "NN": ("dealer",),
    "TH": ("dealer", "community", "burn"),
}
SOURCES = ("dealer", "board", "shoe")  # of a called result
ENDINGS = ("settled", "void", "unsettled", "free_hand")


def told(
    events: Sequence[e.Event], code: str, clauses: Collection[str], ruled: Ruled
) -> Iterator[tuple[Flag, Step]]:
    """Each such word of a round that the rulings of the game have not told of, once."""
    notes = tuple(flag.note for flag in ruled.flags if flag.code == CODE)
    own = (step.evidence for step in ruled.steps if notes and step.text.endswith(notes))
    known = {event_id for evidence in own for event_id in evidence}
    seen: set[str] = set()
    _, clause = GAMES[code]
    for event in events:
        for word, text in _strange(event.payload, code, clauses):
            if event.event_id not in known and word not in seen and not _named(event, notes):
                seen.add(word)
                yield Flag(CODE, clause, word, text), Step(text, (clause,), (event.event_id,))


def _named(event: e.Event, notes: Iterable[str]) -> bool:
    """Whether a note of the game names the clause of a ruling already."""
    match event.payload:
        case e.RulingMade(clause=clause) if clause:
            return any(clause in note for note in notes)
    return False


def _strange(payload: e.Payload, code: str, clauses: Collection[str]) -> Iterator[tuple[str, str]]:
    own, _ = GAMES[code]
    match payload:
        case e.RulingMade(clause=clause, decision=decision) if not _has(clauses, clause):
            text = f"{decision or 'nothing'} was ruled under {clause or 'no clause'}"
            yield f"ruling {clause}", f"{text}, which the rulebook does not have"
        case e.RoundVoided(clause=clause) if clause and not _has(clauses, clause):
            text = f"the round was called void under {clause}, which the rulebook does not have"
            yield f"void {clause}", text
        case e.RoundClosed(status=status) if status not in ENDINGS:
            text = f"closed as {status or 'nothing'}, one of {', '.join(ENDINGS)} expected"
            yield f"closed {status}", text
        case e.ResultCalled(shown_by=source) if source not in SOURCES:
            yield f"shown by {source}", f"a result shown by {source or 'nobody'} counts for nothing"
        case e.CardPlaced(hand=hand) | e.CardHandled(hand=hand) if _no_hand(hand, code):
            name = type(payload).__name__
            yield f"hand {hand}", f"{name} was told of {hand}, which is no hand of this game"
        case payload if isinstance(payload, PLAY) and not isinstance(payload, own):
            name = type(payload).__name__
            yield name, f"{name} was told, which the rules of this game do not know"


def _no_hand(hand: str, code: str) -> bool:
    known = HANDS.get(code, ())
    return bool(known and hand) and hand not in known and (code == "TB" or not hand.isdecimal())


def _has(clauses: Collection[str], anchor: str) -> bool:
    """Whether the rulebook has a clause, named with its code or without."""
    return anchor in clauses or anchor.partition(":")[2] in clauses
