"""A wager that is settled before its result could be known is told in every game."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from audit.checks.run import CheckFinding
from schemas import events as e
from tests.mutants import attacker, days, house
from tests.support import blackjack_story, roulette_story
from tests.support.tables import cases

SHOWN = (e.CardDrawn, e.BallReleased, e.BallLanded, e.ShakerOpened, e.BowlRemoved, e.TokensRevealed)


def moved(readings: Sequence[e.Reading], beside: e.Reading, paid: e.Reading) -> list[e.Reading]:
    """A settlement that happens right after another reading."""
    early = replace(paid, occurred_at=beside.occurred_at + 1, received_at=beside.received_at)
    kept = [at for at in readings if at is not paid]
    at = kept.index(beside) + 1
    return attacker.numbered(attacker.balanced([*kept[:at], early, *kept[at:]]))


def a_winner(day: days.HonestDay) -> tuple[e.Reading, e.Reading] | None:
    """The close of a round, and the settlement of one of its winners."""
    for paid in day.readings:
        if isinstance(paid.payload, e.WagerSettled) and paid.payload.paid:
            closed = (
                at
                for at in day.readings
                if at.round_id == paid.round_id and isinstance(at.payload, e.BettingClosed)
            )
            return next(closed), paid
    return None


def paid_at_the_close(code: str) -> list[e.Reading]:
    """An honest day but for one winner, who is paid as soon as betting is closed."""
    for n in range(20):
        day = days.honest(code, f"early/{n}")
        found = a_winner(day)
        if found:
            return moved(day.readings, *found)
    raise AssertionError(f"{code}: nobody wins in twenty days")


def held(code: str) -> list[e.Reading]:
    """An honest day in which a round's ball, dice or cards come in when it is settled already."""
    day = days.honest(code, "early/0")
    last = next(
        at
        for at in reversed(day.readings)
        if isinstance(at.payload, e.WagerSettled | e.ResultCalled)
    )
    of_round = [n for n, at in enumerate(day.readings) if at.round_id == last.round_id]
    span = day.readings[of_round[0] : day.readings.index(last)]
    late = [at for at in span if isinstance(at.payload, SHOWN)]
    arrived = last.received_at or last.occurred_at
    held = [replace(at, received_at=arrived) for at in late]
    kept = [at for at in day.readings if at not in late]
    place = kept.index(last) + 1
    return [*kept[:place], *held, *kept[place:]]


@pytest.fixture(scope="module")
def found() -> Mapping[str, list[CheckFinding]]:
    made = {f"E-{code}": paid_at_the_close(code) for code in days.CODES}
    made |= {f"H-{code}": held(code) for code in days.CODES}
    told = house.detect({name: house.derive(readings) for name, readings in made.items()})
    return {name: told.get(name, []) for name in made}


@pytest.mark.parametrize("code", days.CODES)
def test_a_winner_paid_before_play_is_told(
    code: str, found: Mapping[str, list[CheckFinding]]
) -> None:
    told = [at for at in found[f"E-{code}"] if at.check_id == "PAY-19"]

    assert [at.certain for at in told] == [True]
    assert told[0].subject.endswith(" before play")


@pytest.mark.parametrize("code", days.CODES)
def test_readings_that_come_late_convict_nobody(
    code: str, found: Mapping[str, list[CheckFinding]]
) -> None:
    assert not [at for at in found[f"H-{code}"] if at.check_id == "PAY-19"]


@pytest.mark.parametrize(
    ("dealt", "settled", "flagged"),
    cases("""
        p hit 1, 1 9C, settled w 0 100 0, d 9S  | bust      |                         | 3.7.4 a bust hand is taken at once
        settled w 100 0 100, d 9S              | plain win | SETTLED_BEFORE_RESULT w | 3.7.2 the dealer still draws
        d 9S, settled w 100 0 100              | plain win |                         | after the dealer's last card
        d 9S, settled w 100 0 100, over, d 2C   | plain win |                         | a card after the close is told by DEAL-09
    """),  # noqa: E501 (a row is a sentence)
)
def test_blackjack_hands_that_are_settled_in_mid_deal(
    dealt: str, settled: str, flagged: str
) -> None:
    opening = "9S 7D v 9H" if settled == "bust" else "9S TD v 8H"

    told = blackjack_story.played(opening, dealt)

    early = [flag for flag in told.flags if flag.code.startswith("SETTLED_BEFORE")]
    assert ", ".join(f"{flag.code} {flag.subject}" for flag in early) == flagged


@pytest.mark.parametrize("code", ["RO", "SA-RO"])
def test_a_stake_that_only_goes_back_may_come_early(code: str) -> None:
    story = "bet b1 p1 high 700, bet b2 p2 low 700, close, settle b2 0 700, spin, turns 9, land 30"

    told = roulette_story.told(story, terms={"game": code})

    assert "SETTLED_BEFORE" not in roulette_story.flags(told)
