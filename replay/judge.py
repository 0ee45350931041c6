"""Judges one round by the edition in force: its rulings, what every wager is due, and the steps.

A round is judged in this order: wagers with impossible amounts go out, then what came after the
round was over, then the game's rulings and the paytable decide, and last the payments that were
seen are compared with the dues. What a round leaves for the next one is its memory.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from replay import (
    betting_end,
    game_modules,
    payments,
    settle,
    short_record,
    unusable_amounts,
    wagers,
)
from replay.game_modules import Rulings
from replay.rounds import Round
from replay.rulebooks.edition import Edition, UnknownRulebook
from replay.rulebooks.terms import BadTerms, NotedReadings, Terms, resolve
from replay.ruled import Flag, Memory, Ruled, Step
from replay.rulings.every_game import after_settlement, foreign_words, paid_early
from replay.sentence import Prose, Sentence, say
from replay.settle import Due, Gaps
from schemas import events as e

# Sentences on cards and balls that count for nothing; a settlement need not wait for those.
SET_ASIDE = frozenset(
    [
        "shared.card_drawn_outside",
        "shared.card_put_outside",
        "shared.card_seen_outside",
        "shared.after_settlement",
        "RO.ball_after_close",
    ]
)
THE_TABLE = ""  # beside the rulebooks in a table's memory: whether the round before is doubtful


class Judgement(NamedTuple):
    """A judged round; where no edition was found it has none, and its status is unknown."""

    round: Round
    edition: Edition | None
    terms: Terms | None
    ruled: Ruled
    dues: tuple[Due, ...]
    flags: tuple[Flag, ...]
    steps: tuple[Step, ...]
    memory: Memory = {}  # noqa: RUF012  (what the round before left; never written)
    lacks: str = ""  # what is missing of its record (replay/short_record.py)

    @property
    def code(self) -> str:
        """The rulebook that the terms name; empty where none were posted."""
        return self.round.terms.game if self.round.terms else ""


class Editions(Protocol):
    """Finds the edition in force."""

    def __call__(self, code: str, day: str, number: str = "") -> Edition:
        """The edition a gaming day is judged by."""
        ...


def judge(
    round: Round, edition: Edition, memory: Memory, asked: set[str] | None = None
) -> Judgement:
    """Derive what the round owed, and why; `asked` collects the rule issues the rules asked for."""
    if round.terms is None:
        return unknown(round, "TERMS_MISSING", say("shared.no_terms"))
    terms = resolve(round.terms, edition, game_modules.game(edition.game).has)
    if asked is not None:
        terms = terms._replace(readings=NotedReadings(terms.readings, asked))
    rulings = game_modules.rulings(edition.game)
    round, unusable_flags, unusable_steps = unusable_amounts.left_out(round)

    def rule(round: Round) -> tuple[Round, tuple[e.Event, ...], Ruled]:
        end = rulings.betting_end(round.events, terms)
        repeated = tuple(wagers.repeated(round.events, end))
        round = replace(round, betting_end=end)
        return round, repeated, rulings.rule(_without(round, repeated), terms, memory)

    round, afterwards = _as_paid(round, rulings, lambda shorter: rule(shorter)[-1])
    round, repeated, ruled = rule(round)
    dues = settle.dues(ruled, edition, terms)
    placed_twice = tuple(map(_placed_twice, repeated))
    doubtful = {step.wager_id for step in placed_twice}
    mispaid = tuple(rulings.mispaid(_gaps(round, dues, doubtful)))
    flagged = (
        *(("RESULT_MISMATCH", step) for step in _void_for_nothing(round, ruled)),
        *(("WAGER_ID_REPEATED", step) for step in placed_twice),
        *_paid_wrongly(round, rulings, ruled, dues, doubtful),
        *paid_early.told(
            _counting(round.events, ruled),
            lambda events: rulings.betting_end(events, terms),
            dues,
            rulings.may_settle_early,
        ),
        *(("PAID_AT_NO_ODDS", step) for step in _at_no_odds(ruled, dues, edition, terms)),
    )
    strange = (
        *foreign_words.told(round.events, rulings, edition.clauses, ruled),
        *afterwards,
    )
    made = wagers.evidence(round.events)
    steps = (
        *ruled.steps,
        *(settle.step(due, terms, _made(due.wager_id, made)) for due in dues),
        *(step for _, step in (*flagged, *strange)),
        *unusable_steps,
    )
    flags = (
        *ruled.flags,
        *mispaid,
        *(_flag(code, step) for code, step in flagged),
        *(flag for flag, _ in strange),
        *unusable_flags,
    )
    return Judgement(round, edition, terms, ruled, dues, flags, steps, memory)


def _as_paid(
    round: Round, rulings: Rulings, rule: after_settlement.Rule
) -> after_settlement.RoundAsPaid:
    """Leave out what came after the round was over, unless the game's own rulings do so."""
    if rulings.RULES_AFTERWARDS:
        return after_settlement.RoundAsPaid(round)
    return after_settlement.as_paid(round, rulings.KNOWN_EVENTS, rulings.PLAY_CLAUSE, rule)


def _made(wager_id: str, made: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The events that made a wager; a split hand rests on those of the wager it came from."""
    return made.get(wager_id) or made.get(wager_id.rpartition(".")[0], ())


def judge_day(rounds: Iterable[Round], editions: Editions) -> Iterator[Judgement]:
    """Judge the rounds of one table-day in order, each with what the rounds before it left."""
    memory: dict[str, Memory] = {}
    for round in rounds:
        yield judge_next(round, editions, memory)


def judge_next(round: Round, editions: Editions, memory: dict[str, Memory]) -> Judgement:
    """Judge a table-day's next round; what it leaves for later rounds goes into `memory`."""
    if round.terms is None:
        return unknown(round, "TERMS_MISSING", say("shared.no_terms"))
    code = round.terms.game
    try:
        edition = editions(code, round.gaming_day, round.terms.edition)
        judged = judge(round, edition, memory.get(code, {}))
    except (UnknownRulebook, BadTerms) as error:
        return unknown(round, "RULEBOOK_MISMATCH", say("shared.no_edition", why=str(error)))
    memory[code] = judged.ruled.memory
    own = short_record.lacks(round, judged.ruled, judged.flags)
    new_shoe = round.shoe is not None and not round.shoe.hands
    before = memory.get(THE_TABLE, {}).get("doubtful") and (judged.memory or new_shoe)
    memory[THE_TABLE] = {"doubtful": bool(own) or round.bounds_doubtful}
    return judged._replace(lacks=own or (short_record.BEFORE if before else ""))


def unknown(round: Round, code: str, why: Sentence) -> Judgement:
    """The judgement of a round that no edition can judge: it only says what is missing."""
    flag = Flag(code, "", note=why)
    round = replace(round, betting_end=betting_end.find(round.events))
    ruled = Ruled("unknown", "", frozenset(), (), (flag,), (Step(why),))
    return Judgement(round, None, None, ruled, (), ruled.flags, ruled.steps)


def _without(round: Round, events: Collection[e.Event]) -> Round:
    kept = (event for event in round.events if event not in events)
    return replace(round, events=tuple(kept)) if events else round


def _void_for_nothing(round: Round, ruled: Ruled) -> Iterator[Step]:
    """A round called void although it has its result, where no flag of the game says so."""
    codes = {flag.code for flag in ruled.flags}
    if ruled.status != "settled" or codes & {"UNJUSTIFIED_VOID", "REOPENED_ROUND"}:
        return
    calls = tuple(event.event_id for event in round.events if _voids(event.payload))
    if calls:
        derived = ruled.outcome or ruled.result or say("shared.a_result")
        yield Step(say("shared.void_for_nothing", derived=derived), ruled.clauses[:1], calls)


def _voids(payload: e.Payload) -> bool:
    closed_as_void = isinstance(payload, e.RoundClosed) and payload.status == "void"
    return closed_as_void or isinstance(payload, e.RoundVoided)


def _placed_twice(event: e.Event) -> Step:
    """The step for a wager placed under the id of another one; the first stands."""
    placed = event.payload
    assert isinstance(placed, e.WagerPlaced)
    player = placed.player_id
    text = say("shared.placed_twice", bet=placed.bet, stake=placed.stake, player=player)
    return Step(text, evidence=(event.event_id,), wager_id=placed.wager_id)


def _paid_wrongly(
    round: Round,
    rulings: Rulings,
    ruled: Ruled,
    dues: Sequence[Due],
    doubtful: Collection[str],
) -> Iterator[tuple[str, Step]]:
    """Settlements that came twice, or that belong to no wager of the round."""
    known = {stand.wager.wager_id for stand in ruled.stands} | {due.wager_id for due in dues}
    ruled_by_game = rulings.TELLS_OF_OTHER_ROUNDS  # the game's own flags tell of them
    events = payments.until_closed(round.events) if ruled_by_game else round.events
    for step in payments.twice(events, dues):
        if step.wager_id not in doubtful:
            yield "SETTLED_TWICE", step
    yield from (("SETTLED_WITHDRAWN", step) for step in payments.withdrawn(round.events, known))
    if not ruled_by_game:
        yield from (("SETTLED_UNKNOWN", step) for step in payments.unknown(round.events, known))


def _counting(events: Sequence[e.Event], ruled: Ruled) -> tuple[e.Event, ...]:
    """The events without the cards that the rulings set aside; no settlement waits for those."""
    strays = (step.evidence for step in ruled.steps if _sets_aside(step.text))
    aside = {event_id for evidence in strays for event_id in evidence}
    return tuple(event for event in events if event.event_id not in aside)


def _sets_aside(text: Prose) -> bool:
    return isinstance(text, Sentence) and text.key in SET_ASIDE


def _at_no_odds(
    ruled: Ruled, dues: Sequence[Due], edition: Edition, terms: Terms
) -> Iterator[Step]:
    """Settlements that stand as recorded although no line of the paytable makes them."""
    owed = {due.wager_id: due for due in dues}
    for stand in ruled.stands:
        due = owed.get(stand.wager.wager_id)
        if stand.recorded is None or due is None:
            continue
        if not settle.possible(due, edition, terms):
            paid, collected = due.paid, due.collected
            text = say(
                "shared.paid_at_no_odds",
                bet=due.bet,
                stake=due.stake,
                paid=paid,
                collected=collected,
            )
            yield Step(text, due.clauses, wager_id=due.wager_id)


def _flag(code: str, step: Step) -> Flag:
    clause = step.clauses[0] if step.clauses else ""
    return Flag(code, clause, step.wager_id or "void", step.text)


def _gaps(round: Round, dues: tuple[Due, ...], doubtful: Collection[str]) -> list[tuple[Due, Gaps]]:
    """Wagers settled otherwise than due, without those whose id names two wagers."""
    seen = payments.totals(round.events)
    mispaid = []
    for due in dues:
        if due.wager_id in seen and due.wager_id not in doubtful:
            gaps = payments.differences(due, seen[due.wager_id])
            if gaps:
                mispaid.append((due, gaps))
    return mispaid
