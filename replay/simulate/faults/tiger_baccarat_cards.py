"""What can go wrong on purpose with the cards and the shoe of a Tiger Baccarat table."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.faults.shared import shoe
from replay.simulate.play.tiger_baccarat import Play
from replay.simulate.script import Act
from schemas import events as e

OTHER = {"player": "banker", "banker": "player"}


def see_another(round: FaultyRound) -> None:
    """The camera is sure of another card than the shoe gave."""
    act, seen = round.script.first(e.CardsObserved)
    code = seen.guesses[0].seen
    other = "9C" if code != "9C" else "4D"
    act.payload = replace(seen, guesses=(e.Guess(other, 0.98),))
    round.subject = f"{seen.zone} card {seen.slot}"


def see_a_stranger(round: FaultyRound) -> None:
    """The camera sees a third card on Player that never left the shoe."""
    script = round.script
    stranger = e.CardsObserved("player", 3, (e.Guess("5H", 0.98),), script.clock // 40_000)
    script.say("camera", stranger)
    round.subject = "player card 3"


def overlook(round: FaultyRound) -> None:
    """The camera never sees one of the cards."""
    act, seen = list(round.script.each(e.CardsObserved))[-1]
    round.script.drop(act)
    round.subject = f"{seen.zone} card {seen.slot}"


def read_nothing(round: FaultyRound) -> None:
    """Neither shoe nor camera can read a card."""
    drawn, seen = _last(round)
    _blank(drawn)
    assert isinstance(seen.payload, e.CardsObserved)
    code = seen.payload.guesses[0].seen
    seen.payload = replace(seen.payload, guesses=(e.Guess(code, 0.4),))


def read_late(round: FaultyRound) -> None:
    """The shoe cannot read the last card."""
    drawn, _ = _last(round)
    _blank(drawn)


def arrive_late(round: FaultyRound) -> None:
    """The camera's reading of the last card comes in when the round is closed already."""
    closing, _ = round.script.first(e.RoundClosed)
    _, seen = _last(round)
    seen.late_us = closing.at - seen.at + 1_200_000


def cover_the_camera(round: FaultyRound) -> None:
    """Something covers the camera in an open round."""
    opened, _ = round.script.first(e.BettingOpened)
    round.script.insert(opened, "camera", e.CameraDisturbed("covered", 0.3))


def call_another(round: FaultyRound) -> None:
    """The dealer calls another result than the cards show."""
    _say_another(round, "dealer")


def light_another(round: FaultyRound) -> None:
    """The shoe lights up for another result."""
    _say_another(round, "shoe")


def cross(round: FaultyRound) -> None:
    """The second and the third card go to the wrong hands."""
    drawn = [act for act, _ in round.script.each(e.CardDrawn)]
    seen = [act for act, _ in round.script.each(e.CardsObserved)]
    for n, hand, slot in ((1, "player", 2), (2, "banker", 1), (3, "banker", 2)):
        _put(drawn[n], seen[n], hand, slot)


def deal_early(round: FaultyRound) -> None:
    """The first card is out before no more bets."""
    closed, _ = round.script.first(e.BettingClosed)
    drawn, _ = round.script.first(e.CardDrawn)
    seen, _ = round.script.first(e.CardsObserved)
    drawn.at, seen.at = closed.at - 1_500_000, closed.at - 1_200_000
    round.script.sort()


def give_one_more(hand: str) -> Hook:
    """A card too many on a hand; it opens the next hand, which is free (TB:7.6, 7.7)."""

    def give(round: FaultyRound) -> None:
        play, held = _play(round), [drawn.hand for _, drawn in round.script.each(e.CardDrawn)]
        card = play.draw(round.script, hand, held.count(hand) + 1)
        play.free_next(card, drawn=True)

    return give


def give_to_player(round: FaultyRound) -> None:
    """Banker's third card is put on Player, who stands."""
    drawn, seen = _last(round)
    _put(drawn, seen, "player", 3)


def stop_short(round: FaultyRound) -> None:
    """The last card is not drawn."""
    for act in _last(round):
        round.script.drop(act)
    _play(round).out -= 1


def new_shoe(round: FaultyRound) -> None:
    """Another shoe comes before the round."""
    _play(round).finished = True


def burn_one_more(round: FaultyRound) -> None:
    """One card too many is burned."""
    act, burn = round.pause.first(e.CardsBurned)
    act.payload = replace(burn, count=burn.count + 1)
    _play(round).out += 1
    round.subject = _play(round).shoe_id


def forget_the_burn(round: FaultyRound) -> None:
    """The burn is forgotten."""
    act, _ = round.pause.first(e.CardsBurned)
    round.pause.drop(act)
    _play(round).out = 0
    round.subject = _play(round).shoe_id


def offer_new_cards(round: FaultyRound) -> None:
    """The players are offered new cards (TB:7.11.2.1)."""
    person = round.table.staff.person("pit_manager")
    offer = e.RulingMade("TB:7.11.2.1", "offered", "pit_manager", person)
    round.script.say("console", offer, 5_000, 9_000)


def change_shoe(round: FaultyRound) -> None:
    """Another shoe comes after the round."""
    _play(round).finished = True


def load_unshuffled(round: FaultyRound) -> None:
    """The cards are loaded as they came."""
    round.pause.drop(round.pause.first(e.CardsShuffled)[0])
    act, load = round.pause.first(e.ShoeLoaded)
    act.payload = replace(load, shuffled=False)


def find_a_foreign_card(round: FaultyRound) -> None:
    """A card of other decks is found in the hand."""
    found = e.IrregularityReported("foreign_card", "TB:7.1")
    round.script.say("console", found, 800, 1_500)


def fill_short(round: FaultyRound) -> None:
    """The shoe turns out to hold three more cards and no more."""
    play = _play(round)
    play.order = play.order[: play.out + 3]


def record_it_settled(round: FaultyRound) -> None:
    """The void round is recorded as settled, though every stake goes back."""
    round.status = "settled"


def cut_here(round: FaultyRound) -> None:
    """The cut card comes out in this hand."""
    _play(round).cut_at = 0


def deal_on(round: FaultyRound) -> None:
    """The shoe is not changed although its last hand is over."""
    play = _play(round)
    play.finished = play.last_hand = False


def raises(code: str) -> Callable[[FaultyRound], bool]:
    """The rules remark on this and on nothing else, and the shoe goes on."""

    def just(round: FaultyRound) -> bool:
        flags = {flag.code for flag in round.judged.flags}
        return flags == {code} and not round.play.finished

    return just


def player_stands(round: FaultyRound) -> bool:
    """Player has two cards."""
    return [drawn.hand for _, drawn in round.script.each(e.CardDrawn)].count("player") == 2


def _last(round: FaultyRound) -> tuple[Act, Act]:
    """The last card, as the shoe and as the camera saw it."""
    drawn = [act for act, _ in round.script.each(e.CardDrawn)]
    seen = [act for act, _ in round.script.each(e.CardsObserved)]
    return drawn[-1], seen[-1]


def _blank(act: Act) -> None:
    assert isinstance(act.payload, e.CardDrawn)
    act.payload = replace(act.payload, card=None)


def _put(drawn: Act, seen: Act, hand: str, slot: int) -> None:
    assert isinstance(drawn.payload, e.CardDrawn)
    assert isinstance(seen.payload, e.CardsObserved)
    drawn.payload = replace(drawn.payload, hand=hand)
    seen.payload = replace(seen.payload, zone=hand, slot=slot)


def _say_another(round: FaultyRound, shown_by: str) -> None:
    for act, said in round.script.each(e.ResultCalled):
        if said.shown_by == shown_by:
            act.payload = e.ResultCalled(OTHER.get(said.result, "banker"), shown_by)


def _play(round: FaultyRound) -> Play:
    return cast("Play", round.play)


UNBURNED = SeededFault(
    "DEAL-04/missing",
    "the burn is forgotten",
    before=new_shoe,
    pause=forget_the_burn,
    settle=offer_new_cards,
)
CUT = SeededFault("", "", before=cut_here, needs=lambda round: not round.play.finished)
PLAIN = SeededFault("", "")

CARDS = (
    SeededFault("INT-06/unread", "nobody can read a card", disturb=read_nothing),
    SeededFault("INT-07", "a card comes in after the round", disturb=read_late, finish=arrive_late),
    SeededFault("INT-10", "the camera is covered", finish=cover_the_camera),
    SeededFault("REC-01", "the camera sees another card", disturb=see_another),
    SeededFault("REC-03", "the dealer calls another result", settle=call_another),
    SeededFault("REC-04", "the shoe shows another result", settle=light_another),
    SeededFault(
        "REC-05", "a card that never left the shoe", disturb=see_a_stranger, needs=player_stands
    ),
    SeededFault("REC-06", "a card that nobody saw", disturb=overlook),
    SeededFault("REC-07", "two cards are crossed", disturb=cross, needs=raises("WRONG_ORDER")),
    SeededFault(
        "DEAL-01",
        "Player is given a card too many",
        disturb=give_one_more("player"),
        needs=raises("UNDUE_PLAYER_CARD"),
        lasts=2,
    ),
    SeededFault(
        "DEAL-01/banker",
        "Banker is given a card too many",
        disturb=give_one_more("banker"),
        needs=raises("UNDUE_BANKER_CARD"),
        lasts=2,
    ),
    SeededFault(
        "DEAL-01/used",
        "Banker's third card is put on Player",
        disturb=give_to_player,
        needs=raises("UNDUE_THIRD_CARD_USED_BY_BANKER"),
    ),
    SeededFault(
        "DEAL-01/short",
        "the last card is not drawn",
        disturb=stop_short,
        needs=raises("HAND_INCOMPLETE"),
    ),
    SeededFault("DEAL-04", "one card too many is burned", before=new_shoe, pause=burn_one_more),
    UNBURNED._replace(finish=change_shoe),
    SeededFault("DEAL-05", "a card is out before no more bets", disturb=deal_early),
    SeededFault(
        "DEAL-07",
        "a hand is dealt after the last hand",
        lead=(CUT, PLAIN),
        before=deal_on,
        finish=change_shoe,
    ),
    SeededFault(
        "DEAL-14",
        "the shoe runs empty and the round is not void",
        also=("SHOE-02",),
        pause=fill_short,
        settle=record_it_settled,
        finish=change_shoe,
    ),
    *shoe.ADDED_UP,
    SeededFault(
        "SHOE-01",
        "an unshuffled shoe is dealt from",
        before=new_shoe,
        pause=load_unshuffled,
        settle=record_it_settled,
        finish=change_shoe,
    ),
    SeededFault(
        "SHOE-01/foreign",
        "a foreign card is found and the round stands",
        disturb=find_a_foreign_card,
        settle=record_it_settled,
        finish=change_shoe,
    ),
    SeededFault(
        "IRR-01/option",
        "new cards are not offered after a hand without burn",
        also=("DEAL-04",),
        before=new_shoe,
        pause=forget_the_burn,
        finish=change_shoe,
    ),
    SeededFault(
        "IRR-02/shoe",
        "a shoe that had to be played out is taken away",
        lead=(UNBURNED, PLAIN),
        before=change_shoe,
    ),
)
