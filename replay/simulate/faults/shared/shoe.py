"""What can go wrong on purpose with the cards of a shoe: hooks and faults that games share."""

from collections.abc import Callable
from dataclasses import replace

from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.faults.shared import bets, money
from replay.simulate.faults.shared.shaking import cover_the_camera
from replay.simulate.play.shared.shoe_table import ShoeTable
from replay.simulate.script import Act
from schemas import events as e


def table(round: FaultyRound) -> ShoeTable:
    """The shoe as this round finds it."""
    play = round.play
    assert isinstance(play, ShoeTable)
    return play


def last(round: FaultyRound) -> tuple[Act, Act]:
    """The last card, as the shoe and as the camera saw it."""
    drawn = [act for act, _ in round.script.each(e.CardDrawn)]
    seen = [act for act, _ in round.script.each(e.CardsObserved)]
    return drawn[-1], seen[-1]


def see_another(round: FaultyRound) -> None:
    """The camera is sure of another card than the shoe gave."""
    act, seen = round.script.first(e.CardsObserved)
    other = "9C" if seen.guesses[0].seen != "9C" else "4D"
    act.payload = replace(seen, guesses=(e.Guess(other, 0.98),))
    round.subject = f"{seen.zone} card {seen.slot}"


def switch(round: FaultyRound) -> None:
    """Another card lies on the table than left the shoe: camera and dealer both see it."""
    see_another(round)
    act, seen = round.script.first(e.CardsObserved)
    placed = e.CardPlaced(seen.zone, seen.slot, seen.guesses[0].seen)
    round.script.say("console", placed).at = act.at + 200_000
    round.script.sort()


def smudge(round: FaultyRound) -> None:
    """The camera is sure that every nine of hearts is the six."""
    round.subject = ""
    for act, seen in round.script.each(e.CardsObserved):
        if seen.guesses[0].seen == "9H":
            act.payload = replace(seen, guesses=(e.Guess("6H", 0.98),))
            round.subject = f"{seen.zone} card {seen.slot}"


def fresh_cards(round: FaultyRound) -> None:
    """A shoe with all its nines; a deck is shuffled for every round anyway."""
    if table(round).decks > 1:
        another_shoe(round)


def smudged(round: FaultyRound) -> bool:
    """There was one."""
    return round.subject != ""


def see_a_stranger(round: FaultyRound) -> None:
    """The camera sees one card more on the first hand, which never left the shoe."""
    _, first = round.script.first(e.CardDrawn)
    slot = 1 + sum(drawn.hand == first.hand for _, drawn in round.script.each(e.CardDrawn))
    seen = e.CardsObserved(first.hand, slot, (e.Guess("5H", 0.98),), round.script.clock // 40_000)
    round.script.say("camera", seen)
    round.subject = f"{first.hand} card {slot}"


def overlook(round: FaultyRound) -> None:
    """The camera never sees one of the cards."""
    act, seen = list(round.script.each(e.CardsObserved))[-1]
    round.script.drop(act)
    round.subject = f"{seen.zone} card {seen.slot}"


def read_nothing(round: FaultyRound) -> None:
    """Neither shoe nor camera can read a card."""
    read_late(round)
    _, eye = last(round)
    assert isinstance(eye.payload, e.CardsObserved)
    unsure = replace(eye.payload.guesses[0], probability=0.4)
    eye.payload = replace(eye.payload, guesses=(unsure,))


def read_late(round: FaultyRound) -> None:
    """The shoe cannot read the last card."""
    drawn, _ = last(round)
    assert isinstance(drawn.payload, e.CardDrawn)
    drawn.payload = replace(drawn.payload, card=None)


def pass_one_unread(round: FaultyRound) -> None:
    """A card leaves the shoe before the last one, and no device reads it."""
    drawn, _ = last(round)
    assert isinstance(drawn.payload, e.CardDrawn)
    drawn.payload = replace(drawn.payload, position=drawn.payload.position + 1)
    table(round).out += 1


def arrive_late(round: FaultyRound) -> None:
    """The camera's reading of the last card comes in when the round is closed already."""
    closing, _ = round.script.first(e.RoundClosed)
    _, seen = last(round)
    seen.late_us = closing.at - seen.at + 1_200_000


def say(result: str, shown_by: str) -> Hook:
    """The dealer or the board gives another result than the cards."""

    def tell(round: FaultyRound) -> None:
        for act, said in round.script.each(e.ResultCalled):
            if said.shown_by == shown_by and not said.box:
                act.payload = replace(said, result=result)

    return tell


def call_another_score(round: FaultyRound) -> None:
    """The dealer names the right side with another score."""
    for act, said in round.script.each(e.ResultCalled):
        if said.shown_by == "dealer":
            side, won, *lost = said.result.split()
            act.payload = replace(said, result=" ".join((side, str(int(won) + 1), *lost)))


def never(result: str) -> Callable[[FaultyRound], bool]:
    """The round ends otherwise than this."""

    def otherwise(round: FaultyRound) -> bool:
        derived = round.judged.ruled.result
        return derived != "" and not f"{derived} ".startswith(f"{result} ")

    return otherwise


def cross(round: FaultyRound) -> None:
    """The first two cards go to each other's hands."""
    drawn = [act for act, _ in round.script.each(e.CardDrawn)][:2]
    seen = [act for act, _ in round.script.each(e.CardsObserved)][:2]
    for acts in (drawn, seen):
        one, two = acts[0].payload, acts[1].payload
        if isinstance(one, e.CardDrawn) and isinstance(two, e.CardDrawn):
            acts[0].payload = replace(one, hand=two.hand)
            acts[1].payload = replace(two, hand=one.hand)
        if isinstance(one, e.CardsObserved) and isinstance(two, e.CardsObserved):
            acts[0].payload = replace(one, zone=two.zone)
            acts[1].payload = replace(two, zone=one.zone)


def raises(code: str) -> Callable[[FaultyRound], bool]:
    """The rules remark on this and on nothing else, the round is settled, the shoe goes on."""

    def just(round: FaultyRound) -> bool:
        flags = {flag.code for flag in round.judged.flags}
        settled = round.judged.ruled.status == "settled"
        return settled and flags == {code} and not table(round).finished

    return just


def deal_early(round: FaultyRound) -> None:
    """The first card is out before no more bets."""
    closed, _ = round.script.first(e.BettingClosed)
    drawn, _ = round.script.first(e.CardDrawn)
    seen, _ = round.script.first(e.CardsObserved)
    drawn.at, seen.at = closed.at - 1_500_000, closed.at - 1_200_000
    burned = [act for act, _ in round.script.each(e.CardsBurned) if act.at > drawn.at]
    for act in burned:
        act.at = drawn.at - 300_000
    round.script.sort()


def another_shoe(round: FaultyRound) -> None:
    """Another shoe comes before the round, or after it."""
    table(round).finished = True


def miscount(round: FaultyRound) -> None:
    """A card less is found in the shoe that is taken out than should be there."""
    act, removed = round.pause.first(e.ShoeRemoved)
    assert removed.cards_left is not None
    act.payload = replace(removed, cards_left=removed.cards_left - 1)
    round.subject = removed.shoe_id


def jam(round: FaultyRound) -> None:
    """The shoe jams, and nobody takes notice of it."""
    round.script.say("shoe", e.DeviceJammed("E4"), 800, 1_500)


def a_settled_round(round: FaultyRound) -> bool:
    """The rules settle the round."""
    return round.judged.ruled.status == "settled"


def burn_one_more(round: FaultyRound) -> None:
    """One card too many is burned for the shoe."""
    act, burn = round.pause.first(e.CardsBurned)
    act.payload = replace(burn, count=burn.count + 1)
    table(round).out += 1
    round.subject = table(round).shoe_id


def forget_the_burn(round: FaultyRound) -> None:
    """The burn of the shoe is forgotten."""
    act, _ = round.pause.first(e.CardsBurned)
    round.pause.drop(act)
    table(round).out = 0
    round.subject = table(round).shoe_id


def load_six_decks(round: FaultyRound) -> None:
    """The shoe is loaded with fewer decks than the game has."""
    act, loaded = round.pause.first(e.ShoeLoaded)
    act.payload = replace(loaded, decks=6)
    round.subject = table(round).shoe_id


def turn_no_card(round: FaultyRound) -> None:
    """The cards of the shoe's burn are counted without one turned over."""
    act, burn = round.pause.first(e.CardsBurned)
    act.payload = replace(burn, first_card=None)
    round.subject = table(round).shoe_id


def cut_another(round: FaultyRound) -> None:
    """The cut card that comes out is said to be that of another shoe."""
    round.script.say("shoe", e.CutCardReached("elsewhere"))
    round.subject = "elsewhere"


def burn_in_mid_shoe(round: FaultyRound) -> None:
    """A card is turned over and burned between two rounds."""
    play = table(round)
    first = play.order[play.out]
    round.pause.say("shoe", e.CardsBurned(0, first), 3_000, 5_000)
    play.out += 1
    round.subject = play.shoe_id


def burn_none_before(round: FaultyRound) -> None:
    """The burn of the round is forgotten."""
    act, _ = round.script.first(e.CardsBurned)
    round.script.drop(act)


def burn_two_before(round: FaultyRound) -> None:
    """Two cards are burned before the round."""
    act, burn = round.script.first(e.CardsBurned)
    act.payload = replace(burn, count=2)


def cut_here(round: FaultyRound) -> None:
    """The cut card comes out in this round."""
    table(round).cut_at = 0


def deal_on(round: FaultyRound) -> None:
    """The shoe is not changed although its last round is over."""
    play = table(round)
    play.finished, play.cut_at = False, len(play.order)


def stack(round: FaultyRound) -> None:
    """From here on the shoe holds one card only."""
    play = table(round)
    code = "KS" if play.order[0] != "KS" else "KD"
    play.order = play.order[: play.out] + [code] * (len(play.order) - play.out)


def declare_void(round: FaultyRound) -> None:
    """Only one card is dealt, and the round is rightly void."""
    drawn = [act for act, _ in round.script.each(e.CardDrawn)]
    seen = [act for act, _ in round.script.each(e.CardsObserved)]
    for act in (*drawn[1:], *seen[1:]):
        round.script.drop(act)
    table(round).out -= len(drawn) - 1
    round.script.say("console", e.RoundVoided(reason="the shoe jammed"), 4_000, 6_000)


def take_anyway(round: FaultyRound) -> None:
    """A stake that must go back is collected."""
    due = money.picked(round, "returned")
    money.pay(round, due, collected=due.stake, returned=due.reserve_returned)


def report_a_foreign_card(round: FaultyRound) -> None:
    """Somebody reports a card that is not of the decks, and the round goes on."""
    report = e.IrregularityReported("foreign_card", note="another back")
    round.script.say("console", report, 2_000, 4_000)


def rule_on_something(round: FaultyRound) -> None:
    """A ruling where the rules ask for none."""
    clause = f"{round.table.terms.game}:2"  # the log refuses a ruling that names no clause
    ruling = e.RulingMade(clause, "continue", "pit_manager")
    round.script.say("console", ruling, 2_000, 4_000)


def keep_a_stake(round: FaultyRound) -> None:
    """A stake that must go back stays on the table and nobody enters it."""
    act, paid = list(round.script.each(e.WagerSettled))[-1]
    round.script.drop(act)
    round.subject = paid.wager_id
    round.costs(paid.wager_id, -paid.returned)


PLAIN = SeededFault("", "")
CUT = SeededFault("", "", pause=cut_here)
NEW_STACKED = SeededFault("", "", before=another_shoe, pause=stack)
UNREAD = SeededFault(
    "INT-06/passed",
    "a card leaves the shoe unread",
    disturb=pass_one_unread,
    needs=raises("CARD_NOT_READ"),
)


ADDED_UP = (
    SeededFault("SHOE-02", "a card is missing from the shoe", before=another_shoe,
                pause=miscount, of_table=True),
    SeededFault("SHOE-07", "the shoe jams and nobody cares", disturb=jam,
                needs=a_settled_round),
)  # fmt: skip
SMUDGED = SeededFault(
    "REC-01/smudged",
    "the camera takes a nine for a six",
    disturb=smudge,
    needs=smudged,
    tries=4_000,  # the last of eight nines of hearts may lie deep in a shoe
)
UNRULED = (
    SeededFault("SHOE-01/reported", "a foreign card is reported and the round settled",
                disturb=report_a_foreign_card, needs=raises("FOREIGN_CARD")),
    SeededFault("INT-06/ruling", "a ruling where nobody rules", disturb=rule_on_something,
                needs=raises("WORD_UNKNOWN")),
)  # fmt: skip
WITNESSES = (
    SeededFault("REC-01", "the camera sees another card", disturb=see_another),
    SeededFault("REC-01/switched", "a card is switched on its way", ("REC-02",), disturb=switch),
    SeededFault("REC-08", "a camera takes nines for sixes", of_table=True,
                lead=(SMUDGED._replace(before=fresh_cards), *(SMUDGED,) * 5)),
)  # fmt: skip


def faults(bet: str, nowhere: str, other: str, rounds_of_one_card: int) -> tuple[SeededFault, ...]:
    """The faults of a game: by one of its bets, a bet it has not, a result, and a stacked shoe."""
    lead = (NEW_STACKED, *(PLAIN for _ in range(rounds_of_one_card - 1)))
    copies = SeededFault(
        "SHOE-01", "more copies than the decks hold", ("REC-09",), finish=another_shoe
    )
    if rounds_of_one_card:
        copies = copies._replace(lead=lead)
    else:
        copies = copies._replace(before=another_shoe, pause=stack)
    return (
        SeededFault("INT-06/unread", "nobody can read a card", disturb=read_nothing),
        UNREAD,
        SeededFault("INT-07", "a card comes in after the round", disturb=read_late,
                    finish=arrive_late),
        SeededFault("INT-10", "the camera is covered", finish=cover_the_camera),
        *WITNESSES,
        SeededFault("REC-03", "another result is entered", needs=never(other), settle=say(other,
                    "dealer")),
        SeededFault("REC-04", "the board shows another result", needs=never(other),
                    settle=say(other, "board")),
        SeededFault("REC-05", "a card that never left the shoe", disturb=see_a_stranger),
        SeededFault("REC-06", "a card that nobody saw", disturb=overlook),
        SeededFault("REC-07", "two cards are crossed", disturb=cross, needs=raises("DEAL_ORDER")),
        SeededFault("DEAL-04", "one card too many is burned", before=another_shoe,
                    pause=burn_one_more),
        SeededFault("DEAL-04/missing", "the burn is forgotten", before=another_shoe,
                    pause=forget_the_burn),
        SeededFault("DEAL-04/mid_shoe", "a card is turned over in mid-shoe", lead=(PLAIN,),
                    pause=burn_in_mid_shoe),
        SeededFault("DEAL-05", "a card is out before no more bets", disturb=deal_early),
        SeededFault("DEAL-07", "a round after the cut card's", lead=(CUT,), before=deal_on,
                    finish=another_shoe),
        SeededFault("DEAL-07/another", "another shoe's cut card", disturb=cut_another,
                    finish=another_shoe),
        copies,
        copies._replace(name="REC-09", also=("SHOE-01",)),
        *ADDED_UP,
        SeededFault("SHOE-01/decks", "a shoe of six decks", before=another_shoe,
                    pause=load_six_decks),
        *bets.late(bet),
        *bets.unclosed(bet),
        SeededFault("BET-06", "a wager above the maximum", bets=bets.bet_above(bet)),
        SeededFault("BET-20", "a bet that is not offered", bets=bets.bet_on(nowhere)),
        SeededFault("IRR-02/withdrawal", "a wager is to be taken back", disturb=bets.take_back),
        *UNRULED,
        SeededFault("PAY-08", "a void stake is collected", disturb=declare_void,
                    settle=take_anyway),
        SeededFault("INT-06/kept", "a void stake is kept", disturb=declare_void,
                    settle=keep_a_stake),
    )  # fmt: skip


SCORE = SeededFault("REC-03/score", "the right side with another score", settle=call_another_score)
UNTURNED = SeededFault(
    "DEAL-04/unturned",
    "no card is turned over for the burn",
    before=another_shoe,
    pause=turn_no_card,
)
ROUND_BURN = (
    SeededFault("DEAL-04/round", "no card is burned before the round", disturb=burn_none_before),
    SeededFault("DEAL-04/two", "two cards are burned before the round", disturb=burn_two_before),
)
