"""One table through one gaming day: pauses, rounds, settlements, and the faults asked for."""

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from random import Random
from typing import NamedTuple

from replay import game_modules, rulebooks
from replay.judge import Judgement, judge
from replay.rounds import TableState
from replay.rulebooks.terms import resolve
from replay.ruled import Memory
from replay.settle import Due
from replay.simulate.chance import stream
from replay.simulate.devices import TableDevices
from replay.simulate.faults import breaches
from replay.simulate.faults.fault import FaultyRound, SeededFault, Truth
from replay.simulate.game_play import TableSetup, play_of
from replay.simulate.players import TablePlayers
from replay.simulate.script import Act, Script
from replay.simulate.staff import Staff
from schemas import events as e

SHARED_DEVICES = ("console", "chips", "pit")
COUNT_EVERY = 10  # rounds between two counts of the tray
FLOAT = 2_000_000_000  # chips in the tray when the table opens

# What changes the state that the next rounds stand on.
NOTED = (
    e.TermsPosted, e.StaffCameOn, e.StaffWentOff, e.ShoeLoaded, e.ShoeRemoved, e.CardsBurned,
    e.CardDrawn, e.LastHandAnnounced, e.CutCardReached, e.SeatTaken, e.SeatLeft,
)  # fmt: skip


class Stuck(RuntimeError):
    """A fault that found no round to happen in."""


class SimulatedDay:
    """A table, everything on it, and what it has come to."""

    def __init__(
        self,
        setup: TableSetup,
        day: str,
        opens_at: int,
        seed: str,
        plan: Mapping[int, "PlannedRound"],
    ) -> None:
        self.setup, self.day, self.seed, self.plan = setup, day, f"{seed}/{setup.table_id}", plan
        setting = stream(self.seed, "setting")
        self.edition = rulebooks.in_force(setup.code, day)
        self.staff = Staff(setup.table_id)
        self.play = play_of(self.edition.game)(setup, self.staff, setting)
        self.terms = self.play.terms
        game = game_modules.game(self.edition.game)
        resolve(self.terms, self.edition, game.has)  # BadTerms before anything is played
        self.rack = TableDevices(setup.table_id, (*SHARED_DEVICES, *self.play.kinds), setting)
        self.party = TablePlayers(setup.table_id, self.play.favourites)
        self.standing = TableState(day)
        self.memory: Memory = {}
        self.tray = FLOAT
        self.opened_at = self.clock = opens_at
        self.since: tuple[e.Event, ...] = ()  # what happened since the round before
        self.post_terms = True  # whether the terms go up in the next pause
        self.truth: list[Truth] = []

    def readings(self, rounds: int, done: Callable[[], object]) -> Iterator[e.Reading]:
        """Everything the table's devices send in, in the order of arrival."""
        opening = Script(self.setup.table_id, None, self.clock, stream(self.seed, "opening"))
        opening.say("pit", e.TableOpened(self.day))
        opening.say("chips", e.TrayCounted(self.tray))
        yield from self._sent(opening)
        for number in range(1, rounds + 1):
            yield from self._round(number)
            done()
        closing = Script(self.setup.table_id, None, self.clock, stream(self.seed, "closing"))
        closing.say("chips", e.TrayCounted(self.tray), 5_000, 9_000)
        closing.say("pit", e.TableClosed(), 5_000, 9_000)
        yield from self._sent(closing)
        yield from self.rack.arrived(None)

    def _round(self, number: int) -> list[e.Reading]:
        rng = stream(self.seed, number)
        fault, round = self._faulty_round(number, rng)
        fault.before(round)
        round.pause = self._pause(rng)
        fault.pause(round)
        self.since = tuple(
            _event(self.setup.table_id, n, a) for n, a in enumerate(round.pause.acts)
        )
        arrived = self._sent(round.pause)
        self._play(number, fault, round)
        fault.settle(round)
        self._close(number, round)
        fault.finish(round)
        if fault.name:
            self._add_truth(fault, round)
        return arrived + self._sent(round.script)

    def _faulty_round(self, number: int, rng: Random) -> tuple[SeededFault, FaultyRound]:
        stage = self.plan.get(number)
        if stage is None:
            return HONEST, FaultyRound(self, rng)
        if stage.begins:
            self.play.make_room()
        return stage.fault, FaultyRound(self, rng, stage.kept)

    def _pause(self, rng: Random) -> Script:
        pause = Script(self.setup.table_id, None, self.clock + 3_000_000, rng)
        for change in self.staff.change((self.clock - self.opened_at) // 60_000_000):
            pause.say("pit", change, 500, 900)
        if self.post_terms:
            pause.say("pit", self.terms, 500, 900)
            self.post_terms = False
        self.rack.beat(pause)
        self.party.turn_over(rng)
        self.play.between(pause, self.party)
        self.rack.beat(pause)
        return pause

    def _play(self, number: int, fault: SeededFault, round: FaultyRound) -> None:
        """Deal the round, again where the fault needs another outcome, and settle it."""
        name = f"{self.setup.table_id}-{self.day.replace('-', '')}-{number:04d}"
        before = self.play
        for turn in range(fault.tries):
            rng = round.rng if turn == 0 else stream(self.seed, number, turn)
            self.play = copy(before)
            if turn:
                self.play.again(rng)
            round.script = Script(self.setup.table_id, name, self.clock, rng)
            round.gaps.clear()
            self._bet(number, fault, round)
            if fault is not HONEST and self.play.takes_wagers and not round.wagers:
                continue  # nobody has bet, so there is nothing to do wrong
            if fault.deal:
                fault.deal(round)
            else:
                honest = fault is HONEST and not {number - 1, number + 1} & self.plan.keys()
                self.play.deal(round.script, honest)
            round.undisturbed = [] if fault is HONEST else list(map(copy, round.script.acts))
            fault.disturb(round)
            round.judged = self.judged(round.script.acts)
            if fault.needs(round):
                break
        else:
            raise Stuck(f"{name}: {fault.name} found nothing to disturb in {fault.tries} deals")
        carried = self.memory if fault.unjudged else round.judged.ruled.memory
        if round.judged.ruled.status == "unknown":
            # The staff at the table are not in doubt: they settle what they saw themselves.
            round.judged = self.judged(round.undisturbed)
        self.memory = carried
        self.play.announce(round.script, round.judged)
        self.settle(round.script, round.judged)

    def _bet(self, number: int, fault: SeededFault, round: FaultyRound) -> None:
        script = round.script
        script.say("console", e.RoundOpened(number), 1_500, 4_000)
        self.play.opening(script)
        round.wagers.clear()
        if self.play.takes_wagers:
            round.wagers += self.party.wagers(str(script.round_id), self.terms, script.rng)
            self.play.keep_lawful(round.wagers)
        fault.bets(round)
        if round.wagers:
            script.say("console", e.BettingOpened(20), 500, 900)
        for wager in round.wagers:
            script.say("console", wager, 700, 2_500)

    def judged(self, acts: list[Act]) -> Judgement:
        """What the rules say of the round so far."""
        events = tuple(_event(self.setup.table_id, n, act) for n, act in enumerate(acts))
        opening = copy(self.standing).open(str(acts[0].round_id), events[0])
        round = replace(opening, events=events, terms=self.terms, before=self.since)
        return judge(round, self.edition, self.memory)

    def settle(self, script: Script, judged: Judgement) -> None:
        """Take and pay what is due; an open wager stays where it is."""
        for due in _in_order(judged):
            if due.outcome != "open":
                script.say("console", paid(due), 500, 1_200)

    def _close(self, number: int, round: FaultyRound) -> None:
        script = round.script
        if round.count_tray or number % COUNT_EVERY == 0:
            script.say("chips", e.TrayCounted(self.tray + _moved(script)), 1_000, 2_000)
        status = round.status or round.judged.ruled.status
        script.say("console", e.RoundClosed(status), 800, 1_600)

    def _add_truth(self, fault: SeededFault, round: FaultyRound) -> None:
        where = None if fault.of_table else round.script.round_id
        house = sum(gap for gap in round.gaps.values() if gap > 0)
        player = -sum(gap for gap in round.gaps.values() if gap < 0)
        money = (house, player) if house or player else (None, None)
        broken = breaches.clauses(self.setup.code, fault.name)
        costs = dict(sorted(round.gaps.items()))
        told = (round.subject, fault.explains, fault.does, broken, *money, costs)
        self.truth.append(Truth(fault.name, self.setup.table_id, where, *told))

    def _sent(self, script: Script) -> list[e.Reading]:
        """Send a script's readings off, and give out those that have arrived by then."""
        for n, act in enumerate(script.acts):
            if isinstance(act.payload, e.RoundOpened):
                self.standing.open(str(act.round_id), _event(self.setup.table_id, n, act))
            if isinstance(act.payload, NOTED) and not act.lost:
                self.standing.note(_event(self.setup.table_id, n, act))
        self.tray += _moved(script)
        self.clock = max(self.clock, script.clock)
        self.rack.send(script.acts)
        return self.rack.arrived(self.clock)


HONEST = SeededFault("", "")


class PlannedRound(NamedTuple):
    """What happens in one round of a plan: a fault, or a round that leads up to one."""

    fault: SeededFault
    kept: dict[str, str]
    begins: bool = True  # whether it is the first round that the fault needs


def paid(due: Due) -> e.WagerSettled:
    """What is handed over and taken where everything is right."""
    return e.WagerSettled(
        due.wager_id,
        paid=due.paid,
        commission=due.commission,
        collected=due.collected,
        reserve_taken=due.reserve_taken,
        returned=due.returned + due.reserve_returned,
    )


def _in_order(judged: Judgement) -> list[Due]:
    """The order the rules give; losing wagers before winners where they give none."""
    place = {wager_id: n for n, wager_id in enumerate(judged.ruled.pay_order)}
    return sorted(judged.dues, key=lambda due: (place.get(due.wager_id, -1), due.outcome == "win"))


def _moved(script: Script) -> int:
    return sum(
        act.payload.collected + act.payload.reserve_taken - act.payload.paid
        for act in script.acts
        if isinstance(act.payload, e.WagerSettled)
    )


def _event(table_id: str, n: int, act: Act) -> e.Event:
    return e.Event(
        str(n), table_id, n, act.device, act.device, n, act.at, 0, act.at, "", b"", act.payload,
        act.round_id,
    )  # fmt: skip
