"""Roulette of SA Gaming: what becomes of a round and its wagers.

Rulebook SA-RO, report SAB.SAES.1001.01, game 7. The text has no section on irregularities beyond
7.3: a spin that does not count is repeated, and all bets stand. `attempts` judges each spin of the
ball in turn; the first one with a landed ball and none of the faults 7.3.a to 7.3.f decides. `rule`
refuses what was never good, cuts racetrack bets into the layout bets they consist of (7.5), and
leaves the rest to the paytable.

Nothing is carried to the next round.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from replay.betting_end import End, decided_by
from replay.games import roulette_sa as game
from replay.games.roulette_sa import said
from replay.games.shared import called_number
from replay.play_events import BALL
from replay.rounds import Round
from replay.rulebooks.terms import Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Part, Ruled, Stand, Step, Waits
from replay.rulings.roulette_sa import attempts
from replay.rulings.roulette_sa.attempts import JudgedAttempts
from replay.rulings.shared import declared_void, posted_limits, strange_words
from replay.sentence import say
from replay.settle import Due, Gaps, told_gaps
from replay.wagers import Wager, at_close
from schemas import events as e

__all__ = ["mispaid", "rule", "said"]

CLOSED, PAID = "SA-RO:7.2.2", "SA-RO:7.2.4"
RACE_CLAUSES = {
    "race:neighbours_of_zero": "SA-RO:7.5.1",
    "race:orphans": "SA-RO:7.5.2",
    "race:third": "SA-RO:7.5.3",
    "race:jeu_zero": "SA-RO:7.5.4",
}
COUNTDOWN = True
# SA-RO:7.2.2. The countdown ends first.
WAITS: Waits = (e.BallReleased, e.BallTracked, e.BallLanded)
WORDS = strange_words.Lexicon(
    clause="SA-RO:7.2.3",
    shown_by=("dealer", "dolly", "board"),
    disturbances=game.KINDS,
    no_spins=(
        *game.KINDS, "same_direction", "few_revolutions", "suspected",
        *(f"{book}7.3.{case}" for book in ("", "SA-RO:") for case in "abcdef"),
    ),
    called=called_number.strange,
)  # fmt: skip
KNOWN_EVENTS: Kinds = BALL
PLAY_CLAUSE = "SA-RO:7.2"
RULES_AFTERWARDS = True
CARRIED: Carried = {}


class WagerAtClose(NamedTuple):
    """A wager as it lies at the end of the countdown."""

    wager: Wager
    refused: str  # the clause by which it was never good; empty where it was
    flags: tuple[Flag, ...]

    def with_(self, told: Iterable[Flag]) -> "WagerAtClose":
        """The wager with those of some flags that concern it."""
        own = (flag for flag in told if flag.subject == self.wager.wager_id)
        return self._replace(flags=(*self.flags, *own))


def betting_end(events: Sequence[e.Event], terms: Terms) -> End | None:
    """Betting ends once the ball that decides has come to rest (issue betting_ends)."""
    return attempts.betting_end(events, terms.readings)


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round after 7.3: the first attempt that counts, and every wager as it stands."""
    del memory
    zero_bets = terms.readings["zero_bets"]
    seen = attempts.look(round.events, terms.readings)
    wagers = at_close(
        round.events,
        round.betting_end,
        lambda position: game.legal(position, zero_bets),
        lays=game.whole_chips,
    )
    void = seen.deciding is None and bool(declared_void.ids(round.events))
    status = seen.status
    if void and terms.readings["unsettled"] == "void_as_declared":
        status = "void"
    pocket = seen.pocket
    lying = tuple(_lies(wager, zero_bets) for wager in wagers)
    good = (at.wager for at in lying if not at.refused)
    limits = [remark.flag for remark in posted_limits.remarks(CLOSED, good, terms, game.legal)]
    lying = tuple(at.with_(limits) for at in lying)
    strange = tuple(strange_words.remarks(WORDS, round.events))
    issues = _relied(round, seen, wagers, void=void)
    issues |= {"limits"} if limits else set()
    return Ruled(
        status=status,
        outcome="" if pocket is None else game.shown(pocket),
        facts=frozenset() if pocket is None else game.facts(pocket),
        stands=tuple(_stand(at, status, seen) for at in lying),
        flags=(
            *attempts.flags(round, seen),
            *(flag for at in lying for flag in at.flags),
            *(remark.flag for remark in strange),
        ),
        steps=(
            *_betting(round.events, wagers),
            *attempts.steps(seen),
            *(remark.step for remark in strange),
        ),
        clauses=seen.clauses,
        result=seen.result,
        unseen=seen.unseen,
        readings={name: terms.readings[name] for name in sorted(issues)},
    )


def mispaid(gaps: Sequence[tuple[Due, Gaps]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due (SA-RO:7.2.4)."""
    for due, found in gaps:
        yield Flag("MISPAY", PAID, due.wager_id, told_gaps(found))


def _stand(lying: WagerAtClose, status: str, seen: JudgedAttempts) -> Stand:
    wager, codes = lying.wager, tuple(flag.code for flag in lying.flags)
    action = Fraction(wager.stake)
    if lying.refused:
        return Stand(wager, action, "refused", (lying.refused,), codes)
    if status != "settled":
        fate = "void" if status == "void" else "open"
        return Stand(wager, action, fate, seen.clauses, codes)
    return Stand(wager, action, "", race_clauses(wager.bet), codes, parts=_parts(wager))


def _parts(wager: Wager) -> tuple[Part, ...]:
    """A racetrack bet as the layout bets it consists of, one value a chip (SA-RO:7.5)."""
    pieces = game.pieces(wager.bet)
    count = sum(piece.chips for piece in pieces)
    return tuple(
        Part(piece.position, Fraction(wager.stake * piece.chips, count)) for piece in pieces
    )


def race_clauses(position: str) -> tuple[str, ...]:
    """The clause of a racetrack bet; none for a bet on the layout (SA-RO:7.5)."""
    return (RACE_CLAUSES.get(position, "SA-RO:7.5.5"),) if game.pieces(position) else ()


def _lies(wager: Wager, zero_bets: str) -> WagerAtClose:
    refusals = tuple(_refusals(wager, zero_bets))
    refused = refusals[0].clause if refusals else ""
    moves = () if refusals else _illegal_moves(wager)
    return WagerAtClose(wager, refused, (*refusals, *moves, *_late_actions(wager)))


def _refusals(wager: Wager, zero_bets: str) -> Iterator[Flag]:
    """Why a wager is not accepted; its stake goes back."""
    name, bet = wager.wager_id, wager.bet
    if wager.late:
        yield Flag("LATE_BET", CLOSED, name, say("SA-RO.placed_late"))
    if not game.legal(bet, zero_bets):
        yield Flag("ILLEGAL_POSITION", _area(bet), name, say("SA-RO.not_on_layout", bet=bet))
    elif not game.whole_chips(bet, wager.stake):
        note = say("SA-RO.no_whole_chips", stake=wager.stake, bet=bet)
        yield Flag("ILLEGAL_POSITION", _area(bet), name, note)


def _illegal_moves(wager: Wager) -> Iterator[Flag]:
    """What was done to a good wager and does not count."""
    name, bet = wager.wager_id, wager.bet
    if wager.illegal_moves:
        note = say("SA-RO.unlawful_change", stake=wager.stake, bet=bet)
        yield Flag("ILLEGAL_POSITION", _area(bet), name, note)


def _late_actions(wager: Wager) -> Iterator[Flag]:
    """What was done to a wager after the countdown; to a late one it makes no odds."""
    if (wager.late_changes or wager.withdrawal) and not wager.late:
        note = say("SA-RO.withdrawn_late") if wager.withdrawal else say("SA-RO.changed_late")
        yield Flag("LATE_ACTION", CLOSED, wager.wager_id, note)


def _area(position: str) -> str:
    return "SA-RO:7.5" if position.startswith("race:") else "SA-RO:7.4"


def _relied(round: Round, seen: JudgedAttempts, wagers: Sequence[Wager], *, void: bool) -> set[str]:
    """The rule issues whose reading this round rests on."""
    events = round.events
    names = set(attempts.relied(seen))
    if void:
        names.add("unsettled")
    if any(wager.bet in game.ZERO_BETS for wager in wagers):
        names.add("zero_bets")
    if any(wager.late_changes or wager.withdrawal for wager in wagers):
        names.add("changes")
    if decided_by(events, round.betting_end):
        names.add("betting_ends")
    moves = (event.payload.bet for event in events if isinstance(event.payload, e.WagerChanged))
    bets = (*(wager.bet for wager in wagers), *(bet for bet in moves if bet))
    if any(map(game.pieces, bets)):
        names.add("racetrack_stake")
    return names


def _betting(events: Iterable[e.Event], wagers: Sequence[Wager]) -> Iterator[Step]:
    closed = tuple(event.event_id for event in events if isinstance(event.payload, e.BettingClosed))
    if closed:
        text = say("SA-RO.countdown_ended", n=len(wagers))
        yield Step(text, ("SA-RO:7.2.1", CLOSED), closed)
