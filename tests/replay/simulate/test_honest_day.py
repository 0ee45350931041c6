"""A day without faults is believable, lawful, and gives the audit nothing to say."""

from collections import Counter
from functools import cache
from itertools import pairwise

import pytest

from replay.judge import Judgement
from replay.payments import differences
from replay.simulate.devices import BEAT_S, ERR_MS
from schemas import events as e
from schemas.cards import DECK
from tests.support.simulated_days import Played, events, judged, played, rounds

TABLES = {"TB": "T01:TB", "TB/non_commission": "T01:TB/non_commission", "RO": "T01:RO",
          "SA-SB": "T01:SA-SB", "SA-FPC": "T01:SA-FPC", "SA-HL": "T01:SA-HL/public",
          "SA-XD": "T01:SA-XD", "SA-BC": "T01:SA-BC", "SA-DT": "T01:SA-DT",
          "SA-PD": "T01:SA-PD", "SA-RO": "T01:SA-RO", "SA-AB": "T01:SA-AB",
          "SA-TP": "T01:SA-TP", "SA-BJ": "T01:SA-BJ", "NN": "T01:NN"}  # fmt: skip
ROUNDS = 260

# What an honest table may show: the rules treat it, and no check speaks of it.
NOTES = {
    "FACE_UP_IN_SHOE",
    "NEXT_CARD_SEEN",
    "MULTIPLE_DRAW",
    "ORDER_RULED",
    "NOT_RECONSTRUCTABLE",
    "ROUND_VOID",
    "SQUEEZER_ABSENT",
    "CARD_EXPOSED",
    "HAND_RESET",
    "IRREGULARITY_7.1.1",
    "IRREGULARITY_7.1.2",
    "IRREGULARITY_7.1.4",
    "NEW_DECK_REQUIRED",
}


@pytest.fixture(params=sorted(TABLES))
def day(request: pytest.FixtureRequest) -> Played:
    return played(TABLES[request.param], ROUNDS)


@cache
def verdicts(table: str, rounds: int = ROUNDS) -> dict[str, Judgement]:
    """What the rules say of an honest day."""
    return judged(played(table, rounds).readings)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_the_rules_find_nothing_wrong_and_every_wager_is_settled_as_due(table: str) -> None:
    assert verdicts(table)
    for round_id, at in verdicts(table).items():
        codes = {flag.code for flag in at.flags}
        closed = next(x.payload for x in at.round.events if isinstance(x.payload, e.RoundClosed))
        seen = {
            x.payload.wager_id: x.payload
            for x in at.round.events
            if isinstance(x.payload, e.WagerSettled)
        }

        assert codes <= NOTES, round_id
        assert at.ruled.status == closed.status, round_id
        assert set(seen) == {due.wager_id for due in at.dues}
        assert [differences(due, seen[due.wager_id]) for due in at.dues] == [{}] * len(at.dues)


def test_every_round_is_whole_and_has_its_own_name(day: Played) -> None:
    found = rounds(day.readings)

    assert [at.number for at in found] == list(range(1, ROUNDS + 1))
    assert len({at.round_id for at in found}) == ROUNDS
    assert found[0].round_id == "T01-20260301-0001"


def test_wager_names_are_never_used_twice(day: Played) -> None:
    names = [at.payload.wager_id for at in day.readings if isinstance(at.payload, e.WagerPlaced)]

    assert len(set(names)) == len(names)


def test_stakes_keep_to_the_limit_sign(day: Played) -> None:
    terms = next(at.payload for at in day.readings if isinstance(at.payload, e.TermsPosted))
    limits = {limit.bet: limit for limit in terms.limits}

    assert any(isinstance(at.payload, e.WagerPlaced) for at in day.readings)
    for at in day.readings:
        if isinstance(at.payload, e.WagerPlaced):
            limit = limits[at.payload.bet.split(":")[0]]
            assert limit.minimum <= at.payload.stake <= limit.maximum


def test_device_numbers_have_no_gap_and_clocks_run_forward(day: Played) -> None:
    last: dict[str, tuple[int, int]] = {}
    assert day.readings
    for at in day.readings:
        seq, clock = last.get(at.device_id, (0, 0))

        assert at.device_seq == seq + 1
        assert at.occurred_at > clock
        last[at.device_id] = at.device_seq, at.occurred_at


def test_clocks_keep_to_their_error_bounds(day: Played) -> None:
    assert day.readings
    for at in day.readings:
        assert at.err_ms == ERR_MS[at.device_kind]
        # The way in takes 8 to 40 ms, so this bounds the offset of the clock.
        late_us = (at.received_at or 0) - at.occurred_at
        assert 8_000 - at.err_ms * 1_000 <= late_us <= 40_000 + at.err_ms * 1_000


def test_no_device_falls_silent(day: Played) -> None:
    beats: dict[str, list[int]] = {}
    for at in day.readings:
        if isinstance(at.payload, e.DeviceBeat):
            assert abs(at.payload.offset_ms) <= at.err_ms
            beats.setdefault(at.device_id, []).append(at.occurred_at)
    closed = day.readings[-1].occurred_at

    assert set(beats) == {at.device_id for at in day.readings}
    for times in beats.values():
        apart = [b - a for a, b in zip(times, [*times[1:], closed], strict=True)]
        assert max(apart) < 2 * BEAT_S * 1_000_000


def test_the_tray_moves_by_what_is_collected_and_paid(day: Played) -> None:
    moved, before = 0, None
    assert any(isinstance(at.payload, e.TrayCounted) for at in day.readings)
    for at in day.readings:
        match at.payload:
            case e.WagerSettled(collected=collected, reserve_taken=reserve, paid=paid):
                moved += collected + reserve - paid
            case e.TrayCounted(amount=amount):
                assert before is None or amount == before + moved
                moved, before = 0, amount


def test_players_and_staff_come_and_go(day: Played) -> None:
    players = {at.payload.player_id for at in day.readings if isinstance(at.payload, e.WagerPlaced)}
    dealers = {
        at.payload.person_id
        for at in day.readings
        if isinstance(at.payload, e.StaffCameOn) and at.payload.rank == "dealer"
    }

    assert len(players) > 6
    assert len(dealers) > 1


@pytest.mark.parametrize("table", ["T01:TB", "T01:TB/non_commission", "T01:SA-BC"])
def test_every_shoe_holds_eight_decks_and_no_more(table: str) -> None:
    shoes: list[Counter[str]] = []
    for at in played(table, ROUNDS).readings:
        match at.payload:
            case e.ShoeLoaded(decks=decks, shuffled=shuffled):
                assert (decks, shuffled) == (8, True)
                shoes.append(Counter())
            case e.CardDrawn(card=card) if card:
                shoes[-1][card] += 1
            case e.CardsBurned(count=count, first_card=first) if first:
                shoes[-1][first] += 1
                assert count == {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(
                    first[0], int(first[0]) if first[0].isdigit() else 0
                )

    assert len(shoes) > 2
    assert all(max(shoe.values()) <= 8 for shoe in shoes)
    assert all(set(shoe) == set(map(str, DECK)) for shoe in shoes[:-1])


def test_the_cards_of_a_shoe_come_out_in_its_order() -> None:
    position, readings = 0, played("T01:TB", ROUNDS).readings

    assert any(isinstance(at.payload, e.CardDrawn) for at in readings)
    for at in readings:
        match at.payload:
            case e.CardsBurned(count=count):
                position = 1 + count
            case e.CardDrawn(position=found):
                position += 1
                assert found == position


def test_the_last_hand_of_a_shoe_is_announced_after_the_cut_card() -> None:
    said = [
        type(at.payload).__name__
        for at in played("T01:TB", ROUNDS).readings
        if isinstance(at.payload, e.CutCardReached | e.LastHandAnnounced | e.ShoeRemoved)
    ]

    ends = [said[n : n + 3] for n in range(0, len(said) - len(said) % 3, 3)]
    assert len(ends) > 1
    assert ends == [["CutCardReached", "LastHandAnnounced", "ShoeRemoved"]] * len(ends)


def test_every_pocket_and_every_face_comes_up() -> None:
    pockets = [
        at.payload.pocket
        for at in played("T01:RO", ROUNDS).readings
        if isinstance(at.payload, e.BallLanded)
    ]
    faces = Counter(
        face
        for at in played("T01:SA-SB", ROUNDS).readings
        if isinstance(at.payload, e.ShakerOpened)
        for face in at.payload.faces
    )

    assert set(pockets) == set(range(37))
    assert min(faces.values()) > ROUNDS / 4


def test_the_ball_sets_out_from_the_last_pocket_in_turning_directions() -> None:
    releases, last = list[e.BallReleased](), None
    for at in played("T01:RO", ROUNDS).readings:
        match at.payload:
            case e.BallReleased() as released:
                assert last is None or released.from_pocket == last
                releases.append(released)
            case e.BallLanded(pocket=pocket):
                last = pocket

    ways = [released.ball_direction for released in releases]
    assert all(a != b for a, b in pairwise(ways))


def test_an_honest_day_is_not_trivial() -> None:
    """Spins are called off and dice are shaken again, lawfully."""
    roulette = {at.ruled.status for at in verdicts("T01:RO").values()}
    baccarat = {at.ruled.status for at in verdicts("T01:TB", 600).values()}
    again = [at for at in played("T01:SA-SB", ROUNDS).readings if _reshaken(at)]
    tokens = {at.ruled.status for at in verdicts("T01:SA-XD").values()}

    assert roulette == {"settled", "void"}
    assert baccarat == {"settled", "void", "free_hand"}
    assert tokens == {"settled", "void"}
    assert again


def test_devices_that_know_the_round_name_it() -> None:
    found = events(played("T01:TB", 50).readings)

    assert any(isinstance(at.payload, e.CardsObserved) for at in found)
    for at in found:
        if isinstance(at.payload, e.WagerPlaced | e.CardsObserved):
            assert at.round_id is not None
        if isinstance(at.payload, e.CardDrawn | e.StakeRead):
            assert at.round_id is None


def _reshaken(at: e.Reading) -> bool:
    return isinstance(at.payload, e.ReshakeOrdered)
