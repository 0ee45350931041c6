"""One round judged: rulings, settlement and derivation, by the edition in force."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol

from replay import betting_end, game_modules, payments, settle, unusable_amounts, wagers
from replay.game_modules import Rulings
from replay.rounds import Round
from replay.rulebooks.edition import Edition, UnknownRulebook
from replay.rulebooks.terms import Asked, BadTerms, Terms, resolve
from replay.ruled import Flag, Memory, Ruled, Step
from replay.rulings.every_game import after_settlement, foreign_words, paid_early
from replay.rulings.shared import stray_cards
from replay.settle import Due
from schemas import events as e


class Judgement(NamedTuple):
    """A judged round; without an edition where none could be found, and then unknown."""

    round: Round
    edition: Edition | None
    terms: Terms | None
    ruled: Ruled
    dues: tuple[Due, ...]
    flags: tuple[Flag, ...]
    steps: tuple[Step, ...]
    memory: Memory = {}  # noqa: RUF012  (what the rounds before had left; never written)


class Editions(Protocol):
    """Where the judge finds the edition in force."""

    def __call__(self, code: str, day: str, number: str = "") -> Edition:
        """The edition a gaming day is judged by."""
        ...


def judge(
    round: Round, edition: Edition, memory: Memory, asked: set[str] | None = None
) -> Judgement:
    """What the round owed, and why; `asked` takes the rule issues whose reading was looked at."""
    if round.terms is None:
        return unknown(round, "TERMS_MISSING", "no terms were posted before the round")
    terms = resolve(round.terms, edition, game_modules.game(edition.game).has)
    if asked is not None:
        terms = terms._replace(readings=Asked(terms.readings, asked))
    rulings = game_modules.rulings(edition.game)
    round, beyond, left_out = unusable_amounts.left_out(round)

    def rule(round: Round) -> tuple[Round, tuple[e.Event, ...], Ruled]:
        end = rulings.betting_end(round.events, terms)
        again = tuple(wagers.repeated(round.events, end))
        round = replace(round, betting_end=end)
        return round, again, rulings.rule(_without(round, again), terms, memory)

    round, afterwards = _as_paid(round, edition, lambda at: rule(at)[-1])
    round, again, ruled = rule(round)
    dues = settle.dues(ruled, edition, terms)
    repeated = tuple(map(_placed_twice, again))
    doubtful = {step.wager_id for step in repeated}
    mispaid = tuple(rulings.mispaid(_gaps(round, dues, doubtful)))
    told = (
        *(("RESULT_MISMATCH", step) for step in _void_for_nothing(round, ruled)),
        *(("WAGER_ID_REPEATED", step) for step in repeated),
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
        *foreign_words.told(round.events, edition.code, edition.clauses, ruled),
        *afterwards,
    )
    made = wagers.evidence(round.events)
    steps = (
        *ruled.steps,
        *(settle.step(due, terms, _made(due.wager_id, made)) for due in dues),
        *(step for _, step in (*told, *strange)),
        *left_out,
    )
    flags = (
        *ruled.flags,
        *mispaid,
        *(_flag(code, step) for code, step in told),
        *(flag for flag, _ in strange),
        *beyond,
    )
    return Judgement(round, edition, terms, ruled, dues, flags, steps, memory)


def _as_paid(round: Round, edition: Edition, rule: after_settlement.Rule) -> after_settlement.Paid:
    """The round without what came after it was over, where its rulings do not know that."""
    if edition.code in after_settlement.RULE_IT_THEMSELVES:
        return after_settlement.Paid(round)
    own, clause = foreign_words.GAMES[edition.code]
    return after_settlement.as_paid(round, own, clause, rule)


def _made(wager_id: str, made: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The events that made a wager; a hand that was split off rests on its first wager's."""
    return made.get(wager_id) or made.get(wager_id.rpartition(".")[0], ())


def judge_day(rounds: Iterable[Round], editions: Editions) -> Iterator[Judgement]:
    """The rounds of one table-day in order, each with what the rounds before it left behind."""
    memory: dict[str, Memory] = {}
    for round in rounds:
        yield judge_next(round, editions, memory)


def judge_next(round: Round, editions: Editions, memory: dict[str, Memory]) -> Judgement:
    """A table-day's next round; what it leaves for later ones of its game goes into `memory`."""
    if round.terms is None:
        return unknown(round, "TERMS_MISSING", "no terms were posted before the round")
    code = round.terms.game
    try:
        edition = editions(code, round.gaming_day, round.terms.edition)
        judged = judge(round, edition, memory.get(code, {}))
    except (UnknownRulebook, BadTerms) as error:
        return unknown(round, "RULEBOOK_MISMATCH", str(error))
    memory[code] = judged.ruled.memory
    return judged


def unknown(round: Round, code: str, why: str) -> Judgement:
    """A round that no edition can judge: nothing is derived, and it says what is missing."""
    flag = Flag(code, "", note=why)
    round = replace(round, betting_end=betting_end.find(round.events))
    ruled = Ruled("unknown", "", frozenset(), (), (flag,), (Step(why),))
    return Judgement(round, None, None, ruled, (), ruled.flags, ruled.steps)


def _without(round: Round, events: Collection[e.Event]) -> Round:
    kept = (event for event in round.events if event not in events)
    return replace(round, events=tuple(kept)) if events else round


def _void_for_nothing(round: Round, ruled: Ruled) -> Iterator[Step]:
    """A round that has its result and was called void, where the game itself does not tell."""
    told = {flag.code for flag in ruled.flags}
    if ruled.status != "settled" or told & {"UNJUSTIFIED_VOID", "REOPENED_ROUND"}:
        return
    found = tuple(at.event_id for at in round.events if _voids(at.payload))
    if found:
        derived = ruled.outcome or ruled.result or "a result"
        text = f"the table called the round void, {derived} was derived and stands"
        yield Step(text, ruled.clauses[:1], found)


def _voids(payload: e.Payload) -> bool:
    closed_so = isinstance(payload, e.RoundClosed) and payload.status == "void"
    return closed_so or isinstance(payload, e.RoundVoided)


def _placed_twice(event: e.Event) -> Step:
    """What was placed under the id of another wager: the first stands, and this is told."""
    placed = event.payload
    assert isinstance(placed, e.WagerPlaced)
    text = f"{placed.bet} {placed.stake:,} of {placed.player_id} came under the id of a wager"
    text += " that lay there already, which stands"
    return Step(text, evidence=(event.event_id,), wager_id=placed.wager_id)


def _paid_wrongly(
    round: Round,
    rulings: Rulings,
    ruled: Ruled,
    dues: Sequence[Due],
    doubtful: Collection[str],
) -> Iterator[tuple[str, Step]]:
    """Settlements that come twice, or that belong to no wager of the round."""
    known = {stand.wager.wager_id for stand in ruled.stands} | {due.wager_id for due in dues}
    own_word = rulings.TELLS_OF_OTHER_ROUNDS  # of another round, after the end
    for step in payments.twice(
        payments.until_closed(round.events) if own_word else round.events, dues
    ):
        if step.wager_id not in doubtful:
            yield "SETTLED_TWICE", step
    yield from (("SETTLED_WITHDRAWN", step) for step in payments.withdrawn(round.events, known))
    if not own_word:
        yield from (("SETTLED_UNKNOWN", step) for step in payments.unknown(round.events, known))


def _counting(events: Sequence[e.Event], ruled: Ruled) -> tuple[e.Event, ...]:
    """The events without the cards that the rulings set aside: nobody had to wait for them."""
    strays = (step.evidence for step in ruled.steps if step.text.endswith(stray_cards.NOTHING))
    aside = {event_id for evidence in strays for event_id in evidence}
    return tuple(at for at in events if at.event_id not in aside)


def _at_no_odds(
    ruled: Ruled, dues: Sequence[Due], edition: Edition, terms: Terms
) -> Iterator[Step]:
    """Settlements that are left alone as recorded, and that no line of the paytable makes."""
    owed = {due.wager_id: due for due in dues}
    for stand in ruled.stands:
        due = owed.get(stand.wager.wager_id)
        if stand.recorded is None or due is None:
            continue
        if not settle.possible(due, edition, terms):
            text = f"{due.bet} {due.stake:,} was settled with {due.paid:,} paid and "
            text += f"{due.collected:,} collected, which no line of the paytable makes"
            yield Step(text, due.clauses, wager_id=due.wager_id)


def _flag(code: str, step: Step) -> Flag:
    clause = step.clauses[0] if step.clauses else ""
    return Flag(code, clause, step.wager_id or "void", step.text)


def _gaps(round: Round, dues: tuple[Due, ...], doubtful: Collection[str]) -> list[tuple[Due, str]]:
    """Wagers settled otherwise than due, but for those whose id does not say which was settled."""
    seen = payments.totals(round.events)
    found = []
    for due in dues:
        if due.wager_id in seen and due.wager_id not in doubtful:
            gaps = settle.differences(due, seen[due.wager_id])
            if gaps:
                found.append((due, ", ".join(f"{name} {gap:+,}" for name, gap in gaps.items())))
    return found
