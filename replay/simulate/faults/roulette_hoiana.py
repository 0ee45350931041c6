"""What can go wrong on purpose at a roulette table."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from replay.games import roulette_hoiana as game
from replay.simulate.faults.fault import Fault, Hook, Scene, nothing
from replay.simulate.faults.shared import bets, money
from replay.simulate.play.roulette_hoiana import Play, disturbed, suspected, too_slow
from replay.simulate.play.shared import betting
from replay.simulate.script import Act, Script
from schemas import events as e

FOREIGN = e.Chips("R99", "grey", 10, 30_000)  # a stack from a table that is not here


def mark_another(scene: Scene) -> None:
    """The dealer calls and marks a number in which the ball does not lie."""
    for act, placed in scene.script.each(e.DollyPlaced):
        wrong = placed.number % 36 + 1
        act.payload = e.DollyPlaced(wrong)
        _called(scene, "dealer").payload = e.ResultCalled(game.shown(wrong))


def show_another(scene: Scene) -> None:
    """The board shows another number."""
    act = _called(scene, "board")
    assert isinstance(act.payload, e.ResultCalled)
    act.payload = e.ResultCalled(str((int(act.payload.result) + 1) % 37), "board")


def read_no_pocket(scene: Scene) -> None:
    """The wheel cannot tell where the ball lies."""
    act, _ = scene.script.first(e.BallLanded)
    act.payload = e.BallLanded(None)


def enter_nothing(scene: Scene) -> None:
    """Nobody marks, calls or shows the number."""
    for kind in (e.DollyPlaced, e.ResultCalled):
        for act, _ in list(scene.script.each(kind)):
            scene.script.drop(act)


def arrive_late(scene: Scene) -> None:
    """The wheel's reading of the pocket comes in when the round is closed already."""
    enter_nothing(scene)
    closing, _ = scene.script.first(e.RoundClosed)
    landed, _ = scene.script.first(e.BallLanded)
    landed.late_us = closing.at - landed.at + 1_200_000


def collect_the_void(scene: Scene) -> None:
    """A stake is taken although the spin was called off."""
    due = money.picked(scene, "void")
    money.pay(scene, due, collected=due.stake, returned=0)


def two_kinds(scene: Scene) -> None:
    """Two players whose winnings are paid one after the other."""
    bets.one_more(scene, "dozen:2", 200_000)
    bets.one_more(scene, "column:2", 200_000)


def both_kinds_win(scene: Scene) -> bool:
    """Both of them win."""
    won = {due.bet for due in scene.judged.dues if due.outcome == "win"}
    return {"dozen:2", "column:2"} <= won


def pay_in_reverse(scene: Scene) -> None:
    """The winners are paid the wrong way round."""
    winners = [scene.settled(name)[0] for name in scene.judged.ruled.pay_order]
    paid = [act.payload for act in winners]
    for act, payload in zip(winners, reversed(paid), strict=True):
        act.payload = payload


def bring_foreign_chips(scene: Scene) -> None:
    """Somebody bets colour chips of another table."""
    placed = bets.one_more(scene, "red", FOREIGN.count * FOREIGN.value)
    scene.wagers[-1] = replace(placed, chips=FOREIGN)


def foreign_chips_win(scene: Scene) -> bool:
    """They win."""
    return any(due.wager_id == scene.subject and due.outcome == "win" for due in scene.judged.dues)


def pay_as_if_ours(scene: Scene) -> None:
    """The foreign chips are paid at this table's value."""
    due = next(due for due in scene.judged.dues if due.wager_id == scene.subject)
    money.pay(scene, due, paid=FOREIGN.count * 50_000)


def called_off(call: Callable[[Play, Script], None], then: Hook) -> Hook:
    """A spin that is called off, and what is wrong about it."""

    def deal(scene: Scene) -> None:
        call(_play(scene), scene.script)
        then(scene)

    return deal


def examine_nothing(scene: Scene) -> None:
    """Nobody examines the ball that left the wheel."""
    scene.script.drop(scene.script.first(e.BallExamined)[0])


def return_elsewhere(scene: Scene) -> None:
    """The ball is put into a pocket beside the right one."""
    act, back = scene.script.first(e.BallReturned)
    assert back.pocket is not None
    act.payload = e.BallReturned((back.pocket + 1) % 37)


def return_nowhere(scene: Scene) -> None:
    """Nobody sees the ball put back."""
    scene.script.drop(scene.script.first(e.BallReturned)[0])


def by_the_dealer(scene: Scene) -> None:
    """The dealer alone calls no spin on suspicion."""
    act, call = scene.script.first(e.NoSpinCalled)
    act.payload = replace(call, rank="dealer", person_id=scene.table.staff.person("dealer"))


def call_a_good_spin_slow(scene: Scene) -> None:
    """No spin is called for too few revolutions, of which there were plenty."""
    act, _ = scene.script.first(e.BallTracked)
    act.payload = e.BallTracked(14)


def call_while_paying(scene: Scene) -> None:
    """No spin is called when the number is marked already."""
    play = _play(scene)
    before = play.previous
    play.deal(scene.script, honest=False)
    number, play.previous = play.previous, before
    scene.script.say("console", e.ResultCalled(game.shown(number)), 700, 1_200)
    scene.script.say("console", e.DollyPlaced(number), 700, 1_200)
    play.call_off(scene.script, "suspected", "pit_supervisor")
    act, call = scene.script.first(e.NoSpinCalled)
    act.payload = replace(call, phase="paying")


def call_when_all_is_paid(scene: Scene) -> None:
    """No spin is called when the last winner has been paid."""
    person = scene.table.staff.person("pit_supervisor")
    call = e.NoSpinCalled("pit_supervisor", "suspected", "after_paid", person)
    scene.script.say("console", call, 900, 1_500)


def rule_on_a_place(scene: Scene) -> None:
    """The dealer decides where a doubtful chip lies."""
    _, placed = scene.script.first(e.WagerPlaced)
    scene.subject = placed.wager_id
    ruling = e.RulingMade(
        "RO:6.6", "position", "dealer", scene.table.staff.person("dealer"), placed.wager_id, "black"
    )
    landed, _ = scene.script.first(e.BallLanded)
    scene.script.insert(landed, "console", ruling)


def decide_a_dispute(rank: str, ground: str, *, disagreed: bool = False) -> Hook:
    """A dispute over a wager is decided, and Surveillance hears nothing of it."""

    def decide(scene: Scene) -> None:
        _, placed = scene.script.first(e.WagerPlaced)
        scene.subject = placed.wager_id
        person = scene.table.staff.person(rank)
        ruling = e.RulingMade("RO:8.4", "dispute_decided", rank, person, scene.subject, ground)
        scene.script.say("console", ruling, 5_000, 9_000)
        if disagreed:
            report = e.IrregularityReported("player_disagreed", "RO:8.5", scene.subject)
            scene.script.say("console", report, 800, 1_500)

    return decide


def let_it_crawl(scene: Scene) -> None:
    """Two revolutions, and nobody calls no spin."""
    act, _ = scene.script.first(e.BallTracked)
    act.payload = e.BallTracked(2)


def spin_with_the_wheel(scene: Scene) -> None:
    """Ball and wheel go the same way, and nobody calls no spin."""
    play = _play(scene)
    play.release(scene.script, same_direction=True)
    betting.close(scene.script)
    play.fall(scene.script, 12)


def issue_two(value: int) -> Hook:
    """A newcomer gets two colours without leave, the second of this value."""

    def issue(scene: Scene) -> None:
        player = scene.subject = scene.table.party.guest()
        for colour, worth in (("jade", 50_000), ("gold", value)):
            issued = e.ColourChipsIssued(player, colour, worth, marker=True)
            scene.pause.say("console", issued)

    return issue


def issue_unmarked(scene: Scene) -> None:
    """A valuable set goes out without its marker."""
    scene.subject = scene.table.party.guest()
    scene.pause.say("console", e.ColourChipsIssued(scene.subject, "silver", 200_000))


def issue_to_the_first(scene: Scene) -> None:
    """Somebody at the table plays a colour."""
    play, player = _play(scene), scene.table.party.seated[0].player_id
    if player not in play.chips:
        play.chips = {**play.chips, player: ("teal", 50_000)}
        scene.pause.say("console", e.ColourChipsIssued(player, "teal", 50_000))


def share_a_colour(scene: Scene) -> None:
    """Somebody else bets with that colour."""
    colour, value = _play(scene).chips[scene.table.party.seated[0].player_id]
    placed = bets.one_more(scene, "red", 4 * value)
    scene.wagers[-1] = replace(placed, chips=e.Chips(scene.table.seat.table_id, colour, 4, value))


def call_without_chips(scene: Scene) -> None:
    """A bet is called and no chips come with it."""
    placed = bets.one_more(scene, "straight:17", 100_000)
    scene.wagers[-1] = replace(placed, called=True, chips_presented=False)


def _called(scene: Scene, by: str) -> Act:
    return next(act for act, said in scene.script.each(e.ResultCalled) if said.shown_by == by)


def _play(scene: Scene) -> Play:
    return cast("Play", scene.play)


FAULTS = (
    Fault(
        "INT-06/unread",
        "nobody can say where the ball lay",
        disturb=read_no_pocket,
        settle=enter_nothing,
    ),
    Fault("INT-07", "the pocket comes in after the round", finish=arrive_late),
    Fault("REC-02", "the dealer marks another number", settle=mark_another),
    Fault("REC-04", "the board shows another number", settle=show_another),
    Fault(
        "PAY-08",
        "a void stake is collected",
        deal=called_off(too_slow, nothing),
        settle=collect_the_void,
    ),
    Fault(
        "PAY-13",
        "winners are paid in reverse",
        bets=two_kinds,
        needs=both_kinds_win,
        settle=pay_in_reverse,
    ),
    Fault(
        "PAY-16",
        "foreign chips are paid as our own",
        also=("IRR-16",),
        bets=bring_foreign_chips,
        needs=foreign_chips_win,
        settle=pay_as_if_ours,
    ),
    Fault("BET-01", "chips are added late", disturb=bets.grow),
    Fault("BET-01/possible", "chips are added at the call", disturb=bets.grow_at_the_call),
    Fault("BET-01/placed", "a wager is placed late", disturb=bets.bet_late("red")),
    Fault("BET-02", "chips are taken off late", disturb=bets.shrink),
    Fault("BET-03", "chips move late", disturb=bets.move, needs=bets.two_stakes),
    Fault("BET-03/changed", "a wager is changed late", disturb=bets.change_late),
    Fault("BET-06", "a wager above the maximum", bets=bets.bet_above("red")),
    Fault("BET-20", "a place the layout does not have", bets=bets.bet_on("split:3-4")),
    Fault("BET-20/called", "a call bet without chips", bets=call_without_chips),
    Fault(
        "IRR-01",
        "the ball is not examined",
        deal=called_off(disturbed("ball_out"), examine_nothing),
    ),
    Fault(
        "IRR-01/dispute",
        "Surveillance is not told of a dispute",
        settle=decide_a_dispute("pit_manager", "8.4.6"),
    ),
    Fault(
        "IRR-01/ground",
        "a dispute is decided on no ground",
        settle=decide_a_dispute("pit_supervisor", ""),
    ),
    Fault(
        "IRR-01/rights",
        "nobody tells a player of the right to complain",
        settle=decide_a_dispute("pit_supervisor", "8.4.1", disagreed=True),
    ),
    Fault(
        "IRR-02/unsupported",
        "a good spin is called off",
        deal=called_off(too_slow, call_a_good_spin_slow),
    ),
    Fault("IRR-02/after_result", "no spin is called while paying", deal=call_while_paying),
    Fault("IRR-02/too_late", "no spin is called when all is paid", settle=call_when_all_is_paid),
    Fault("IRR-03", "the dealer calls a suspicion", deal=called_off(suspected, by_the_dealer)),
    Fault("IRR-03/place", "the dealer rules on a chip's place", disturb=rule_on_a_place),
    Fault(
        "IRR-03/dispute", "the dealer decides a dispute", settle=decide_a_dispute("dealer", "8.4.1")
    ),
    Fault("IRR-06", "a slow spin is not called off", disturb=let_it_crawl),
    Fault("IRR-06/direction", "a spin with the wheel is not called off", deal=spin_with_the_wheel),
    Fault("IRR-07", "the ball goes to another pocket", deal=called_off(too_slow, return_elsewhere)),
    Fault("IRR-07/missing", "the ball is not put back", deal=called_off(too_slow, return_nowhere)),
    Fault("IRR-16", "a second colour without leave", pause=issue_two(50_000)),
    Fault("IRR-16/value", "two colours of two values", pause=issue_two(250_000)),
    Fault("IRR-16/marker", "a valuable set without marker", pause=issue_unmarked),
    Fault(
        "IRR-16/shared", "one colour in two hands", pause=issue_to_the_first, bets=share_a_colour
    ),
    Fault("IRR-16/foreign", "chips of another table", bets=bring_foreign_chips),
)
