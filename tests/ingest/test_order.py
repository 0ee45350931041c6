"""A device's sequence, as a table: what came, what becomes of it, which alarms go before it."""

import random

import pytest

from ingest.order import Fate, SequencedReading, TableOrder
from schemas import events as e
from tests.support.tables import cases


def said(
    seq: int, at: int | None = None, content: int = 0, device: str = "shoe"
) -> SequencedReading:
    moment = seq * 1_000 if at is None else at
    return SequencedReading(device, seq, moment, content or seq + 1, None, None)


def shown(alarm: e.Payload) -> str:
    match alarm:
        case e.GapFound(_, expected, found):
            return f"gap {expected}-{found}"
        case e.LateArrived(_, behind):
            return f"late by {behind}"
        case e.ClockStepped(_, step_ms):
            return f"clock -{step_ms}"
    raise AssertionError(alarm)


def told(order: TableOrder, word: str) -> str:
    """A word of the tables below: a sequence, with `@` a time and with `=` other words."""
    seq, _, at = word.partition("@")
    seq, _, content = seq.partition("=")
    verdict = order.take(
        said(int(seq), int(at) if at else None, ord(content) if content else 0), f"T/shoe/{seq}"
    )
    alarms = ", ".join(shown(alarm) for alarm in verdict.alarms)
    return alarms or verdict.fate.value


@pytest.mark.parametrize(
    ("came", "last"),
    cases("""
        0             | accepted          | the first
        1             | accepted          | a device may count from one
        2             | gap 1-2           | a device whose first reading is not its first
        41            | gap 1-41          | by far
        41 42         | accepted          | that is told once
        41 1          | late by 40        | the first comes after all
        0 1 2         | accepted          | in order
        0 1 4         | gap 2-4           | two are missing
        0 1 4 5       | accepted          | a gap is told once
        0 1 4 2       | late by 2         | a missing one comes after all
        0 1 4 3       | late by 1         | the other one
        0 1 4 2 3 5   | accepted          | the sequence goes on from its highest
        5 3           | late by 2         | one from before the first
        0 1 1         | twin              | the same again
        0 1 2 0       | twin              | the same much later
        0 1=x 1=y     | conflict          | other words under one id
        0 1=x 1=y 1=y | twin              | the same conflict again
        0 1=x 1=y 1=x | twin              | the first words again
        0 1=x 1=y 1=z | conflict          | a third version
        0 1 4 2 2     | twin              | a late one again
        0@5000 1@2000 | clock -3          | the clock ran back
        0@5000 1@4999 | clock -1          | by less than a millisecond
        0@5000 1@5000 | accepted          | a clock may stand
        0@9000 1@1000 2@1500 | accepted   | a step is told once
        0@5000 3@2000 | gap 1-3, clock -3 | both at once
        0 5 2@0       | late by 3         | a late one has an old time by right
        0@1000 5@6000 2@9000 6@7000 | accepted | a late one does not set the clock
    """),
)
def test_sequences(came: str, last: str) -> None:
    order = TableOrder()

    assert [told(order, word) for word in came.split()][-1] == last


def test_devices_have_their_own_sequences() -> None:
    order = TableOrder()

    verdicts = [
        order.take(said(seq, device=name), f"T/{name}/{seq}")
        for name, seq in (("shoe", 0), ("camera", 0), ("shoe", 1), ("camera", 1))
    ]

    assert [verdict.alarms for verdict in verdicts] == [(), (), (), ()]


def test_the_open_round_is_known() -> None:
    order = TableOrder()

    def say(seq: int, payload: e.Payload, round_id: str | None) -> str | None:
        order.take(said(seq)._replace(payload=payload, round_id=round_id), "")
        return order.open_round

    assert say(0, e.RoundOpened(1), "R1") == "R1"
    assert say(1, e.BettingOpened(), "R1") == "R1"
    assert say(2, e.RoundClosed(), "R1") is None
    assert say(5, e.RoundOpened(2), "R2") == "R2"
    assert say(4, e.RoundClosed(), "R1") == "R2"  # a late closing of the round before
    assert say(6, e.RoundClosed(), None) is None


@pytest.mark.parametrize("seed", range(20))
def test_delivery_may_double_and_reorder_but_nothing_is_lost(seed: int) -> None:
    rng = random.Random(seed)
    sent = [seq for seq in range(60) for _ in range(rng.choice((1, 1, 2, 3)))]
    rng.shuffle(sent)
    order = TableOrder()

    fates = [order.take(said(seq), str(seq)).fate for seq in sent]

    assert fates.count(Fate.ACCEPTED) == 60
    assert fates.count(Fate.TWIN) == len(sent) - 60
    assert [order.take(said(seq), "").fate for seq in range(60)] == [Fate.TWIN] * 60


def test_a_leap_to_the_largest_sequence_costs_nothing() -> None:
    order = TableOrder()
    order.take(said(0), "a")

    alarms = order.take(said(2**63 - 1, at=1), "b").alarms
    late = order.take(said(1, at=1), "c").alarms

    assert alarms == (e.GapFound("shoe", 1, 2**63 - 1),)
    assert late == (e.LateArrived("c", 2**31 - 1),)
