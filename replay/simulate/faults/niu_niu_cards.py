"""What can go wrong on purpose with the cards of a Niu Niu table."""

from dataclasses import replace
from typing import cast

from replay.games import niu_niu as game
from replay.settle import Due
from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.faults.shared import money, record
from replay.simulate.play.niu_niu import Play, boxes, handle, show
from replay.simulate.play.shared import betting
from replay.simulate.script import Act
from schemas import events as e

EMPTY = "7"  # a box at which nobody sits
SETTLED = ("IRR-04", "PAY-08")  # what speaks when a void round is settled all the same


def see_another(round: FaultyRound) -> None:
    """The camera is sure of another card than the device gave."""
    act, seen = round.script.first(e.CardsObserved)
    dealt = {drawn.card for _, drawn in round.script.each(e.CardDrawn)}
    other = next(code for code in _play(round).order if code not in dealt)
    act.payload = replace(seen, guesses=(e.Guess(other, 0.98),))
    round.subject = f"{seen.zone} card {seen.slot}"


def see_a_stranger(round: FaultyRound) -> None:
    """The camera sees a sixth card before the Dealer that never left the device."""
    script = round.script
    guess = e.Guess(_play(round).order[-1], 0.98)
    script.say("camera", e.CardsObserved(game.DEALER, 6, (guess,), script.clock // 40_000))
    round.subject = f"{game.DEALER} card 6"


def overlook(round: FaultyRound) -> None:
    """The camera never sees one of the cards."""
    act, seen = _last_seen(round)
    round.script.drop(act)
    round.subject = f"{seen.zone} card {seen.slot}"


def read_nothing(round: FaultyRound) -> None:
    """Neither device nor camera can read a card."""
    read_late(round)
    act, seen = _last_seen(round)
    act.payload = replace(seen, guesses=(replace(seen.guesses[0], probability=0.4),))


def read_late(round: FaultyRound) -> None:
    """The device cannot read the last card."""
    act, drawn = list(round.script.each(e.CardDrawn))[-1]
    act.payload = replace(drawn, card=None)


def arrive_late(round: FaultyRound) -> None:
    """The camera's reading of the last card comes in when the round is closed already."""
    closing, _ = round.script.first(e.RoundClosed)
    act, _ = _last_seen(round)
    act.late_us = closing.at - act.at + 1_200_000


def cover_the_camera(round: FaultyRound) -> None:
    """Something covers the camera in an open round."""
    opened, _ = round.script.first(e.BettingOpened)
    round.script.insert(opened, "camera", e.CameraDisturbed("covered", 0.3))


def deal_early(round: FaultyRound) -> None:
    """The first card is out before no more bets."""
    closed, _ = round.script.first(e.BettingClosed)
    drawn, _ = round.script.first(e.CardDrawn)
    drawn.at = closed.at - 1_500_000
    round.script.sort()


def deal_twice(round: FaultyRound) -> None:
    """The same card comes twice from one deck."""
    _, first = round.script.first(e.CardDrawn)
    act, drawn = list(round.script.each(e.CardDrawn))[-1]
    act.payload = replace(drawn, card=first.card)
    seen_act, seen = _last_seen(round)
    seen_act.payload = replace(seen, guesses=(replace(seen.guesses[0], seen=str(first.card)),))


def miscount(box: bool, *, handled: bool, void: str) -> Hook:
    """A hand gets four cards; it is noticed before or after cards were handled."""

    def deal(round: FaultyRound) -> None:
        script = round.script
        betting.close(script)
        hands = dict.fromkeys((*boxes(script), game.DEALER), game.FULL)
        wrong = boxes(script)[0] if box else game.DEALER
        hands[wrong] -= 1
        _play(round).give(script, hands)
        if handled:
            handle(script)
        show(script)
        kind = "hand_card_count" if box else "dealer_card_count"
        script.say("console", e.IrregularityReported(kind, subject=wrong), 800, 1_500)
        if void:
            script.say("console", e.RoundVoided(void, kind), 800, 1_500)
        round.subject = wrong

    return deal


def stop_short(round: FaultyRound) -> None:
    """The Dealer lacks a card, and nobody notices."""
    drawn, _ = list(round.script.each(e.CardDrawn))[-1]
    seen, _ = _last_seen(round)
    round.script.drop(drawn)
    round.script.drop(seen)


def misplace(*, missed: bool, handled: bool) -> Hook:
    """A packet goes to an empty box, or a box gets none."""

    def deal(round: FaultyRound) -> None:
        script, play = round.script, _play(round)
        betting.close(script)
        hands = boxes(script)[:-1] if missed else [*boxes(script), EMPTY]
        play.give(script, dict.fromkeys((*hands, game.DEALER), game.FULL))
        if handled:
            handle(script)
            show(script)
        kind = "no_cards_to_box" if missed else "cards_to_empty_box"
        round.subject = boxes(script)[-1] if missed else EMPTY
        script.say("console", e.IrregularityReported(kind, subject=round.subject), 800, 1_500)
        if missed and not handled:
            play.give(script, {game.NEXT: game.FULL})
        if not handled:
            handle(script)  # packets that were moved are lost to the camera

    return deal


def a_niu_wins(round: FaultyRound) -> bool:
    """Some box wins with a Niu."""
    return _niu_winner(round) is not None


def misjudge(round: FaultyRound) -> None:
    """A winning Niu is called No Hand and its wagers are taken."""
    first = _niu_winner(round)
    assert first is not None
    round.subject = first.wager_id
    for act, called in round.script.each(e.ResultCalled):
        if called.box == first.box:
            act.payload = replace(called, result="NO_HAND")
    for due in round.judged.dues:
        if due.box == first.box and due.outcome == "win":
            back = due.reserve_returned
            money.pay(round, due, paid=0, commission=0, collected=due.stake, returned=back)


def damage(round: FaultyRound) -> None:
    """A player bends a card."""
    report = e.IrregularityReported("card_damaged", "NN:7.9")
    round.script.say("console", report, 800, 1_500)


def _niu_winner(round: FaultyRound) -> Due | None:
    facts = round.judged.ruled.facts
    winners = (due for due in round.judged.dues if due.outcome == "win")
    return next((due for due in winners if f"{due.box} shows NO_HAND" not in facts), None)


def _last_seen(round: FaultyRound) -> tuple[Act, e.CardsObserved]:
    return list(round.script.each(e.CardsObserved))[-1]


def _play(round: FaultyRound) -> Play:
    return cast("Play", round.play)


CARDS = (
    SeededFault("INT-06/unread", "nobody can read a card", disturb=read_nothing),
    SeededFault("INT-07", "a card comes in after the round", disturb=read_late, finish=arrive_late),
    SeededFault("INT-10", "the camera is covered", finish=cover_the_camera),
    SeededFault("REC-01", "the camera sees another card", disturb=see_another),
    SeededFault("REC-05", "a card that never left the device", disturb=see_a_stranger),
    SeededFault("REC-06", "a card that nobody saw", disturb=overlook),
    SeededFault(
        "DEAL-02",
        "a box gets four cards, nothing was handled",
        deal=miscount(True, handled=False, void="NN:7.4"),
    ),
    SeededFault(
        "DEAL-02/handled",
        "a box gets four cards, others were handled",
        deal=miscount(True, handled=True, void=""),
    ),
    SeededFault(
        "DEAL-02/dealer",
        "the Dealer gets four cards",
        deal=miscount(False, handled=True, void="NN:7.5"),
    ),
    SeededFault(
        "DEAL-02/settled",
        "the Dealer holds four cards and the round is settled",
        also=SETTLED,
        disturb=stop_short,
        settle=money.take_the_result,
    ),
    SeededFault(
        "IRR-04/handled",
        "all is voided where one hand is",
        also=("DEAL-02", "PAY-02", "PAY-03", "PAY-06"),
        deal=miscount(True, handled=True, void=""),
        needs=money.a_loser,
        settle=record.void_for_nothing,
    ),
    SeededFault("DEAL-03", "an empty box is dealt in", deal=misplace(missed=False, handled=False)),
    SeededFault(
        "DEAL-03/handled",
        "an empty box is dealt in and cards were handled",
        deal=misplace(missed=False, handled=True),
    ),
    SeededFault("DEAL-03/missed", "a box gets no cards", deal=misplace(missed=True, handled=False)),
    SeededFault(
        "DEAL-03/returned",
        "a box gets no cards and others were handled",
        deal=misplace(missed=True, handled=True),
    ),
    SeededFault("DEAL-05", "a card is out before no more bets", disturb=deal_early),
    SeededFault(
        "DEAL-10",
        "a hand is called too low and settled by that",
        also=("PAY-02",),
        needs=a_niu_wins,
        settle=misjudge,
    ),
    SeededFault("DEAL-11", "a card is damaged", disturb=damage),
    SeededFault(
        "SHOE-01",
        "a card comes twice and the round is settled",
        also=("PAY-08", "REC-09"),
        disturb=deal_twice,
        settle=money.take_the_result,
    ),
)
