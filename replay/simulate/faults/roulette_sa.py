"""What can go wrong on purpose at a roulette table of SA Gaming."""

from dataclasses import replace
from typing import cast

from replay.games.shared import roulette_layout as layout
from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.faults.shared import bets, money
from replay.simulate.play.roulette_sa import Play
from replay.simulate.play.shared import betting
from schemas import events as e

OTHER_COLOUR = {"red": "black", "black": "red", "green": "red"}
TWICE = 17  # the number on which two chips of the orphans win


def enter_another(round: FaultyRound) -> None:
    """Another number is confirmed than the one in which the ball lies."""
    for act, said in round.script.each(e.ResultCalled):
        if said.shown_by == "dealer":
            act.payload = e.ResultCalled(layout.shown(_beside(said.result)))


def enter_another_colour(round: FaultyRound) -> None:
    """The right number is confirmed with a colour it has not."""
    for act, said in round.script.each(e.ResultCalled):
        if said.shown_by == "dealer":
            number, colour = said.result.split(" ")
            act.payload = replace(said, result=f"{number} {OTHER_COLOUR[colour]}")


def show_another(round: FaultyRound) -> None:
    """The screen shows another number."""
    for act, said in round.script.each(e.ResultCalled):
        if said.shown_by == "board":
            act.payload = replace(said, result=str(_beside(said.result)))


def enter_nothing(round: FaultyRound) -> None:
    """Nobody confirms or shows the number."""
    for act, _ in list(round.script.each(e.ResultCalled)):
        round.script.drop(act)


def read_no_pocket(round: FaultyRound) -> None:
    """The wheel cannot tell where the ball lies."""
    act, _ = round.script.first(e.BallLanded)
    act.payload = e.BallLanded(None)


def arrive_late(round: FaultyRound) -> None:
    """The wheel's reading of the pocket comes in when the round is closed already."""
    enter_nothing(round)
    closing, _ = round.script.first(e.RoundClosed)
    landed, _ = round.script.first(e.BallLanded)
    landed.late_us = closing.at - landed.at + 1_200_000


def crawl(round: FaultyRound) -> None:
    """Four revolutions only (SA-RO:7.3.b)."""
    act, _ = round.script.first(e.BallTracked)
    act.payload = e.BallTracked(4)


def never_land(round: FaultyRound) -> None:
    """The ball is never seen to land (SA-RO:7.3.c)."""
    round.script.drop(round.script.first(e.BallLanded)[0])


def go_with_the_wheel(round: FaultyRound) -> None:
    """Ball and wheel go the same way (SA-RO:7.3.d)."""
    act, word = round.script.first(e.BallReleased)
    act.payload = replace(word, wheel_direction=word.ball_direction)


def disturb(kind: str) -> Hook:
    """Something disturbs the spin (SA-RO:7.3.a, 7.3.e, 7.3.f)."""

    def happen(round: FaultyRound) -> None:
        released, _ = round.script.first(e.BallReleased)
        round.script.insert(released, "wheel", e.SpinDisturbed(kind), 1_000)

    return happen


def spin_twice(round: FaultyRound) -> None:
    """A spin that counts is repeated."""
    betting.close(round.script)
    cast("Play", round.play).spin(round.script)
    cast("Play", round.play).spin(round.script)


def odd_chips(round: FaultyRound) -> None:
    """A racetrack bet that does not divide into its chips."""
    bets.one_more(round, "race:third", 500_000)


def back_the_orphans(round: FaultyRound) -> None:
    """A newcomer bets on the orphans."""
    bets.one_more(round, "race:orphans", 500_000)


def two_chips_win(round: FaultyRound) -> bool:
    """Two of the orphans' chips win at once."""
    return round.judged.ruled.result == str(TWICE)


def pay_one_chip(round: FaultyRound) -> None:
    """One winning chip of the orphans is paid, the other one overlooked."""
    due = next(due for due in round.judged.dues if due.wager_id == round.subject)
    chip = due.stake // 5
    money.pay(round, due, paid=17 * chip, collected=4 * chip, returned=chip)


def _beside(result: str) -> int:
    return int(result.split(" ", maxsplit=1)[0]) % 36 + 1


IGNORED = SeededFault(
    "IRR-06",
    "four revolutions are taken for a spin",
    also=("PAY-08", "REC-02"),
    disturb=crawl,
    settle=money.take_the_result,
)

FAULTS = (
    SeededFault(
        "INT-06/unread",
        "nobody can say where the ball lay",
        disturb=read_no_pocket,
        settle=enter_nothing,
    ),
    SeededFault("INT-06/alone", "nobody but the dealer reads the pocket", disturb=read_no_pocket),
    SeededFault("INT-07", "the pocket comes in after the round", finish=arrive_late),
    SeededFault("REC-02", "another number is confirmed", settle=enter_another),
    SeededFault(
        "REC-02/colour", "the number is confirmed in another colour", settle=enter_another_colour
    ),
    SeededFault("REC-04", "the screen shows another number", settle=show_another),
    IGNORED,
    IGNORED._replace(name="IRR-06/lost", does="a ball that never landed", disturb=never_land),
    IGNORED._replace(
        name="IRR-06/direction", does="a spin with the wheel counts", disturb=go_with_the_wheel
    ),
    *(
        IGNORED._replace(
            name=f"IRR-06/{kind}", does=f"a spin counts despite {kind}", disturb=disturb(kind)
        )
        for kind in ("ball_out", "malfunction", "wheel_stopped")
    ),
    SeededFault("IRR-02", "a spin that counts is repeated", deal=spin_twice),
    *bets.late("red"),
    *bets.unclosed("red"),
    SeededFault("BET-03/withdrawn", "a wager is taken back late", disturb=bets.take_back),
    SeededFault("BET-06", "a wager above the maximum", bets=bets.bet_above("red")),
    SeededFault("BET-20", "a bet that is not there", bets=bets.bet_on("race:tiers")),
    SeededFault("BET-20/chips", "a stake that is no whole chips", bets=odd_chips),
    SeededFault(
        "PAY-02/section",
        "a second winning chip is overlooked",
        bets=back_the_orphans,
        needs=two_chips_win,
        settle=pay_one_chip,
    ),
)
