"""One wager, one settlement: whole or in parts, corrected, twice, or on nothing that lies there."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from replay.judge import Judgement, judge
from schemas import events as e
from tests.support.roulette_story import flags, told
from tests.support.sheet_pages import CODES, example
from tests.support.tables import cases, judged

SPIN = "close, spin, turns 9, land 3, result 3"
LATE_US = 1_000_000


def settled_again(plain: Judgement, added: Sequence[e.Payload], at: int = 0) -> Judgement:
    """The same round with more events at its end, as the log would have them."""
    said, last = plain.round.events, plain.round.events[-1]
    more = (
        replace(last, event_id=f"more-{n}", seq=last.seq + n, occurred_at=at, payload=payload)
        for n, payload in enumerate(added, 1)
    )
    assert plain.edition is not None
    return judge(replace(plain.round, events=(*said, *more)), plain.edition, plain.memory)


def codes(found: Judgement, *wanted: str) -> list[tuple[str, str]]:
    return [(flag.code, flag.subject) for flag in found.flags if flag.code in wanted]


@pytest.mark.parametrize(
    ("settled", "expected"),
    cases("""
        settle b1 100 100                         |                             | at once
        settle b1 60 100, settle b1 40 0          |                             | in parts
        settle b1 100 0, settle b1 0 100          |                             | the stake later
        settle b1 100 100, settle b1 100 100      | MISPAY b1, SETTLED_TWICE b1 | twice
        settle b1 100 100, settle b1 0 100        | MISPAY b1, SETTLED_TWICE b1 | the stake twice
        settle b1 60 100, settle b1 60 0          | MISPAY b1, SETTLED_TWICE b1 | too much
        settle b1 100 100, settle b1 0 0          |                             | nothing moved
        settle b1 100 100, end, settle b1 100 100 | MISPAY b1, SETTLED_TWICE b1 | after the end
        settle b1 60 100, end, settle b1 40 0     | SETTLED_TWICE b1            | a part after it
        settle b1 60 100, settle b1 40 0, end     |                             | both before it
        end, settle b1 100 100                    |                             | the first after it
        end, settle b1 60 100, settle b1 40 0     | SETTLED_TWICE b1            | both after it
    """),
)
def test_parts_add_up_and_what_is_more_is_told(settled: str, expected: str) -> None:
    found = told(f"bet b1 p1 red 100, {SPIN}, {settled}", terms={"game": "SA-RO"})

    assert flags(found) == expected
    assert [due.paid for due in found.dues] == [100]


@pytest.mark.parametrize("code", CODES)
def test_every_game_tells_of_a_second_settlement(code: str) -> None:
    plain = judged(example(code))
    due = next(due for due in plain.dues if due.returned)
    back = e.WagerSettled(due.wager_id, due.paid, returned=due.returned)

    found = settled_again(plain, [back, back])

    assert codes(found, "SETTLED_TWICE") == [("SETTLED_TWICE", due.wager_id)]
    assert found.dues == plain.dues
    assert any(step.evidence[-1:] == ("more-2",) for step in found.steps)


@pytest.mark.parametrize("code", CODES)
def test_every_game_tells_of_a_part_that_follows_the_close(code: str) -> None:
    plain = judged(example(code))
    due = next(due for due in plain.dues if due.returned > 1)
    back = due.returned + due.reserve_returned
    taken = (due.commission, due.collected, due.reserve_taken)
    first = e.WagerSettled(due.wager_id, due.paid, *taken, returned=back - 1)
    rest = e.WagerSettled(due.wager_id, 0, returned=1)
    unpaid = (at for at in plain.round.events if not isinstance(at.payload, e.WagerSettled))
    events = tuple(at for at in unpaid if not isinstance(at.payload, e.RoundClosed))
    open_ = plain._replace(round=replace(plain.round, events=events))

    in_time = settled_again(open_, [first, rest, e.RoundClosed()])
    too_late = settled_again(open_, [first, e.RoundClosed(), rest])

    # The Hoiana card games call it by a name of their own.
    told = ("SETTLED_TWICE", "REOPENED_ROUND")
    assert [code for code, _ in codes(too_late, *told)] in (["SETTLED_TWICE"], ["REOPENED_ROUND"])
    assert codes(in_time, *told) == []


@pytest.mark.parametrize("code", CODES)
def test_every_game_tells_of_a_settlement_of_no_wager(code: str) -> None:
    plain = judged(example(code))

    found = settled_again(plain, [e.WagerSettled("nobody", 5_000, returned=100)])

    # The Hoiana card games call it by a name of their own.
    told = codes(found, "SETTLED_UNKNOWN", "REOPENED_ROUND")
    assert [code for code, _ in told] in (["SETTLED_UNKNOWN"], ["REOPENED_ROUND"])
    assert found.dues == plain.dues


@pytest.mark.parametrize("code", CODES)
def test_every_game_tells_of_a_settlement_of_a_wager_taken_back(code: str) -> None:
    plain = judged(example(code))
    said, assigned = plain.round.events, plain.edition
    n = next(n for n, at in enumerate(said) if isinstance(at.payload, e.WagerPlaced))
    placed = said[n].payload
    assert isinstance(placed, e.WagerPlaced)
    assert assigned is not None
    other = replace(placed, wager_id="back", player_id="somebody", box="")
    gone = (
        replace(said[n], event_id="placed", payload=other),
        replace(said[n], event_id="taken", payload=e.WagerWithdrawn("back")),
    )
    paid = replace(said[-1], event_id="paid", payload=e.WagerSettled("back", 0, returned=7))

    events = (*said[: n + 1], *gone, *said[n + 1 :], paid)
    found = judge(replace(plain.round, events=events), assigned, plain.memory)

    assert codes(found, "SETTLED_WITHDRAWN", "SETTLED_UNKNOWN") == [("SETTLED_WITHDRAWN", "back")]
    assert found.dues == plain.dues


def test_a_corrected_settlement_counts_no_more() -> None:
    plain = told(f"bet b1 p1 red 100, {SPIN}, settle b1 900 100", terms={"game": "SA-RO"})
    wrong = plain.round.events[-1].event_id
    correction = e.CorrectionMade(wrong, "F1", "pit_supervisor", "mistyped")

    found = settled_again(plain, [correction, e.WagerSettled("b1", 100, returned=100)])

    assert codes(plain, "MISPAY") == [("MISPAY", "b1")]
    assert found.flags == ()


def test_a_correction_alone_leaves_the_settlement() -> None:
    plain = told(f"bet b1 p1 red 100, {SPIN}, settle b1 900 100", terms={"game": "SA-RO"})
    wrong = plain.round.events[-1].event_id

    found = settled_again(plain, [e.CorrectionMade(wrong, "F1", "pit_supervisor", "mistyped")])

    assert codes(found, "MISPAY") == [("MISPAY", "b1")]


def test_a_second_settlement_after_the_close_is_told_and_the_first_is_compared() -> None:
    plain = told(f"bet b1 p1 red 100, {SPIN}, settle b1 100 100, end", terms={"game": "SA-RO"})

    found = settled_again(plain, [e.WagerSettled("b1", 100, returned=100)], at=LATE_US)

    assert codes(found, "SETTLED_TWICE", "MISPAY") == [("SETTLED_TWICE", "b1")]


def test_two_wagers_under_one_id_may_have_two_settlements() -> None:
    plain = told(f"bet b1 p1 red 100, {SPIN}, settle b1 100 100", terms={"game": "SA-RO"})
    said = plain.round.events
    n = next(n for n, at in enumerate(said) if isinstance(at.payload, e.WagerPlaced))
    second = replace(said[n], event_id="second", payload=e.WagerPlaced("b1", "p2", "red", 50))
    assert plain.edition is not None
    round = replace(plain.round, events=(*said[: n + 1], second, *said[n + 1 :]))

    found = settled_again(
        judge(round, plain.edition, plain.memory), [e.WagerSettled("b1", 50, returned=50)]
    )

    assert codes(found, "SETTLED_TWICE", "WAGER_ID_REPEATED") == [("WAGER_ID_REPEATED", "b1")]
