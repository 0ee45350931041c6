"""What can go wrong on purpose with the cards of a Texas Hold'em Bonus table."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from replay.games import holdem_bonus as game
from replay.games.holdem_bonus import COMMUNITY, DEALER
from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.faults.shared import record
from replay.simulate.faults.shared.money import nobody_is_short, take_the_result
from replay.simulate.play.holdem_bonus import Play, boxes, face_one, own_dealing
from replay.simulate.play.shared.box_table import ruled
from replay.simulate.script import BESIDE_MS, Act
from schemas import events as e

SETTLED = ("IRR-04", "PAY-08")  # what speaks when a void round is settled all the same


def see_another(round: FaultyRound) -> None:
    """The camera is sure of another card than the shoe gave."""
    act, seen = _last_seen(round)
    act.payload = replace(seen, guesses=(e.Guess(_unused(round), 0.98),))
    round.subject = f"{seen.zone} card {seen.slot}"


def see_a_stranger(round: FaultyRound) -> None:
    """The camera sees a third card before the Dealer that never left the shoe."""
    guess, frame = e.Guess(_unused(round), 0.98), round.script.clock // 40_000
    round.script.say("camera", e.CardsObserved(DEALER, 3, (guess,), frame))
    round.subject = f"{DEALER} card 3"


def overlook(round: FaultyRound) -> None:
    """The camera never sees one of the community cards."""
    act, seen = round.script.first(e.CardsObserved)
    round.script.drop(act)
    round.subject = f"{seen.zone} card {seen.slot}"


def read_late(round: FaultyRound) -> None:
    """The shoe cannot read the last card."""
    act, drawn = _draws(round)[-1]
    act.payload = replace(drawn, card=None)


def read_nothing(round: FaultyRound) -> None:
    """Neither shoe nor camera can read the last card."""
    read_late(round)
    act, seen = _seen(round, DEALER)[-1]
    act.payload = replace(seen, guesses=(replace(seen.guesses[0], probability=0.4),))


def arrive_late(round: FaultyRound) -> None:
    """The camera's reading of the last card comes in when the round is closed already."""
    closing, _ = round.script.first(e.RoundClosed)
    act, _ = _seen(round, DEALER)[-1]
    act.late_us = closing.at - act.at + 1_200_000


def cover_the_camera(round: FaultyRound) -> None:
    """Something covers the camera in an open round."""
    opened, _ = round.script.first(e.BettingOpened)
    round.script.insert(opened, "camera", e.CameraDisturbed("covered", 0.3))


def deal_early(round: FaultyRound) -> None:
    """The burnt card is out before no more bets."""
    closed, _ = round.script.first(e.BettingClosed)
    drawn, _ = round.script.first(e.CardDrawn)
    drawn.at = closed.at - 1_500_000
    round.script.sort()


def deal_twice(round: FaultyRound) -> None:
    """A card that lies on the board comes a second time, to the Dealer."""
    first = next(drawn for _, drawn in _draws(round) if drawn.hand == COMMUNITY)
    act, drawn = _draws(round)[-1]
    act.payload = replace(drawn, card=first.card)
    seen_act, seen = _seen(round, DEALER)[-1]
    seen_act.payload = replace(seen, guesses=(replace(seen.guesses[0], seen=str(first.card)),))


def one_more(area: str) -> Hook:
    """A card too many goes to the first box or to the board, after its last one."""

    def give(round: FaultyRound) -> None:
        hand = area or boxes(round.script)[0]
        extra = e.CardDrawn(0, hand, _unused(round), exposed=False)
        last, _ = [(act, drawn) for act, drawn in _draws(round) if drawn.hand == hand][-1]
        round.script.insert(last, "shoe", extra)
        _number(round)
        round.subject = hand

    return give


def a_flop_of_four(round: FaultyRound) -> None:
    """A fourth card comes with the flop and is noticed: it is the next burnt card (TH:7.4)."""
    draws = _draws(round)
    flop, _ = [at for at in draws if at[1].hand == COMMUNITY][2]
    burn, drawn = draws[draws.index(next(at for at in draws if at[0] is flop)) + 1]
    burn.payload, burn.at = replace(drawn, hand=COMMUNITY), flop.at + BESIDE_MS * 1_000
    round.script.insert(burn, "console", e.IrregularityReported("community_count", "TH:7.4"))


def reported(kind: str, clause: str, void: bool = False) -> Hook:
    """Somebody notices it before the round is over, and voids the round where that is due."""

    def tell(round: FaultyRound) -> None:
        report = e.IrregularityReported(kind, clause, round.subject)
        round.script.say("console", report, 800, 1_500)
        if void:
            round.script.say("console", e.RoundVoided(clause, kind), 800, 1_500)

    return tell


def both(*hooks: Hook) -> Hook:
    """One thing after the other."""

    def each(round: FaultyRound) -> None:
        for hook in hooks:
            hook(round)

    return each


def from_the_shoe(round: FaultyRound) -> None:
    """The table's device is away for this round, and a card shoe takes its place."""
    _deal_from(round, game.SHOE)


def as_usual(round: FaultyRound) -> None:
    """The next round is dealt as the table always does."""
    _deal_from(round, own_dealing(round.table.setup.table_id))


def forget_the_burn(round: FaultyRound) -> None:
    """The first card is not burned but taken back, and everybody looks."""
    act, _ = _draws(round)[0]
    round.script.drop(act)
    _number(round)


def burn_in_retrospect(round: FaultyRound) -> None:
    """The first card went to a box; it is noticed and put right before anybody looks."""
    names = boxes(round.script)
    hole = game.order(game.SHOE, names)[1 : 1 + 2 * len(names)]
    _put(round, (*hole, names[-1]))
    _notice(round, len(hole), "burn_missed", "TH:7.8")


def cross_two_hands(round: FaultyRound) -> None:
    """The deal begins at the second box; it is noticed before anybody looks."""
    _notice(round, _turn_about(round), "misdealt", "TH:7.3")


def cross_and_look(round: FaultyRound) -> None:
    """The deal begins at the second box, players have looked, and the round is referred."""
    _turn_about(round)
    reported("misdealt", "TH:7.3")(round)
    ruled(_play(round), round.script, "TH:7.13", "void", "assistant_director")
    round.script.say("console", e.RoundVoided("TH:7.13", "misdealt"), 800, 1_500)


def face_two(round: FaultyRound) -> None:
    """Two cards are faced while they are dealt."""
    for act, drawn in _draws(round)[1:3]:
        round.script.insert(act, "console", e.CardExposed("hand", drawn.card, drawn.hand))


def face_a_card(round: FaultyRound) -> None:
    """One card is faced while it is dealt."""
    face_one(_play(round), round.script)


def count_short(round: FaultyRound) -> None:
    """The manual count finds a card too few."""
    reported("count_doubt", "TH:7.7")(round)
    count = e.RulingMade("TH:7.7", "counted", "dealer", value="51")
    round.script.say("console", count, 20_000, 40_000)


def change_the_deck(round: FaultyRound) -> None:
    """New cards come after the round (TH:7.2)."""
    _play(round).sets += 1


def two_boxes(round: FaultyRound) -> bool:
    """At least two boxes are dealt in."""
    return len(boxes(round.script)) > 1


def somebody_plays(round: FaultyRound) -> bool:
    """Some hand is compared with the Dealer's."""
    as_if = round.table.judged(round.undisturbed)
    return any(due.bet == "flop" for due in as_if.dues)


def _turn_about(round: FaultyRound) -> int:
    """The hands of the first two boxes go to each other; how many cards are out by then."""
    names, dealing = boxes(round.script), _play(round).dealing
    out = 2 * len(names) + (1 if dealing == game.SHOE else game.SIZES[COMMUNITY])
    _put(round, game.order(dealing, (names[1], names[0], *names[2:]))[:out])
    return out


def _deal_from(round: FaultyRound, dealing: str) -> None:
    """The table posts what it deals from, where that changes."""
    play = _play(round)
    if play.dealing != dealing:
        play.deal_from(dealing)
        round.table.terms, round.table.post_terms = play.terms, True


def _put(round: FaultyRound, areas: Sequence[str]) -> None:
    """The first cards go to these places; what was moved is lost to the camera."""
    for (act, drawn), area in zip(_draws(round), areas, strict=False):
        act.payload = replace(drawn, hand=area)
    for act, seen in list(round.script.each(e.CardsObserved)):
        if seen.zone not in (COMMUNITY, DEALER):
            round.script.drop(act)


def _notice(round: FaultyRound, after: int, kind: str, clause: str) -> None:
    act, _ = _draws(round)[after - 1]
    round.script.insert(act, "console", e.IrregularityReported(kind, clause))


def _number(round: FaultyRound) -> None:
    """Every card gets its place in the deck anew."""
    for place, (act, drawn) in enumerate(_draws(round), 1):
        act.payload = replace(drawn, position=place)


def _draws(round: FaultyRound) -> list[tuple[Act, e.CardDrawn]]:
    return list(round.script.each(e.CardDrawn))


def _seen(round: FaultyRound, zone: str) -> list[tuple[Act, e.CardsObserved]]:
    return [(act, seen) for act, seen in round.script.each(e.CardsObserved) if seen.zone == zone]


def _last_seen(round: FaultyRound) -> tuple[Act, e.CardsObserved]:
    return list(round.script.each(e.CardsObserved))[-1]


def _unused(round: FaultyRound) -> str:
    return _play(round).order[-1]


def _play(round: FaultyRound) -> Play:
    return cast("Play", round.play)


box_count, board_count = (
    reported("box_count", "TH:7.6"),
    reported("community_count", "TH:7.4", True),
)

CARDS = (
    SeededFault("INT-06/unread", "nobody can read a card", needs=somebody_plays,
                disturb=read_nothing),
    SeededFault("INT-07", "a card comes in after the round", needs=somebody_plays,
                disturb=read_late, finish=arrive_late),
    SeededFault("INT-10", "the camera is covered", finish=cover_the_camera),
    SeededFault("REC-01", "the camera sees another card", needs=somebody_plays,
                disturb=see_another),
    SeededFault("REC-05", "a card that never left the shoe", needs=somebody_plays,
                disturb=see_a_stranger),
    SeededFault("REC-06", "a card that nobody saw", before=from_the_shoe, disturb=overlook,
                finish=as_usual),
    SeededFault("REC-07", "the deal begins at the wrong box and is put right", needs=two_boxes,
                disturb=cross_two_hands),
    SeededFault("REC-07/handled", "a deal at the wrong box is void once cards were handled",
                needs=two_boxes, disturb=cross_and_look),
    SeededFault("DEAL-02", "a box holds three cards and is out", disturb=both(one_more(""),
                box_count)),
    SeededFault("DEAL-02/board", "six community cards, and the round is void",
                disturb=both(one_more(COMMUNITY), board_count)),
    # The shoe counts the card on the board that the camera sees laid aside.
    SeededFault("DEAL-02/flop", "a flop of four cards is put right", before=from_the_shoe,
                disturb=a_flop_of_four, finish=as_usual),
    SeededFault("DEAL-02/late", "a box holds three cards and nobody notices", disturb=one_more(""),
                settle=both(take_the_result, nobody_is_short)),
    SeededFault("DEAL-02/settled", "six community cards, noticed, and the round is settled",
                also=SETTLED, disturb=both(one_more(COMMUNITY), board_count),
                settle=take_the_result),
    SeededFault("DEAL-04", "a forgotten burn voids the round", before=from_the_shoe,
                disturb=both(forget_the_burn, reported("burn_missed", "TH:7.8", True)),
                finish=as_usual),
    SeededFault("DEAL-04/rebuilt", "a forgotten burn is put right", before=from_the_shoe,
                disturb=burn_in_retrospect, finish=as_usual),
    SeededFault("DEAL-05", "a card is out before no more bets", disturb=deal_early),
    SeededFault("SHOE-01", "a card comes twice and the round is settled", also=("PAY-08", "REC-09"),
                needs=somebody_plays, disturb=deal_twice, settle=take_the_result,
                finish=change_the_deck),
    SeededFault("IRR-04/exposed", "two cards are faced and the round is settled", also=("PAY-08",),
                needs=somebody_plays, disturb=face_two, settle=take_the_result),
    SeededFault("IRR-04/count", "a card is short and the round is settled", also=("PAY-08",),
                needs=somebody_plays, disturb=count_short, settle=take_the_result),
    SeededFault("IRR-04/faced", "a round is voided for one faced card", also=("PAY-02", "PAY-03"),
                disturb=face_a_card, needs=record.a_round_with_wagers,
                settle=record.void_for_nothing),
)  # fmt: skip
