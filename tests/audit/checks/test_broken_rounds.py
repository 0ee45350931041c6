"""Rounds that end before they are over, at every stage of all fifteen games."""

from collections.abc import Mapping, Sequence
from functools import cache

import pytest

from schemas import events as e
from tests.mutants.days import CODES
from tests.support.broken_rounds import (
    BrokenRound,
    Outcome,
    one_kept,
    outcomes,
    refunds,
    stages,
    wins,
)

pytestmark = pytest.mark.slow

CARDS = ("TB", "NN", "TH", "SA-AB", "SA-BC", "SA-BJ", "SA-DT", "SA-PD", "SA-TP")
VOID = e.RoundVoided(reason="the power failed")

Said = Sequence[e.Payload | tuple[str, e.Payload]]


@cache
def found(scenario: str, code: str) -> list[Outcome]:
    """What became of the rounds of one game in a scenario."""
    return every_outcome()[scenario, code]


@cache
def every_outcome() -> dict[tuple[str, str], list[Outcome]]:
    """What became of every round of this file, by scenario and game.

    The checks run once over all of them: planning their queries costs more than the rounds do.
    """
    rounds = {
        **{("broken", code): _broken(code) for code in CODES},
        **{("told", code): _told(code, closed=False) for code in AFTERWARDS},
        **{("told when closed", code): _told(code, closed=True) for code in AFTERWARDS},
        **{("played on", code): _played_on(code, closed=False) for code in UNENDED},
        **{("played on when closed", code): _played_on(code, closed=True) for code in UNENDED},
        **{("void", code): _called_void(code) for code in HANDS},
    }
    outcome = iter(list(outcomes([each for part in rounds.values() for each in part])))
    return {name: [next(outcome) for _ in part] for name, part in rounds.items()}


def _broken(code: str) -> list[BrokenRound]:
    """A round of a game that is broken off at each stage, by each way to end it."""
    rounds: list[BrokenRound] = []
    for stage in stages(code):
        lying, name = stage.lying, stage.name
        rounds.append((f"refunds {name}", stage, [VOID, *refunds(lying), e.RoundClosed("void")]))
        if lying:
            kept = [VOID, *one_kept(lying), e.RoundClosed("void")]
            rounds.append((f"kept {name}", stage, kept))
            rounds += [
                (f"paid {name}", stage, [*wins(lying), e.RoundClosed(status)])
                for status in ("settled", "unsettled")
            ]
    whole = stages(code)[-1]
    before = whole._replace(readings=whole.readings[:-1])
    close = whole.readings[-1].payload
    rounds += [(f"foreign {word}", before, [word, close]) for word in FOREIGN[code]]
    return rounds


def broken(code: str) -> dict[str, list[Outcome]]:
    """What becomes of a round of a game that is broken off at each stage, by how it is ended."""
    by_way: dict[str, list[Outcome]] = {}
    for outcome in found("broken", code):
        way, _, name = outcome.label.partition(" ")
        by_way.setdefault(way, []).append(outcome._replace(label=name))
    return by_way


@pytest.mark.parametrize("code", CODES)
def test_an_honest_refund_after_a_void_convicts_nobody(code: str) -> None:
    before = [at for at in broken(code)["refunds"] if at.status != "settled"]

    assert {"RoundOpened", "WagerPlaced", "BettingClosed"} <= {at.label for at in before}
    assert {at.label: at.accused for at in before if at.accused} == {}


@pytest.mark.parametrize("code", CODES)
def test_a_void_after_the_result_is_told(code: str) -> None:
    after = [at for at in broken(code)["refunds"] if at.status == "settled"]

    assert {"ResultCalled", "WagerSettled"} <= {at.label for at in after}
    assert [at.label for at in after if not at.accused & {"IRR-04", "IRR-05"}] == []


@pytest.mark.parametrize("code", CODES)
def test_a_stake_kept_in_a_void_round_is_told(code: str) -> None:
    kept = broken(code)["kept"]

    assert [at.label for at in kept if not at.findings] == []
    unpaid = [at for at in kept if at.status in ("void", "unsettled")]
    assert unpaid
    assert [at.label for at in unpaid if "PAY-08" not in at.accused] == []


@pytest.mark.parametrize("code", CODES)
def test_a_round_broken_off_and_paid_is_told(code: str) -> None:
    assert [at.label for at in broken(code)["paid"] if not at.findings] == []


# What belongs to other games, whatever device says it.
BALLS = (e.BallReleased("clockwise", "anticlockwise"), e.BallLanded(5), e.DollyPlaced(5))
DICE = (e.ShakerOpened(("1", "2", "3")),)
SHAKES = (e.ShakerStarted(), e.ShakerStopped(9), e.ReshakeOrdered("overlap"))
TOKENS = (e.BowlRemoved(touched_token=False), e.TokensRevealed(("R", "R", "W", "W")))
OF_CARDS = (e.CardPlaced("player", 1, "9H"), e.DecisionMade("P1", "stand"), e.CardsBurned(1))
RULED = (
    e.RulingMade("XX:1.1", "void", "pit_manager", "M1"),
    e.RulingMade("", "void", "pit_manager", "M1"),
)
FOREIGN: dict[str, tuple[e.Payload, ...]] = {
    **dict.fromkeys(CARDS, (*BALLS, *SHAKES, *DICE, *TOKENS, *RULED)),
    **dict.fromkeys(("RO", "SA-RO"), (*OF_CARDS, *SHAKES, *DICE, *TOKENS, *RULED)),
    **dict.fromkeys(("SA-SB", "SA-FPC", "SA-HL"), (*OF_CARDS, *BALLS, *TOKENS, *RULED)),
    "SA-XD": (*OF_CARDS, *BALLS, *DICE, *RULED),
}


@pytest.mark.parametrize("code", CODES)
def test_the_words_of_other_games_are_told(code: str) -> None:
    foreign = broken(code)["foreign"]

    assert len(foreign) == len(FOREIGN[code])
    assert [at.label for at in foreign if "INT-06" not in {f.check_id for f in at.findings}] == []


# What may be seen of cards, or told of them, when everybody is paid.
AFTERWARDS = {
    "TB": ("player", ("foreign_card", "not_reconstructable")),
    "NN": ("dealer", ("foreign_card", "disruption", "dealer_card_count")),
    "TH": ("community", ("foreign_card", "disruption", "cards_exposed", "burn_missed")),
}


def _told(code: str, *, closed: bool) -> list[BrokenRound]:
    hand, reports = AFTERWARDS[code]
    seen = e.CardsObserved(hand, 6, (e.Guess("9H", 0.99),), 1, "")
    exposed = [e.CardExposed("table", card, hand) for card in ("9H", "2C")]
    later: dict[str, Said] = {
        **({} if closed else {"a card drawn": [("shoe", e.CardDrawn(400, hand, "9H"))]}),
        "a card put": [e.CardPlaced(hand, 6, "9H")],
        "a card seen": [("camera", seen)],
        "two cards exposed": [*exposed],
        **{kind: [e.IrregularityReported(kind)] for kind in reports},
    }
    return _after_payment(code, later, closed=closed)


@pytest.mark.parametrize("code", AFTERWARDS)
@pytest.mark.parametrize("closed", [False, True])
def test_what_comes_after_the_last_settlement_undoes_nothing(code: str, closed: bool) -> None:
    rounds = found("told when closed" if closed else "told", code)

    assert len(rounds) >= 5
    assert [at.label for at in rounds if at.status != "settled"] == []
    assert [at.label for at in rounds if not at.findings] == []
    assert [at.label for at in rounds if at.accused & {"PAY-08", "IRR-04"}] == []


# The same in the games whose rulings know no end of a round: a hand of each, or dice.
HANDS = {
    "SA-AB": "andar",
    "SA-BC": "player",
    "SA-BJ": "dealer",
    "SA-DT": "dragon",
    "SA-PD": "banker",
    "SA-TP": "player_a",
}
SHAKEN_DICE = {
    "SA-SB": ("6", "6", "5"),
    "SA-FPC": ("crab", "crab", "fish"),
    "SA-HL": ("6", "6", "5"),
}
UNENDED = (*HANDS, *SHAKEN_DICE, "SA-XD")
SHAKE = (("shaker", e.ShakerStarted()), ("shaker", e.ShakerStopped(6)))


def _cards_later(code: str) -> dict[str, Said]:
    hand = HANDS[code]
    found: dict[str, Said] = {
        "a card drawn": [("shoe", e.CardDrawn(400, hand, "9H"))],
        "a card put": [e.CardPlaced(hand, 9, "9H")],
        "another card put there": [e.CardPlaced(hand, 1, "2C")],
        "a card seen": [("camera", e.CardsObserved(hand, 9, (e.Guess("9H", 0.99),), 1, ""))],
        "another card seen": [("camera", e.CardsObserved(hand, 1, (e.Guess("2C", 0.99),), 1, ""))],
        "a card drawn and seen": [
            ("shoe", e.CardDrawn(400, hand, "9H")),
            ("camera", e.CardsObserved(hand, 9, (e.Guess("9H", 0.99),), 1, "")),
        ],
        "a card exposed": [e.CardExposed("table", "9H", hand)],
        "a foreign card": [e.IrregularityReported("foreign_card")],
    }
    if code == "SA-BJ":
        found["a decision"] = [e.DecisionMade("MUTANT-P001", "hit", box="1", hand="1")]
    return found


def _dice_later(code: str) -> dict[str, Said]:
    faces = SHAKEN_DICE[code]
    seen = e.DiceObserved((e.Guess("-".join(faces), 0.99),), True, False, 1, "")
    opened = e.ShakerOpened(faces)
    return {
        "other dice read": [("shaker", opened)],
        "other dice seen": [("camera", seen)],
        "dice on one another": [("shaker", e.ShakerOpened(faces, overlap=True))],
        "another shake": [*SHAKE, ("shaker", opened), ("camera", seen)],
        "another count": [("shaker", e.ShakerStopped(1))],
        "a re-shake": [e.ReshakeOrdered("overlap")],
        "a report": [e.IrregularityReported("overlap")],
    }


def _tokens_later() -> dict[str, Said]:
    revealed = ("shaker", e.TokensRevealed(("R", "R", "R", "R")))
    seen = ("camera", e.TokensObserved((e.Guess("R-R-R-R", 0.99),), 1, ""))
    bowl = ("shaker", e.BowlRemoved(touched_token=True))
    return {
        "other tokens read": [revealed],
        "other tokens seen": [seen],
        "the bowl": [bowl],
        "a bowl that fell": [e.EquipmentDropped(("bowl",))],
        "a token that fell": [e.EquipmentDropped(("token",))],
        "the stick": [e.TokensRearranged(("R", "R", "R", "R"))],
        "another throw": [*SHAKE, bowl, revealed, seen],
        "another count": [("shaker", e.ShakerStopped(1))],
        "a re-shake": [e.ReshakeOrdered("standing")],
        "a report": [e.IrregularityReported("overlap")],
    }


def _later(code: str) -> dict[str, Said]:
    if code in HANDS:
        return _cards_later(code)
    return _dice_later(code) if code in SHAKEN_DICE else _tokens_later()


def _played_on(code: str, *, closed: bool) -> list[BrokenRound]:
    return _after_payment(code, _later(code), closed=closed)


def _after_payment(code: str, later: Mapping[str, Said], *, closed: bool) -> list[BrokenRound]:
    """A paid round of a game, with each of these after its last settlement or its close."""
    whole = stages(code)[-1]
    paid = whole if closed else whole._replace(readings=whole.readings[:-1])
    close = [] if closed else [whole.readings[-1].payload]
    return [(what, paid, [*said, *close]) for what, said in later.items()]


# A re-shake that nobody needs is against the rules, whenever it comes.
SHAKEN_AGAIN = ("another shake", "another throw", "a re-shake")
# Reports of other cards have a check of their own, whenever they come.
ALLOWED = {"a foreign card": {"SHOE-01"}, **{label: {"IRR-02"} for label in SHAKEN_AGAIN}}
# It changes nothing, and no rule looks at it once the tokens were called.
SILENT = {"a bowl that fell", "a token that fell", "another count"}


@pytest.mark.parametrize("code", UNENDED)
def test_play_after_the_last_settlement_undoes_nothing(code: str) -> None:
    rounds = found("played on", code)

    assert len(rounds) == len(_later(code))
    assert [at.label for at in rounds if at.status != "settled"] == []
    assert {at.label for at in rounds if not at.findings} <= (SILENT if code == "SA-XD" else set())
    assert [at.label for at in rounds if at.accused - ALLOWED.get(at.label, set())] == []


@pytest.mark.parametrize("code", UNENDED)
def test_play_after_the_close_of_a_paid_round_undoes_nothing(code: str) -> None:
    """What a shoe or a shaker says then belongs to no round; the others name this one."""
    rounds = found("played on when closed", code)

    assert [at.label for at in rounds if at.status != "settled"] == []
    # SA-BJ:3.4.5. A card after the close is a fault of the deal in Blackjack.
    allowed = ALLOWED | ({"a card put": {"DEAL-09"}} if code == "SA-BJ" else {})
    assert [at.label for at in rounds if at.accused - allowed.get(at.label, set())] == []


def _called_void(code: str) -> list[BrokenRound]:
    whole = stages(code)[-1]
    paid = whole._replace(readings=whole.readings[:-1])
    said: Said = [e.IrregularityReported("foreign_card"), VOID, e.RoundClosed("void")]
    return [("void", paid, said)]


@pytest.mark.parametrize("code", HANDS)
def test_a_void_for_cards_reported_after_the_last_settlement_is_told(code: str) -> None:
    (round,) = found("void", code)

    assert round.status == "settled"
    assert "IRR-04" in round.accused
    assert {"RESULT_MISMATCH", "TOLD_AFTERWARDS"} <= round.flags
