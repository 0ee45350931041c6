"""What can go wrong on purpose at a Pok Deng table."""

from dataclasses import replace

from replay.games import pok_deng as game
from replay.settle import Due
from replay.simulate.faults.fault import FaultyRound, Hook, SeededFault
from replay.simulate.faults.shared import bets, money
from replay.simulate.faults.shared.shoe import ROUND_BURN, faults, last, table
from schemas import events as e


def withhold(bet: str, reserve: int) -> Hook:
    """Somebody new bets 200,000 and so much is withheld."""

    def place(round: FaultyRound) -> None:
        bets.one_more(round, bet, 200_000)
        round.wagers[-1] = replace(round.wagers[-1], reserve=reserve)

    return place


def report_the_balance(round: FaultyRound) -> None:
    """The account system reports that the newcomer's bet was not covered."""
    told = e.IrregularityReported("insufficient_balance", "SA-PD:6.2.2", round.subject)
    round.script.say("console", told, 500, 900)


def one_short(round: FaultyRound) -> None:
    """The last card is not dealt: Banker has one card."""
    for act in last(round):
        round.script.drop(act)
    table(round).out -= 1


def one_more(round: FaultyRound) -> None:
    """Player 1 is given a third card, which does not count."""
    table(round).draw(round.script, game.SEATS[0], 3)


def single_loss(round: FaultyRound) -> bool:
    """A bet on a hand loses once, so what was withheld goes back."""
    return _single(round) is not None


def keep_the_withheld(round: FaultyRound) -> None:
    """What was withheld is kept after a single loss."""
    due = _single(round)
    assert due is not None
    round.subject = due.wager_id
    money.pay(round, due, reserve_taken=due.stake, returned=0)


def bet_on_all(round: FaultyRound) -> None:
    """Somebody new bets on every hand, so that a note is likely to decide one of them."""
    for seat in game.SEATS:
        bets.one_more(round, seat, 200_000)
        round.wagers[-1] = replace(round.wagers[-1], reserve=200_000)


def decided_by(round: FaultyRound, clause: str) -> Due | None:
    """The first bet that a clause decides."""
    return next((due for due in round.judged.dues if clause in due.clauses), None)


def pay_times(clause: str, times: int) -> Hook:
    """A bet that a note decides is paid at other odds."""

    def settle(round: FaultyRound) -> None:
        due = decided_by(round, clause)
        assert due is not None
        round.subject = due.wager_id
        money.pay(round, due, paid=times * due.stake)

    return settle


def _single(round: FaultyRound) -> Due | None:
    lost = (due for due in round.judged.dues if due.outcome == "lose")
    return next((due for due in lost if due.reserve_returned == due.stake), None)


NOTE_5, NOTE_6, TIE = "SA-PD:6.5.3", "SA-PD:6.5.4", "SA-PD:6.5.7"
OPEN = ("IRR-04", "PAY-08")

FAULTS = (
    *faults("player_1_pair", "player_6", "9 9 9 9 9 9", 0),
    *ROUND_BURN,
    SeededFault("DEAL-02", "the last card is not dealt", OPEN, disturb=one_short,
                settle=money.take_the_result),
    SeededFault("DEAL-02/more", "a third card is dealt", disturb=one_more),
    SeededFault("BET-09", "too little is withheld", bets=withhold("player_1", 50_000)),
    SeededFault("BET-09/pair", "a pair is withheld for", bets=withhold("player_2_pair", 10_000)),
    SeededFault("BET-09/balance", "a bet is not covered", bets=withhold("player_3", 200_000),
                disturb=report_the_balance),
    SeededFault("PAY-06", "a withheld amount is kept", needs=single_loss, settle=keep_the_withheld),
    SeededFault("PAY-01/note_5", "note 5 is forgotten", bets=bet_on_all,
                needs=lambda round: decided_by(round, NOTE_5) is not None, settle=pay_times(NOTE_5,
                2)),
    SeededFault("PAY-02/note_6", "note 5 is applied against note 6", bets=bet_on_all,
                needs=lambda round: decided_by(round, NOTE_6) is not None, settle=pay_times(NOTE_6,
                1)),
    SeededFault("PAY-07", "a tied hand is paid", bets=bet_on_all,
                needs=lambda round: decided_by(round, TIE) is not None, settle=pay_times(TIE, 2)),
)  # fmt: skip
