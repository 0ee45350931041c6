"""Which readings of unclear clauses a judged round relies on: those whose alternatives change it.

The round is judged again under every alternative. No rule has to foresee where a reading of its
own, or of another rule, decides. A reading that the judgement never asked for cannot change it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from replay.judge import Judgement, judge
from replay.rulebooks.terms import BadTerms


def relied(judged: Judgement) -> dict[str, tuple[str, ...]]:
    """Each reading the round relies on, with the other readings that would change the round.

    An issue that the edition reads in one way only has no others: the rulings say where it counts.
    """
    if judged.edition is None:
        return {}
    fixed = {name: () for name in judged.ruled.readings if not _others(judged, name)}
    changed = {name: tuple(_changed_by(judged, name)) for name in _asked(judged)}
    return dict(sorted((fixed | {name: by for name, by in changed.items() if by}).items()))


def _asked(judged: Judgement) -> set[str]:
    """The issues that the judgement of the round looked at."""
    assert judged.edition is not None
    asked: set[str] = set()
    judge(judged.round, judged.edition, judged.memory, asked)
    return asked & judged.edition.issues.keys()


def _changed_by(judged: Judgement, name: str) -> Iterator[str]:
    posted, edition = judged.round.terms, judged.edition
    assert posted is not None
    assert edition is not None
    for other in _others(judged, name):
        terms = replace(posted, readings={**posted.readings, name: other})
        try:
            again = judge(replace(judged.round, terms=terms), edition, judged.memory)
        except BadTerms:
            continue  # two readings that exclude each other
        if _decided(again) != _decided(judged):
            yield other


def _others(judged: Judgement, name: str) -> list[str]:
    """The readings that the table might have posted instead."""
    assert judged.edition is not None
    assert judged.terms is not None
    issue = judged.edition.issues.get(name)
    known = (issue.reading, *issue.alternatives) if issue else ()
    return [other for other in known if other != judged.terms.readings[name]]


def _decided(judged: Judgement) -> tuple[Any, ...]:
    """What a reading can decide: the status, the money, and what later rounds are judged by."""
    money = tuple(
        (
            due.wager_id,
            due.outcome,
            due.gross_win,
            due.commission,
            due.paid,
            due.collected,
            due.returned,
            due.reserve_taken,
            due.reserve_returned,
        )
        for due in judged.dues
    )
    memory: Mapping[str, Any] = judged.ruled.memory
    return judged.ruled.status, money, memory
