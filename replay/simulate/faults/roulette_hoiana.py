"""What can go wrong on purpose at a roulette table."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from replay.games import roulette_hoiana as game
from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault, nothing
from replay.simulate.faults.shared import bets, money
from replay.simulate.play.roulette_hoiana import Play, disturbed, suspected, too_slow
from replay.simulate.play.shared import betting
from replay.simulate.script import Act, Script
from schemas import events as e

FOREIGN = e.Chips("R99", "grey", 10, 30_000)  # a stack from a table that is not here


def mark_another(round: FaultyRound) -> None:
    """The dealer calls and marks a number in which the ball does not lie."""
    for act, placed in round.script.each(e.DollyPlaced):
        wrong = placed.number % 36 + 1
        act.payload = e.DollyPlaced(wrong)
        _called(round, "dealer").payload = e.ResultCalled(game.shown(wrong))


def show_another(round: FaultyRound) -> None:
    """The board shows another number."""
    act = _called(round, "board")
    assert isinstance(act.payload, e.ResultCalled)
    act.payload = e.ResultCalled(str((int(act.payload.result) + 1) % 37), "board")


def read_no_pocket(round: FaultyRound) -> None:
    """The wheel cannot tell where the ball lies."""
    act, _ = round.script.first(e.BallLanded)
    act.payload = e.BallLanded(None)


def enter_nothing(round: FaultyRound) -> None:
    """Nobody marks, calls or shows the number."""
    for kind in (e.DollyPlaced, e.ResultCalled):
        for act, _ in list(round.script.each(kind)):
            round.script.drop(act)


def arrive_late(round: FaultyRound) -> None:
    """The wheel's reading of the pocket comes in when the round is closed already."""
    enter_nothing(round)
    closing, _ = round.script.first(e.RoundClosed)
    landed, _ = round.script.first(e.BallLanded)
    landed.late_us = closing.at - landed.at + 1_200_000


def collect_the_void(round: FaultyRound) -> None:
    """A stake is taken although the spin was called off."""
    due = money.picked(round, "void")
    money.pay(round, due, collected=due.stake, returned=0)


def two_kinds(round: FaultyRound) -> None:
    """Two players whose winnings are paid one after the other."""
    bets.one_more(round, "dozen:2", 200_000)
    bets.one_more(round, "column:2", 200_000)


def both_kinds_win(round: FaultyRound) -> bool:
    """Both of them win."""
    won = {due.bet for due in round.judged.dues if due.outcome == "win"}
    return {"dozen:2", "column:2"} <= won


def pay_in_reverse(round: FaultyRound) -> None:
    """The winners are paid the wrong way round."""
    winners = [round.settled(name)[0] for name in round.judged.ruled.pay_order]
    paid = [act.payload for act in winners]
    for act, payload in zip(winners, reversed(paid), strict=True):
        act.payload = payload


def bring_foreign_chips(round: FaultyRound) -> None:
    """Somebody bets colour chips of another table."""
    placed = bets.one_more(round, "red", FOREIGN.count * FOREIGN.value)
    round.wagers[-1] = replace(placed, chips=FOREIGN)


def foreign_chips_win(round: FaultyRound) -> bool:
    """They win."""
    return any(due.wager_id == round.subject and due.outcome == "win" for due in round.judged.dues)


def pay_as_if_ours(round: FaultyRound) -> None:
    """The foreign chips are paid at this table's value."""
    due = next(due for due in round.judged.dues if due.wager_id == round.subject)
    money.pay(round, due, paid=FOREIGN.count * 50_000)


def called_off(call: Callable[[Play, Script], None], then: Hook) -> Hook:
    """A spin that is called off, and what is wrong about it."""

    def deal(round: FaultyRound) -> None:
        call(_play(round), round.script)
        then(round)

    return deal


def examine_nothing(round: FaultyRound) -> None:
    """Nobody examines the ball that left the wheel."""
    round.script.drop(round.script.first(e.BallExamined)[0])


def return_elsewhere(round: FaultyRound) -> None:
    """The ball is put into a pocket beside the right one."""
    act, back = round.script.first(e.BallReturned)
    assert back.pocket is not None
    act.payload = e.BallReturned((back.pocket + 1) % 37)


def return_nowhere(round: FaultyRound) -> None:
    """Nobody sees the ball put back."""
    round.script.drop(round.script.first(e.BallReturned)[0])


def by_the_dealer(round: FaultyRound) -> None:
    """The dealer alone calls no spin on suspicion."""
    act, call = round.script.first(e.NoSpinCalled)
    act.payload = replace(call, rank="dealer", person_id=round.table.staff.person("dealer"))


def call_a_good_spin_slow(round: FaultyRound) -> None:
    """No spin is called for too few revolutions, of which there were plenty."""
    act, _ = round.script.first(e.BallTracked)
    act.payload = e.BallTracked(14)


def call_while_paying(round: FaultyRound) -> None:
    """No spin is called when the number is marked already."""
    play = _play(round)
    before = play.previous
    play.deal(round.script, honest=False)
    number, play.previous = play.previous, before
    round.script.say("console", e.ResultCalled(game.shown(number)), 700, 1_200)
    round.script.say("console", e.DollyPlaced(number), 700, 1_200)
    play.call_off(round.script, "suspected", "pit_supervisor")
    act, call = round.script.first(e.NoSpinCalled)
    act.payload = replace(call, phase="paying")


def call_when_all_is_paid(round: FaultyRound) -> None:
    """No spin is called when the last winner has been paid."""
    person = round.table.staff.person("pit_supervisor")
    call = e.NoSpinCalled("pit_supervisor", "suspected", "after_paid", person)
    round.script.say("console", call, 900, 1_500)


def rule_on_a_place(round: FaultyRound) -> None:
    """The dealer decides where a doubtful chip lies."""
    _, placed = round.script.first(e.WagerPlaced)
    round.subject = placed.wager_id
    ruling = e.RulingMade(
        "RO:6.6", "position", "dealer", round.table.staff.person("dealer"), placed.wager_id, "black"
    )
    landed, _ = round.script.first(e.BallLanded)
    round.script.insert(landed, "console", ruling)


def decide_a_dispute(rank: str, ground: str, *, disagreed: bool = False) -> Hook:
    """A dispute over a wager is decided, and Surveillance hears nothing of it."""

    def decide(round: FaultyRound) -> None:
        _, placed = round.script.first(e.WagerPlaced)
        round.subject = placed.wager_id
        person = round.table.staff.person(rank)
        ruling = e.RulingMade("RO:8.4", "dispute_decided", rank, person, round.subject, ground)
        round.script.say("console", ruling, 5_000, 9_000)
        if disagreed:
            report = e.IrregularityReported("player_disagreed", "RO:8.5", round.subject)
            round.script.say("console", report, 800, 1_500)

    return decide


def let_it_crawl(round: FaultyRound) -> None:
    """Two revolutions, and nobody calls no spin."""
    act, _ = round.script.first(e.BallTracked)
    act.payload = e.BallTracked(2)


def spin_with_the_wheel(round: FaultyRound) -> None:
    """Ball and wheel go the same way, and nobody calls no spin."""
    play = _play(round)
    play.release(round.script, same_direction=True)
    betting.close(round.script)
    play.fall(round.script, 12)


def issue_two(value: int) -> Hook:
    """A newcomer gets two colours without leave, the second of this value."""

    def issue(round: FaultyRound) -> None:
        player = round.subject = round.table.party.guest()
        for colour, worth in (("jade", 50_000), ("gold", value)):
            issued = e.ColourChipsIssued(player, colour, worth, marker=True)
            round.pause.say("console", issued)

    return issue


def issue_unmarked(round: FaultyRound) -> None:
    """A valuable set goes out without its marker."""
    round.subject = round.table.party.guest()
    round.pause.say("console", e.ColourChipsIssued(round.subject, "silver", 200_000))


def issue_to_the_first(round: FaultyRound) -> None:
    """Somebody at the table plays a colour."""
    play, player = _play(round), round.table.party.seated[0].player_id
    if player not in play.chips:
        play.chips = {**play.chips, player: ("teal", 50_000)}
        round.pause.say("console", e.ColourChipsIssued(player, "teal", 50_000))


def share_a_colour(round: FaultyRound) -> None:
    """Somebody else bets with that colour."""
    colour, value = _play(round).chips[round.table.party.seated[0].player_id]
    placed = bets.one_more(round, "red", 4 * value)
    round.wagers[-1] = replace(placed, chips=e.Chips(round.table.setup.table_id, colour, 4, value))


def call_without_chips(round: FaultyRound) -> None:
    """A bet is called and no chips come with it."""
    placed = bets.one_more(round, "straight:17", 100_000)
    round.wagers[-1] = replace(placed, called=True, chips_presented=False)


def _called(round: FaultyRound, by: str) -> Act:
    return next(act for act, said in round.script.each(e.ResultCalled) if said.shown_by == by)


def _play(round: FaultyRound) -> Play:
    return cast("Play", round.play)


FAULTS = (
    SeededFault(
        "INT-06/unread",
        "nobody can say where the ball lay",
        disturb=read_no_pocket,
        settle=enter_nothing,
    ),
    SeededFault("INT-07", "the pocket comes in after the round", finish=arrive_late),
    SeededFault("REC-02", "the dealer marks another number", settle=mark_another),
    SeededFault("REC-04", "the board shows another number", settle=show_another),
    SeededFault(
        "PAY-08",
        "a void stake is collected",
        deal=called_off(too_slow, nothing),
        settle=collect_the_void,
    ),
    SeededFault(
        "PAY-13",
        "winners are paid in reverse",
        bets=two_kinds,
        needs=both_kinds_win,
        settle=pay_in_reverse,
    ),
    SeededFault(
        "PAY-16",
        "foreign chips are paid as our own",
        also=("IRR-16",),
        bets=bring_foreign_chips,
        needs=foreign_chips_win,
        settle=pay_as_if_ours,
    ),
    SeededFault("BET-01", "chips are added late", disturb=bets.grow),
    SeededFault("BET-01/possible", "chips are added at the call", disturb=bets.grow_at_the_call),
    SeededFault("BET-01/placed", "a wager is placed late", disturb=bets.bet_late("red")),
    SeededFault("BET-02", "chips are taken off late", disturb=bets.shrink),
    SeededFault("BET-03", "chips move late", disturb=bets.move, needs=bets.two_stakes),
    SeededFault("BET-03/changed", "a wager is changed late", disturb=bets.change_late),
    SeededFault("BET-06", "a wager above the maximum", bets=bets.bet_above("red")),
    SeededFault("BET-20", "a place the layout does not have", bets=bets.bet_on("split:3-4")),
    SeededFault("BET-20/called", "a call bet without chips", bets=call_without_chips),
    SeededFault(
        "IRR-01",
        "the ball is not examined",
        deal=called_off(disturbed("ball_out"), examine_nothing),
    ),
    SeededFault(
        "IRR-01/dispute",
        "Surveillance is not told of a dispute",
        settle=decide_a_dispute("pit_manager", "8.4.6"),
    ),
    SeededFault(
        "IRR-01/ground",
        "a dispute is decided on no ground",
        settle=decide_a_dispute("pit_supervisor", ""),
    ),
    SeededFault(
        "IRR-01/rights",
        "nobody tells a player of the right to complain",
        settle=decide_a_dispute("pit_supervisor", "8.4.1", disagreed=True),
    ),
    SeededFault(
        "IRR-02/unsupported",
        "a good spin is called off",
        deal=called_off(too_slow, call_a_good_spin_slow),
    ),
    SeededFault("IRR-02/after_result", "no spin is called while paying", deal=call_while_paying),
    SeededFault(
        "IRR-02/too_late", "no spin is called when all is paid", settle=call_when_all_is_paid
    ),
    SeededFault(
        "IRR-03", "the dealer calls a suspicion", deal=called_off(suspected, by_the_dealer)
    ),
    SeededFault("IRR-03/place", "the dealer rules on a chip's place", disturb=rule_on_a_place),
    SeededFault(
        "IRR-03/dispute", "the dealer decides a dispute", settle=decide_a_dispute("dealer", "8.4.1")
    ),
    SeededFault("IRR-06", "a slow spin is not called off", disturb=let_it_crawl),
    SeededFault(
        "IRR-06/direction", "a spin with the wheel is not called off", deal=spin_with_the_wheel
    ),
    SeededFault(
        "IRR-07", "the ball goes to another pocket", deal=called_off(too_slow, return_elsewhere)
    ),
    SeededFault(
        "IRR-07/missing", "the ball is not put back", deal=called_off(too_slow, return_nowhere)
    ),
    SeededFault("IRR-16", "a second colour without leave", pause=issue_two(50_000)),
    SeededFault("IRR-16/value", "two colours of two values", pause=issue_two(250_000)),
    SeededFault("IRR-16/marker", "a valuable set without marker", pause=issue_unmarked),
    SeededFault(
        "IRR-16/shared", "one colour in two hands", pause=issue_to_the_first, bets=share_a_colour
    ),
    SeededFault("IRR-16/foreign", "chips of another table", bets=bring_foreign_chips),
)
