"""What can go wrong on purpose at a Tiger Baccarat table: the cards, the shoe and the people."""

from typing import cast

from replay.settle import Due
from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.faults.shared import bets, money
from replay.simulate.faults.tiger_baccarat_cards import CARDS
from replay.simulate.play.tiger_baccarat import Play, misdealt, next_card_seen
from schemas import events as e


def with_commission(round: FaultyRound) -> bool:
    """A banker wager wins and owes commission."""
    return any(due.commission for due in round.judged.dues)


def back_banker(round: FaultyRound) -> None:
    """A newcomer bets on Banker."""
    bets.one_more(round, "banker", 1_000_000)


def forget_commission(round: FaultyRound) -> None:
    """The commission is not taken."""
    due = next(due for due in round.judged.dues if due.commission)
    round.subject = due.wager_id
    money.pay(round, due, paid=due.gross_win, commission=0)


def a_stand_off(round: FaultyRound) -> bool:
    """The hands tie and a main bet stands off."""
    return round.due("push") is not None


def take_the_stand_off(round: FaultyRound) -> None:
    """A stand-off is collected as if it had lost."""
    due = money.picked(round, "push")
    money.pay(round, due, collected=due.stake, returned=0)


def pay_the_stand_off(round: FaultyRound) -> None:
    """A stand-off is paid as if it had won."""
    due = money.picked(round, "push")
    money.pay(round, due, paid=due.stake)


def declare_void(round: FaultyRound) -> None:
    """The hand cannot be reconstructed and is rightly void."""
    misdealt(_play(round), round.script)


def take_anyway(round: FaultyRound) -> None:
    """A stake that must go back is collected."""
    due = money.picked(round, "returned")
    money.pay(round, due, collected=due.stake, returned=0)


def decided(round: FaultyRound) -> bool:
    """The wager in question wins or loses."""
    return _own(round).outcome in ("win", "lose")


def settle_in_full(round: FaultyRound) -> None:
    """The whole stake is settled, as if there were no limit."""
    due = _own(round)
    if due.outcome == "win":
        money.pay(round, due, paid=due.stake)
    else:
        money.pay(round, due, collected=due.stake, returned=0)


def pay_on_a_free_hand(round: FaultyRound) -> None:
    """A wager that must go back is paid."""
    due = money.picked(round, "returned")
    money.pay(round, due, paid=due.stake)


def overload_a_side(round: FaultyRound) -> None:
    """Five newcomers put the maximum on Player."""
    limit = next(limit for limit in round.table.terms.limits if limit.bet == "player")
    for _ in range(5):
        bets.one_more(round, "player", limit.maximum)


def below_again(round: FaultyRound) -> None:
    """The same player bets below the minimum, as in the round before."""
    player = round.kept.setdefault("player", round.table.party.guest())
    bets.one_more(round, "player", 200_000, player)


def see_the_next(round: FaultyRound) -> None:
    """The first card of the next hand is seen, as can happen."""
    next_card_seen(_play(round), round.script)


def hand_goes_on(round: FaultyRound) -> bool:
    """The shoe is not at its end."""
    return not round.play.finished


def forget_the_free_hand(round: FaultyRound) -> None:
    """The hand is played as if it were an ordinary one."""
    play = _play(round)
    play.free_hand, play.error_cards = False, ()


def record_it_settled(round: FaultyRound) -> None:
    """The round is recorded as settled."""
    round.status = "settled"


def bet_on_free_hand(round: FaultyRound) -> None:
    """Somebody bets although the hand is free."""
    bets.one_more(round, "player", 500_000)


def report(kind: str, clause: str = "") -> Hook:
    """Something is reported, and nobody rules on it."""

    def tell(round: FaultyRound) -> None:
        round.script.say("console", e.IrregularityReported(kind, clause), 800, 1_500)

    return tell


def fix_the_order_too_low(round: FaultyRound) -> None:
    """An inspector fixes the order of cards drawn together."""
    report("order_unknown", "TB:7.13")(round)
    _rule(round, "TB:7.13", "order_fixed", "dealer_inspector")


def refuse_a_squeeze(round: FaultyRound) -> None:
    """The dealer refuses a squeeze, which is for a pit manager to do."""
    _rule(round, "TB:4.8", "squeeze_refused", "dealer")


def reopen(round: FaultyRound) -> None:
    """A ruling opens an earlier round again."""
    _rule(round, "TB:7.1.2", "reopen", "shift_manager")


def withdraw_without_leave(round: FaultyRound) -> None:
    """A player takes a wager back and nothing allows it."""
    _, placed = round.script.first(e.WagerPlaced)
    round.subject = placed.wager_id
    round.script.say("console", e.WagerWithdrawn(placed.wager_id, "TB:7.9"), 800, 1_500)


def all_withdraw(round: FaultyRound) -> None:
    """The squeeze went astray and everybody withdraws with leave: the hand is void."""
    report("squeeze_misdelivery", "TB:7.10")(round)
    for _, placed in list(round.script.each(e.WagerPlaced)):
        back = e.WagerWithdrawn(placed.wager_id, "TB:7.10.2", "shift_manager", "house-shift")
        round.script.say("console", back, 800, 1_500)


def squeeze_out_of_turn(round: FaultyRound) -> None:
    """Somebody squeezes who has not the highest bet."""
    placed = [wager for _, wager in round.script.each(e.WagerPlaced)]
    lowest = min(placed, key=lambda wager: wager.stake)
    round.subject = lowest.player_id
    round.script.say("console", e.CardHandled("player", lowest.player_id, "squeeze"), 800, 1_500)


def a_small_bettor(round: FaultyRound) -> None:
    """A newcomer bets no more than the minimum of a side bet."""
    bets.one_more(round, "tie", 100_000)


def _rule(round: FaultyRound, clause: str, decision: str, rank: str) -> None:
    person = round.table.staff.person(rank)
    round.script.say("console", e.RulingMade(clause, decision, rank, person), 5_000, 9_000)


def _own(round: FaultyRound) -> Due:
    return next(due for due in round.judged.dues if due.wager_id == round.subject)


def _play(round: FaultyRound) -> Play:
    return cast("Play", round.play)


NEXT_SEEN = SeededFault("", "", disturb=see_the_next, needs=hand_goes_on)
BELOW = SeededFault("BET-05", "a wager below the minimum", bets=below_again, needs=decided)
ASTRAY = SeededFault(
    "IRR-15/withdrawn",
    "a squeeze goes astray, all withdraw",
    disturb=all_withdraw,
    needs=hand_goes_on,
)

FAULTS = (
    *CARDS,
    SeededFault(
        "PAY-04",
        "commission is forgotten",
        paytables=("commission",),
        bets=back_banker,
        needs=with_commission,
        settle=forget_commission,
    ),
    SeededFault(
        "PAY-07",
        "a stand-off is collected",
        bets=back_banker,
        needs=a_stand_off,
        settle=take_the_stand_off,
    ),
    SeededFault(
        "PAY-07/paid",
        "a stand-off is paid",
        bets=back_banker,
        needs=a_stand_off,
        settle=pay_the_stand_off,
    ),
    SeededFault(
        "PAY-08", "a stake of a void hand is collected", disturb=declare_void, settle=take_anyway
    ),
    SeededFault(
        "PAY-09",
        "a stake above the maximum is settled whole",
        also=("BET-06",),
        bets=bets.bet_above("player"),
        needs=decided,
        settle=settle_in_full,
    ),
    SeededFault(
        "PAY-10",
        "a wager is settled whole, not pro rata",
        also=("BET-08",),
        bets=overload_a_side,
        needs=decided,
        settle=settle_in_full,
    ),
    SeededFault(
        "PAY-11",
        "a wager on a free hand is paid",
        also=("BET-13",),
        lead=(NEXT_SEEN,),
        bets=bet_on_free_hand,
        settle=pay_on_a_free_hand,
    ),
    SeededFault("BET-01", "chips are added late", disturb=bets.grow),
    SeededFault("BET-01/possible", "chips are added at the call", disturb=bets.grow_at_the_call),
    SeededFault("BET-01/placed", "a wager is placed late", disturb=bets.bet_late("player")),
    SeededFault("BET-02", "chips are taken off late", disturb=bets.shrink),
    SeededFault("BET-03", "chips move late", disturb=bets.move, needs=bets.two_stakes),
    SeededFault("BET-03/changed", "a wager is changed late", disturb=bets.change_late),
    BELOW,
    SeededFault("BET-06", "a wager above the maximum", bets=bets.bet_above("banker")),
    SeededFault(
        "BET-07",
        "a wager below the minimum again, collected",
        lead=(BELOW,),
        bets=below_again,
        settle=take_anyway,
    ),
    SeededFault("BET-08", "the differential is exceeded", bets=overload_a_side),
    SeededFault("BET-13", "a wager on a free hand", lead=(NEXT_SEEN,), bets=bet_on_free_hand),
    SeededFault(
        "IRR-01", "something new is reported and nobody decides", disturb=report("power_cut")
    ),
    SeededFault(
        "IRR-01/order",
        "nobody fixes the order of two cards",
        disturb=report("order_unknown", "TB:7.13"),
    ),
    SeededFault("IRR-01/shoe", "all withdrew and the shoe stays", lead=(ASTRAY,)),
    SeededFault("IRR-02", "a wager is taken back without leave", disturb=withdraw_without_leave),
    SeededFault("IRR-03", "an inspector fixes the order", disturb=fix_the_order_too_low),
    SeededFault("IRR-03/squeeze", "the dealer refuses a squeeze", disturb=refuse_a_squeeze),
    SeededFault("IRR-05/ruling", "a ruling opens an earlier round again", disturb=reopen),
    SeededFault(
        "IRR-11",
        "a free hand is played as an ordinary one",
        also=("BET-13",),
        lead=(NEXT_SEEN,),
        before=forget_the_free_hand,
        settle=record_it_settled,
    ),
    SeededFault(
        "IRR-15", "squeeze cards go astray", disturb=report("squeeze_misdelivery", "TB:7.10")
    ),
    SeededFault(
        "IRR-15/turn", "a small bettor squeezes", bets=a_small_bettor, disturb=squeeze_out_of_turn
    ),
)
