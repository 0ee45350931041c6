"""What lies on a table at one moment of a judged round: cards, chips, ball, dice, and calls.

A picture shows only what had happened by its cursor. What the rules derive appears once the last
card, ball or throw has come; what a person called appears with the call.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from audit.drawing.card import LaidCard
from audit.drawing.chips import LaidChips
from replay import game_modules, settle, wagers, witnesses
from replay.disputes.doubts import sights_of
from replay.games.xoc_dia import tokens
from replay.judge import Judgement
from replay.witnesses import Sight
from schemas import events as e

PLAY = (
    *(e.CardDrawn, e.CardPlaced, e.CardsObserved, e.BallReleased, e.BallLanded),
    *(e.ShakerStarted, e.ShakerOpened, e.DiceObserved, e.TokensRevealed, e.TokensObserved),
    *(e.TokensRearranged, e.DecisionMade),
)


class CalledResult(NamedTuple):
    """A result as somebody called, entered, marked or showed it."""

    shown_by: str  # dealer, board, shoe or dolly
    box: str
    result: str
    said: str  # the same in the words of the derived result


class SpinSeen(NamedTuple):
    """What the wheel's sensor saw."""

    ball: str = ""
    wheel: str = ""
    revolutions: int | None = None
    pocket: int | None = None


class ThrowSeen(NamedTuple):
    """The last throw of dice or tokens."""

    n: int = 0  # from 1; 0 where there was none
    faces: tuple[str, ...] = ()
    tumbles: int | None = None
    differing: tuple[str, ...] = ()  # what the camera read, where that is something else


class ShoeSeen(NamedTuple):
    """The shoe, and the places in it of the round's first and last card."""

    shoe_id: str
    first: int
    last: int
    cards: int
    hand: int


class TableView(NamedTuple):
    """The table at the cursor."""

    game: str
    title: str
    currency: str
    cards: tuple[LaidCard, ...]
    chips: tuple[LaidChips, ...]
    reserves: tuple[LaidChips, ...]
    calls: tuple[CalledResult, ...]
    spin: SpinSeen | None
    throw: ThrowSeen
    shoe: ShoeSeen | None
    status: str = ""  # as derived; empty until the cursor has passed the last of the play
    outcome: str = ""
    result: str = ""
    wins: Callable[[str], bool] = lambda _: False  # whether a position of the layout wins
    fates: Mapping[str, str] = {}

    def hand(self, name: str) -> tuple[LaidCard, ...]:
        """The cards of a hand, in their order."""
        return tuple(card for card in self.cards if card.hand == name)

    def called(self, *, box: str = "") -> str:
        """What was called last for the round or a box; empty where nothing was."""
        said = [call.said or call.result for call in self.calls if call.box == box]
        return said[-1] if said else ""

    def of_box(self, box: str) -> str:
        """The derived words for one hand of the outcome: `NIU_4 KC` of box 2."""
        parts = self.outcome.replace(";", ",").split(",")
        named = (part.strip().partition(" ") for part in parts)
        return next((words for name, _, words in named if name == box), "")


def table_view(
    judged: Judgement,
    *,
    until: int | None = None,
    flagged: Collection[str] = (),
    withheld: Collection[str] = (),
) -> TableView:
    """The table as it was once the event of sequence `until` had happened; at the end where None.

    `flagged` are wagers that a finding is about; of those in `withheld` no amount is shown.
    """
    round = judged.round
    events = [event for event in round.events if until is None or event.seq <= until]
    over = len(events) == len(round.events) or not _plays(round.events[len(events) :])
    game = round.terms.game if round.terms else ""
    lying = _lying(judged, events, until)
    currency = round.terms.currency if round.terms else ""

    def chips(wager: wagers.Wager, amount: int, reserve: bool = False) -> LaidChips:
        return LaidChips(
            wager.wager_id,
            wager.player_id,
            wager.box,
            wager.bet,
            None if wager.wager_id in withheld else amount,
            currency,
            flagged=wager.wager_id in flagged,
            reserve=reserve,
        )

    view = TableView(
        game=game,
        title=judged.edition.title if judged.edition else game,
        currency=currency,
        cards=tuple(map(_card, _sights(judged, events, until))),
        chips=tuple(chips(wager, wager.lying) for wager in lying),
        reserves=tuple(
            chips(wager, wager.placed.reserve, True) for wager in lying if wager.placed.reserve
        ),
        calls=_calls(judged, events),
        spin=_spin(events),
        throw=_throw(events),
        shoe=_shoe(judged, events),
    )
    return _derived(view, judged) if over else view


def _derived(view: TableView, judged: Judgement) -> TableView:
    ruled, edition, terms = judged.ruled, judged.edition, judged.terms

    def wins(position: str) -> bool:
        if edition is None or terms is None or ruled.status != "settled":
            return False
        try:
            found = settle.deciding(position, ruled.facts, edition, terms.paytable)
        except KeyError:  # the paytable has no such bet
            return False
        return found.odds.result == "win"

    return view._replace(
        status=ruled.status,
        outcome=ruled.outcome,
        result=ruled.result,
        wins=wins,
        fates={due.wager_id: due.outcome for due in judged.dues},
    )


def _plays(events: Sequence[e.Event]) -> bool:
    return any(isinstance(event.payload, PLAY) for event in events)


def _lying(
    judged: Judgement, events: Sequence[e.Event], until: int | None
) -> Sequence[wagers.Wager]:
    """The wagers at the cursor; at the end those that the rulings settle."""
    stands = [stand.wager for stand in judged.ruled.stands]
    if until is None and stands:
        return stands
    return wagers.at_close(events, judged.round.betting_end)


def _sights(judged: Judgement, events: Sequence[e.Event], until: int | None) -> Sequence[Sight]:
    if until is None:
        return sights_of(judged)
    left = [(hand, card) for hand, card in judged.memory.get("lying", ())]
    return witnesses.sights(events, left, judged.ruled.rebuilt)


def _card(sight: Sight) -> LaidCard:
    if sight.card is not None:
        return LaidCard(sight.hand, sight.slot, str(sight.card))
    readings = tuple(dict.fromkeys(sight.readings.values()))
    if len(readings) > 1:
        return LaidCard(sight.hand, sight.slot, None, readings, "differ")
    seen = bool(readings or sight.disputed or sight.camera or sight.exposed)
    return LaidCard(sight.hand, sight.slot, None, readings, "unread" if seen else "face_down")


def _calls(judged: Judgement, events: Sequence[e.Event]) -> tuple[CalledResult, ...]:
    said = game_modules.rulings(judged.edition.game).said if judged.edition else str
    found = []
    for event in events:
        match event.payload:
            case e.ResultCalled(result=result, shown_by=shown_by, box=box):
                found.append(CalledResult(shown_by, box, result, said(result)))
            case e.DollyPlaced(number=number):
                found.append(CalledResult("dolly", "", str(number), said(str(number))))
    return tuple(found)


def _spin(events: Sequence[e.Event]) -> SpinSeen | None:
    found = None
    for event in events:
        match event.payload:
            case e.BallReleased(ball_direction=ball, wheel_direction=wheel):
                found = SpinSeen(ball, wheel)
            case e.BallTracked(revolutions=revolutions):
                found = (found or SpinSeen())._replace(revolutions=revolutions)
            case e.BallLanded(pocket=pocket):
                found = (found or SpinSeen())._replace(pocket=pocket)
    return found


def _throw(events: Sequence[e.Event]) -> ThrowSeen:
    found = ThrowSeen()
    for event in events:
        match event.payload:
            case e.ShakerStarted():
                found = ThrowSeen(found.n + 1)
            case e.ShakerStopped(tumbles=tumbles):
                again = found.n == 0 or found.tumbles is not None
                found = ThrowSeen(found.n + 1) if again else found
                found = found._replace(tumbles=tumbles)
            case e.ShakerOpened(faces=faces) | e.TokensRevealed(faces=faces):
                found = found._replace(faces=tokens(faces) or faces, n=max(1, found.n))
            case e.DiceObserved(guesses=guesses) | e.TokensObserved(guesses=guesses) if guesses:
                found = _seen_by_camera(found, guesses[0])
    return found


def _seen_by_camera(found: ThrowSeen, guess: e.Guess) -> ThrowSeen:
    """The throw with what the camera is sure of: the only reading, or one that differs."""
    parts = guess.seen.split("-")
    read = tuple(tokens(parts) or parts)
    if guess.probability < witnesses.CERTAIN:
        return found
    if not found.faces:
        return found._replace(faces=read, n=max(1, found.n))
    return found._replace(differing=read if sorted(read) != sorted(found.faces) else ())


def _shoe(judged: Judgement, events: Sequence[e.Event]) -> ShoeSeen | None:
    shoe = judged.round.shoe
    drawn = [event.payload.position for event in events if isinstance(event.payload, e.CardDrawn)]
    if shoe is None or not drawn:
        return None
    return ShoeSeen(shoe.shoe_id, min(drawn), max(drawn), shoe.decks * 52, shoe.hands + 1)
