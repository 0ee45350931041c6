"""How games of boxes against the Dealer are played: a deck a round, and what may void it."""

from random import Random

from replay.simulate.game_play import TableSetup
from replay.simulate.play.shared.plain_table import PlainTable
from replay.simulate.script import Script
from replay.simulate.staff import Staff
from schemas import events as e


class BoxTable(PlainTable):
    """One table's deck; a whole one comes with every round, so nothing has to be waited for."""

    kinds: tuple[str, ...] = ("shoe", "camera")
    decks = 1

    def __init__(self, setup: TableSetup, staff: Staff, rng: Random) -> None:
        super().__init__(setup, staff, rng)
        self.sets = 1  # sets of cards taken from the store so far
        self.order: list[str] = []  # every card of the deck in the order it comes out

    def again(self, rng: Random) -> None:
        """The deck in another order."""
        self.order = rng.sample(self.order, len(self.order))

    def clause(self, number: str) -> str:
        """A clause of the table's own rulebook."""
        return f"{self.terms.game}:{number}"


def observe(script: Script, area: str, slot: int, code: str) -> None:
    """The camera sees a card, as good as sure of it."""
    sure = 0.95 + int(script.rng.random() * 500) / 10_000
    seen = e.CardsObserved(area, slot, (e.Guess(code, sure),), script.clock // 40_000)
    script.say("camera", seen, 80, 140)


def report(script: Script, kind: str, clause: str) -> None:
    """The dealer reports an irregularity."""
    script.say("console", e.IrregularityReported(kind, clause), 800, 1_500)


def ruled(play: BoxTable, script: Script, clause: str, decision: str, rank: str) -> None:
    """Somebody of a rank decides."""
    made = e.RulingMade(clause, decision, rank, play.staff.person(rank))
    script.say("console", made, 5_000, 9_000)


def voided(play: BoxTable, script: Script, clause: str, reason: str) -> None:
    """The pit manager voids the round, and it is recorded."""
    ruled(play, script, clause, "void", "pit_manager")
    script.say("console", e.RoundVoided(clause, reason), 800, 1_500)


def goes_on(play: BoxTable, script: Script) -> None:
    """NN:7.1.4, TH:7.1.4. A disruption, and the pit manager lets the round go on."""
    report(script, "disruption", play.clause("7.1.4"))
    ruled(play, script, play.clause("7.1.4"), "continue", "pit_manager")


def called_off(play: BoxTable, script: Script) -> None:
    """NN:7.1.4, TH:7.1.4. A disruption, and the pit manager voids the round."""
    report(script, "disruption", play.clause("7.1.4"))
    voided(play, script, play.clause("7.1.4"), "disruption")


def jammed(play: BoxTable, script: Script) -> None:
    """NN:7.1.2, TH:7.1.2. The device jams and the pit manager voids the round."""
    script.say("shoe", e.DeviceJammed("E4"), 800, 1_500)
    voided(play, script, play.clause("7.1.2"), "jam")


def foreign(play: BoxTable, script: Script) -> None:
    """NN:7.1.1, TH:7.1.1, TH:7.2. A foreign card voids the round and new cards come."""
    report(script, "foreign_card", play.clause("7.1.1"))
    voided(play, script, play.clause("7.1.1"), "foreign_card")
    play.sets += 1
