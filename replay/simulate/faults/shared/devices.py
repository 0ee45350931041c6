"""Faults of the devices and of their way to the gateway, the same at every table."""

from dataclasses import replace

from replay.simulate.devices import BEAT_S
from replay.simulate.faults.fault import FaultyRound, SeededFault
from replay.simulate.faults.shared.bets import two_stakes
from replay.simulate.script import Act
from schemas import events as e

SENSOR = "chips"  # every table has one, and it reads several times a round
MOVABLE = ("RO", "SA-FPC", "SA-HL", "SA-RO", "SA-SB", "SA-XD", "TB")  # with wheel, shaker, shoe
SELDOM = "pit"  # every table has one, and it is used now and then


def lose_a_reading(round: FaultyRound) -> None:
    """A reading is numbered and never arrives."""
    _reading(round).lost = True


def contradict(round: FaultyRound) -> None:
    """The same number comes a second time with another amount."""
    act = _reading(round)
    assert isinstance(act.payload, e.StakeRead)
    act.twin = replace(act.payload, amount=act.payload.amount + 100_000)


def run_ahead(round: FaultyRound) -> None:
    """A device reports that its clock is far ahead."""
    ahead_ms = 1_500 + int(round.rng.random() * 1_000)
    act = round.pause.say(SELDOM, e.DeviceBeat(BEAT_S, ahead_ms))
    act.clock_us = ahead_ms * 1_000
    round.subject = round.table.rack.devices[SELDOM].device_id


def step_back(round: FaultyRound) -> None:
    """A device's clock jumps back between two of its readings."""
    readings = [act for act, _ in round.script.each(e.StakeRead)]
    readings[1].clock_us = -5_000_000
    round.subject = round.table.rack.devices[SENSOR].device_id


def move_away(round: FaultyRound) -> None:
    """A device is entered as moved to another table, and goes on reporting here."""
    device = round.table.rack.devices[SENSOR]
    round.pause.say(SELDOM, e.DeviceMoved(device.device_id, f"{round.table.setup.table_id}-store"))
    round.subject = device.device_id


def fall_silent(round: FaultyRound) -> None:
    """A device reports nothing about itself for more than two intervals."""
    device = round.table.rack.devices[SENSOR]
    device.silent_until = device.beat_at + 2 * BEAT_S * 1_000_000 + 120_000_000
    round.subject = device.device_id


def _reading(round: FaultyRound) -> Act:
    act, read = round.script.first(e.StakeRead)
    round.subject = read.wager_id
    return act


FAULTS = (
    SeededFault(
        "INT-01", "a sensor reading is lost on its way", needs=two_stakes, finish=lose_a_reading
    ),
    SeededFault(
        "INT-02", "one number, two different readings", needs=two_stakes, finish=contradict
    ),
    SeededFault("INT-04", "a clock is far ahead", pause=run_ahead, of_table=True),
    SeededFault("INT-04/step", "a clock jumps back", needs=two_stakes, finish=step_back),
    SeededFault(
        "RNG-08",
        "a moved device reports on",
        games=MOVABLE,
        pause=move_away,
        of_table=True,
        runs_on=22,
    ),
    SeededFault("INT-05", "a device falls silent", before=fall_silent, of_table=True, runs_on=22),
)
