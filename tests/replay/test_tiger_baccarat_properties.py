"""What holds for every round of Tiger Baccarat, lawful or not, and for its edition."""

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from replay import rulebooks
from replay.games.tiger_baccarat import BETS
from schemas.cards import DECK
from schemas.ranks import LADDER
from tests.replay.tiger_baccarat_sheets import Json, event, report, ruling, sheet, withdraws
from tests.tables import judged

EDITION = rulebooks.in_force("TB", "2026-03-01")
PLAYERS = ("P1", "P2", "P3", "P4")
KINDS = (
    "foreign_card", "not_reconstructable", "face_up_card", "next_card_seen", "wrong_order",
    "squeeze_misdelivery", "multiple_draw", "order_unknown", "squeezer_absent", "earthquake",
)  # fmt: skip
CLAUSES = ("TB:7.9", "TB:7.10.1", "TB:7.10.2", "TB:7.12", "TB:7.13.1", "TB:7.20")

bets = st.lists(
    st.tuples(st.sampled_from(PLAYERS), st.sampled_from(BETS), st.integers(1, 15_000)), max_size=8
).map(lambda rows: ", ".join(f"{player} {bet} {stake}" for player, bet, stake in rows))
places = st.tuples(
    st.sampled_from([str(card) for card in DECK]),
    st.sampled_from("PBN"),
    st.sampled_from(["", "?"]),
).map(lambda place: f"{place[0]}>{place[1]}{place[2]}")
few, enough = st.lists(places, max_size=5), st.lists(places, min_size=6, max_size=8)
cards = st.one_of(enough, enough, few).map(" ".join)
happenings = st.one_of(
    st.builds(report, st.sampled_from(KINDS)),
    st.builds(
        withdraws,
        st.sampled_from(["W1", "W2", "W3"]),
        st.sampled_from(CLAUSES),
        st.sampled_from(LADDER),
    ),
    st.builds(
        ruling,
        st.sampled_from(CLAUSES),
        st.sampled_from(["void", "continue", "allow_withdrawal", "order_fixed"]),
        st.sampled_from(LADDER),
    ),
    st.sampled_from(["banker", "player", "tie"]).map(lambda to: event("ResultCalled", result=to)),
    st.sampled_from(["shoe", "next", "hand"]).map(lambda at: event("CardExposed", place=at)),
    st.just(event("ShoeExhausted", shoe_id="S1")),
    st.just(event("RoundVoided")),
)
carries = st.fixed_dictionaries(
    {
        "below_min_used": st.lists(st.sampled_from(PLAYERS), unique=True),
        "free_hand": st.none() | st.lists(st.sampled_from(["9S", "4H", None]), max_size=2),
    }
)


@st.composite
def sheets(draw: st.DrawFn) -> Json:
    """A round in which anything may have happened."""
    issue = EDITION.issues[draw(st.sampled_from(sorted(EDITION.issues)))]
    reading = draw(st.sampled_from((issue.reading, *issue.alternatives)))
    shoe: dict[str, Any] = {"shoe_id": "S1", "burned": draw(st.booleans())}
    placed = draw(bets)
    known = [f"W{n}" for n in range(1, 1 + len(placed.split(",")) * bool(placed))]
    happened = draw(st.lists(happenings, max_size=4))
    return sheet(
        placed,
        draw(cards),
        *(at for at in happened if at.get("wager_id", "") in ("", *known)),
        carry=draw(carries),
        shoe=shoe | {"hands": draw(st.integers(0, 2))},
        paytable=draw(st.sampled_from(sorted(EDITION.paytables))),
        differential=draw(st.none() | st.integers(0, 12_000)),
        readings={issue.name: reading},
    )


@given(sheets())
@settings(deadline=None, max_examples=300)
def test_money_in_is_money_out(written: Json) -> None:
    found = judged(written)

    for due in found.dues:
        if due.outcome != "open":
            assert due.collected + due.returned == due.stake
        assert 0 <= due.action <= due.stake
        assert due.gross_win == due.paid + due.commission
        assert due.paid == 0 or due.outcome == "win"
    open_stakes = sum(due.stake for due in found.dues if due.outcome == "open")
    players = sum(due.back - due.stake for due in found.dues) + open_stakes
    house = sum(due.collected - due.paid for due in found.dues)
    assert players == -house


@given(sheets())
@settings(deadline=None, max_examples=200)
def test_every_amount_flag_and_step_has_a_clause_that_exists(written: Json) -> None:
    found = judged(written)

    assert all(due.clauses for due in found.dues)
    anchors = {anchor for due in found.dues for anchor in due.clauses}
    anchors |= {anchor for step in found.steps for anchor in step.clauses}
    anchors |= {flag.clause for flag in found.flags} | set(found.ruled.clauses)
    assert anchors <= set(EDITION.clauses)
    assert set(found.ruled.readings) <= set(EDITION.issues)


@given(sheets())
@settings(deadline=None, max_examples=200)
def test_a_round_flag_is_told_once_and_void_lines_carry_none(written: Json) -> None:
    found = judged(written)

    codes = [flag.code for flag in found.flags]
    assert len(codes) == len(set(codes))
    if found.ruled.status != "settled":
        assert all(due.flags == () for due in found.dues)


@given(sheets(), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=150)
def test_the_order_of_wagers_changes_nothing_but_their_order(written: Json, dice: Any) -> None:
    placed = [at for at in written["events"] if at["type"] == "WagerPlaced"]
    others = [at for at in written["events"] if at["type"] != "WagerPlaced"]
    shuffled = list(placed)
    dice.shuffle(shuffled)

    before = judged(written)
    after = judged(written | {"events": [*shuffled, *others]})

    assert sorted(before.dues) == sorted(after.dues)
    assert before.ruled.memory == after.ruled.memory
    assert [flag.code for flag in before.flags] == [flag.code for flag in after.flags]


@given(bets, st.integers(0, 12_000))
@settings(deadline=None, max_examples=200)
def test_the_sides_differ_by_the_limit_at_most(bets: str, limit: int) -> None:
    found = judged(sheet(bets, "9S>P KS>B KH>P 4H>B", differential=limit))

    exempt = sum(due.action for due in found.dues if "PRO_RATA_EXEMPT" in due.flags)
    sides = [_in_action(found.dues, bet) for bet in ("player", "banker")]
    apart = abs(sides[0] - sides[1])
    exceeded = any(flag.code == "DIFFERENTIAL_EXCEEDED" for flag in found.flags)
    assert apart <= limit or exempt > limit
    if exceeded and not exempt:
        assert apart == limit


def test_the_edition_holds_sections_one_to_eight_word_for_word() -> None:
    sections = {anchor.split(":")[1].split(".")[0] for anchor in EDITION.clauses}

    assert sections == set("12345678")
    assert (EDITION.number, EDITION.effective) == ("01/01.10.2024", "2024-10-01")
    assert EDITION.clause("TB:7.2").text == (
        "If there are insufficient cards in the card shoe to complete a round of play, "
        "the round of play shall be void."
    )
    parents = {anchor.rpartition(".")[0] for anchor in EDITION.clauses if "." in anchor}
    assert parents <= set(EDITION.clauses)  # no clause without the one it is part of


def test_every_issue_is_anchored_in_the_text() -> None:
    assert {issue.anchor for issue in EDITION.issues.values()} <= set(EDITION.clauses)


def _in_action(dues: Any, bet: str) -> Fraction:
    return sum((due.action for due in dues if due.bet == bet), Fraction(0))
