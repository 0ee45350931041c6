"""Hoiana Roulette, section 7: what becomes of a round and its wagers.

Rulebook RO, no. 01/13.06.2020. Everything that can change a due of this game stands in this
package. `rule` makes these and puts them together:

    late_ball       sets aside a ball that was spun after the close (2.2)
    orders          what people decided, and whether they could (6.6, 7.11.1, 7.12, section 8)
    chips           whose colour chips lie there, and what one is worth (4.7, 7.11)
    wagers          which wagers count and where they lie (4.2 to 4.10, 6.6, 7.11)
    spin            which pocket won, or why none did: irregular spins and no spin (7.1 to 7.10);
                    `balls` says whose ball a word is of, `marks` what the dealer entered, `phase`
                    when no spin was called
    payment_order   in which order winners are paid (6.3 to 6.5)

Carried to the next round:

    previous_pocket   where the ball last won: after a no spin it goes back there (7.9.1)
    colour_chips      the sets in use: colour to holder to the value of one chip (4.7)
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from replay.betting_end import End, find
from replay.games import roulette_hoiana as game
from replay.games.shared import called_number
from replay.play_events import BALL
from replay.rounds import Round
from replay.rulebooks.terms import BadTerms, Terms
from replay.ruled import Carried, Flag, Kinds, Memory, Ruled, Stand, Step, Waits
from replay.rulings.roulette_hoiana import chips, payment_order, wagers
from replay.rulings.roulette_hoiana import late_ball as late_spin
from replay.rulings.roulette_hoiana import orders as orders_given
from replay.rulings.roulette_hoiana import phase as phases
from replay.rulings.roulette_hoiana import spin as spins
from replay.rulings.roulette_hoiana.marks import said
from replay.rulings.roulette_hoiana.orders import Orders, ruling_words
from replay.rulings.roulette_hoiana.payment_order import Payment
from replay.rulings.roulette_hoiana.phase import Payments
from replay.rulings.roulette_hoiana.spin import SpinVerdict
from replay.rulings.roulette_hoiana.wagers import WagerAtRest
from replay.rulings.shared import posted_limits, strange_words
from replay.sentence import say
from replay.settle import Due, Gaps, told_gaps
from replay.wagers import Wager
from schemas import events as e

__all__ = ["betting_end", "mispaid", "rule", "ruling_words", "said"]

LIMITS = "RO:8.4.2"  # published information; rule issue table_limits
GO_BACK = ("void", "refused", "returned")  # stakes that nothing was settled on

WORDS = strange_words.Lexicon(
    clause="RO:2.2",
    shown_by=("dealer", "dolly", "board"),
    reports=("surveillance_informed", "player_disagreed", "complaint_right_told"),
    disturbances=tuple(spins.DISTURBANCES),
    called=called_number.strange,
    rules=True,
)
COUNTDOWN = False
WAITS: Waits = ()  # the ball is spun while bets are taken
KNOWN_EVENTS: Kinds = (*BALL, e.ColourChipsIssued)
PLAY_CLAUSE = "RO:2.2"
RULES_AFTERWARDS = True
CARRIED: Carried = {"previous_pocket": int, "colour_chips": dict}
HEEDS = frozenset({"RulingMade", "chips", "placed_in_time", "chips_presented"})
CHOICE_CLAUSES = tuple(dict.fromkeys(sorted(orders_given.CLAUSE_OF.values())))


def betting_end(events: Sequence[e.Event], terms: Terms) -> End | None:
    """RO:4.6 and 4.10. Where nobody calls it, betting ends when the ball rests or is marked."""
    del terms
    return find(events, wagers.shown)


def rule(round: Round, terms: Terms, memory: Memory) -> Ruled:
    """The round after section 7: the pocket that won, and every wager as it stands."""
    late = late_spin.spun(round.events)
    spin = game.read(event for event in round.events if event not in late)
    orders = orders_given.given(round, terms.readings["management"])
    colours = chips.noted(round, terms, memory)
    lying = wagers.lying(round, orders, colours, terms.readings)
    payments = _payments(round, lying, orders)
    verdict = spins.decide(spin, payments, _previous(memory), terms.readings)
    stands = tuple(_stand(at, verdict, orders, round.table_id) for at in lying)
    payment = _payment(round, stands, verdict.pocket, terms.readings)
    placed = tuple(at.wager for at in lying)
    in_play = (at.wager for at in lying if not at.fate)
    limits = tuple(posted_limits.remarks(LIMITS, in_play, terms, game.legal))
    strange = tuple(strange_words.remarks(WORDS, round.events))
    flags = (
        *verdict.flags,
        *late_spin.flags(late, verdict.pocket, verdict.flags),
        *(flag for at in lying for flag in at.flags),
        *(at.flag for at in (*limits, *strange)),
        *chips.of_wagers(placed, round.table_id, colours),
        *colours.flags,
        *orders.flags,
        *payment.flags,
    )
    steps = (*_betting(spin, placed), *verdict.steps, *late_spin.steps(late))
    steps += tuple(at.step for at in (*limits, *strange))
    steps += tuple(chips.issued_late(placed, round.table_id, colours))
    pocket = verdict.pocket
    return Ruled(
        status=verdict.status,
        outcome="" if pocket is None else game.shown(pocket),
        facts=frozenset() if pocket is None else game.facts(pocket),
        stands=tuple(_with_flags(stand, flags) for stand in stands),
        flags=flags,
        steps=(*steps, *orders.steps, *_standing(lying)),
        memory=_memory(verdict, memory, colours.sets),
        clauses=verdict.clauses,
        result="" if pocket is None else str(pocket),
        pay_order=payment.order,
        readings={
            **verdict.readings,
            **wagers.relied(lying, terms.readings),
            **orders.readings,
            **payment.readings,
            **({"table_limits": terms.readings["table_limits"]} if limits else {}),
        },
    )


def mispaid(gaps: Sequence[tuple[Due, Gaps]]) -> Iterator[Flag]:
    """Each wager settled otherwise than due (RO:4.5), or in a spin that is void (RO:7.10)."""
    for due, found in gaps:
        clause = "RO:7.10" if due.outcome == "void" else "RO:4.5"
        yield Flag("MISPAY", clause, due.wager_id, told_gaps(found))


def _payments(round: Round, lying: Iterable[WagerAtRest], orders: Orders) -> Payments:
    """Who may win in this spin, and who was paid or taken when."""
    in_play = (at.wager for at in lying if not at.fate)
    covers = {
        wager.wager_id: game.covers(wager.bet)
        for wager in in_play
        if not _refused(wager, orders, round.table_id)
    }
    return Payments(covers, phases.settled(round.events))


def _refused(wager: Wager, orders: Orders, table_id: str) -> bool:
    """Whether management refuses to pay this wager, should it win (RO:7.11.1)."""
    return chips.foreign(wager, table_id) and orders.refuses(wager.wager_id)


def _stand(at: WagerAtRest, verdict: SpinVerdict, orders: Orders, table_id: str) -> Stand:
    fate, clauses = at.fate, at.clauses
    if fate:
        pass
    elif verdict.status == "void":
        fate, clauses = "void", verdict.clauses
    elif verdict.pocket is None:
        fate, clauses = "open", verdict.clauses
    else:
        won = verdict.pocket in game.covers(at.wager.bet)
        if verdict.pocket == 0:
            clauses += on_zero(at.wager.bet)
        if won and _refused(at.wager, orders, table_id):
            fate, clauses = "win_refused", (*clauses, "RO:7.11.1")
    action = 0 if fate in GO_BACK else at.wager.stake
    return Stand(at.wager, Fraction(action), fate, clauses)


def on_zero(position: str) -> tuple[str, ...]:
    """The clause of a position when zero wins: every one without zero loses (RO:6.2)."""
    return ("RO:6.2.1",) if 0 in game.covers(position) else ("RO:6.2",)


def _with_flags(stand: Stand, flags: Iterable[Flag]) -> Stand:
    own = tuple(flag.code for flag in flags if flag.subject == stand.wager.wager_id)
    return stand._replace(flags=own) if own else stand


def _payment(
    round: Round, stands: Iterable[Stand], pocket: int | None, readings: Mapping[str, str]
) -> Payment:
    """The order of payment, where anything is paid."""
    if pocket is None:
        return payment_order.NONE
    in_play = (stand.wager for stand in stands if not stand.fate)
    winners = [wager for wager in in_play if pocket in game.covers(wager.bet)]
    return payment_order.look(winners, round.events, pocket, readings["one_payment"])


def _previous(memory: Memory) -> int | None:
    """Where the ball last won; a sheet may carry it, so it is looked at."""
    previous = memory.get("previous_pocket")
    if previous is None or (type(previous) is int and previous in game.COLOUR):
        return previous
    raise BadTerms(f"carry previous_pocket: a pocket 0 to 36 expected, {previous!r} found")


def _memory(verdict: SpinVerdict, memory: Memory, sets: chips.Sets) -> Memory:
    """What the next round needs: where the ball last won, and whose chips are whose."""
    previous = verdict.pocket if verdict.status == "settled" else memory.get("previous_pocket")
    left: dict[str, object] = {}
    if previous is not None and verdict.status != "unknown":
        left["previous_pocket"] = previous
    if sets:
        left["colour_chips"] = {
            colour: dict(sorted(holders.items())) for colour, holders in sorted(sets.items())
        }
    return left


def _betting(spin: game.Spin, placed: Sequence[Wager]) -> Iterator[Step]:
    if spin.closed:
        text = say("RO.no_more_bets", n=len(placed))
        yield Step(text, ("RO:4.6",), (spin.closed[0].event_id,))


def _standing(lying: Iterable[WagerAtRest]) -> Iterator[Step]:
    """Why a wager does not stand as it was placed."""
    for at in lying:
        for flag in at.flags:
            text = say("RO.flagged", code=flag.code, note=flag.note)
            yield Step(text, (flag.clause,), _evidence(at.wager), at.wager.wager_id)


def _evidence(wager: Wager) -> tuple[str, ...]:
    taken = (wager.withdrawal.event_id,) if wager.withdrawal else ()
    return (wager.event_id, *wager.illegal_moves, *wager.late_changes, *taken)
