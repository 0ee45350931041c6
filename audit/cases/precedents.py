"""Earlier rulings under the same clauses, with the facts of their rounds and what they cost (M14).

Rulings come from the tables of a replayed house; decisions of earlier disputes come from the cases.
"""

from collections.abc import Iterable, Iterator, Sequence

import duckdb

from audit.cases import recompute
from audit.cases.case import Case
from replay.judge import Judgement
from schemas import events as e

SHOWN = 20  # precedents that a recomputation keeps, at most

RULINGS = """
with
facts as (
    select round_id, table_id, kind as fact from irregularities where round_id is not null
    union
    select round_id, table_id, code from flags
),
patterns as (
    select round_id, table_id, list(fact order by fact) as pattern from facts group by all
),
money as (
    select round_id, table_id, sum(paid - collected - reserve_taken)::bigint as minor
    from dues
    group by all
),
unruled as (
    select round_id, table_id, sum(paid - collected - reserve_taken)::bigint as minor
    from unruled_dues
    group by all
)
select
    ruling.table_id,
    ruling.round_id,
    coalesce(round.gaming_day::varchar, ''),
    ruling.clause,
    ruling.decision,
    ruling.rank,
    coalesce(patterns.pattern, []),
    coalesce(patterns.pattern, []) = $pattern::varchar[] as same,
    coalesce(money.minor, 0),
    coalesce(unruled.minor, money.minor, 0)
from rulings as ruling
join rounds as round using (round_id, table_id)
left join patterns using (round_id, table_id)
left join money using (round_id, table_id)
left join unruled using (round_id, table_id)
where ruling.clause in (select unnest($clauses::varchar[]))
    and (ruling.table_id, ruling.round_id) <> ($table_id, $round_id)
    and round.opened_at < make_timestamp($before::bigint)
order by same desc, ruling.made_at desc, ruling.table_id, ruling.seq
limit $shown
"""


def found(
    cases: Iterable[Case],
    case: Case,
    judged: Judgement,
    connection: duckdb.DuckDBPyConnection | None,
) -> list[e.Precedent]:
    """Earlier rulings from the tables, and decisions from the cases; only these without tables."""
    clauses = recompute.clauses_of_choice(judged)
    cited = tuple(dict.fromkeys((*clauses, *(a for due in judged.dues for a in due.clauses))))
    decided = of_cases(cases, case, cited)
    if connection is None or not clauses:
        return decided
    return [*of_rulings(connection, case, clauses, recompute.pattern(judged)), *decided]


def of_rulings(
    connection: duckdb.DuckDBPyConnection, case: Case, clauses: Sequence[str], facts: Sequence[str]
) -> list[e.Precedent]:
    """Earlier rulings under these clauses, those on the same facts first, then the latest."""
    asked = {
        "pattern": list(facts),
        "clauses": list(clauses),
        "table_id": case.table_id,
        "round_id": case.raised.round_id,
        "before": case.raised.round_opened_at or case.steps[0].done_at,
        "shown": SHOWN,
    }
    found = connection.execute(RULINGS, asked).fetchall()
    return [
        e.Precedent(
            table, round, clause, decision, rank, tuple(facts_of), same, player, unruled, day
        )
        for table, round, day, clause, decision, rank, facts_of, same, player, unruled in found
    ]


def of_cases(cases: Iterable[Case], own: Case, clauses: Sequence[str]) -> list[e.Precedent]:
    """Earlier disputes that were decided under one of these clauses."""
    return sorted(
        (
            precedent
            for case in cases
            if case.case_id != own.case_id
            for precedent in _decided(case, clauses)
        ),
        key=lambda precedent: (precedent.gaming_day, precedent.table_id, precedent.round_id),
        reverse=True,
    )[:SHOWN]


def _decided(case: Case, clauses: Sequence[str]) -> Iterator[e.Precedent]:
    event = case.decision
    if event is None or not isinstance(event.step, e.DisputeDecided):
        return
    shared = [clause for clause in event.step.clauses if clause in clauses]
    if shared:
        paid = sum(payment.amount for payment in event.step.payments)
        yield e.Precedent(
            table_id=case.table_id,
            round_id=case.raised.round_id,
            clause=shared[0],
            decision=f"dispute {event.step.outcome}",
            rank=event.rank,
            pattern=(),
            same_pattern=False,
            player_minor=paid,
            unruled_minor=0,
            gaming_day=case.raised.gaming_day,
        )
